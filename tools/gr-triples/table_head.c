// SPDX-License-Identifier: MIT
/*
 * table_head.c — what the columns of a table are, by their heads
 *
 * Heads may take several rows, the units one of their own or, where the table is turned, a
 * column; they may stand in a row inside the table ("Trace elements (ppm)") or in the caption.
 * What a head leaves open is left out: powers of ten, "100 Ti/Al", chondrite-normalised values,
 * one-letter symbols with a bare "%".
 */
#include "table_impl.h"

#include "alloc.h"
#include "utf8.h"

#define MEASURES "element,element_group,oxide,isotope,isotope_ratio,isotope_delta,element_ratio"

/* ---- cells
 * ----------------------------------------------------------------------------------- */

struct sv grid_cell(struct grid *g, size_t row, size_t column)
{
    struct sv raw = sv_trim(json_sv(json_at(json_at(g->rows, row), column)));
    buf_reset(&g->cell);
    utf8_nfc(&g->cell, raw);
    return sv_trim(buf_view(&g->cell));
}

size_t grid_across(const struct grid *g)
{
    return g->is_turned ? g->n_rows - g->n_header : g->n_columns;
}

size_t grid_down(const struct grid *g)
{
    return g->is_turned ? g->n_columns - 1 : g->n_rows - g->n_header;
}

struct sv grid_value(struct grid *g, size_t record, size_t column)
{
    return g->is_turned ? grid_cell(g, g->n_header + column, record + 1)
                        : grid_cell(g, g->n_header + record, column);
}

/* All heads of a printed column, joined. */
static void grid_header(struct grid *g, size_t column, struct buf *out)
{
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = grid_cell(g, i, column);
        if (!text.n || sv_ends(buf_view(out), text))
            continue;
        if (out->len)
            buf_char(out, ' ');
        buf_sv(out, text);
    }
}

bool grid_number(struct grid *g, struct sv text, struct quantity *q)
{
    if (!quantity_at(g->x->units, text, 0, q))
        return false;
    struct sv rest = sv_trim(sv_from_to(text, q->end, text.n));
    return rest.n <= 3 || rest.p[0] == '(';
}

struct node grid_name(struct grid *g, struct sv text)
{
    static const char *const types[] = { "mineral", "rock",     "reference_material",
                                         "deposit", "location", "setting",
                                         "oxide" };
    for (size_t i = 0; i < ARRAY_LEN(types) && text.n; i++) {
        uint32_t entry = vocab_find(g->x->vocab, text, types[i]);
        bool is_oxide = strcmp(types[i], "oxide") == 0;
        if (entry != VOCAB_NONE && (!is_oxide || relate_is_phase(g->x->vocab, entry)))
            return (struct node){ .type = vocab_type(g->x->vocab, entry),
                                  .name = vocab_name(g->x->vocab, entry) };
    }
    return (struct node){ 0 };
}

bool has_word(struct sv text, const char *const words[], size_t n)
{
    for (size_t pos = 0; pos < text.n;) {
        size_t start = pos;
        while (pos < text.n && ((text.p[pos] | 32) >= 'a' && (text.p[pos] | 32) <= 'z'))
            pos++;
        struct sv word = sv_from_to(text, start, pos);
        for (size_t i = 0; word.n && i < n; i++)
            if (vocab_word_is(word, words[i]))
                return true;
        pos += word.n ? 0 : 1;
    }
    return false;
}

/* ---- rows of heads
 * --------------------------------------------------------------------------- */

/* "(wt.%)", "ppm", "[‰]": a unit and nothing else. */
static bool is_unit(const struct grid *g, struct sv text)
{
    while (text.n && strchr("([", text.p[0]))
        text = sv_trim(sv_from_to(text, 1, text.n));
    while (text.n && strchr(")]", text.p[text.n - 1]))
        text = sv_trim(sv_from_to(text, 0, text.n - 1));
    size_t end = 0;
    return text.n && units_match(g->x->units, text, 0, &end) != UNIT_NONE && end == text.n;
}

/* A row below the heads that is one too: units, or no numbers and no name of a sample. */
static bool is_head_row(struct grid *g, size_t row)
{
    size_t units = 0, words = 0, filled = 0;
    struct quantity q;
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
    struct buf first = BUF_INIT;
    struct quantity q;
    size_t filled = 0;
    bool is_one = true;
    buf_sv(&first, grid_cell(g, row, 0));
    for (size_t j = 0; j < g->n_columns && is_one; j++) {
        struct sv text = grid_cell(g, row, j);
        filled += text.n > 0;
        is_one = text.n == 0 || sv_eq(text, buf_view(&first));
    }
    bool is_text = first.len > 0 && !grid_number(g, buf_view(&first), &q);
    buf_release(&first);
    return is_one && is_text && (filled == 1 || filled == g->n_columns);
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
    struct map *seen = map_new();
    for (size_t j = 1; j < g->n_columns; j++) {
        struct sv text = grid_cell(g, row, j);
        if (text.n && !is_unit(g, text))
            map_put(seen, text, NULL);
    }
    size_t n = map_count(seen);
    map_free(seen);
    return n;
}

/* Turned tables: the column that holds nothing but units. */
static size_t find_unit_line(struct grid *g)
{
    for (size_t j = 1; j < g->n_columns && j < 3; j++) {
        size_t units = 0, others = 0;
        for (size_t i = g->n_header; i < g->n_rows; i++) {
            struct sv text = grid_cell(g, i, j);
            if (text.n && !grid_is_section(g, i)) {
                text = grid_cell(g, i, j);
                (*(is_unit(g, text) ? &units : &others))++;
            }
        }
        if (units > 1 && others == 0)
            return j;
    }
    return SIZE_MAX;
}

void grid_find_heads(struct grid *g)
{
    if (!g->n_header)
        g->n_header = guess_header(g);
    while (g->n_header && g->n_header + 1 < g->n_rows && g->n_header < 6 &&
           is_head_row(g, g->n_header))
        g->n_header++;
    g->unit_line = g->n_header ? find_unit_line(g) : SIZE_MAX;
    g->label_row = 0;
    size_t most = 0;
    for (size_t i = 0; i < g->n_header; i++) {
        size_t n = n_different(g, i);
        if (n >= most && n) {
            most = n;
            g->label_row = i;
        }
    }
}

/* ---- what a head says
 * ------------------------------------------------------------------------ */

/* "(wt.%)", "[ppm]", ", ‰": the unit of a head. */
static uint32_t unit_of_head(const struct grid *g, struct sv head)
{
    for (size_t i = head.n; i-- > 0;) {
        if (head.p[i] != '(' && head.p[i] != '[' && head.p[i] != ',')
            continue;
        uint32_t unit = units_find(g->x->units, sv_from_to(head, i + 1, head.n));
        if (unit != UNIT_NONE)
            return unit;
    }
    size_t space = sv_find(head, SV(" "), 0);
    return space == SIZE_MAX ? UNIT_NONE
                             : units_find(g->x->units, sv_from_to(head, space + 1, head.n));
}

static bool type_in(const char *types, const char *type)
{
    return relate_allows(sv_from(types), type);
}

/* "100 Ti/Al": a number before the name multiplies it. */
static bool is_scaled(struct sv head, size_t start)
{
    while (start > 0 && strchr(" *(x", head.p[start - 1]))
        start--;
    if (start > 1 && sv_is(sv_from_to(head, start - 2, start), "\xc3\x97"))
        start -= 2;
    return start > 0 && head.p[start - 1] >= '0' && head.p[start - 1] <= '9';
}

/* "(La/Yb)N", "LaCN", "Sm normalised": a value without the unit it seems to have. */
static bool is_normalised(struct sv head, size_t end)
{
    static const char *const words[] = { "normalized", "normalised", "norm", "chondrite" };
    static const char *const marks[] = { "N", "n", "CN", "cn", "PM", "MN", "UCC", "PAAS" };
    if (has_word(head, words, ARRAY_LEN(words)))
        return true;
    while (end < head.n && strchr(")]_ ", head.p[end]))
        end++;
    size_t stop = end;
    while (stop < head.n && (head.p[stop] | 32) >= 'a' && (head.p[stop] | 32) <= 'z')
        stop++;
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (sv_is(sv_from_to(head, end, stop), marks[i]))
            return true;
    /* "3He/4He (RA)": in units of air's */
    static const char *const airs[] = { "(RA)", "(Ra)", "R/RA", "R/Ra", "[RA]" };
    for (size_t i = 0; i < ARRAY_LEN(airs); i++)
        if (sv_find(head, sv_from(airs[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

static bool take_entry(struct column *col, const struct vocab *v, uint32_t entry)
{
    col->what = (struct node){ .type = vocab_type(v, entry), .name = vocab_name(v, entry) };
    return true;
}

/* A symbol that chem.h leaves alone in prose: "In", "As". */
static bool symbol_of_head(struct grid *g, struct column *col, struct sv head)
{
    size_t end = 0;
    while (end < head.n && ((head.p[end] | 32) >= 'a' && (head.p[end] | 32) <= 'z'))
        end++;
    bool is_alone = end == head.n || strchr(" ([,", head.p[end]); /* not "S1" */
    struct sv symbol = sv_from_to(head, 0, end);
    int z = is_alone && end <= 2 ? chem_symbol(symbol) : 0;
    uint32_t entry = z ? vocab_find(g->x->vocab, symbol, "element") : VOCAB_NONE;
    if (entry == VOCAB_NONE || sv_is(symbol, "No"))
        return false;
    col->is_symbol = end == 1;
    return take_entry(col, g->x->vocab, entry);
}

/* "Kaolinite (%)": a share of a mineral. */
static bool mineral_of_head(struct grid *g, struct column *col, struct sv head)
{
    struct sv unit = units_name(g->x->units, col->unit);
    size_t end = sv_find(head, SV(" ("), 0);
    if (end == SIZE_MAX || !(sv_is(unit, "%") || sv_is(unit, "wt%") || sv_is(unit, "vol%")))
        return false;
    uint32_t entry = vocab_find(g->x->vocab, sv_from_to(head, 0, end), "mineral");
    return entry != VOCAB_NONE && take_entry(col, g->x->vocab, entry);
}

/* The first measure a text names. *is_open: it names one that cannot be read. */
static bool measure_of(struct grid *g, struct column *col, struct sv head, bool *is_open)
{
    struct entities *names = &g->w->names;
    vocab_scan(g->x->vocab, head, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        /* "C-3" is a sample, "C (wt.%)" is carbon */
        bool is_label = e->weak && e->end < head.n && !strchr(" ([,", head.p[e->end]);
        if (!type_in(MEASURES, e->type) || (e->weak && e->start > 0) || is_label ||
            strcmp(e->type, "element_group") == 0)
            continue;
        if (is_scaled(head, e->start) || is_normalised(head, e->end)) {
            *is_open = true;
            return false;
        }
        memcpy(col->notation.text, e->notation, sizeof e->notation);
        col->what.type = e->type;
        col->what.name = e->entry == VOCAB_NONE ? sv_from(col->notation.text)
                                                : vocab_name(g->x->vocab, e->entry);
        col->is_symbol = strcmp(e->type, "element") == 0 && e->end - e->start == 1;
        col->is_ratio = strcmp(e->type, "isotope_ratio") == 0 ||
                        strcmp(e->type, "isotope_delta") == 0 ||
                        strcmp(e->type, "element_ratio") == 0;
        return true;
    }
    return symbol_of_head(g, col, head) || mineral_of_head(g, col, head);
}

/* The lowest head row that names a measure: "Major elements (wt.%)" over "SiO2". */
static bool measure_of_head(struct grid *g, struct column *col, size_t column)
{
    bool is_open = false;
    struct buf one = BUF_INIT;
    bool found = false;
    if (g->is_turned)
        found = measure_of(g, col, buf_view(&col->head), &is_open);
    for (size_t i = g->n_header; !g->is_turned && i-- > 0 && !found && !is_open;) {
        buf_reset(&one);
        buf_sv(&one, grid_cell(g, i, column));
        if (one.len)
            found = measure_of(g, col, buf_view(&one), &is_open);
    }
    buf_release(&one);
    return found;
}

/* A head that is an error and nothing else, or ends in one: "2SE", "± 2σ", "δ56Fe 2SD". */
static const char *error_of_head(struct sv head)
{
    static const char *const words[] = { "error", "err", "uncertainty", "stdev", "std", "rsd" };
    const char *kind = quantity_error_kind(head);
    if (kind)
        return kind;
    bool has_sign = sv_starts(head, SV("\xc2\xb1")) || sv_starts(head, SV("+/-"));
    size_t space = head.n;
    while (space > 0 && head.p[space - 1] != ' ')
        space--;
    kind = space ? quantity_error_kind(sv_from_to(head, space, head.n)) : NULL;
    if (kind && head.p[space] != '(')
        return kind;
    return has_sign || has_word(head, words, ARRAY_LEN(words)) ? "" : NULL;
}

bool head_names_samples(struct sv head)
{
    static const char *const labels[] = { "sample",   "samples", "spot",  "specimen", "grain",
                                          "analysis", "id",      "label", "name",     "core" };
    return has_word(head, labels, ARRAY_LEN(labels));
}

static bool has_power(struct sv head)
{
    for (size_t at = 0; (at = sv_find(head, SV("10"), at)) != SIZE_MAX; at += 2) {
        size_t next = at + 2;
        uint32_t cp = next < head.n ? utf8_next(head, &next) : ' ';
        bool is_super = cp >= 0x80 && (utf8_digit_value(cp) >= 0 || cp == 0x207B);
        bool is_times = at > 0 && (head.p[at - 1] == 'x' || head.p[at - 1] == '*');
        if (is_super || is_times || cp == 0x2212 || cp == '-' || cp == '^' ||
            sv_find(head, SV("\xc3\x97"), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

/* ---- columns
 * --------------------------------------------------------------------------------- */

/* Columns that describe the record. */
static enum role role_of_words(struct sv head, bool is_first)
{
    static const char *const kinds[] = { "rock",     "rocks",  "lithology", "mineral",
                                         "minerals", "phase",  "material",  "materials",
                                         "type",     "facies", "unit" };
    static const char *const places[] = { "location", "locality", "locations", "localities" };
    static const char *const methods[] = { "method", "methods", "technique", "instrument" };
    if (has_word(head, places, ARRAY_LEN(places)))
        return ROLE_LOCALITY;
    if (has_word(head, methods, ARRAY_LEN(methods)))
        return ROLE_METHOD;
    if (has_word(head, kinds, ARRAY_LEN(kinds)))
        return ROLE_KIND;
    return is_first ? ROLE_LABEL : ROLE_NONE;
}

static void read_column(struct grid *g, struct column *col, size_t column, bool is_first)
{
    static const char *const ages[] = { "age", "ages", "date", "dates" };
    static const char *const conditions[] = { "t",    "th",       "tm",         "p",
                                              "temp", "pressure", "temperature" };
    struct sv head = buf_view(&col->head);
    if (has_power(head))
        return; /* "10⁹ mol/yr", "× 10⁻⁶": nobody knows which way it is meant */
    col->unit = unit_of_head(g, head);
    enum unit_kind kind = units_kind(g->x->units, col->unit);
    col->error_kind = error_of_head(head);
    if (col->error_kind) {
        col->role = ROLE_ERROR;
    } else if (kind == UNIT_AGE &&
               (has_word(head, ages, ARRAY_LEN(ages)) || !measure_of_head(g, col, column))) {
        col->role = ROLE_AGE;
        col->relation = "Has Age";
    } else if (head_names_samples(head)) {
        col->role = ROLE_LABEL;
    } else if (measure_of_head(g, col, column)) {
        col->role = ROLE_MEASURE;
        if (col->is_ratio && kind != UNIT_DELTA && kind != UNIT_FRACTION)
            col->unit = UNIT_NONE; /* "εNd(t)" is no weight */
        col->relation = col->is_ratio ? "Has Value" : "Has Concentration";
    } else if ((kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE) &&
               has_word(head, conditions, ARRAY_LEN(conditions))) {
        col->role = ROLE_CONDITION;
        col->relation = kind == UNIT_PRESSURE ? "Has Pressure" : "Has Temperature";
    } else {
        col->role = role_of_words(head, is_first);
    }
}

bool column_is_value(const struct column *col)
{
    return col->role == ROLE_MEASURE || col->role == ROLE_AGE || col->role == ROLE_CONDITION;
}

/* Units a caption gives for oxides and elements without one of their own: in brackets, or
 * behind "in". */
static uint32_t unit_of_caption(const struct grid *g, const struct column *col)
{
    if (col->role != ROLE_MEASURE || col->is_ratio)
        return UNIT_NONE;
    bool oxide = strcmp(col->what.type, "oxide") == 0;
    uint32_t found = UNIT_NONE;
    for (size_t i = 1; i < g->caption.n; i++) {
        bool at_word = strchr("([", g->caption.p[i - 1]) ||
                       (i > 3 && sv_is(sv_from_to(g->caption, i - 3, i), "in ") &&
                        strchr(" (", g->caption.p[i - 4])) ||
                       (i > 4 && sv_is(sv_from_to(g->caption, i - 5, i), " and "));
        size_t end;
        uint32_t unit = at_word ? units_match(g->x->units, g->caption, i, &end) : UNIT_NONE;
        if (units_kind(g->x->units, unit) != UNIT_FRACTION)
            continue;
        struct sv name = units_name(g->x->units, unit);
        if (oxide != (sv_is(name, "wt%") || sv_is(name, "%")))
            continue;
        if (found != UNIT_NONE && found != unit)
            return UNIT_NONE; /* two of them: which one? */
        found = unit;
    }
    return found;
}

/* A section's unit, and what the next rows have without one of their own. */
static void read_section(const struct grid *g, struct sv text, uint32_t *carried)
{
    uint32_t unit = unit_of_head(g, text);
    if (unit != UNIT_NONE)
        *carried = unit;
}

/* "Age (Ma)", "Age (yr BP)"; "Age (years)" may be a patient's. */
static bool is_before_present(const struct grid *g, const struct column *col)
{
    static const char *const words[] = { "bp", "ago", "cal", "calibrated" };
    return !sv_is(units_name(g->x->units, col->unit), "a") ||
           has_word(buf_view(&col->head), words, ARRAY_LEN(words));
}

/* "P (%)" beside "Recall (%)": single letters are elements, and years an age of rocks, only in
 * company, or with a unit of geochemistry. */
static size_t drop_symbols(struct grid *g, size_t values)
{
    bool has_company = false;
    for (size_t j = 0; j < grid_across(g); j++) {
        const struct column *col = &g->columns[j];
        struct sv unit = units_name(g->x->units, col->unit);
        has_company |= col->role == ROLE_MEASURE &&
                       (!col->is_symbol || (col->unit != UNIT_NONE && !sv_is(unit, "%")));
    }
    for (size_t j = 0; j < grid_across(g) && !has_company; j++) {
        struct column *col = &g->columns[j];
        bool is_lifetime = col->role == ROLE_AGE && !is_before_present(g, col);
        if (col->role == ROLE_MEASURE || is_lifetime) {
            col->role = ROLE_NONE;
            values--;
        }
    }
    return values;
}

size_t grid_read_columns(struct grid *g)
{
    size_t n = grid_across(g), values = 0, last = SIZE_MAX;
    uint32_t carried = UNIT_NONE;
    g->columns = alloc_zero(n + 1, sizeof *g->columns);
    for (size_t j = 0; j < n; j++) {
        struct column *col = &g->columns[j];
        col->error_column = SIZE_MAX;
        col->unit = UNIT_NONE;
        if (g->is_turned)
            buf_sv(&col->head, grid_cell(g, g->n_header + j, 0));
        else
            grid_header(g, j, &col->head);
        if (col->head.len == 0)
            continue;
        if (g->is_turned && grid_is_section(g, g->n_header + j)) {
            read_section(g, buf_view(&col->head), &carried);
            continue;
        }
        if (g->is_turned && g->unit_line != SIZE_MAX && col->head.len < 40) {
            struct sv unit = grid_cell(g, g->n_header + j, g->unit_line);
            if (unit.n)
                buf_printf(&col->head, " (%.*s)", SV_ARG(unit));
        }
        read_column(g, col, j, j == 0 && !g->is_turned);
        if (column_is_value(col)) {
            if (col->unit == UNIT_NONE)
                col->unit = col->is_ratio ? UNIT_NONE : carried;
            if (col->unit == UNIT_NONE)
                col->unit = unit_of_caption(g, col);
            values++;
            last = j;
        } else if (col->role == ROLE_ERROR && last != SIZE_MAX &&
                   g->columns[last].error_column == SIZE_MAX) {
            g->columns[last].error_column = j;
        }
    }
    return drop_symbols(g, values);
}
