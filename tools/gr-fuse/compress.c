// SPDX-License-Identifier: MIT
/*
 * compress.c — extractive compression: the sentences of a passage that speak of the question
 *
 * A sentence's weight is the sum of log(1 + N/df) over the different words it shares with the
 * question, where df of the N sentences at hand have the word; words that only the keywords add
 * count half. Sentences of half the best weight or more are kept, and the sentence before and
 * after each, without which "This" and "it" have no meaning.
 */
#include "fuse_impl.h"

#include <math.h>

#include "alloc.h"
#include "pick.h"
#include "schema.h"
#include "text.h"
#include "utf8.h"

#define KEEP_SHARE 0.5
#define KEYWORD_WEIGHT 0.5
enum { MAX_TERMS = 512 };

struct focus {
    struct map *terms;
    double *weight; /* by ordinal of the term */
    size_t *stamp;  /* the sentence the term was last seen in */
    size_t n_stamps;
};

static void add_text(struct fusion *u, struct focus *q, struct sv text, double weight)
{
    terms_start(u->terms, text);
    for (struct term t; terms_next(u->terms, &t) && map_count(q->terms) < MAX_TERMS;) {
        bool is_new;
        size_t ord = map_put(q->terms, t.text, &is_new);
        if (is_new)
            q->weight[ord] = weight;
    }
}

/* Visit the different question terms of a text. */
static double weigh(struct fusion *u, struct focus *q, struct sv text, size_t *df)
{
    double sum = 0;
    q->n_stamps++;
    terms_start(u->terms, text);
    for (struct term t; terms_next(u->terms, &t);) {
        size_t ord = map_get(q->terms, t.text);
        if (ord == MAP_NONE || q->stamp[ord] == q->n_stamps)
            continue;
        q->stamp[ord] = q->n_stamps;
        sum += q->weight[ord];
        if (df)
            df[ord]++;
    }
    return sum;
}

struct focus *focus_new(struct fusion *u)
{
    struct focus *q = alloc_zero(1, sizeof *q);
    q->terms = map_new();
    q->weight = alloc_zero(MAX_TERMS, sizeof *q->weight);
    q->stamp = alloc_zero(MAX_TERMS, sizeof *q->stamp);
    add_text(u, q, json_sv(json_get(u->rec->v, F_QUERY)), 1);
    jv keywords = json_get(u->rec->v, F_KEYWORDS);
    for (size_t i = 0; i < json_len(keywords); i++)
        add_text(u, q, json_sv(json_at(keywords, i)), KEYWORD_WEIGHT);
    size_t *df = alloc_zero(MAX_TERMS, sizeof *df), n = 0;
    for (size_t i = 0; i < u->n_passages; i++) {
        struct sv text = buf_view(&u->passages[i].text);
        size_t pos = 0;
        for (struct sentence s; sentence_next(u->splitter, text, &pos, &s); n++)
            weigh(u, q, sv_from_to(text, s.start, s.end), df);
    }
    for (size_t i = 0; i < map_count(q->terms); i++)
        q->weight[i] *= log(1 + (double)(n + 1) / (double)(df[i] + 1));
    free(df);
    return q;
}

void focus_free(struct focus *q)
{
    if (!q)
        return;
    map_free(q->terms);
    free(q->weight);
    free(q->stamp);
    free(q);
}

/* ---- one passage ---- */

struct piece {
    size_t start, end; /* bytes of the old text */
    double weight;
    size_t n_tokens;
    bool is_wanted, is_kept;
};

static struct piece *pieces_of(struct fusion *u, struct focus *q, struct sv text, size_t *n)
{
    struct piece *list = alloc_zero(sentence_count(u->splitter, text) + 1, sizeof *list);
    size_t pos = 0;
    *n = 0;
    for (struct sentence s; sentence_next(u->splitter, text, &pos, &s);) {
        struct sv own = sv_from_to(text, s.start, s.end);
        list[(*n)++] = (struct piece){ s.start,         s.end, weigh(u, q, own, NULL),
                                       word_count(own), false, false };
    }
    return list;
}

/* Mark what matters and its neighbours; false when nothing does. */
static bool mark_wanted(struct piece *list, size_t n)
{
    double best = 0;
    for (size_t i = 0; i < n; i++)
        best = list[i].weight > best ? list[i].weight : best;
    if (best <= 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (list[i].weight < KEEP_SHARE * best)
            continue;
        for (size_t j = i ? i - 1 : 0; j <= i + 1 && j < n; j++)
            list[j].is_wanted = true;
    }
    return true;
}

/* Of the wanted sentences keep the heaviest that fit into max tokens (0: all). A gap may come
 * with each; it is paid in advance. */
static void keep_best(struct piece *list, size_t n, size_t max)
{
    size_t used = 0, gap = word_count(sv_from(COMPRESS_GAP));
    for (;;) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (list[i].is_wanted && !list[i].is_kept &&
                (best == n || list[i].weight > list[best].weight) &&
                (!max || used + list[i].n_tokens + gap <= max))
                best = i;
        if (best == n)
            return;
        list[best].is_kept = true;
        used += list[best].n_tokens + gap;
    }
}

/* Where byte range [from, to) of the old text is in the new one, as far as it was kept. */
static bool map_part(const struct piece *list, size_t n, const size_t *at, struct part *p)
{
    size_t from = SIZE_MAX, to = 0;
    for (size_t i = 0; i < n; i++) {
        size_t a = list[i].start > p->from ? list[i].start : p->from;
        size_t b = list[i].end < p->to ? list[i].end : p->to;
        if (!list[i].is_kept || a >= b)
            continue;
        if (from == SIZE_MAX)
            from = at[i] + (a - list[i].start);
        to = at[i] + (b - list[i].start);
    }
    p->from = from;
    p->to = to;
    return from != SIZE_MAX;
}

static void rebuild(struct passage *p, struct piece *list, size_t n)
{
    struct buf b = BUF_INIT;
    size_t *at = alloc_zero(n + 1, sizeof *at), last = SIZE_MAX, kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!list[i].is_kept) {
            p->n_cut++;
            continue;
        }
        if (last != SIZE_MAX && last + 1 == i) /* neighbours: the white space between, too */
            buf_add(&b, p->text.data + list[last].end, list[i].start - list[last].end);
        else if (last != SIZE_MAX)
            buf_str(&b, COMPRESS_GAP);
        at[i] = b.len;
        buf_add(&b, p->text.data + list[i].start, list[i].end - list[i].start);
        last = i;
    }
    for (size_t i = 0; i < p->n_parts; i++)
        if (map_part(list, n, at, &p->parts[i]))
            p->parts[kept++] = p->parts[i];
    p->n_parts = kept;
    p->has_span = false; /* no slice of the section any more */
    buf_release(&p->text);
    p->text = b;
    free(at);
}

/* Rebuild the passage of the sentences marked as kept; true when it got shorter. */
static bool keep_marked(struct passage *p, struct piece *list, size_t n)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        n_kept += list[i].is_kept;
    bool is_shorter = n_kept > 0 && n_kept < n;
    if (!p->n_sentences)
        p->n_sentences = n;
    if (is_shorter)
        rebuild(p, list, n);
    p->n_tokens = word_count(buf_view(&p->text));
    return is_shorter;
}

bool compress_passage(struct fusion *u, struct focus *q, struct passage *p, size_t max_tokens)
{
    size_t n;
    struct piece *list = pieces_of(u, q, buf_view(&p->text), &n);
    bool matters = mark_wanted(list, n);
    for (size_t i = 0; max_tokens && !matters && i < n; i++)
        list[i].is_wanted = true;
    keep_best(list, n, max_tokens);
    bool is_shorter = keep_marked(p, list, n);
    free(list);
    return is_shorter;
}

bool compress_picked(struct fusion *u, struct focus *q, struct passage *p, struct err *why)
{
    size_t n;
    struct piece *list = pieces_of(u, q, buf_view(&p->text), &n);
    struct sentence *sentences = alloc_array(n + 1, sizeof *sentences);
    bool *keep = alloc_zero(n + 1, sizeof *keep), is_shorter = false;
    for (size_t i = 0; i < n; i++)
        sentences[i] = (struct sentence){ list[i].start, list[i].end };
    why->code = 0;
    int rc = n < 2 ? 0
                   : pick_sentences(u->picker, u->worker, json_sv(json_get(u->rec->v, F_QUERY)),
                                    buf_view(&p->text), sentences, n, keep, why);
    for (size_t i = 0; i < n; i++)
        list[i].is_kept = n < 2 || keep[i];
    if (rc == 0)
        is_shorter = keep_marked(p, list, n);
    free(sentences);
    free(keep);
    free(list);
    return rc == 0 ? is_shorter : compress_passage(u, q, p, 0);
}
