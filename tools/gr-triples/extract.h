// SPDX-License-Identifier: MIT
/*
 * extract.h — records in, facts out: which texts and tables of a record are read, and how
 *
 *   chunk   "text" (and "table" {head, caption, rows, header_rows} of kind "table"), "refs"
 *   paper   "abstract", "sections[]" {id, text, refs}, "tables[]"
 *
 * The rooms of the tool, in the order that a record goes through them (files NAME.c; the header
 * of a room says what is in it):
 *
 * - a paper: paper, abbrev, abbrev_form (short forms), notation (isotopes named before),
 *   overlap (sentences that two chunks share); scratch.h: a worker's memory
 * - a text put right, plain.h: plain, plain_glyph (fonts, encodings), plain_mark (markup)
 * - names of a text: common/vocab.h, then sample, sample_label, sample_names
 * - numbers of a text, quantity.h: quantity_scan finds them in it, quantity reads one with
 *   quantity_number, quantity_word, quantity_error, quantity_odd; quantity_lead and
 *   quantity_judge look at the words around; units_compose: units that no table has
 * - a sentence: clause (a row of items), word_class, words (lists of words); anaphora (who is
 *   meant), phrase (noun phrases), property (words of properties), deny, experiment
 * - facts of two names, relate.h: rules (the table of relations); cue, ends, more_ends, order,
 *   state (a phrase and its ends), near, compound, spoken, told, compare, origin, broader;
 *   relate and memo: what they share
 * - facts of a name and a number: measure, holder_ahead, age_row, change, paired, each,
 *   partition; thing, thing_owner, thing_verb, thing_noun, thing_worth: what no vocabulary
 * names
 * - facts of a table, table_impl.h: table, table_*
 * - facts of a chat model, model.h: model, model_reply, model_fact
 * - out: triple (filters, one line a fact), node_id
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

/* What was read of tables, and what was left; sums over all workers. */
struct table_counts {
    uint64_t tables, empty;     /* with cells; of these without a fact */
    uint64_t columns, unread;   /* of values, names, errors …; of these those that say none */
    uint64_t records, nameless; /* rows, or columns, of samples; of these without a name */
    uint64_t cells, numberless; /* with text, of both; of these without a number that fits */
};
struct table_counts extractor_tables(const struct extractor *x);

/* What a dry run of the chat model would ask for. */
struct model_dry extractor_dry(const struct extractor *x);

/* Facts of one text alone, without the chat model; for tests. text: valid UTF-8 in normal form
 * C. */
void extract_text(struct extractor *x, unsigned worker, const struct source *source,
                  struct buf *out);

#endif
