// SPDX-License-Identifier: MIT
/*
 * filter.h — the part of MongoDB's query language that file stores understand (see store.h)
 */
#ifndef FILTER_H
#define FILTER_H

#include "err.h"
#include "json.h"

/* Parse and check a filter; NULL text gives an empty one, which everything fits. The caller
 * owns *out: json_free. EXIT_USAGE names an operator that is not known. */
int filter_parse(jv *out, const char *text, struct err *err);

/* Does a record fit a filter that filter_parse has accepted? */
bool filter_fits(jv filter, jv record);

/* Order of two values as jq sorts them: null, false, true, numbers, strings, arrays, objects.
 */
int filter_compare(jv a, jv b);

/* The value at a dotted path, borrowed; null when it leads nowhere. */
jv filter_path(jv record, struct sv path);

#endif
