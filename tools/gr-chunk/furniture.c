// SPDX-License-Identifier: MIT
/*
 * furniture.c — lines that are no text, by their form or by coming again
 */
#include "furniture.h"

#include "alloc.h"
#include "clean.h"
#include "scan.h"

#define HEAD_TIMES 3  /* a running head comes at least so often */
#define SHORT_HEAD 40 /* bytes up to which a head may end as a sentence does */
#define BLOCK_MIN 80  /* bytes of the shortest block that can be a repeat */
#define NOTICE_MAX                                                                             \
    400 /* bytes of the longest notice: a longer line is text that mentions one */

static void add(struct furniture *f, size_t from, size_t to, unsigned step)
{
    if (f->n == f->cap) {
        f->cap = alloc_grow(f->cap, f->n + 1);
        f->items = alloc_resize(f->items, f->cap, sizeof *f->items);
    }
    f->items[f->n++] = (struct span){ from, to, step };
}

/* Does s begin with `word` (lower case), any case? */
static bool starts(struct sv s, const char *word)
{
    size_t n = strlen(word);
    if (s.n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if ((scan_is_upper(c) ? c + 32 : c) != (unsigned char)word[i])
            return false;
    }
    return true;
}

static bool starts_any(struct sv s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (starts(s, words[i]))
            return true;
    return false;
}

static bool holds(struct sv s, const char *word)
{
    for (size_t i = 0; i < s.n; i++)
        if (starts(sv_from_to(s, i, s.n), word))
            return true;
    return false;
}

/* "12", "- 12 -", "Page 3", "p. 3 of 14", "3/14": digits, and little else; "(12)" is the number
 * of a formula. */
static bool is_page_number(struct sv line)
{
    size_t digits = 0;
    struct sv s = line;
    while (s.n && strchr("- |", s.p[0]) && s.p[0])
        s = sv_from_to(s, 1, s.n);
    s = sv_from_to(s, starts(s, "page ") ? 5 : starts(s, "p. ") ? 3 : 0, s.n);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (scan_is_digit(c)) {
            digits++;
        } else if (starts(sv_from_to(s, i, s.n), " of ")) {
            i += 3;
        } else if (!digits || !strchr("- /|", c) || !c) {
            return false;
        }
    }
    return digits > 0 && digits <= 10 && s.n <= 16;
}

static bool is_download(struct sv line)
{
    static const char *const heads[] = {
        "downloaded from ",      "downloaded by ",
        "downloaded on ",        "this content downloaded ",
        "downloaded via ",       "content courtesy",
        "for personal use only", "see the terms and conditions",
    };
    return line.n <= NOTICE_MAX && starts_any(line, heads, ARRAY_LEN(heads));
}

static bool is_copyright(struct sv line)
{
    static const char *const heads[] = {
        "\xC2\xA9",        "(c) 19",
        "(c) 20",          "copyright \xC2\xA9",
        "copyright 19",    "copyright 20",
        "copyright (c)",   "all rights reserved",
        "licensed under ", "published under license",
    };
    static const char *const licences[] = {
        "creative commons attribution",          "the terms of the cc by",    "under the cc by",
        "open access article distributed under", "open access article under",
    };
    if (line.n > NOTICE_MAX)
        return false;
    if (starts_any(line, heads, ARRAY_LEN(heads)))
        return true;
    bool is_this = starts(line, "this ") || starts(line, "open access") || starts(line, "0");
    for (size_t i = 0; is_this && i < ARRAY_LEN(licences); i++)
        if (holds(line, licences[i]))
            return true;
    return false;
}

/* A line that comes again and again, and is no sentence. */
static bool is_head(struct sv line, struct paper *paper)
{
    bool is_sentence = line.n > SHORT_HEAD && strchr(".:;,", line.p[line.n - 1]);
    return paper && !is_sentence && paper_line_count(paper, line) >= HEAD_TIMES;
}

/* The step that takes the line away, or 0. */
static unsigned step_of(struct sv line, unsigned steps, bool is_whole, struct paper *paper)
{
    if ((steps & CLEAN_DOWNLOAD) && is_download(line))
        return CLEAN_DOWNLOAD;
    if ((steps & CLEAN_COPYRIGHT) && is_copyright(line))
        return CLEAN_COPYRIGHT;
    if (!(steps & CLEAN_PAGE) || is_whole) /* a text of one line is no page */
        return 0;
    return is_page_number(line) || is_head(line, paper) ? CLEAN_PAGE : 0;
}

/* Lines of text[from, to), a block between empty lines. */
static void find_lines(struct furniture *f, struct sv text, size_t from, size_t to,
                       unsigned steps, struct paper *paper)
{
    bool is_whole = !memchr(text.p, '\n', text.n);
    for (size_t at = from; at < to;) {
        const char *stop = memchr(text.p + at, '\n', to - at);
        size_t end = stop ? (size_t)(stop - text.p) : to;
        struct sv line = sv_trim(sv_from_to(text, at, end));
        unsigned step = line.n ? step_of(line, steps, is_whole, paper) : 0;
        if (step)
            add(f, at, stop ? end + 1 : end, step);
        at = end + 1;
    }
}

/* Elements of HTML and JATS that converters leave behind. */
static size_t tag_end(struct sv s, size_t at)
{
    static const char *const names[] = { "sup",    "sub", "i",  "b",    "em",
                                         "strong", "p",   "br", "span", "italic",
                                         "bold",   "hi",  "sc", "div",  "u" };
    size_t i = at + 1, n = 0;
    i += scan_byte(s, i) == '/';
    while (scan_is_lower(scan_byte(s, i + n) | 32))
        n++;
    struct sv name = sv_from_to(s, i, i + n);
    bool is_name = false;
    for (size_t k = 0; k < ARRAY_LEN(names); k++)
        is_name = is_name || (name.n == strlen(names[k]) && starts(name, names[k]));
    if (!is_name)
        return 0;
    for (i += n; i < s.n && i < at + 200 && s.p[i] != '<' && s.p[i] != '\n'; i++)
        if (s.p[i] == '>')
            return i + 1;
    return 0;
}

static void find_tags(struct furniture *f, struct sv text, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        const char *open = memchr(text.p + at, '<', to - at);
        if (!open)
            return;
        at = (size_t)(open - text.p);
        size_t end = tag_end(text, at);
        if (end) {
            add(f, at, end, CLEAN_MARKUP);
            at = end - 1;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

void furniture_find(struct furniture *f, struct sv text, unsigned steps, struct paper *paper)
{
    f->n = 0;
    for (size_t from = 0, to; from < text.n; from = to) {
        size_t gap = sv_find(text, SV("\n\n"), from);
        to = gap == SIZE_MAX ? text.n : gap + 2;
        struct sv block = sv_trim(sv_from_to(text, from, to));
        if ((steps & CLEAN_REPEAT) && paper && block.n >= BLOCK_MIN && paper_seen(paper, block))
            add(f, from, to, CLEAN_REPEAT);
        else
            find_lines(f, text, from, to, steps, paper);
    }
    if (!(steps & CLEAN_MARKUP) || !text.n || !memchr(text.p, '<', text.n))
        return;
    size_t n = f->n, from = 0;
    for (size_t i = 0; i <= n; i++) {
        size_t to = i < n ? f->items[i].from : text.n;
        find_tags(f, text, from, to);
        from = i < n ? f->items[i].to : to;
    }
    if (f->n)
        qsort(f->items, f->n, sizeof *f->items, compare);
}

void furniture_release(struct furniture *f)
{
    free(f->items);
    *f = (struct furniture){ 0 };
}
