// SPDX-License-Identifier: MIT
/*
 * cpu.c — CPUID, XCR0 and the system's permission
 */
#define _GNU_SOURCE /* syscall */
#include "cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct cpu cpu;

/* Does the system keep the state of tiles, and does it let this process use them? */
static bool may_use_tiles(void)
{
#ifdef SYS_arch_prctl
    const uint32_t tile_state = 3U << 17;
    const long ask_permission = 0x1023, tile_data = 18;
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & tile_state) == tile_state &&
           syscall(SYS_arch_prctl, ask_permission, tile_data) == 0;
#else
    return false;
#endif
}

/* By the bits of leaf 7 where compilers' __builtin_cpu_supports does not know the name in every
 * version; whether the system keeps the registers it does know. */
static void look(void)
{
    uint32_t a, b, c, d, a1, ignored;
    cpu.has_ssse3 = __builtin_cpu_supports("ssse3");
    cpu.has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!cpu.has_avx2 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return;
    if (!__get_cpuid_count(7, 1, &a1, &ignored, &ignored, &ignored))
        a1 = 0;
    cpu.has_avx_vnni = a1 >> 4 & 1;
    cpu.has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    if (!cpu.has_avx512)
        return;
    cpu.has_vnni = c >> 11 & 1;
    cpu.has_bf16 = a1 >> 5 & 1;
    const uint32_t amx = 1U << 22 | 1U << 24 | 1U << 25; /* bf16, tiles, int8 */
    cpu.has_amx = cpu.has_bf16 && (d & amx) == amx && may_use_tiles();
}

const struct cpu *cpu_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return &cpu;
}

#else

const struct cpu *cpu_get(void)
{
    static const struct cpu none = { 0 };
    return &none;
}

#endif
