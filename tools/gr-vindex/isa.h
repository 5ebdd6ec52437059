// SPDX-License-Identifier: MIT
/*
 * isa.h — which instruction set the kernels of dense search use
 *
 * Every kernel has one definition in integers, or in floats with a fixed order of rounded
 * operations; the sets differ in speed and never in a bit of the result.
 */
#ifndef ISA_H
#define ISA_H

enum isa {
    ISA_PLAIN,  /* C */
    ISA_SSSE3,  /* for codes; the rest as in C */
    ISA_AVX2,   /* and F16C */
    ISA_AVX512, /* F, BW and VNNI */
    ISA_AMX,    /* and matrix registers for bytes */
};

/* The best this processor has, no better than the limit. */
enum isa isa_now(void);

/* For tests: use no better than `most` from now on. Not while others search. */
void isa_limit(enum isa most);

#endif
