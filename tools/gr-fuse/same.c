// SPDX-License-Identifier: MIT
/*
 * same.c — passages that say nothing new: shingles of five folded words, and their numbers
 *
 * Broder, "On the resemblance and containment of documents" (1997). Two descriptions of samples
 * that differ in a number alone are two facts, whatever their shingles: hence the rule that a
 * text with a number of its own stays. −0.39 and +0.39 are two numbers.
 */
#include "fuse_impl.h"

#include "alloc.h"
#include "hash.h"
#include "text.h"
#include "utf8.h"

enum { SHINGLE = 5 };
#define SAME_SHARE 0.9

/* Sorted hashes without repeats. */
struct prints {
    uint64_t *shingles, *numbers;
    size_t n_shingles, n_numbers;
};

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

static struct prints prints_of(struct sv text)
{
    size_t max = word_count(text), n = 0, pos = 0;
    struct prints p = { alloc_array(max + 1, sizeof(uint64_t)),
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

static void prints_release(struct prints *p)
{
    free(p->shingles);
    free(p->numbers);
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

static double share_of(const struct prints *a, const struct prints *b)
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
    struct prints pa = prints_of(a), pb = prints_of(b);
    double share = share_of(&pa, &pb);
    prints_release(&pa);
    prints_release(&pb);
    return share;
}

/* b goes, a stays and answers for it. */
static void absorb(struct passage *a, struct passage *b)
{
    b->gone = GONE_SAME;
    a->also = alloc_resize(a->also, a->n_also + 1 + b->n_also, sizeof *a->also);
    a->also[a->n_also++] = b->id;
    for (size_t i = 0; i < b->n_also; i++)
        a->also[a->n_also++] = b->also[i];
    if (is_better(b->rank, a->rank))
        a->rank = b->rank;
    if (is_better(b->graph_rank, a->graph_rank))
        a->graph_rank = b->graph_rank;
}

void same_mark(struct fusion *u)
{
    struct prints *prints = alloc_zero(u->n_passages, sizeof *prints);
    for (size_t i = 0; i < u->n_passages; i++)
        prints[i] = prints_of(buf_view(&u->passages[i].text));
    for (size_t i = 0; i < u->n_passages; i++) {
        struct passage *a = &u->passages[i];
        for (size_t j = i + 1; j < u->n_passages && a->gone == GONE_NOT; j++) {
            struct passage *b = &u->passages[j];
            if (b->gone != GONE_NOT)
                continue;
            if (share_of(&prints[j], &prints[i]) >= SAME_SHARE)
                absorb(a, b);
            else if (share_of(&prints[i], &prints[j]) >= SAME_SHARE)
                absorb(b, a);
        }
    }
    for (size_t i = 0; i < u->n_passages; i++)
        prints_release(&prints[i]);
    free(prints);
}
