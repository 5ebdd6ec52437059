// SPDX-License-Identifier: MIT
/*
 * verdict.c — class, strategy, depth and reasons
 */
#include "verdict.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "schema.h"

static const int depths[MODEL_CLASSES] = { 1, 2, 2, 3 };

struct verdict verdict_of(const struct model *m, struct predictor *p, struct sv query,
                          double min_prob)
{
    struct verdict v = { .best = 0 };
    model_predict(m, p, query, v.prob);
    for (size_t c = 1; c < MODEL_CLASSES; c++)
        if (v.prob[c] > v.prob[v.best])
            v.best = c;
    v.second = v.best == 0;
    for (size_t c = 0; c < MODEL_CLASSES; c++)
        if (c != v.best && v.prob[c] > v.prob[v.second])
            v.second = c;
    v.is_known = v.prob[v.best] >= min_prob;
    v.chosen = v.best;
    return v;
}

void verdict_choose(struct verdict *v, size_t class)
{
    v->chosen = class;
    v->is_known = v->is_chosen = true;
}

/* Six decimals: what a reader can use, and no noise of the last bits. */
static double rounded(double p)
{
    return round(p * 1e6) / 1e6;
}

static struct sv class_of(const struct verdict *v)
{
    return v->is_known ? model_class_name(v->chosen) : SV("unknown");
}

static struct sv strategy_of(const struct verdict *v)
{
    struct sv rest = SV(STRATEGY_NAMES), name = SV_NONE;
    size_t wanted = v->is_known ? v->chosen : MODEL_CLASSES - 1;
    for (size_t i = 0; i <= wanted; i++)
        sv_cut(&rest, '|', &name);
    return name;
}

void verdict_write(const struct verdict *v, struct buf *out)
{
    json_key(out, F_CLASS);
    json_put_str(out, class_of(v));
    json_key(out, "class_scores");
    json_open(out, '{');
    for (size_t c = 0; c < MODEL_CLASSES; c++) {
        json_key_sv(out, model_class_name(c));
        json_put_num(out, rounded(v->prob[c]));
    }
    json_close(out, '}');
    json_key(out, F_STRATEGY);
    json_put_str(out, strategy_of(v));
    json_key(out, F_DEPTH);
    json_put_int(out, v->is_known ? depths[v->chosen] : 2);
}

void verdict_write_trace(const struct verdict *v, const struct predictor *p, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "tool");
    json_put_str(out, SV("gr-classify"));
    json_key(out, F_CLASS);
    json_put_str(out, class_of(v));
    json_key(out, "margin");
    json_put_num(out, rounded(v->prob[v->best] - v->prob[v->second]));
    json_key(out, "known_ngrams");
    json_put_int(out, (int64_t)p->x.n);
    if (v->is_chosen) {
        json_key(out, "by");
        json_put_str(out, SV("chat model"));
    }
    json_close(out, '}');
}

struct reason {
    uint32_t column;
    double weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->column > y->column) - (x->column < y->column);
}

void verdict_write_reasons(const struct verdict *v, const struct model *m,
                           const struct predictor *p, size_t top, struct buf *out)
{
    const struct sparse *x = &p->x;
    const double *w = m->logreg.w + v->best * (m->logreg.n_features + 1);
    struct reason *reasons = alloc_array(x->n, sizeof *reasons);
    for (size_t i = 0; i < x->n; i++)
        reasons[i] = (struct reason){ x->columns[i], x->weights[i] * w[x->columns[i]] };
    if (x->n)
        qsort(reasons, x->n, sizeof *reasons, by_weight);
    json_key(out, "reasons");
    json_open(out, '[');
    for (size_t i = 0; i < x->n && i < top; i++) {
        json_open(out, '{');
        json_key(out, "ngram");
        json_put_str(out, map_key(m->tfidf.terms, reasons[i].column));
        json_key(out, "weight");
        json_put_num(out, rounded(reasons[i].weight));
        json_close(out, '}');
    }
    json_close(out, ']');
    free(reasons);
}
