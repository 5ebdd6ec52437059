// SPDX-License-Identifier: MIT
/*
 * scratch.h — what extract.c and table.c share: a worker's memory
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "abbrev.h"
#include "extract.h"
#include "memo.h"
#include "scan_memo.h"

struct scratch {
    struct entities here, meant; /* names of one sentence; what pronouns stand for */
    struct entities names, cues;
    struct entities states; /* conditions of the sentence */
    struct entities wide;   /* cues with an adverb inside */
    struct buf plain;       /* the sentence without adverbs */
    struct quantities quantities;
    struct clause clause;
    struct abbrevs abbrevs;      /* of a record that is read by itself */
    const struct abbrevs *forms; /* those to be used: of the paper */
    size_t nth, section;         /* the record's number there, and the text's in it */
    struct sink sink;
    struct buf text;              /* the text in normal form C */
    struct plain_text plain_text; /* the same without what markup and fonts leave */
    struct buf said;              /* the text as the record has it, where it had escapes */
    struct memo memo;
    struct scan_memo scans; /* names in heads and labels of tables */
    struct map *seen;       /* for one question of a table */
    struct buf conditions;  /* of the sentence being read */
    struct table_counts tables;
};

struct extractor {
    const struct extract_cfg *cfg;
    struct vocab *vocab;
    struct rules *rules;
    struct units *units;
    struct splitter *splitter;
    struct model *model; /* NULL: patterns alone */
    struct lore lore;
    struct aliases *aliases; /* NULL: none */
    struct scratch *workers; /* (n_workers) */
    unsigned n_workers;
};

/* The facts of a table {head, caption, rows, header_rows}. source: its text and where it comes
 * from; rows that stand in the text as lines of their own are the evidence. -1 with err when a
 * field has the wrong kind. */
int table_read(struct extractor *x, struct scratch *w, jv table, const struct source *source,
               struct err *err);

/* Bytes of text, the first or last ones, that a neighbour of chunk r has too: `field` has their
 * code points. given, plain: the text in normal form C, and what plain_normal made of it. */
size_t extract_shared_bytes(const struct rec *r, const char *field, struct sv given,
                            const struct plain_text *plain, bool is_end);

/* Choose the short forms for r: those of its paper, where it is number nth, or (NULL) those it
 * defines itself. scratch_learn: those of one text alone. */
void scratch_forms(struct extractor *x, struct scratch *w, const struct rec *r,
                   const struct abbrevs *forms, size_t nth);
void scratch_learn(struct extractor *x, struct scratch *w, struct sv text);

/* (Basalt, Is A, mafic volcanic rock), and so on upwards, of every name of the sentence in
 * w->clause; "porphyritic basalt" is a basalt. */
void broader_add(const struct vocab *v, struct scratch *w);

#endif
