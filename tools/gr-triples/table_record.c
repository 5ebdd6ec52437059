// SPDX-License-Identifier: MIT
/*
 * table_record.c — what a record is called: a row's names or a column's heads, put together to
 * one that no other sample has
 */
#include "alloc.h"
#include "table_impl.h"

void record_text(struct buf *to, struct sv text)
{
    buf_reset(to);
    buf_sv(to, text);
}

/* Is a label no name by itself: "1", "2.1", "core"? */
bool label_is_part(struct grid *g, struct sv label)
{
    struct quantity q;
    return label.n <= 2 || label_is_zone(label) || (label.n <= 6 && grid_number(g, label, &q));
}

/* Put the sample's name before that of its part. */
void record_put_sample(struct record *r, struct sv sample)
{
    struct buf whole = BUF_INIT;
    struct sv label = buf_view(&r->label);
    if (!sample.n || sv_eq(sample, label) || sv_starts(label, sample))
        return;
    buf_sv(&whole, sample);
    buf_char(&whole, ' ');
    buf_sv(&whole, label);
    record_text(&r->label, buf_view(&whole));
    buf_release(&whole);
    r->is_spot = true;
}

static bool has_letter(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z')
            return true;
    return false;
}

/* "core", "rim 2" behind the sample's name. */
static void add_part(struct record *r, struct sv part)
{
    if (!label_is_zone(part) || !has_letter(buf_view(&r->label)) ||
        label_is_zone(buf_view(&r->label)))
        return;
    buf_char(&r->label, ' ');
    buf_sv(&r->label, part);
    r->is_spot = true;
}

static bool has_digit(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9')
            return true;
    return false;
}

static bool is_repeated(struct grid *g, struct sv label)
{
    size_t n = 0;
    for (size_t j = 1; j < g->n_columns; j++)
        n += sv_eq(grid_cell(g, g->label_row, j), label);
    return n > 1;
}

static void add_phase(struct record *r, struct sv phase)
{
    if (!phase.n || phase.n > 30)
        return;
    buf_char(&r->label, ' ');
    buf_sv(&r->label, phase);
    r->is_spot = true;
}

/* "Measured", "Certified" below "BHVO-2" */
static bool is_column_of_reference(struct grid *g, struct sv label, struct sv above)
{
    uint32_t entry = vocab_find(g->x->vocab, above, "reference_material");
    return entry != VOCAB_NONE && (label_is_summary(label) || label_is_error(label));
}

/* Across: the row of names, and what the other head rows say of the sample. */
static void read_turned_head(struct grid *g, size_t record, struct record *r)
{
    static const char *const places[] = { "location", "locality", "island", "region", "site" };
    static const char *const methods[] = { "method", "methods", "technique" };
    struct quantity q;
    if (record + 1 == g->unit_line)
        return;
    struct sv label = grid_cell(g, g->label_row, record + 1);
    bool is_number = grid_number(g, label, &q);
    bool is_content = units_kind(g->x->units, unit_of_head(g, label)) == UNIT_FRACTION;
    bool is_said = g->is_counted || head_names_samples(grid_cell(g, g->label_row, 0));
    if ((is_number && !is_said) || is_content || is_unit(g, label))
        return; /* "1200", "Concentration (ppm)": no sample */
    record_text(&r->label, label);
    bool is_open = label.n && !label_is_error(label) && !label_is_summary(label) &&
                   (is_number || label_is_zone(label) || is_repeated(g, label));
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = grid_head_cell(g, i, record + 1);
        if (i == g->label_row || !text.n || is_unit(g, text))
            continue;
        struct section s = section_read(g, text);
        if (has_word(grid_cell(g, i, 0), methods, ARRAY_LEN(methods)))
            record_text(&r->method, text);
        else if (has_word(grid_cell(g, i, 0), places, ARRAY_LEN(places)))
            record_text(&r->place, text);
        else if (is_column_of_reference(g, label, text))
            record_put_sample(r, text);
        else if (!r->kind.type && s.kind.type)
            r->kind = s.kind;
        else if (!r->place.len && s.place.type)
            record_text(&r->place, s.place.name);
        else if (is_open && !r->is_spot)
            record_put_sample(r, text);
    }
    bool is_mineral = r->kind.type && strcmp(r->kind.type, "mineral") == 0;
    if (is_open && !r->is_spot && is_mineral && has_digit(label))
        add_phase(r, r->kind.name); /* "TB-1" under "Garnet" and under "Biotite" */
    if (is_open && !r->is_spot && !has_digit(label) && is_repeated(g, label))
        buf_reset(&r->label); /* whose core? */
}

/* The first column's text, merged cells included. */
static struct sv first_text(struct grid *g, size_t record, struct record *r)
{
    struct sv text = grid_value(g, record, 0);
    if (text.n)
        record_text(&r->first, text);
    else if (!r->first.len && g->base == 0)
        record_text(&r->first, g->above[0]);
    return text.n ? text : buf_view(&r->first);
}

static bool names_strongly(const struct grid *g, size_t column)
{
    static const char *const words[] = { "sample",   "samples", "specimen", "spot",
                                         "analysis", "spots",   "grain" };
    return has_word(buf_view(&g->columns[column].head), words, ARRAY_LEN(words));
}

/* The label of a row: of the column that names samples, with that of the spot. */
static void read_row_label(struct grid *g, size_t record, struct record *r)
{
    size_t named = SIZE_MAX, second = SIZE_MAX, first = SIZE_MAX;
    struct quantity q;
    for (size_t j = g->from; j < g->to; j++) {
        const struct column *col = &g->columns[j];
        if (col->role != ROLE_LABEL)
            continue;
        first = first == SIZE_MAX ? j : first;
        if (!head_names_samples(buf_view(&col->head)))
            continue;
        if (named != SIZE_MAX && !names_strongly(g, named) && names_strongly(g, j)) {
            named = j; /* "No. | Sample", "Core depth (cm) | Sample" */
            continue;
        }
        if (named == SIZE_MAX)
            named = j;
        else if (second == SIZE_MAX)
            second = j;
    }
    size_t at = named != SIZE_MAX ? named : first;
    if (at == SIZE_MAX) { /* "Mineral | SiO2": what it is is all that names it */
        if (g->columns[0].role == ROLE_KIND || g->columns[0].role == ROLE_LOCALITY)
            record_text(&r->label, grid_value(g, record, 0));
        return;
    }
    struct sv text = grid_value(g, record, at);
    struct sv spot = second == SIZE_MAX ? SV_NONE : grid_value(g, record, second);
    if (!text.n && !r->sample.len && at < ARRAY_LEN(g->above) && g->base == 0)
        record_text(&r->sample, g->above[at]);
    r->is_lost = g->is_continued && second != SIZE_MAX && !text.n && !r->sample.len;
    if (text.n)
        record_text(&r->sample, text);
    r->label_column = spot.n && (label_is_part(g, spot) || !text.n) ? second : at;
    if (spot.n && (label_is_part(g, spot) || !text.n)) {
        record_text(&r->label, spot);
        if (label_is_part(g, spot))
            record_put_sample(r, buf_view(&r->sample));
    } else if (named != SIZE_MAX || !grid_number(g, text, &q)) {
        record_text(&r->label, text); /* a bare number is a depth unless the head says "spot" */
    }
}

/* Phases of one run have rows of their own: "12 | glass", "12 | olivine". */
static bool is_phase_column(const struct grid *g, const struct column *col,
                            const struct record *r)
{
    static const char *const words[] = { "phase", "mineral", "material" };
    return g->has_phases && !r->is_spot && r->label.len &&
           has_word(buf_view(&col->head), words, ARRAY_LEN(words));
}

/* Label and kind of a record: the head of its facts. False: it has no name. */
bool record_read(struct grid *g, size_t record, struct record *r)
{
    r->kind = (struct node){ 0 };
    r->kind_column = r->place_column = r->label_column = 0;
    r->is_spot = r->is_lost = false;
    r->conditions = "";
    buf_reset(&r->label);
    buf_reset(&r->method);
    buf_reset(&r->place);
    if (g->is_turned)
        read_turned_head(g, record, r);
    else
        read_row_label(g, record, r);
    for (size_t j = g->from; j < g->to; j++) {
        const struct column *col = &g->columns[j];
        struct quantity q;
        if (col->role == ROLE_PART && r->label.len)
            add_part(r, grid_value(g, record, j));
        if (col->role != ROLE_KIND && col->role != ROLE_METHOD && col->role != ROLE_LOCALITY)
            continue;
        bool is_first = j == 0 && !g->is_turned;
        struct sv text = is_first ? first_text(g, record, r) : grid_value(g, record, j);
        bool is_phase = col->role == ROLE_KIND && is_phase_column(g, col, r);
        if (col->role == ROLE_KIND && (!r->kind.type || is_phase)) {
            struct section s = section_read(g, text);
            r->kind = s.kind.type || is_any_rock(text) ? s.kind : grid_name(g, text);
            if (r->kind.type && is_any_rock(r->kind.name))
                r->kind = (struct node){ 0 };
            r->kind_column = j;
            if (is_phase)
                add_phase(r, text);
        } else if (col->role == ROLE_METHOD && !r->method.len) {
            record_text(&r->method, text);
        } else if (col->role == ROLE_LOCALITY && !r->place.len && text.n < 60 &&
                   !grid_number(g, text, &q)) {
            record_text(&r->place, text);
            r->place_column = j;
        }
    }
    return r->label.len > 0 && !r->is_lost;
}

/* Does another record of the part have the same bare name? */
static bool is_twice(struct grid *g, size_t record, size_t column)
{
    if (g->is_turned)
        return is_repeated(g, grid_label(g, record));
    if (!g->bare) {
        g->bare = map_new();
        g->is_twice = alloc_zero(g->n_rows, sizeof *g->is_twice);
        for (size_t i = 0; i < grid_down(g); i++) {
            bool is_new;
            size_t k = map_put(g->bare, grid_value(g, i, column), &is_new);
            g->is_twice[k] |= !is_new;
        }
    }
    size_t k = map_get(g->bare, grid_value(g, record, column));
    return k != MAP_NONE && g->is_twice[k];
}

/* Put what makes a bare number a name before it: the sample of the caption, else paper and
 * table. False: the table has that number more than once. */
bool record_put_owner(struct grid *g, size_t record, struct record *r)
{
    struct sv label = buf_view(&r->label), sample = buf_view(&g->about.sample);
    bool is_named = sample.n && label_is_part(g, label);
    if (!is_named && !label_is_bare(g, label))
        return true;
    if (label_is_summary(label) || label_is_error(label) || grid_name(g, label).type)
        return true;
    if (is_twice(g, record, r->label_column))
        return false;
    record_put_sample(r, sample.n ? sample : buf_view(&g->about.table));
    return true;
}
