// SPDX-License-Identifier: MIT
/*
 * model.c — training, writing and reading a classifier
 */
#include "model.h"

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "json.h"
#include "schema.h"
#include "utf8.h"

#define MAGIC "gr-classify-model 1"
#define MAX_FEATURES 10000000

struct sv model_class_name(size_t i)
{
    struct sv rest = SV(CLASS_NAMES), name = SV_NONE;
    for (size_t k = 0; k <= i; k++)
        sv_cut(&rest, '|', &name);
    return name;
}

size_t model_class_index(struct sv name)
{
    size_t i = 0;
    while (i < MODEL_CLASSES && !sv_eq(model_class_name(i), name))
        i++;
    return i;
}

/* ---- examples ---- */

static int take_row(struct examples *e, size_t row, size_t query, size_t class,
                    const char *path, struct err *err)
{
    struct sv text = sv_trim(csv_cell(&e->csv, row, query));
    struct sv name = sv_trim(csv_cell(&e->csv, row, class));
    size_t label = model_class_index(name);
    if (!text.n)
        return err_set(err, EXIT_FATAL, "%s:%zu: empty query", path, e->csv.lines[row]);
    if (label == MODEL_CLASSES)
        return err_set(err, EXIT_FATAL, "%s:%zu: class \"%.*s\" is not one of %s", path,
                       e->csv.lines[row], SV_ARG(name), CLASS_NAMES);
    e->texts[e->n] = text;
    e->labels[e->n++] = (uint8_t)label;
    return 0;
}

int examples_read(struct examples *e, const char *path, struct err *err)
{
    *e = (struct examples){ 0 };
    if (csv_read(&e->csv, path, err) < 0)
        return -1;
    size_t query = csv_column(&e->csv, "query"), class = csv_column(&e->csv, "class");
    int rc = 0;
    if (query == SIZE_MAX || class == SIZE_MAX)
        rc = err_set(err, EXIT_FATAL, "%s: the header must name the columns query and class",
                     path);
    e->texts = alloc_array(e->csv.n_rows, sizeof *e->texts);
    e->labels = alloc_array(e->csv.n_rows, 1);
    for (size_t i = 0; rc == 0 && i < e->csv.n_rows; i++)
        rc = take_row(e, i, query, class, path, err);
    if (rc == 0 && !e->n)
        rc = err_set(err, EXIT_FATAL, "%s: no rows", path);
    if (rc < 0)
        examples_release(e);
    return rc;
}

void examples_release(struct examples *e)
{
    csv_release(&e->csv);
    free(e->texts);
    free(e->labels);
    *e = (struct examples){ 0 };
}

/* ---- training ---- */

long model_train(struct model *m, const struct model_cfg *cfg, const struct examples *e,
                 const bool *keep, struct err *err)
{
    struct ngrams *g = ngrams_new(&cfg->tfidf, err);
    if (!g)
        return -1;
    struct sv *texts = alloc_array(e->n, sizeof *texts);
    uint8_t *labels = alloc_array(e->n, 1);
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++)
        if (!keep || keep[i]) {
            texts[n] = e->texts[i];
            labels[n++] = e->labels[i];
        }
    *m = (struct model){ 0 };
    tfidf_fit(&m->tfidf, &cfg->tfidf, g, texts, n);
    struct sparse *x = alloc_zero(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        tfidf_vector(&m->tfidf, g, texts[i], &x[i]);
    long iterations = logreg_train(&m->logreg, &cfg->logreg, x, labels, n, MODEL_CLASSES,
                                   map_count(m->tfidf.terms));
    for (size_t i = 0; i < n; i++)
        sparse_release(&x[i]);
    free(x);
    free(texts);
    free(labels);
    ngrams_free(g);
    return iterations;
}

void model_release(struct model *m)
{
    tfidf_release(&m->tfidf);
    logreg_release(&m->logreg);
}

/* ---- writing ---- */

static void put_number(struct buf *out, double v)
{
    struct buf text = BUF_INIT; /* json_put_float looks at what stands before */
    json_put_float(&text, (float)v);
    buf_char(out, '\t');
    buf_sv(out, buf_view(&text));
    buf_release(&text);
}

void model_write(const struct model *m, struct buf *out)
{
    size_t d = m->logreg.n_features;
    struct sv words = SV(TFIDF_WORDS), name = SV_NONE;
    for (int i = 0; i <= m->tfidf.cfg.words; i++)
        sv_cut(&words, '|', &name);
    buf_printf(out, "%s\nwords %.*s\nngram %ld\nclasses", MAGIC, SV_ARG(name),
               m->tfidf.cfg.ngram);
    for (size_t c = 0; c < MODEL_CLASSES; c++)
        buf_printf(out, " %.*s", SV_ARG(model_class_name(c)));
    buf_printf(out, "\nfeatures %zu\nintercepts", d);
    for (size_t c = 0; c < MODEL_CLASSES; c++)
        put_number(out, m->logreg.w[c * (d + 1) + d]);
    buf_str(out, "\n\n");
    for (size_t j = 0; j < d; j++) {
        buf_sv(out, map_key(m->tfidf.terms, j));
        put_number(out, m->tfidf.idf[j]);
        for (size_t c = 0; c < MODEL_CLASSES; c++)
            put_number(out, m->logreg.w[c * (d + 1) + j]);
        buf_char(out, '\n');
    }
}

/* ---- reading ---- */

struct reader {
    const char *path;
    struct sv rest;
    size_t line;
    struct err *err;
};

static int bad(struct reader *r, const char *what)
{
    return err_set(r->err, EXIT_FATAL, "%s:%zu: %s: train the model anew", r->path, r->line,
                   what);
}

static bool next_line(struct reader *r, struct sv *line)
{
    r->line++;
    return sv_cut(&r->rest, '\n', line);
}

/* The value of a "key value" line, or -1. */
static int header(struct reader *r, const char *key, struct sv *value)
{
    struct sv line, name;
    if (!next_line(r, &line) || !sv_cut(&line, ' ', &name) || !sv_is(name, key) || !line.p)
        return bad(r, key);
    *value = line;
    return 0;
}

static int numbers(struct reader *r, struct sv text, double *to, size_t n)
{
    struct sv one;
    for (size_t i = 0; i < n; i++)
        if (!sv_cut(&text, '\t', &one) || !sv_to_double(one, &to[i]))
            return bad(r, "expected a number");
    return text.p ? bad(r, "too many numbers") : 0;
}

static int read_header(struct reader *r, struct model *m, size_t *d)
{
    struct sv line, v;
    int64_t n;
    if (!next_line(r, &line) || !sv_is(line, MAGIC))
        return bad(r, "not a gr-classify model");
    if (header(r, "words", &v) < 0)
        return -1;
    if (!sv_is(v, "geochem") && !sv_is(v, "sklearn"))
        return bad(r, "words");
    m->tfidf.cfg.words = sv_is(v, "sklearn") ? TFIDF_SKLEARN : TFIDF_GEOCHEM;
    if (header(r, "ngram", &v) < 0)
        return -1;
    if (!sv_to_i64(v, &n) || n < 1 || n > 8)
        return bad(r, "ngram");
    m->tfidf.cfg.ngram = (long)n;
    if (header(r, "classes", &v) < 0)
        return -1;
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        struct sv name;
        if (!sv_cut(&v, ' ', &name) || !sv_eq(name, model_class_name(c)))
            return bad(r, "classes");
    }
    if (header(r, "features", &v) < 0)
        return -1;
    if (!sv_to_i64(v, &n) || n < 0 || n > MAX_FEATURES)
        return bad(r, "features");
    *d = (size_t)n;
    m->tfidf.cfg.max_features = (long)n;
    return 0;
}

static int read_feature(struct reader *r, struct model *m, size_t j, size_t d)
{
    struct sv line, term;
    double v[1 + MODEL_CLASSES];
    bool is_new;
    if (!next_line(r, &line) || !sv_cut(&line, '\t', &term) || !term.n)
        return bad(r, "expected an n-gram");
    if (numbers(r, line, v, ARRAY_LEN(v)) < 0)
        return -1;
    map_put(m->tfidf.terms, term, &is_new);
    if (!is_new)
        return bad(r, "n-gram stands twice");
    m->tfidf.idf[j] = v[0];
    for (size_t c = 0; c < MODEL_CLASSES; c++)
        m->logreg.w[c * (d + 1) + j] = v[1 + c];
    return 0;
}

static int read_all(struct reader *r, struct model *m)
{
    size_t d = 0;
    struct sv line, key;
    double b[MODEL_CLASSES];
    if (read_header(r, m, &d) < 0)
        return -1;
    if (!next_line(r, &line) || !sv_cut(&line, '\t', &key) || !sv_is(key, "intercepts"))
        return bad(r, "intercepts");
    if (numbers(r, line, b, MODEL_CLASSES) < 0)
        return -1;
    if (!next_line(r, &line) || line.n)
        return bad(r, "expected a blank line");
    m->logreg = (struct logreg){ MODEL_CLASSES, d,
                                 alloc_zero(MODEL_CLASSES * (d + 1), sizeof *m->logreg.w) };
    m->tfidf.idf = alloc_zero(d, sizeof *m->tfidf.idf);
    for (size_t c = 0; c < MODEL_CLASSES; c++)
        m->logreg.w[c * (d + 1) + d] = b[c];
    for (size_t j = 0; j < d; j++)
        if (read_feature(r, m, j, d) < 0)
            return -1;
    if (next_line(r, &line) && (line.n || r->rest.p))
        return bad(r, "more n-grams than the header says");
    return 0;
}

int model_read(struct model *m, const char *path, struct err *err)
{
    struct mapped file;
    *m = (struct model){ 0 };
    if (file_map(&file, path, err) < 0)
        return -1;
    m->tfidf.terms = map_new();
    struct reader r = { .path = path, .rest = { file.p ? file.p : "", file.n }, .err = err };
    int rc = utf8_check(r.rest) == SIZE_MAX ? read_all(&r, m) : bad(&r, "not UTF-8");
    file_unmap(&file);
    if (rc < 0)
        model_release(m);
    return rc;
}

/* ---- predicting ---- */

int predictor_init(struct predictor *p, const struct model *m, struct err *err)
{
    *p = (struct predictor){ .ngrams = ngrams_new(&m->tfidf.cfg, err) };
    return p->ngrams ? 0 : -1;
}

void predictor_release(struct predictor *p)
{
    ngrams_free(p->ngrams);
    sparse_release(&p->x);
    *p = (struct predictor){ 0 };
}

void model_predict(const struct model *m, struct predictor *p, struct sv text, double *prob)
{
    tfidf_vector(&m->tfidf, p->ngrams, text, &p->x);
    logreg_predict(&m->logreg, &p->x, prob);
}
