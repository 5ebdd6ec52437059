// SPDX-License-Identifier: MIT
/*
 * isa.c — asking the processor
 */
#include "isa.h"

#include <stdatomic.h>

#include "cpu.h"

/* What was found, -1: nobody has asked. Two threads that ask at once find the same. */
static _Atomic int found = -1;

static enum isa look(void)
{
    const struct cpu *cpu = cpu_get();
    if (cpu->has_vnni)
        return cpu->has_amx ? ISA_AMX : ISA_AVX512;
    if (cpu->has_avx2)
        return ISA_AVX2;
    return cpu->has_ssse3 ? ISA_SSSE3 : ISA_PLAIN;
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
