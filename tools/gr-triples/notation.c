// SPDX-License-Identifier: MIT
/*
 * notation.c — which isotopes a paper has named before, as it writes them
 */
#include "notation.h"

#include "alloc.h"

#include <string.h>

#define NAME_MAX_BYTES 32 /* of a name and what follows; longer names are told anew */

void notations_release(struct notations *list)
{
    buf_release(&list->text);
    free(list->ends);
    *list = (struct notations){ 0 };
}

void notations_reset(struct notations *list)
{
    buf_reset(&list->text);
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

/* The bytes of s without blanks, at most max. */
static void add_tight(struct buf *out, struct sv s, size_t max)
{
    for (size_t i = 0, n = 0; i < s.n && n < max; i++)
        if (s.p[i] != ' ') {
            buf_char(out, s.p[i]);
            n++;
        }
}

void notations_learn(struct notations *list, struct sv text)
{
    for (size_t i = 0, end; i < text.n; i = end) {
        size_t n;
        unsigned char first = (unsigned char)text.p[i];
        end = i;
        if (first < 0x80 && (unsigned char)(first - '0') > 9) {
            end++; /* most of a text */
            continue;
        }
        while (end < text.n && (n = digit_at(text, end)) > 0)
            end += n;
        bool has_digits = end > i;
        size_t letter = end + (end < text.n && text.p[end] == ' ');
        bool is_mass =
            has_digits && letter < text.n && text.p[letter] >= 'A' && text.p[letter] <= 'Z';
        if (is_mass || (!has_digits && is_delta(text, i))) {
            add_tight(&list->text, sv_from_to(text, i, text.n), NAME_MAX_BYTES);
            buf_char(&list->text, '\n');
        }
        end += !has_digits;
    }
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
    size_t before = buf_view(&list->text).n;
    buf_sv(&list->text, buf_view(&from->text));
    for (size_t i = 0; i < from->n; i++) {
        notations_close(list);
        list->ends[list->n - 1] = before + from->ends[i];
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
