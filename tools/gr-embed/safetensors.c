// SPDX-License-Identifier: MIT
/*
 * safetensors.c — header checks and conversion to float
 */
#include "safetensors.h"

#include <unistd.h>

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "json.h"

#define HEADER_MAX ((size_t)32 << 20)
#define SHARDS_MAX 64
#define TENSORS_MAX 4096             /* a 24-layer BERT has 391 */
#define EXACT_MAX 9007199254740992.0 /* 2^53: larger integers are not exact in JSON */

struct safetensors {
    struct mapped file; /* p NULL: the bytes are borrowed */
    struct sv header, data;
    struct tensor *tensors; /* (n) in order of name */
    size_t n;
    /* Shards instead: */
    struct safetensors **parts; /* (n_parts) in order of their files' names */
    size_t n_parts;
    struct buf headers;
};

static const struct {
    const char *name;
    enum tensor_type type;
    size_t size;
} dtypes[] = {
    { "F32", TENSOR_F32, 4 },       { "F16", TENSOR_F16, 2 },    { "BF16", TENSOR_BF16, 2 },
    { "F64", TENSOR_OTHER, 8 },     { "I64", TENSOR_OTHER, 8 },  { "U64", TENSOR_OTHER, 8 },
    { "I32", TENSOR_OTHER, 4 },     { "U32", TENSOR_OTHER, 4 },  { "I16", TENSOR_OTHER, 2 },
    { "U16", TENSOR_OTHER, 2 },     { "I8", TENSOR_OTHER, 1 },   { "U8", TENSOR_OTHER, 1 },
    { "F8_E4M3", TENSOR_OTHER, 1 }, { "BOOL", TENSOR_OTHER, 1 }, { "F8_E5M2", TENSOR_OTHER, 1 },
};

/* A JSON number that is an exact count: 0, or -1. */
static int to_size(jv v, size_t *out)
{
    double d = json_is_num(v) ? json_num(v) : -1;
    if (!(d >= 0 && d <= EXACT_MAX) || d != (double)(uint64_t)d)
        return -1;
    *out = (size_t)d;
    return 0;
}

static int read_shape(struct tensor *t, jv v, struct err *err)
{
    jv shape;
    if (json_need_array(v, "shape", &shape, err) < 0)
        return -1;
    t->rank = json_len(shape);
    if (t->rank > TENSOR_MAX_RANK)
        return err_set(err, EXIT_FATAL, "%zu dimensions: at most %d", t->rank, TENSOR_MAX_RANK);
    t->n = 1;
    for (size_t i = 0; i < t->rank; i++)
        if (to_size(json_at(shape, i), &t->shape[i]) < 0 ||
            __builtin_mul_overflow(t->n, t->shape[i], &t->n))
            return err_set(err, EXIT_FATAL, "bad shape");
    return 0;
}

/* dtype, and the bytes that the shape then needs. */
static int read_dtype(struct tensor *t, jv v, struct err *err)
{
    struct sv name;
    if (json_need_str(v, "dtype", &name, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(dtypes); i++)
        if (sv_is(name, dtypes[i].name)) {
            t->type = dtypes[i].type;
            if (__builtin_mul_overflow(t->n, dtypes[i].size, &t->bytes))
                return err_set(err, EXIT_FATAL, "bad shape");
            return 0;
        }
    return err_set(err, EXIT_FATAL, "unknown dtype \"%.*s\"", SV_ARG(name));
}

static int read_tensor(struct tensor *t, struct sv data, jv v, struct err *err)
{
    jv offsets;
    size_t begin, end;
    if (!json_is_object(v))
        return err_set(err, EXIT_FATAL, "expected an object");
    if (read_shape(t, v, err) < 0 || read_dtype(t, v, err) < 0 ||
        json_need_array(v, "data_offsets", &offsets, err) < 0)
        return -1;
    if (json_len(offsets) != 2 || to_size(json_at(offsets, 0), &begin) < 0 ||
        to_size(json_at(offsets, 1), &end) < 0 || begin > end || end > data.n)
        return err_set(err, EXIT_FATAL, "data_offsets outside the file");
    if (end - begin != t->bytes)
        return err_set(err, EXIT_FATAL, "%zu bytes of data, but the shape needs %zu",
                       end - begin, t->bytes);
    t->data = (const unsigned char *)data.p + begin;
    return 0;
}

static int by_data(const void *a, const void *b)
{
    const struct tensor *const *x = a, *const *y = b;
    return (*x)->data < (*y)->data ? -1 : (*x)->data > (*y)->data;
}

static int check_overlap(const struct safetensors *st, struct err *err)
{
    const struct tensor **order = alloc_array(st->n, sizeof *order);
    const struct tensor *last = NULL;
    int rc = 0;
    for (size_t i = 0; i < st->n; i++)
        order[i] = &st->tensors[i];
    qsort(order, st->n, sizeof *order, by_data);
    for (size_t i = 0; i < st->n && rc == 0; i++) {
        if (!order[i]->bytes)
            continue;
        if (last && last->data + last->bytes > order[i]->data)
            rc = err_set(err, EXIT_FATAL, "tensors \"%s\" and \"%s\" overlap", last->name,
                         order[i]->name);
        last = order[i];
    }
    free(order);
    return rc;
}

static int read_tensors(struct safetensors *st, jv header, struct err *err)
{
    struct sv name;
    jv value;
    for (size_t i = 0; json_each(header, &i, &name, &value);) {
        if (sv_is(name, "__metadata__"))
            continue;
        if (st->n == TENSORS_MAX)
            return err_set(err, EXIT_FATAL, "more than %d tensors", TENSORS_MAX);
        if (!st->tensors)
            st->tensors = alloc_zero(TENSORS_MAX, sizeof *st->tensors);
        struct tensor *t = &st->tensors[st->n++];
        t->name = alloc_text(name.p, name.n);
        if (read_tensor(t, st->data, value, err) < 0) {
            err->code = EXIT_FATAL;
            return err_prefix(err, "tensor \"%s\"", t->name);
        }
    }
    return check_overlap(st, err);
}

/* Split the file into header and data and check both. */
static int load(struct safetensors *st, struct sv bytes, struct err *err)
{
    uint64_t n = 0;
    if (bytes.n < 8)
        return err_set(err, EXIT_FATAL, "no safetensors file: shorter than 8 bytes");
    for (int i = 7; i >= 0; i--)
        n = n << 8 | (unsigned char)bytes.p[i];
    if (n > bytes.n - 8 || n > HEADER_MAX)
        return err_set(err, EXIT_FATAL, "no safetensors file: header of %llu bytes",
                       (unsigned long long)n);
    st->header = (struct sv){ bytes.p + 8, (size_t)n };
    st->data = (struct sv){ bytes.p + 8 + n, bytes.n - 8 - (size_t)n };
    jv header;
    if (json_parse(&header, sv_trim(st->header), err) < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "header");
    }
    int rc = json_is_object(header) ? read_tensors(st, header, err)
                                    : err_set(err, EXIT_FATAL, "header: expected an object");
    json_free(header);
    return rc;
}

struct safetensors *safetensors_parse(struct sv bytes, struct err *err)
{
    struct safetensors *st = alloc_zero(1, sizeof *st);
    if (load(st, bytes, err) == 0)
        return st;
    safetensors_free(st);
    return NULL;
}

struct safetensors *safetensors_open(const char *path, struct err *err)
{
    struct mapped file;
    if (file_map(&file, path, err) < 0)
        return NULL;
    struct safetensors *st = safetensors_parse((struct sv){ file.p, file.n }, err);
    if (!st) {
        file_unmap(&file);
        err_prefix(err, "%s", path);
        return NULL;
    }
    st->file = file;
    return st;
}

/* ---- shards ---- */

/* The files that weight_map names, each once, in byte order. */
static int list_shards(jv map, struct sv files[SHARDS_MAX], size_t *n, struct err *err)
{
    struct sv name;
    jv file;
    *n = 0;
    for (size_t i = 0; json_each(map, &i, &name, &file);) {
        struct sv f = json_sv(file);
        size_t k = 0;
        while (k < *n && !sv_eq(files[k], f))
            k++;
        if (k < *n)
            continue;
        if (!sv_ends(f, SV(".safetensors")) || sv_find(f, SV("/"), 0) != SIZE_MAX)
            return err_set(err, EXIT_FATAL,
                           "weight_map: \"%.*s\" is no name of a safetensors file", SV_ARG(f));
        if (*n == SHARDS_MAX)
            return err_set(err, EXIT_FATAL, "more than %d shards", SHARDS_MAX);
        files[(*n)++] = f;
    }
    qsort(files, *n, sizeof *files, sv_qcmp);
    return *n ? 0 : err_set(err, EXIT_FATAL, "weight_map is empty");
}

static int open_shards(struct safetensors *st, const char *dir, jv index, struct err *err)
{
    struct sv files[SHARDS_MAX];
    size_t n;
    jv map;
    if (!json_is_object(index))
        return err_set(err, EXIT_FATAL, "expected an object");
    if (json_need_object(index, "weight_map", &map, err) < 0 ||
        list_shards(map, files, &n, err) < 0)
        return -1;
    st->parts = alloc_zero(n, sizeof *st->parts);
    for (size_t i = 0; i < n; i++) {
        struct buf path = BUF_INIT;
        buf_printf(&path, "%s/%.*s", dir, SV_ARG(files[i]));
        struct safetensors *part = safetensors_open(buf_cstr(&path), err);
        buf_release(&path);
        if (!part)
            return -1;
        st->parts[st->n_parts++] = part;
        st->n += part->n;
        buf_sv(&st->headers, part->header);
    }
    st->header = buf_view(&st->headers);
    return 0;
}

static struct safetensors *open_index(const char *dir, const char *path, struct err *err)
{
    struct safetensors *st = alloc_zero(1, sizeof *st);
    struct buf text = BUF_INIT;
    jv index;
    int rc = file_read(&text, path, HEADER_MAX, err);
    if (rc == 0 && (rc = json_parse(&index, sv_trim(buf_view(&text)), err)) == 0) {
        rc = open_shards(st, dir, index, err);
        json_free(index);
    }
    buf_release(&text);
    if (rc == 0)
        return st;
    err->code = EXIT_FATAL;
    if (!st->parts)
        err_prefix(err, "%s", path);
    safetensors_free(st);
    return NULL;
}

struct safetensors *safetensors_open_folder(const char *dir, struct err *err)
{
    struct buf whole = BUF_INIT, index = BUF_INIT;
    buf_printf(&whole, "%s/model.safetensors", dir);
    buf_printf(&index, "%s/model.safetensors.index.json", dir);
    bool is_sharded = access(buf_cstr(&whole), F_OK) < 0 && access(buf_cstr(&index), F_OK) == 0;
    struct safetensors *st = is_sharded ? open_index(dir, buf_cstr(&index), err)
                                        : safetensors_open(buf_cstr(&whole), err);
    buf_release(&whole);
    buf_release(&index);
    return st;
}

/* ---- use ---- */

void safetensors_free(struct safetensors *st)
{
    if (!st)
        return;
    for (size_t i = 0; i < st->n_parts; i++)
        safetensors_free(st->parts[i]);
    if (st->parts)
        st->n = 0;
    free(st->parts);
    buf_release(&st->headers);
    for (size_t i = 0; i < st->n; i++)
        free(st->tensors[i].name);
    free(st->tensors);
    if (st->file.p)
        file_unmap(&st->file);
    free(st);
}

size_t safetensors_count(const struct safetensors *st)
{
    return st->n;
}

const struct tensor *safetensors_at(const struct safetensors *st, size_t i)
{
    for (size_t k = 0; k < st->n_parts; i -= st->parts[k++]->n)
        if (i < st->parts[k]->n)
            return &st->parts[k]->tensors[i];
    return &st->tensors[i];
}

const struct tensor *safetensors_find(const struct safetensors *st, const char *name)
{
    for (size_t i = 0; i < st->n; i++) {
        const struct tensor *t = safetensors_at(st, i);
        if (strcmp(t->name, name) == 0)
            return t;
    }
    return NULL;
}

struct sv safetensors_header(const struct safetensors *st)
{
    return st->header;
}

static float from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* IEEE 754 binary16. */
static float from_half(uint32_t h)
{
    uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31)
        return from_bits(sign | 0x7F800000 | fraction << 13);
    if (exponent)
        return from_bits(sign | (exponent + 112) << 23 | fraction << 13);
    float f = (float)fraction * 0x1p-24f; /* subnormal: exact in float */
    return sign ? -f : f;
}

void tensor_read(const struct tensor *t, size_t from, size_t n, float *out)
{
    if (!n)
        return;
    if (t->type == TENSOR_F32) {
        memcpy(out, t->data + 4 * from, 4 * n);
        return;
    }
    const unsigned char *p = t->data + 2 * from;
    for (size_t i = 0; i < n; i++, p += 2) {
        uint32_t bits = (uint32_t)p[0] | (uint32_t)p[1] << 8;
        out[i] = t->type == TENSOR_F16 ? from_half(bits) : from_bits(bits << 16);
    }
}

const float *tensor_floats(const struct tensor *t, size_t from)
{
    const void *p = t->data + 4 * from;
    bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return t->type == TENSOR_F32 && is_little && (uintptr_t)p % sizeof(float) == 0 ? p : NULL;
}
