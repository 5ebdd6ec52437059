// SPDX-License-Identifier: MIT
/*
 * quantity_judge.c — what a bare number is: a count or value, or a label, year, reference,
 * index
 */
#include <math.h>

#include "scan.h"
#include "quantity_impl.h"
#include "utf8.h"

/* Words before a number that make it one: prepositions, verbs, determiners. strong: even when
 * nothing counted follows. Sorted by use, not by name: the list is short. */
static const char *const strong_words[] = {
    "of",
    "to",
    "than",
    "by",
    "at",
    "is",
    "was",
    "were",
    "are",
    "between",
    "from",
    "least",
    "most",
    "about",
    "only",
    "nearly",
    "reached",
    "reaches",
    "exceeded",
    "exceeding",
    "be",
    "been",
    "over",
    "above",
    "below",
    "around",
    "equal",
    "equals",
    "approximately",
    "roughly",
    "almost",
    "near",
    "within",
    "ca",
    "circa",
    "all",
    "exactly",
    "aged",
    "until",
    "through",
    "into",
    "exceeds",
};
static const char *const weak_words[] = {
    "in",         "and",       "or",         "for",       "on",      "with",       "the",
    "these",      "those",     "all",        "first",     "last",    "next",       "every",
    "each",       "per",       "total",      "another",   "just",    "other",      "after",
    "before",     "during",    "using",      "had",       "has",     "have",       "having",
    "include",    "includes",  "including",  "contains",  "contain", "containing", "comprises",
    "comprising", "some",      "additional", "our",       "their",   "its",        "whole",
    "as",         "a",         "an",         "any",       "show",    "shows",      "give",
    "gives",      "yield",     "yields",     "where",     "while",   "than",       "then",
    "that",       "which",     "when",       "if",        "but",     "both",       "previous",
    "past",       "remaining", "further",    "involving", "via",     "under",      "across",
    "took",       "need",      "requires",   "require",   "uses",    "used",       "use",
    "out",        "list",      "lists",      "report",    "reports", "present",    "presents",
    "analyse",    "analyze",   "describe",   "measure",
};
/* Words behind a number that are nothing to count. */
static const char *const no_nouns[] = {
    "and",   "or",           "to",     "in",      "is",     "was",   "were",    "are",
    "of",    "for",          "the",    "with",    "by",     "at",    "from",    "on",
    "as",    "that",         "which",  "has",     "have",   "had",   "show",    "shows",
    "where", "when",         "than",   "then",    "but",    "if",    "while",   "can",
    "may",   "will",         "would",  "could",   "should", "after", "before",  "into",
    "over",  "also",         "does",   "exhibit", "using",  "being", "because", "however",
    "vs",    "respectively", "having", "been",    "be",     "did",   "not",     "shown",
    "see",   "per",          "via",    "et",
};

bool quantity_is_label(struct sv word)
{
    static const char *const words[] = {
        "phases",   "steps",     "stages",   "units",  "zones",  "groups", "experiments",
        "runs",     "spots",     "grains",   "layers", "line",   "lines",  "algorithm",
        "listing",  "example",   "examples", "claim",  "claims", "code",   "codes",
        "case",     "cases",     "class",    "scores", "lane",   "panel",  "panels",
        "compound", "compounds", "question", "item",   "items",  "types",  "stations",
        "holes",    "cores",     "legs",     "sheet",  "plate",
    };
    return VOCAB_AMONG(word, words);
}

/* Does something counted follow: "12 samples", "3 large eggs", "96-well"? */
static bool has_noun_behind(struct sv s, size_t end)
{
    if (end + 3 >= s.n || (s.p[end] != ' ' && s.p[end] != '-'))
        return false;
    size_t to = end + 1;
    while (to < s.n && (scan_is_lower(s.p[to]) || (to == end + 1 && (s.p[to] | 32) != s.p[to])))
        to++;
    struct sv word = sv_from_to(s, end + 1, to);
    return word.n >= 3 && scan_is_lower(word.p[0]) && !VOCAB_AMONG(word, no_nouns);
}

static bool is_verb(struct sv word)
{
    return word.n > 4 && (sv_ends(word, SV("ed")) || sv_ends(word, SV("ing")));
}

/* The character before byte pos, blanks skipped; 0 at the start. *at: where it begins. */
static uint32_t mark_before(struct sv s, size_t pos, size_t *at)
{
    while (pos > 0 && (s.p[pos - 1] == ' ' || s.p[pos - 1] == '\n'))
        pos--;
    if (pos == 0)
        return 0;
    *at = utf8_floor(s, pos - 1);
    return utf8_before(s, pos);
}

/* Degrees, minutes, seconds of a place; hours and minutes of a time; "1:10". */
static bool is_clock(struct sv s, const struct quantity *q)
{
    struct sv rest = sv_from_to(s, q->end, s.n);
    bool after = rest.n > 1 && rest.p[0] == ':' && quantity_is_digit(rest, 1);
    bool before =
        q->start > 1 && s.p[q->start - 1] == ':' && quantity_is_digit(s, q->start - 2);
    return after || before;
}

/* "F(3, 8)", "t(39)": the arguments of a function. */
static bool is_argument(struct sv s, size_t start)
{
    size_t at = start;
    while (at > 0 && (quantity_is_digit(s, at - 1) || strchr(" ,.", s.p[at - 1])))
        at--;
    return at > 1 && s.p[at - 1] == '(' &&
           (((s.p[at - 2] | 32) >= 'a' && (s.p[at - 2] | 32) <= 'z') || s.p[at - 2] == '-');
}

bool quantity_is_buffer(struct sv word)
{
    static const char *const names[] = { "FMQ", "QFM", "NNO", "IW", "MW", "HM", "CCO", "WM" };
    return sv_in(word, names, ARRAY_LEN(names));
}

/* A superscript torn off: "day −1", "cm− 2", "10 −7", "CO 2". */
static bool is_torn(struct sv s, const struct quantity *q)
{
    size_t at = q->start;
    bool is_long = fabs(q->low) > 99 || floor(q->low) < q->low; /* no exponent */
    if (!q->has_minus || is_long || at == 0 || s.p[at - 1] != ' ')
        return false;
    uint32_t cp = utf8_before(s, at - 1);
    if (utf8_is_digit(cp) || cp == ')')
        return true;
    struct sv before = quantity_word_before(s, at);
    if (quantity_is_buffer(before)) /* "NNO −0.5" */
        return false;
    return utf8_is_letter(cp) && !VOCAB_AMONG(before, strong_words) &&
           !VOCAB_AMONG(before, weak_words) && !is_verb(before);
}

/* A heading's number: "2.1 Methods" at the start of a line. */
static bool is_heading(struct sv s, const struct quantity *q)
{
    size_t end = q->end;
    if (q->start > 0 && s.p[q->start - 1] != '\n')
        return false;
    while (end < s.n && (s.p[end] == '.' || s.p[end] == ' '))
        end++;
    return end > q->end && end < s.n && s.p[end] >= 'A' && s.p[end] <= 'Z';
}

/* "14 of the 36 samples", "87 (78%)" */
static bool is_part_of(struct sv s, size_t end)
{
    struct sv rest = sv_from_to(s, end, s.n);
    size_t at = 2;
    while (
        sv_starts(rest, SV(" (")) &&
        (quantity_is_digit(rest, at) || (at > 2 && at < 8 && rest.n > at && rest.p[at] == '.')))
        at++;
    if (at > 2 && at < rest.n && rest.p[at] == '%')
        return true;
    return sv_starts(rest, SV(" of ")) &&
           (sv_starts(rest, SV(" of the ")) || sv_starts(rest, SV(" of these ")) ||
            quantity_is_digit(rest, 4));
}

static bool bare_counts(struct sv s, const struct quantity *q)
{
    size_t at = 0;
    uint32_t mark = mark_before(s, q->start, &at);
    bool has_noun = has_noun_behind(s, q->end);
    bool is_index = mark == '#' && at > 0 && scan_is_lower(s.p[at - 1]); /* "Mg# 72" */
    if (mark == '=' || mark == 0x2248 || mark == 0x2261 || mark == 0xBC /* a lost = */ ||
        is_index)
        return true;
    if (mark == '(' || mark == '[')
        return has_noun && mark == '(';
    if (mark == 0 || !utf8_is_letter(mark))
        return (has_noun || (mark == ',' && is_part_of(s, q->end))) &&
               (mark != '.' || s.p[q->start - 1] == ' ');
    struct sv before = quantity_word_before(s, q->start);
    if (before.n + 1 != (size_t)(s.p + q->start - before.p))
        return false; /* glued, or no plain word */
    if (sv_is(before, "pH") || VOCAB_AMONG(before, strong_words))
        return true;
    return (has_noun || is_part_of(s, q->end)) &&
           (VOCAB_AMONG(before, weak_words) || is_verb(before));
}

/* A gap of a list: ", ", " and ", "–", " to ". */
static bool is_list_gap(struct sv gap)
{
    static const char *const gaps[] = { ", ",    " and ", ", and ", " or ", "\xe2\x80\x93",
                                        "-",     " to ",  ",",      " & ",  "; ",
                                        ", or ", " -",    " and -" };
    for (size_t i = 0; i < ARRAY_LEN(gaps); i++)
        if (sv_eq(gap, sv_from(gaps[i])))
            return true;
    return false;
}

bool quantity_is_counted(struct sv s, const struct quantity *q)
{
    static const char *const words[] = { "or" };
    return q->is_bare && has_noun_behind(s, q->end) &&
           VOCAB_AMONG(quantity_word_before(s, q->start), words);
}

bool quantity_goes_on(struct sv s, size_t last, size_t pos)
{
    return last < pos && pos - last < 8 && is_list_gap(sv_from_to(s, last, pos));
}

/* The sign of degrees, minutes or seconds of arc? */
static bool is_degree(uint32_t cp)
{
    return cp == 0xB0 || cp == 0xBA || cp == 0x2032 || cp == 0x2019 || cp == 0x2033;
}

/* " north" behind degrees but not kilometres, " a.m." behind an hour */
static bool is_told(struct sv s, const struct quantity *q)
{
    static const char *const words[] = {
        " a.m.", " p.m.", " north", " south", " east", " west"
    };
    struct sv rest = sv_from_to(s, q->end, s.n);
    bool has_compass = q->unit == UNIT_NONE || is_degree(utf8_before(s, q->end)) ||
                       sv_ends(sv_from_to(s, q->start, q->end), SV("degrees"));
    for (size_t i = 0; i < (has_compass ? ARRAY_LEN(words) : 2); i++)
        if (sv_starts(rest, sv_from(words[i])))
            return true;
    return false;
}

/* "57°44′8″N", "47.5° S" */
static bool is_place(struct sv s, const struct quantity *q)
{
    size_t at = q->end;
    bool has_sign = is_degree(utf8_before(s, at));
    if (!has_sign && at < s.n && is_degree(utf8_next(s, &(size_t){ at })))
        has_sign = (utf8_next(s, &at), true); /* "37.75°N": no unit */
    if (at < s.n && s.p[at] == ' ')
        at++;
    if (at < s.n && strchr("NSEW", s.p[at]) && has_sign &&
        (at + 1 == s.n || !utf8_is_letter(utf8_next(s, &(size_t){ at + 1 }))))
        return true;
    uint32_t before = q->start ? utf8_before(s, q->start) : ' ', last = utf8_before(s, q->end);
    return is_degree(before) || (is_degree(last) && quantity_is_digit(s, q->end));
}

bool quantity_is_side(struct sv s, size_t last, size_t pos)
{
    static const char *const gaps[] = { " \xc3\x97 ", "\xc3\x97", " x ", " by " };
    struct sv gap = sv_from_to(s, last, pos);
    for (size_t i = 0; i < ARRAY_LEN(gaps); i++)
        if (sv_eq(gap, sv_from(gaps[i])))
            return true;
    return false;
}

bool quantity_shares(struct sv s, size_t last, size_t pos)
{
    static const char *const gaps[] = { ", ",  " and ",   ", and ", " or ",  ", or ",  " & ",
                                        "-, ", "-, and ", "- and ", "- or ", "-, or ", " to " };
    struct sv gap = sv_from_to(s, last, pos);
    for (size_t i = 0; i < ARRAY_LEN(gaps); i++)
        if (sv_eq(gap, sv_from(gaps[i])))
            return true;
    return false;
}

/* "10.1016/j.gca", "22/10a-4", "+1 650 723": a part of an identifier. */
static bool is_code(struct sv s, const struct quantity *q)
{
    struct sv rest = sv_from_to(s, q->end, s.n);
    if (rest.n > 1 && rest.p[0] == '/' &&
        ((unsigned char)((rest.p[1] | 32) - 'a') < 26 || quantity_is_digit(rest, 1)) &&
        isnan(q->error))
        return true;
    bool is_plus = q->start < q->end && s.p[q->start] == '+';
    return is_plus && rest.n > 4 && (rest.p[0] == ' ' || rest.p[0] == '-') &&
           quantity_is_digit(rest, 1) && quantity_is_digit(rest, 2) &&
           quantity_is_digit(rest, 3);
}

/* "the 1815 eruption": one thing, which happened then. */
static bool is_event(struct sv s, const struct quantity *q)
{
    size_t end = q->end, to = end + 1;
    if (!vocab_word_is(quantity_word_before(s, q->start), "the"))
        return false;
    while (to < s.n && (scan_is_lower(s.p[to]) || s.p[to] == '-'))
        to++;
    struct sv word = sv_from_to(s, end + 1, to);
    return s.p[end] == ' ' && !sv_ends(word, SV("s")) && !sv_is(word, "people");
}

/* "values (×10−3)": what values of a table are multiplied with. */
static bool is_factor(struct sv s, size_t start)
{
    if (start > 0 && s.p[start - 1] == ' ')
        start--;
    return start > 1 && utf8_before(s, start) == 0xD7;
}

bool quantity_is_variable(struct sv s, size_t pos)
{
    pos += pos < s.n && s.p[pos] == '(';
    if (pos >= s.n)
        return false;
    size_t next = pos;
    uint32_t cp = utf8_next(s, &next);
    return cp >= 0x391 && cp <= 0x3C9 && cp != 0x3BC && cp != 0x3C3;
}

/* "16.9 − 4.2(δc − δw)", "0.13(δ": a number of an equation. */
static bool is_term(struct sv s, const struct quantity *q)
{
    size_t at = q->end;
    if (at < s.n && s.p[at] == '(' && quantity_is_variable(s, at))
        return true;
    eat_blanks(s, &at);
    if (at == q->end || (!eat(s, &at, "+") && !quantity_eat_minus(s, &at)))
        return false;
    eat_blanks(s, &at);
    struct number n;
    return quantity_number_unsigned(s, &at, false, &n) &&
           (eat_blanks(s, &at), quantity_is_variable(s, at));
}

bool quantity_counts(struct sv s, const struct quantity *q)
{
    if (is_place(s, q) || is_told(s, q) || is_term(s, q))
        return false;
    if (q->unit != UNIT_NONE)
        return !is_torn(s, q);
    if (is_clock(s, q) || is_code(s, q) || is_argument(s, q->start) || is_torn(s, q) ||
        is_heading(s, q))
        return false;
    size_t at;
    bool is_equal = mark_before(s, q->start, &at) == '=';
    if (q->is_year && q->op == Q_IS && !is_equal &&
        (!has_noun_behind(s, q->end) || is_event(s, q)))
        return false;
    if (!q->is_whole && is_factor(s, q->start))
        return false;
    return !q->is_bare || bare_counts(s, q);
}

/* ---- what may have been lost ---- */

/* " 5 km" behind "10": the unit tells that these are one number. The byte after the 5, or pos.
 */
static size_t plain_power(const struct units *u, struct sv s, size_t pos)
{
    size_t at = pos + 1, n = 0;
    while (n < 3 && quantity_is_digit(s, at + n))
        n++;
    size_t after = at + n;
    struct sv text;
    bool is_power = n > 0 && n < 3 && s.p[at] != '0' && pos < s.n && s.p[pos] == ' ' &&
                    quantity_read_unit(u, s, &after, &text) != UNIT_NONE;
    return is_power ? at + n : pos;
}

/* "10 −7": the superscript of a power of ten came down. The byte after it, or pos. */
static size_t power_behind(const struct units *u, struct sv s, size_t pos)
{
    size_t at = pos;
    if (at < s.n && s.p[at] == ' ')
        at++;
    if (quantity_is_digit(s, at))
        return plain_power(u, s, pos);
    if (!quantity_eat_minus(s, &at) || !quantity_is_digit(s, at))
        return pos;
    while (quantity_is_digit(s, at))
        at++;
    return at < s.n && (s.p[at] == '.' || s.p[at] == ',') && quantity_is_digit(s, at + 1) ? pos
                                                                                          : at;
}

/* "106 years", "1018 Pa s": 10⁶ that lost its superscript? The number stays. */
static bool may_be_power(const struct units *u, const struct quantity *q)
{
    struct sv name = units_name(u, q->unit);
    bool is_small = q->low > 102 && q->low < 110;
    bool is_viscous = sv_is(name, "Pa s") && q->low > 1009 && q->low < 1026;
    if (q->is_whole && sv_is(name, "Pa s") && q->low > 100 && q->high < 130)
        return true; /* "103–105 Pa s" */
    return q->is_whole && isnan(q->high) && isnan(q->error) &&
           ((sv_is(name, "a") && is_small) || is_viscous);
}

/* "25e62 ppm": an e for the dash of a range? */
static bool may_be_range(struct sv s, const struct quantity *q)
{
    size_t at = q->start;
    unsigned a = 0, b = 0;
    for (; quantity_is_digit(s, at) && a < 1000; at++)
        a = a * 10 + (unsigned)(s.p[at] - '0');
    if (at >= q->end || s.p[at] != 'e' || q->unit == UNIT_NONE)
        return false;
    for (at++; quantity_is_digit(s, at) && b < 1000; at++)
        b = b * 10 + (unsigned)(s.p[at] - '0');
    return b > a;
}

void quantity_warn(const struct units *u, struct sv s, struct quantity *q)
{
    size_t lost = q->unit == UNIT_NONE || q->has_letter ? q->end : units_lost_sign(s, q->end);
    if (lost > q->end && isnan(q->error)) {
        size_t begin = q->end;
        while (begin > q->start && s.p[begin - 1] != ' ' && !quantity_is_digit(s, begin - 1))
            begin--;
        q->unit = UNIT_TEXT;
        q->unit_text = sv_from_to(s, begin, lost);
        q->end = lost;
        q->warn = "the sign of an exponent may be lost";
        return;
    }
    size_t from = q->start;
    while (from < q->end && !quantity_is_digit(s, from)) /* "<10 −3 ppm" */
        from++;
    double value = isnan(q->low) ? q->high : q->low;
    bool is_ten = value == 10 && sv_starts(sv_from_to(s, from, q->end), SV("10"));
    bool is_one = isnan(q->low) || isnan(q->high);
    size_t end = from + 2;
    if (is_ten && q->unit == UNIT_NONE && is_one && isnan(q->error) &&
        (end = power_behind(u, s, end)) > from + 2) {
        q->end = end;
        q->unit = quantity_read_unit(u, s, &q->end, &q->unit_text);
        q->warn = "may be a power of ten";
        q->is_vague = true; /* the number is not what stands there */
        q->low = q->high = NAN;
        q->is_bare = false;
    } else if (q->low < 10 && q->high == 10 && units_kind(u, q->unit) != UNIT_AGE &&
               sv_starts(sv_from_to(s, q->start, q->end), SV("10"))) {
        q->warn = "may be a power of ten"; /* "10–7 mol/L", a range that falls */
    } else if (may_be_power(u, q)) {
        q->warn = "may be a power of ten";
    } else if (may_be_range(s, q)) {
        q->warn = "may be a range";
    } else if (units_kind(u, q->unit) == UNIT_DELTA && q->low >= 200 && q->low < 300 &&
               s.p[q->start] == '2' && isnan(q->high)) {
        q->warn = "minus sign may have become a digit";
    }
}
