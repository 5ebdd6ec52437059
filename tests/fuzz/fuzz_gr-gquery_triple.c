// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-gquery_triple.c — a line as a triple record: what the scanner takes libjq takes too,
 * and reads as the same
 */
#include "alloc.h"
#include "triple_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(struct sv a, struct sv b)
{
    if (!sv_eq(a, b))
        abort();
}

static void same_end(const struct triple_end *a, const struct triple_end *b)
{
    same(a->name, b->name);
    same(a->type, b->type);
    same(a->id, b->id);
}

static void compare(const struct triple_text *a, const struct triple_text *b)
{
    same_end(&a->head, &b->head);
    same_end(&a->tail, &b->tail);
    const struct sv x[] = { a->relation,  a->paper, a->chunk,     a->evidence,
                            a->extractor, a->unit,  a->error_kind };
    const struct sv y[] = { b->relation,  b->paper, b->chunk,     b->evidence,
                            b->extractor, b->unit,  b->error_kind };
    for (size_t i = 0; i < ARRAY_LEN(x); i++)
        same(x[i], y[i]);
    if (memcmp(&a->value, &b->value, sizeof a->value) != 0 || a->start != b->start ||
        a->end != b->end || a->confidence != b->confidence || a->has_value != b->has_value ||
        a->stance != b->stance)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct triple_text fast, slow;
    struct rec r;
    struct err err;
    char *copy = alloc(size ? size : 1); /* of exactly that size: a byte too far is seen */
    if (size)
        memcpy(copy, data, size);
    struct sv line = sv_trim((struct sv){ copy, size });
    if (triple_text_scan(&fast, line)) {
        if (rec_parse(&r, line, &err) < 0 || triple_text_read(&slow, r.v, &err) < 0)
            abort();
        compare(&fast, &slow);
        rec_release(&r);
    }
    free(copy);
    return 0;
}
