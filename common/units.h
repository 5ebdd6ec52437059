// SPDX-License-Identifier: MIT
/*
 * units.h — units of measurement behind a number
 *
 * Layer 5.
 */
#ifndef GR_UNITS_H
#define GR_UNITS_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct units; /* opaque; never changes after units_load: one may serve all threads */

#define UNIT_NONE UINT32_MAX
#define UNIT_TEXT (UINT32_MAX - 1) /* one that no table lists, as the text has it */

/* What a unit measures, as far as relations ask. */
enum unit_kind {
    UNIT_OTHER,
    UNIT_FRACTION, /* a content: %, wt%, ppm, μg/g, μmol/L, … */
    UNIT_FLUX,     /* mol/yr, Bq/kg: of an element, but no content */
    UNIT_DELTA,    /* ‰, ε units */
    UNIT_AGE,
    UNIT_TEMPERATURE,
    UNIT_PRESSURE,
    UNIT_LENGTH,
};

/* path: unit.tsv. NULL with err (EXIT_FATAL). The caller frees the result. */
struct units *units_load(const char *path, struct err *err);
void units_free(struct units *u); /* NULL is fine */

/*
 * The longest unit that starts at byte pos of text (blanks before it are the caller's). *end:
 * after it. Blanks, dots and the sign of exponents may vary ("wt.%", "wt. %", "μg g−1",
 * "μg g⁻¹"). A number glued behind is a reference ("2.71 Ga13"). Single letters that are words
 * or labels ("a", "A", "in") are no units. UNIT_NONE: none.
 */
uint32_t units_match(const struct units *u, struct sv text, size_t pos, size_t *end);

/* The first unit anywhere in a short text (a column head, a caption), or UNIT_NONE. */
uint32_t units_find(const struct units *u, struct sv text);

/* Canonical name: μg/g, mg/kg and g/t are all "ppm". Lives as long as u. */
struct sv units_name(const struct units *u, uint32_t unit);
/* UNIT_NONE, UNIT_TEXT: UNIT_OTHER. */
enum unit_kind units_kind(const struct units *u, uint32_t unit);

/* Does it measure how long something lasts or how old it is? */
bool units_is_time(const struct units *u, uint32_t unit);

/* A value in this unit as one of its base (Pa, K, a, m, 1, …), whose name *base gets. False:
 * the table has none. */
bool units_convert(const struct units *u, uint32_t unit, double value, double *out,
                   struct sv *base);

/* The same for a difference of values, such as an error: without the offset of a scale. */
bool units_convert_error(const struct units *u, uint32_t unit, double error, double *out);

/* The unit that the whole of a short text names ("µg/g", "wt. %"), or UNIT_NONE. */
uint32_t units_named(const struct units *u, struct sv text);

/*
 * How values are compared: those of two units with the same dimension, after value * *factor +
 * *offset (an error: * *factor alone). The dimension is what the table calls the quantity, but
 * that times are ages, depths lengths, and "%" is a mass fraction. Returns the dimension, ""
 * for UNIT_NONE (factor 1, offset 0) and for a unit that the table gives no factor.
 */
struct sv units_scale(const struct units *u, uint32_t unit, double *factor, double *offset);

#endif
