// SPDX-License-Identifier: MIT
/*
 * quantity_impl.h — what the files that read, find, judge quantities share
 */
#ifndef QUANTITY_IMPL_H
#define QUANTITY_IMPL_H

#include "quantity.h"

static inline bool eat(struct sv s, size_t *pos, const char *what)
{
    size_t n = strlen(what);
    if (s.n - *pos < n || memcmp(s.p + *pos, what, n) != 0)
        return false;
    *pos += n;
    return true;
}

static inline bool eat_any(struct sv s, size_t *pos, const char *const what[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (eat(s, pos, what[i]))
            return true;
    return false;
}

static inline void eat_blanks(struct sv s, size_t *pos)
{
    static const char *const blanks[] = { " ",        "\n",           "\t",          "\r",
                                          "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89" };
    for (unsigned i = 0; i < 3 && *pos < s.n; i++) {
        unsigned char c = (unsigned char)s.p[*pos];
        if (c == ' ')
            ++*pos;
        else if ((c > ' ' && c < 0x80) || !eat_any(s, pos, blanks, ARRAY_LEN(blanks)))
            return;
    }
}

bool quantity_is_digit(struct sv s, size_t pos);

/* Does ".64" stand at the dot at pos, as after a blank or a sign? */
bool quantity_is_fraction(struct sv s, size_t pos);

/* Step over a minus sign, hyphen or dash at *pos. */
bool quantity_eat_minus(struct sv s, size_t *pos);

struct number {
    double value;
    double compact_error; /* "0.512638(12)"; NAN: none */
    size_t decimals;
    int power; /* of ten, as written */
    bool has_sign, has_power;
    bool has_e;    /* "1.2e-5" */
    bool is_loose; /* "12 500", "1,5", "1 1/2": a number only with a unit behind it */
};

/* The number at *pos, which moves behind it; with and without a sign. loose: also such as need
 * a unit. False: none, or out of a double's reach. */
bool quantity_number(struct sv s, size_t *pos, bool loose, struct number *out);
bool quantity_number_unsigned(struct sv s, size_t *pos, bool loose, struct number *out);

/* "× 10^n" behind a number: *power gets n. */
bool quantity_times_ten(struct sv s, size_t *pos, int *power);

/* ---- quantity_error.c ---- */

/* "± 0.4", "+0.3/−0.2" behind the number *value: into *q. */
void quantity_read_error(const struct units *u, struct sv s, size_t *pos,
                         const struct number *value, struct quantity *q);

/* The unit behind an error; one of its own is put in that of q. */
void quantity_read_error_unit(const struct units *u, struct sv s, size_t *pos,
                              struct quantity *q);

/* "(2σ)", " 2σ" behind an error. The bracket is stepped over if it holds nothing else. */
void quantity_read_error_kind(struct sv s, size_t *pos, struct quantity *q);

/* What a value in `from` is multiplied with for one in `to`. False: not comparable. */
bool quantity_factor(const struct units *u, uint32_t from, uint32_t to, double *factor);

/* Step over a sign such as "<", "~", "≥" and the blanks behind it; q->op tells which. */
void quantity_read_op(struct sv s, size_t *pos, struct quantity *q);

/* Put a single number of "<5" or "up to 5" into q->high; order the ends of a range. */
void quantity_place(struct quantity *q);

/* The quantity that starts at pos, operators and brackets first. between: the word before, so
 * that "and" joins a range. Fills *q; false: none. */
bool quantity_read(const struct units *u, struct sv s, size_t pos, bool between,
                   struct quantity *q);

/* An empty quantity at pos. */
struct quantity quantity_none(size_t pos);

/* The unit behind blanks or a hyphen at *pos, which moves; *text: of UNIT_TEXT. */
uint32_t quantity_read_unit(const struct units *u, struct sv s, size_t *pos, struct sv *text);

/* The word before byte pos, a dot behind it left out; empty when there is none. */
struct sv quantity_word_before(struct sv s, size_t pos);

/* ---- quantity_word.c ---- */

/* A number in words that starts at byte pos, with its article ("a few hundred metres"). */
bool quantity_read_word(const struct units *u, struct sv s, size_t pos, struct quantity *q);

/* " million" behind a number: its value, and *pos moves; else 1. */
double quantity_scale(struct sv s, size_t *pos);

/* ---- quantity_judge.c ---- */

/* Does q count or measure something? Not: years, labels, references, torn superscripts. */
bool quantity_counts(struct sv s, const struct quantity *q);

/* Words whose number is a label, beside those that quantity_scan knows. */
bool quantity_is_label(struct sv word);

/* A buffer of oxygen fugacity, which a number of log units is added to: "FMQ+1.5"? */
bool quantity_is_buffer(struct sv word);

/* "60" of "50 or 60 houses": an alternative with its noun. */
bool quantity_is_counted(struct sv s, const struct quantity *q);

/* Is there a Greek letter, no unit, or a bracket before one, at byte pos: "(δc − δw)"? */
bool quantity_is_variable(struct sv s, size_t pos);

/* Set q->warn where a sign or a power may have been lost. */
void quantity_warn(const struct units *u, struct sv s, struct quantity *q);

/* Does the number at pos go on with the list whose last number ends at `last`? */
bool quantity_goes_on(struct sv s, size_t last, size_t pos);

/* Is it that between the sides of a thing: "20 × 30 km"? */
bool quantity_is_side(struct sv s, size_t last, size_t pos);

/* Is the gap from `last` to pos one that shares a unit: "5, 10 and 20 °C"? */
bool quantity_shares(struct sv s, size_t last, size_t pos);

/* ---- units_compose.c ---- */

/* The end of a unit at byte pos that is made of symbols ("mA/cm2", "W m−2 K−1"), whether a
 * table lists it or not; pos when there is none. A lone symbol counts when it cannot well be a
 * label: "GHz", not "C". */
size_t units_compose(struct sv text, size_t pos);

/* Where symbols with bare exponents behind a unit end ("mol" of "mol m2 s1", which was
 * "m−2 s−1"); pos when there are none. */
size_t units_lost_sign(struct sv text, size_t pos);

/* ---- quantity_odd.c ---- */

/* "10:1" whose digits start at pos, but no time of day: low is their quotient. */
bool quantity_read_ratio(struct sv s, size_t pos, struct quantity *q);

/* "1O ppm", "l0 ppm" around the digit at pos: no number, a warning. */
bool quantity_read_smudged(const struct units *u, struct sv s, size_t pos, struct quantity *q);

/* ---- quantity_lead.c ---- */

/* Where the leading words of q begin ("up to", "from … to"); what they say goes into q->op. */
size_t quantity_lead(const struct units *u, struct sv s, struct quantity *q);

#endif
