// SPDX-License-Identifier: MIT
/*
 * fold.h — triple records gathered in memory, to be folded into a graph
 *
 * A graph is a pure function of the set of its triple records: the order in which they came,
 * and a record that came twice, make no difference. Adding to a graph or dropping a paper is
 * folding again what the file keeps of each record, so it costs no extraction.
 *
 * Memory: the bytes of the records, each distinct string once, and about 100 bytes a triple.
 */
#ifndef FOLD_H
#define FOLD_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"
#include "json.h"
#include "map.h"

/* One end of a triple. All are ordinals of fold.strings; 0 is "". */
struct fold_end {
    uint32_t name, type, key, id; /* id 0: none was given */
};

struct fold_triple {
    size_t raw, raw_n; /* the record: bytes of fold.raw */
    struct fold_end head, tail;
    uint32_t relation, paper, chunk, evidence, extractor;
    uint32_t start, end;
    uint32_t value_key;     /* canonical text of the value, "" for none */
    struct grg_value value; /* flags 0: none; its strings are ordinals */
    float confidence;
};

struct fold {
    struct map *strings;
    struct buf raw;
    struct fold_triple *triples;
    size_t n, cap;
};

void fold_init(struct fold *f);
void fold_release(struct fold *f);

/*
 * Take one triple record. EXIT_REJECTED when a field is missing or of a wrong kind:
 *   head, tail   object with `name` (and `type`, `id`), or a string; the type is "entity" when
 *                none is given, "value" for a tail with a value
 *   relation     string                      confidence  0 … 1, default 1
 *   value        object: number, high, unit, error, error_kind
 *   paper chunk evidence extractor start end
 * Nothing is kept of a rejected record. EXIT_FATAL past 4 GiB of records.
 */
int fold_add(struct fold *f, const struct rec *r, struct err *err);

/* Take what a graph keeps, but for the papers that are keys of `without` (NULL: all). *dropped
 * counts the triples left out. EXIT_FATAL when the graph is damaged. */
int fold_add_graph(struct fold *f, const struct grg *g, const struct map *without,
                   size_t *dropped, struct err *err);

/* Sort by record bytes and remove what came twice; returns how many did. */
size_t fold_unique(struct fold *f);

/* The record of a triple. */
struct sv fold_raw(const struct fold *f, const struct fold_triple *t);

/* Append the key under which an entity of this type and name is one node: text_key, singular;
 * the symbol's for the name of an element. */
void fold_key(struct sv type, struct sv name, struct buf *key);

#endif
