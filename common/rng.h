// SPDX-License-Identifier: MIT
/*
 * rng.h — seeded random numbers, the same on every machine (SplitMix64, Steele et al. 2014)
 */
#ifndef GR_RNG_H
#define GR_RNG_H

#include "gr.h"

struct rng {
    uint64_t state; /* the seed to start with */
};

uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* 0 … n-1, without modulo bias; n > 0 */
double rng_unit(struct rng *r);                /* [0, 1) */

#endif
