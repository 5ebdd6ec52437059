// SPDX-License-Identifier: MIT
/*
 * alloc.c — checked allocation
 */
#define _DEFAULT_SOURCE
#include "alloc.h"

#include <sys/mman.h>
#include <unistd.h>

#include "exit.h"

#ifdef GR_FAULT
static unsigned long fail_at;

void alloc_fail_at(unsigned long nth)
{
    fail_at = nth;
}

static bool fails_now(void)
{
    static bool is_read;
    if (!is_read) {
        is_read = true;
        const char *env = getenv("GR_FAULT_ALLOC");
        if (env)
            fail_at = strtoul(env, NULL, 10);
    }
    return fail_at && --fail_at == 0;
}
#else
static bool fails_now(void)
{
    return false;
}
#endif

static void (*before_end)(void);

void alloc_on_die(void (*before)(void))
{
    before_end = before;
}

void alloc_die(void *unused)
{
    (void)unused;
    if (before_end)
        before_end();
    static const char msg[] = "gr: out of memory: free some, or give the job smaller input\n";
    if (write(STDERR_FILENO, msg, sizeof msg - 1) < 0)
        _exit(EXIT_FATAL);
    _exit(EXIT_FATAL);
}

void *alloc(size_t n)
{
    void *p = fails_now() ? NULL : malloc(n ? n : 1);
    if (!p)
        alloc_die(NULL);
    return p;
}

void *alloc_array(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        alloc_die(NULL);
    return alloc(bytes);
}

void *alloc_zero(size_t n, size_t size)
{
    void *p = fails_now() ? NULL : calloc(n ? n : 1, size ? size : 1);
    if (!p)
        alloc_die(NULL);
    return p;
}

void *alloc_resize(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        alloc_die(NULL);
    void *q = fails_now() ? NULL : realloc(p, bytes ? bytes : 1);
    if (!q)
        alloc_die(NULL);
    return q;
}

char *alloc_text(const char *p, size_t n)
{
    if (n == SIZE_MAX)
        alloc_die(NULL);
    char *s = alloc(n + 1);
    if (n)
        memcpy(s, p, n);
    s[n] = '\0';
    return s;
}

void *alloc_huge(size_t n)
{
    const size_t page = (size_t)2 << 20;
    if (n > SIZE_MAX - page)
        alloc_die(NULL);
    size_t bytes = n < page ? n : (n + page - 1) / page * page;
    void *p = NULL;
    if (fails_now() || posix_memalign(&p, n < page ? 64 : page, bytes ? bytes : 64))
        alloc_die(NULL);
    if (n >= page)
        (void)madvise(p, bytes, MADV_HUGEPAGE); /* advice only: slower without, still right */
    return p;
}

size_t alloc_grow(size_t cap, size_t need)
{
    size_t next = cap < 8 ? 8 : cap;
    while (next < need) {
        if (next > SIZE_MAX / 2)
            return need;
        next += next / 2 + 1;
    }
    return next;
}
