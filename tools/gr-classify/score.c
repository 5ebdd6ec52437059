// SPDX-License-Identifier: MIT
/*
 * score.c — classifier scores
 */
#include "score.h"

#include "alloc.h"
#include "json.h"
#include "rng.h"

static size_t best_of(const double *p)
{
    size_t best = 0;
    for (size_t c = 1; c < MODEL_CLASSES; c++)
        if (p[c] > p[best])
            best = c;
    return best;
}

/* Add predictions for the examples with use[i] (NULL: all). */
static int add(struct score *s, const struct model *m, const struct examples *e,
               const bool *use, struct err *err)
{
    struct predictor p;
    double prob[MODEL_CLASSES];
    if (predictor_init(&p, m, err) < 0)
        return -1;
    for (size_t i = 0; i < e->n; i++) {
        if (use && !use[i])
            continue;
        model_predict(m, &p, e->texts[i], prob);
        s->confusion[e->labels[i]][best_of(prob)]++;
        s->n++;
    }
    predictor_release(&p);
    return 0;
}

int score_model(struct score *s, const struct model *m, const struct examples *e,
                struct err *err)
{
    *s = (struct score){ 0 };
    return add(s, m, e, NULL, err);
}

/* Fold of each example. */
static size_t *deal(const struct examples *e, size_t folds, uint64_t seed)
{
    size_t *order = alloc_array(e->n, sizeof *order), *fold = alloc_array(e->n, sizeof *fold);
    struct rng rng = { seed };
    size_t next[MODEL_CLASSES] = { 0 };
    for (size_t i = 0; i < e->n; i++)
        order[i] = i;
    for (size_t i = e->n; i > 1; i--) {
        size_t j = (size_t)rng_below(&rng, i), tmp = order[i - 1];
        order[i - 1] = order[j];
        order[j] = tmp;
    }
    for (size_t i = 0; i < e->n; i++)
        fold[order[i]] = next[e->labels[order[i]]]++ % folds;
    free(order);
    return fold;
}

int score_folds(struct score *s, const struct model_cfg *cfg, const struct examples *e,
                size_t folds, uint64_t seed, struct err *err)
{
    *s = (struct score){ 0 };
    if (folds < 2 || folds > e->n)
        return err_set(err, EXIT_USAGE, "%zu folds of %zu examples: 2 to %zu are possible",
                       folds, e->n, e->n);
    size_t *fold = deal(e, folds, seed);
    bool *train = alloc_array(e->n, sizeof *train), *test = alloc_array(e->n, sizeof *test);
    int rc = 0;
    for (size_t f = 0; f < folds && rc == 0; f++) {
        struct model m;
        for (size_t i = 0; i < e->n; i++)
            train[i] = !(test[i] = fold[i] == f);
        if (model_train(&m, cfg, e, train, err) < 0) {
            rc = -1;
            break;
        }
        rc = add(s, &m, e, test, err);
        model_release(&m);
    }
    free(fold);
    free(train);
    free(test);
    return rc;
}

/* ---- figures ---- */

struct figures {
    uint64_t n;
    double precision, recall, f1;
};

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static struct figures figures_of(const struct score *s, size_t c)
{
    uint64_t truth = 0, said = 0;
    for (size_t i = 0; i < MODEL_CLASSES; i++) {
        truth += s->confusion[c][i];
        said += s->confusion[i][c];
    }
    double hit = (double)s->confusion[c][c];
    struct figures f = { .n = truth,
                         .precision = ratio(hit, (double)said),
                         .recall = ratio(hit, (double)truth) };
    f.f1 = ratio(2 * f.precision * f.recall, f.precision + f.recall);
    return f;
}

static void overall(const struct score *s, double *accuracy, double *macro_f1)
{
    uint64_t hits = 0;
    *macro_f1 = 0;
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        hits += s->confusion[c][c];
        *macro_f1 += figures_of(s, c).f1 / MODEL_CLASSES;
    }
    *accuracy = ratio((double)hits, (double)s->n);
}

static void put_num(struct buf *out, const char *key, double v)
{
    json_key(out, key);
    json_put_num(out, v);
}

void score_write_json(const struct score *s, struct buf *out)
{
    double accuracy, macro_f1;
    overall(s, &accuracy, &macro_f1);
    json_open(out, '{');
    put_num(out, "n", (double)s->n);
    put_num(out, "accuracy", accuracy);
    put_num(out, "macro_f1", macro_f1);
    json_key(out, "classes");
    json_open(out, '[');
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        struct figures f = figures_of(s, c);
        json_open(out, '{');
        json_key(out, "class");
        json_put_str(out, model_class_name(c));
        put_num(out, "n", (double)f.n);
        put_num(out, "precision", f.precision);
        put_num(out, "recall", f.recall);
        put_num(out, "f1", f.f1);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_key(out, "confusion");
    json_open(out, '[');
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        json_open(out, '[');
        for (size_t i = 0; i < MODEL_CLASSES; i++)
            json_put_int(out, (int64_t)s->confusion[c][i]);
        json_close(out, ']');
    }
    json_close(out, ']');
    json_close(out, '}');
    buf_char(out, '\n');
}

void score_write_text(const struct score *s, struct buf *out)
{
    double accuracy, macro_f1;
    overall(s, &accuracy, &macro_f1);
    buf_printf(out, "%-24s %5s %9s %7s %6s   predicted as, in the same order\n", "class", "n",
               "precision", "recall", "F1");
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        struct figures f = figures_of(s, c);
        buf_printf(out, "%-24.*s %5llu %9.3f %7.3f %6.3f  ", SV_ARG(model_class_name(c)),
                   (unsigned long long)f.n, f.precision, f.recall, f.f1);
        for (size_t i = 0; i < MODEL_CLASSES; i++)
            buf_printf(out, " %4llu", (unsigned long long)s->confusion[c][i]);
        buf_char(out, '\n');
    }
    buf_printf(out, "accuracy %.3f, macro F1 %.3f, n %llu\n", accuracy, macro_f1,
               (unsigned long long)s->n);
}
