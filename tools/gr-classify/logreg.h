// SPDX-License-Identifier: MIT
/*
 * logreg.h — multinomial logistic regression on sparse vectors, trained by L-BFGS
 *
 * Minimises ½‖W‖² + C · Σ_i w_i · −log softmax(W x_i + b)[y_i], the objective of scikit-learn's
 * LogisticRegression (lbfgs); the intercepts b are not penalised. Balanced weights:
 * w_i = n / (n_classes · n(y_i)). L-BFGS: Nocedal & Wright, Numerical Optimization, alg. 7.5,
 * 10 pairs, with a backtracking line search (Armijo, 1e-4). Everything is summed in a fixed
 * order.
 */
#ifndef LOGREG_H
#define LOGREG_H

#include "gr.h"
#include "tfidf.h"

struct logreg {
    size_t n_classes, n_features;
    double *w; /* (n_classes, n_features + 1) row-major; the last column is the intercept */
};

struct logreg_cfg {
    double c; /* inverse strength of the penalty, > 0 */
    bool is_balanced;
    long max_iterations;
    double tolerance; /* stop when the largest component of the gradient is below this · C·n */
};

/* Train on n vectors x with labels y (0 … n_classes-1). Returns the number of iterations; m->w
 * is allocated: logreg_release. */
long logreg_train(struct logreg *m, const struct logreg_cfg *cfg, const struct sparse *x,
                  const uint8_t *y, size_t n, size_t n_classes, size_t n_features);

/* Class probabilities of one vector, (n_classes), summing to 1. */
void logreg_predict(const struct logreg *m, const struct sparse *x, double *p);

void logreg_release(struct logreg *m);

#endif
