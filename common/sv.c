// SPDX-License-Identifier: MIT
/*
 * sv.c — string views
 */
#include "sv.h"

#include <errno.h>
#include <math.h>

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool sv_in(struct sv a, const char *const list[], size_t n)
{
    for (size_t i = 0; a.n && i < n; i++)
        if (a.p[0] == list[i][0] && sv_is(a, list[i]))
            return true;
    return false;
}

bool sv_ieq(struct sv a, struct sv b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.p[i]) != lower(b.p[i]))
            return false;
    return true;
}

int sv_cmp(struct sv a, struct sv b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

int sv_qcmp(const void *a, const void *b)
{
    return sv_cmp(*(const struct sv *)a, *(const struct sv *)b);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct sv sv_trim(struct sv s)
{
    while (s.n && is_space(s.p[0]))
        s.p++, s.n--;
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

size_t sv_find(struct sv s, struct sv needle, size_t from)
{
    if (needle.n == 0)
        return from <= s.n ? from : SIZE_MAX;
    while (from < s.n && needle.n <= s.n - from) {
        const char *at = memchr(s.p + from, needle.p[0], s.n - from - needle.n + 1);
        if (!at)
            break;
        if (memcmp(at, needle.p, needle.n) == 0)
            return (size_t)(at - s.p);
        from = (size_t)(at - s.p) + 1;
    }
    return SIZE_MAX;
}

bool sv_cut(struct sv *rest, char delim, struct sv *part)
{
    if (!rest->p)
        return false;
    const char *at = rest->n ? memchr(rest->p, delim, rest->n) : NULL;
    if (at) {
        *part = (struct sv){ rest->p, (size_t)(at - rest->p) };
        rest->n -= part->n + 1;
        rest->p = at + 1;
        return true;
    }
    *part = *rest;
    *rest = (struct sv){ NULL, 0 };
    return true;
}

bool sv_to_i64(struct sv s, int64_t *out)
{
    char tmp[32];
    if (s.n == 0 || s.n >= sizeof tmp || is_space(s.p[0]) || memchr(s.p, '\0', s.n))
        return false;
    memcpy(tmp, s.p, s.n);
    tmp[s.n] = '\0';
    char *end;
    errno = 0;
    long long v = strtoll(tmp, &end, 10);
    if (errno || *end)
        return false;
    *out = v;
    return true;
}

bool sv_to_double(struct sv s, double *out)
{
    char tmp[64];
    if (s.n == 0 || s.n >= sizeof tmp)
        return false;
    for (size_t i = 0; i < s.n; i++) /* no hex, no "inf", no "nan" */
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '+' || s.p[i] == '-' ||
              s.p[i] == '.' || s.p[i] == 'e' || s.p[i] == 'E'))
            return false;
    memcpy(tmp, s.p, s.n);
    tmp[s.n] = '\0';
    char *end;
    double v = strtod(tmp, &end);
    if (*end || !isfinite(v))
        return false;
    *out = v;
    return true;
}
