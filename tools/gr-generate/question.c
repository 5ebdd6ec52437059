// SPDX-License-Identifier: MIT
/*
 * question.c — words and wants of a question, by rules over its words
 */
#include "question.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "scan.h"
#include "utf8.h"

#define PART_SAME 0.3      /* a second reading of the same words */
#define PART_EXPANSION 0.2 /* a word that only an expansion has */

/* ---- what is wanted ---- */

static const char *const units_age[] = { "Ma",      "Ga",   "ka",       "Myr", "Gyr",
                                         "million", "year", "years",    "yr",  "billion",
                                         "days",    "h",    "thousand", NULL };
static const char *const units_rate[] = { "mm/yr",    "cm/yr", "km/h",        "mm/y", "m/s",
                                          "per year", "/yr",   "per million", NULL };
static const char *const units_heat[] = { "°C", "K", "degrees", NULL };
static const char *const units_size[] = { "km", "m", "cm", "mm", "µm", "kilometres", NULL };
static const char *const units_load[] = { "wt",   "%",      "ppm",      "ppb", "µg/g",
                                          "ng/g", "mol/L",  "mmol",     "mol", "mg/L",
                                          "g/t",  "µmol/L", "per cent", "‰",   NULL };
static const char *const units_push[] = { "GPa", "MPa", "kbar", "bar", NULL };

struct cue {
    const char *words; /* padded with blanks: whole words of the folded question */
    enum want want;
    const char *const *units;
    const char *also; /* words that answers use; NULL: none */
};

/* The first that fits decides. */
static const struct cue cues[] = {
    { " why ", WANT_REASON, NULL, NULL },
    { " how should ", WANT_REASON, NULL, NULL },
    { " how does ", WANT_REASON, NULL, NULL },
    { " how do ", WANT_REASON, NULL, NULL },
    { " how would ", WANT_REASON, NULL, NULL },
    { " explain ", WANT_REASON, NULL, NULL },
    { " what controls ", WANT_REASON, NULL, NULL },
    { " how old ", WANT_NUMBER, units_age, "age dated" },
    { " what age ", WANT_NUMBER, units_age, "dated" },
    { " which age ", WANT_NUMBER, units_age, NULL },
    { " when ", WANT_NUMBER, units_age, "age dated" },
    { " how long ", WANT_NUMBER, units_age, "time duration" },
    { " residence time ", WANT_NUMBER, units_age, NULL },
    { " half-life ", WANT_NUMBER, units_age, NULL },
    { " how fast ", WANT_NUMBER, units_rate, "rate velocity" },
    { " what rate ", WANT_NUMBER, units_rate, NULL },
    { " how hot ", WANT_NUMBER, units_heat, "temperature" },
    { " temperature ", WANT_NUMBER, units_heat, NULL },
    { " temperatures ", WANT_NUMBER, units_heat, NULL },
    { " how deep ", WANT_NUMBER, units_size, "depth" },
    { " how thick ", WANT_NUMBER, units_size, "thickness" },
    { " how far ", WANT_NUMBER, units_size, "distance" },
    { " depth ", WANT_NUMBER, units_size, NULL },
    { " pressure ", WANT_NUMBER, units_push, NULL },
    { " salinity ", WANT_NUMBER, units_load, NULL },
    { " concentration ", WANT_NUMBER, units_load, NULL },
    { " concentrations ", WANT_NUMBER, units_load, NULL },
    { " how much ", WANT_NUMBER, units_load, NULL },
    { " how many ", WANT_NUMBER, NULL, NULL },
    { " by what factor ", WANT_NUMBER, NULL, NULL },
    { " what ratio ", WANT_NUMBER, NULL, NULL },
    { " ratio ", WANT_NUMBER, NULL, NULL },
    { " ratios ", WANT_NUMBER, NULL, NULL },
    { " value ", WANT_NUMBER, NULL, NULL },
    { " values ", WANT_NUMBER, NULL, NULL },
    { " uncertainty ", WANT_NUMBER, NULL, NULL },
    { " mean ", WANT_NUMBER, NULL, NULL },
    { " average ", WANT_NUMBER, NULL, NULL },
    { " constant ", WANT_NUMBER, NULL, NULL },
    { " constants ", WANT_NUMBER, NULL, NULL },
    { " who ", WANT_NAMES, NULL, NULL },
    { " which ", WANT_NAMES, NULL, NULL },
    { " what minerals ", WANT_NAMES, NULL, NULL },
    { " what elements ", WANT_NAMES, NULL, NULL },
    { " where ", WANT_NAMES, NULL, NULL },
};

/* Stems of words that ask and do not tell. */
static const char *const asking[] = {
    "explain", "describ", "give",   "tell",  "list",     "name",   "propos", "predict",
    "evalu",   "discuss", "summar", "state", "follow",   "accord", "rough",  "would",
    "could",   "might",   "what",   "which", "who",      "whose",  "how",    "why",
    "when",    "where",   "do",     "doe",   "did",      "can",    "turn",   "report",
    "fact",    "togeth",  "put",    "pleas", "question", "mean",   "reason", "appli",
    "rank",    "compar",  "much",   "mani",  "found",    "find",   "show",
};

static bool is_asking(struct sv term)
{
    for (size_t i = 0; i < ARRAY_LEN(asking); i++)
        if (sv_is(term, asking[i]))
            return true;
    return false;
}

/* The question folded, with one blank between words and at both ends. */
static void flatten(struct buf *out, struct sv query)
{
    struct buf folded = BUF_INIT;
    utf8_fold(&folded, query);
    buf_char(out, ' ');
    for (size_t i = 0; i < folded.len; i++) {
        char c = folded.data[i];
        bool is_word =
            c == '-' || c == '/' || (c & 0x80) || scan_is_digit(c) || scan_is_lower(c);
        if (is_word)
            buf_char(out, c);
        else if (out->data[out->len - 1] != ' ')
            buf_char(out, ' ');
    }
    if (out->data[out->len - 1] != ' ')
        buf_char(out, ' ');
    buf_release(&folded);
}

static void read_want(struct question *q, struct sv query)
{
    struct buf flat = BUF_INIT;
    flatten(&flat, query);
    for (size_t i = 0; i < ARRAY_LEN(cues); i++)
        if (sv_find(buf_view(&flat), sv_from(cues[i].words), 0) != SIZE_MAX) {
            q->want = cues[i].want;
            q->units = cues[i].units;
            q->also = cues[i].also;
            q->cue = cues[i].also ? cues[i].words : NULL;
            break;
        }
    buf_release(&flat);
}

/* ---- words ---- */

static void add_terms(struct question *q, struct sv text, struct terms *t, double part)
{
    terms_start(t, text);
    for (struct term term; terms_next(t, &term);) {
        bool is_new;
        bool is_cue = q->cue && sv_find(sv_from(q->cue), term.text, 0) != SIZE_MAX;
        if (is_cue || is_asking(term.text) || map_count(q->terms) == QUESTION_TERMS)
            continue;
        size_t ord = map_put(q->terms, term.text, &is_new);
        if (!is_new)
            continue;
        q->weight[ord] = part * (term.same ? PART_SAME : 1);
        q->is_nuclide[ord] = term.kind == TERM_CHEM && scan_is_digit(term.text.p[0]);
    }
}

static void weigh(struct question *q, const struct context *c, struct terms *t)
{
    size_t n = map_count(q->terms), *df = alloc_zero(n, sizeof *df),
           *last = alloc_zero(n, sizeof *last);
    for (size_t i = 0; i < c->n_pieces; i++) {
        terms_start(t, piece_text(c, &c->pieces[i]));
        for (struct term term; terms_next(t, &term);) {
            size_t ord = map_get(q->terms, term.text);
            if (ord != MAP_NONE && last[ord] != i + 1) {
                last[ord] = i + 1;
                df[ord]++;
            }
        }
    }
    size_t named = 0, met = 0;
    for (size_t i = 0; i < q->n_own; i++) {
        named += q->is_nuclide[i];
        met += q->is_nuclide[i] && df[i];
    }
    q->is_foreign = named && !met;
    for (size_t i = 0; i < n; i++) {
        q->weight[i] *= log(1 + ((double)c->n_pieces + 1) / ((double)df[i] + 1));
        if (i < q->n_own)
            q->total += q->weight[i];
    }
    free(df);
    free(last);
}

void question_read(struct question *q, const struct rec *r, const struct context *c,
                   struct terms *t)
{
    memset(q, 0, sizeof *q);
    q->terms = map_new();
    struct sv query = json_sv(json_get(r->v, F_QUERY));
    read_want(q, query);
    q->is_fact = sv_is(json_sv(json_get(r->v, F_CLASS)), "explicit_fact");
    add_terms(q, query, t, 1);
    q->n_own = map_count(q->terms);
    jv more[2] = { json_get(r->v, F_QUERIES), json_get(r->v, F_KEYWORDS) };
    for (size_t m = 0; m < ARRAY_LEN(more); m++)
        for (size_t i = 0; i < json_len(more[m]); i++)
            add_terms(q, json_sv(json_at(more[m], i)), t, PART_EXPANSION);
    add_terms(q, sv_from(q->also), t, PART_EXPANSION);
    weigh(q, c, t);
}

void question_release(struct question *q)
{
    map_free(q->terms);
    q->terms = NULL;
}

/* ---- does a sentence have what is wanted? ---- */

/* A bare year, as in "(Nier, 1938)", is no answer to "how much". */
static bool is_year(struct sv number)
{
    double v;
    return number.n == 4 && sv_to_double(number, &v) && v >= 1800 && v < 2100;
}

/* One of the units follows at byte `at`, after a blank or two. */
static bool has_unit(const char *const *units, struct sv text, size_t at)
{
    while (at < text.n && text.p[at] == ' ')
        at++;
    struct sv rest = sv_from_to(text, at, text.n);
    for (size_t i = 0; units[i]; i++) {
        struct sv unit = sv_from(units[i]);
        if (sv_starts(rest, unit) &&
            !(scan_is_lower(scan_byte(rest, unit.n)) && scan_is_lower(unit.p[unit.n - 1])))
            return true;
    }
    return false;
}

static double fit_number(const struct question *q, struct sv text, struct terms *t)
{
    double fit = 0;
    terms_start(t, text);
    for (struct term term; terms_next(t, &term);) {
        if (term.kind != TERM_NUMBER || term.same || is_year(term.text) ||
            (term.start > 0 && text.p[term.start - 1] == '['))
            continue;
        /* An own number of the question is not its answer. */
        if (map_get(q->terms, term.text) < q->n_own)
            continue;
        double f = q->units ? 0.25 : 1; /* a number of another kind */
        if (q->units && has_unit(q->units, text, term.end))
            f = 1;
        fit = f > fit ? f : fit;
    }
    return fit;
}

static double fit_names(struct sv text, struct terms *t, const struct question *q)
{
    size_t n = 0;
    terms_start(t, text);
    for (struct term term; terms_next(t, &term);) {
        bool is_own = map_get(q->terms, term.text) < q->n_own;
        bool is_name = term.kind == TERM_CHEM ||
                       (term.start > 0 && scan_is_upper(scan_byte(text, term.start)));
        n += !is_own && is_name && !term.same;
    }
    return n > 3 ? 1 : (double)n / 3;
}

static double fit_reason(struct sv text)
{
    static const char *const words[] = { "because",   "since ",  "so that", "therefore",
                                         "hence",     " thus",   "due to",  "leads",
                                         "lowers",    "raises",  "causes",  "result",
                                         "so ",       "whereas", "which ",  " makes ",
                                         "in order ", " by ",    "depend",  "control" };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        n += sv_find(text, sv_from(words[i]), 0) != SIZE_MAX;
    return n > 2 ? 1 : (double)n / 2;
}

double question_fit(const struct question *q, struct sv text, struct terms *t)
{
    double fit = 0;
    switch (q->want) {
    case WANT_ANY:
        break;
    case WANT_NUMBER:
        fit = fit_number(q, text, t);
        break;
    case WANT_NAMES:
        fit = fit_names(text, t, q);
        break;
    case WANT_REASON:
        fit = fit_reason(text);
        break;
    }
    return fit > 1 ? 1 : fit;
}
