// SPDX-License-Identifier: MIT
/*
 * same.c — shingles and numbers of a text, as sorted hashes
 */
#include "same.h"

#include "alloc.h"
#include "hash.h"
#include "text.h"
#include "utf8.h"

enum { SHINGLE = 5 };

static int u64_cmp(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t sort_unique(uint64_t *v, size_t n)
{
    size_t kept = 0;
    qsort(v, n, sizeof *v, u64_cmp);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || v[i] != v[kept - 1])
            v[kept++] = v[i];
    return kept;
}

static bool has_digit(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9')
            return true;
    return false;
}

/* Is a minus sign before byte `at`? "24-34" and "A-1" have none. */
static bool has_minus(struct sv text, size_t at)
{
    static const char *const minus[] = { "-", "−", "–" };
    static const char before[] = " \n\t([=~<>,;:";
    struct sv head = sv_from_to(text, 0, at);
    for (size_t i = 0; i < ARRAY_LEN(minus); i++) {
        size_t n = strlen(minus[i]);
        if (!sv_ends(head, sv_from(minus[i])))
            continue;
        return at == n || memchr(before, text.p[at - n - 1], sizeof before - 1);
    }
    return false;
}

struct same_prints same_prints_of(struct sv text)
{
    size_t max = word_count(text), n = 0, pos = 0;
    struct same_prints p = { alloc_array(max + 1, sizeof(uint64_t)),
                             alloc_array(max + 1, sizeof(uint64_t)), 0, 0 };
    uint64_t *words = alloc_array(max + 1, sizeof *words);
    struct buf b = BUF_INIT;
    for (struct word w; word_next(text, &pos, &w);) {
        if (w.kind == WORD_PUNCT)
            continue;
        struct sv own = sv_from_to(text, w.start, w.end);
        buf_reset(&b);
        if (own.n && own.p[0] >= '0' && own.p[0] <= '9' && has_minus(text, w.start))
            buf_char(&b, '-');
        utf8_fold(&b, own);
        words[n++] = hash64(buf_view(&b));
        if (has_digit(buf_view(&b)))
            p.numbers[p.n_numbers++] = words[n - 1];
    }
    size_t width = n < SHINGLE ? n : SHINGLE;
    for (size_t i = 0; width && i + width <= n; i++) {
        struct sv bytes = { (const char *)&words[i], width * sizeof *words };
        p.shingles[p.n_shingles++] = hash64(bytes);
    }
    p.n_shingles = sort_unique(p.shingles, p.n_shingles);
    p.n_numbers = sort_unique(p.numbers, p.n_numbers);
    buf_release(&b);
    free(words);
    return p;
}

void same_prints_release(struct same_prints *p)
{
    free(p->shingles);
    free(p->numbers);
    *p = (struct same_prints){ 0 };
}

static size_t n_common(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; i < na && j < nb;) {
        n += a[i] == b[j];
        size_t step = a[i] <= b[j];
        j += b[j] <= a[i];
        i += step;
    }
    return n;
}

double same_prints_share(const struct same_prints *a, const struct same_prints *b)
{
    if (!a->n_shingles)
        return b->n_shingles ? 0 : 1;
    if (n_common(a->numbers, a->n_numbers, b->numbers, b->n_numbers) < a->n_numbers)
        return 0;
    size_t n = n_common(a->shingles, a->n_shingles, b->shingles, b->n_shingles);
    return (double)n / (double)a->n_shingles;
}

double same_share(struct sv a, struct sv b)
{
    struct same_prints pa = same_prints_of(a), pb = same_prints_of(b);
    double share = same_prints_share(&pa, &pb);
    same_prints_release(&pa);
    same_prints_release(&pb);
    return share;
}
