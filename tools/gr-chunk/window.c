// SPDX-License-Identifier: MIT
/*
 * window.c — token windows
 */
#include "window.h"

#include "alloc.h"
#include "text.h"

static void add_token(struct windows *w, size_t from, size_t to)
{
    if (w->n_tokens == w->tokens_cap) {
        w->tokens_cap = alloc_grow(w->tokens_cap, w->n_tokens + 1);
        w->tokens = alloc_resize(w->tokens, w->tokens_cap, sizeof *w->tokens);
    }
    w->tokens[w->n_tokens++] = (struct window_token){ from, to };
}

/* The next word token; a number keeps its decimals, so that no window ends inside "0.7092". */
static bool next_word(struct sv text, size_t *pos, struct word *w)
{
    if (!word_next(text, pos, w))
        return false;
    while (w->kind == WORD_NUMBER) {
        size_t at = *pos;
        struct word point, digits;
        bool is_decimal = word_next(text, &at, &point) && point.start == w->end &&
                          text.p[point.start] == '.' && word_next(text, &at, &digits) &&
                          digits.start == point.end && digits.kind == WORD_NUMBER;
        if (!is_decimal)
            break;
        w->end = digits.end;
        *pos = at;
    }
    return true;
}

static void tokenize(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    w->n_tokens = 0;
    if (!cfg->wordpiece) {
        struct word word;
        for (size_t pos = 0; next_word(text, &pos, &word);)
            add_token(w, word.start, word.end);
        return;
    }
    w->pieces.with_offsets = true;
    wordpiece_split(cfg->wordpiece, text, SIZE_MAX, &w->pieces);
    for (size_t i = 0; i < w->pieces.n; i++)
        add_token(w, w->pieces.from[i], w->pieces.to[i]);
}

size_t windows_count(const struct window_cfg *cfg, struct sv text)
{
    if (cfg->wordpiece)
        return wordpiece_count(cfg->wordpiece, text);
    struct word word;
    size_t n = 0;
    for (size_t pos = 0; next_word(text, &pos, &word);)
        n++;
    return n;
}

/* The window of tokens [first, last). */
static void add_window(struct windows *w, size_t first, size_t last)
{
    if (w->n == w->cap) {
        w->cap = alloc_grow(w->cap, w->n + 1);
        w->items = alloc_resize(w->items, w->cap, sizeof *w->items);
    }
    w->items[w->n++] =
        (struct window){ w->tokens[first].from, w->tokens[last - 1].to, last - first };
}

static void by_token(struct windows *w, const struct window_cfg *cfg, size_t first, size_t last)
{
    while (first < last) {
        size_t end = last - first > cfg->size ? first + cfg->size : last;
        add_window(w, first, end);
        if (end == last)
            return;
        first = end - cfg->overlap;
    }
}

/* Index of the first token at or behind each sentence's end: ends[i], n of them. */
static size_t *sentence_ends(const struct windows *w, const struct splitter *splitter,
                             struct sv text, size_t *n)
{
    size_t *ends = NULL, cap = 0, token = 0;
    struct sentence s;
    *n = 0;
    for (size_t pos = 0; sentence_next(splitter, text, &pos, &s);) {
        size_t before = token;
        while (token < w->n_tokens && w->tokens[token].from < s.end)
            token++;
        if (token == before)
            continue;
        if (*n == cap) {
            cap = alloc_grow(cap, *n + 1);
            ends = alloc_resize(ends, cap, sizeof *ends);
        }
        ends[(*n)++] = token;
    }
    return ends;
}

static void by_sentence(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    size_t n;
    size_t *ends = sentence_ends(w, cfg->splitter, text, &n);
    size_t first = 0; /* sentence the window begins with */
    size_t fresh = 0; /* first sentence not yet in any window */
    while (fresh < n) {
        size_t from = first ? ends[first - 1] : 0, last = fresh;
        if (ends[last] - from > cfg->size) { /* the overlap leaves no room: go without it */
            first = fresh;
            from = first ? ends[first - 1] : 0;
        }
        while (last < n && ends[last] - from <= cfg->size)
            last++;
        if (last == fresh) { /* one sentence, too long */
            by_token(w, cfg, from, ends[last]);
            last++;
        } else {
            add_window(w, from, ends[last - 1]);
        }
        fresh = first = last;
        size_t end = ends[last - 1];
        while (first > 0 && end - (first > 1 ? ends[first - 2] : 0) <= cfg->overlap)
            first--;
    }
    free(ends);
}

void windows_make(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    w->n = 0;
    tokenize(w, cfg, text);
    if (cfg->by == WINDOW_SENTENCE)
        by_sentence(w, cfg, text);
    else
        by_token(w, cfg, 0, w->n_tokens);
}

void windows_release(struct windows *w)
{
    free(w->items);
    free(w->tokens);
    wordpiece_tokens_release(&w->pieces);
    *w = (struct windows){ 0 };
}
