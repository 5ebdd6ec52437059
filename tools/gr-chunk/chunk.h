// SPDX-License-Identifier: MIT
/*
 * chunk.h — paper records to chunk records
 *
 * Order of chunks: abstract, sections, tables, figure captions, footnotes, and back matter when
 * asked for. Each chunk of text is an exact slice of the cleaned text of its part: code points
 * [start, end); source_start and source_end are the same range in the text as it came (NFC).
 */
#ifndef CHUNK_H
#define CHUNK_H

#include "analyzer.h"
#include "clean.h"
#include "json.h"
#include "window.h"

/* Lines before the text in `embed_text`. */
enum { PREFIX_TITLE = 1, PREFIX_SECTION = 2 };

struct chunk_cfg {
    struct window_cfg window;
    unsigned clean;                  /* CLEAN_ bits */
    const struct analyzer *analyzer; /* NULL: no `terms` field */
    const struct vocab *vocab;       /* names that torn words may be; NULL: none */
    unsigned prefix; /* PREFIX_ bits: what `embed_text` begins with; 0: no field */
    bool has_trace;  /* repairs of each chunk's part in `trace` */
    bool has_folded; /* `folded`, the search form */
    bool has_back;   /* chunks of acknowledgement, funding, availability, annex */
    bool no_tables, no_captions;
};

/* Per-thread scratch. */
struct chunker;
struct chunker *chunker_new(const struct chunk_cfg *cfg); /* cfg is borrowed */
void chunker_free(struct chunker *c);

/* Repairs made so far by this scratch, one count per step of clean.h. */
const uint64_t *chunker_repairs(const struct chunker *c);

/*
 * Append the chunk records of one paper as lines. A record without sections but with `text` is
 * a paper of one section. Returns 0; 1 when there is nothing to chunk; -1 with err
 * (EXIT_REJECTED) when `id` is missing or a field has the wrong kind. Members of the paper that
 * gr-records(5) does not name are copied to every chunk.
 */
int chunk_paper(struct chunker *c, const struct rec *paper, struct buf *out, struct err *err);

#endif
