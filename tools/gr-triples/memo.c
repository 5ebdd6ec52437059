// SPDX-License-Identifier: MIT
/*
 * memo.c — one answer a place, the later takes it
 */
#include "memo.h"

#include "relate.h"

bool memo_allows(struct memo *m, struct sv types, const char *type)
{
    if (!m)
        return relate_allows(types, type);
    uint64_t h = ((uint64_t)(uintptr_t)types.p * 31 + (uint64_t)(uintptr_t)type) *
                 UINT64_C(0x9e3779b97f4a7c15);
    struct memo_answer *a = &m->answers[h >> (64 - MEMO_BITS)];
    if (a->types != types.p || a->type != type || a->n != types.n)
        *a = (struct memo_answer){ types.p, type, types.n, relate_allows(types, type) };
    return a->allows;
}
