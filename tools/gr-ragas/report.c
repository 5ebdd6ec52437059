// SPDX-License-Identifier: MIT
/*
 * report.c — the page, part by part
 */
#include "report.h"

#include <math.h>

#include "alloc.h"
#include "chart.h"

static void put_text(struct buf *out, const char *text)
{
    chart_escape(out, sv_from(text));
}

static void put_head(struct buf *out, const struct report_cfg *cfg)
{
    buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(out, cfg->title);
    buf_str(out, "</title>\n<style>\n"
                 "body{font:15px/1.5 sans-serif;max-width:64em;margin:2em auto;padding:0 1em;"
                 "color:#222}\n"
                 "table{border-collapse:collapse;margin:1em 0}\n"
                 "th,td{border-bottom:1px solid #ddd;padding:.2em .6em;text-align:right}\n"
                 "th:first-child,td:first-child{text-align:left}\n"
                 "small,.n{color:#666}\n"
                 "article{border-left:3px solid #ccc;padding-left:1em;margin:1.5em 0}\n"
                 "blockquote{margin:.3em 0 .8em;white-space:pre-wrap;overflow-wrap:anywhere}\n"
                 "</style>\n</head>\n<body>\n<h1>");
    put_text(out, cfg->title);
    buf_str(out, "</h1>\n");
}

static void put_mean(struct buf *out, const struct summary *m)
{
    buf_str(out, "<td>");
    if (m->n)
        buf_printf(out, "%.4f", m->mean.mean);
    else
        buf_str(out, "–");
    if (!isnan(m->mean.low))
        buf_printf(out, " <small>[%.3f, %.3f]</small>", m->mean.low, m->mean.high);
    buf_printf(out, "</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>", m->n, m->n_failed);
}

static void put_difference(struct buf *out, const struct difference *d)
{
    if (!d->n_pairs) {
        buf_str(out, "<td>–</td><td></td>");
        return;
    }
    buf_printf(out, "<td>%+.4f", d->mean.mean);
    if (!isnan(d->mean.low))
        buf_printf(out, " <small>[%+.3f, %+.3f]</small>", d->mean.low, d->mean.high);
    buf_str(out, "</td><td>");
    if (!isnan(d->p))
        buf_printf(out, "%.4f <small>(%.4f)</small>", d->p, d->p_holm);
    buf_str(out, "</td>");
}

static void put_table(struct buf *out, const struct comparison *c, size_t class_id)
{
    const struct results *r = c->results;
    buf_str(out, "<table>\n<tr><th>metric</th>");
    for (size_t s = 0; s < r->n_systems; s++) {
        buf_str(out, "<th>");
        put_text(out, r->systems[s].name);
        buf_str(out, "</th><th>n</th><th>failed</th>");
    }
    for (size_t s = 1; s < r->n_systems; s++) {
        buf_str(out, "<th>difference to ");
        put_text(out, r->systems[s].name);
        buf_str(out, "</th><th>p (Holm)</th>");
    }
    buf_str(out, "</tr>\n");
    for (size_t i = 0; i < c->n; i++) {
        const struct comparison_row *row = &c->rows[i];
        if (row->class_id != class_id)
            continue;
        buf_str(out, "<tr><td>");
        chart_escape(out, results_metric(r, row->metric));
        if (metric_is_lower_better(results_metric(r, row->metric)))
            buf_str(out, " <small>lower is better</small>");
        buf_str(out, "</td>");
        for (size_t s = 0; s < r->n_systems; s++)
            put_mean(out, &row->systems[s]);
        for (size_t s = 1; s < r->n_systems; s++)
            put_difference(out, &row->differences[s]);
        buf_str(out, "</tr>\n");
    }
    buf_str(out, "</table>\n");
}

static void put_method(struct buf *out, const struct comparison *c,
                       const struct comparison_cfg *how)
{
    const struct results *r = c->results;
    buf_printf(out,
               "<p><small>Brackets: 95 %% bootstrap intervals (%zu resamples, seed %llu). "
               "n: records with a value; failed: records without one, never counted as 0. ",
               how->resamples, (unsigned long long)how->seed);
    if (r->n_systems > 1) {
        buf_str(out, "Differences: ");
        put_text(out, r->systems[0].name);
        buf_str(out, " minus the other, over pairs; p: paired sign-flip test, in parentheses "
                     "after Holm's correction over all metrics. ");
    }
    buf_str(out, "lexical_… metrics are judged by shared words, not by a language "
                 "model.</small></p>\n");
}

/* Place of the metric that ranks questions, or SIZE_MAX. */
static size_t find_metric(const struct results *r, const char *name)
{
    for (size_t i = 0; i < r->n_metrics; i++)
        if (sv_is(results_metric(r, i), name))
            return i;
    return SIZE_MAX;
}

static int choose_metric(const struct results *r, const char *wanted, size_t *metric,
                         struct err *err)
{
    static const char *const usual[] = { "lexical_answer_correctness", "token_f1", "rouge_l" };
    *metric = SIZE_MAX;
    if (wanted) {
        *metric = find_metric(r, wanted);
        return *metric != SIZE_MAX || !r->n_metrics
                   ? 0
                   : err_set(err, EXIT_USAGE, "--rank-by: no record has a score \"%s\"",
                             wanted);
    }
    for (size_t i = 0; i < ARRAY_LEN(usual) && *metric == SIZE_MAX; i++)
        *metric = find_metric(r, usual[i]);
    if (*metric == SIZE_MAX && r->n_metrics)
        *metric = 0;
    return 0;
}

struct bad {
    size_t record;
    double badness; /* larger is worse */
};

static int worst_first(const void *a, const void *b)
{
    const struct bad *x = a, *y = b;
    if (x->badness < y->badness || x->badness > y->badness)
        return x->badness > y->badness ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

/* Records of the first system, worst first; those without a value are worse than any. */
static struct bad *rank_records(const struct results *r, size_t metric, size_t *n)
{
    size_t n_records = map_count(r->records);
    bool lower = metric_is_lower_better(results_metric(r, metric));
    struct bad *list = alloc_array(n_records, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < n_records; i++) {
        const struct cell *cell = results_cell(r, 0, metric, i);
        if (!r->systems[0].stories[i].is_there)
            continue;
        double badness = cell->state != CELL_OK ? INFINITY : lower ? cell->value : -cell->value;
        list[(*n)++] = (struct bad){ i, badness };
    }
    if (*n)
        qsort(list, *n, sizeof *list, worst_first);
    return list;
}

static void put_answer(struct buf *out, const struct results *r, size_t system, size_t metric,
                       size_t record)
{
    const struct cell *cell = results_cell(r, system, metric, record);
    const struct story *story = &r->systems[system].stories[record];
    if (!story->is_there)
        return;
    buf_str(out, "<b>");
    put_text(out, r->systems[system].name);
    buf_str(out, "</b> ");
    if (cell->state == CELL_OK)
        buf_printf(out, "%.4f", cell->value);
    else
        buf_str(out, "no value");
    buf_str(out, "<blockquote>");
    put_text(out, story->response ? story->response : "(no response)");
    buf_str(out, "</blockquote>\n");
}

static void put_question(struct buf *out, const struct results *r, size_t metric, size_t record)
{
    const struct story *story = &r->systems[0].stories[record];
    buf_str(out, "<article><p><b>");
    put_text(out, story->question ? story->question : "(no question)");
    buf_str(out, "</b> <small>");
    chart_escape(out, map_key(r->records, record));
    if (r->class_of[record]) {
        buf_str(out, ", ");
        chart_escape(out, map_key(r->classes, r->class_of[record]));
    }
    buf_str(out, "</small></p>\n");
    if (story->reference) {
        buf_str(out, "<b>reference</b><blockquote>");
        put_text(out, story->reference);
        buf_str(out, "</blockquote>\n");
    }
    for (size_t s = 0; s < r->n_systems; s++)
        put_answer(out, r, s, metric, record);
    buf_str(out, "</article>\n");
}

static void put_worst(struct buf *out, const struct report_cfg *cfg, const struct results *r,
                      size_t metric)
{
    size_t n;
    if (metric == SIZE_MAX || !cfg->worst)
        return;
    struct bad *list = rank_records(r, metric, &n);
    n = n < cfg->worst ? n : cfg->worst;
    buf_printf(out, "<h2>The %zu worst of ", n);
    put_text(out, r->systems[0].name);
    buf_str(out, " by ");
    chart_escape(out, results_metric(r, metric));
    buf_str(out, "</h2>\n");
    for (size_t i = 0; i < n; i++)
        put_question(out, r, metric, list[i].record);
    free(list);
}

int report_write(struct buf *out, const struct report_cfg *cfg, const struct comparison *c,
                 const struct comparison_cfg *how, struct err *err)
{
    const struct results *r = c->results;
    size_t metric;
    if (choose_metric(r, cfg->rank_by, &metric, err) < 0)
        return -1;
    put_head(out, cfg);
    for (size_t s = 0; s < r->n_systems; s++) {
        buf_printf(out, "%s%zu records of ", s ? ", " : "<p>", r->systems[s].n_records);
        put_text(out, r->systems[s].name);
    }
    buf_str(out, ".</p>\n");
    put_table(out, c, 0);
    put_method(out, c, how);
    chart_svg(out, c, 0);
    for (size_t k = 1; how->by_class && k < map_count(r->classes); k++) {
        buf_str(out, "<h2>");
        chart_escape(out, map_key(r->classes, k));
        buf_str(out, "</h2>\n");
        put_table(out, c, k);
        chart_svg(out, c, k);
    }
    put_worst(out, cfg, r, metric);
    buf_str(out, "</body>\n</html>\n");
    return 0;
}
