// SPDX-License-Identifier: MIT
/*
 * furniture.c — lines that are no text, by their form or by coming again
 */
#include "furniture.h"

#include "alloc.h"
#include "clean.h"
#include "scan.h"
#include "utf8.h"

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

/* Byte after the digits at i. */
static size_t skip_digits(struct sv s, size_t i)
{
    while (scan_is_digit(scan_byte(s, i)))
        i++;
    return i;
}

/* "12", "- 12 -", "Page 3", "p. 3 of 14", "3/14", "12 | 3": one number or two, and little else.
 * "(12)" is the number of a formula; "6 9 12" stood below an axis. */
static bool is_page_number(struct sv line)
{
    struct sv s = line;
    while (s.n && strchr("-| ", s.p[0]) && s.p[0])
        s = sv_from_to(s, 1, s.n);
    while (s.n && strchr("-| ", s.p[s.n - 1]) && s.p[s.n - 1])
        s = sv_from_to(s, 0, s.n - 1);
    size_t i = starts(s, "page ") ? 5 : starts(s, "p. ") ? 3 : 0, first = skip_digits(s, i);
    if (first == i || first - i > 5)
        return false;
    if (first == s.n)
        return true;
    struct sv rest = sv_from_to(s, first, s.n);
    size_t gap = starts(rest, " of ")        ? 4
                 : starts(rest, " | ")       ? 3
                 : scan_byte(rest, 0) == '/' ? 1
                                             : 0;
    return gap && skip_digits(rest, gap) == rest.n && rest.n > gap && rest.n - gap <= 5;
}

static bool holds_digit(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if (scan_is_digit((unsigned char)s.p[i]))
            return true;
    return false;
}

/* Does it name a place of the net before its first blank: "www.x.org", "academic.oup.com/…"? */
static bool is_place(struct sv s)
{
    const char *blank = memchr(s.p, ' ', s.n);
    struct sv word = sv_from_to(s, 0, blank ? (size_t)(blank - s.p) : s.n);
    if (word.n && strchr(".,", word.p[word.n - 1]))
        word.n--;
    return starts(word, "http") || memchr(word.p, '.', word.n);
}

/* The page says who fetched it and when. Of "Downloaded from the EarthChem portal, …" nothing
 * is known but that it may be a sentence of the text. */
static bool is_download(struct sv line)
{
    static const char *const heads[] = {
        "this content downloaded ",
        "content courtesy",
        "for personal use only",
        "see the terms and conditions",
    };
    if (line.n > NOTICE_MAX)
        return false;
    if (starts_any(line, heads, ARRAY_LEN(heads)))
        return true;
    if (starts(line, "downloaded from "))
        return is_place(sv_from_to(line, 16, line.n));
    if (starts(line, "downloaded by ") || starts(line, "downloaded via "))
        return holds_digit(line);
    if (starts(line, "downloaded on "))
        return line.n <= 80 && holds_digit(line);
    bool is_serial = skip_digits(line, 0) == 8 || skip_digits(line, 0) == 7; /* ISSN, year, … */
    return is_serial && holds(line, "downloaded from http");
}

/* Byte at which the sentence that holds byte i ends, with the blanks behind it. */
static size_t sentence_end(struct sv s, size_t i)
{
    for (; i + 1 < s.n; i++) {
        bool is_end = strchr(".!", s.p[i]) && s.p[i] && s.p[i + 1] == ' ' && i > 2 &&
                      s.p[i - 2] != ' ' && s.p[i - 2] != '.'; /* not behind "B.V." */
        if (is_end)
            return i + 2;
    }
    return s.n;
}

static bool is_copyright_sentence(struct sv s)
{
    static const char *const heads[] = {
        "\xC2\xA9",
        "(c) 19",
        "(c) 20",
        "copyright \xC2\xA9",
        "copyright 19",
        "copyright 20",
        "copyright (c)",
        "all rights reserved",
        "published by elsevier",
        "published under license",
    };
    static const char *const licences[] = {
        "creative commons attribution",
        "the terms of the cc by",
        "the terms of the creative commons",
        "under the cc by",
        "open access article distributed under",
        "open access article under",
        "creativecommons.org",
    };
    if (starts_any(s, heads, ARRAY_LEN(heads)))
        return true;
    bool is_this = starts(s, "this ") || starts(s, "open access") ||
                   starts(s, "licensed under") || starts(s, "0");
    for (size_t i = 0; is_this && i < ARRAY_LEN(licences); i++)
        if (holds(s, licences[i]))
            return true;
    return false;
}

/* Bytes of the copyright notice that the line begins with, sentence by sentence: all of it,
 * none, or what stands before the text ("© 2012 Elsevier Ltd. All rights reserved. We …"). */
static size_t copyright_length(struct sv line)
{
    size_t at = 0;
    while (at < line.n) {
        size_t end = sentence_end(line, at);
        if (end - at > NOTICE_MAX || !is_copyright_sentence(sv_from_to(line, at, end)))
            break;
        at = end;
    }
    return at;
}

/* A line that comes again and again, and is no sentence, nor goes on with one ("where"). */
static bool is_head(struct sv line, struct paper *paper)
{
    bool is_sentence = (line.n > SHORT_HEAD && strchr(".:;,", line.p[line.n - 1])) ||
                       scan_is_lower((unsigned char)line.p[0]);
    return paper && !is_sentence && paper_line_count(paper, line) >= HEAD_TIMES;
}

/* The step that takes the line away, or 0. */
static unsigned step_of(struct sv line, unsigned steps, bool is_whole, struct paper *paper)
{
    if ((steps & CLEAN_DOWNLOAD) && is_download(line))
        return CLEAN_DOWNLOAD;
    if (!(steps & CLEAN_PAGE) || is_whole) /* a text of one line is no page */
        return 0;
    return is_page_number(line) || is_head(line, paper) ? CLEAN_PAGE : 0;
}

/* A number amid others is a column, and one behind "10-" the end of a range: no page. */
static bool is_among_numbers(struct sv before, struct sv after)
{
    static const char *const dashes[] = { "-", "‐", "‒", "–", "−" };
    for (size_t i = 0; i < ARRAY_LEN(dashes); i++)
        if (sv_ends(before, sv_from(dashes[i])) && before.n > strlen(dashes[i]) &&
            utf8_is_digit(utf8_before(before, before.n - strlen(dashes[i]))))
            return true;
    return (before.n && skip_digits(before, 0) == before.n) ||
           (after.n && skip_digits(after, 0) == after.n);
}

/* The line of the block that begins at byte `at`. */
static struct sv line_at(struct sv text, size_t at, size_t to)
{
    const char *stop = at < to ? memchr(text.p + at, '\n', to - at) : NULL;
    return sv_trim(sv_from_to(text, at < to ? at : to, stop ? (size_t)(stop - text.p) : to));
}

/* Lines of text[from, to), a block between empty lines. */
static void find_lines(struct furniture *f, struct sv text, size_t from, size_t to,
                       unsigned steps, struct paper *paper)
{
    bool is_whole = !memchr(text.p, '\n', text.n);
    struct sv before = SV_NONE;
    for (size_t at = from; at < to;) {
        const char *stop = memchr(text.p + at, '\n', to - at);
        size_t end = stop ? (size_t)(stop - text.p) : to;
        struct sv line = sv_trim(sv_from_to(text, at, end));
        unsigned step = line.n ? step_of(line, steps, is_whole, paper) : 0;
        if (step == CLEAN_PAGE && skip_digits(line, 0) == line.n &&
            is_among_numbers(before, line_at(text, end + 1, to)))
            step = 0;
        before = line;
        size_t notice = line.n && (steps & CLEAN_COPYRIGHT) ? copyright_length(line) : 0;
        if (notice == line.n && line.n)
            step = CLEAN_COPYRIGHT;
        if (step)
            add(f, at, stop ? end + 1 : end, step);
        else if (notice)
            add(f, at, (size_t)(line.p - text.p) + notice, CLEAN_COPYRIGHT);
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
    bool has_value = false;
    size_t after = i + n;
    for (i = after; i < s.n && i < at + 200 && s.p[i] != '<' && s.p[i] != '\n'; i++) {
        has_value |= s.p[i] == '=';
        if (s.p[i] == '>') /* "a<b and c>d" has none */
            return has_value || i == after || sv_is(sv_trim(sv_from_to(s, after, i)), "/")
                       ? i + 1
                       : 0;
    }
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
