// SPDX-License-Identifier: MIT
/*
 * comparison.c — rows of means and paired differences
 */
#include "comparison.h"

#include <math.h>

#include "alloc.h"
#include "hash.h"

struct work {
    const struct comparison_cfg *cfg;
    const struct results *r;
    double *x, *d; /* (records) */
};

/* A value of a record in a system, or why there is none. */
static enum cell_state value_of(const struct work *w, size_t system, size_t metric,
                                size_t record, double *value)
{
    const struct system *s = &w->r->systems[system];
    const struct cell *cell = results_cell(w->r, system, metric, record);
    *value = cell->value;
    if (w->cfg->all_queries && !s->stories[record].is_there) {
        *value = 0;
        return CELL_OK;
    }
    return cell->state;
}

static uint64_t seed_of(const struct work *w, const struct comparison_row *row, const char *a,
                        const char *b)
{
    struct buf text = BUF_INIT;
    struct sv metric = results_metric(w->r, row->metric);
    struct sv class_name = map_key(w->r->classes, row->class_id);
    buf_printf(&text, "%.*s\n%.*s\n%s\n%s", SV_ARG(metric), SV_ARG(class_name), a, b);
    uint64_t seed = w->cfg->seed ^ hash64(buf_view(&text));
    buf_release(&text);
    return seed;
}

static bool is_in(const struct work *w, const struct comparison_row *row, size_t record)
{
    return !row->class_id || w->r->class_of[record] == row->class_id;
}

static void summarise(struct work *w, struct comparison_row *row, size_t system)
{
    struct summary *out = &row->systems[system];
    size_t n_records = map_count(w->r->records);
    for (size_t i = 0; i < n_records; i++) {
        double v;
        enum cell_state state = value_of(w, system, row->metric, i, &v);
        if (!is_in(w, row, i) || state == CELL_NONE)
            continue;
        if (state == CELL_FAILED)
            out->n_failed++;
        else
            w->x[out->n++] = v;
    }
    out->mean = stats_mean(w->x, out->n, w->cfg->resamples,
                           seed_of(w, row, w->r->systems[system].name, ""));
}

static void subtract(struct work *w, struct comparison_row *row, size_t system)
{
    struct difference *out = &row->differences[system];
    size_t n_records = map_count(w->r->records);
    for (size_t i = 0; i < n_records; i++) {
        double a, b;
        if (is_in(w, row, i) && value_of(w, 0, row->metric, i, &a) == CELL_OK &&
            value_of(w, system, row->metric, i, &b) == CELL_OK)
            w->d[out->n_pairs++] = a - b;
    }
    uint64_t seed = seed_of(w, row, w->r->systems[0].name, w->r->systems[system].name);
    out->mean = stats_mean(w->d, out->n_pairs, w->cfg->resamples, seed);
    out->p =
        w->cfg->resamples ? stats_sign_flip(w->d, out->n_pairs, w->cfg->resamples, seed) : NAN;
    out->p_holm = out->p;
}

/* Correct the p-values of the rows [from, to), a class, for each system. */
static void correct(struct comparison *c, size_t from, size_t to, size_t n_systems)
{
    double *p = alloc_array(to - from, sizeof *p);
    for (size_t s = 1; s < n_systems; s++) {
        for (size_t i = from; i < to; i++)
            p[i - from] = c->rows[i].differences[s].p;
        stats_holm(p, to - from);
        for (size_t i = from; i < to; i++)
            c->rows[i].differences[s].p_holm = p[i - from];
    }
    free(p);
}

void comparison_init(struct comparison *c, const struct comparison_cfg *cfg,
                     const struct results *r)
{
    size_t n_records = map_count(r->records);
    struct work w = { cfg, r, alloc_array(n_records, sizeof(double)),
                      alloc_array(n_records, sizeof(double)) };
    size_t n_classes = cfg->by_class ? map_count(r->classes) : 1;
    *c = (struct comparison){ .results = r };
    c->rows = alloc_zero(n_classes * r->n_metrics + 1, sizeof *c->rows);
    for (size_t k = 0; k < n_classes; k++) {
        for (size_t m = 0; m < r->n_metrics; m++) {
            struct comparison_row *row = &c->rows[c->n++];
            *row = (struct comparison_row){ m, k, NULL, NULL };
            row->systems = alloc_zero(r->n_systems, sizeof *row->systems);
            row->differences = alloc_zero(r->n_systems, sizeof *row->differences);
            for (size_t s = 0; s < r->n_systems; s++) {
                summarise(&w, row, s);
                if (s)
                    subtract(&w, row, s);
            }
        }
        correct(c, c->n - r->n_metrics, c->n, r->n_systems);
    }
    free(w.x);
    free(w.d);
}

void comparison_release(struct comparison *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->rows[i].systems);
        free(c->rows[i].differences);
    }
    free(c->rows);
}

struct sv comparison_class(const struct comparison *c, const struct comparison_row *row)
{
    return row->class_id ? map_key(c->results->classes, row->class_id) : SV("all");
}
