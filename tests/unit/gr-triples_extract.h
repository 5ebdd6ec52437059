// SPDX-License-Identifier: MIT
/*
 * gr-triples_extract.h — an extractor with the vocabularies of the tree, made once for a group
 * of tests
 */
#ifndef TESTS_GR_TRIPLES_EXTRACT_H
#define TESTS_GR_TRIPLES_EXTRACT_H

#include "unit/unit.h"

#include "extract.h"

static struct extractor *extractor;
static struct extract_cfg cfg = { .sink = { .min_confidence = 0.5 },
                                  .vocab_dir = "data/vocab" };

static inline int load_extractor(void **state)
{
    (void)state;
    struct err err;
    extractor = extractor_new(&cfg, NULL, 2, &err);
    if (!extractor)
        print_message("# %s\n", err.msg);
    return extractor ? 0 : -1;
}

static inline int unload_extractor(void **state)
{
    (void)state;
    extractor_free(extractor);
    return 0;
}

#endif
