// SPDX-License-Identifier: MIT
/*
 * quantity_impl.h — what quantity.c (reading) and quantity_scan.c (finding) share
 */
#ifndef QUANTITY_IMPL_H
#define QUANTITY_IMPL_H

#include "quantity.h"

bool quantity_is_digit(struct sv s, size_t pos);

/* Does ".64" stand at the dot at pos, as after a blank or a sign? */
bool quantity_is_fraction(struct sv s, size_t pos);

/* Step over a minus sign, hyphen or dash at *pos. */
bool quantity_eat_minus(struct sv s, size_t *pos);

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

/* Set q->warn where a sign or a power may have been lost. */
void quantity_warn(const struct units *u, struct sv s, struct quantity *q);

/* Does the number at pos go on with the list whose last number ends at `last`? */
bool quantity_goes_on(struct sv s, size_t last, size_t pos);

/* Is the gap from `last` to pos one that shares a unit: "5, 10 and 20 °C"? */
bool quantity_shares(struct sv s, size_t last, size_t pos);

/* Where the leading words of q begin ("up to", "from … to"). */
size_t quantity_lead(struct sv s, const struct quantity *q);

#endif
