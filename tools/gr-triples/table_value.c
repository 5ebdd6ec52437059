// SPDX-License-Identifier: MIT
/*
 * table_value.c — the fact of a cell: value, unit, error, limit, what speaks against it
 */
#include <math.h>

#include "table_impl.h"

/* A row of the text itself is the evidence where the text has one. */
void table_evidence(struct grid *g, size_t record, size_t column, struct fact *f,
                    struct buf *made, struct sv label)
{
    size_t row = g->base + g->n_header + (g->is_turned ? column : record);
    if (g->line_start[row] != SIZE_MAX) {
        f->start = g->line_start[row];
        f->end = g->line_end[row];
        g->w->sink.source.has_offsets = true;
        return;
    }
    g->w->sink.source.has_offsets = false;
    buf_reset(made);
    struct sv caption = sv_from_to(buf_view(&g->about.text), 0, g->about.caption);
    if (caption.n) {
        buf_sv(made, caption);
        buf_str(made, ": ");
    }
    buf_sv(made, label);
    if (column_is_value(&g->columns[column]) || column_is_where(&g->columns[column])) {
        buf_str(made, "; ");
        buf_sv(made, buf_view(&g->columns[column].head));
        buf_str(made, ": ");
        buf_sv(made, grid_value(g, record, column));
    }
    f->evidence = buf_view(made);
}

struct sv grid_label(const struct grid *g, size_t record)
{
    return g->is_turned ? grid_cell(g, g->label_row, record + 1)
                        : grid_cell(g, g->n_header + record, 0);
}

/* The error in a column of its own, or in the next record where errors have their own. */
static void read_error(struct grid *g, size_t record, const struct record *r, size_t j,
                       struct quantity *q)
{
    const struct column *col = &g->columns[j];
    struct sv text = grid_value(g, record, j);
    if (col->error_column != SIZE_MAX) {
        cell_error(g, col, text, &g->columns[col->error_column],
                   grid_value(g, record, col->error_column), q);
    } else if (r->has_errors) {
        struct sv head = grid_label(g, record + 1);
        struct column error = { .error_kind = error_of_head(head),
                                .is_relative = memchr(head.p, '%', head.n) != NULL };
        cell_error(g, col, text, &error, grid_value(g, record + 1, j), q);
    }
}

static double confidence_of(const struct grid *g, const struct column *col,
                            const struct quantity *q)
{
    enum unit_kind kind = units_kind(g->x->units, q->unit);
    if (col->role != ROLE_MEASURE || col->is_ratio)
        return 0.9;
    return kind == UNIT_FRACTION || kind == UNIT_FLUX ? 0.9 : 0.4; /* a content without unit */
}

/* Ratios outside of what nature has: an age, a lost decimal point or a power of ten. */
static bool is_impossible_ratio(struct sv name, double v)
{
    static const struct {
        const char *name;
        double low, high;
    } ranges[] = {
        { "87Sr/86Sr", 0.69, 1000 },   { "143Nd/144Nd", 0.505, 0.56 },
        { "176Hf/177Hf", 0.279, 0.5 }, { "206Pb/238U", 0, 3 },
        { "207Pb/235U", 0, 200 },      { "207Pb/206Pb", 0, 3 },
        { "208Pb/232Th", 0, 1 },       { "206Pb/204Pb", 8, 1e7 },
        { "207Pb/204Pb", 9, 1e6 },     { "208Pb/204Pb", 25, 1e6 },
        { "147Sm/144Nd", 0, 5 },       { "176Lu/177Hf", 0, 50 },
        { "142Nd/144Nd", 1.13, 1.15 }, { "40Ar/36Ar", 200, 1e7 },
    };
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
        if (sv_is(name, ranges[i].name))
            return v < ranges[i].low || v > ranges[i].high;
    return false;
}

/* More than the whole: a count, an index or a lost decimal point. */
static bool is_impossible(const struct grid *g, const struct column *col,
                          const struct quantity *q)
{
    bool is_share =
        grid_is_percent(g, q->unit) || sv_is(units_name(g->x->units, q->unit), "vol%");
    if (is_share && (q->low > 105 || q->high > 105))
        return true;
    return col->role == ROLE_MEASURE && col->class == CLASS_RATIO && !isnan(q->low) &&
           is_impossible_ratio(col->what.name, q->low);
}

/* The unit of a cell's value: its own where it measures such things, else the column's. A
 * letter behind a number is a footnote's. False: another thing is measured. */
static bool settle_unit(const struct grid *g, const struct column *col, struct sv text,
                        struct quantity *q)
{
    if (q->unit == UNIT_NONE) {
        q->unit = col->unit;
    } else {
        enum unit_kind kind = units_kind(g->x->units, q->unit);
        bool fits = kind == units_kind(g->x->units, col->unit) && kind != UNIT_OTHER;
        if (col->role == ROLE_AGE)
            fits = kind == UNIT_AGE;
        else if (col->role == ROLE_MEASURE && !col->is_ratio)
            fits = kind == UNIT_FRACTION || kind == UNIT_FLUX;
        else if (col->role == ROLE_MEASURE)
            fits = kind == UNIT_DELTA || col->unit == q->unit;
        bool is_letter =
            text.n > 1 && (text.p[text.n - 1] | 32) >= 'a' &&
            (text.p[text.n - 1] | 32) <= 'z' &&
            !((text.p[text.n - 2] | 32) >= 'a' && (text.p[text.n - 2] | 32) <= 'z');
        if (!fits && !is_letter)
            return false;
        if (!fits)
            q->unit = col->unit;
    }
    return col->role != ROLE_AGE || units_kind(g->x->units, q->unit) == UNIT_AGE;
}

/* "b.d.l." where another record has the limits. */
static bool read_limit(struct grid *g, struct sv text, size_t column, struct quantity *q)
{
    if (g->limit_record == SIZE_MAX || !cell_is_below_limit(text) ||
        !grid_number(g, grid_value(g, g->limit_record, column), q) || isnan(q->low) ||
        !isnan(q->high) || q->op != Q_IS || q->low <= 0)
        return false;
    q->op = Q_LESS;
    q->high = q->low;
    q->low = q->error = NAN;
    q->error_kind = NULL;
    return true;
}

bool table_add_value(struct grid *g, size_t record, size_t j, const struct node *head,
                     struct sv label, const struct record *r, struct buf *made)
{
    const struct column *col = &g->columns[j];
    struct quantity q;
    struct sv text = grid_value(g, record, j);
    if (!text.n || (!cell_read(g, col, text, &q) && !read_limit(g, text, j, &q)))
        return false;
    if (!settle_unit(g, col, text, &q) || is_impossible(g, col, &q))
        return false;
    read_error(g, record, r, j, &q);
    if (!isnan(q.error) && !q.error_kind)
        q.error_kind = g->about.error_kind;
    bool is_given = r->conditions[0] != '\0';
    struct fact f = {
        .head = *head,
        .tail = { .type = "value" },
        .relation = col->relation,
        .value = &q,
        .of = col->what,
        .confidence = confidence_of(g, col, &q),
        .extractor = "table",
        .experiment = { .method = is_given ? SV("") : col->method,
                        .sample = SV(""),
                        .standard = col->standard,
                        .conditions = sv_from(is_given ? r->conditions : col->conditions) },
    };
    if (r->method.len)
        f.experiment.method = buf_view(&r->method);
    table_evidence(g, record, j, &f, made, label);
    sink_add(&g->w->sink, &f);
    return true;
}
