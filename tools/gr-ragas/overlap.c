// SPDX-License-Identifier: MIT
/*
 * overlap.c — n-grams of two texts counted together
 *
 * A text becomes an array of numbers, one a word (or a code point). An n-gram is the number of
 * its first n-1 words and that of its last word: 64 bits, exact, looked up in one open table
 * that counts both sides.
 */
#include "overlap.h"

#include <math.h>

#include "alloc.h"
#include "map.h"
#include "utf8.h"
#include "words.h"

struct slot {
    uint64_t key;
    uint32_t id; /* of this n-gram, from 1; 0: the slot is free */
    uint32_t count[2];
};

#define BITS_MAX ((size_t)1 << 23) /* words of lcs_length's table: 64 MB */

/* One of the two texts. */
struct side {
    uint32_t *ids;  /* (n) of the words */
    uint32_t *gram; /* (n) of the (order)-grams that start here */
    size_t n, cap;
};

struct overlap {
    struct words words;
    struct side side[2]; /* response, reference */
    struct slot *slots;
    size_t n_slots; /* a power of two, or 0 */
    uint64_t *bits; /* for the longest common subsequence */
    size_t bits_cap;
};

struct overlap *overlap_new(void)
{
    struct overlap *o = alloc_zero(1, sizeof *o);
    o->words = WORDS_INIT;
    return o;
}

void overlap_free(struct overlap *o)
{
    if (!o)
        return;
    words_release(&o->words);
    for (int i = 0; i < 2; i++) {
        free(o->side[i].ids);
        free(o->side[i].gram);
    }
    free(o->slots);
    free(o->bits);
    free(o);
}

static void side_push(struct side *s, uint32_t id)
{
    if (s->n == s->cap) {
        s->cap = alloc_grow(s->cap, s->n + 1);
        s->ids = alloc_resize(s->ids, s->cap, sizeof *s->ids);
        s->gram = alloc_resize(s->gram, s->cap, sizeof *s->gram);
    }
    s->ids[s->n++] = id;
}

/* Number the words of both texts alike; returns how many there are. */
static size_t load_words(struct overlap *o, void (*split)(struct words *, struct sv),
                         struct sv response, struct sv reference)
{
    struct map *m = map_new();
    for (int i = 0; i < 2; i++) {
        split(&o->words, i ? reference : response);
        o->side[i].n = 0;
        for (size_t k = 0; k < o->words.n; k++)
            side_push(&o->side[i], (uint32_t)map_put(m, words_at(&o->words, k), NULL));
    }
    size_t n = map_count(m);
    map_free(m);
    return n;
}

static void load_chars(struct overlap *o, struct sv response, struct sv reference)
{
    for (int i = 0; i < 2; i++) {
        struct sv s = i ? reference : response;
        o->side[i].n = 0;
        for (size_t k = 0; k < s.n;) {
            uint32_t cp = utf8_next(s, &k);
            if (!words_is_space(cp))
                side_push(&o->side[i], cp);
        }
    }
}

static void clear_slots(struct overlap *o)
{
    size_t want = 64;
    while (want < 2 * (o->side[0].n + o->side[1].n))
        want *= 2;
    if (want > o->n_slots) {
        free(o->slots);
        o->slots = alloc_array(want, sizeof *o->slots);
    }
    o->n_slots = want;
    memset(o->slots, 0, want * sizeof *o->slots);
}

static struct slot *find_slot(struct overlap *o, uint64_t key)
{
    size_t mask = o->n_slots - 1;
    uint64_t h = key * 0x9E3779B97F4A7C15U;
    for (size_t i = (size_t)(h ^ h >> 32) & mask;; i = (i + 1) & mask)
        if (!o->slots[i].id || o->slots[i].key == key)
            return &o->slots[i];
}

struct match {
    size_t n[2]; /* n-grams of response and reference */
    size_t both; /* of both, clipped */
};

/* Count the order-grams; those of order-1 were counted by the call before. */
static struct match count_order(struct overlap *o, unsigned order)
{
    struct match m = { { 0, 0 }, 0 };
    uint32_t next = 1;
    clear_slots(o);
    for (int i = 0; i < 2; i++) {
        struct side *s = &o->side[i];
        m.n[i] = s->n >= order ? s->n - order + 1 : 0;
        for (size_t k = 0; k < m.n[i]; k++) {
            uint64_t before = order == 1 ? 0 : s->gram[k];
            uint64_t key = before << 32 | s->ids[k + order - 1];
            struct slot *slot = find_slot(o, key);
            if (!slot->id)
                *slot = (struct slot){ key, next++, { 0, 0 } };
            slot->count[i]++;
            s->gram[k] = slot->id;
            if (i == 1 && slot->count[1] <= slot->count[0])
                m.both++;
        }
    }
    return m;
}

/* ---- BLEU ---- */

void overlap_bleu_add(struct overlap *o, struct sv response, struct sv reference,
                      struct bleu *b)
{
    load_words(o, words_13a, response, reference);
    b->response_len += o->side[0].n;
    b->reference_len += o->side[1].n;
    for (unsigned i = 0; i < BLEU_ORDER; i++) {
        struct match m = count_order(o, i + 1);
        b->correct[i] += m.both;
        b->total[i] += m.n[0];
    }
}

double bleu_score(const struct bleu *b, bool is_effective)
{
    double sum = 0, halvings = 1, shortness = 0;
    unsigned order = BLEU_ORDER;
    if (!b->correct[0]) /* then there are no longer ones either */
        return 0;
    for (unsigned i = 0; i < BLEU_ORDER; i++) {
        if (!b->total[i]) { /* shorter than any i-gram */
            if (!is_effective)
                return 0;
            break;
        }
        if (is_effective)
            order = i + 1;
        double share = (double)b->correct[i] / (double)b->total[i];
        if (!b->correct[i]) {
            halvings *= 2;
            share = 1 / (halvings * (double)b->total[i]);
        }
        sum += log(share);
    }
    if (b->response_len < b->reference_len)
        shortness = 1 - (double)b->reference_len / (double)b->response_len;
    return exp(shortness + sum / order);
}

/* ---- chrF ---- */

#define CHRF_ORDER 6
#define CHRF_BETA2 4.0

double overlap_chrf(struct overlap *o, struct sv response, struct sv reference)
{
    double precision = 0, recall = 0;
    unsigned n = 0;
    load_chars(o, response, reference);
    for (unsigned order = 1; order <= CHRF_ORDER; order++) {
        struct match m = count_order(o, order);
        if (!m.n[0] || !m.n[1])
            break; /* no longer ones either */
        precision += (double)m.both / (double)m.n[0];
        recall += (double)m.both / (double)m.n[1];
        n++;
    }
    if (!n || precision + recall <= 0)
        return 0;
    precision /= n;
    recall /= n;
    return (1 + CHRF_BETA2) * precision * recall / (CHRF_BETA2 * precision + recall);
}

/* ---- ROUGE, SQuAD ---- */

static struct prf prf_from(size_t both, size_t n_response, size_t n_reference)
{
    struct prf s = { 0, 0, 0 };
    if (!both)
        return s;
    s.precision = (double)both / (double)n_response;
    s.recall = (double)both / (double)n_reference;
    s.f = 2 * s.precision * s.recall / (s.precision + s.recall);
    return s;
}

struct prf overlap_rouge_n(struct overlap *o, struct sv response, struct sv reference,
                           unsigned n)
{
    struct match m = { { 0, 0 }, 0 };
    load_words(o, words_rouge, response, reference);
    for (unsigned i = 1; i <= n; i++)
        m = count_order(o, i);
    return prf_from(m.both, m.n[0], m.n[1]);
}

/* Length of the longest common subsequence, 64 words of the response at a time (Hyyrö, AWOCA
 * 2004): a zero bit in v is a step of the table's last row. */
static size_t lcs_length(struct overlap *o, size_t n_ids)
{
    const struct side *a = &o->side[0], *b = &o->side[1];
    size_t width = (a->n + 63) / 64, need = (n_ids + 1) * width, length = 0;
    if (need > o->bits_cap) {
        o->bits_cap = need;
        o->bits = alloc_resize(o->bits, need, sizeof *o->bits);
    }
    memset(o->bits, 0, need * sizeof *o->bits);
    uint64_t *v =
        o->bits + n_ids * width; /* (width); before it (n_ids, width) where words are */
    for (size_t i = 0; i < a->n; i++)
        o->bits[a->ids[i] * width + i / 64] |= (uint64_t)1 << (i % 64);
    memset(v, 0xFF, width * sizeof *v);
    for (size_t j = 0; j < b->n; j++) {
        const uint64_t *where = o->bits + b->ids[j] * width;
        uint64_t carry = 0;
        for (size_t k = 0; k < width; k++) {
            uint64_t u = v[k] & where[k], sum = v[k] + u, total = sum + carry;
            carry = (sum < u) | (total < sum);
            v[k] = total | (v[k] & ~where[k]);
        }
    }
    for (size_t i = 0; i < a->n; i++)
        length += !(v[i / 64] >> (i % 64) & 1);
    return length;
}

bool overlap_rouge_l(struct overlap *o, struct sv response, struct sv reference,
                     struct prf *out)
{
    size_t n_ids = load_words(o, words_rouge, response, reference);
    size_t n0 = o->side[0].n, n1 = o->side[1].n;
    if ((double)n0 * (double)n1 > OVERLAP_MAX_CELLS || (n0 / 64 + 1) * (n_ids + 1) > BITS_MAX)
        return false;
    *out = prf_from(n0 && n1 ? lcs_length(o, n_ids) : 0, n0, n1);
    return true;
}

struct prf overlap_tokens(struct overlap *o, struct sv response, struct sv reference)
{
    load_words(o, words_squad, response, reference);
    size_t n0 = o->side[0].n, n1 = o->side[1].n;
    if (!n0 || !n1) {
        double same = n0 == n1;
        return (struct prf){ same, same, same };
    }
    return prf_from(count_order(o, 1).both, n0, n1);
}
