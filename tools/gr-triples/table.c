// SPDX-License-Identifier: MIT
/*
 * table.c — facts of tables: the name of a row × the head of a column with its unit
 *
 * Tables come in two ways: samples down and measures across ("SiO2 (wt.%)", "87Sr/86Sr",
 * "2SE"), or the other way round. The one whose heads name more measures is taken. Columns of
 * errors belong to the nearest value column on their left. A row of its own ("Basalts") says
 * what the records below it are, the caption by which method ("by LA-ICP-MS") they were
 * measured. A doubtful table gives fewer facts, not other ones.
 */
#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "table_impl.h"
#include "utf8.h"

#define COLUMNS_MAX 400

static void free_columns(struct grid *g, size_t n)
{
    for (size_t i = 0; g->columns && i < n; i++)
        buf_release(&g->columns[i].head);
    free(g->columns);
    g->columns = NULL;
}

/* ---- records
 * --------------------------------------------------------------------------------- */

/* A row of the text itself is the evidence where the text has one. */
static void set_evidence(struct grid *g, size_t record, size_t column, struct fact *f,
                         struct buf *made, struct sv label)
{
    size_t row = g->n_header + (g->is_turned ? column : record);
    if (g->line_start[row] != SIZE_MAX) {
        f->start = g->line_start[row];
        f->end = g->line_end[row];
        g->w->sink.source.has_offsets = true;
        return;
    }
    g->w->sink.source.has_offsets = false;
    buf_reset(made);
    if (g->caption.n) {
        buf_sv(made, g->caption);
        buf_str(made, ": ");
    }
    buf_sv(made, label);
    if (column_is_value(&g->columns[column])) {
        buf_str(made, "; ");
        buf_sv(made, buf_view(&g->columns[column].head));
        buf_str(made, ": ");
        buf_sv(made, grid_value(g, record, column));
    }
    f->evidence = buf_view(made);
}

static void read_error(struct grid *g, size_t record, const struct column *col,
                       struct quantity *q)
{
    if (col->error_column == SIZE_MAX || !isnan(q->error))
        return;
    struct quantity e;
    struct sv text = grid_value(g, record, col->error_column);
    if (sv_starts(text, SV("\xc2\xb1")))
        text = sv_trim(sv_from_to(text, 2, text.n));
    if (!grid_number(g, text, &e) || isnan(e.low) || !isnan(e.high))
        return;
    q->error = e.low;
    const char *kind = g->columns[col->error_column].error_kind;
    q->error_kind = kind && kind[0] ? kind : NULL;
}

static double confidence_of(const struct grid *g, const struct column *col,
                            const struct quantity *q)
{
    enum unit_kind kind = units_kind(g->x->units, q->unit);
    if (col->role != ROLE_MEASURE || col->is_ratio)
        return 0.9;
    return kind == UNIT_FRACTION || kind == UNIT_FLUX ? 0.9 : 0.4; /* a content without unit */
}

/* More than the whole: a count, an index or a lost decimal point. */
static bool is_impossible(const struct grid *g, const struct quantity *q)
{
    struct sv unit = units_name(g->x->units, q->unit);
    return (sv_is(unit, "%") || sv_is(unit, "wt%") || sv_is(unit, "vol%")) &&
           (q->low > 105 || q->high > 105);
}

/* X-ray diffraction gives no ages, dating no contents: a caption's method is for its columns.
 */
static bool method_fits(const struct grid *g, const struct column *col,
                        const struct experiment *experiment)
{
    if (experiment->method.p != g->method.p)
        return true; /* the row's own */
    bool is_dating = sv_is(g->method_kind, "dating");
    bool gives_ages = is_dating || sv_is(g->method_kind, "mass_spectrometry");
    return col->role == ROLE_AGE ? gives_ages : col->role == ROLE_MEASURE && !is_dating;
}

static void add_values(struct grid *g, size_t record, const struct node *head, struct sv label,
                       const struct experiment *experiment, struct buf *made)
{
    for (size_t j = 0; j < grid_across(g); j++) {
        struct column *col = &g->columns[j];
        struct quantity q;
        if (!column_is_value(col) || !grid_number(g, grid_value(g, record, j), &q))
            continue;
        if (q.unit == UNIT_NONE)
            q.unit = col->unit;
        if (col->role == ROLE_AGE && units_kind(g->x->units, q.unit) != UNIT_AGE)
            continue;
        if (is_impossible(g, &q))
            continue;
        read_error(g, record, col, &q);
        struct fact f = {
            .head = *head,
            .tail = { .type = "value" },
            .relation = col->relation,
            .value = &q,
            .of = col->what,
            .confidence = confidence_of(g, col, &q),
            .extractor = "table",
            .experiment = *experiment,
        };
        if (!method_fits(g, col, experiment))
            f.experiment.method = SV_NONE;
        set_evidence(g, record, j, &f, made, label);
        sink_add(&g->w->sink, &f);
    }
}

/* Rows that sum the others up are no samples. */
static bool is_summary(struct sv label)
{
    static const char *const words[] = { "mean", "average", "total",  "sum",   "min",
                                         "max",  "n",       "median", "stdev", "range",
                                         "sd",   "rsd",     "note",   "notes", "references" };
    return has_word(label, words, ARRAY_LEN(words)) || quantity_error_kind(label) != NULL;
}

static void copy_cell(struct buf *to, struct sv text)
{
    buf_reset(to);
    buf_sv(to, text);
}

/* What a record is called and is. */
struct record {
    struct buf label, method, place; /* "": not said */
    struct node kind;                /* .type NULL: not said */
    size_t kind_column, place_column;
};

/* Across: the row of names, and what the other head rows say of the sample. */
static void read_turned_head(struct grid *g, size_t record, struct record *r)
{
    if (record + 1 == g->unit_line)
        return;
    copy_cell(&r->label, grid_cell(g, g->label_row, record + 1));
    for (size_t i = 0; i < g->n_header && !r->kind.type; i++)
        if (i != g->label_row)
            r->kind = grid_name(g, grid_cell(g, i, record + 1));
}

/* Label and kind of a record: the head of its facts. False: it has no name. */
static bool read_head(struct grid *g, size_t record, struct record *r)
{
    r->kind = (struct node){ 0 };
    r->kind_column = r->place_column = 0;
    buf_reset(&r->label);
    buf_reset(&r->method);
    buf_reset(&r->place);
    if (g->is_turned)
        read_turned_head(g, record, r);
    for (size_t j = 0; j < grid_across(g); j++) {
        const struct column *col = &g->columns[j];
        struct quantity q;
        struct sv text = grid_value(g, record, j);
        if (col->role == ROLE_LABEL && !r->label.len && !g->is_turned) {
            /* a bare number is a depth or a count unless the head says "spot 3" */
            bool is_named = head_names_samples(buf_view(&col->head));
            if (is_named || !grid_number(g, text, &q))
                copy_cell(&r->label, text);
        } else if (col->role == ROLE_KIND && !r->kind.type) {
            r->kind = grid_name(g, text);
            r->kind_column = j;
        } else if (col->role == ROLE_METHOD && !r->method.len) {
            copy_cell(&r->method, text);
        } else if (col->role == ROLE_LOCALITY && !r->place.len && text.n < 60 &&
                   !grid_number(g, text, &q)) {
            copy_cell(&r->place, text);
            r->place_column = j;
        }
    }
    return r->label.len > 0;
}

static const char *relation_of_kind(const char *type)
{
    if (strcmp(type, "location") == 0)
        return "Located In";
    return strcmp(type, "setting") == 0 || strcmp(type, "deposit") == 0 ? "Occurs In" : "Is A";
}

static void add_description(struct grid *g, size_t record, const struct node *head,
                            const struct node *tail, size_t column, struct buf *made)
{
    struct fact f = {
        .head = *head,
        .tail = *tail,
        .relation = relation_of_kind(tail->type),
        .confidence = 0.85,
        .extractor = "table",
    };
    set_evidence(g, record, column, &f, made, head->name);
    sink_add(&g->w->sink, &f);
}

/* section: what the rows stand under, .type NULL: nothing known. */
static void add_record(struct grid *g, size_t record, struct record *r, struct buf *made,
                       const struct node *section)
{
    if (!read_head(g, record, r) || is_summary(buf_view(&r->label)) || r->label.len > 60)
        return;
    struct sv name = buf_view(&r->label);
    struct node head = grid_name(g, name);
    bool is_sample = head.type == NULL;
    if (is_sample)
        head = (struct node){ .type = "sample", .name = name };
    struct node kind = r->kind.type ? r->kind : *section;
    if (kind.type && is_sample)
        add_description(g, record, &head, &kind, r->kind_column, made);
    struct node place = grid_name(g, buf_view(&r->place));
    if (r->place.len && (!place.type || strcmp(place.type, "location") != 0))
        place = (struct node){ .type = "location", .name = buf_view(&r->place) };
    if (place.type && is_sample)
        add_description(g, record, &head, &place, r->place_column, made);
    struct experiment experiment = {
        .method = g->method, .sample = SV(""), .standard = SV(""), .conditions = SV("")
    };
    if (r->method.len)
        experiment.method = buf_view(&r->method);
    add_values(g, record, &head, name, &experiment, made);
}

/* ---- the table
 * ------------------------------------------------------------------------------- */

/* The last lines of the text are the rows, when there are enough of them. */
static void find_lines(struct grid *g)
{
    struct sv text = g->source->text;
    size_t end = text.n;
    for (size_t i = 0; i < g->n_rows; i++)
        g->line_start[i] = g->line_end[i] = SIZE_MAX;
    for (size_t i = g->n_rows; i-- > g->n_header && end > 0;) {
        bool is_empty = true;
        for (size_t j = 0; j < g->n_columns && is_empty; j++)
            is_empty = grid_cell(g, i, j).n == 0;
        if (is_empty)
            continue;
        size_t start = end;
        while (start > 0 && text.p[start - 1] != '\n')
            start--;
        if (sv_find(sv_from_to(text, start, end), grid_cell(g, i, 0), 0) == SIZE_MAX)
            return;
        g->line_start[i] = start;
        g->line_end[i] = end;
        end = start ? start - 1 : 0;
    }
}

/* "Basalts", "Zircon rims": what the rows below are. */
static struct node section_of(struct grid *g, size_t row)
{
    struct node n = grid_name(g, grid_cell(g, row, 0));
    bool is_thing = n.type && (strcmp(n.type, "rock") == 0 || strcmp(n.type, "mineral") == 0);
    return is_thing ? n : (struct node){ 0 };
}

/* The one method that the caption names. */
static struct sv method_of_caption(struct grid *g)
{
    struct sv method = SV_NONE;
    struct entities *names = &g->w->names;
    vocab_scan(g->x->vocab, g->caption, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        struct sv kind = SV_NONE;
        if (e->weak || strcmp(e->type, "method") != 0 || e->entry == VOCAB_NONE)
            continue;
        vocab_attr(g->x->vocab, e->entry, "kind", &kind);
        struct sv name = vocab_name(g->x->vocab, e->entry);
        bool is_idle = sv_is(kind, "preparation") || sv_is(kind, "modelling") ||
                       sv_is(kind, "statistics") || sv_is(kind, "software") ||
                       sv_is(kind, "sampling") || sv_is(kind, "procedure");
        if (is_idle || sv_eq(name, method))
            continue;
        if (method.n)
            return SV_NONE;
        method = name;
        g->method_kind = kind;
    }
    return method;
}

static void read_grid(struct grid *g)
{
    struct record r = { .label = BUF_INIT, .method = BUF_INIT, .place = BUF_INIT };
    struct buf made = BUF_INIT;
    struct node section = { 0 };
    size_t across = grid_read_columns(g);
    struct column *straight = g->columns;
    size_t n_straight = grid_across(g), turned = 0;
    g->is_turned = true;
    if (g->n_columns > 1)
        turned = grid_read_columns(g);
    if (g->n_columns < 2 || across >= turned) {
        if (g->n_columns > 1)
            free_columns(g, grid_across(g));
        g->is_turned = false;
        g->columns = straight;
    } else {
        struct column *keep = g->columns;
        g->columns = straight;
        free_columns(g, n_straight);
        g->columns = keep;
    }
    if (across || turned)
        for (size_t i = 0; i < grid_down(g); i++) {
            if (!g->is_turned && grid_is_section(g, g->n_header + i))
                section = section_of(g, g->n_header + i);
            else
                add_record(g, i, &r, &made, &section);
        }
    free_columns(g, grid_across(g));
    buf_release(&r.label);
    buf_release(&r.method);
    buf_release(&r.place);
    buf_release(&made);
}

int table_read(struct extractor *x, struct scratch *w, jv table, const struct source *source,
               struct err *err)
{
    struct grid g = { .x = x, .w = w, .rows = jv_null(), .source = source };
    double n_header = 0;
    if (!json_is_object(table))
        return err_set(err, EXIT_REJECTED, "field \"table\": expected object");
    if (json_opt_array(table, "rows", &g.rows, err) < 0 ||
        json_opt_num(table, "header_rows", &n_header, err) < 0 ||
        json_opt_str(table, "caption", &g.caption, err) < 0)
        return err_prefix(err, "field \"table\"");
    g.n_rows = json_len(g.rows);
    for (size_t i = 0; i < g.n_rows; i++) {
        if (!json_is_array(json_at(g.rows, i)))
            return err_set(err, EXIT_REJECTED, "field \"table\": row %zu is no array", i);
        size_t n = json_len(json_at(g.rows, i));
        g.n_columns = n > g.n_columns ? n : g.n_columns;
    }
    if (g.n_columns > COLUMNS_MAX || g.n_rows < 2 || g.n_columns < 2)
        return 0;
    g.n_header = n_header >= 1 && n_header < (double)g.n_rows ? (size_t)n_header : 0;
    grid_find_heads(&g);
    g.method = method_of_caption(&g);
    sink_source(&w->sink, source);
    if (g.n_header) {
        g.line_start = alloc_array(g.n_rows, sizeof *g.line_start);
        g.line_end = alloc_array(g.n_rows, sizeof *g.line_end);
        find_lines(&g);
        read_grid(&g);
    }
    free(g.line_start);
    free(g.line_end);
    buf_release(&g.cell);
    return 0;
}
