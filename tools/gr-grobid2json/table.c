// SPDX-License-Identifier: MIT
/*
 * table.c — the grid of a table
 */
#include "table.h"

#include "alloc.h"
#include "json.h"
#include "utf8.h"

void table_release(struct table *t)
{
    buf_release(&t->text);
    free(t->cells);
    free(t->rows);
    *t = (struct table){ 0 };
}

static size_t row_end(const struct table *t, size_t row)
{
    return row + 1 < t->n_rows ? t->rows[row + 1] : t->n_cells;
}

static size_t row_width(const struct table *t, size_t row)
{
    return row_end(t, row) - t->rows[row];
}

static void push(struct table *t, struct table_cell c)
{
    if (t->n_cells == t->cap_cells) {
        t->cap_cells = alloc_grow(t->cap_cells, t->n_cells + 1);
        t->cells = alloc_resize(t->cells, t->cap_cells, sizeof *t->cells);
    }
    t->cells[t->n_cells++] = c;
}

/* A cell that is no cell of the file costs its printed size. */
static bool can_fill(struct table *t, size_t n)
{
    if (t->budget < n + 3) {
        t->is_cut = true;
        return false;
    }
    t->budget -= n + 3;
    return true;
}

/* Cells of the row above that reach down into the place where the last row now ends. */
static void fill_from_above(struct table *t)
{
    if (t->n_rows < 2)
        return;
    size_t above = t->n_rows - 2;
    for (;;) {
        size_t col = t->n_cells - t->rows[t->n_rows - 1];
        if (col >= row_width(t, above))
            return;
        struct table_cell c = t->cells[t->rows[above] + col];
        if (c.n_down == 0 || !can_fill(t, c.n))
            return;
        c.n_down--;
        push(t, c);
    }
}

/* Columns to the right of a short row's cells that something above reaches into. */
static void end_row(struct table *t)
{
    if (t->n_rows == 0)
        return;
    fill_from_above(t);
    size_t width = row_width(t, t->n_rows - 1);
    if (t->n_rows > 1) {
        size_t above = t->n_rows - 2, last = 0;
        for (size_t i = row_width(t, above); i > width && !last; i--)
            last = t->cells[t->rows[above] + i - 1].n_down ? i : 0;
        while (width < last && can_fill(t, 0)) {
            push(t, (struct table_cell){ 0 });
            fill_from_above(t);
            width = row_width(t, t->n_rows - 1);
        }
    }
    if (width > t->width)
        t->width = width;
}

void table_row(struct table *t, bool is_label)
{
    end_row(t);
    if (t->n_rows == t->cap_rows) {
        t->cap_rows = alloc_grow(t->cap_rows, t->n_rows + 1);
        t->rows = alloc_resize(t->rows, t->cap_rows, sizeof *t->rows);
    }
    if (is_label && t->n_label_rows == t->n_rows)
        t->n_label_rows++;
    t->rows[t->n_rows++] = t->n_cells;
}

void table_cell(struct table *t, struct sv text, size_t cols, size_t rows)
{
    if (t->n_rows == 0)
        table_row(t, false);
    fill_from_above(t);
    struct table_cell c = { .at = t->text.len, .n = text.n, .n_down = rows ? rows - 1 : 0 };
    buf_sv(&t->text, text);
    for (size_t i = 0; i < (cols ? cols : 1); i++) {
        if (row_width(t, t->n_rows - 1) >= TABLE_MAX_COLS) {
            t->is_cut = true;
            return;
        }
        if (i && !can_fill(t, c.n))
            return;
        push(t, c);
    }
}

void table_finish(struct table *t)
{
    end_row(t);
    size_t n_pad = t->n_rows * t->width - t->n_cells;
    if (t->n_rows && n_pad > t->budget / 3) {
        t->is_cut = true; /* hostile: leave the rows ragged */
        return;
    }
    t->budget -= 3 * n_pad;
    struct table_cell *grid = alloc_zero(t->n_rows * t->width + 1, sizeof *grid);
    for (size_t r = 0; r < t->n_rows; r++)
        if (row_width(t, r))
            memcpy(grid + r * t->width, t->cells + t->rows[r], row_width(t, r) * sizeof *grid);
    for (size_t r = 0; r < t->n_rows; r++)
        t->rows[r] = r * t->width;
    free(t->cells);
    t->cells = grid;
    t->n_cells = t->n_rows * t->width;
    t->cap_cells = t->n_cells + 1;
}

static struct sv cell_text(const struct table *t, size_t i)
{
    return sv_from_to(buf_view(&t->text), t->cells[i].at, t->cells[i].at + t->cells[i].n);
}

/* ---- heads ---- */

static bool is_in(uint32_t cp, const char *set)
{
    struct sv s = sv_from(set);
    for (size_t pos = 0; pos < s.n;)
        if (utf8_next(s, &pos) == cp)
            return true;
    return false;
}

bool table_is_number(struct sv cell)
{
    size_t pos = 0, n_digits = 0, n_letters = 0;
    while (pos < cell.n) {
        uint32_t cp = utf8_next(cell, &pos);
        if (utf8_digit_value(cp) >= 0)
            n_digits++;
        else if (cp >= 'a' && cp <= 'e')
            n_letters++; /* a footnote mark, or an exponent */
        else if (cp != 'E' && !is_in(cp, " .,+-−–⁺⁻±×*%‰()[]/^~≈<>≤≥:"))
            return false;
        if (n_digits == 0 && n_letters)
            return false;
    }
    return n_digits > 0 && n_letters <= 1;
}

static bool is_year(struct sv cell)
{
    return cell.n == 4 && (sv_starts(cell, SV("19")) || sv_starts(cell, SV("20"))) &&
           table_is_number(cell);
}

static bool is_data_row(const struct table *t, size_t row)
{
    bool has_number = false, has_other_than_year = false;
    for (size_t i = t->rows[row]; i < row_end(t, row); i++) {
        if (!table_is_number(cell_text(t, i)))
            continue;
        has_number = true;
        has_other_than_year |= !is_year(cell_text(t, i));
    }
    return row == 0 ? has_other_than_year : has_number;
}

static bool reaches_down(const struct table *t, size_t row)
{
    for (size_t i = t->rows[row]; i < row_end(t, row); i++)
        if (t->cells[i].n_down)
            return true;
    return false;
}

/* A head cell of several rows takes rows into the head, as far as they hold no numbers. */
static size_t label_rows(const struct table *t)
{
    size_t n = t->n_label_rows;
    while (n + 1 < t->n_rows && reaches_down(t, n - 1) && !is_data_row(t, n))
        n++;
    return n;
}

size_t table_header_rows(const struct table *t)
{
    if (t->n_label_rows)
        return label_rows(t);
    if (t->n_rows < 2)
        return 0;
    size_t first = 0;
    while (first < t->n_rows && !is_data_row(t, first))
        first++;
    return first <= 3 && first < t->n_rows ? first : 1;
}

void table_put_rows(const struct table *t, struct buf *out)
{
    json_open(out, '[');
    for (size_t r = 0; r < t->n_rows; r++) {
        json_open(out, '[');
        for (size_t i = t->rows[r]; i < row_end(t, r); i++)
            json_put_str(out, cell_text(t, i));
        json_close(out, ']');
    }
    json_close(out, ']');
}
