// SPDX-License-Identifier: MIT
/*
 * quantity.h — numbers as geochemists write them: ranges, errors, powers of ten, limits, units
 *
 * "0.7045–0.7062", "−6.2 to –3.1‰", "21.3 ± 0.4 Ma (2σ)", "<5 ppm", "~300 °C", "1.2 × 10⁻⁵",
 * "(1.35 ± 0.05) × 10 12 mol yr −1", "0.512638(12)". What is no quantity is left out: reference
 * numbers, figures and tables, years, labels such as "BH-12".
 */
#ifndef QUANTITY_H
#define QUANTITY_H

#include "buf.h"
#include "gr.h"
#include "sv.h"
#include "units.h"
#include "vocab.h"

enum quantity_op { Q_IS, Q_LESS, Q_AT_MOST, Q_MORE, Q_AT_LEAST, Q_ABOUT };

struct quantity {
    size_t start, end;      /* bytes [start, end) of the text */
    size_t from;            /* where its leading words begin ("up to", "about"); else start */
    double low, high;       /* NAN: not given. One number: low, or high for Q_LESS, Q_AT_MOST */
    double error;           /* NAN: not given. Alone, as in "better than ±0.05‰": no value */
    double error_low;       /* NAN: the same as error; else downwards: "+0.3/−0.2" */
    const char *error_kind; /* "2σ", "1σ", "2SE", "1SE", "2SD", "1SD", "95%", "%"; or NULL */
    enum quantity_op op;
    uint32_t unit;       /* UNIT_NONE: none */
    struct sv unit_text; /* of UNIT_TEXT: as the text has it */
    size_t past;         /* of what was read; 0: end. "(2σ, n = 5)" is read up to the comma */
    bool is_loose;       /* in reading: a number only with a unit ("12 500", "1,5") */
    bool has_letter;     /* its unit is one letter glued to the digits: "3J" */
    bool is_whole;       /* digits alone, whatever stands behind them */
    bool is_year;        /* a bare whole number that may be a year */
    bool is_bare;        /* a whole number with no unit, sign or power */
    bool has_minus;      /* written with a minus sign */
    const char *warn;    /* what may have been lost in its text; or NULL */
    bool is_vague;       /* "several tens of", "room": no number, or only its size */
};

struct quantities {
    struct quantity *items;
    size_t n, cap;
};
void quantities_release(struct quantities *list);

/* The unit of a list is that of its last: q, without one, takes that of the next. */
static inline void quantity_share_unit(struct quantity *q, const struct quantity *next)
{
    if (q->unit != UNIT_NONE)
        return;
    q->unit = next->unit;
    q->unit_text = next->unit_text;
}

/*
 * Replace *list by the quantities of text, in order. skip: names found there before, in order,
 * whose digits are none ("87Sr", "NBS 981"). text: valid UTF-8. O(n).
 */
void quantity_scan(const struct units *u, struct sv text, const struct entities *skip,
                   struct quantities *list);

/*
 * The same for a list of all that is counted or measured: also numbers in words ("three", "a
 * few million years") and each with its leading words; without years, labels ("phases 3 and
 * 5"), places of a citation and other numbers that measure nothing.
 */
void quantity_scan_all(const struct units *u, struct sv text, const struct entities *skip,
                       struct quantities *list);

/* One quantity that starts at byte pos of text, as in the cell of a table: signs, brackets and
 * limits before the number are read. False: there is none. */
bool quantity_at(const struct units *u, struct sv text, size_t pos, struct quantity *q);

/* Which error a text such as "2σ", "±2SE", "1 s.d." names: static text, or NULL. */
const char *quantity_error_kind(struct sv text);

/* Append the quantity in one form: "21.3 ± 0.4 Ma", "25–62 ppm", "<5 ppm", "~300 °C". */
void quantity_text(const struct units *u, const struct quantity *q, struct buf *out);

#endif
