// SPDX-License-Identifier: MIT
/*
 * measured.h — what a triple measures: which quantity, its interval, its error, its isotope
 * system
 *
 * The graph keeps number, unit and error of an edge; what the value is of, limits ("<5 ppm")
 * and the experiment are in the record of the triple.
 */
#ifndef MEASURED_H
#define MEASURED_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"
#include "json.h"
#include "sv.h"
#include "units.h"

struct measured {
    double low, high;      /* in base units; infinite where the text gives a limit */
    double error;          /* in base units, at two sigma; NaN: not given */
    double error_low;      /* the same downwards, mostly equal to it */
    double factor, offset; /* printed number * factor + offset = base units */
    struct sv dimension;   /* units_scale; "" without a known unit */
    struct sv unit;        /* as the record has it */
    bool is_about;         /* "~" */
    bool is_change;        /* by how much it changes: no value of the quantity */
    struct sv of;          /* what is measured: "Rb", "δ18O"; "": the relation says it */
    struct sv of_type;
    struct sv subject; /* is of, or in, this node's name; "": nothing but the quantity itself */
    struct sv method, conditions;
    const char *system; /* static, "U-Pb": of an age; "": not said */
    jv record;          /* owned: the views point into it or into the graph */
};

/* Read triple t. False: it has no value, denies it, or its record is damaged; nothing is to be
 * released then. */
bool measured_read(struct measured *m, const struct grg *g, const struct units *u, uint32_t t);
void measured_release(struct measured *m);

/* Append the key of the quantity: the same for all names of it ("rubidium", "Rb"). */
void measured_key(struct sv name, struct buf *key);

/* Does the relation say nothing about what is measured (Has Value, Has Concentration)? */
bool measured_is_plain(struct sv relation);

/* Is it an element, an oxide, an isotope: something that has a content, and no age? */
bool measured_is_chemical(struct sv name);

/* Is the quantity called so: what is measured, or what the relation says ("age" for Has Age)?
 * key: of measured_key; relation: of the triple's edge. */
bool measured_is(const struct measured *m, struct sv relation, struct sv name, struct sv key);

/* Does a record deny what it says ("negated": true, "polarity": "negative" or below 0)? Cheap
 * where neither word stands in it. */
bool measured_denies(struct sv record);

/* The isotope system of an age that a text names, if it names one and one only: "U-Pb" for
 * "U–Pb" and "206Pb/238U", "Ar-Ar" for "40Ar/39Ar"; else "". */
const char *measured_system(struct sv text);

#endif
