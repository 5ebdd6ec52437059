// SPDX-License-Identifier: MIT
/*
 * overlap.h — published scores of one text against another: BLEU, ROUGE, chrF, token F1
 *
 * Every function here gives the value of the program named, to 1e-9 or better
 * (tests/peers/ragas.py). Texts are valid UTF-8. All values are 0 … 1, where sacrebleu prints
 * 0 … 100.
 */
#ifndef OVERLAP_H
#define OVERLAP_H

#include "gr.h"
#include "sv.h"

struct overlap; /* scratch of one thread */

struct overlap *overlap_new(void);
void overlap_free(struct overlap *o); /* NULL is fine */

struct prf {
    double precision, recall, f;
};

#define BLEU_ORDER 4

/* Sufficient statistics of BLEU: those of many pairs are added up for a corpus. */
struct bleu {
    size_t correct[BLEU_ORDER], total[BLEU_ORDER];
    size_t response_len, reference_len;
};

/* Add a pair to *b. O(words). */
void overlap_bleu_add(struct overlap *o, struct sv response, struct sv reference,
                      struct bleu *b);

/*
 * BLEU (Papineni et al., ACL 2002) with tokenizer 13a and smoothing "exp" (Chen & Cherry, WMT
 * 2014, method 3). is_effective: orders longer than the response are left out, as sacrebleu's
 * sentence_bleu does; false: as its corpus_bleu.
 */
double bleu_score(const struct bleu *b, bool is_effective);

/* chrF2 (Popović, WMT 2015): character n-grams of 1 to 6 without white space, β 2, as
 * sacrebleu's sentence_chrf. O(characters). */
double overlap_chrf(struct overlap *o, struct sv response, struct sv reference);

/* ROUGE-N, n 1 … 4, and ROUGE-L (Lin, WAS 2004), as rouge-score with stemming: O(words), and
 * O(words²/64). False, *out untouched, when a text of more than OVERLAP_MAX_CELLS word pairs
 * makes ROUGE-L too dear. */
#define OVERLAP_MAX_CELLS 4e9
struct prf overlap_rouge_n(struct overlap *o, struct sv response, struct sv reference,
                           unsigned n);
bool overlap_rouge_l(struct overlap *o, struct sv response, struct sv reference,
                     struct prf *out);

/* Overlap of words as multisets, by SQuAD's evaluation script v2 (Rajpurkar et al., EMNLP
 * 2016). When one side has no words: 1 if both have none, else 0. O(words). */
struct prf overlap_tokens(struct overlap *o, struct sv response, struct sv reference);

#endif
