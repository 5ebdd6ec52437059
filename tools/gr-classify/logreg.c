// SPDX-License-Identifier: MIT
/*
 * logreg.c — logistic regression
 */
#include "logreg.h"

#include <math.h>

#include "alloc.h"

#define PAIRS 10

struct problem {
    const struct logreg_cfg *cfg;
    const struct sparse *x;
    const uint8_t *y;
    size_t n, k, d;     /* texts, classes, features */
    double weight[256]; /* of each class */
    double *p;          /* (k) scratch */
};

static void scores(const double *w, size_t k, size_t d, const struct sparse *x, double *p)
{
    double max = -INFINITY, sum = 0;
    for (size_t c = 0; c < k; c++) {
        const double *row = w + c * (d + 1);
        double z = row[d];
        for (size_t i = 0; i < x->n; i++)
            z += row[x->columns[i]] * x->weights[i];
        p[c] = z;
        if (z > max)
            max = z;
    }
    for (size_t c = 0; c < k; c++)
        sum += p[c] = exp(p[c] - max);
    for (size_t c = 0; c < k; c++)
        p[c] /= sum;
}

/* Objective at w and its gradient. */
static double evaluate(const struct problem *q, const double *w, double *gradient)
{
    size_t m = q->k * (q->d + 1);
    double loss = 0;
    for (size_t i = 0; i < m; i++) {
        bool is_intercept = i % (q->d + 1) == q->d;
        gradient[i] = is_intercept ? 0 : w[i];
        loss += is_intercept ? 0 : 0.5 * w[i] * w[i];
    }
    for (size_t t = 0; t < q->n; t++) {
        const struct sparse *x = &q->x[t];
        double scale = q->cfg->c * q->weight[q->y[t]];
        scores(w, q->k, q->d, x, q->p);
        loss -= scale * log(q->p[q->y[t]] > 1e-300 ? q->p[q->y[t]] : 1e-300);
        for (size_t c = 0; c < q->k; c++) {
            double *row = gradient + c * (q->d + 1);
            double r = scale * (q->p[c] - (c == q->y[t]));
            for (size_t i = 0; i < x->n; i++)
                row[x->columns[i]] += r * x->weights[i];
            row[q->d] += r;
        }
    }
    return loss;
}

static double dot(const double *a, const double *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

struct history {
    double *s[PAIRS], *y[PAIRS], rho[PAIRS];
    size_t n, newest; /* pairs kept, index of the newest */
};

/* direction = −H·gradient by the two-loop recursion. */
static void two_loop(const struct history *h, const double *gradient, double *direction,
                     size_t m)
{
    double alpha[PAIRS];
    for (size_t i = 0; i < m; i++)
        direction[i] = -gradient[i];
    for (size_t j = 0; j < h->n; j++) {
        size_t k = (h->newest + PAIRS - j) % PAIRS;
        alpha[k] = h->rho[k] * dot(h->s[k], direction, m);
        for (size_t i = 0; i < m; i++)
            direction[i] -= alpha[k] * h->y[k][i];
    }
    if (h->n) {
        size_t k = h->newest;
        double scale = 1 / (h->rho[k] * dot(h->y[k], h->y[k], m));
        for (size_t i = 0; i < m; i++)
            direction[i] *= scale;
    }
    for (size_t j = h->n; j-- > 0;) {
        size_t k = (h->newest + PAIRS - j) % PAIRS;
        double beta = h->rho[k] * dot(h->y[k], direction, m);
        for (size_t i = 0; i < m; i++)
            direction[i] += (alpha[k] - beta) * h->s[k][i];
    }
}

/* Remember the step from (w, g) to (w2, g2) when it has positive curvature. */
static void remember(struct history *h, const double *w, const double *w2, const double *g,
                     const double *g2, size_t m)
{
    size_t k = h->n ? (h->newest + 1) % PAIRS : 0;
    for (size_t i = 0; i < m; i++) {
        h->s[k][i] = w2[i] - w[i];
        h->y[k][i] = g2[i] - g[i];
    }
    double sy = dot(h->s[k], h->y[k], m);
    if (sy <= 1e-12)
        return;
    h->rho[k] = 1 / sy;
    h->newest = k;
    if (h->n < PAIRS)
        h->n++;
}

static double largest(const double *g, size_t m)
{
    double max = 0;
    for (size_t i = 0; i < m; i++)
        if (fabs(g[i]) > max)
            max = fabs(g[i]);
    return max;
}

static long minimise(const struct problem *q, double *w)
{
    size_t m = q->k * (q->d + 1);
    double *block = alloc_zero((2 * PAIRS + 4) * m, sizeof *block);
    double *g = block, *g2 = block + m, *w2 = block + 2 * m, *step = block + 3 * m;
    struct history h = { .n = 0 };
    for (size_t i = 0; i < PAIRS; i++) {
        h.s[i] = block + (4 + 2 * i) * m;
        h.y[i] = h.s[i] + m;
    }
    double loss = evaluate(q, w, g), stop = q->cfg->tolerance * q->cfg->c * (double)q->n;
    long it = 0;
    for (; it < q->cfg->max_iterations && largest(g, m) > stop; it++) {
        two_loop(&h, g, step, m);
        double slope = dot(g, step, m), t = h.n ? 1 : 1 / (1 + sqrt(dot(g, g, m)));
        double next = INFINITY;
        for (int tries = 0; tries < 40; tries++, t /= 2) {
            for (size_t i = 0; i < m; i++)
                w2[i] = w[i] + t * step[i];
            next = evaluate(q, w2, g2);
            if (next <= loss + 1e-4 * t * slope)
                break;
        }
        if (!(next < loss))
            break; /* no descent left within rounding */
        remember(&h, w, w2, g, g2, m);
        memcpy(w, w2, m * sizeof *w);
        memcpy(g, g2, m * sizeof *g);
        loss = next;
    }
    free(block);
    return it;
}

long logreg_train(struct logreg *m, const struct logreg_cfg *cfg, const struct sparse *x,
                  const uint8_t *y, size_t n, size_t n_classes, size_t n_features)
{
    *m = (struct logreg){ n_classes, n_features,
                          alloc_zero(n_classes * (n_features + 1), sizeof *m->w) };
    struct problem q = { .cfg = cfg,
                         .x = x,
                         .y = y,
                         .n = n,
                         .k = n_classes,
                         .d = n_features,
                         .p = alloc_array(n_classes, sizeof *q.p) };
    size_t count[256] = { 0 };
    for (size_t i = 0; i < n; i++)
        count[y[i]]++;
    for (size_t c = 0; c < n_classes; c++)
        q.weight[c] = cfg->is_balanced && count[c]
                          ? (double)n / ((double)n_classes * (double)count[c])
                          : 1;
    long iterations = minimise(&q, m->w);
    free(q.p);
    return iterations;
}

void logreg_predict(const struct logreg *m, const struct sparse *x, double *p)
{
    scores(m->w, m->n_classes, m->n_features, x, p);
}

void logreg_release(struct logreg *m)
{
    free(m->w);
    *m = (struct logreg){ 0 };
}
