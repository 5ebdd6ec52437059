// SPDX-License-Identifier: MIT
/*
 * triple_text.h — one triple record, read and checked but not yet kept
 *
 *   head, tail   object with `name` (and `type`, `id`), or a string; the type is "entity" when
 *                none is given, "value" for a tail with a value
 *   relation     string                      confidence  0 … 1, default 1
 *   value        object: number, high, unit, error, error_low, error_kind, change
 *   paper chunk evidence extractor start end
 *   polarity     "negative", or a number below 0: the source denies it; also negated: true
 *   unsupported  true: it does not stand in the source
 */
#ifndef TRIPLE_TEXT_H
#define TRIPLE_TEXT_H

#include "err.h"
#include "gr.h"
#include "grg.h"
#include "json.h"

struct triple_end {
    struct sv name, type, id; /* id may be "" */
};

/* Views into the record that it was read from. */
struct triple_text {
    struct triple_end head, tail;
    struct sv relation, paper, chunk, evidence, extractor, unit, error_kind;
    struct grg_value value; /* flags; its strings are the views above */
    double start, end, confidence;
    double error_low; /* that of the value before it is rounded to it */
    bool has_value;
    uint8_t is_change; /* 0 or 1 */
    uint8_t stance;    /* GRG_DENIED, GRG_UNSUPPORTED */
};

/* EXIT_REJECTED when a field is missing or of a wrong kind. */
int triple_text_read(struct triple_text *t, jv record, struct err *err);

/*
 * The same without libjq, straight from the bytes, several times as fast. False when the line
 * is not plain (an escape in a string, a member twice, a number that needs care) or not in
 * order: then rec_parse and triple_text_read have the word. What it takes they take alike.
 */
bool triple_text_scan(struct triple_text *t, struct sv line);

#endif
