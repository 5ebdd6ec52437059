// SPDX-License-Identifier: MIT
/*
 * bert.c — loading the weights and one forward pass
 *
 * Shapes, all row-major: x, y (n, H); qkv (n, 3H) as [query | key | value]; weights (out, in)
 * in the file, packed here; per head d = H / A. What products read and write may be of another
 * form than float32 (kernels.h); sums with residuals and layer norms are float32 always.
 */
#include "bert.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "json.h"

struct linear {
    size_t in, out;
    void *w;  /* (out, in), packed: kernels.h */
    float *b; /* (out) */
};

struct norm {
    float *gain, *bias; /* (H) */
};

struct layer {
    struct linear qkv, proj, up, down;
    struct norm after_attention, after_ffn;
};

struct bert {
    struct bert_config cfg;
    const struct kernels *k;
    const struct tensor *words; /* (vocabulary, H), in the mapped file */
    float *positions;           /* (P, H): position plus token type 0 */
    float *to_second;           /* (H): token type 1 minus type 0; NULL: there is no type 1 */
    struct norm embedding_norm;
    struct layer *layers; /* (L) */
    char *arena;          /* every number above, one block on huge pages */
    size_t used;          /* bytes of it handed out */
};

/* Rows of one form, ld bytes apart. */
struct rows {
    char *at;
    size_t ld;
};

struct bert_scratch {
    struct rows x, y;    /* (max_tokens, H) float32 */
    struct rows qkv;     /* (max_tokens, 3H) of form `heads` */
    struct rows context; /* (max_tokens, H) of form `middle` */
    struct rows ffn;     /* (max_tokens, I) of form `middle` */
    struct rows in;      /* (max_tokens, H) of form `input`: what products read */
    struct rows ffn_in;  /* (max_tokens, I) of form `input` */
    void *attend_work;
    float *states;        /* (max_tokens, H) without gaps: the result */
    const size_t *second; /* of the next pass: bert_pairs; NULL: type 0 throughout */
    char *arena;
};

/* ---- config.json ---- */

static int read_count(jv v, const char *field, size_t *out, struct err *err)
{
    double d;
    if (json_need_num(v, field, &d, err) < 0)
        return -1;
    if (!(d >= 1 && d <= 1 << 20) || d != floor(d))
        return err_set(err, EXIT_FATAL, "field \"%s\": expected a positive whole number",
                       field);
    *out = (size_t)d;
    return 0;
}

static int read_activation(enum activation *act, struct sv name, struct err *err)
{
    static const struct {
        const char *name;
        enum activation act;
    } known[] = { { "gelu", ACT_GELU },
                  { "gelu_new", ACT_GELU_NEW },
                  { "gelu_pytorch_tanh", ACT_GELU_NEW },
                  { "relu", ACT_RELU } };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (sv_is(name, known[i].name)) {
            *act = known[i].act;
            return 0;
        }
    return err_set(err, EXIT_FATAL, "hidden_act \"%.*s\" is not known (gelu, gelu_new, relu)",
                   SV_ARG(name));
}

static int read_config(struct bert_config *cfg, jv v, struct err *err)
{
    struct sv type = SV("bert"), positions = SV("absolute"), act = SV("gelu");
    double eps = 1e-12;
    if (json_opt_str(v, "model_type", &type, err) < 0 ||
        json_opt_str(v, "position_embedding_type", &positions, err) < 0 ||
        json_opt_str(v, "hidden_act", &act, err) < 0 ||
        json_opt_num(v, "layer_norm_eps", &eps, err) < 0 ||
        read_count(v, "hidden_size", &cfg->hidden, err) < 0 ||
        read_count(v, "num_hidden_layers", &cfg->layers, err) < 0 ||
        read_count(v, "num_attention_heads", &cfg->heads, err) < 0 ||
        read_count(v, "intermediate_size", &cfg->intermediate, err) < 0 ||
        read_count(v, "max_position_embeddings", &cfg->max_positions, err) < 0)
        return -1;
    if (!sv_is(type, "bert"))
        return err_set(err, EXIT_FATAL, "model_type \"%.*s\": only \"bert\" is supported",
                       SV_ARG(type));
    if (!sv_is(positions, "absolute"))
        return err_set(err, EXIT_FATAL, "position_embedding_type \"%.*s\": only \"absolute\"",
                       SV_ARG(positions));
    if (cfg->hidden % (cfg->heads * KERNEL_PAD) || cfg->intermediate % KERNEL_PAD ||
        cfg->hidden > 8192 || cfg->intermediate > 32768 || cfg->layers > 256 ||
        cfg->max_positions > 65536)
        return err_set(err, EXIT_FATAL,
                       "sizes of the model are not supported (heads and layers must be "
                       "multiples of %d wide)",
                       KERNEL_PAD);
    if (!(eps > 0 && eps < 1))
        return err_set(err, EXIT_FATAL, "field \"layer_norm_eps\": out of range");
    cfg->eps = (float)eps;
    return read_activation(&cfg->act, act, err);
}

int bert_config_parse(struct bert_config *cfg, struct sv json, struct err *err)
{
    jv v;
    if (json_parse(&v, json, err) < 0) {
        err->code = EXIT_FATAL;
        return -1;
    }
    int rc = json_is_object(v) ? read_config(cfg, v, err)
                               : err_set(err, EXIT_FATAL, "expected an object");
    json_free(v);
    if (rc < 0)
        err->code = EXIT_FATAL;
    return rc;
}

/* ---- weights ---- */

struct loader {
    struct bert *b;
    const struct safetensors *st;
    const char *prefix; /* "" or "bert.": both are published */
    float *rows;        /* room for KERNEL_PAD rows of any matrix */
    struct err *err;    /* holds the first failure */
    bool is_bad;
};

static void *take(struct bert *b, size_t bytes)
{
    void *p = b->arena + b->used;
    b->used += bytes; /* a multiple of 64 */
    return p;
}

/* n floats, n a multiple of KERNEL_PAD. */
static float *take_floats(struct bert *b, size_t n)
{
    return take(b, n * sizeof(float));
}

/* The tensor of this name and shape (cols 0: a vector), or NULL with the error noted. */
static const struct tensor *want(struct loader *l, const char *name, size_t rows, size_t cols)
{
    struct buf full = BUF_INIT;
    buf_printf(&full, "%s%s", l->prefix, name);
    const struct tensor *t = safetensors_find(l->st, buf_cstr(&full));
    const char *why = NULL;
    if (!t)
        why = "is missing";
    else if (t->type == TENSOR_OTHER)
        why = "is not F32, F16 or BF16";
    else if (t->rank != (cols ? 2U : 1U) || t->shape[0] != rows ||
             (cols && t->shape[1] != cols))
        why = "has another shape than config.json says";
    if (why && !l->is_bad) {
        err_set(l->err, EXIT_FATAL, "tensor \"%s\" %s", buf_cstr(&full), why);
        l->is_bad = true;
    }
    buf_release(&full);
    return why ? NULL : t;
}

static void load_vector(struct loader *l, float *to, const char *name, size_t n)
{
    const struct tensor *t = want(l, name, n, 0);
    if (t)
        tensor_read(t, 0, n, to);
}

/* A weight matrix as rows `from` on of a product, packed KERNEL_PAD rows at a time. */
static void load_matrix(struct loader *l, const struct linear *lin, size_t from,
                        const char *name, size_t rows)
{
    const struct tensor *t = want(l, name, rows, lin->in);
    for (size_t i = 0; t && i < rows; i += KERNEL_PAD) {
        const float *w = tensor_floats(t, i * lin->in);
        if (!w)
            tensor_read(t, i * lin->in, KERNEL_PAD * lin->in, l->rows);
        kernel_pack(l->b->k, w ? w : l->rows, lin->out, lin->in, from + i, KERNEL_PAD, lin->w);
    }
}

static void load_norm(struct loader *l, struct norm *n, const char *name)
{
    size_t h = l->b->cfg.hidden;
    char full[128];
    n->gain = take_floats(l->b, h);
    n->bias = take_floats(l->b, h);
    snprintf(full, sizeof full, "%s.weight", name);
    load_vector(l, n->gain, full, h);
    snprintf(full, sizeof full, "%s.bias", name);
    load_vector(l, n->bias, full, h);
}

/* n_parts equal matrices below each other make one product: query, key, value. */
static void load_linear(struct loader *l, struct linear *lin, size_t layer,
                        const char *const parts[], size_t n_parts, size_t in, size_t out)
{
    size_t rows = out / n_parts;
    char name[128];
    lin->in = in;
    lin->out = out;
    lin->w = take(l->b, kernel_packed(l->b->k->input, out, in));
    lin->b = take_floats(l->b, out);
    for (size_t i = 0; i < n_parts; i++) {
        snprintf(name, sizeof name, "encoder.layer.%zu.%s.weight", layer, parts[i]);
        load_matrix(l, lin, i * rows, name, rows);
        snprintf(name, sizeof name, "encoder.layer.%zu.%s.bias", layer, parts[i]);
        load_vector(l, lin->b + i * rows, name, rows);
    }
}

static void load_layer(struct loader *l, size_t i)
{
    static const char *const qkv[] = { "attention.self.query", "attention.self.key",
                                       "attention.self.value" };
    static const char *const proj[] = { "attention.output.dense" };
    static const char *const up[] = { "intermediate.dense" }, *const down[] = {
        "output.dense"
    };
    struct layer *to = &l->b->layers[i];
    size_t h = l->b->cfg.hidden, ffn = l->b->cfg.intermediate;
    char name[128];
    load_linear(l, &to->qkv, i, qkv, 3, h, 3 * h);
    load_linear(l, &to->proj, i, proj, 1, h, h);
    load_linear(l, &to->up, i, up, 1, h, ffn);
    load_linear(l, &to->down, i, down, 1, ffn, h);
    snprintf(name, sizeof name, "encoder.layer.%zu.attention.output.LayerNorm", i);
    load_norm(l, &to->after_attention, name);
    snprintf(name, sizeof name, "encoder.layer.%zu.output.LayerNorm", i);
    load_norm(l, &to->after_ffn, name);
}

static void load_embeddings(struct loader *l)
{
    struct bert *b = l->b;
    size_t h = b->cfg.hidden, p = b->cfg.max_positions;
    float *type = take_floats(b, h);
    b->positions = take_floats(b, p * h);
    load_norm(l, &b->embedding_norm, "embeddings.LayerNorm");
    const struct tensor *positions = want(l, "embeddings.position_embeddings.weight", p, h);
    if (positions)
        tensor_read(positions, 0, p * h, b->positions);
    struct buf name = BUF_INIT;
    buf_printf(&name, "%sembeddings.word_embeddings.weight", l->prefix);
    const struct tensor *words = safetensors_find(l->st, buf_cstr(&name));
    buf_reset(&name);
    buf_printf(&name, "%sembeddings.token_type_embeddings.weight", l->prefix);
    const struct tensor *types = safetensors_find(l->st, buf_cstr(&name));
    buf_release(&name);
    b->words = want(l, "embeddings.word_embeddings.weight", words ? words->shape[0] : 0, h);
    if (!want(l, "embeddings.token_type_embeddings.weight", types ? types->shape[0] : 0, h) ||
        l->is_bad)
        return;
    if (!types->shape[0] || !words->shape[0]) {
        l->is_bad = true;
        err_set(l->err, EXIT_FATAL, "an embedding table is empty");
        return;
    }
    tensor_read(types, 0, h, type);
    if (types->shape[0] > 1) {
        b->to_second = alloc_array(h, sizeof *b->to_second);
        tensor_read(types, h, h, b->to_second);
        for (size_t j = 0; j < h; j++)
            b->to_second[j] -= type[j];
    }
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < h; j++)
            b->positions[i * h + j] += type[j];
}

/* Bytes the arena must hold: the matrices, biases and norms of each layer, and the rest. */
static size_t arena_size(const struct bert_config *c, enum form form)
{
    size_t h = c->hidden, ffn = c->intermediate;
    size_t matrices = kernel_packed(form, 3 * h, h) + kernel_packed(form, h, h) +
                      kernel_packed(form, ffn, h) + kernel_packed(form, h, ffn);
    size_t floats = c->layers * (ffn + 9 * h) + (c->max_positions + 3) * h;
    return c->layers * matrices + floats * sizeof(float);
}

struct bert *bert_new(const struct bert_config *cfg, const struct kernels *k,
                      const struct safetensors *st, struct err *err)
{
    struct bert *b = alloc_zero(1, sizeof *b);
    struct loader l = { .b = b, .st = st, .prefix = "", .err = err };
    b->cfg = *cfg;
    b->k = k;
    b->layers = alloc_zero(cfg->layers, sizeof *b->layers);
    b->arena = alloc_huge(arena_size(cfg, k->input));
    if (!safetensors_find(st, "embeddings.word_embeddings.weight"))
        l.prefix = "bert.";
    size_t widest = cfg->hidden > cfg->intermediate ? cfg->hidden : cfg->intermediate;
    l.rows = alloc_array(KERNEL_PAD * widest, sizeof *l.rows);
    load_embeddings(&l);
    for (size_t i = 0; i < cfg->layers && !l.is_bad; i++)
        load_layer(&l, i);
    free(l.rows);
    if (!l.is_bad)
        return b;
    bert_free(b);
    return NULL;
}

void bert_free(struct bert *b)
{
    if (!b)
        return;
    free(b->layers);
    free(b->arena);
    free(b->to_second);
    free(b);
}

size_t bert_vocab_size(const struct bert *b)
{
    return b->words->shape[0];
}

/* Room for the rows of up to n tokens; without arena only counted. */
static struct rows place(struct bert_scratch *s, size_t *used, size_t n, enum form form,
                         size_t width)
{
    struct rows r = { s->arena ? s->arena + *used : NULL, kernel_stride(form, width) };
    *used += (n + KERNEL_SPARE) * r.ld;
    return r;
}

static size_t lay_out(const struct bert *b, struct bert_scratch *s, size_t n)
{
    const struct kernels *k = b->k;
    size_t used = 0, h = b->cfg.hidden, ffn = b->cfg.intermediate;
    size_t longest = n < b->cfg.max_positions ? n : b->cfg.max_positions;
    s->x = place(s, &used, n, FORM_F32, h);
    s->y = place(s, &used, n, FORM_F32, h);
    s->qkv = place(s, &used, n, k->heads, 3 * h);
    s->context = place(s, &used, n, k->middle, h);
    s->ffn = place(s, &used, n, k->middle, ffn);
    if (k->encode)
        s->in = place(s, &used, n, k->input, h);
    if (k->encode && k->input != k->middle)
        s->ffn_in = place(s, &used, n, k->input, ffn);
    s->attend_work = s->arena + used;
    used += (kernel_attend_work(longest, h / b->cfg.heads) + 63) / 64 * 64;
    s->states = (float *)(void *)(s->arena + used);
    return used + n * h * sizeof(float);
}

struct bert_scratch *bert_scratch_new(const struct bert *b, size_t max_tokens)
{
    struct bert_scratch *s = alloc_zero(1, sizeof *s);
    s->arena = alloc_huge(lay_out(b, s, max_tokens));
    lay_out(b, s, max_tokens);
    return s;
}

void bert_scratch_free(struct bert_scratch *s)
{
    if (!s)
        return;
    free(s->arena);
    free(s);
}

/* ---- forward pass ---- */

/* out = act(in W^T + b) for n rows; `in` of form `input`. */
static void apply(const struct bert *b, const struct linear *lin, struct rows in,
                  enum activation act, struct rows out, enum form form, size_t n)
{
    b->k->multiply(&(struct product){ .m = n,
                                      .n = lin->out,
                                      .k = lin->in,
                                      .a = in.at,
                                      .lda = in.ld,
                                      .w = lin->w,
                                      .bias = lin->b,
                                      .act = act,
                                      .c = out.at,
                                      .ldc = out.ld,
                                      .out = form });
}

/* n rows of form `middle` as products read them: themselves, or encoded into `to`. */
static struct rows operand(const struct bert *b, struct rows middle, size_t n, size_t width,
                           struct rows to)
{
    if (b->k->input == b->k->middle)
        return middle;
    for (size_t i = 0; i < n; i++)
        b->k->encode((const float *)(void *)(middle.at + i * middle.ld), width,
                     to.at + i * to.ld);
    return to;
}

/* x (n, H) = norm(x + residual), residual may be NULL (at); the result also as products read
 * it. */
static struct rows add_norm(const struct bert *b, const struct norm *norm, struct rows x,
                            struct rows residual, size_t n, struct rows to)
{
    for (size_t i = 0; i < n; i++) {
        float *row = (float *)(void *)(x.at + i * x.ld);
        char *r = residual.at ? residual.at + i * residual.ld : NULL;
        b->k->add_norm(row, (float *)(void *)r, norm->gain, norm->bias, b->cfg.eps,
                       b->cfg.hidden);
        if (b->k->encode)
            b->k->encode(row, b->cfg.hidden, to.at + i * to.ld);
    }
    return b->k->encode ? to : x;
}

/* Rows from … from+n-1 of x: word, position in the text, and type, 1 from `second` on. */
static void embed(const struct bert *b, struct bert_scratch *s, const int32_t *ids, size_t from,
                  size_t n, size_t second)
{
    size_t h = b->cfg.hidden;
    for (size_t i = 0; i < n; i++) {
        float *row = (float *)(void *)(s->x.at + (from + i) * s->x.ld);
        tensor_read(b->words, (size_t)ids[from + i] * h, h, row);
        for (size_t j = 0; j < h; j++)
            row[j] += b->positions[i * h + j];
        for (size_t j = 0; i >= second && j < h; j++)
            row[j] += b->to_second[j];
    }
}

static void attend(const struct bert *b, struct bert_scratch *s, size_t from, size_t n)
{
    b->k->attend(&(struct attention){ .n = n,
                                      .heads = b->cfg.heads,
                                      .d = b->cfg.hidden / b->cfg.heads,
                                      .qkv = s->qkv.at + from * s->qkv.ld,
                                      .ld = s->qkv.ld,
                                      .out = s->context.at + from * s->context.ld,
                                      .ld_out = s->context.ld,
                                      .work = s->attend_work });
}

/* x and, as products read it, `in` to the same of the next layer. */
static struct rows run_layer(const struct bert *b, struct bert_scratch *s,
                             const struct layer *l, struct rows in, const size_t *ends,
                             size_t n_texts)
{
    const struct kernels *k = b->k;
    size_t n = ends[n_texts - 1];
    apply(b, &l->qkv, in, ACT_NONE, s->qkv, k->heads, n);
    for (size_t t = 0, from = 0; t < n_texts; from = ends[t++])
        attend(b, s, from, ends[t] - from);
    in = operand(b, s->context, n, b->cfg.hidden, s->in);
    apply(b, &l->proj, in, ACT_NONE, s->y, FORM_F32, n);
    in = add_norm(b, &l->after_attention, s->y, s->x, n, s->in);
    apply(b, &l->up, in, b->cfg.act, s->ffn, k->middle, n);
    in = operand(b, s->ffn, n, b->cfg.intermediate, s->ffn_in);
    apply(b, &l->down, in, ACT_NONE, s->x, FORM_F32, n);
    return add_norm(b, &l->after_ffn, s->x, s->y, n, s->in);
}

int bert_pairs(const struct bert *b, struct bert_scratch *s, const size_t *second,
               struct err *err)
{
    if (!b->to_second)
        return err_set(err, EXIT_FATAL, "the model has one token type: it reads no pairs");
    s->second = second;
    return 0;
}

const float *bert_forward(const struct bert *b, struct bert_scratch *s, const int32_t *ids,
                          const size_t *ends, size_t n_texts)
{
    size_t h = b->cfg.hidden, n = ends[n_texts - 1];
    for (size_t t = 0, from = 0; t < n_texts; from = ends[t++])
        embed(b, s, ids, from, ends[t] - from, s->second ? s->second[t] : SIZE_MAX);
    s->second = NULL;
    struct rows in = add_norm(b, &b->embedding_norm, s->x, (struct rows){ 0 }, n, s->in);
    for (size_t i = 0; i < b->cfg.layers; i++)
        in = run_layer(b, s, &b->layers[i], in, ends, n_texts);
    for (size_t i = 0; i < n; i++)
        memcpy(s->states + i * h, s->x.at + i * s->x.ld, h * sizeof *s->states);
    return s->states;
}
