// SPDX-License-Identifier: MIT
/*
 * table_grid.c — cells, rows of heads, rows that head others, the parts of a table
 */
#include "alloc.h"
#include "table_impl.h"
#include "utf8.h"

/* ---- cells ---- */

/* "^(a)", "^(b,c)": the raised letters of a footnote, how the source's markup is written where
 * there are no such letters: their bytes; 0: none. "^(t)" and "^(i)" are of ratios. */
static size_t raised_mark(struct sv text, size_t pos)
{
    size_t n = 2;
    if (text.p[pos] != '^' || pos + 3 >= text.n || text.p[pos + 1] != '(' ||
        strchr("ti", text.p[pos + 2]))
        return 0;
    while (pos + n < text.n && n < 8 && text.p[pos + n] != ')') {
        char c = text.p[pos + n++];
        if (!(c >= 'a' && c <= 'z') && c != ',' && c != ' ' && c != '*')
            return 0;
    }
    return n > 2 && n < 8 && pos + n < text.n ? n + 1 : 0;
}

/* Blanks of all widths are blanks; between digits in groups of three the narrow ones are none:
 * "1 250". An ordinary blank may as well part two numbers that a converter ran together. */
static void put_plain(struct buf *out, struct sv text)
{
    for (size_t pos = 0; pos < text.n;) {
        size_t start = pos, mark = pos ? raised_mark(text, pos) : 0;
        if (mark) {
            pos += mark;
            continue;
        }
        unsigned char c = (unsigned char)text.p[pos];
        uint32_t cp = c < 0x80 ? (pos++, c) : utf8_next(text, &pos);
        bool is_wide = cp == '\n' || cp == '\t' || cp == '\r';
        bool is_narrow = cp == 0xA0 || cp == 0x202F || (cp >= 0x2007 && cp <= 0x200A);
        if (!is_wide && !is_narrow) {
            buf_sv(out, sv_from_to(text, start, pos));
            continue;
        }
        size_t digits = 0;
        while (pos + digits < text.n && text.p[pos + digits] >= '0' &&
               text.p[pos + digits] <= '9')
            digits++;
        bool is_group = is_narrow && digits == 3 && start > 0 && text.p[start - 1] >= '0' &&
                        text.p[start - 1] <= '9';
        if (!is_group)
            buf_char(out, ' ');
    }
}

int grid_load(struct grid *g, jv rows, size_t *bad)
{
    struct buf one = BUF_INIT;
    struct plain_text readable = { 0 };
    const struct plain_text *used;
    size_t n_cells = 0;
    g->n_all_rows = json_len(rows);
    for (size_t i = 0; i < g->n_all_rows; i++) {
        jv row = json_at(rows, i);
        *bad = i;
        if (!json_is_array(row))
            return -1;
        size_t n = json_len(row);
        g->n_columns = n > g->n_columns ? n : g->n_columns;
        n_cells += n;
    }
    /* one long row and a million empty ones are no table, and memory for it none either */
    bool is_table = g->n_all_rows >= 2 && g->n_columns >= 2 && g->n_columns <= COLUMNS_MAX &&
                    g->n_all_rows * g->n_columns / SPARSE_MAX <= n_cells + COLUMNS_MAX;
    if (!is_table)
        return 0;
    g->cells = alloc_zero(g->n_all_rows * g->n_columns + 1, sizeof *g->cells);
    size_t k = 0;
    for (size_t i = 0; i < g->n_all_rows; i++) {
        jv row = json_at(rows, i);
        size_t n = json_len(row);
        for (size_t j = 0; j < g->n_columns; j++, k++) {
            size_t start = g->bytes.len;
            if (j < n) {
                struct sv cell = sv_trim(json_sv(json_at(row, j)));
                put_plain(&g->bytes, plain_normal(&readable, &one, cell, &used));
            }
            g->cells[k].n = g->bytes.len - start;
        }
    }
    buf_release(&one);
    plain_release(&readable);
    const char *at = buf_view(&g->bytes).p;
    for (size_t i = 0; i < k; i++) {
        size_t n = g->cells[i].n;
        g->cells[i] = sv_trim((struct sv){ at, n });
        at += n;
    }
    return 0;
}

struct sv grid_cell(const struct grid *g, size_t row, size_t column)
{
    return g->cells[(g->base + row) * g->n_columns + column];
}

size_t grid_across(const struct grid *g)
{
    return g->is_turned ? g->n_rows - g->n_header : g->n_columns;
}

size_t grid_down(const struct grid *g)
{
    return g->is_turned ? g->n_columns - 1 : g->n_rows - g->n_header;
}

struct sv grid_value(const struct grid *g, size_t record, size_t column)
{
    return g->is_turned ? grid_cell(g, g->n_header + column, record + 1)
                        : grid_cell(g, g->n_header + record, column);
}

/* ---- words ---- */

/* A letter as one of 32 bits, in any case; bytes that are none share them. */
static uint32_t letter_bit(char c)
{
    return UINT32_C(1) << (c & 31);
}

/* The letters that words begin with, as bits. */
static uint32_t beginnings(const char *const words[], size_t n)
{
    uint32_t letters = 0;
    for (size_t i = 0; i < n; i++)
        letters |= letter_bit(words[i][0]);
    return letters;
}

bool has_word(struct sv text, const char *const words[], size_t n)
{
    uint32_t letters = beginnings(words, n);
    for (size_t pos = 0; pos < text.n;) {
        size_t start = pos;
        while (pos < text.n && ((text.p[pos] | 32) >= 'a' && (text.p[pos] | 32) <= 'z'))
            pos++;
        struct sv word = sv_from_to(text, start, pos);
        if (word.n && letters & letter_bit(word.p[0]) && vocab_word_in(word, words, n))
            return true;
        pos += word.n ? 0 : 1;
    }
    return false;
}

/* The bytes behind the first of the parts that begin with a letter, as bits: few places of a
 * text pass that. */
static void followers(const char *const parts[], size_t n, uint32_t next[32])
{
    memset(next, 0, 32 * sizeof *next);
    for (size_t i = 0; i < n; i++)
        next[parts[i][0] & 31] |= parts[i][1] ? letter_bit(parts[i][1]) : UINT32_MAX;
}

bool has_text(struct sv text, const char *const parts[], size_t n)
{
    uint32_t next[32];
    followers(parts, n, next);
    for (size_t i = 0; i < text.n; i++) {
        if (!(next[text.p[i] & 31] & letter_bit(i + 1 < text.n ? text.p[i + 1] : ' ')))
            continue;
        for (size_t k = 0; k < n; k++)
            if ((text.p[i] | 32) == (parts[k][0] | 32) &&
                sv_ieq(sv_from_to(text, i, i + strlen(parts[k])), sv_from(parts[k])))
                return true;
    }
    return false;
}

bool head_names_samples(struct sv head)
{
    static const char *const labels[] = { "sample",   "samples",  "spot",  "specimen",
                                          "grain",    "analysis", "id",    "label",
                                          "name",     "core",     "spots", "grains",
                                          "analyses", "fraction", "no",    "point",
                                          "points" };
    static const char *const others[] = { "size",    "date",      "diameter", "weight",
                                          "mass",    "volume",    "length",   "rock",
                                          "mineral", "lithology", "locality", "location",
                                          "author",  "formation" };
    if (has_word(head, others, ARRAY_LEN(others)))
        return false; /* "grain size", "sample weight", "rock name" */
    return has_word(head, labels, ARRAY_LEN(labels));
}

/* ---- rows of heads ---- */

/* "(wt.%)", "ppm", "[‰]": a unit and nothing else. */
bool is_unit(const struct grid *g, struct sv text)
{
    while (text.n && strchr("([", text.p[0]))
        text = sv_trim(sv_from_to(text, 1, text.n));
    while (text.n && strchr(")]", text.p[text.n - 1]))
        text = sv_trim(sv_from_to(text, 0, text.n - 1));
    size_t end = 0;
    return text.n && units_match(g->x->units, text, 0, &end) != UNIT_NONE && end == text.n;
}

/* "Sample", "Sample no.", "Spot": a head that nothing else can be. */
static bool is_sample_head(struct sv text)
{
    static const char *const words[] = { "sample", "samples", "spot", "specimen", "analysis" };
    static const char *const more[] = { "no", "name", "id", "number", "label", "nr" };
    size_t end = 0;
    while (end < text.n && (text.p[end] | 32) >= 'a' && (text.p[end] | 32) <= 'z')
        end++;
    if (!has_word(sv_from_to(text, 0, end), words, ARRAY_LEN(words)))
        return false;
    struct sv rest = sv_trim(sv_from_to(text, end, text.n));
    return rest.n == 0 || sv_is(rest, "#") || sv_is(rest, ":") ||
           (rest.n <= 8 && has_word(rest, more, ARRAY_LEN(more)));
}

static bool has_sample_head(const struct grid *g)
{
    for (size_t i = 0; i < g->n_header; i++)
        if (is_sample_head(grid_cell(g, i, 0)))
            return true;
    return false;
}

/* A row below the heads that is one too: units, or no numbers and no name of a sample. */
static bool is_head_row(struct grid *g, size_t row)
{
    size_t units = 0, words = 0, filled = 0;
    struct quantity q;
    if (is_sample_head(grid_cell(g, row, 0)) && !has_sample_head(g))
        return true;
    for (size_t j = 0; j < g->n_columns; j++) {
        struct sv text = grid_cell(g, row, j);
        if (!text.n)
            continue;
        filled++;
        if (is_unit(g, text) || quantity_error_kind(text))
            units++;
        else if (grid_number(g, text, &q))
            return false;
        else
            words++;
    }
    bool is_nameless = grid_cell(g, row, 0).n == 0;
    static const char *const names[] = { "unit", "units" };
    bool says_unit = has_word(grid_cell(g, row, 0), names, ARRAY_LEN(names));
    return (units > 0 && words <= (says_unit ? 1 : 0)) || (is_nameless && filled > 1);
}

bool grid_is_section(struct grid *g, size_t row)
{
    struct quantity q;
    size_t filled = 0;
    bool is_one = true;
    struct sv first = grid_cell(g, row, 0);
    for (size_t j = 0; j < g->n_columns && is_one; j++) {
        struct sv text = grid_cell(g, row, j);
        filled += text.n > 0;
        is_one = text.n == 0 || sv_eq(text, first);
    }
    return is_one && first.n > 0 && (filled == 1 || filled == g->n_columns) &&
           !grid_number(g, first, &q);
}

/* A first row without numbers is a head even if nobody said so. */
static size_t guess_header(struct grid *g)
{
    size_t words = 0, numbers = 0;
    for (size_t j = 0; j < g->n_columns; j++) {
        struct sv text = grid_cell(g, 0, j);
        struct quantity q;
        if (text.n)
            (*(grid_number(g, text, &q) ? &numbers : &words))++;
    }
    return words > numbers * 2 ? 1 : 0;
}

/* Different texts of a head row, the first column left out. */
static size_t n_different(struct grid *g, size_t row)
{
    struct map *seen = g->w->seen;
    map_clear(seen);
    for (size_t j = 1; j < g->n_columns; j++) {
        struct sv text = grid_cell(g, row, j);
        if (text.n && !is_unit(g, text))
            map_put(seen, text, NULL);
    }
    return map_count(seen);
}

/* Turned tables: the column that holds nothing but units. */
static size_t find_unit_line(struct grid *g)
{
    for (size_t j = 1; j < g->n_columns && j < 3; j++) {
        size_t units = 0, others = 0;
        for (size_t i = g->n_header; i < g->n_rows && others == 0; i++) {
            struct sv text = grid_cell(g, i, j);
            if (text.n && !grid_is_section(g, i))
                (*(is_unit(g, text) ? &units : &others))++;
        }
        if (units > 1 && others == 0)
            return j;
    }
    return SIZE_MAX;
}

/* The row of heads that names the samples: most different texts. */
static void find_label_row(struct grid *g)
{
    g->label_row = 0;
    size_t most = 0;
    for (size_t i = 0; i < g->n_header; i++) {
        size_t n = n_different(g, i);
        if (n * 10 >= 9 * (g->n_columns - 1) && is_sample_head(grid_cell(g, i, 0))) {
            g->label_row = i;
            return;
        }
        if (n >= most && n) {
            most = n;
            g->label_row = i;
        }
    }
}

/* "1 | 2 | 3": numbers of the samples, no temperatures. */
static bool counts_samples(const struct grid *g)
{
    char text[24];
    for (size_t j = 1; j < g->n_columns; j++) {
        snprintf(text, sizeof text, "%zu", j);
        if (!sv_is(grid_cell(g, g->label_row, j), text))
            return false;
    }
    return g->n_columns > 2;
}

void grid_find_heads(struct grid *g)
{
    if (!g->n_header)
        g->n_header = guess_header(g);
    while (g->n_header && g->n_header + 1 < g->n_rows && g->n_header < 6 &&
           is_head_row(g, g->n_header))
        g->n_header++;
    g->unit_line = g->n_header ? find_unit_line(g) : SIZE_MAX;
    find_label_row(g);
    g->is_counted = g->n_header && counts_samples(g);
}

/* Tables of several parts name the samples again: "Sample | C-4 | C-5". */
size_t grid_part_end(struct grid *g)
{
    struct sv head = SV_NONE;
    for (size_t i = 0; i < g->n_header; i++)
        if (is_sample_head(grid_cell(g, i, 0)))
            head = grid_cell(g, i, 0);
    for (size_t i = g->n_header + 1; head.n && i + 1 < g->n_rows; i++)
        if (sv_ieq(grid_cell(g, i, 0), head) && !grid_is_section(g, i))
            return i;
    return g->n_rows;
}

struct sv grid_head_cell(const struct grid *g, size_t row, size_t column)
{
    struct sv text = grid_cell(g, row, column);
    if (text.n || row + 1 >= g->n_header)
        return text;
    bool is_filled = false;
    for (size_t i = row + 1; i < g->n_header; i++)
        is_filled |= grid_cell(g, i, column).n > 0;
    for (size_t j = column; is_filled && j-- > 0;) {
        text = grid_cell(g, row, j);
        struct sv below = grid_cell(g, row + 1, j);
        if (text.n) /* one whose unit stands below it is no span */
            return below.n && !is_unit(g, below) && !is_sample_head(text) ? text : SV_NONE;
        if (!below.n)
            return SV_NONE;
    }
    return SV_NONE;
}
