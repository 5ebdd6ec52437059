// SPDX-License-Identifier: MIT
/*
 * porter.h — the Porter stemmer in the form that ROUGE scores are computed with
 *
 * Porter, "An algorithm for suffix stripping", Program 14 (1980) 130–137, with the changes of
 * NLTK's default mode (irregular forms, "ied", "y" after a consonant, "alli" first, "fulli",
 * "logi"), because the rouge-score package stems with it. libstemmer has the original only.
 */
#ifndef PORTER_H
#define PORTER_H

#include "gr.h"

/* Stem a word of ASCII letters and digits in lower case, in place. Returns the new length, at
 * most n. O(n). */
size_t porter_stem(char *word, size_t n);

#endif
