// SPDX-License-Identifier: MIT
/*
 * table.c — the file of a static model, and its use
 */
#include "table.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "hash.h"
#include "json.h"
#include "secfile.h"

#define VERSION 1
#define DIM_MAX 4096

struct table {
    struct secfile file;
    struct wordpiece *words;
    int32_t unk;
    size_t n, dim;
    const float *vectors; /* (n, dim), in the file */
    char *model;
};

/* ---- writing ---- */

static void put_meta(struct buf *b, const struct table_parts *p, struct sv revision)
{
    json_open(b, '{');
    json_key(b, "dim");
    json_put_int(b, (int64_t)p->dim);
    json_key(b, "lower");
    json_put_bool(b, p->words.lower);
    json_key(b, "strip_accents");
    json_put_bool(b, p->words.strip_accents);
    json_key(b, "split_cjk");
    json_put_bool(b, p->words.split_cjk);
    json_key(b, "teacher");
    json_put_str(b, sv_from(p->teacher));
    json_key(b, "corpus");
    json_put_str(b, sv_from(p->corpus));
    json_key(b, "lambda");
    json_put_num(b, p->lambda);
    json_key(b, "cosine");
    json_put_num(b, p->cosine);
    json_key(b, "revision");
    json_put_str(b, revision);
    json_close(b, '}');
}

void table_write(struct out *out, const struct table_parts *p)
{
    struct buf meta = BUF_INIT, all = BUF_INIT;
    char hex[65];
    size_t bytes = p->n * p->dim * sizeof *p->vectors;
    put_meta(&all, p, SV(""));
    buf_sv(&all, p->vocab);
    buf_add(&all, (const char *)p->vectors, bytes);
    hash_sha256(buf_view(&all), hex);
    put_meta(&meta, p, (struct sv){ hex, 8 });
    const struct section sections[] = {
        { "meta", meta.data, meta.len },
        { "vocab", p->vocab.p, p->vocab.n },
        { "vectors", p->vectors, bytes },
    };
    secfile_write(out, TABLE_MAGIC, VERSION, sections, ARRAY_LEN(sections));
    buf_release(&meta);
    buf_release(&all);
}

/* ---- reading ---- */

static struct sv base_name(const char *path)
{
    struct sv s = sv_from(path);
    for (size_t i = s.n; i-- > 0;)
        if (s.p[i] == '/') {
            s = sv_from_to(s, i + 1, s.n);
            break;
        }
    if (sv_ends(s, SV(".table")))
        s.n -= strlen(".table");
    return s;
}

static int take_meta(struct table *t, jv meta, struct wordpiece_cfg *words, struct err *err)
{
    double dim;
    struct sv revision;
    if (!json_is_object(meta) || json_need_num(meta, "dim", &dim, err) < 0 ||
        json_need_str(meta, "revision", &revision, err) < 0)
        return err_set(err, EXIT_FATAL, "meta: expected an object with dim and revision");
    if (!(dim >= TABLE_LANES && dim <= DIM_MAX) || fmod(dim, TABLE_LANES) != 0)
        return err_set(err, EXIT_FATAL, "meta: dim must be a multiple of %d, at most %d",
                       TABLE_LANES, DIM_MAX);
    t->dim = (size_t)dim;
    words->lower = json_is_true(json_get(meta, "lower"));
    words->strip_accents = json_is_true(json_get(meta, "strip_accents"));
    words->split_cjk = json_is_true(json_get(meta, "split_cjk"));
    struct buf model = BUF_INIT;
    size_t len;
    buf_printf(&model, "%.*s/%zu/%.*s", SV_ARG(base_name(t->file.path)), t->dim,
               SV_ARG(revision));
    t->model = buf_take(&model, &len);
    return 0;
}

static int read_meta(struct table *t, struct wordpiece_cfg *words, struct err *err)
{
    const void *data;
    size_t n;
    jv meta;
    if (secfile_get(&t->file, "meta", 1, &data, &n, err) < 0)
        return -1;
    if (json_parse(&meta, (struct sv){ data, n }, err) < 0)
        return err_prefix(err, "meta");
    int rc = take_meta(t, meta, words, err);
    json_free(meta);
    return rc;
}

static int read_table(struct table *t, struct err *err)
{
    struct wordpiece_cfg words = { 0 };
    const void *vocab, *vectors;
    size_t n, n_numbers;
    if (read_meta(t, &words, err) < 0 ||
        secfile_get(&t->file, "vocab", 1, &vocab, &n, err) < 0 ||
        secfile_get(&t->file, "vectors", sizeof(float), &vectors, &n_numbers, err) < 0)
        return -1;
    t->words = wordpiece_parse((struct sv){ vocab, n }, "vocab", &words, err);
    if (!t->words)
        return -1;
    t->n = wordpiece_size(t->words);
    t->vectors = vectors;
    t->unk = wordpiece_id(t->words, SV("[UNK]"));
    if (n_numbers / t->dim < t->n)
        return err_set(err, EXIT_FATAL, "%zu vectors for %zu pieces", n_numbers / t->dim, t->n);
    return 0;
}

struct table *table_open(const char *path, struct err *err)
{
    struct table *t = alloc_zero(1, sizeof *t);
    if (secfile_open(&t->file, path, TABLE_MAGIC, VERSION, err) < 0) {
        free(t);
        return NULL;
    }
    if (read_table(t, err) == 0)
        return t;
    err_prefix(err, "%s", path);
    err->code = EXIT_FATAL;
    table_free(t);
    return NULL;
}

void table_free(struct table *t)
{
    if (!t)
        return;
    secfile_close(&t->file);
    wordpiece_free(t->words);
    free(t->model);
    free(t);
}

size_t table_dim(const struct table *t)
{
    return t->dim;
}

const char *table_model(const struct table *t)
{
    return t->model;
}

/* ---- use ---- */

/* sum += row; n a multiple of TABLE_LANES. */
static void add_row(float *restrict sum, const float *restrict row, size_t n)
{
    for (size_t i = 0; i < n; i += TABLE_LANES)
        for (size_t j = 0; j < TABLE_LANES; j++)
            sum[i + j] += row[i + j];
}

bool table_embed(const struct table *t, struct wordpiece_tokens *tokens, struct sv text,
                 float *out)
{
    double square = 0;
    memset(out, 0, t->dim * sizeof *out);
    wordpiece_split(t->words, text, SIZE_MAX, tokens);
    for (size_t i = 0; i < tokens->n; i++)
        add_row(out, t->vectors + (size_t)tokens->ids[i] * t->dim, t->dim);
    if (!tokens->n)
        add_row(out, t->vectors + (size_t)t->unk * t->dim, t->dim);
    for (size_t i = 0; i < t->dim; i++)
        square += (double)out[i] * (double)out[i];
    if (!(square > 0) || !isfinite(square))
        return false;
    double scale = 1 / sqrt(square);
    for (size_t i = 0; i < t->dim; i++)
        out[i] = (float)((double)out[i] * scale);
    return true;
}
