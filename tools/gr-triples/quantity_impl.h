// SPDX-License-Identifier: MIT
/*
 * quantity_impl.h — what quantity.c (reading) and quantity_scan.c (finding) share
 */
#ifndef QUANTITY_IMPL_H
#define QUANTITY_IMPL_H

#include "quantity.h"

bool quantity_is_digit(struct sv s, size_t pos);

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

#endif
