// SPDX-License-Identifier: MIT
/*
 * extract.c — scoring, choosing and ordering sentences
 */
#include "extract.h"

#include "alloc.h"
#include "chem.h"
#include "cite.h"
#include "hash.h"
#include "scan.h"
#include "text.h"
#include "utf8.h"

/* Parts of a score; found on questions about the example papers and rounded. */
#define PART_ENTRY 0.15     /* coverage of the passage around */
#define PART_NEAR 0.3       /* of the question's terms in the sentence before, the next half */
#define PART_FIT 0.45       /* what is wanted is there */
#define PART_RANK 0.05      /* the first passage over the last */
#define PART_FACT 0.8       /* a fact's sentence is stiff: only when it is better */
#define PART_FRAGMENT 0.6   /* cut by a window's edge */
#define PART_ROW 0.8        /* a row of a table */
#define PART_LEANING 0.85   /* "This", "It", "However" at the start */
#define MMR_NEW 0.6         /* question terms not yet covered */
#define MMR_LIKE 0.5        /* likeness to a chosen sentence */
#define WORTH_SHARE 0.55    /* of the first choice: less is not worth saying */
#define FACT_SHARE 0.7      /* the same for explicit_fact */
#define COVER_SHARE 0.35    /* of the first choice's coverage */
#define NEW_FOR_SECOND 0.12 /* what a second sentence must add for explicit_fact */
enum { LONG_WORDS = 30 };   /* what goes beyond dilutes: score × 90 / (60 + words) */
enum { MAX_WORDS = 110, MIN_WORDS = 4, FACT_SENTENCES = 2, OTHER_SENTENCES = 4 };

struct cand {
    const struct piece *piece;
    uint64_t *words; /* (n_words) hashes of its different terms, sorted */
    size_t n_words;
    unsigned char has[QUESTION_TERMS / 8]; /* the question's terms in it, as bits */
    double coverage, score;
    bool is_chosen;
};

static bool has_term(const struct cand *k, size_t i)
{
    return k->has[i / 8] >> (i % 8) & 1;
}

static int u64_cmp(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* ---- features ---- */

static void read_words(struct cand *k, struct sv text, const struct question *q,
                       struct terms *t)
{
    size_t cap = 0, n = 0;
    terms_start(t, text);
    for (struct term term; terms_next(t, &term); n++) {
        size_t ord = map_get(q->terms, term.text);
        if (ord != MAP_NONE)
            k->has[ord / 8] = (unsigned char)(k->has[ord / 8] | 1u << (ord % 8));
        if (n == cap) {
            cap = alloc_grow(cap, n + 1);
            k->words = alloc_resize(k->words, cap, sizeof *k->words);
        }
        k->words[n] = hash64(term.text);
    }
    if (n)
        qsort(k->words, n, sizeof *k->words, u64_cmp);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || k->words[i] != k->words[k->n_words - 1])
            k->words[k->n_words++] = k->words[i];
}

static double weight_of(const struct question *q, const unsigned char *has, size_t from,
                        size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        if (has[i / 8] >> (i % 8) & 1)
            sum += q->weight[i];
    return sum;
}

static double share_of(const struct question *q, double weight)
{
    return q->total > 0 ? weight / q->total : 0;
}

/* "Sample: GX-01; U (µg/g): 2.1; …" as gr-chunk writes rows. */
static bool is_row(struct sv text)
{
    size_t colon = sv_find(text, SV(": "), 0);
    return colon != SIZE_MAX && sv_find(text, SV("; "), colon) != SIZE_MAX &&
           text.p[text.n - 1] != '.';
}

/* Cut at its start or its end. */
static bool is_fragment(struct sv text)
{
    bool has_end = text.n && strchr(".!?)]\"", text.p[text.n - 1]);
    return scan_is_lower(scan_byte(text, 0)) || !has_end;
}

static bool is_leaning(struct sv text)
{
    static const char *const starts[] = { "This ", "These ",   "It ",       "They ",
                                          "Such ", "However",  "Therefore", "Thus",
                                          "Hence", "Its ",     "Their ",    "In contrast",
                                          "Both ", "Moreover", "But ",      "The same",
                                          "That ", "Those ",   "Conversely" };
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (sv_starts(text, sv_from(starts[i])))
            return true;
    return false;
}

/* Words of three letters and more: a formula has hardly any. */
static size_t n_plain_words(struct sv text)
{
    size_t n = 0, run = 0;
    for (size_t i = 0; i <= text.n; i++) {
        unsigned char c = scan_byte(text, i);
        if (scan_is_lower(c) || scan_is_upper(c) || c >= 0x80) {
            run++;
            continue;
        }
        n += run >= 3;
        run = 0;
    }
    return n;
}

static bool is_equation(struct sv text, size_t n_words)
{
    return sv_find(text, SV("="), 0) != SIZE_MAX && n_plain_words(text) * 4 < n_words;
}

/* "lithium Has Isotope δ7Li" tells what the notation tells already: no answer, except to a
 * question about isotopes. */
static bool is_notation(const struct entry *e, const struct question *q)
{
    return e->kind == ENTRY_FACT && sv_find(e->text, SV(" Has Isotope "), 0) != SIZE_MAX &&
           map_get(q->terms, SV("isotop")) == MAP_NONE;
}

/* "uranium Has Value 3.2 ppb": the value of something that the fact does not name. It answers
 * a question that names nothing else, and is misleading for any other. */
static bool is_of_nothing(const struct entry *e)
{
    size_t at = sv_find(e->text, SV(" Has Value "), 0);
    struct chem c;
    if (e->kind != ENTRY_FACT || at == SIZE_MAX)
        return false;
    struct sv head = sv_from_to(e->text, 0, at);
    return chem_name(head) || (chem_match(head, 0, &c) && c.end == head.n);
}

static bool may_speak(const struct context *c, const struct question *q, const struct piece *p)
{
    const struct entry *e = &c->entries[p->entry];
    struct sv text = piece_text(c, p);
    size_t n = word_count(text);
    if (e->kind == ENTRY_EVIDENCE || e->source == NO_SOURCE || is_notation(e, q))
        return false;
    return e->kind == ENTRY_FACT || (n >= MIN_WORDS && n <= MAX_WORDS &&
                                     n_plain_words(text) >= 2 && !is_equation(text, n));
}

/* What surrounds a sentence. */
struct around {
    double entry; /* coverage by its whole entry */
    double near;  /* what the sentences before and after cover and it does not */
};

static void score(struct cand *k, const struct context *c, const struct question *q,
                  struct around around, struct terms *t)
{
    const struct entry *e = &c->entries[k->piece->entry];
    struct sv text = piece_text(c, k->piece);
    double more = weight_of(q, k->has, q->n_own, map_count(q->terms));
    size_t n = word_count(text);
    k->score = k->coverage + PART_NEAR * around.near + PART_ENTRY * around.entry +
               PART_RANK / (1 + (double)k->piece->entry) + share_of(q, more);
    /* What is wanted counts as far as the sentence is about the question at all. */
    double about = 2 * (k->coverage + around.near / 2);
    k->score += PART_FIT * question_fit(q, text, t) * (about < 1 ? about : 1);
    if (e->kind == ENTRY_FACT)
        k->score *= PART_FACT;
    else if (is_row(text))
        k->score *= PART_ROW;
    else if (is_fragment(text))
        k->score *= PART_FRAGMENT;
    if (is_leaning(text))
        k->score *= PART_LEANING;
    if (n > LONG_WORDS)
        k->score *= (60.0 + LONG_WORDS) / (60.0 + (double)n);
    if (k->coverage <= 0 || (k->coverage < 0.99 && is_of_nothing(e)))
        k->score = 0;
}

/* Terms of the sentence before it, and half of those of the one after it, that it lacks. */
static double near_of(const struct cand *list, size_t i, size_t n, const struct question *q)
{
    double sum = 0;
    const struct cand *k = &list[i];
    const struct cand *before = i > 0 ? &list[i - 1] : NULL,
                      *after = i + 1 < n ? &list[i + 1] : NULL;
    if (before && before->piece->entry != k->piece->entry)
        before = NULL;
    if (after && after->piece->entry != k->piece->entry)
        after = NULL;
    for (size_t b = 0; b < q->n_own; b++) {
        if (has_term(k, b))
            continue;
        if (before && has_term(before, b))
            sum += q->weight[b];
        else if (after && has_term(after, b))
            sum += q->weight[b] / 2;
    }
    return share_of(q, sum);
}

/* Coverage, less the fewer terms it rests on: one word in common is weak evidence. */
static double support_of(const struct question *q, const unsigned char *has)
{
    size_t n = 0;
    for (size_t i = 0; i < q->n_own; i++)
        n += has[i / 8] >> (i % 8) & 1;
    return share_of(q, weight_of(q, has, 0, q->n_own)) * (double)n / (double)(n + 1);
}

/* Candidates with their scores. *support: the best by one entry. */
static struct cand *candidates(const struct context *c, const struct question *q,
                               struct terms *t, double *support)
{
    size_t n = c->n_pieces;
    struct cand *list = alloc_zero(n, sizeof *list);
    unsigned char(*in_entry)[QUESTION_TERMS / 8] = alloc_zero(c->n_entries, sizeof *in_entry);
    *support = 0;
    for (size_t i = 0; i < n; i++) {
        size_t e = c->pieces[i].entry;
        list[i].piece = &c->pieces[i];
        read_words(&list[i], piece_text(c, &c->pieces[i]), q, t);
        list[i].coverage = share_of(q, weight_of(q, list[i].has, 0, q->n_own));
        for (size_t b = 0; b < sizeof in_entry[e]; b++)
            in_entry[e][b] |= list[i].has[b];
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned char *entry = in_entry[c->pieces[i].entry];
        if (!may_speak(c, q, &c->pieces[i]))
            continue;
        struct around around = { share_of(q, weight_of(q, entry, 0, q->n_own)),
                                 near_of(list, i, n, q) };
        score(&list[i], c, q, around, t);
        double s = support_of(q, entry);
        *support = s > *support ? s : *support;
    }
    free(in_entry);
    return list;
}

/* ---- choice ---- */

/* Shared words ÷ words of the shorter. */
static double likeness(const struct cand *a, const struct cand *b)
{
    size_t shared = 0, least = a->n_words < b->n_words ? a->n_words : b->n_words;
    for (size_t i = 0, j = 0; i < a->n_words && j < b->n_words;) {
        shared += a->words[i] == b->words[j];
        size_t step = a->words[i] <= b->words[j];
        j += b->words[j] <= a->words[i];
        i += step;
    }
    return least ? (double)shared / (double)least : 1;
}

struct choice {
    unsigned char covered[QUESTION_TERMS / 8];
    size_t chosen[EXTRACT_MAX_SENTENCES];
    size_t n;
};

static double news_of(const struct cand *k, const struct question *q, const struct choice *ch)
{
    double sum = 0;
    for (size_t i = 0; i < q->n_own; i++)
        if (has_term(k, i) && !(ch->covered[i / 8] >> (i % 8) & 1))
            sum += q->weight[i];
    return share_of(q, sum);
}

/* The next best, or n when nothing is worth it. */
static size_t pick(const struct cand *list, size_t n, const struct question *q,
                   const struct choice *ch, double first)
{
    size_t best = n;
    double best_worth = 0;
    for (size_t i = 0; i < n; i++) {
        const struct cand *k = &list[i];
        if (k->is_chosen || k->score <= 0 ||
            k->score < (q->is_fact ? FACT_SHARE : WORTH_SHARE) * first ||
            (ch->n && k->coverage < COVER_SHARE * list[ch->chosen[0]].coverage))
            continue;
        double like = 0, news = news_of(k, q, ch);
        for (size_t j = 0; j < ch->n; j++) {
            double l = likeness(k, &list[ch->chosen[j]]);
            like = l > like ? l : like;
        }
        if (like > 0.8 || (q->is_fact && ch->n && news < NEW_FOR_SECOND))
            continue;
        double worth = k->score + (ch->n ? MMR_NEW * news - MMR_LIKE * like : 0);
        if (best == n || worth > best_worth) {
            best = i;
            best_worth = worth;
        }
    }
    return best;
}

/* The passage of the best sentence first, then passages and sentences in their order. Plain
 * facts stay as chosen: the best first. */
static void put_in_order(struct choice *ch, const struct cand *list)
{
    if (!ch->n)
        return;
    size_t lead = list[ch->chosen[0]].piece->entry;
    for (size_t i = 1; i < ch->n; i++) {
        size_t x = ch->chosen[i], j = i;
        bool x_leads = list[x].piece->entry == lead;
        for (; j > 0; j--) {
            size_t y = ch->chosen[j - 1];
            bool y_leads = list[y].piece->entry == lead;
            if (x_leads == y_leads ? y < x : y_leads)
                break;
            ch->chosen[j] = y;
        }
        ch->chosen[j] = x;
    }
}

static void choose(struct choice *ch, struct cand *list, size_t n, const struct question *q,
                   size_t max)
{
    double first = 0;
    while (ch->n < max) {
        size_t i = pick(list, n, q, ch, first);
        if (i == n)
            break;
        if (ch->n == 0)
            first = list[i].score;
        list[i].is_chosen = true;
        ch->chosen[ch->n++] = i;
        for (size_t b = 0; b < sizeof ch->covered; b++)
            ch->covered[b] |= list[i].has[b];
    }
    if (!q->is_fact)
        put_in_order(ch, list);
}

/* ---- the answer ---- */

static void say(struct buf *out, const struct context *c, const struct piece *p)
{
    if (out->len)
        buf_char(out, ' ');
    size_t at = out->len;
    cite_strip(out, piece_text(c, p));
    struct sv said = sv_from_to(buf_view(out), at, out->len);
    if (said.n && !strchr(".!?", said.p[said.n - 1]) && !sv_ends(said, SV(".)")))
        buf_char(out, '.');
    buf_printf(out, " [%zu]", c->sources[c->entries[p->entry].source].n);
}

void extract_answer(struct buf *response, struct extract_result *result,
                    const struct extract_cfg *cfg, const struct context *c,
                    const struct question *q, struct terms *t)
{
    struct choice ch = { .n = 0 };
    struct cand *list = candidates(c, q, t, &result->support);
    size_t max = q->is_fact ? FACT_SENTENCES : OTHER_SENTENCES;
    double best = 0;
    if (q->is_foreign)
        result->support = 0; /* whatever else is alike: the half-life of 238U is not asked */
    if (cfg->max_sentences > 0)
        max = (size_t)cfg->max_sentences;
    if (max > EXTRACT_MAX_SENTENCES)
        max = EXTRACT_MAX_SENTENCES;
    for (size_t i = 0; i < c->n_pieces; i++)
        if (list[i].score > 0 && list[i].coverage > best)
            best = list[i].coverage;
    if (!q->is_foreign && result->support >= cfg->min_support && best >= cfg->min_support / 2 &&
        best > 0)
        choose(&ch, list, c->n_pieces, q, max);
    for (size_t i = 0; i < ch.n; i++)
        say(response, c, list[ch.chosen[i]].piece);
    result->n_sentences = ch.n;
    result->is_refused = ch.n == 0;
    if (result->is_refused)
        buf_str(response, REFUSAL);
    for (size_t i = 0; i < c->n_pieces; i++)
        free(list[i].words);
    free(list);
}
