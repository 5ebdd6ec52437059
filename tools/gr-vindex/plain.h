// SPDX-License-Identifier: MIT
/*
 * plain.h — an NDJSON file of records with embeddings, searched as it is
 *
 * Opening scans the mapped file once and notes where each record and its embedding is: about 64
 * bytes and the id a record, no vectors. Vectors are decoded from the mapped file tile by tile
 * during a search, or all at once into memory when they will be needed again.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "builder.h"
#include "dense.h"
#include "err.h"
#include "file.h"
#include "gr.h"
#include "map.h"

struct plain_doc {
    struct sv line;  /* the record, with its embedding; in the mapped file */
    struct sv value; /* the raw value of `embedding`; n == 0: none */
    uint64_t number; /* line number */
};

struct plain {
    struct mapped map;
    bool is_borrowed; /* map is another's */
    const char *path; /* borrowed */
    struct map *ids;  /* id to document */
    struct plain_doc *docs;
    size_t cap;
    struct vec_kind kind;
    uint32_t *sorted, *rank, *row_doc; /* as in gri.h */
    struct dense dense;                /* rows NULL until plain_load */
    float *rows;                       /* owned */
    /* Lines that are no usable record: left out; messages "FILE:LINE: why" with LF, at most 10.
     */
    struct buf problems;
    uint64_t n_problems;
};

/*
 * Open: one scan. fields: what is text ("title,section,text"). Records are looked at for their
 * members only; a hit is parsed when it is given out. EXIT_FATAL: cannot be read, or vectors of
 * two dimensions or models.
 */
int plain_open(struct plain *p, const char *path, const char *fields, struct err *err);
/* The same of text in memory, which stays where it is until plain_close. */
int plain_open_text(struct plain *p, const char *path, struct sv text, const char *fields,
                    struct err *err);
void plain_close(struct plain *p);

/* Parse every record and decode every vector; what is wrong goes to `problems`. */
void plain_verify(struct plain *p);

/* Decode all vectors into memory: 4 · dim bytes each. */
void plain_load(struct plain *p);

#endif
