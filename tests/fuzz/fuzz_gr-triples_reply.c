// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-triples_reply.c — any bytes as what a chat model says: no crash, and what is taken
 * for a statement has two ends and a relation
 */
#include "model.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sv text = { (const char *)data, size };
    struct statements list;
    struct err err;
    jv v;
    if (utf8_check(text) != SIZE_MAX || model_parse(text, &v, &list, &err) < 0)
        return 0;
    for (size_t i = 0; i < list.n; i++)
        if (!list.items[i].head.n || !list.items[i].relation.n || !list.items[i].tail.n)
            abort();
    free(list.items);
    json_free(v);
    return 0;
}
