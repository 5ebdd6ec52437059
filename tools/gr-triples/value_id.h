// SPDX-License-Identifier: MIT
/*
 * value_id.h — ids of values, made of the number and of what is remembered of the rest
 *
 * "45.3 wt% SiO2", "46.1 wt% SiO2": numbers hardly ever come again, what is behind them does,
 * and its notation is what costs time. A number is its own key, with a plain dash, as long as
 * no notation can begin in it and no more than its last character bears on what follows: the
 * conditions of starts_apart in value_id.c.
 */
#ifndef VALUE_ID_H
#define VALUE_ID_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

#define VALUE_RESTS 64 /* a power of two */

/* One rest a place, the later takes it. All zeros: nothing known. Of one thread. */
struct value_ids {
    struct value_rest {
        struct buf rest, key; /* rest: the last byte before the blank (0 for digits) and the
                               * text behind it; "": free */
    } at[VALUE_RESTS];
    struct buf plain, wanted; /* scratch */
};

void value_ids_release(struct value_ids *m);

/* Append what entity_id_of("value", name) does (vocab.h). */
void value_ids_put(struct value_ids *m, struct sv name, struct buf *id);

#endif
