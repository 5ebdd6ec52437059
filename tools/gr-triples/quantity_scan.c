// SPDX-License-Identifier: MIT
/*
 * quantity_scan.c — finding quantities in running text, and leaving out what is none
 */
#include <math.h>

#include "alloc.h"
#include "quantity_impl.h"
#include "scan.h"
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

/* Words whose number is a label, whatever stands behind it. */
static bool is_paper_word(struct sv word)
{
    static const char *const labels[] = {
        "fig",   "figs",     "figure",    "figures",  "table", "tables", "eq",
        "eqs",   "equation", "equations", "ref",      "refs",  "no",     "section",
        "sect",  "sections", "chapter",   "appendix", "p",     "pp",     "page",
        "pages", "version",  "volume",    "vol",
    };
    return VOCAB_AMONG(word, labels);
}

/* Words whose number is a label if it has no unit: "site 5", but "a core 5 m long". */
static bool is_label_word(struct sv word)
{
    static const char *const labels[] = {
        "sample", "samples", "sol",     "sols",       "site",  "sites", "hole",
        "core",   "stage",   "zone",    "unit",       "type",  "group", "step",
        "leg",    "grain",   "spot",    "station",    "phase", "layer", "experiment",
        "run",    "number",  "isotope", "expedition",
    };
    return VOCAB_AMONG(word, labels);
}

/* Does the word before make q a label? is_open: "(" stands between them. */
static bool is_named_by(struct sv before, const struct quantity *q, bool is_open, bool all)
{
    if (is_paper_word(before)) /* "SDS-PAGE (12.5% …)" */
        return !is_open || q->is_bare;
    bool has_unit = q->unit != UNIT_NONE && (q->unit == UNIT_TEXT || !q->has_letter);
    return !has_unit && !is_open &&
           (is_label_word(before) || (all && quantity_is_label(before)));
}

static bool is_currency(struct sv c)
{
    return sv_is(c, "$") || sv_is(c, "\xc2\xa3") || sv_is(c, "\xe2\x82\xac");
}

/* "= + 7.2": the same for a plus, behind "=" alone. */
static bool is_plus_apart(struct sv s, size_t at)
{
    return s.p[at] == '+' && at > 1 && s.p[at - 1] == ' ' && s.p[at - 2] == '=';
}

/* "is - 4.5", "= - 4.5": a sign at byte `at` that a blank parts from its number, behind a word
 * that a value follows; elsewhere it is a dash. */
static bool is_sign_apart(struct sv s, size_t at, size_t gap)
{
    static const char *const words[] = { "is", "are",  "was", "were",
                                         "of", "from", "to",  "between" };
    size_t in = at;
    if (!quantity_eat_minus(s, &in) || in != gap || at < 2 || s.p[at - 1] != ' ')
        return false;
    return s.p[at - 2] == '=' || VOCAB_AMONG(quantity_word_before(s, at), words);
}

/* "post-2.5 Ga", "sub-500 °C": does a word that goes before numbers end at byte `end`? */
static bool is_prefix(struct sv s, size_t end)
{
    static const char *const words[] = { "post", "pre", "sub", "near", "pseudo" };
    size_t start = end;
    while (start > 0 && (unsigned char)((s.p[start - 1] | 32) - 'a') < 26)
        start--;
    return (start == 0 || scan_is_among(" (\n", s.p[start - 1])) &&
           vocab_word_in(sv_from_to(s, start, end), words, ARRAY_LEN(words));
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
        if (is_sign && is_prefix(s, at))
            break;
        in = at;
        quantity_read_op(s, &in, &q);
        bool is_op = in > at || is_currency(c);
        bool is_gap = sv_is(c, " ") && at > floor;
        if (is_gap) { /* only between an operator or a sign and its number */
            size_t before = utf8_floor(s, at - 1), to = before;
            quantity_read_op(s, &to, &q);
            if (to != at && to != at + 1 && !is_sign_apart(s, before, at) &&
                !is_plus_apart(s, before))
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
    if (cp == '.' && pos > 2 && vocab_word_is(sv_from_to(s, pos - 3, pos - 1), "ca") &&
        (pos == 3 || !utf8_is_letter(utf8_before(s, pos - 3)))) /* "ca.1.85 Ga" */
        return false;
    if (utf8_is_letter(cp) || utf8_is_digit(cp) || cp == '.' || cp == '_' || cp == '[' ||
        cp == ')' || cp == '/' || cp == '#' || cp == '^')
        return true;
    size_t at = pos;
    if (cp == '-' || cp == 0x2013 || cp == 0x2010 || cp == 0x2212) {
        at = utf8_floor(s, pos - 1);
        if (is_prefix(s, at))
            return false;
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
    bool all;             /* words, too, and only what counts */
    size_t floor;         /* what is taken already */
    size_t label_end;     /* of the last number that was none and no year */
    size_t fixed_end;     /* of the last one that a word makes a label: "phases 3, 5 and" */
    struct quantity torn; /* a bare number right before; end 0: none */
    struct quantities *list;
    /* Bare numbers of the list that the last number belongs to: "5, 10 and" of "20 °C" */
    struct quantity chain[CHAIN_MAX];
    size_t told_end; /* of the last number whose unit stands before it, */
    uint32_t told_unit;
    size_t n_chain, n_listed; /* n_listed: how many of them are in the list */
};

/* "better than ±0.05‰ (2SE)": an error, and no value. */
static void make_error(struct scan *c, struct quantity *q)
{
    if (q->from + 2 > q->start || utf8_before(c->text, q->from + 2) != 0xB1 ||
        !isnan(q->error) || !isnan(q->high))
        return;
    q->error = q->low;
    q->low = NAN;
    size_t end = q->end;
    quantity_read_error_kind(c->text, &end, q);
    q->end = end;
}

static void put(struct scan *c, struct quantity *q)
{
    q->from = quantity_lead(c->units, c->text, q);
    if (!c->all || q->from < c->floor)
        q->from = q->start;
    quantity_place(q);
    if (c->all)
        make_error(c, q);
    push(c->list, q);
    size_t past = q->past > q->end ? q->past : q->end;
    c->floor = past > c->floor ? past : c->floor;
}

/* "5, 10 and 20 °C": the unit is that of all. Those in the list already are its last. */
static void share_unit(struct scan *c, const struct quantity *q)
{
    c->list->n -= c->n_listed;
    for (size_t i = 0; i < c->n_chain; i++) {
        quantity_share_unit(&c->chain[i], q);
        c->chain[i].from = c->chain[i].start;
        push(c->list, &c->chain[i]);
    }
}

/* "545 ± 3 and 561 ± 5 Ma": numbers with an error share a unit with their like alone. */
static bool has_like_errors(const struct scan *c, const struct quantity *q)
{
    for (size_t i = 0; i < c->n_chain; i++)
        if (!isnan(c->chain[i].error) &&
            (isnan(q->error) || q->error_kind || c->chain[i].error_kind))
            return false;
    return true;
}

static void take(struct scan *c, struct quantity *q, bool is_label)
{
    bool is_bare = q->is_bare || (q->unit == UNIT_NONE && q->op == Q_IS);
    size_t last = c->n_chain ? c->chain[c->n_chain - 1].end : 0;
    bool is_side = c->n_chain && quantity_is_side(c->text, last, q->start) &&
                   (is_bare || units_kind(c->units, q->unit) == UNIT_LENGTH);
    bool goes_on =
        c->n_chain && !q->is_vague && (is_side || quantity_shares(c->text, last, q->start));
    if (!goes_on)
        c->n_chain = c->n_listed = 0;
    if (goes_on && q->unit != UNIT_NONE && !is_label) {
        if (has_like_errors(c, q))
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

/* "2. 5 wt%": a number torn in two, which nobody can put together for sure. */
static void mend_torn(struct scan *c, struct quantity *q, bool is_named, bool *is_label)
{
    struct sv s = c->text;
    bool is_behind = c->torn.end && c->torn.end + 2 == q->start && s.p[c->torn.end] == '.' &&
                     s.p[c->torn.end + 1] == ' ' && isnan(q->high);
    bool is_nought = is_behind && q->is_bare && *is_label && s.p[c->torn.start] == '0' &&
                     c->torn.end == c->torn.start + 1; /* "0. 7045" */
    bool is_ahead = c->torn.end && c->torn.end + 1 == q->start && s.p[c->torn.end] == ' ' &&
                    s.p[q->start] == '.'; /* "1 .2 Ga", "0 .7045" */
    if (is_ahead || (is_behind && (q->unit != UNIT_NONE || is_nought))) {
        *is_label = false;
        if (c->list->n && c->list->items[c->list->n - 1].start == c->torn.start)
            c->list->n--;
        q->start = c->torn.start;
        q->low = q->high = q->error = NAN;
        q->is_vague = true;
        q->warn = "number torn apart";
    }
    c->torn = q->is_bare && !is_named && !q->is_vague ? *q : (struct quantity){ 0 };
}

/* "½" and its like. */
static bool is_vulgar(struct sv s, size_t pos)
{
    if ((unsigned char)s.p[pos] != 0xC2 && (unsigned char)s.p[pos] != 0xE2)
        return false;
    uint32_t cp = utf8_next(s, &pos);
    return (cp >= 0xBC && cp <= 0xBE) || (cp >= 0x2150 && cp <= 0x215E);
}

/* The byte behind the bracket that ends soon after pos, or pos. */
static size_t past_bracket(struct sv s, size_t pos)
{
    for (size_t at = pos; at < s.n && at < pos + 40; at++)
        if (s.p[at] == ')' || s.p[at] == ']')
            return at + 1;
    return pos;
}

/* Does a slash part the number at pos from a quantity with a unit? */
static bool is_behind_slash(const struct scan *c, size_t pos)
{
    const struct quantity *last = c->list->n ? &c->list->items[c->list->n - 1] : NULL;
    return last && pos > 1 && c->text.p[pos - 1] == '/' && last->end == pos - 1 &&
           last->unit != UNIT_NONE && !last->is_vague;
}

/* "at 4 C and": degrees whose sign is lost, by the word before. */
static void read_bare_celsius(const struct scan *c, struct sv before, struct quantity *q)
{
    static const char *const words[] = { "at",   "below",       "above",
                                         "near", "temperature", "temperatures" };
    struct sv s = c->text;
    size_t at = q->end;
    bool is_alone = c->all && at + 1 < s.n && s.p[at] == ' ' && s.p[at + 1] == 'C' &&
                    (at + 2 == s.n || scan_is_among(" .,;)", s.p[at + 2]));
    if (q->unit != UNIT_NONE || !is_alone || !isnan(q->error) || !VOCAB_AMONG(before, words))
        return;
    q->unit = units_named(c->units, SV("\xc2\xb0"
                                       "C"));
    q->end = at + 2;
    q->is_bare = false;
}

/* "Zr (ppm) 85–140": the unit of a bare number in the bracket before it. */
static void read_unit_before(struct scan *c, struct quantity *q)
{
    struct sv s = c->text;
    size_t close = q->start, end;
    if (q->unit != UNIT_NONE || q->has_letter)
        return;
    if (c->told_end && quantity_shares(s, c->told_end, q->start)) { /* "14.5 and 16.7" */
        q->unit = c->told_unit;
        q->is_bare = q->is_year = false;
        c->told_end = q->end;
        return;
    }
    while (close > 5 && scan_is_among(" :=", s.p[close - 1]) && close + 4 > q->start)
        close--;
    if (close < 5 || close == q->start || s.p[close - 1] != ')')
        return;
    size_t open = --close;
    while (open > 0 && close - open < 16 && s.p[open] != '(')
        open--;
    if (s.p[open] != '(' || open + 2 > close)
        return;
    uint32_t unit = units_match(c->units, s, open + 1, &end);
    enum unit_kind kind = units_kind(c->units, unit);
    if (unit == UNIT_NONE || end != close || kind == UNIT_OTHER || kind == UNIT_LENGTH)
        return;
    c->told_unit = q->unit = unit;
    c->told_end = q->end;
    q->is_bare = q->is_year = false;
}

/* Try the quantity whose digits start at pos. The byte to go on from. */
static size_t scan_digits(struct scan *c, size_t pos)
{
    struct sv s = c->text;
    size_t past = pos;
    utf8_next(s, &past);
    while (past < s.n && (quantity_is_digit(s, past) || s.p[past] == '.'))
        past++;
    if (c->all && pos > c->floor && s.p[pos - 1] == '.' && quantity_is_fraction(s, pos - 1))
        pos--;
    size_t start = start_of(s, c->floor, pos);
    struct quantity q;
    if (c->all &&
        (quantity_read_ratio(s, pos, &q) || quantity_read_smudged(c->units, s, pos, &q)) &&
        q.start >= c->floor) {
        take(c, &q, false);
        return q.end;
    }
    bool is_next = c->all && is_behind_slash(c, pos); /* "500 °C/0.5 GPa" */
    if (is_inside(s, pos) && start == pos && !is_next)
        return past;
    struct sv before = quantity_word_before(s, start);
    struct sv first = before; /* "between ca. 300 and" */
    if (vocab_word_is(before, "ca") || vocab_word_is(before, "about"))
        first = quantity_word_before(s, (size_t)(before.p - s.p));
    bool between = vocab_word_is(first, "between");
    if (!quantity_read(c->units, s, start, between, &q)) {
        size_t inner = start + (s.p[start] == '('); /* "(>57 wt% SiO2)" keeps its sign */
        if ((inner == start || !quantity_read(c->units, s, inner, between, &q)) &&
            (start == pos || !quantity_read(c->units, s, pos, between, &q)))
            return past;
    }
    bool has_op = q.op != Q_IS; /* a sign: "P∼9.5 days", "p <0.01" are no labels */
    bool is_named = is_named_by(before, &q, s.p[start] == '(', c->all);
    bool is_label = is_named && !(c->all && has_op);
    quantity_warn(c->units, s, &q);
    read_bare_celsius(c, before, &q);
    read_unit_before(c, &q);
    bool is_added = c->all && !q.is_whole && quantity_is_buffer(before);
    if ((is_inside(s, q.start) && !(c->all && has_op) && !is_added && !is_next) ||
        is_glued(s, &q)) {
        if (is_label) /* "Figures 3I and 3J": the letter is the label's */
            c->label_end = q.end + (q.end < s.n && utf8_is_letter((unsigned char)s.p[q.end]));
        return q.end > past ? q.end : past;
    }
    bool in_list = c->n_chain && c->n_listed == c->n_chain && q.is_bare && !q.is_year &&
                   !is_named && quantity_shares(s, c->chain[c->n_chain - 1].end, q.start);
    if (c->all && !is_label && !in_list)
        is_label = ((q.unit == UNIT_NONE || q.has_letter) &&
                    quantity_goes_on(s, c->label_end, q.start) &&
                    !(c->label_end != c->fixed_end && quantity_is_counted(s, &q))) ||
                   !quantity_counts(s, &q);
    if (is_label && (is_named || quantity_goes_on(s, c->fixed_end, q.start)))
        c->fixed_end = q.end;
    c->label_end = is_label && !(q.is_year && !is_named) ? q.end : c->label_end;
    if (c->all)
        mend_torn(c, &q, is_named, &is_label);
    else if (q.past > q.end) /* "(2σ, MSWD = 1.1)": its numbers are no facts of a name */
        q.past = past_bracket(s, q.past);
    take(c, &q, is_label);
    past = q.past > past ? q.past : past;
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
        if (!c->all)
            pos = scan_to_digit(sv_from_to(c->text, 0, to), pos);
        if (pos >= to)
            continue;
        /* a unit may look like an element: "5 K"; so the whole text may be read */
        char ch = c->text.p[pos];
        if ((ch >= '0' && ch <= '9') || (c->all && is_vulgar(c->text, pos)))
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
