// SPDX-License-Identifier: MIT
/*
 * table.h — rows of cells that span columns and rows → a rectangular grid, as HTML lays it out
 */
#ifndef TABLE_H
#define TABLE_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

#define TABLE_MAX_COLS 1024

struct table_cell {
    size_t at, n;  /* bytes of table.text */
    size_t n_down; /* how many rows below it also covers */
};

struct table {
    struct buf text;
    struct table_cell *cells; /* row after row */
    size_t n_cells, cap_cells;
    size_t *rows; /* (n_rows) first cell of each row */
    size_t n_rows, cap_rows;
    size_t width;        /* of the widest row */
    size_t n_label_rows; /* rows at the top that are marked as heads */
    size_t budget;       /* bytes that filling may still add; the caller sets it */
    bool is_cut;         /* columns over TABLE_MAX_COLS left out, or the budget is used up */
};

void table_release(struct table *t);

void table_row(struct table *t, bool is_label);

/* Add a cell to the last row. Where it spans several columns or rows, each place of the grid
 * gets its text. cols, rows >= 1. */
void table_cell(struct table *t, struct sv text, size_t cols, size_t rows);

/* Pad every row to the same width. Call once, after the last cell. */
void table_finish(struct table *t);

/*
 * How many rows at the top are heads: the marked ones; else those above the first row with a
 * number, when that is at most three; else 1. A first row of bare years is a head. A table of
 * one row has none.
 */
size_t table_header_rows(const struct table *t);

/* The grid as a JSON array of arrays of strings. */
void table_put_rows(const struct table *t, struct buf *out);

/* Does a cell read as a number: "12", "−0.32 ± 0.05", "<0.1", "1.2e-3", "(5)", "3.1a"; not
 * "87Sr/86Sr", "2σ", "Table 1"? */
bool table_is_number(struct sv cell);

#endif
