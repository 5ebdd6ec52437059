// SPDX-License-Identifier: MIT
/*
 * table_impl.h — what table.c (records) and table_head.c (heads) share: a grid being read
 */
#ifndef TABLE_IMPL_H
#define TABLE_IMPL_H

#include "scratch.h"

enum role {
    ROLE_NONE,
    ROLE_LABEL,
    ROLE_KIND,     /* a rock, a mineral, a place: what the record is, or where from */
    ROLE_LOCALITY, /* a place, whatever its name */
    ROLE_METHOD,
    ROLE_MEASURE,
    ROLE_AGE,
    ROLE_CONDITION,
    ROLE_ERROR
};

struct column {
    enum role role;
    struct buf head;
    struct node what; /* ROLE_MEASURE */
    struct chem_name {
        char text[CHEM_MAX];
    } notation; /* where what.name may point */
    bool is_ratio;
    bool is_symbol; /* a single letter: "P (%)" may be precision as well as phosphorus */
    uint32_t unit;
    const char *relation;
    const char *error_kind;
    size_t error_column; /* of a value column, SIZE_MAX: none */
};

struct grid {
    struct extractor *x;
    struct scratch *w;
    jv rows;
    size_t n_rows, n_columns, n_header;
    bool is_turned;                /* measures down, samples across */
    size_t unit_line;              /* turned: the column of units, SIZE_MAX: none */
    size_t label_row;              /* turned: the head row that names the samples */
    struct sv caption;             /* borrowed from the record */
    struct sv method, method_kind; /* the one method the caption names and its kind, or "" */
    struct column *columns;        /* (n of across) */
    struct buf cell;               /* the last cell asked for, in normal form C */
    const struct source *source;
    size_t *line_start, *line_end; /* (n_rows) of each row in the text; SIZE_MAX: none */
};

/* ---- table_head.c ---- */

/* The cell's text, trimmed, in normal form C: valid until the next call. */
struct sv grid_cell(struct grid *g, size_t row, size_t column);
/* The cell of a record and a column of the table as if samples went down. */
struct sv grid_value(struct grid *g, size_t record, size_t column);
/* The table as if samples went down: n records, m columns. */
size_t grid_across(const struct grid *g);
size_t grid_down(const struct grid *g);
/* A row that heads the rows below it: one text, in its first cell or spread over all. */
bool grid_is_section(struct grid *g, size_t row);
/* Settle how many rows are heads (n_header is the record's word) and where samples have their
 * names and units. */
void grid_find_heads(struct grid *g);

/* A whole cell as a number: true when little else stands in it. */
bool grid_number(struct grid *g, struct sv text, struct quantity *q);
/* A name that the whole cell is, of a type that has values; .type NULL: none. */
struct node grid_name(struct grid *g, struct sv text);
bool has_word(struct sv text, const char *const words[], size_t n);
bool head_names_samples(struct sv head);

/* Read the heads in one orientation into g->columns; how many values it has. */
size_t grid_read_columns(struct grid *g);
bool column_is_value(const struct column *col);

#endif
