// SPDX-License-Identifier: MIT
/*
 * distill.c — from a corpus and a teacher to a table; the steps of distill.h
 */
#include "distill.h"

#include <math.h>

#include "alloc.h"
#include "file.h"
#include "hash.h"
#include "kernels.h"
#include "lapack.h"
#include "pool.h"
#include "sentence.h"
#include "sparse.h"

#define TEXTS_MIN 16
#define FREQUENCY 1e-3   /* a of a / (a + p) */
#define PIECES_SHARE 0.1 /* of the vocabulary's second moment beside the corpus' */
#define SENTENCE_MIN 30  /* bytes of a sentence that is worth learning from */
#define MAP_RIDGE 0.03   /* of the mean diagonal */
#define TOLERANCE 1e-3
#define N_STEPS 30 /* of conjugate gradients */
#define HELD_OUT(text) ((text) % 8 == 7)
#define TOGETHER 64 /* texts or pieces a job */

static const double lambdas[] = { 1e-3, 1e-2, 1e-1, 1 };

struct distill {
    const struct encoder *teacher;
    size_t h, dim; /* the teacher's numbers, the table's */
    size_t n_pieces;
    struct buf bytes; /* all texts, then used up */
    size_t *ends;     /* (n) */
    size_t n, cap;
    /* Made by distill_fit. An example is a text (even) or its sentence (odd). */
    size_t n_examples;
    struct sv *examples;
    float *targets; /* (n_examples, h), later (n_examples, dim) */
    float *pieces;  /* (n_pieces, h) by the teacher, centred */
    float *weights; /* (n_pieces) */
    double *basis;  /* (dim, h): the principal components */
    struct sparse bags;
    float *table, *start, *change; /* (n_pieces, dim) */
    char corpus[65];
};

struct distill *distill_new(const struct encoder *teacher)
{
    struct distill *d = alloc_zero(1, sizeof *d);
    d->teacher = teacher;
    d->h = encoder_dim(teacher);
    d->n_pieces = wordpiece_size(encoder_words(teacher));
    return d;
}

void distill_free(struct distill *d)
{
    if (!d)
        return;
    buf_release(&d->bytes);
    free(d->ends);
    free(d->examples);
    free(d->targets);
    free(d->pieces);
    free(d->weights);
    free(d->basis);
    free(d->bags.ends);
    free(d->bags.col);
    free(d->bags.value);
    free(d->bags.is_hidden);
    free(d->table);
    free(d->start);
    free(d->change);
    free(d);
}

void distill_add(struct distill *d, struct sv text)
{
    if (d->n == d->cap) {
        d->cap = alloc_grow(d->cap, d->n + 1);
        d->ends = alloc_resize(d->ends, d->cap, sizeof *d->ends);
    }
    buf_sv(&d->bytes, text);
    d->ends[d->n++] = d->bytes.len;
}

size_t distill_count(const struct distill *d)
{
    return d->n;
}

/* ---- examples ---- */

/* One sentence of the text, another in each text: the number-th that is long enough. */
static struct sv pick_sentence(const struct splitter *s, struct sv text, size_t number)
{
    struct sentence one;
    size_t n = 0, at = 0;
    while (sentence_next(s, text, &at, &one))
        n += one.end - one.start >= SENTENCE_MIN;
    size_t left = n ? number % n : 0;
    for (at = 0; sentence_next(s, text, &at, &one);)
        if (one.end - one.start >= SENTENCE_MIN && left-- == 0)
            return sv_from_to(text, one.start, one.end);
    return text;
}

static int make_examples(struct distill *d, struct err *err)
{
    struct splitter *s = splitter_new(NULL, err);
    if (!s)
        return -1;
    d->n_examples = 2 * d->n;
    d->examples = alloc_array(d->n_examples, sizeof *d->examples);
    d->bags.is_hidden = alloc_zero(d->n_examples, sizeof *d->bags.is_hidden);
    for (size_t i = 0; i < d->n; i++) {
        d->examples[2 * i] =
            sv_from_to(buf_view(&d->bytes), i ? d->ends[i - 1] : 0, d->ends[i]);
        d->examples[2 * i + 1] = pick_sentence(s, d->examples[2 * i], i);
    }
    splitter_free(s);
    hash_sha256(buf_view(&d->bytes), d->corpus);
    return 0;
}

/* A text's pieces, each with 1 / their number. */
static void make_bags(struct distill *d)
{
    struct wordpiece_tokens tokens = { 0 };
    struct sparse *b = &d->bags;
    size_t cap = 0, at = 0, n_all = 0;
    double *counts = alloc_zero(d->n_pieces, sizeof *counts);
    b->n = d->n_examples;
    b->n_cols = d->n_pieces;
    b->ends = alloc_array(b->n, sizeof *b->ends);
    for (size_t i = 0; i < b->n; i++) {
        wordpiece_split(encoder_words(d->teacher), d->examples[i], SIZE_MAX, &tokens);
        if (at + tokens.n > cap) {
            cap = alloc_grow(cap, at + tokens.n);
            b->col = alloc_resize(b->col, cap, sizeof *b->col);
            b->value = alloc_resize(b->value, cap, sizeof *b->value);
        }
        for (size_t k = 0; k < tokens.n; k++, at++) {
            b->col[at] = tokens.ids[k];
            b->value[at] = 1 / (float)tokens.n;
            counts[tokens.ids[k]] += i % 2 == 0;
        }
        n_all += i % 2 == 0 ? tokens.n : 0;
        b->ends[i] = at;
    }
    d->weights = alloc_array(d->n_pieces, sizeof *d->weights);
    for (size_t i = 0; i < d->n_pieces; i++)
        d->weights[i] =
            (float)(FREQUENCY / (FREQUENCY + counts[i] / (double)(n_all ? n_all : 1)));
    wordpiece_tokens_release(&tokens);
    free(counts);
}

/* ---- the teacher's vectors ---- */

struct job {
    size_t from, to;
};

struct teaching {
    struct distill *d;
    struct encoder_scratch **scratches; /* (jobs) */
};

static void teach_texts(struct distill *d, struct encoder_scratch *s, size_t from, size_t to)
{
    struct embed_item items[TOGETHER];
    for (size_t i = from; i < to; i++)
        items[i - from] =
            (struct embed_item){ .text = d->examples[i], .out = d->targets + i * d->h };
    encoder_embed(d->teacher, s, items, to - from, LONG_MEAN);
}

/* Numbers below n_examples are texts, the rest are pieces. */
static void teach(void *ctx, unsigned worker, void *job)
{
    struct teaching *t = ctx;
    struct distill *d = t->d;
    const struct job *j = job;
    if (!t->scratches[worker])
        t->scratches[worker] = encoder_scratch_new(d->teacher);
    if (j->from < d->n_examples)
        teach_texts(d, t->scratches[worker], j->from, j->to);
    else
        encoder_embed_pieces(d->teacher, t->scratches[worker], j->from - d->n_examples,
                             j->to - j->from, d->pieces + (j->from - d->n_examples) * d->h);
}

static bool taught(void *ctx, void *job)
{
    (void)ctx;
    (void)job;
    return true;
}

static void give(struct pool *p, size_t from, size_t to)
{
    for (; from < to; from += TOGETHER) {
        struct job *j = pool_next(p);
        *j = (struct job){ from, from + TOGETHER < to ? from + TOGETHER : to };
        pool_give(p);
    }
}

static void ask_teacher(struct distill *d, unsigned jobs)
{
    struct teaching t = { d, alloc_zero(jobs, sizeof *t.scratches) };
    size_t n_slots = 2 * (size_t)jobs;
    struct job *all = alloc_zero(n_slots, sizeof *all);
    void **slots = alloc_array(n_slots, sizeof *slots);
    for (size_t i = 0; i < n_slots; i++)
        slots[i] = &all[i];
    d->targets = alloc_array(d->n_examples * d->h, sizeof *d->targets);
    d->pieces = alloc_array(d->n_pieces * d->h, sizeof *d->pieces);
    struct pool *p = pool_new(&(struct pool_cfg){ jobs, n_slots, slots, &t, teach, taught });
    give(p, 0, d->n_examples);
    give(p, d->n_examples, d->n_examples + d->n_pieces);
    pool_free(p);
    for (unsigned i = 0; i < jobs; i++)
        encoder_scratch_free(t.scratches[i]);
    free(t.scratches);
    free(slots);
    free(all);
}

/* ---- principal components ---- */

/* m (h, h) += scale * v^T v over n rows. */
static void add_moment(double *m, const float *v, size_t n, size_t h, double scale)
{
    for (size_t i = 0; i < n; i++, v += h)
        for (size_t j = 0; j < h; j++) {
            double x = scale * (double)v[j];
            for (size_t k = 0; k <= j; k++)
                m[j * h + k] += x * (double)v[k];
        }
}

static void mirror(double *m, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < j; k++)
            m[k * n + j] = m[j * n + k];
}

/* Not centred: cosines are what must survive. */
static int find_basis(struct distill *d, struct err *err)
{
    size_t h = d->h;
    double *m = alloc_zero(h * h, sizeof *m), *values = alloc_array(h, sizeof *values);
    add_moment(m, d->targets, d->n_examples, h, 1 / (double)d->n_examples);
    add_moment(m, d->pieces, d->n_pieces, h, PIECES_SHARE / (double)d->n_pieces);
    mirror(m, h);
    int rc = lapack_eigen(m, h, values, err);
    d->basis = alloc_array(d->dim * h, sizeof *d->basis);
    for (size_t i = 0; i < d->dim && rc == 0; i++)
        memcpy(d->basis + i * h, m + (h - 1 - i) * h, h * sizeof *m);
    free(m);
    free(values);
    return rc;
}

/* out (n, dim) = v (n, h) times the basis. */
static float *reduce(const struct distill *d, const float *v, size_t n)
{
    float *out = alloc_array(n * d->dim, sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d->dim; j++) {
            double sum = 0;
            for (size_t k = 0; k < d->h; k++)
                sum += d->basis[j * d->h + k] * (double)v[i * d->h + k];
            out[i * d->dim + j] = (float)sum;
        }
    return out;
}

/* The pieces' vectors without their mean, weighted, reduced: where the fit starts. */
static void make_pieces(struct distill *d)
{
    double *mean = alloc_zero(d->h, sizeof *mean);
    for (size_t i = 0; i < d->n_pieces; i++)
        for (size_t k = 0; k < d->h; k++)
            mean[k] += (double)d->pieces[i * d->h + k] / (double)d->n_pieces;
    for (size_t i = 0; i < d->n_pieces; i++)
        for (size_t k = 0; k < d->h; k++)
            d->pieces[i * d->h + k] =
                d->weights[i] * (float)((double)d->pieces[i * d->h + k] - mean[k]);
    free(mean);
    float *small = reduce(d, d->pieces, d->n_pieces);
    free(d->pieces);
    d->pieces = small;
    small = reduce(d, d->targets, d->n_examples);
    free(d->targets);
    d->targets = small;
}

/* ---- the fit ---- */

/* The map: the normal equations' sums over the examples that are not hidden. map (dim, dim)
 * takes a row of pieces to a row of the table. */
static int fit_map(struct distill *d, double *map, struct err *err)
{
    size_t n = d->dim;
    double *g = alloc_zero(n * n, sizeof *g), trace = 0;
    float *f = alloc_array(d->n_examples * n, sizeof *f);
    sparse_times(&d->bags, d->pieces, n, f);
    memset(map, 0, n * n * sizeof *map);
    for (size_t i = 0; i < d->n_examples; i++) {
        const float *x = f + i * n, *y = d->targets + i * n;
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                g[j * n + k] += (double)x[j] * (double)x[k];
                map[j * n + k] += (double)x[j] * (double)y[k];
            }
    }
    for (size_t j = 0; j < n; j++)
        trace += g[j * n + j];
    for (size_t j = 0; j < n; j++)
        g[j * n + j] += MAP_RIDGE * trace / (double)n + 1e-12;
    free(f);
    int rc = lapack_solve(g, n, map, n, err);
    free(g);
    return rc;
}

/* start = pieces * map; targets stay, rest = targets - bags * start. */
static void apply_map(struct distill *d, const double *map, float *rest)
{
    size_t n = d->dim;
    double *row = alloc_array(n, sizeof *row);
    for (size_t i = 0; i < d->n_pieces; i++) {
        memset(row, 0, n * sizeof *row);
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                row[k] += (double)d->pieces[i * n + j] * map[j * n + k];
        for (size_t k = 0; k < n; k++)
            d->start[i * n + k] = (float)row[k];
    }
    free(row);
    sparse_times(&d->bags, d->start, n, rest);
    for (size_t i = 0; i < d->n_examples * n; i++)
        rest[i] = d->targets[i] - rest[i];
}

static void add_up(struct distill *d)
{
    for (size_t i = 0; i < d->n_pieces * d->dim; i++)
        d->table[i] = d->start[i] + d->change[i];
}

/* What all texts have in common says nothing about any: their mean vector goes from every
 * piece, and so from every mean of pieces. out: working memory. */
static void remove_mean(struct distill *d, float *out)
{
    double *mean = alloc_zero(d->dim, sizeof *mean);
    sparse_times(&d->bags, d->table, d->dim, out);
    for (size_t i = 0; i < d->n_examples; i++)
        for (size_t k = 0; k < d->dim; k++)
            mean[k] += (double)out[i * d->dim + k] / (double)d->n_examples;
    for (size_t i = 0; i < d->n_pieces; i++)
        for (size_t k = 0; k < d->dim; k++)
            d->table[i * d->dim + k] -= (float)mean[k];
    free(mean);
}

/* Mean cosine to the teacher over the texts that were held out. */
static double score(const struct distill *d, float *out)
{
    struct sparse all = d->bags;
    double sum = 0;
    size_t n = 0;
    all.is_hidden = NULL;
    sparse_times(&all, d->table, d->dim, out);
    for (size_t i = 0; i < d->n; i++) {
        const float *x = out + 2 * i * d->dim, *y = d->targets + 2 * i * d->dim;
        double xx = 0, yy = 0, xy = 0;
        if (!HELD_OUT(i))
            continue;
        for (size_t k = 0; k < d->dim; k++) {
            xx += (double)x[k] * (double)x[k];
            yy += (double)y[k] * (double)y[k];
            xy += (double)x[k] * (double)y[k];
        }
        sum += xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
        n++;
    }
    return sum / (double)n;
}

static void hide(struct distill *d, bool is_hidden)
{
    for (size_t i = 0; i < d->n; i++)
        d->bags.is_hidden[2 * i] = d->bags.is_hidden[2 * i + 1] = is_hidden && HELD_OUT(i);
}

static int fit_table(struct distill *d, double wanted, struct table_parts *parts,
                     struct err *err)
{
    size_t n = d->n_examples * d->dim;
    double *map = alloc_array(d->dim * d->dim, sizeof *map);
    float *rest = alloc_array(n, sizeof *rest), *out = alloc_array(n, sizeof *out);
    parts->cosine = -2;
    hide(d, true);
    int rc = fit_map(d, map, err);
    if (rc == 0)
        apply_map(d, map, rest);
    for (size_t i = 0; rc == 0 && i < (wanted > 0 ? 1 : ARRAY_LEN(lambdas)); i++) {
        double lambda = wanted > 0 ? wanted : lambdas[i];
        sparse_ridge(&d->bags, rest, d->dim, lambda, TOLERANCE, N_STEPS, d->change);
        add_up(d);
        double cosine = score(d, out);
        if (cosine > parts->cosine) {
            parts->cosine = cosine;
            parts->lambda = lambda;
        }
    }
    hide(d, false);
    if (rc == 0)
        rc = fit_map(d, map, err);
    if (rc == 0) {
        apply_map(d, map, rest);
        sparse_ridge(&d->bags, rest, d->dim, parts->lambda, TOLERANCE, N_STEPS, d->change);
        add_up(d);
    }
    if (rc == 0)
        remove_mean(d, out);
    free(map);
    free(rest);
    free(out);
    return rc;
}

/* A corpus of white space, or a broken model: nothing to imitate. */
static int check_numbers(const float *v, size_t n, const char *what, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return err_set(err, EXIT_FATAL, "%s: not all numbers are finite", what);
    return 0;
}

int distill_fit(struct distill *d, const struct distill_cfg *cfg, struct table_parts *parts,
                struct err *err)
{
    d->dim = cfg->dim;
    if (d->dim > d->h)
        return err_set(err, EXIT_FATAL, "--dim: the teacher has only %zu numbers", d->h);
    if (d->n < TEXTS_MIN)
        return err_set(err, EXIT_FATAL, "%zu texts: at least %d are needed to learn from", d->n,
                       TEXTS_MIN);
    const struct tokenizer *words = &encoder_folder(d->teacher)->tokenizer;
    if (words->has_own_form)
        return err_set(err, EXIT_FATAL,
                       "%s: a table needs a teacher with the usual special tokens",
                       encoder_model(d->teacher));
    if (make_examples(d, err) < 0)
        return -1;
    make_bags(d);
    ask_teacher(d, cfg->jobs);
    if (check_numbers(d->targets, d->n_examples * d->h, "teacher", err) < 0 ||
        check_numbers(d->pieces, d->n_pieces * d->h, "teacher", err) < 0 ||
        find_basis(d, err) < 0)
        return -1;
    make_pieces(d);
    size_t n = d->n_pieces * d->dim;
    d->table = alloc_array(n, sizeof *d->table);
    d->start = alloc_array(n, sizeof *d->start);
    d->change = alloc_array(n, sizeof *d->change);
    if (fit_table(d, cfg->lambda, parts, err) < 0 || check_numbers(d->table, n, "fit", err) < 0)
        return -1;
    parts->vocab = buf_view(&words->vocab);
    parts->words = words->cfg;
    parts->n = d->n_pieces;
    parts->dim = d->dim;
    parts->vectors = d->table;
    parts->teacher = encoder_model(d->teacher);
    parts->corpus = d->corpus;
    return 0;
}
