// SPDX-License-Identifier: MIT
/*
 * cpu.h — what this processor can do, and the system lets this process use
 *
 * Asked once. On Linux the large registers of AMX are given to a process that asks for them
 * (arch_prctl, ARCH_REQ_XCOMP_PERM); that is done here, too. All false on other processors.
 */
#ifndef GR_CPU_H
#define GR_CPU_H

#include "gr.h"

struct cpu {
    bool has_ssse3;    /* shuffles of bytes */
    bool has_avx2;     /* with FMA and conversions of half floats */
    bool has_avx512;   /* F, BW, VL and DQ, and all of the above */
    bool has_vnni;     /* products of bytes: AVX512-VNNI */
    bool has_avx_vnni; /* the same in 256 bits */
    bool has_bf16;     /* AVX512-BF16 */
    bool has_amx;      /* tiles of bytes and of bfloat16 */
};

/* Never NULL; the same at every call, from any thread. */
const struct cpu *cpu_get(void);

#endif
