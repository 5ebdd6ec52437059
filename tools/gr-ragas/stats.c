// SPDX-License-Identifier: MIT
/*
 * stats.c — bootstrap, permutation test, Holm's correction
 */
#include "stats.h"

#include <math.h>

#include "alloc.h"
#include "rng.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantile q of sorted values, linear between neighbours. */
static double quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t i = (size_t)at;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

struct interval stats_mean(const double *x, size_t n, size_t resamples, uint64_t seed)
{
    struct interval out = { NAN, NAN, NAN };
    if (n)
        out.mean = mean_of(x, n);
    if (n < 2 || resamples < 2)
        return out;
    struct rng rng = { seed };
    double *means = alloc_array(resamples, sizeof *means);
    for (size_t r = 0; r < resamples; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += x[rng_below(&rng, n)];
        means[r] = sum / (double)n;
    }
    qsort(means, resamples, sizeof *means, ascending);
    out.low = quantile(means, resamples, 0.025);
    out.high = quantile(means, resamples, 0.975);
    free(means);
    return out;
}

/* Sum of d with the sign of each turned where its bit is set. */
static double flipped(const double *d, size_t n, uint64_t bits)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bits >> i & 1 ? -d[i] : d[i];
    return sum;
}

double stats_sign_flip(const double *d, size_t n, size_t resamples, uint64_t seed)
{
    double size = 0;
    if (!n)
        return NAN;
    for (size_t i = 0; i < n; i++)
        size += fabs(d[i]);
    /* Sums in another order differ in their last bits: equal means equal but for those. */
    double least = fabs(mean_of(d, n)) * (double)n - 1e-12 * size;
    size_t hits = 0;
    if (n < 64 && (uint64_t)1 << n <= resamples) {
        for (uint64_t bits = 0; bits < (uint64_t)1 << n; bits++)
            hits += fabs(flipped(d, n, bits)) >= least;
        return (double)hits / (double)((uint64_t)1 << n);
    }
    struct rng rng = { seed };
    for (size_t r = 0; r < resamples; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i += 64)
            sum += flipped(d + i, n - i < 64 ? n - i : 64, rng_u64(&rng));
        hits += fabs(sum) >= least;
    }
    return (double)(hits + 1) / (double)(resamples + 1);
}

void stats_holm(double *p, size_t n)
{
    size_t left = 0;
    double floor = 0;
    bool *done = alloc_zero(n + 1, sizeof *done);
    for (size_t i = 0; i < n; i++)
        left += isnan(p[i]) ? 0 : 1;
    for (; left; left--) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < n; i++)
            if (!done[i] && !isnan(p[i]) && (best == SIZE_MAX || p[i] < p[best]))
                best = i;
        done[best] = true;
        p[best] = fmin(1, fmax(floor, p[best] * (double)left));
        floor = p[best];
    }
    free(done);
}
