// SPDX-License-Identifier: MIT
/*
 * table.c — a comparison as text, JSON, CSV, Markdown
 */
#include "comparison.h"

#include <math.h>

#include "alloc.h"
#include "utf8.h"

/* ---- cells of text ---- */

struct grid {
    char **cells; /* (rows · columns) */
    size_t n, cap, columns;
};

static void grid_put(struct grid *g, const char *text, size_t n)
{
    if (g->n == g->cap) {
        g->cap = alloc_grow(g->cap, g->n + 1);
        g->cells = alloc_resize(g->cells, g->cap, sizeof *g->cells);
    }
    char *cell = alloc_text(text, n);
    err_clean(cell); /* names come from files: nothing that draws on a terminal */
    g->cells[g->n++] = cell;
}

static void grid_str(struct grid *g, const char *text)
{
    grid_put(g, text, strlen(text));
}

static void grid_num(struct grid *g, const char *format, double v)
{
    char text[64];
    if (isnan(v)) {
        grid_str(g, "-");
        return;
    }
    int n = format[0] == '+' ? snprintf(text, sizeof text, "%+.4f", v)
                             : snprintf(text, sizeof text, "%.4f", v);
    grid_put(g, text, (size_t)n);
}

static void grid_count(struct grid *g, size_t v)
{
    char text[32];
    grid_put(g, text, (size_t)snprintf(text, sizeof text, "%zu", v));
}

static void grid_release(struct grid *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->cells[i]);
    free(g->cells);
}

/* ---- the table for people ---- */

static void put_heads(struct grid *g, const struct comparison *c, bool has_class)
{
    const struct results *r = c->results;
    grid_str(g, "metric");
    if (has_class)
        grid_str(g, "class");
    for (size_t s = 0; s < r->n_systems; s++) {
        grid_str(g, r->systems[s].name);
        grid_str(g, "n");
        grid_str(g, "failed");
    }
    if (r->n_systems == 1) {
        grid_str(g, "low");
        grid_str(g, "high");
    }
    for (size_t s = 1; s < r->n_systems; s++) {
        struct buf head = BUF_INIT;
        buf_str(&head, "difference");
        if (r->n_systems > 2)
            buf_printf(&head, " to %s", r->systems[s].name);
        grid_str(g, buf_cstr(&head));
        buf_release(&head);
        grid_str(g, "low");
        grid_str(g, "high");
        grid_str(g, "pairs");
        grid_str(g, "p");
        grid_str(g, "p_holm");
    }
    g->columns = g->n;
}

static void put_row(struct grid *g, const struct comparison *c,
                    const struct comparison_row *row, bool has_class)
{
    const struct results *r = c->results;
    struct sv name = results_metric(r, row->metric), class_name = comparison_class(c, row);
    grid_put(g, name.p, name.n);
    if (has_class)
        grid_put(g, class_name.p, class_name.n);
    for (size_t s = 0; s < r->n_systems; s++) {
        grid_num(g, "", row->systems[s].mean.mean);
        grid_count(g, row->systems[s].n);
        grid_count(g, row->systems[s].n_failed);
    }
    if (r->n_systems == 1) {
        grid_num(g, "", row->systems[0].mean.low);
        grid_num(g, "", row->systems[0].mean.high);
    }
    for (size_t s = 1; s < r->n_systems; s++) {
        const struct difference *d = &row->differences[s];
        grid_num(g, "+", d->mean.mean);
        grid_num(g, "+", d->mean.low);
        grid_num(g, "+", d->mean.high);
        grid_count(g, d->n_pairs);
        grid_num(g, "", d->p);
        grid_num(g, "", d->p_holm);
    }
}

static void pad(struct buf *out, size_t n)
{
    while (n--)
        buf_char(out, ' ');
}

/* A cell, padded to width; names to the left, numbers to the right. */
static void write_cell(struct buf *out, const char *cell, size_t width, bool is_left,
                       bool is_markdown)
{
    size_t n = utf8_count(sv_from(cell));
    for (const char *p = cell; is_markdown && *p; p++)
        n += *p == '|';
    if (!is_left)
        pad(out, width > n ? width - n : 0);
    for (const char *p = cell; *p; p++) {
        if (is_markdown && *p == '|')
            buf_char(out, '\\');
        buf_char(out, *p);
    }
    if (is_left)
        pad(out, width > n ? width - n : 0);
}

static void write_rule(struct buf *out, const size_t *width, size_t columns, size_t n_left)
{
    for (size_t k = 0; k < columns; k++) {
        buf_char(out, '|');
        for (size_t i = 0; i < width[k] + 1; i++)
            buf_char(out, '-');
        buf_char(out, k < n_left ? '-' : ':');
    }
    buf_str(out, "|\n");
}

static void write_grid(struct buf *out, const struct grid *g, size_t n_left, bool is_markdown)
{
    size_t *width = alloc_zero(g->columns, sizeof *width);
    for (size_t i = 0; i < g->n; i++) {
        size_t n = utf8_count(sv_from(g->cells[i]));
        for (const char *p = g->cells[i]; is_markdown && *p; p++)
            n += *p == '|';
        if (n > width[i % g->columns])
            width[i % g->columns] = n;
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t k = i % g->columns;
        buf_str(out, is_markdown ? (k ? " | " : "| ") : (k ? "  " : ""));
        write_cell(out, g->cells[i], width[k], k < n_left, is_markdown);
        if (k + 1 < g->columns)
            continue;
        buf_str(out, is_markdown ? " |\n" : "\n");
        if (is_markdown && i + 1 == g->columns)
            write_rule(out, width, g->columns, n_left);
    }
    free(width);
}

static void write_note(struct buf *out, const struct comparison *c,
                       const struct comparison_cfg *cfg)
{
    const struct results *r = c->results;
    bool has_lexical = false;
    buf_char(out, '\n');
    for (size_t s = 0; s < r->n_systems; s++)
        buf_printf(out, "%s%zu record%s in %s", s ? ", " : "", r->systems[s].n_records,
                   r->systems[s].n_records == 1 ? "" : "s", r->systems[s].name);
    buf_str(out, ".\n");
    if (r->n_systems > 1)
        buf_printf(out, "Differences: %s minus the other, over pairs.%s", r->systems[0].name,
                   cfg->resamples ? " " : "\n");
    if (cfg->resamples)
        buf_printf(out, "low, high: 95 %% bootstrap interval%s (%zu resamples, seed %llu).\n",
                   r->n_systems > 1 ? "; p: paired sign-flip test; p_holm: all metrics together"
                                    : "",
                   cfg->resamples, (unsigned long long)cfg->seed);
    for (size_t i = 0; i < r->n_metrics; i++) {
        struct sv name = results_metric(r, i);
        has_lexical |= sv_starts(name, SV("lexical_"));
        if (metric_is_lower_better(name))
            buf_printf(out, "Lower is better: %.*s.\n", SV_ARG(name));
    }
    if (has_lexical)
        buf_str(out, "lexical_…: judged by shared words, not by a language model.\n");
}

static void write_people(struct buf *out, const struct comparison *c,
                         const struct comparison_cfg *cfg, bool is_markdown)
{
    struct grid g = { 0 };
    bool has_class = cfg->by_class && map_count(c->results->classes) > 1;
    put_heads(&g, c, has_class);
    for (size_t i = 0; i < c->n; i++)
        put_row(&g, c, &c->rows[i], has_class);
    write_grid(out, &g, has_class ? 2 : 1, is_markdown);
    grid_release(&g);
    write_note(out, c, cfg);
}

/* ---- for programs ---- */

static void json_num_or_null(struct buf *out, const char *key, double v)
{
    json_key(out, key);
    if (isfinite(v))
        json_put_num(out, round(v * 1e6) / 1e6);
    else
        json_put_null(out);
}

static void write_json_row(struct buf *out, const struct comparison *c,
                           const struct comparison_row *row)
{
    const struct results *r = c->results;
    json_open(out, '{');
    json_key(out, "metric");
    json_put_str(out, results_metric(r, row->metric));
    json_key(out, "class");
    json_put_str(out, comparison_class(c, row));
    json_key(out, "better");
    json_put_str(out, metric_is_lower_better(results_metric(r, row->metric)) ? SV("lower")
                                                                             : SV("higher"));
    json_key(out, "systems");
    json_open(out, '[');
    for (size_t s = 0; s < r->n_systems; s++) {
        json_open(out, '{');
        json_key(out, "name");
        json_put_str(out, sv_from(r->systems[s].name));
        json_num_or_null(out, "mean", row->systems[s].mean.mean);
        json_num_or_null(out, "low", row->systems[s].mean.low);
        json_num_or_null(out, "high", row->systems[s].mean.high);
        json_key(out, "n");
        json_put_int(out, (int64_t)row->systems[s].n);
        json_key(out, "n_failed");
        json_put_int(out, (int64_t)row->systems[s].n_failed);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "differences");
    json_open(out, '[');
    for (size_t s = 1; s < r->n_systems; s++) {
        const struct difference *d = &row->differences[s];
        json_open(out, '{');
        json_key(out, "of");
        json_put_str(out, sv_from(r->systems[0].name));
        json_key(out, "against");
        json_put_str(out, sv_from(r->systems[s].name));
        json_num_or_null(out, "difference", d->mean.mean);
        json_num_or_null(out, "low", d->mean.low);
        json_num_or_null(out, "high", d->mean.high);
        json_key(out, "n_pairs");
        json_put_int(out, (int64_t)d->n_pairs);
        json_num_or_null(out, "p", d->p);
        json_num_or_null(out, "p_holm", d->p_holm);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
    buf_char(out, '\n');
}

/* Quoted when needed; a leading = + - @ would be a formula to a spreadsheet. */
static void csv_text(struct buf *out, struct sv s)
{
    bool is_formula = s.n && strchr("=+-@", s.p[0]) && s.p[0];
    bool quotes = is_formula;
    for (size_t i = 0; i < s.n; i++)
        quotes |= s.p[i] == '"' || s.p[i] == ',';
    if (quotes)
        buf_char(out, '"');
    if (is_formula)
        buf_char(out, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_char(out, '"');
        buf_char(out, (unsigned char)s.p[i] < ' ' ? '?' : s.p[i]);
    }
    if (quotes)
        buf_char(out, '"');
}

static void csv_num(struct buf *out, double v)
{
    buf_char(out, ',');
    if (isfinite(v))
        buf_printf(out, "%.6f", v);
}

static void write_csv(struct buf *out, const struct comparison *c)
{
    const struct results *r = c->results;
    buf_str(out, "metric,class,system,mean,low,high,n,n_failed,first_minus_this,difference_low,"
                 "difference_high,n_pairs,p,p_holm\n");
    for (size_t i = 0; i < c->n; i++)
        for (size_t s = 0; s < r->n_systems; s++) {
            const struct summary *m = &c->rows[i].systems[s];
            const struct difference *d = &c->rows[i].differences[s];
            csv_text(out, results_metric(r, c->rows[i].metric));
            buf_char(out, ',');
            csv_text(out, comparison_class(c, &c->rows[i]));
            buf_char(out, ',');
            csv_text(out, sv_from(r->systems[s].name));
            csv_num(out, m->mean.mean);
            csv_num(out, m->mean.low);
            csv_num(out, m->mean.high);
            buf_printf(out, ",%zu,%zu", m->n, m->n_failed);
            csv_num(out, s ? d->mean.mean : NAN);
            csv_num(out, s ? d->mean.low : NAN);
            csv_num(out, s ? d->mean.high : NAN);
            buf_char(out, ',');
            if (s)
                buf_printf(out, "%zu", d->n_pairs);
            csv_num(out, s ? d->p : NAN);
            csv_num(out, s ? d->p_holm : NAN);
            buf_char(out, '\n');
        }
}

void table_write(struct buf *out, const struct comparison *c, const struct comparison_cfg *cfg,
                 enum table_format format)
{
    switch (format) {
    case TABLE_TEXT:
    case TABLE_MARKDOWN:
        write_people(out, c, cfg, format == TABLE_MARKDOWN);
        break;
    case TABLE_JSON:
        for (size_t i = 0; i < c->n; i++)
            write_json_row(out, c, &c->rows[i]);
        break;
    case TABLE_CSV:
        write_csv(out, c);
        break;
    }
}
