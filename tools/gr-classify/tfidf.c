// SPDX-License-Identifier: MIT
/*
 * tfidf.c — n-grams and their weights
 */
#include "tfidf.h"

#include <math.h>

#include "alloc.h"
#include "analyzer.h"
#include "buf.h"
#include "utf8.h"

struct ngrams {
    struct tfidf_cfg cfg;
    struct analyzer *analyzer;
    struct terms *terms;
    struct buf words; /* the text's words, each followed by a blank */
    size_t *starts;   /* (n_words + 1) byte where each begins; the last is words.len */
    size_t n_words, cap;
    struct buf folded;
};

struct ngrams *ngrams_new(const struct tfidf_cfg *cfg, struct err *err)
{
    struct ngrams *g = alloc_zero(1, sizeof *g);
    struct analyzer_options plain = { .no_stem = true, .no_stop = true, .no_same = true };
    g->cfg = *cfg;
    g->analyzer = analyzer_new(NULL, &plain, err);
    if (!g->analyzer) {
        ngrams_free(g);
        return NULL;
    }
    g->terms = terms_new(g->analyzer);
    return g;
}

void ngrams_free(struct ngrams *g)
{
    if (!g)
        return;
    terms_free(g->terms);
    analyzer_free(g->analyzer);
    buf_release(&g->words);
    buf_release(&g->folded);
    free(g->starts);
    free(g);
}

static void add_word(struct ngrams *g, struct sv word)
{
    if (g->n_words + 1 >= g->cap) {
        g->cap = alloc_grow(g->cap, g->n_words + 2);
        g->starts = alloc_resize(g->starts, g->cap, sizeof *g->starts);
    }
    g->starts[g->n_words++] = g->words.len;
    buf_sv(&g->words, word);
    buf_char(&g->words, ' ');
    g->starts[g->n_words] = g->words.len;
}

/* Python's \w: letters, marks are not, numbers, underscore. */
static bool is_word_char(uint32_t cp)
{
    return cp == '_' || utf8_is_letter(cp) || utf8_is_number(cp);
}

/* (?u)\b\w\w+\b over the lower-cased text. */
static void sklearn_words(struct ngrams *g, struct sv text)
{
    buf_reset(&g->folded);
    for (size_t i = 0; i < text.n;)
        utf8_put(&g->folded, utf8_lower(utf8_next(text, &i)));
    struct sv s = buf_view(&g->folded);
    for (size_t i = 0; i < s.n;) {
        size_t start = i, chars = 0, end = i;
        while (i < s.n && is_word_char(utf8_next(s, &i))) {
            chars++;
            end = i;
        }
        if (chars >= 2)
            add_word(g, sv_from_to(s, start, end));
    }
}

/* Question words decide classes as much as content does, so nothing is dropped. */
static void geochem_words(struct ngrams *g, struct sv text)
{
    struct term t;
    terms_start(g->terms, text);
    while (terms_next(g->terms, &t))
        if (!t.same)
            add_word(g, t.text);
}

static void cut(struct ngrams *g, struct sv text)
{
    buf_reset(&g->words);
    g->n_words = 0;
    if (g->cfg.words == TFIDF_SKLEARN)
        sklearn_words(g, text);
    else
        geochem_words(g, text);
}

/* n-gram of `len` words from word i on; valid until the next cut. */
static struct sv ngram(const struct ngrams *g, size_t i, size_t len)
{
    return sv_from_to(buf_view(&g->words), g->starts[i], g->starts[i + len] - 1);
}

/* ---- learning ---- */

struct candidate {
    struct sv text;
    size_t count, df, last_text;
};

static int by_count(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return sv_cmp(x->text, y->text);
}

static int by_text(const void *a, const void *b)
{
    return sv_cmp(((const struct candidate *)a)->text, ((const struct candidate *)b)->text);
}

/* All n-grams of the texts with their counts; *all is allocated, its texts live in `seen`. */
static size_t count_all(struct map *seen, struct candidate **all, const struct tfidf_cfg *cfg,
                        struct ngrams *g, const struct sv *texts, size_t n_texts)
{
    size_t cap = 0;
    *all = NULL;
    for (size_t d = 0; d < n_texts; d++) {
        cut(g, texts[d]);
        for (size_t len = 1; len <= (size_t)cfg->ngram; len++)
            for (size_t i = 0; i + len <= g->n_words; i++) {
                bool is_new;
                size_t k = map_put(seen, ngram(g, i, len), &is_new);
                if (k >= cap) {
                    cap = alloc_grow(cap, k + 1);
                    *all = alloc_resize(*all, cap, sizeof **all);
                }
                struct candidate *c = &(*all)[k];
                if (is_new)
                    *c = (struct candidate){ .text = map_key(seen, k), .last_text = SIZE_MAX };
                c->count++;
                c->df += c->last_text != d;
                c->last_text = d;
            }
    }
    return map_count(seen);
}

void tfidf_fit(struct tfidf *t, const struct tfidf_cfg *cfg, struct ngrams *g,
               const struct sv *texts, size_t n_texts)
{
    struct map *seen = map_new();
    struct candidate *all;
    size_t n = count_all(seen, &all, cfg, g, texts, n_texts);
    if (n)
        qsort(all, n, sizeof *all, by_count);
    if (n > (size_t)cfg->max_features)
        n = (size_t)cfg->max_features;
    if (n)
        qsort(all, n, sizeof *all, by_text);
    *t = (struct tfidf){ .cfg = *cfg,
                         .terms = map_new(),
                         .idf = alloc_array(n, sizeof *t->idf) };
    for (size_t i = 0; i < n; i++) {
        map_put(t->terms, all[i].text, NULL);
        t->idf[i] = log((1 + (double)n_texts) / (1 + (double)all[i].df)) + 1;
    }
    free(all);
    map_free(seen);
}

void tfidf_release(struct tfidf *t)
{
    map_free(t->terms);
    free(t->idf);
    *t = (struct tfidf){ 0 };
}

/* ---- one text ---- */

static int by_column(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_column(struct sparse *s, size_t column)
{
    if (s->n == s->cap) {
        s->cap = alloc_grow(s->cap, s->n + 1);
        s->columns = alloc_resize(s->columns, s->cap, sizeof *s->columns);
        s->weights = alloc_resize(s->weights, s->cap, sizeof *s->weights);
    }
    s->columns[s->n++] = (uint32_t)column;
}

/* Sorted columns with repeats → columns once, count as weight. */
static void fold_repeats(struct sparse *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (n && s->columns[n - 1] == s->columns[i]) {
            s->weights[n - 1] += 1;
        } else {
            s->columns[n] = s->columns[i];
            s->weights[n++] = 1;
        }
    }
    s->n = n;
}

void tfidf_vector(const struct tfidf *t, struct ngrams *g, struct sv text, struct sparse *out)
{
    out->n = 0;
    cut(g, text);
    for (size_t len = 1; len <= (size_t)t->cfg.ngram; len++)
        for (size_t i = 0; i + len <= g->n_words; i++) {
            size_t column = map_get(t->terms, ngram(g, i, len));
            if (column != MAP_NONE)
                add_column(out, column);
        }
    if (!out->n)
        return;
    qsort(out->columns, out->n, sizeof *out->columns, by_column);
    fold_repeats(out);
    double sum = 0;
    for (size_t i = 0; i < out->n; i++) {
        out->weights[i] *= t->idf[out->columns[i]];
        sum += out->weights[i] * out->weights[i];
    }
    for (size_t i = 0; i < out->n; i++)
        out->weights[i] /= sqrt(sum);
}

void sparse_release(struct sparse *s)
{
    free(s->columns);
    free(s->weights);
    *s = (struct sparse){ 0 };
}
