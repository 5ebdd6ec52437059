// SPDX-License-Identifier: MIT
/*
 * gr-triples.h — units and vocabularies, loaded once for a group of tests
 */
#ifndef TESTS_GR_TRIPLES_H
#define TESTS_GR_TRIPLES_H

#include "unit/unit.h"

#include "units.h"
#include "vocab.h"

static struct units *units;
static struct vocab *vocab;

static inline int load_words(void **state)
{
    (void)state;
    struct err err;
    units = units_load("data/vocab/unit.tsv", &err);
    vocab = vocab_load("data/vocab", &err);
    return units && vocab ? 0 : -1;
}

static inline int unload_words(void **state)
{
    (void)state;
    units_free(units);
    vocab_free(vocab);
    return 0;
}

#endif
