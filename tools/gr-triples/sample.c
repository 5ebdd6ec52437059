// SPDX-License-Identifier: MIT
/*
 * sample.c — labels of samples, and putting samples among the names of a text
 */
#include "sample.h"

/* A label behind "sample": "BH-12", "404 a", "79-35g". Its end, or `pos` when there is none. */
static size_t label_end(struct sv text, size_t pos)
{
    size_t end = pos;
    bool has_digit = false;
    while (end < text.n) {
        char c = text.p[end];
        bool digit = c >= '0' && c <= '9', letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        bool joint = (c == '-' || c == '.' || c == '_' || c == '/') && end > pos;
        if (!digit && !letter && !joint)
            break;
        has_digit |= digit;
        end++;
    }
    while (end > pos && strchr("-._/", text.p[end - 1]))
        end--;
    if (!has_digit || end - pos > 20)
        return pos;
    /* one letter more after a gap: "404 a" */
    if (end + 2 <= text.n && text.p[end] == ' ' && text.p[end + 1] >= 'a' &&
        text.p[end + 1] <= 'z' && (end + 2 == text.n || strchr(" ,;.)", text.p[end + 2])) &&
        text.p[end + 1] != 'a')
        return end + 2;
    if (end + 2 < text.n && strncmp(text.p + end, " a", 2) == 0 &&
        strchr(",;.)", text.p[end + 2]))
        return end + 2;
    return end;
}

static struct entity sample_entity(size_t start, size_t end, struct sv name)
{
    struct entity e = {
        .start = start,
        .end = end,
        .type = "sample",
        .entry = VOCAB_NONE,
        .match = VOCAB_NONE,
    };
    memcpy(e.notation, name.p, name.n < CHEM_MAX ? name.n : CHEM_MAX - 1);
    return e;
}

void sample_push(struct entities *list, size_t start, size_t end, struct sv name)
{
    struct entity e = sample_entity(start, end, name);
    entities_push(list, &e);
}

/* By place, the longer first. */
static int compare(const void *a, const void *b)
{
    const struct entity *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

void samples_merge(struct entities *names, struct entities *found)
{
    struct entities all = { 0 };
    size_t old = 0;
    if (found->n == 0)
        return;
    qsort(found->items, found->n, sizeof *found->items, compare);
    for (size_t i = 0; i < found->n; i++) {
        const struct entity *e = &found->items[i];
        if (i > 0 && all.n && all.items[all.n - 1].end > e->start)
            continue; /* part of a longer one */
        for (; old < names->n && names->items[old].end <= e->start; old++)
            entities_push(&all, &names->items[old]);
        while (old < names->n && names->items[old].start < e->end)
            old++;
        entities_push(&all, e);
    }
    for (; old < names->n; old++)
        entities_push(&all, &names->items[old]);
    entities_release(names);
    *names = all;
}

/* Over ", ", " and ", " to ", " or " of a list of labels; pos itself when none follows. */
static size_t next_label(struct sv text, size_t pos)
{
    static const char *const joints[] = { ", and ", ", ",   " and ",       " or ",
                                          " & ",    " to ", "\xe2\x80\x93" };
    struct sv rest = sv_from_to(text, pos, text.n);
    for (size_t i = 0; i < ARRAY_LEN(joints); i++)
        if (sv_starts(rest, sv_from(joints[i])))
            return pos + strlen(joints[i]);
    return pos;
}

/* "samples 12", "and 2015", "sample 2619.60" are counts, years and depths. */
static bool has_letter(struct sv label)
{
    for (size_t i = 0; i < label.n; i++)
        if ((label.p[i] | 32) >= 'a' && (label.p[i] | 32) <= 'z')
            return true;
    return false;
}

/* "sample Fe2O3 contents": a name of the vocabulary stays one. */
static bool is_known(const struct entities *names, size_t start, size_t end)
{
    size_t i = entities_from(names, start);
    return i < names->n && names->items[i].start == start && names->items[i].end == end &&
           !sample_may_replace(&names->items[i]);
}

/* "12A–14C": a range that ends as it begins is one, though 14C is an isotope. */
static bool ends_range(struct sv text, size_t start, size_t end)
{
    size_t dash = strlen("\xe2\x80\x93");
    bool is_range = start > dash + 1 && text.p[start - 1] == '\x93' && end > start;
    if (!is_range)
        return false;
    char a = text.p[start - dash - 1], b = text.p[end - 1];
    return a >= 'A' && a <= 'Z' && b >= 'A' && b <= 'Z' && text.p[start] >= '0' &&
           text.p[start] <= '9';
}

static void find_labels(struct sv text, struct entities *names)
{
    struct entities found = { 0 };
    for (size_t pos = 0; (pos = sv_find(text, SV("ample"), pos)) != SIZE_MAX;) {
        bool is_word = pos > 0 && (text.p[pos - 1] | 32) == 's' &&
                       (pos == 1 || strchr(" (\n", text.p[pos - 2]));
        pos += 5;
        bool is_plural = pos < text.n && text.p[pos] == 's';
        pos += is_plural;
        if (!is_word || pos >= text.n || text.p[pos] != ' ')
            continue;
        size_t start = pos + 1;
        for (bool is_first = true;; is_first = false) {
            size_t end = label_end(text, start);
            struct sv label = sv_from_to(text, start, end);
            bool is_count =
                !has_letter(label) && (is_plural || !is_first || memchr(label.p, '.', label.n));
            if (end == start || is_count ||
                (is_known(names, start, end) && !ends_range(text, start, end)))
                break;
            sample_push(&found, start, end, label);
            pos = end;
            start = next_label(text, end);
            if (!is_plural || start == end)
                break;
        }
    }
    samples_merge(names, &found);
    entities_release(&found);
}

void samples_find(struct sv text, struct entities *names)
{
    find_labels(text, names);
    samples_find_labels(text, names);
    samples_find_names(text, names);
}
