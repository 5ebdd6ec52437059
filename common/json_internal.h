// SPDX-License-Identifier: MIT
/*
 * json_internal.h — shared by the files of json only
 */
#ifndef GR_JSON_INTERNAL_H
#define GR_JSON_INTERNAL_H

#include "json.h"

/* text[i] is an opening quote; the position behind the closing one. */
size_t json_internal_skip_string(struct sv text, size_t i);

/* Append what the JSON string `raw`, between quotes and known to be in order, stands for. */
void json_internal_unquote(struct buf *out, struct sv raw);

/* Does a text that libjq has accepted hold JSON's own literals and numbers only? Else *odd is
 * the first that is none (a view into text). */
bool json_internal_is_strict(struct sv text, struct sv *odd);

#endif
