// SPDX-License-Identifier: MIT
/*
 * isa.c — asking the processor
 */
#include "isa.h"

#include <stdatomic.h>

#include "i8_amx.h"

/* What was found, -1: nobody has asked. Two threads that ask at once find the same. */
static _Atomic int found = -1;

static enum isa look(void)
{
#if defined(__x86_64__)
    /* All processors with FMA convert half floats, too. */
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return ISA_PLAIN;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
        return i8_amx_can() ? ISA_AMX : ISA_AVX512;
    return ISA_AVX2;
#else
    return ISA_PLAIN;
#endif
}

enum isa isa_now(void)
{
    int isa = atomic_load_explicit(&found, memory_order_relaxed);
    if (isa < 0) {
        isa = (int)look();
        atomic_store_explicit(&found, isa, memory_order_relaxed);
    }
    return (enum isa)isa;
}

void isa_limit(enum isa most)
{
    enum isa best = look();
    atomic_store(&found, (int)(best < most ? best : most));
}
