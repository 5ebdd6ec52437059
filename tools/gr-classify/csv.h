// SPDX-License-Identifier: MIT
/*
 * csv.h — RFC 4180 tables with a header line: quoted fields, doubled quotes, LF or CRLF
 */
#ifndef CSV_H
#define CSV_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct csv {
    struct sv *cells;  /* (n_rows × n_columns) row-major, without the header */
    size_t *lines;     /* (n_rows) line each row begins on, from 1 */
    struct sv *header; /* (n_columns) */
    size_t n_rows, n_columns;
    char *bytes; /* owns the text */
};

/* Read a whole file ("-" is standard input). EXIT_FATAL: not UTF-8, an open quote, a row with
 * another number of fields; the message names file and line. */
int csv_read(struct csv *t, const char *path, struct err *err);
void csv_release(struct csv *t);

/* Index of a column, or SIZE_MAX. */
size_t csv_column(const struct csv *t, const char *name);

struct sv csv_cell(const struct csv *t, size_t row, size_t column);

#endif
