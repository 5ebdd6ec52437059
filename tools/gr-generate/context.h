// SPDX-License-Identifier: MIT
/*
 * context.h — what an answer may be made of: sources, their texts, and the sentences of those
 *
 * Read from the fields `context` and `sources` of gr-fuse. Passage i belongs to the source
 * whose `vector` is that key, or, where sources have no such member, to source i+1; a fact
 * belongs to the first source that lists its key in `graph`. Records without `sources` get
 * some: passages from 1, then facts.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "json.h"
#include "sentence.h"

/* A chunk in a passage merged from several: code points [start, end) of the passage. */
struct source_part {
    struct sv chunk;
    size_t start, end;
};

struct source {
    size_t n;                                    /* its number in the record, from 1 */
    struct sv paper, chunk, doi, title, section; /* empty: not known */
    struct sv authors;                           /* as they are cited: "Hart & Blusztajn" */
    double year;                                 /* NaN: not known */
    struct source_part *parts;                   /* (n_parts), may be none */
    size_t n_parts;
};

enum entry_kind {
    ENTRY_PASSAGE,
    ENTRY_FACT,
    ENTRY_EVIDENCE, /* a sentence a fact was read in: to check against, not to answer with */
};

#define NO_SOURCE SIZE_MAX

struct entry {
    enum entry_kind kind;
    char key[24];   /* in its context object; "" for evidence */
    struct sv text; /* borrowed from the record */
    struct buf say; /* facts: the same as a sentence, "X contains Y." */
    size_t source;  /* index into sources, or NO_SOURCE */
};

/* A sentence, or a fact: bytes [from, to) of an entry's text. */
struct piece {
    size_t entry, from, to;
};

struct context {
    struct source *sources;
    size_t n_sources;
    struct entry *entries; /* passages in their order, then facts, then evidence */
    size_t n_entries, entries_cap;
    struct piece *pieces; /* in the order of entries and texts */
    size_t n_pieces;
};

/* -1 with err (EXIT_REJECTED) when `context` is missing or a field has a wrong form. Views are
 * valid as long as r is. Call context_release in either case. */
int context_read(struct context *c, const struct rec *r, const struct splitter *s,
                 struct err *err);
void context_release(struct context *c);

/* The text a piece shows to a reader: its sentence, or what its fact says. Valid like c. */
struct sv piece_text(const struct context *c, const struct piece *p);

/* Append the sentence for a fact. relation: "HAS_AGE", "contains", "locatedIn", "Part Of" give
 * "has age", "contains", "is located in", "is part of". */
void fact_say(struct buf *out, struct sv head, struct sv relation, struct sv tail);

#endif
