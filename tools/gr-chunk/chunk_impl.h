// SPDX-License-Identifier: MIT
/*
 * chunk_impl.h — shared by chunk.c and table.c only
 */
#ifndef CHUNK_IMPL_H
#define CHUNK_IMPL_H

#include "chunk.h"
#include "paper.h"
#include "refs.h"

/* What a chunk says of itself beside the paper's metadata. */
struct piece {
    const char *kind;     /* body, abstract, table, caption, note, back */
    struct sv section;    /* heading; empty: null */
    struct sv section_n;  /* its number as printed; empty: null */
    struct sv section_id; /* id of the part in the paper record; empty: left out */
    struct sv text;
    size_t n_tokens;
    bool is_slice; /* the offsets below mean something */
    size_t start, end, source_start, source_end;
    size_t overlap_before, overlap_after; /* shared with the chunks before and after */
    jv refs;                              /* the section's refs, borrowed; null: none */
    struct sv table;                      /* raw JSON of the `table` field; empty: none */
};

struct chunker {
    const struct chunk_cfg *cfg;
    struct clean clean;
    struct refs refs; /* of the text at hand */
    struct windows windows;
    struct terms *terms;
    struct buf meta;  /* members every chunk of the paper ends with, raw JSON */
    struct buf heads; /* scratch: a cleaned heading */
    struct buf table_text, table_json;
    struct sv paper; /* id */
    struct sv title;
    struct paper *known;           /* texts of this paper */
    uint64_t before[CLEAN_STEPS];  /* repairs before the part at hand */
    jv trace;                      /* of the paper record, borrowed */
    struct buf embed, folded, map; /* scratch */
    size_t n;                      /* chunks of this paper so far */
};

/* The next part of the paper begins: its repairs are counted from here. */
void chunker_mark(struct chunker *c);

/* Append one chunk record. */
void chunk_emit(struct chunker *c, const struct piece *p, struct buf *out);

/* Append the chunks of one table: as many rows as fit, each with caption and column heads. */
int chunk_table(struct chunker *c, jv table, struct buf *out, struct err *err);

#endif
