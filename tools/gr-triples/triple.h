// SPDX-License-Identifier: MIT
/*
 * triple.h — facts on their way to records: filters, duplicates, ids, JSON
 */
#ifndef TRIPLE_H
#define TRIPLE_H

#include "buf.h"
#include "gr.h"
#include "json.h"
#include "map.h"
#include "node_id.h"
#include "opts.h"
#include "plain.h"
#include "quantity.h"
#include "sv.h"
#include "units.h"

/* One end of a fact. */
struct node {
    const char *type; /* NULL: no node */
    struct sv name;   /* canonical */
    struct sv said;   /* "these lavas": what the text says for it; "": the name */
    struct sv was;    /* its name before it was merged with another; "": it was not */
};

/* Where the text being read comes from. */
struct source {
    struct sv paper, chunk, section; /* "" : not known */
    struct sv text;                  /* plain, in normal form C */
    struct sv given;                 /* as the record has it, in normal form C; n 0: as text */
    const struct plain_text *plain;  /* where the bytes of text are in it; NULL: the same */
    jv refs;                         /* array, borrowed; offsets into text where it has them */
    bool has_offsets;                /* start and end mean something */
    size_t before, after; /* bytes of text that the chunk before also has, the one after */
};

struct experiment {
    struct sv method, sample, standard, conditions; /* "": not stated */
};

struct fact {
    struct node head, tail; /* tail.type "value": tail.name is made from value and of */
    const char *relation;
    const struct quantity *value; /* NULL: none */
    struct node of;               /* what the value measures, when that is not the head */
    double confidence;            /* 0 … 1 */
    bool is_negative;             /* the text denies it */
    bool is_change;               /* value: how much the head changes, not what it is */
    bool is_general;              /* true anywhere: written once a record */
    const char *extractor;        /* "pattern", "table", "cooccurrence" */
    size_t start, end;            /* bytes of the evidence in the source's text */
    struct sv evidence;           /* used when the source has no offsets */
    struct experiment experiment;
    bool is_unsupported; /* said of the text, but not found there: written whatever its
                          * confidence, and marked */
    struct sv claim;     /* then: the evidence as it was said, when it is no span of the text */
};

struct aliases;

struct sink_cfg {
    double min_confidence;
    bool has_negated;                 /* facts denied come out too, with their polarity */
    struct opt_list types, relations; /* comma-separated items; none: all */
};

/* Collects the facts of one record. Owned by a worker. */
/* A reference of a text: where it stands (code points; NAN: nobody knows) and to what. */
struct ref {
    double at;
    struct sv target;
    size_t of;      /* number of its target: at most its own */
    size_t written; /* the last fact that target number i was written for, of reference i */
};

struct sink {
    const struct sink_cfg *cfg;
    const struct units *units;
    const struct aliases *aliases; /* names to be merged, or NULL; borrowed */
    struct source source;
    struct node_ids *ids;
    struct map *seen;    /* head, relation, tail, start: facts written already */
    struct map *targets; /* of the source's references */
    struct buf *out;
    struct buf key, head_id, tail_id, name;
    struct ref *refs; /* of the source, read at the first fact */
    size_t n_refs, cap_refs, n_all_refs;
    bool has_refs;
    size_t n_cited;     /* facts that references were looked up for */
    size_t byte, point; /* a byte offset of the text and its code points: counting goes on */
    bool has_span;      /* of the last fact: */
    size_t start, end, start_point, end_point; /* its bytes and their code points, */
    struct buf origin; /* the members "paper" … "evidence" and the value of "refs"; "": not */
    struct buf cited;  /* asked for yet */
    size_t n;          /* facts written for this record */
};

void sink_init(struct sink *s, const struct sink_cfg *cfg, const struct units *units);
void sink_release(struct sink *s);

/* A new record: forget what was seen. out: where its lines go. */
void sink_start(struct sink *s, struct buf *out);
/* A new text of that record; source is copied, what it points to is borrowed. */
void sink_source(struct sink *s, const struct source *source);

/* Write one fact unless a filter or an equal one before says no. */
void sink_add(struct sink *s, const struct fact *fact);

/* Write one entity record. */
void sink_entity(struct sink *s, const struct node *node, size_t start, size_t end);

/* Write the record of a quantity, from its leading words ("up to") on. */
void sink_quantity(struct sink *s, const struct quantity *q);

/* Code points before byte `byte` of the source's text, where something starts, or ends there,
 * counted in the text as given. */
size_t sink_start_point(struct sink *s, size_t byte);
size_t sink_end_point(struct sink *s, size_t byte);

#endif
