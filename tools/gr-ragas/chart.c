// SPDX-License-Identifier: MIT
/*
 * chart.c — bars
 */
#include "chart.h"

#include <math.h>

#include "utf8.h"

/* Scores lie in 0 … 1 but for cosines, and scores from elsewhere. */
static double clamp(double v)
{
    return isnan(v) || v < 0 ? 0 : v > 1 ? 1 : v;
}

void chart_escape(struct buf *out, struct sv text)
{
    for (size_t i = 0; i < text.n;) {
        uint32_t cp = utf8_next(text, &i);
        switch (cp) {
        case '&':
            buf_str(out, "&amp;");
            break;
        case '<':
            buf_str(out, "&lt;");
            break;
        case '>':
            buf_str(out, "&gt;");
            break;
        case '"':
            buf_str(out, "&quot;");
            break;
        case '\'':
            buf_str(out, "&#39;");
            break;
        default: /* controls, and what turns the direction of the text around it */
            if ((cp < 32 && cp != '\n' && cp != '\t') || (cp >= 0x7F && cp < 0xA0) ||
                (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069) ||
                cp == 0xFFFE || cp == 0xFFFF)
                cp = 0xFFFD;
            utf8_put(out, cp);
        }
    }
}

/* ---- text ---- */

#define TEXT_WIDTH 40

/* Eighths of a character make the end of a bar. */
static void text_bar(struct buf *out, double v)
{
    long eighths = lround(clamp(v) * TEXT_WIDTH * 8);
    size_t used = 0;
    for (; eighths >= 8; eighths -= 8, used++)
        utf8_put(out, 0x2588);
    if (eighths > 0) {
        utf8_put(out, 0x2590 - (uint32_t)eighths);
        used++;
    }
    for (; used < TEXT_WIDTH; used++)
        buf_char(out, ' ');
}

static void clean_cell(struct buf *out, struct sv text, size_t width)
{
    char name[256];
    size_t n = text.n < sizeof name ? text.n : sizeof name - 1;
    memcpy(name, text.p, n);
    name[n] = '\0';
    err_clean(name);
    buf_str(out, name);
    for (size_t i = utf8_count(sv_from(name)); i < width; i++)
        buf_char(out, ' ');
}

void chart_text(struct buf *out, const struct comparison *c)
{
    const struct results *r = c->results;
    size_t width = 0, class_id = SIZE_MAX;
    for (size_t s = 0; s < r->n_systems; s++) {
        size_t n = utf8_count(sv_from(r->systems[s].name));
        width = n > width ? n : width;
    }
    for (size_t i = 0; i < c->n; i++) {
        const struct comparison_row *row = &c->rows[i];
        if (row->class_id != class_id) {
            class_id = row->class_id;
            if (c->n > r->n_metrics) {
                buf_str(out, i ? "\n== " : "== ");
                clean_cell(out, comparison_class(c, row), 0);
                buf_str(out, "\n");
            }
        }
        clean_cell(out, results_metric(r, row->metric), 0);
        if (metric_is_lower_better(results_metric(r, row->metric)))
            buf_str(out, " (lower is better)");
        buf_char(out, '\n');
        for (size_t s = 0; s < r->n_systems; s++) {
            const struct summary *m = &row->systems[s];
            buf_str(out, "  ");
            clean_cell(out, sv_from(r->systems[s].name), width);
            buf_char(out, ' ');
            text_bar(out, m->mean.mean);
            if (m->n)
                buf_printf(out, " %.3f", m->mean.mean);
            else
                buf_str(out, " -    ");
            buf_printf(out, "  n %zu", m->n);
            if (m->n_failed)
                buf_printf(out, ", %zu failed", m->n_failed);
            buf_char(out, '\n');
        }
    }
}

/* ---- SVG ---- */

enum { SVG_WIDTH = 860, LABEL = 230, BARS = 520, BAR = 14, GAP = 10, TOP = 40 };

/* Told apart by people who see few colours too (Okabe & Ito). */
static const char *const colours[] = { "#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                       "#56b4e9", "#d55e00", "#f0e442", "#000000" };

static const char *colour(size_t system)
{
    return colours[system % ARRAY_LEN(colours)];
}

static void svg_axis(struct buf *out, size_t height)
{
    for (int i = 0; i <= 5; i++) {
        int x = LABEL + BARS * i / 5;
        buf_printf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%zu\" stroke=\"#ddd\"/>\n", x,
                   TOP - 6, x, height - 4);
        buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.1f</text>\n", x,
                   TOP - 10, i / 5.0);
    }
}

static void svg_legend(struct buf *out, const struct results *r)
{
    int x = LABEL;
    for (size_t s = 0; s < r->n_systems && x < SVG_WIDTH - 40; s++) {
        buf_printf(out, "<rect x=\"%d\" y=\"4\" width=\"10\" height=\"10\" fill=\"%s\"/>", x,
                   colour(s));
        buf_printf(out, "<text x=\"%d\" y=\"13\">", x + 14);
        chart_escape(out, sv_from(r->systems[s].name));
        buf_str(out, "</text>\n");
        x += 40 + 7 * (int)utf8_count(sv_from(r->systems[s].name));
    }
}

static void svg_bar(struct buf *out, const struct summary *m, size_t y, size_t system)
{
    double x = clamp(m->mean.mean) * BARS, middle = (double)y + BAR / 2.0 - 1;
    buf_printf(out, "<rect x=\"%d\" y=\"%zu\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
               LABEL, y, x, BAR - 2, colour(system));
    if (!isnan(m->mean.low))
        buf_printf(out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#333\"/>",
                   LABEL + clamp(m->mean.low) * BARS, middle,
                   LABEL + clamp(m->mean.high) * BARS, middle);
    buf_printf(out, "<text x=\"%d\" y=\"%zu\">", LABEL + BARS + 8, y + BAR - 4);
    if (m->n)
        buf_printf(out, "%.3f", m->mean.mean);
    buf_printf(out, " n %zu", m->n);
    if (m->n_failed)
        buf_printf(out, ", %zu –", m->n_failed);
    buf_str(out, "</text>\n");
}

void chart_svg(struct buf *out, const struct comparison *c, size_t class_id)
{
    const struct results *r = c->results;
    size_t group = r->n_systems * BAR + GAP, y = TOP;
    size_t height = TOP + r->n_metrics * group + GAP;
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
               "viewBox=\"0 0 %d %zu\" font-family=\"sans-serif\" font-size=\"11\" "
               "role=\"img\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               SVG_WIDTH, height, SVG_WIDTH, height);
    svg_axis(out, height);
    svg_legend(out, r);
    for (size_t i = 0; i < c->n; i++) {
        const struct comparison_row *row = &c->rows[i];
        if (row->class_id != class_id)
            continue;
        buf_printf(out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", LABEL - 8,
                   y + r->n_systems * BAR / 2 + 4);
        chart_escape(out, results_metric(r, row->metric));
        buf_str(out, "</text>\n");
        for (size_t s = 0; s < r->n_systems; s++)
            svg_bar(out, &row->systems[s], y + s * BAR, s);
        y += group;
    }
    buf_str(out, "</svg>\n");
}

/* ---- gnuplot ---- */

/* Within double quotes gnuplot runs `commands`, reads \escapes and, anywhere, expands @macros:
 * of ASCII only letters, digits and a few marks pass. */
static void put_label(struct buf *out, struct sv text)
{
    buf_char(out, '"');
    for (size_t i = 0; i < text.n;) {
        uint32_t cp = utf8_next(text, &i);
        bool is_plain = (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
                        (cp >= '0' && cp <= '9') ||
                        (cp && cp < 128 && strchr(" _.,+-/()", (int)cp)) ||
                        (cp >= 0xA0 && utf8_is_letter(cp));
        utf8_put(out, is_plain ? cp : '_');
    }
    buf_char(out, '"');
}

static void put_value(struct buf *out, double v)
{
    if (isfinite(v))
        buf_printf(out, " %.6f", v);
    else
        buf_str(out, " NaN");
}

static void put_panel(struct buf *out, const struct comparison *c, size_t class_id,
                      size_t panel)
{
    const struct results *r = c->results;
    buf_printf(out, "$d%zu << EOD\n", panel);
    for (size_t i = 0; i < c->n; i++) {
        const struct comparison_row *row = &c->rows[i];
        if (row->class_id != class_id)
            continue;
        put_label(out, results_metric(r, row->metric));
        for (size_t s = 0; s < r->n_systems; s++) {
            struct interval m = row->systems[s].mean;
            double low = isnan(m.low) ? m.mean : m.low, high = isnan(m.high) ? m.mean : m.high;
            put_value(out, m.mean);
            put_value(out, low);
            put_value(out, high);
        }
        buf_char(out, '\n');
    }
    buf_str(out, "EOD\nset title ");
    put_label(out, class_id ? map_key(r->classes, class_id) : SV("all records"));
    buf_str(out, " noenhanced\nplot ");
    for (size_t s = 0; s < r->n_systems; s++) {
        buf_printf(out, "%s$d%zu using %zu:%zu:%zu:xtic(1) linecolor rgb \"%s\" title ",
                   s ? ", " : "", panel, 3 * s + 2, 3 * s + 3, 3 * s + 4, colour(s));
        put_label(out, sv_from(r->systems[s].name));
        buf_str(out, " noenhanced");
    }
    buf_char(out, '\n');
}

void chart_gnuplot(struct buf *out, const struct comparison *c, enum chart_terminal terminal)
{
    const struct results *r = c->results;
    size_t n_panels = 0, class_id = SIZE_MAX;
    for (size_t i = 0; i < c->n; i++) {
        n_panels += c->rows[i].class_id != class_id;
        class_id = c->rows[i].class_id;
    }
    size_t width = 300 + r->n_metrics * (20 + 14 * r->n_systems);
    buf_printf(out, "set terminal %s size %zu,%zu\n",
               terminal == CHART_PNG ? "pngcairo noenhanced"
                                     : "svg noenhanced background 'white'",
               width < 4000 ? width : 4000, 420 * (n_panels ? n_panels : 1));
    buf_str(out, "set style data histogram\nset style histogram errorbars gap 1 linewidth 1\n"
                 "set errorbars linecolor rgb \"#444444\"\nset style fill solid 0.9 "
                 "noborder\nset yrange [0:1.05]\nset grid y\n"
                 "set xtics rotate by -40 noenhanced\nset key outside top right\n");
    buf_printf(out, "set multiplot layout %zu,1\n", n_panels ? n_panels : 1);
    class_id = SIZE_MAX;
    for (size_t i = 0, panel = 0; i < c->n; i++)
        if (c->rows[i].class_id != class_id) {
            class_id = c->rows[i].class_id;
            put_panel(out, c, class_id, panel++);
        }
    buf_str(out, "unset multiplot\n");
}
