// SPDX-License-Identifier: MIT
/*
 * encoder.c — reading a model folder; windows, pooling and normalisation around bert_forward
 */
#include "encoder.h"

#include <math.h>

#include "alloc.h"
#include "bert.h"
#include "buf.h"
#include "folder.h"
#include "hash.h"
#include "wordpiece.h"

/* Tokens of one forward pass unless a text is longer: the weights are read once for all of
 * them, and what is between the products stays in the second-level cache. */
#define PASS_TOKENS 256

struct encoder {
    struct folder folder;
    struct bert_config cfg;
    const struct kernels *kernels;
    struct safetensors *weights;
    struct bert *bert;
    const struct wordpiece *words;
    enum pooling pooling;
    bool is_normalised;
    size_t max_len; /* tokens of one forward pass, [CLS] and [SEP] included */
    int32_t cls, sep;
    char *model;
};

struct encoder_scratch {
    struct bert_scratch *bert;
    struct wordpiece_tokens tokens; /* of one text, or as many as are used */
    /* What the next forward pass computes: texts or windows beside each other. */
    size_t cap;   /* tokens of one pass */
    int32_t *ids; /* (cap) */
    size_t n_ids;
    size_t *ends; /* (cap) end of each in ids */
    float **outs; /* (cap) where its vector goes */
    size_t n_texts;
    double *sum; /* (H) */
    float *part; /* (H) vector of one window */
};

/* ---- identity ---- */

/* The last part of the folder's path, without slashes at its end. */
static struct sv folder_name(const char *dir)
{
    struct sv s = sv_from(dir);
    while (s.n > 1 && s.p[s.n - 1] == '/')
        s.n--;
    for (size_t i = s.n; i-- > 0;)
        if (s.p[i] == '/' && i + 1 < s.n)
            return sv_from_to(s, i + 1, s.n);
    return s;
}

static char *identify(const struct encoder *e, const char *dir, struct sv config)
{
    struct buf all = BUF_INIT, model = BUF_INIT;
    char hex[65];
    buf_sv(&all, config);
    buf_sv(&all, safetensors_header(e->weights));
    buf_printf(&all, "pooling=%d normalised=%d max_len=%zu\n", (int)e->pooling,
               e->is_normalised, e->max_len);
    for (size_t i = 0; i < safetensors_count(e->weights); i++) {
        const struct tensor *t = safetensors_at(e->weights, i);
        size_t n = t->bytes < 64 ? t->bytes : 64, from = (t->bytes - n) / 2;
        buf_add(&all, (const char *)t->data + from, n);
    }
    hash_sha256(buf_view(&all), hex);
    buf_printf(&model, "%.*s/%zu/%.8s%s", SV_ARG(folder_name(dir)), e->cfg.hidden, hex,
               e->kernels->precision == PRECISION_INT8 ? "-int8" : "");
    buf_release(&all);
    size_t len;
    return buf_take(&model, &len);
}

/* ---- loading ---- */

static int load_weights(struct encoder *e, const char *dir, struct err *err)
{
    e->weights = safetensors_open_folder(dir, err);
    if (e->weights) {
        e->bert = bert_new(&e->cfg, e->kernels, e->weights, err);
        if (!e->bert)
            err_prefix(err, "%s: weights", dir);
    }
    if (e->bert && wordpiece_size(e->words) > bert_vocab_size(e->bert)) {
        err_set(err, EXIT_FATAL, "%s: the vocabulary has %zu entries, the weights only %zu",
                dir, wordpiece_size(e->words), bert_vocab_size(e->bert));
        bert_free(e->bert);
        e->bert = NULL;
    }
    return e->bert ? 0 : -1;
}

struct encoder *encoder_open_with(const char *dir, const struct kernels *k, struct err *err)
{
    struct encoder *e = alloc_zero(1, sizeof *e);
    e->kernels = k;
    if (folder_read(&e->folder, dir, err) == 0) {
        struct folder *f = &e->folder;
        e->cfg = f->bert;
        e->words = f->tokenizer.words;
        e->pooling = f->pooling;
        e->is_normalised = f->is_normalised;
        e->max_len = f->max_len;
        e->cls = wordpiece_cls(e->words);
        e->sep = wordpiece_sep(e->words);
        if (load_weights(e, buf_cstr(&f->root), err) == 0)
            e->model = identify(e, dir, buf_view(&f->config));
    }
    if (e->model)
        return e;
    encoder_free(e);
    return NULL;
}

struct encoder *encoder_open(const char *dir, enum precision precision, struct err *err)
{
    const struct kernels *k = kernels_best(precision);
    if (k)
        return encoder_open_with(dir, k, err);
    err_set(err, EXIT_USAGE, "this processor has no bf16 arithmetic: take auto or f32");
    return NULL;
}

struct encoder *encoder_new(const char *dir, struct err *err)
{
    return encoder_open(dir, PRECISION_F32, err);
}

const struct kernels *encoder_kernels(const struct encoder *e)
{
    return e->kernels;
}

void encoder_free(struct encoder *e)
{
    if (!e)
        return;
    bert_free(e->bert);
    safetensors_free(e->weights);
    folder_release(&e->folder);
    free(e->model);
    free(e);
}

size_t encoder_dim(const struct encoder *e)
{
    return e->cfg.hidden;
}

const struct wordpiece *encoder_words(const struct encoder *e)
{
    return e->words;
}

const struct folder *encoder_folder(const struct encoder *e)
{
    return &e->folder;
}

size_t encoder_max_tokens(const struct encoder *e)
{
    return e->max_len - 2;
}

size_t encoder_max_len(const struct encoder *e)
{
    return e->max_len;
}

const struct safetensors *encoder_weights(const struct encoder *e)
{
    return e->weights;
}

const char *encoder_model(const struct encoder *e)
{
    return e->model;
}

struct encoder_scratch *encoder_scratch_new(const struct encoder *e)
{
    struct encoder_scratch *s = alloc_zero(1, sizeof *s);
    s->cap = e->max_len > PASS_TOKENS ? e->max_len : PASS_TOKENS;
    s->bert = bert_scratch_new(e->bert, s->cap);
    s->ids = alloc_array(s->cap, sizeof *s->ids);
    s->ends = alloc_array(s->cap, sizeof *s->ends);
    s->outs = alloc_array(s->cap, sizeof *s->outs);
    s->sum = alloc_array(e->cfg.hidden, sizeof *s->sum);
    s->part = alloc_array(e->cfg.hidden, sizeof *s->part);
    return s;
}

void encoder_scratch_free(struct encoder_scratch *s)
{
    if (!s)
        return;
    bert_scratch_free(s->bert);
    wordpiece_tokens_release(&s->tokens);
    free(s->ids);
    free(s->ends);
    free(s->outs);
    free(s->sum);
    free(s->part);
    free(s);
}

const int32_t *encoder_last_ids(const struct encoder_scratch *s, size_t *n)
{
    *n = s->n_ids;
    return s->ids;
}

/* ---- embedding ---- */

static void to_unit(float *v, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (double)v[i] * (double)v[i];
    double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (size_t i = 0; i < n; i++)
        v[i] = (float)((double)v[i] * scale);
}

/* states: (n, H). Sums are in double and in the order of the tokens. */
static void pool(const struct encoder *e, struct encoder_scratch *s, const float *states,
                 size_t n, float *out)
{
    size_t h = e->cfg.hidden;
    if (e->pooling == POOL_CLS) {
        memcpy(out, states, h * sizeof *out);
    } else {
        memset(s->sum, 0, h * sizeof *s->sum);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < h; j++)
                s->sum[j] += (double)states[i * h + j];
        for (size_t j = 0; j < h; j++)
            out[j] = (float)(s->sum[j] / (double)n);
    }
    if (e->is_normalised)
        to_unit(out, h);
}

/* Compute what waits. The ids stay for encoder_last_ids until the next is added. */
static void flush(const struct encoder *e, struct encoder_scratch *s)
{
    if (!s->n_texts)
        return;
    const float *states = bert_forward(e->bert, s->bert, s->ids, s->ends, s->n_texts);
    for (size_t t = 0, from = 0; t < s->n_texts; from = s->ends[t++])
        pool(e, s, states + from * e->cfg.hidden, s->ends[t] - from, s->outs[t]);
    s->n_texts = 0;
}

/* Let n tokens, between [CLS] and [SEP], wait for a forward pass. */
static void add(const struct encoder *e, struct encoder_scratch *s, const int32_t *tokens,
                size_t n, float *out)
{
    if (s->n_ids + n + 2 > PASS_TOKENS)
        flush(e, s);
    if (!s->n_texts)
        s->n_ids = 0;
    int32_t *ids = s->ids + s->n_ids;
    ids[0] = e->cls;
    if (n)
        memcpy(ids + 1, tokens, n * sizeof *ids);
    ids[n + 1] = e->sep;
    s->n_ids += n + 2;
    s->ends[s->n_texts] = s->n_ids;
    s->outs[s->n_texts++] = out;
}

/* Equal windows (their sizes differ by at most one token), so that none is a short remainder.
 */
static size_t embed_windows(const struct encoder *e, struct encoder_scratch *s, float *out)
{
    size_t h = e->cfg.hidden, total = s->tokens.n, max = encoder_max_tokens(e);
    size_t n = (total + max - 1) / max;
    flush(e, s);
    memset(out, 0, h * sizeof *out);
    for (size_t w = 0; w < n; w++) {
        size_t from = total / n * w + (total % n < w ? total % n : w);
        size_t to = from + total / n + (w < total % n);
        add(e, s, s->tokens.ids + from, to - from, s->part);
        flush(e, s);
        float weight = (float)((double)(to - from) / (double)total);
        for (size_t j = 0; j < h; j++)
            out[j] += weight * s->part[j];
    }
    if (e->is_normalised)
        to_unit(out, h);
    return n;
}

/* Bytes that most often hold more tokens than any model reads at once. */
#define BEGINNING ((size_t)16 << 10)

/* The first `max` tokens of a text, of which no more is read than is needed: up to a blank,
 * which ends a word whatever follows. Returns how many tokens that part has: more than max when
 * the text has. */
static size_t split_beginning(const struct encoder *e, struct sv text, size_t max,
                              struct wordpiece_tokens *out)
{
    for (size_t n = BEGINNING; n < text.n && n <= SIZE_MAX / 4; n *= 4) {
        size_t end = n;
        while (end > 0 && text.p[end] != ' ' && text.p[end] != '\n')
            end--;
        size_t total = wordpiece_split(e->words, sv_from_to(text, 0, end), max, out);
        if (total > max)
            return total;
    }
    return wordpiece_split(e->words, text, max, out);
}

void encoder_embed(const struct encoder *e, struct encoder_scratch *s, struct embed_item *items,
                   size_t n, enum long_mode mode)
{
    size_t max = encoder_max_tokens(e), limit = mode == LONG_MEAN ? SIZE_MAX : max;
    for (size_t i = 0; i < n; i++) {
        struct embed_item *it = &items[i];
        size_t total = mode == LONG_TRUNCATE
                           ? split_beginning(e, it->text, max, &s->tokens)
                           : wordpiece_split(e->words, it->text, limit, &s->tokens);
        it->info = (struct embed_info){ total, 1, total > max };
        it->is_refused = it->info.is_long && mode == LONG_ERROR;
        if (it->is_refused)
            continue;
        if (it->info.is_long && mode == LONG_MEAN)
            it->info.n_windows = embed_windows(e, s, it->out);
        else
            add(e, s, s->tokens.ids, total < max ? total : max, it->out);
    }
    flush(e, s);
}

void encoder_embed_pieces(const struct encoder *e, struct encoder_scratch *s, size_t first,
                          size_t n, float *out)
{
    int32_t id;
    for (size_t i = 0; i < n; i++) {
        id = (int32_t)(first + i);
        add(e, s, &id, 1, out + i * e->cfg.hidden);
    }
    flush(e, s);
}

/* ---- pairs ---- */

/* As many as fit into one pass; how many that were. */
static size_t pass_pairs(const struct encoder *e, struct encoder_scratch *s,
                         const struct encoder_pair *pairs, size_t n, struct err *err)
{
    size_t h = e->cfg.hidden, k = 0;
    size_t *second = alloc_array(n, sizeof *second);
    for (s->n_ids = 0; k < n && (!k || s->n_ids + pairs[k].n <= PASS_TOKENS); k++) {
        memcpy(s->ids + s->n_ids, pairs[k].ids, pairs[k].n * sizeof *s->ids);
        s->n_ids += pairs[k].n;
        s->ends[k] = s->n_ids;
        second[k] = pairs[k].second;
    }
    if (bert_pairs(e->bert, s->bert, second, err) == 0) {
        const float *states = bert_forward(e->bert, s->bert, s->ids, s->ends, k);
        for (size_t t = 0; t < k; t++)
            memcpy(pairs[t].out, states + (t ? s->ends[t - 1] : 0) * h, h * sizeof *states);
    } else {
        k = 0;
    }
    free(second);
    return k;
}

int encoder_pairs(const struct encoder *e, struct encoder_scratch *s,
                  const struct encoder_pair *pairs, size_t n, struct err *err)
{
    for (size_t i = 0, k; i < n; i += k)
        if (!(k = pass_pairs(e, s, pairs + i, n - i, err)))
            return -1;
    return 0;
}
