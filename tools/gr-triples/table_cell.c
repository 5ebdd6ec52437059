// SPDX-License-Identifier: MIT
/*
 * table_cell.c — the number of a cell and its error
 *
 * "12.3*", "301a", "<0.05", "0.512312(6)", "12 ± 1", "48,25" where commas are decimal signs.
 * Two numbers in one cell are none: "12 345" may be two columns run together. Errors of last
 * digits ("0.703123 ± 12", a column "2σ" of whole numbers) get their size from the value.
 */
#include <math.h>

#include "scan.h"
#include "table_impl.h"
#include "utf8.h"

bool grid_has_comma(const struct grid *g)
{
    size_t commas = 0;
    for (size_t i = 0; i < g->n_all_rows * g->n_columns; i++) {
        struct sv s = g->cells[i];
        if (s.n == 0 || s.n > 40)
            continue;
        size_t start = 0;
        while (start < s.n && !scan_is_digit(s.p[start]) && start < 6)
            start++;
        for (size_t k = start + 1; k + 1 < s.n; k++) {
            if (s.p[k] == '.' && scan_is_digit(s.p[k - 1]) && scan_is_digit(s.p[k + 1]) &&
                start < 4)
                return false; /* a point is one */
            if (s.p[k] != ',' || !scan_is_digit(s.p[k - 1]) || !scan_is_digit(s.p[k + 1]) ||
                start >= 4)
                continue;
            size_t n = 0;
            while (k + 1 + n < s.n && scan_is_digit(s.p[k + 1 + n]))
                n++;
            commas += n != 3 || (k == start + 1 && s.p[start] == '0');
        }
    }
    return commas > 0;
}

/* Footnote marks, a few letters, or a bracket: what may stand behind a number. */
static bool is_rest(struct sv rest)
{
    if (rest.n == 0)
        return true;
    if (rest.p[0] == '(' || rest.p[0] == '[')
        return rest.n < 40 && strchr(")]", rest.p[rest.n - 1]) != NULL;
    size_t letters = 0;
    for (size_t pos = 0; pos < rest.n;) {
        uint32_t cp = utf8_next(rest, &pos);
        bool is_small = cp >= 'a' && cp <= 'z';
        bool is_mark = cp == '*' || cp == '#' || cp == ',' || cp == ' ' || cp == '+' ||
                       (cp >= 0x2020 && cp <= 0x2021) || cp == 0xA7 || cp == 0xB6;
        bool is_raised = cp >= 0x80 && (utf8_digit_value(cp) >= 0 || cp == 0xAA || cp == 0xBA ||
                                        (cp >= 0x1D2C && cp <= 0x1DBF));
        letters += is_small;
        if ((!is_small && !is_mark && !is_raised) || letters > 3)
            return false;
    }
    return true;
}

/* The cell with points for decimal commas. */
static struct sv with_points(struct grid *g, struct sv text)
{
    buf_reset(&g->number);
    for (size_t i = 0; i < text.n; i++) {
        bool is_decimal = text.p[i] == ',' && i > 0 && scan_is_digit(text.p[i - 1]) &&
                          i + 1 < text.n && scan_is_digit(text.p[i + 1]);
        buf_char(&g->number, is_decimal ? '.' : text.p[i]);
    }
    return buf_view(&g->number);
}

static bool read_number(struct grid *g, struct sv text, struct quantity *q, struct sv *rest)
{
    if (text.n == 0 || text.n > 80)
        return false;
    unsigned char c = (unsigned char)text.p[0];
    if ((c | 32) >= 'a' && (c | 32) <= 'z')
        return false;
    bool has_comma = g->has_comma && memchr(text.p, ',', text.n);
    if (has_comma)
        text = with_points(g, text);
    if (!quantity_at(g->x->units, text, 0, q))
        return false;
    if (has_comma && q->unit == UNIT_TEXT) /* its text would not last */
        return false;
    *rest = sv_trim(sv_from_to(text, q->end, text.n));
    return is_rest(*rest);
}

bool grid_number(struct grid *g, struct sv text, struct quantity *q)
{
    struct sv rest;
    return read_number(g, text, q, &rest);
}

/* ---- errors ---- */

static size_t n_decimals(struct sv text, bool has_comma)
{
    size_t i = 0, n = 0;
    while (i < text.n && !scan_is_digit(text.p[i]))
        i++;
    while (i < text.n && scan_is_digit(text.p[i]))
        i++;
    if (i < text.n && (text.p[i] == '.' || (has_comma && text.p[i] == ',')))
        while (i + 1 + n < text.n && scan_is_digit(text.p[i + 1 + n]))
            n++;
    return n;
}

/* Products of short decimals are short decimals. */
static double rounded(double v)
{
    if (isnan(v))
        return v;
    char text[40];
    double out = v;
    snprintf(text, sizeof text, "%.4g", v);
    sv_to_double(sv_from(text), &out);
    return out;
}

/* "0.703123 ± 12": the error is one of the last digits. With two decimals nobody knows. */
static void fix_last_digits(const struct grid *g, const struct column *col, struct sv text,
                            bool is_whole, struct quantity *q)
{
    size_t decimals = n_decimals(text, g->has_comma);
    double value = fabs(isnan(q->low) ? q->high : q->low);
    if (!is_whole || q->error < 1 || decimals < 2)
        return;
    if (decimals >= 3 || q->error > value)
        q->error = rounded(q->error * pow(10, -(double)decimals));
    else if (col && col->is_ratio)
        q->error = NAN;
}

/* The number behind "±", as it is written. */
static bool is_whole_error(struct sv text)
{
    static const char *const signs[] = { "\xc2\xb1", "+/-", "+-" };
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        size_t at = sv_find(text, sv_from(signs[i]), 0);
        if (at != SIZE_MAX)
            return n_decimals(sv_from_to(text, at, text.n), false) == 0 &&
                   !memchr(text.p + at, 'e', text.n - at);
    }
    return false;
}

/* "50.3 (12)" where the notes say that brackets hold errors. */
static void read_bracket(struct grid *g, struct sv text, struct sv rest, struct quantity *q)
{
    struct quantity e;
    if (!g->about.bracket_error || rest.n < 3 || rest.p[0] != '(')
        return;
    struct sv in = sv_trim(sv_from_to(rest, 1, rest.n - 1));
    if (!quantity_at(g->x->units, in, 0, &e) || e.end != in.n || isnan(e.low) ||
        !isnan(e.high) || e.low < 0)
        return;
    q->error = e.low;
    if (n_decimals(in, false) == 0)
        q->error = rounded(e.low * pow(10, -(double)n_decimals(text, false)));
}

bool cell_read(struct grid *g, const struct column *col, struct sv text, struct quantity *q)
{
    struct sv rest;
    if (!read_number(g, text, q, &rest))
        return false;
    q->error = rounded(q->error);
    if (isnan(q->error))
        read_bracket(g, text, rest, q);
    else
        fix_last_digits(g, col, text, is_whole_error(text), q);
    if (!isnan(q->error) && !q->error_kind && col && col->own_error && col->own_error[0])
        q->error_kind = col->own_error;
    const char *kind = g->about.bracket_error;
    if (!isnan(q->error) && !q->error_kind && kind && kind[0] && memchr(text.p, '(', text.n))
        q->error_kind = kind;
    return true;
}

void cell_error(struct grid *g, const struct column *col, struct sv text,
                const struct column *error, struct sv error_text, struct quantity *q)
{
    struct quantity e;
    static const char *const signs[] = { "\xc2\xb1", "+/-" };
    double value = fabs(isnan(q->low) ? q->high : q->low);
    for (size_t i = 0; i < ARRAY_LEN(signs); i++)
        if (sv_starts(error_text, sv_from(signs[i])))
            error_text = sv_trim(sv_from_to(error_text, strlen(signs[i]), error_text.n));
    if (!isnan(q->error) && !q->error_kind && grid_number(g, error_text, &e) &&
        fabs(e.low - q->error) <= q->error * 1e-6 && error->error_kind && error->error_kind[0])
        q->error_kind = error->error_kind; /* the same one, said twice */
    if (!isnan(q->error) || q->op != Q_IS || !isnan(q->high) ||
        !grid_number(g, error_text, &e) || isnan(e.low) || !isnan(e.high) || e.low < 0 ||
        e.op != Q_IS)
        return;
    bool is_percent = error->is_relative || sv_is(units_name(g->x->units, e.unit), "%");
    bool is_of_percents = sv_is(units_name(g->x->units, col->unit), "%") && !error->is_relative;
    const char *kind = error->error_kind && error->error_kind[0] ? error->error_kind : NULL;
    q->error = e.low;
    q->error_kind = kind;
    if (is_percent && !is_of_percents) {
        if (kind && strcmp(kind, "%") != 0 && kind[0] != '9')
            q->error = rounded(value * e.low / 100);
        else
            q->error_kind = "%";
    } else if (error->factor > 0) {
        q->error = rounded(e.low * error->factor);
    } else {
        fix_last_digits(g, col, text, n_decimals(error_text, g->has_comma) == 0, q);
    }
    if (isnan(q->error))
        q->error_kind = NULL;
}

bool cell_is_below_limit(struct sv text)
{
    static const char *const words[] = { "bdl",
                                         "bd",
                                         "dl",
                                         "lod",
                                         "mdl",
                                         "lld",
                                         "bld",
                                         "blod",
                                         "bmdl",
                                         "<dl",
                                         "<lod",
                                         "<mdl",
                                         "<lld",
                                         "<bdl",
                                         "belowdetection",
                                         "belowdetectionlimit" };
    char plain[32];
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < sizeof plain - 1; i++)
        if (!strchr(". ,*-", text.p[i]))
            plain[n++] =
                (char)((text.p[i] >= 'A' && text.p[i] <= 'Z') ? text.p[i] | 32 : text.p[i]);
    return sv_in((struct sv){ plain, n }, words, ARRAY_LEN(words));
}
