// SPDX-License-Identifier: MIT
/*
 * tfidf.h — texts as sparse vectors of weighted n-grams
 *
 * As scikit-learn's TfidfVectorizer with its defaults: raw term frequency × smoothed idf
 * ln((1+n)/(1+df))+1, vectors of Euclidean length 1; of all n-grams the max_features with the
 * highest count in the training texts are kept (ties: byte order). Words are either
 * scikit-learn's (runs of at least two word characters, lower-cased) or geochemistry's
 * (analyzer.h: 87Sr/86Sr, δ18O, U and Fe3+ are words; nothing stemmed, no stop words).
 */
#ifndef TFIDF_H
#define TFIDF_H

#include "err.h"
#include "gr.h"
#include "map.h"
#include "sv.h"

enum tfidf_words { TFIDF_GEOCHEM, TFIDF_SKLEARN };
#define TFIDF_WORDS "geochem|sklearn"

struct tfidf_cfg {
    int words;  /* enum tfidf_words */
    long ngram; /* n-grams of 1 … ngram words */
    long max_features;
};

struct tfidf {
    struct tfidf_cfg cfg;
    struct map *terms; /* n-gram → column */
    double *idf;       /* (map_count(terms)) */
};

/* One text: columns ascending, weights of length 1 (n == 0 when no known n-gram is in it). */
struct sparse {
    uint32_t *columns; /* (n) */
    double *weights;   /* (n) */
    size_t n, cap;
};

/* Scratch that cuts texts into n-grams; one for each thread. */
struct ngrams;
struct ngrams *ngrams_new(const struct tfidf_cfg *cfg, struct err *err);
void ngrams_free(struct ngrams *g);

/* Learn vocabulary and idf from n_texts texts. Columns are the kept n-grams in byte order. */
void tfidf_fit(struct tfidf *t, const struct tfidf_cfg *cfg, struct ngrams *g,
               const struct sv *texts, size_t n_texts);
void tfidf_release(struct tfidf *t);

/* The vector of one text into *out (reused; start from {0}, release with sparse_release). */
void tfidf_vector(const struct tfidf *t, struct ngrams *g, struct sv text, struct sparse *out);
void sparse_release(struct sparse *s);

#endif
