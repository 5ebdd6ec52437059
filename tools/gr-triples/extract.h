// SPDX-License-Identifier: MIT
/*
 * extract.h — records in, facts out: which texts and tables of a record are read, and how
 *
 *   chunk   "text" (and "table" {head, caption, rows, header_rows} of kind "table"), "refs"
 *   paper   "abstract", "sections[]" {id, text, refs}, "tables[]"
 */
#ifndef EXTRACT_H
#define EXTRACT_H

#include "abbrev.h"
#include "err.h"
#include "json.h"
#include "model.h"
#include "relate.h"
#include "sentence.h"
#include "triple.h"

enum extract_emit { EMIT_TRIPLES, EMIT_ENTITIES, EMIT_BOTH };

struct extract_cfg {
    struct sink_cfg sink;
    const char *vocab_dir;       /* NULL: the installed vocabularies */
    struct opt_list vocab_files; /* TYPE.tsv, added to the folder in this order */
    const char *relations_file;  /* more relations, or NULL */
    const char *aliases_file;    /* names to be merged, or NULL */
    int emit;                    /* enum extract_emit */
    bool has_cooccurrence, no_tables, no_patterns;
    bool has_overlaps;      /* also sentences that the chunk before or after has whole */
    bool has_broader;       /* also what the vocabularies say a name is a kind of */
    struct model_cfg model; /* facts read by a chat model as well */
    long max_sentences;     /* of a text, 0: all */
};

struct extractor; /* const once made, but for the workers' scratch */

/* Load vocabularies; n_workers: how many threads will call extract_record. cfg is borrowed.
 * NULL with err (EXIT_FATAL). */
struct extractor *extractor_new(const struct extract_cfg *cfg, const char *data_dir,
                                unsigned n_workers, struct err *err);
void extractor_free(struct extractor *x); /* NULL is fine */

/* Learn the short forms that a record's texts define, and count it. What cannot be read is
 * passed over. Thread-safe for different lists. */
void extract_learn(const struct extractor *x, const struct rec *r, struct abbrevs *list);

/* Append the facts of one record to out as lines. forms: those of its paper, sorted, of which
 * it was record number nth; NULL: its own are learnt. -1 with err (EXIT_REJECTED) when the
 * record has nothing to read or a field has the wrong kind. Thread-safe for different workers.
 */
int extract_record(struct extractor *x, unsigned worker, const struct rec *r,
                   const struct abbrevs *forms, size_t nth, struct buf *out, struct err *err);

/* Append the names of all relations, or types of entities, separated by ", ". */
void extractor_relations(const struct extractor *x, struct buf *list);
void extractor_types(const struct extractor *x, struct buf *list);

/* What a dry run of the chat model would ask for. */
struct model_dry extractor_dry(const struct extractor *x);

/* Facts of one text alone, without the chat model; for tests. text: valid UTF-8 in normal form
 * C. */
void extract_text(struct extractor *x, unsigned worker, const struct source *source,
                  struct buf *out);

#endif
