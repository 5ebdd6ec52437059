// SPDX-License-Identifier: MIT
/*
 * memo.c — a question that has not been asked yet
 */
#include "memo.h"

#include "relate.h"

void memo_learn(struct memo_answer *a, struct sv types, const char *type)
{
    *a = (struct memo_answer){
        .types = types.p,
        .type = type,
        .n = (uint32_t)types.n,
        .allows = relate_allows(types, type),
        .allows_phase = strcmp(type, "oxide") == 0 && relate_allows(types, "mineral"),
    };
}
