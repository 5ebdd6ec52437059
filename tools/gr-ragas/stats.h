// SPDX-License-Identifier: MIT
/*
 * stats.h — means with their uncertainty, and whether two systems differ
 *
 * Seeded, and the same on every machine. Sums run in the order of the values.
 */
#ifndef STATS_H
#define STATS_H

#include "gr.h"

struct interval {
    double mean, low, high; /* low and high are NaN for fewer than two values */
};

/* Mean of x and its 95 % percentile bootstrap interval (Efron & Tibshirani 1993, ch. 13) from
 * `resamples` draws of n values. NaN throughout when n is 0. O(n · resamples). */
struct interval stats_mean(const double *x, size_t n, size_t resamples, uint64_t seed);

/*
 * Two-sided p of the paired sign-flip permutation test (Fisher 1935; Smucker et al., CIKM 2007
 * for retrieval): how often random signs give a mean difference as far from zero as that of d.
 * All 2^n patterns when they are no more than `resamples`; else `resamples` random ones,
 * counted as (1 + hits) / (1 + resamples). NaN when n is 0.
 */
double stats_sign_flip(const double *d, size_t n, size_t resamples, uint64_t seed);

/* Replace p-values by Holm's (Scand. J. Stat. 6, 1979), which hold for all of them together.
 * NaN stays and does not count. O(n²). */
void stats_holm(double *p, size_t n);

#endif
