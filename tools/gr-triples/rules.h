// SPDX-License-Identifier: MIT
/*
 * rules.h — the table of relations: which phrases stand for which fact between which types
 *
 * data/vocab/relation.tsv, and a file of the user's in the same form:
 *
 *   name<TAB>cue|cue<TAB>head=types;tail=types[;key=value…]
 *
 *   inverse   cues that stand between tail and head ("isotope of")
 *   loose     cues of everyday use ("in the"): only ends close by, less confidence
 *   silent    cues that name the relation in a question but bind nothing in a text ("decay of")
 *   vague=1   every cue is loose
 *   values=1  the tail is a number: read by the patterns of measure.c, not by cues
 *   either    cues that take their ends in both orders, as the types say ("enriched in")
 *   ahead     "cue>joint/joint": both ends may follow ("alteration of A to B")
 *   behind    cues that follow both ends ("A and B are positively correlated")
 *   fronted   cues whose other end opens the sentence ("In B, A is enriched")
 *   joined    cues that only go on ("shows high Sr and low Y")
 *   only      "cue>type": cues whose tail is of one type ("rich in>mineral")
 *   denial    cues that deny the relation ("incompatible in")
 *   near      words that bind a head of types `near_head` and a tail of types `near_tail` in
 *             the same clause, whatever else stands between
 *
 * Lists are separated by commas. Examples that are its tests:
 * data/lexicon/relation_examples.tsv.
 */
#ifndef RULES_H
#define RULES_H

#include "err.h"
#include "sv.h"
#include "vocab.h"
#include "words.h"

struct rule {
    const char *relation; /* NUL-terminated */
    struct sv head, tail; /* allowed types */
    struct sv ahead, only;
    /* lists of cues; of `ahead` and `only` what stands before the ">". NULL: none */
    struct words *inverse, *loose, *silent, *either, *behind, *fronted, *denial, *joined;
    struct words *ahead_cues, *only_cues;
    bool has_states; /* conditions may be ends */
    bool is_vague, has_values;
    struct sv near_head, near_tail;
    struct words *near; /* NULL: none */
};

struct rules; /* opaque; never changes after loading: one may serve all threads */

/* Files of cues; the later ones add to the first. vocab: whose types may stand in head and
 * tail. NULL with err (EXIT_FATAL): the file, the relation, what is wrong and what was
 * expected. The caller frees the result; vocab is only looked at here. */
struct rules *rules_load(const char *const paths[], size_t n, const struct vocab *vocab,
                         struct err *err);
void rules_free(struct rules *r); /* NULL is fine */

/* Vocabularies of cues, for vocab_scan_names; entry `e` of file `i` is rules_of(r, i, e). */
size_t rules_files(const struct rules *r);
const struct vocab *rules_cues(const struct rules *r, size_t file);
const struct rule *rules_of(const struct rules *r, size_t file, uint32_t entry);

/* The rules with `near` words, in order: *i counts from 0; NULL: no more. */
const struct rule *rules_next_near(const struct rules *r, size_t *i);

/* Nouns that stand for the name behind their "of": a file as text_list.h reads it, in lower
 * case. -1 with err (EXIT_FATAL). */
int rules_load_carriers(struct rules *r, const char *path, struct err *err);
struct words *rules_carriers(const struct rules *r);

/* Conditions ("reducing conditions"): a vocabulary of the usual form. The attribute "role"
 * makes an entry a "parameter", which only says what may vary ("pH"), or a "material" ("melt").
 * -1 with err (EXIT_FATAL). */
int rules_load_states(struct rules *r, const char *path, struct err *err);
const struct vocab *rules_states(const struct rules *r); /* NULL: none */

/* Types of tail that rule r allows the cue. */
struct sv rules_tail(const struct rule *r, struct sv cue);

/* Is `text` among the comma-separated cues, in any case? */
bool rules_lists(struct sv list, struct sv text);

#endif
