// SPDX-License-Identifier: MIT
/*
 * quantity_scan.c — finding quantities in running text, and leaving out what is none
 */
#include <math.h>

#include "alloc.h"
#include "quantity_impl.h"
#include "utf8.h"

/* ---- finding them ---- */

struct sv quantity_word_before(struct sv s, size_t pos)
{
    while (pos > 0 && (s.p[pos - 1] == ' ' || s.p[pos - 1] == '\n'))
        pos--;
    size_t end = pos;
    while (pos > 0 && ((s.p[pos - 1] | 32) >= 'a' && (s.p[pos - 1] | 32) <= 'z'))
        pos--;
    if (pos == end && end > 0 && s.p[end - 1] == '.') { /* "Fig." */
        end--;
        pos = end;
        while (pos > 0 && ((s.p[pos - 1] | 32) >= 'a' && (s.p[pos - 1] | 32) <= 'z'))
            pos--;
    }
    return sv_from_to(s, pos, end);
}

static bool is_one_of(struct sv word, const char *const list[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (vocab_word_is(word, list[i]))
            return true;
    return false;
}

/* Words whose number is a label. */
static bool is_label_word(struct sv word)
{
    static const char *const labels[] = {
        "fig",        "figs",    "figure",   "figures", "table",    "tables",   "eq",
        "eqs",        "section", "sections", "sect",    "chapter",  "sample",   "samples",
        "ref",        "refs",    "no",       "sol",     "sols",     "site",     "sites",
        "hole",       "core",    "stage",    "zone",    "unit",     "type",     "group",
        "step",       "leg",     "grain",    "spot",    "equation", "appendix", "version",
        "volume",     "vol",     "p",        "pp",      "page",     "station",  "expedition",
        "experiment", "run",     "number",   "isotope", "phase",    "layer",
    };
    return is_one_of(word, labels, ARRAY_LEN(labels));
}

static enum quantity_op op_of_words(struct sv s, size_t pos)
{
    static const struct {
        const char *text;
        enum quantity_op op;
    } ops[] = {
        { "about", Q_ABOUT },  { "ca", Q_ABOUT },    { "approximately", Q_ABOUT },
        { "around", Q_ABOUT }, { "near", Q_ABOUT },  { "roughly", Q_ABOUT },
        { "nearly", Q_ABOUT }, { "circa", Q_ABOUT }, { "below", Q_LESS },
        { "under", Q_LESS },   { "above", Q_MORE },  { "exceeding", Q_MORE },
        { "exceeds", Q_MORE }, { "exceed", Q_MORE },
    };
    struct sv word = quantity_word_before(s, pos);
    for (size_t i = 0; i < ARRAY_LEN(ops); i++)
        if (vocab_word_is(word, ops[i].text))
            return ops[i].op;
    struct sv left = { s.p, (size_t)(word.p - s.p) };
    struct sv first = quantity_word_before(left, left.n);
    if (vocab_word_is(word, "to") && vocab_word_is(first, "up"))
        return Q_AT_MOST;
    if (vocab_word_is(word, "most") && vocab_word_is(first, "at"))
        return Q_AT_MOST;
    if (vocab_word_is(word, "least") && vocab_word_is(first, "at"))
        return Q_AT_LEAST;
    if (vocab_word_is(word, "than") && vocab_word_is(first, "less"))
        return Q_LESS;
    if (vocab_word_is(word, "than") &&
        (vocab_word_is(first, "more") || vocab_word_is(first, "greater")))
        return Q_MORE;
    return Q_IS;
}

/* Signs and brackets before the digits at pos belong to the quantity. */
static size_t start_of(struct sv s, size_t floor, size_t pos)
{
    size_t start = pos;
    while (start > floor) {
        size_t at = utf8_floor(s, start - 1);
        struct sv c = sv_from_to(s, at, start);
        size_t in = at;
        struct quantity q;
        bool is_sign = quantity_eat_minus(s, &in) || sv_is(c, "+");
        in = at;
        quantity_read_op(s, &in, &q);
        bool is_op = in > at;
        bool is_gap = sv_is(c, " ") && at > floor;
        if (is_gap) { /* only between an operator and its number */
            size_t before = utf8_floor(s, at - 1), to = before;
            quantity_read_op(s, &to, &q);
            if (to != at && to != at + 1)
                break;
        } else if (!is_sign && !is_op && !sv_is(c, "(")) {
            break;
        }
        start = at;
        if (sv_is(c, "("))
            break;
    }
    return start;
}

/* Are the digits at pos part of a word, label or reference? */
static bool is_inside(struct sv s, size_t pos)
{
    if (pos == 0)
        return false;
    uint32_t cp = utf8_before(s, pos);
    if (utf8_is_letter(cp) || utf8_is_digit(cp) || cp == '.' || cp == '_' || cp == '[' ||
        cp == '/' || cp == '#')
        return true;
    size_t at = pos;
    if (cp == '-' || cp == 0x2013 || cp == 0x2010 || cp == 0x2212) {
        at = utf8_floor(s, pos - 1);
        uint32_t left = at ? utf8_before(s, at) : ' ';
        return utf8_is_letter(left) || utf8_is_digit(left);
    }
    if (cp == ',') { /* "[3,4]" */
        at = pos - 1;
        return at > 0 && quantity_is_digit(s, at - 1);
    }
    return false;
}

/* Digits that a letter follows need a unit there. */
static bool is_glued(struct sv s, const struct quantity *q)
{
    if (q->end >= s.n)
        return false;
    size_t at = q->end;
    uint32_t cp = utf8_next(s, &at);
    if (cp == ']' || cp == '_' || (cp == ',' && quantity_is_digit(s, at)))
        return true; /* "[12]"; "12,5" could be anything */
    return q->unit == UNIT_NONE && (utf8_is_letter(cp) || cp == '\'');
}

static void push(struct quantities *list, const struct quantity *q)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = *q;
}

void quantities_release(struct quantities *list)
{
    free(list->items);
    *list = (struct quantities){ 0 };
}

#define CHAIN_MAX 12

/* One text being read. */
struct scan {
    const struct units *units;
    struct sv text;
    bool all;         /* words, too, and only what counts */
    size_t floor;     /* what is taken already */
    size_t label_end; /* of the last number that was none */
    size_t fixed_end; /* of the last one that a word makes a label: "phases 3, 5 and" */
    struct quantities *list;
    /* Bare numbers of the list that the last number belongs to: "5, 10 and" of "20 °C" */
    struct quantity chain[CHAIN_MAX];
    size_t n_chain, n_listed; /* n_listed: how many of them are in the list */
};

static void put(struct scan *c, struct quantity *q)
{
    if (q->op == Q_IS)
        q->op = op_of_words(c->text, q->start);
    quantity_place(q);
    q->from = q->start;
    if (c->all) {
        q->from = quantity_lead(c->text, q);
        if (q->from < c->floor)
            q->from = q->start;
    }
    push(c->list, q);
    c->floor = q->end > c->floor ? q->end : c->floor;
}

/* "5, 10 and 20 °C": the unit is that of all. Those in the list already are its last. */
static void share_unit(struct scan *c, const struct quantity *q)
{
    c->list->n -= c->n_listed;
    for (size_t i = 0; i < c->n_chain; i++) {
        c->chain[i].unit = q->unit;
        c->chain[i].unit_text = q->unit_text;
        c->chain[i].from = c->chain[i].start;
        push(c->list, &c->chain[i]);
    }
}

static void take(struct scan *c, struct quantity *q, bool is_label)
{
    bool is_bare = q->is_bare || (q->unit == UNIT_NONE && q->op == Q_IS && isnan(q->error));
    bool goes_on = c->n_chain && !q->is_vague &&
                   quantity_shares(c->text, c->chain[c->n_chain - 1].end, q->start);
    if (!goes_on)
        c->n_chain = c->n_listed = 0;
    if (goes_on && q->unit != UNIT_NONE && !is_label) {
        share_unit(c, q);
        c->n_chain = c->n_listed = 0;
    }
    if (c->all && is_bare && !q->is_vague && !q->is_year && !q->has_minus &&
        c->n_chain < CHAIN_MAX && c->fixed_end != q->end) {
        c->chain[c->n_chain++] = *q;
        c->n_listed += !is_label;
    } else {
        c->n_chain = c->n_listed = 0;
    }
    if (!is_label)
        put(c, q);
}

/* Try the quantity whose digits start at pos. The byte to go on from. */
static size_t scan_digits(struct scan *c, size_t pos)
{
    struct sv s = c->text;
    size_t past = pos;
    while (past < s.n && (quantity_is_digit(s, past) || s.p[past] == '.'))
        past++;
    if (c->all && pos > c->floor && s.p[pos - 1] == '.' && quantity_is_fraction(s, pos - 1))
        pos--;
    size_t start = start_of(s, c->floor, pos);
    if (is_inside(s, pos) && start == pos)
        return past;
    struct sv before = quantity_word_before(s, start);
    struct quantity q;
    bool between = vocab_word_is(before, "between");
    if (!quantity_read(c->units, s, start, between, &q)) {
        size_t inner = start + (s.p[start] == '('); /* "(>57 wt% SiO2)" keeps its sign */
        if ((inner == start || !quantity_read(c->units, s, inner, between, &q)) &&
            (start == pos || !quantity_read(c->units, s, pos, between, &q)))
            return past;
    }
    bool has_op = q.op != Q_IS; /* a sign: "P∼9.5 days", "p <0.01" are no labels */
    bool is_named = is_label_word(before) || (c->all && quantity_is_label(before));
    bool is_label = is_named && !(c->all && has_op);
    quantity_warn(c->units, s, &q);
    if ((is_inside(s, q.start) && !(c->all && has_op)) || is_glued(s, &q)) {
        c->label_end = is_label ? q.end : c->label_end;
        return q.end > past ? q.end : past;
    }
    if (c->all && !is_label)
        is_label = (q.unit == UNIT_NONE && quantity_goes_on(s, c->label_end, q.start)) ||
                   !quantity_counts(s, &q);
    if (is_label && (is_named || quantity_goes_on(s, c->fixed_end, q.start)))
        c->fixed_end = q.end;
    c->label_end = is_label ? q.end : c->label_end;
    take(c, &q, is_label);
    return q.end > past ? q.end : past;
}

/* Try the number in words at pos; the byte to go on from. */
static size_t scan_word(struct scan *c, size_t pos)
{
    struct quantity q;
    struct sv s = c->text;
    if (quantity_read_word(c->units, s, pos, &q) && q.start >= c->floor &&
        (q.end >= s.n || !utf8_is_letter(utf8_next(s, &(size_t){ q.end })))) {
        take(c, &q, false);
        return q.end;
    }
    while (pos < s.n && ((s.p[pos] | 32) >= 'a' && (s.p[pos] | 32) <= 'z'))
        pos++;
    return pos;
}

static void scan(struct scan *c, const struct entities *skip)
{
    size_t next = 0;
    c->list->n = 0;
    for (size_t pos = 0; pos < c->text.n;) {
        while (next < skip->n && skip->items[next].end <= pos)
            c->floor = skip->items[next++].end;
        if (next < skip->n && pos >= skip->items[next].start) {
            c->floor = pos = skip->items[next++].end;
            continue;
        }
        size_t to = next < skip->n ? skip->items[next].start : c->text.n;
        while (!c->all && pos < to && (unsigned char)(c->text.p[pos] - '0') > 9)
            pos++;
        if (pos >= to)
            continue;
        /* a unit may look like an element: "5 K"; so the whole text may be read */
        char ch = c->text.p[pos];
        if (ch >= '0' && ch <= '9')
            pos = scan_digits(c, pos);
        else if (c->all && (ch | 32) >= 'a' && (ch | 32) <= 'z')
            pos = scan_word(c, pos);
        else
            pos++;
    }
}

void quantity_scan(const struct units *u, struct sv text, const struct entities *skip,
                   struct quantities *list)
{
    struct scan c = { .units = u, .text = text, .list = list };
    scan(&c, skip);
}

void quantity_scan_all(const struct units *u, struct sv text, const struct entities *skip,
                       struct quantities *list)
{
    struct scan c = { .units = u, .text = text, .list = list, .all = true };
    scan(&c, skip);
}
