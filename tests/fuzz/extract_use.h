// SPDX-License-Identifier: MIT
/*
 * extract_use.h — the extractor with all it can give, for fuzzing
 */
#ifndef EXTRACT_USE_H
#define EXTRACT_USE_H

#include "extract.h"

/* Loaded once, kept to the end; NULL: the vocabularies are not there. */
static inline struct extractor *extractor_of_all(void)
{
    static struct extract_cfg cfg = { .vocab_dir = "data/vocab",
                                      .has_cooccurrence = true,
                                      .emit = EMIT_BOTH,
                                      .sink = { .has_negated = true } };
    static struct extractor *extractor;
    struct err err;
    if (!extractor)
        extractor = extractor_new(&cfg, NULL, 1, &err);
    return extractor;
}

/* What it writes are records, line by line. */
static inline void check_lines(struct sv lines)
{
    struct sv line;
    while (lines.n && sv_cut(&lines, '\n', &line)) {
        struct rec r;
        struct err err;
        if (!line.n)
            continue;
        if (rec_parse(&r, line, &err) < 0)
            abort();
        rec_release(&r);
    }
}

#endif
