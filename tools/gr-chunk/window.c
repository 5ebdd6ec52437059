// SPDX-License-Identifier: MIT
/*
 * window.c — token windows
 */
#include "window.h"

#include <utf8proc.h>

#include "alloc.h"
#include "scan.h"
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

/* Byte after the part of a word that counts as one token. */
static size_t part_end(struct sv text, size_t from, size_t to)
{
    size_t end = from, pos = from;
    utf8proc_int32_t state = 0;
    uint32_t before = 0;
    for (size_t n = 0; pos < to; n++) {
        size_t at = pos;
        uint32_t cp = utf8_next(text, &pos);
        if (n && utf8proc_grapheme_break_stateful((utf8proc_int32_t)before,
                                                  (utf8proc_int32_t)cp, &state))
            end = at;
        if (n == WINDOW_WORD_MAX)
            return end > from ? end : at; /* one endless grapheme is cut all the same */
        before = cp;
    }
    return to;
}

/* Parts of a word into tokens, or only their number when w is NULL. */
static size_t add_parts(struct windows *w, struct sv text, struct word word)
{
    size_t n = 0;
    if (word.end - word.start <= WINDOW_WORD_MAX) {
        if (w)
            add_token(w, word.start, word.end);
        return 1;
    }
    for (size_t from = word.start, to; from < word.end; from = to, n++) {
        to = part_end(text, from, word.end);
        if (w)
            add_token(w, from, to);
    }
    return n;
}

static void tokenize(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    w->n_tokens = 0;
    if (cfg->bpe) {
        bpe_split(cfg->bpe, text, &w->pairs);
        size_t from = 0;
        for (size_t i = 0; i < w->pairs.n; from = w->pairs.ends[i++])
            add_token(w, from, w->pairs.ends[i]);
    } else if (cfg->wordpiece) {
        w->pieces.with_offsets = true;
        wordpiece_split(cfg->wordpiece, text, SIZE_MAX, &w->pieces);
        for (size_t i = 0; i < w->pieces.n; i++)
            add_token(w, w->pieces.from[i], w->pieces.to[i]);
    } else {
        struct word word;
        for (size_t pos = 0; next_word(text, &pos, &word);)
            add_parts(w, text, word);
    }
}

size_t windows_count(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    if (cfg->bpe) {
        bpe_split(cfg->bpe, text, &w->pairs);
        return w->pairs.n;
    }
    if (cfg->wordpiece)
        return wordpiece_count(cfg->wordpiece, text);
    struct word word;
    size_t n = 0;
    for (size_t pos = 0; next_word(text, &pos, &word);)
        n += add_parts(NULL, text, word);
    return n;
}

/* May a window begin with token i? Not inside a character. */
static bool is_cut(const struct windows *w, struct sv text, size_t i)
{
    size_t at = i < w->n_tokens ? w->tokens[i].from : text.n;
    return at >= text.n || ((unsigned char)text.p[at] & 0xC0) != 0x80;
}

/* Nor inside a grapheme, as far as marks and joiners make them? */
static bool is_whole_cut(const struct windows *w, struct sv text, size_t i)
{
    size_t at = i < w->n_tokens ? w->tokens[i].from : text.n;
    if (!is_cut(w, text, i) || at >= text.n || !at || (unsigned char)text.p[at] < 0x80)
        return is_cut(w, text, i);
    size_t next = at;
    uint32_t cp = utf8_next(text, &next);
    return !utf8_is_mark(cp) && cp != 0x200D && utf8_before(text, at) != 0x200D;
}

/* The last cut in (first, i] that leaves graphemes whole, else characters; without any, the
 * first one behind i. */
static size_t cut_before(const struct windows *w, struct sv text, size_t first, size_t i)
{
    size_t at = i;
    while (at > first + 1 && !is_whole_cut(w, text, at))
        at--;
    if (is_whole_cut(w, text, at))
        return at;
    for (at = i; at > first + 1 && !is_cut(w, text, at);)
        at--;
    while (!is_cut(w, text, at))
        at++;
    return at;
}

/* The range of tokens [first, last) without white space at its ends. */
static struct window trimmed(const struct windows *w, struct sv text, size_t first, size_t last)
{
    struct window x = { w->tokens[first].from, w->tokens[last - 1].to, last - first };
    while (x.from < x.to && scan_ascii[(unsigned char)text.p[x.from]] == SCAN_SPACE)
        x.from++;
    while (x.to > x.from && scan_ascii[(unsigned char)text.p[x.to - 1]] == SCAN_SPACE)
        x.to--;
    return x;
}

/* Add the window of tokens [first, last) or, were it too long, of fewer. Returns the token it
 * ends before. */
static size_t add_window(struct windows *w, const struct window_cfg *cfg, struct sv text,
                         size_t first, size_t last)
{
    struct window x = { w->tokens[first].from, w->tokens[last - 1].to, last - first };
    if (cfg->bpe) {
        for (;; last--) {
            last = cut_before(w, text, first, last); /* maybe one character of many tokens */
            x = trimmed(w, text, first, last);
            x.n_tokens = x.from == x.to ? 0
                                        : bpe_count_slice(cfg->bpe, text, &w->pairs, first,
                                                          last, x.from, x.to);
            size_t least = cut_before(w, text, first, first + 1);
            if (x.n_tokens <= cfg->size || last <= least)
                break;
        }
        if (x.from == x.to)
            return last;
    }
    if (w->n == w->cap) {
        w->cap = alloc_grow(w->cap, w->n + 1);
        w->items = alloc_resize(w->items, w->cap, sizeof *w->items);
    }
    w->items[w->n++] = x;
    return last;
}

static void by_token(struct windows *w, const struct window_cfg *cfg, struct sv text,
                     size_t first, size_t last)
{
    while (first < last) {
        size_t end = last - first > cfg->size ? first + cfg->size : last;
        end = add_window(w, cfg, text, first, end);
        if (end >= last)
            return;
        size_t next = end - first > cfg->overlap ? end - cfg->overlap : first + 1;
        first = cfg->bpe ? cut_before(w, text, first, next) : next;
    }
}

/* Ends of sentences or paragraphs, as indices of the first token behind each. */
struct ends {
    size_t *at; /* (n) */
    size_t n, cap;
};

static void add_end(struct ends *e, size_t token)
{
    if (e->n == e->cap) {
        e->cap = alloc_grow(e->cap, e->n + 1);
        e->at = alloc_resize(e->at, e->cap, sizeof *e->at);
    }
    e->at[e->n++] = token;
}

/* Units of a text, from the largest down: what is too long at one level is cut at the next. */
enum level { PARAGRAPHS, LINES, SENTENCES, TOKENS };

/* Does the line that ends at byte i end with a stop, quotes and brackets aside? */
static bool is_line_end(struct sv text, size_t from, size_t i)
{
    while (i > from && (strchr(" \r\"')]", text.p[i - 1]) && text.p[i - 1]))
        i--;
    if (i > from + 2 && memcmp(text.p + i - 3, "\xE2\x80\x9D", 3) == 0)
        i -= 3;
    return i > from && strchr(".!?:;", text.p[i - 1]) && text.p[i - 1];
}

/* Are lines paragraphs, as most of them end with a stop? Else they are broken somewhere. */
static bool has_line_paragraphs(struct sv text)
{
    size_t lines = 0, stops = 0, from = 0;
    for (const char *p; (p = memchr(text.p + from, '\n', text.n - from));) {
        size_t i = (size_t)(p - text.p);
        lines += i > from;
        stops += is_line_end(text, from, i);
        from = i + 1;
    }
    return 2 * stops >= lines;
}

/* Byte of the line end behind the blanks that follow the one at byte i, or 0: no empty line. */
static size_t empty_line(struct sv text, size_t i)
{
    for (i++; i < text.n && strchr(" \t\r", text.p[i]) && text.p[i];)
        i++;
    return scan_byte(text, i) == '\n' ? i : 0;
}

/* Byte at or behind which the unit of text at byte *at ends; *at goes to the next. */
static size_t unit_end(const struct windows *w, const struct splitter *splitter,
                       enum level level, struct sv text, size_t *at)
{
    size_t from = *at, i = from;
    struct sentence s;
    if (level == SENTENCES)
        return sentence_next(splitter, text, at, &s) ? s.end : text.n;
    for (*at = text.n; i < text.n; i++) {
        const char *stop = memchr(text.p + i, '\n', text.n - i);
        if (!stop)
            return text.n;
        i = (size_t)(stop - text.p);
        size_t empty = empty_line(text, i);
        if (empty || (level == LINES && (w->has_lines || is_line_end(text, from, i)))) {
            *at = (empty ? empty : i) + 1;
            return i;
        }
    }
    return text.n;
}

/* Ends of the units of tokens [first, last). White space that is a token goes with the last. */
static void find_ends(const struct windows *w, const struct splitter *splitter,
                      enum level level, struct sv text, size_t first, size_t last,
                      struct ends *ends)
{
    struct sv part = sv_from_to(text, 0, w->tokens[last - 1].to);
    size_t token = first;
    for (size_t at = w->tokens[first].from; at < part.n && token < last;) {
        size_t stop = unit_end(w, splitter, level, part, &at), before = token;
        while (token < last && w->tokens[token].from < stop)
            token++;
        if (token > before && is_cut(w, text, token))
            add_end(ends, token);
    }
    if (!ends->n || ends->at[ends->n - 1] < last)
        add_end(ends, last);
}

static void cut(struct windows *w, const struct window_cfg *cfg, enum level level,
                struct sv text, size_t first, size_t last);

/* Whole units (ends[0 … n)) of a level, as many as fit; the first one begins with token
 * `start`. */
static void pack(struct windows *w, const struct window_cfg *cfg, enum level level,
                 struct sv text, size_t start, const size_t *ends, size_t n)
{
    size_t first = 0; /* unit the window begins with */
    size_t fresh = 0; /* first unit not yet in any window */
    while (fresh < n) {
        size_t from = first ? ends[first - 1] : start, last = fresh;
        if (ends[last] - from > cfg->size) { /* the overlap leaves no room: go without it */
            first = fresh;
            from = first ? ends[first - 1] : start;
        }
        while (last < n && ends[last] - from <= cfg->size)
            last++;
        if (last == fresh) { /* one unit, too long */
            cut(w, cfg, level + 1, text, from, ends[last]);
            last++;
        } else {
            size_t end = add_window(w, cfg, text, from, ends[last - 1]);
            by_token(w, cfg, text, end, ends[last - 1]);
        }
        fresh = first = last;
        size_t end = ends[last - 1];
        while (first > 0 && end - (first > 1 ? ends[first - 2] : start) <= cfg->overlap)
            first--;
    }
}

/* Windows of tokens [first, last), which are too many for one: at the ends of units. */
static void cut(struct windows *w, const struct window_cfg *cfg, enum level level,
                struct sv text, size_t first, size_t last)
{
    if (level == TOKENS) {
        by_token(w, cfg, text, first, last);
        return;
    }
    struct ends ends = { 0 };
    find_ends(w, cfg->splitter, level, text, first, last, &ends);
    pack(w, cfg, level, text, first, ends.at, ends.n);
    free(ends.at);
}

/* A window a paragraph; a longer one is cut. */
static void by_paragraph(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    struct ends ends = { 0 };
    size_t from = 0;
    find_ends(w, cfg->splitter, PARAGRAPHS, text, 0, w->n_tokens, &ends);
    for (size_t i = 0; i < ends.n; from = ends.at[i++]) {
        if (ends.at[i] - from > cfg->size)
            cut(w, cfg, LINES, text, from, ends.at[i]);
        else
            by_token(w, cfg, text, from, ends.at[i]);
    }
    free(ends.at);
}

void windows_make(struct windows *w, const struct window_cfg *cfg, struct sv text)
{
    w->n = 0;
    tokenize(w, cfg, text);
    if (!w->n_tokens)
        return;
    w->has_lines = has_line_paragraphs(text);
    if (cfg->by == WINDOW_PARAGRAPH)
        by_paragraph(w, cfg, text);
    else if (cfg->by == WINDOW_SENTENCE)
        cut(w, cfg, SENTENCES, text, 0, w->n_tokens);
    else
        cut(w, cfg, cfg->by == WINDOW_SECTION && w->n_tokens > cfg->size ? PARAGRAPHS : TOKENS,
            text, 0, w->n_tokens);
}

void windows_release(struct windows *w)
{
    free(w->items);
    free(w->tokens);
    wordpiece_tokens_release(&w->pieces);
    bpe_tokens_release(&w->pairs);
    *w = (struct windows){ 0 };
}
