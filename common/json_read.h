// SPDX-License-Identifier: MIT
/*
 * json_read.h — the quick reader behind json_parse (internal to json.c)
 */
#ifndef GR_JSON_READ_H
#define GR_JSON_READ_H

#include <jv.h>

#include "err.h"
#include "gr.h"
#include "sv.h"

/* unread: NULL, or names up to a NULL: members of the outermost object that are checked but
 * left out of *out. Read valid UTF-8 that holds one JSON value into *out, which the caller
 * frees. False when the text is not plain JSON, or nested deeper than 100: ask libjq then. *out
 * is then untouched. What it takes, libjq reads as the same value. */
bool json_read(jv *out, struct sv text, const char *const *unread);

/* The same with libjq behind it: -1 with err (EXIT_REJECTED) when the text is no JSON. *first:
 * the raw value of the member that unread names first, the last if there are several; empty
 * when there is none, or when libjq read the text. */
int json_read_any(jv *out, struct sv text, const char *const *unread, struct sv *first,
                  struct err *err);

#endif
