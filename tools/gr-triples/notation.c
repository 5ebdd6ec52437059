// SPDX-License-Identifier: MIT
/*
 * notation.c — which isotopes a paper has named before, as it writes them
 */
#include "notation.h"

#include "alloc.h"
#include "scan.h"

#include <string.h>

#define NAME_MAX_BYTES 32 /* of a name and what follows; longer names are told anew */
#define LINES_MAX 4000    /* of a paper; what is named behind them is told anew as well */

void notations_release(struct notations *list)
{
    buf_release(&list->text);
    map_free(list->lines);
    free(list->ends);
    *list = (struct notations){ 0 };
}

void notations_reset(struct notations *list)
{
    buf_reset(&list->text);
    map_free(list->lines);
    list->lines = NULL;
    list->n = 0;
}

/* Bytes of the digit at s[i], raised or not; 0: there is none. */
static size_t digit_at(struct sv s, size_t i)
{
    const unsigned char *p = (const unsigned char *)s.p + i;
    size_t left = s.n - i;
    if (left && (unsigned char)(p[0] - '0') < 10)
        return 1;
    if (left > 1 && p[0] == 0xc2 && (p[1] == 0xb2 || p[1] == 0xb3 || p[1] == 0xb9))
        return 2;
    bool is_raised = left > 2 && p[0] == 0xe2 && p[1] == 0x81 &&
                     (p[2] == 0xb0 || (p[2] >= 0xb4 && p[2] <= 0xb9));
    return is_raised ? 3 : 0;
}

/* δ, Δ, ε */
static bool is_delta(struct sv s, size_t i)
{
    const unsigned char *p = (const unsigned char *)s.p + i;
    return i + 1 < s.n && p[0] == 0xce && (p[1] == 0xb4 || p[1] == 0x94 || p[1] == 0xb5);
}

/* The bytes of s without blanks and line ends, at most max. */
static void add_tight(struct buf *out, struct sv s, size_t max)
{
    for (size_t i = 0, n = 0; i < s.n && n < max; i++)
        if (s.p[i] != ' ' && s.p[i] != '\n') {
            buf_char(out, s.p[i]);
            n++;
        }
}

/* A line, unless it was there before. */
static void add_line(struct notations *list, struct sv line)
{
    bool is_new = false;
    if (!list->lines)
        list->lines = map_new();
    if (map_count(list->lines) < LINES_MAX)
        map_put(list->lines, line, &is_new);
    if (!is_new)
        return;
    buf_sv(&list->text, line);
    buf_char(&list->text, '\n');
}

void notations_learn(struct notations *list, struct sv text)
{
    struct buf line = BUF_INIT;
    for (size_t i = 0, end; (i = scan_to_digit_or_beyond(text, i)) < text.n; i = end) {
        size_t n;
        end = i;
        while (end < text.n && (n = digit_at(text, end)) > 0)
            end += n;
        bool has_digits = end > i;
        size_t letter = end + (end < text.n && text.p[end] == ' ');
        bool is_mass =
            has_digits && letter < text.n && text.p[letter] >= 'A' && text.p[letter] <= 'Z';
        if (is_mass || (!has_digits && is_delta(text, i))) {
            buf_reset(&line);
            add_tight(&line, sv_from_to(text, i, text.n), NAME_MAX_BYTES);
            add_line(list, buf_view(&line));
        }
        end += !has_digits;
    }
    buf_release(&line);
}

void notations_close(struct notations *list)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->ends = alloc_resize(list->ends, list->cap, sizeof *list->ends);
    }
    list->ends[list->n++] = buf_view(&list->text).n;
}

void notations_copy(struct notations *list, const struct notations *from)
{
    size_t at = 0;
    for (size_t i = 0; i < from->n; i++) {
        struct sv rest = sv_from_to(buf_view(&from->text), at, from->ends[i]), line;
        while (rest.n && sv_cut(&rest, '\n', &line))
            if (line.n)
                add_line(list, line);
        at = from->ends[i];
        notations_close(list);
    }
}

bool notations_has(const struct notations *list, size_t record, struct sv name)
{
    struct buf tight = BUF_INIT;
    size_t n = record < list->n ? record : list->n;
    struct sv known = n ? sv_from_to(buf_view(&list->text), 0, list->ends[n - 1]) : SV("");
    bool has_it = false;
    if (name.n == 0 || name.n > NAME_MAX_BYTES)
        return false;
    add_tight(&tight, name, NAME_MAX_BYTES);
    for (size_t at = 0; !has_it; at++) { /* "14C" is none of "214Cm" */
        at = sv_find(known, buf_view(&tight), at);
        if (at >= known.n)
            break;
        has_it =
            at == 0 || digit_at(known, at) == 0 || (unsigned char)(known.p[at - 1] - '0') > 9;
    }
    buf_release(&tight);
    return has_it;
}
