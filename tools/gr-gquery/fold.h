// SPDX-License-Identifier: MIT
/*
 * fold.h — triple records gathered in memory, to be folded into a graph
 *
 * A graph is a pure function of the set of its triple records: the order in which they came,
 * and a record that came twice, make no difference. Adding to a graph or dropping a paper is
 * folding again what the file keeps of each record, so it costs no extraction.
 *
 * Memory: the bytes of the records, each distinct string once, and about 75 bytes a triple
 * (until it is built).
 */
#ifndef FOLD_H
#define FOLD_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"
#include "json.h"
#include "map.h"
#include "triple_text.h"

/* A thing as some records name it: each different one is kept once. All are ordinals of
 * fold.strings; 0 is "". */
struct fold_mention {
    uint32_t name, type, key, id; /* id 0: none was given */
};

struct fold_triple {
    uint64_t raw;         /* the record: bytes of fold.raw from here on, raw_n of them */
    uint32_t raw_n, hash; /* hash: of the record, its low half */
    uint32_t head, tail;  /* mentions */
    uint32_t relation, paper, chunk, evidence, extractor; /* strings */
    uint32_t start, end;
    uint32_t value; /* place in fold.values, GRG_NONE: none */
    float confidence;
    uint8_t stance;
};

struct fold_value {
    struct grg_value value; /* its strings are ordinals */
    uint32_t key;           /* string: canonical text of the value */
};

struct fold {
    struct map *strings;
    char *raw; /* (raw_len) one record after the other */
    size_t raw_len, raw_cap;
    struct fold_triple *triples; /* (n) all different */
    size_t n, cap, repeated;
    uint32_t *slots; /* (n_slots) hash table of triples: number + 1, 0: free */
    size_t n_slots;
    struct fold_value *values;
    size_t n_values, values_cap;
    struct fold_mention *mentions;
    size_t n_mentions, mentions_cap;
    struct map *mention_map; /* (name, type, id) to its mention */
    uint32_t *last_mention;  /* (strings) of this name, + 1; 0: none yet */
    size_t last_cap;
    uint32_t recent[8]; /* strings that come again and again: types, relations, papers */
};

void fold_init(struct fold *f);
void fold_release(struct fold *f);

/* Take one triple record, as triple_text.h reads it. EXIT_REJECTED: nothing is kept of it.
 * EXIT_FATAL: more than 2^31 triples or strings. */
int fold_add(struct fold *f, const struct rec *r, struct err *err);

/* The same from the bytes, without white space around them: 1 taken, 0 not plain, fold_add has
 * to look, -1 EXIT_FATAL. */
int fold_scan(struct fold *f, struct sv line, struct err *err);

/* Take what a graph keeps, but for the papers that are keys of `without` (NULL: all). *dropped
 * counts the triples left out. EXIT_FATAL when the graph is damaged. */
int fold_add_graph(struct fold *f, const struct grg *g, const struct map *without,
                   size_t *dropped, struct err *err);

/* No more will be added: let go of what finds repeated records. */
void fold_close(struct fold *f);

/* The record of a triple. */
struct sv fold_raw(const struct fold *f, const struct fold_triple *t);

/* String of the canonical text of a triple's value, 0 ("") for none. */
uint32_t fold_value_key(const struct fold *f, const struct fold_triple *t);

/* Append the key under which an entity of this type and name is one node: text_key, singular;
 * the symbol's for the name of an element. */
void fold_key(struct sv type, struct sv name, struct buf *key);

#endif
