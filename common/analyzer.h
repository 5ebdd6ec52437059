// SPDX-License-Identifier: MIT
/*
 * analyzer.h — from text to the normalised terms of sparse search, for documents and queries
 *
 * A term is a word, case-folded, stemmed (Snowball English) and not a stop word; or a number
 * with its decimals ("0.7092"); or the key of chemical notation (chem.h), never stemmed. Use
 * the same analyser for the documents and for the queries.
 *
 *   text                       terms ("+": at the same position as the one before)
 *   dissolved basalts          dissolv  basalt
 *   δ¹⁸O, d18O, "δ 18 O"       δ18o +18o
 *   ⁸⁷Sr/⁸⁶Sr, "87 Sr/ 86 Sr"  87sr/86sr +87sr +86sr
 *   U-Pb, U–Pb                 u-pb +u +pb
 *   LA-ICP-MS                  la +la-icp-ms  icp  ms
 *   trace-element              trace +trace-element  element
 *   SiO₂, "SiO 2"              sio2
 *   Fe³⁺, Fe(III)              fe3+
 *   Co, CO                     co        =CO  (chem_key says which keep their case)
 *   10⁻³, 10^{-3}              10-3
 *   wt.%, "wt. %"              wt%
 */
#ifndef GR_ANALYZER_H
#define GR_ANALYZER_H

#include "err.h"
#include "gr.h"
#include "lemma.h"
#include "sv.h"

struct analyzer_options {
    bool no_stem; /* keep words as they are (folded) */
    bool no_stop; /* keep stop words */
    bool no_chem; /* no chemical notation: letters and digits only, for plain corpora */
    const struct lemmas *lemmas; /* not NULL: dictionary forms instead of stems; borrowed */
    bool no_same; /* give no second terms at a position: only what n-grams need */
};

struct analyzer; /* opaque; never changes after analyzer_new: one may serve all threads */

/*
 * stop_path: a file of stop words, UTF-8, one a line, "#" starts a comment line; NULL: the
 * short built-in list of function words. options: NULL means all on. Both are copied. NULL with
 * err filled (EXIT_FATAL) when the file cannot be read or is not UTF-8. The caller frees the
 * analyser after every `struct terms` made from it.
 */
struct analyzer *analyzer_new(const char *stop_path, const struct analyzer_options *options,
                              struct err *err);
void analyzer_free(struct analyzer *a); /* NULL is fine */

/* A line that names what decides the terms ("english/stem/stop:1f0c…/chem:1"): indexes store
 * it, to refuse a query analysed in another way. Lives as long as the analyser. */
const char *analyzer_name(const struct analyzer *a);

enum term_kind {
    TERM_WORD,   /* a word, folded and stemmed */
    TERM_NUMBER, /* digits, with decimals, exponent or grouping */
    TERM_CHEM,   /* chemical notation, or a part of it */
};

struct term {
    struct sv text; /* NUL-terminated; valid until the next call with the same `struct terms` */
    size_t start, end; /* where it came from: bytes [start, end) of the text */
    enum term_kind kind;
    bool same; /* a second reading at the position of the term before (a part of a ratio, the
                * whole of a hyphenated word): index it, but do not count it in the length of a
                * document, nor in n-grams. The first term at a position has it false. */
};

struct terms; /* scratch of one thread: stemmer, buffers, cache of stems (about 400 KB) */

struct terms *terms_new(const struct analyzer *a);
void terms_free(struct terms *t); /* NULL is fine */

/* Begin a text: valid UTF-8, borrowed until the last terms_next. Forgets any text before it. */
void terms_start(struct terms *t, struct sv text);

/* The next term; false at the end. Terms come in order of their position; `start` never
 * decreases between terms with same == false. O(n) for the whole text. */
bool terms_next(struct terms *t, struct term *out);

#endif
