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

/* Is there another column with the same heads? */
static bool has_twin(const struct grid *g, size_t record)
{
    for (size_t j = 1; j < g->n_columns; j++) {
        bool is_same = j != record + 1;
        for (size_t i = 0; is_same && i < g->n_header; i++)
            is_same = sv_eq(grid_head_cell(g, i, j), grid_head_cell(g, i, record + 1));
        if (is_same)
            return true;
    }
    return false;
}

/* "core" becomes "garnet core" and gets its sample's name. is_open: the label is none by
 * itself. */
static void settle_turned(struct grid *g, size_t record, struct record *r, struct sv owner,
                          bool is_open)
{
    struct sv label = grid_cell(g, g->label_row, record + 1);
    bool is_mineral = r->kind.type && strcmp(r->kind.type, "mineral") == 0;
    if (is_mineral && (!label.n || label_is_zone(label)) && !r->is_spot) {
        record_text(&r->label, r->kind.name);
        buf_str(&r->label, label.n ? " " : "");
        buf_sv(&r->label, label);
        is_open = true;
    }
    if (owner.n && !r->is_spot)
        record_put_sample(r, owner);
    if (is_open && !r->is_spot && is_mineral && has_digit(label) && !label_is_zone(label))
        add_phase(r, r->kind.name); /* "TB-1" under "Garnet" and under "Biotite" */
    if (is_open && !r->is_spot && !has_digit(label) && has_twin(g, record))
        buf_reset(&r->label); /* whose core? */
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
    struct sv owner = SV_NONE;
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
        else if (is_open && !owner.n)
            owner = text;
    }
    settle_turned(g, record, r, owner, is_open);
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

static bool head_has_sample(const struct grid *g, size_t column)
{
    static const char *const words[] = { "sample", "samples", "specimen" };
    return has_word(buf_view(&g->columns[column].head), words, ARRAY_LEN(words));
}

static bool head_has_spot(const struct grid *g, size_t column)
{
    static const char *const words[] = { "spot",   "spots", "analysis", "grain",   "analyses",
                                         "grains", "point", "points",   "fraction" };
    return has_word(buf_view(&g->columns[column].head), words, ARRAY_LEN(words));
}

/* The columns that name samples and their spots; SIZE_MAX: none. */
static void find_label_columns(const struct grid *g, size_t *named, size_t *second)
{
    *named = *second = SIZE_MAX;
    for (size_t j = g->from; j < g->to; j++) {
        const struct column *col = &g->columns[j];
        if (col->role != ROLE_LABEL || !head_names_samples(buf_view(&col->head)))
            continue;
        if (*named == SIZE_MAX) {
            *named = j;
        } else if (!head_has_sample(g, *named) && head_has_sample(g, j)) {
            if (head_has_spot(g, *named))
                *second = *named; /* "Spot | Sample"; but "No. | Sample" */
            *named = j;
        } else if (!head_has_sample(g, *named) && !head_has_spot(g, *named) &&
                   head_has_spot(g, j)) {
            *named = j; /* "Core depth (cm) | Spot" */
        } else if (*second == SIZE_MAX || (head_has_spot(g, j) && !head_has_spot(g, *second))) {
            *second = j;
        }
    }
}

/* The label of a row: of the column that names samples, with that of the spot. */
static void read_row_label(struct grid *g, size_t record, struct record *r)
{
    size_t named, second, first = g->from;
    struct quantity q;
    find_label_columns(g, &named, &second);
    while (first < g->to && g->columns[first].role != ROLE_LABEL)
        first++;
    size_t at = named != SIZE_MAX ? named : first;
    if (at >= g->to) { /* "Mineral | SiO2": what it is is all that names it */
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
    bool is_part = spot.n && (label_is_part(g, spot) || head_has_spot(g, second));
    bool is_of_spot = is_part || (spot.n && !text.n);
    r->label_column = is_of_spot ? second : at;
    if (is_of_spot) {
        struct node n = grid_name(g, spot);
        if (n.type && strcmp(n.type, "mineral") == 0)
            r->kind = n; /* "EC-1 | garnet" */
        record_text(&r->label, spot);
        if (is_part)
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
    for (size_t j = g->from; j < g->to; j++)
        if (g->columns[j].role == ROLE_PART && r->label.len)
            add_part(r, grid_value(g, record, j));
    return r->label.len > 0 && !r->is_lost;
}

/* Does another record of the part have the same bare name? */
static bool is_twice(struct grid *g, size_t record, size_t column)
{
    if (g->is_turned)
        return has_twin(g, record);
    if (!g->bare) {
        g->bare = map_new();
        g->is_twice = alloc_zero(grid_down(g) * grid_across(g), sizeof *g->is_twice);
        for (size_t j = 0; j < grid_across(g); j++) { /* "Sample | SiO2 | Sample | SiO2" */
            bool is_like = j == column || (g->columns[j].role == ROLE_LABEL &&
                                           sv_eq(buf_view(&g->columns[j].head),
                                                 buf_view(&g->columns[column].head)));
            for (size_t i = 0; is_like && i < grid_down(g); i++) {
                bool is_new;
                size_t k = map_put(g->bare, grid_value(g, i, j), &is_new);
                g->is_twice[k] |= !is_new;
            }
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
    if (label_is_summary(label) || label_is_error(label) || label_is_limit(label) ||
        (!sample.n && !label_is_zone(label) && grid_name(g, label).type))
        return true; /* "Olivine" of a table is what is known of olivine */
    if (is_twice(g, record, r->label_column))
        return false;
    record_put_sample(r, sample.n ? sample : buf_view(&g->about.table));
    return true;
}
