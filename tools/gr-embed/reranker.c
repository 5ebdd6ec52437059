// SPDX-License-Identifier: MIT
/*
 * reranker.c — pairs of token ids, the head of the classifier
 */
#include "reranker.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "encoder.h"
#include "safetensors.h"
#include "wordpiece.h"

struct reranker {
    struct encoder *encoder;
    size_t h;
    float *pooler, *pooler_bias; /* (H, H), (H) */
    float *last, *last_bias;     /* (H), (1) */
    char *model;
};

struct reranker_scratch {
    struct encoder_scratch *encoder;
    struct wordpiece_tokens query, text;
    int32_t *ids;               /* (cap, max_len) */
    float *states;              /* (cap, H) */
    struct encoder_pair *pairs; /* (cap) */
    size_t cap;
};

static float *take(const struct safetensors *st, const char *name, size_t n, struct err *err)
{
    const struct tensor *t = safetensors_find(st, name);
    if (!t || t->type == TENSOR_OTHER || t->n != n) {
        err_set(err, EXIT_FATAL, "tensor \"%s\" is missing or has another shape", name);
        return NULL;
    }
    float *v = alloc_array(n, sizeof *v);
    tensor_read(t, 0, n, v);
    return v;
}

static int load_head(struct reranker *r, struct err *err)
{
    const struct safetensors *st = encoder_weights(r->encoder);
    size_t h = r->h = encoder_dim(r->encoder);
    r->pooler = take(st, "bert.pooler.dense.weight", h * h, err);
    r->pooler_bias = r->pooler ? take(st, "bert.pooler.dense.bias", h, err) : NULL;
    r->last = r->pooler_bias ? take(st, "classifier.weight", h, err) : NULL;
    r->last_bias = r->last ? take(st, "classifier.bias", 1, err) : NULL;
    return r->last_bias ? 0 : -1;
}

static int check_kind(const struct folder *f, struct err *err)
{
    if (!f->n_labels)
        return err_set(err, EXIT_FATAL,
                       "config.json: no BertForSequenceClassification: rerank takes a "
                       "cross-encoder (make models-extra fetches one)");
    if (f->n_labels > 1)
        return err_set(err, EXIT_FATAL, "config.json: %zu labels: rerank takes models of one",
                       f->n_labels);
    if (!f->tokenizer.has_pairs)
        return err_set(err, EXIT_FATAL,
                       "tokenizer.json: no template [CLS] A [SEP] B [SEP] for pairs");
    return 0;
}

struct reranker *reranker_new(const char *dir, enum precision precision, struct err *err)
{
    struct reranker *r = alloc_zero(1, sizeof *r);
    struct buf model = BUF_INIT;
    size_t len;
    r->encoder = encoder_open(dir, precision, err);
    if (r->encoder && check_kind(encoder_folder(r->encoder), err) == 0 &&
        load_head(r, err) == 0) {
        struct sv name = sv_from(encoder_model(r->encoder)), part, last = SV_NONE;
        struct sv rest = name;
        while (rest.n && sv_cut(&rest, '/', &part))
            last = part;
        buf_printf(&model, "%.*s/1/%.*s", (int)sv_find(name, SV("/"), 0), name.p, SV_ARG(last));
        r->model = buf_take(&model, &len);
        return r;
    }
    if (r->encoder)
        err_prefix(err, "%s", dir);
    reranker_free(r);
    return NULL;
}

void reranker_free(struct reranker *r)
{
    if (!r)
        return;
    encoder_free(r->encoder);
    free(r->pooler);
    free(r->pooler_bias);
    free(r->last);
    free(r->last_bias);
    free(r->model);
    free(r);
}

const char *reranker_model(const struct reranker *r)
{
    return r->model;
}

struct reranker_scratch *reranker_scratch_new(const struct reranker *r)
{
    struct reranker_scratch *s = alloc_zero(1, sizeof *s);
    s->encoder = encoder_scratch_new(r->encoder);
    return s;
}

void reranker_scratch_free(struct reranker_scratch *s)
{
    if (!s)
        return;
    encoder_scratch_free(s->encoder);
    wordpiece_tokens_release(&s->query);
    wordpiece_tokens_release(&s->text);
    free(s->ids);
    free(s->states);
    free(s->pairs);
    free(s);
}

void reranker_fit(size_t *a, size_t *b, size_t max)
{
    size_t *shorter = *a <= *b ? a : b, *longer = *a <= *b ? b : a;
    if (*a + *b <= max)
        return;
    if (*shorter <= max / 2) {
        *longer = max - *shorter;
        return;
    }
    *shorter = max / 2;
    *longer = max - max / 2;
}

/* ---- one query ---- */

static void make_room(const struct reranker *r, struct reranker_scratch *s, size_t n)
{
    if (n <= s->cap)
        return;
    s->cap = n;
    s->ids = alloc_resize(s->ids, n, encoder_max_len(r->encoder) * sizeof *s->ids);
    s->states = alloc_resize(s->states, n, r->h * sizeof *s->states);
    s->pairs = alloc_resize(s->pairs, n, sizeof *s->pairs);
}

/* [CLS] query [SEP] text [SEP]; true when something was cut. */
static bool make_pair(const struct reranker *r, struct reranker_scratch *s, struct sv text,
                      size_t n_query, struct encoder_pair *p, int32_t *ids)
{
    const struct wordpiece *words = encoder_words(r->encoder);
    size_t max = encoder_max_len(r->encoder) - 3, k = 0;
    size_t n_text = wordpiece_split(words, text, max, &s->text);
    size_t q = n_query, t = n_text;
    reranker_fit(&q, &t, max);
    ids[k++] = wordpiece_cls(words);
    if (q)
        memcpy(ids + k, s->query.ids, q * sizeof *ids);
    k += q;
    ids[k++] = wordpiece_sep(words);
    p->second = k;
    if (t)
        memcpy(ids + k, s->text.ids, t * sizeof *ids);
    k += t;
    ids[k++] = wordpiece_sep(words);
    p->ids = ids;
    p->n = k;
    return q < n_query || t < n_text;
}

/* state (H) to the score: tanh of the pooler, then one linear unit; sums in double. */
static double head(const struct reranker *r, const float *state)
{
    double logit = (double)r->last_bias[0];
    for (size_t i = 0; i < r->h; i++) {
        double sum = (double)r->pooler_bias[i];
        for (size_t j = 0; j < r->h; j++)
            sum += (double)r->pooler[i * r->h + j] * (double)state[j];
        logit += (double)r->last[i] * tanh(sum);
    }
    return encoder_folder(r->encoder)->is_logit ? logit : 1 / (1 + exp(-logit));
}

int reranker_score(const struct reranker *r, struct reranker_scratch *s, struct sv query,
                   const struct sv *texts, size_t n, double *scores, size_t *n_cut,
                   struct err *err)
{
    size_t max_len = encoder_max_len(r->encoder);
    if (max_len < 8)
        return err_set(err, EXIT_FATAL, "%s: reads %zu tokens: too few for a pair", r->model,
                       max_len);
    size_t n_query = wordpiece_split(encoder_words(r->encoder), query, max_len, &s->query);
    make_room(r, s, n);
    *n_cut = 0;
    for (size_t i = 0; i < n; i++) {
        *n_cut += make_pair(r, s, texts[i], n_query, &s->pairs[i], s->ids + i * max_len);
        s->pairs[i].out = s->states + i * r->h;
    }
    if (encoder_pairs(r->encoder, s->encoder, s->pairs, n, err) < 0)
        return err_prefix(err, "%s", r->model);
    for (size_t i = 0; i < n; i++) {
        scores[i] = head(r, s->pairs[i].out);
        if (!isfinite(scores[i]))
            return err_set(err, EXIT_FATAL, "%s: the model's numbers overflow: is it damaged?",
                           r->model);
    }
    return 0;
}
