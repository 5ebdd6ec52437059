// SPDX-License-Identifier: MIT
/*
 * value_put.h — the value of an edge as members of a fact
 *
 * query_value_text (query.h) has the same as text.
 */
#ifndef VALUE_PUT_H
#define VALUE_PUT_H

#include "buf.h"
#include "grg.h"

/* Append the member "value" in the units of the record; nothing for an edge without one. */
void value_put(struct buf *out, const struct grg *g, const struct grg_edge *e);

/* Append the member "of": the name of what the value of a triple measures. It is in the record
 * alone; nothing when that does not say it. */
void value_put_of(struct buf *out, const struct grg *g, uint32_t triple);

#endif
