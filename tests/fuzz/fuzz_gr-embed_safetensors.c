// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-embed_safetensors.c — any bytes as a weights file: rejected, or every element
 * readable
 */
#include "safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libjq 1.6 loses a few bytes when an object's key is no string. */
const char *__lsan_default_suppressions(void)
{
    return "leak:libjq.so";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    struct safetensors *st = safetensors_parse((struct sv){ (const char *)data, size }, &err);
    if (!st)
        return 0;
    for (size_t i = 0; i < safetensors_count(st); i++) {
        const struct tensor *t = safetensors_at(st, i);
        if (t->type == TENSOR_OTHER || !t->n)
            continue;
        float first, last;
        tensor_read(t, 0, 1, &first);
        tensor_read(t, t->n - 1, 1, &last);
        if (!safetensors_find(st, t->name))
            abort();
    }
    safetensors_free(st);
    return 0;
}
