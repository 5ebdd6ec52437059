// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-vindex_ivf.c — an index whose sections of approximate search were changed and whose
 * checksums are right: refused, or searched without a step outside
 *
 * The input is a list of changes (gri_patch.h), places counted in fours.
 */
#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "builder.h"
#include "gri_patch.h"
#include "rng.h"
#include "search.h"
#include "vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ROWS (IVF_LEAST_ROWS + 60)

/* Sections of two good indexes: a short one that holds floats, with two bits an element; and
 * one that holds bytes, with one bit and each row in two lists. */
#define N_NAMES 14
#define N_CHANGED 8 /* of names: those that the input may change */
static const struct variant {
    const char *names[N_NAMES];
    size_t dim;
    int store;
} variants[] = {
    { { "ivf", "ivf_cent", "ivf_list", "ivf_at", "ivf_row", "ivf_code", "meta", "vec", "ids",
        "ids_at", "sorted", "rank", "raw", "raw_at" },
      6,
      STORE_FLOAT },
    { { "ivf", "ivf_cent", "ivf_list", "ivf_at", "ivf_row", "ivf_code", "meta", "vec_i8", "ids",
        "ids_at", "sorted", "rank", "raw", "raw_at" },
      129,
      STORE_INT8 },
};

static char good[2][300], path[300];

static void build(const struct variant *v, const char *to)
{
    struct builder *b = builder_new();
    struct ivf_cfg cfg = { 0.9, 1 };
    struct rng rng = { 1 };
    struct err err;
    struct out out;
    builder_set_ivf(b, &cfg);
    builder_set_store(b, v->store);
    for (size_t i = 0; i < ROWS; i++) {
        char text[64];
        float vec[129];
        bool is_old;
        for (size_t j = 0; j < v->dim; j++)
            vec[j] = (float)rng_unit(&rng) - 0.4f;
        vec_normalise(vec, v->dim);
        snprintf(text, sizeof text, "{\"id\":\"%zu\"}", i);
        struct sv raw = sv_from(text), id = { text + 7, raw.n - 9 };
        if (builder_put(b, id, raw, vec, v->dim, SV_NONE, &is_old, &err) < 0)
            abort();
    }
    if (out_open(&out, to, &err) < 0)
        abort();
    builder_write(b, NULL, "text", 1, &out);
    if (out_close(&out, &err) < 0)
        abort();
    builder_free(b);
}

/* A query with two vectors of dim numbers. */
static void put_query(struct buf *b, size_t dim)
{
    buf_str(b, "{\"query\":\"\",\"embeddings\":[");
    for (size_t i = 0; i < 2; i++) {
        buf_str(b, i ? "],[1" : "[1");
        for (size_t j = 1; j < dim; j++)
            buf_str(b, (i + j) % 3 ? ",1" : ",0");
    }
    buf_str(b, "]]}");
}

static void use(const char *index, size_t dim, const char *filter, long probe)
{
    struct search_cfg cfg = { .k = 5,
                              .candidates = 9,
                              .fusion = { .rrf_k = 60 },
                              .dense_weight = 1,
                              .min_score = -INFINITY,
                              .filter = filter,
                              .probe = probe,
                              .hit_fields = "year" };
    struct vset x;
    struct err err;
    struct buf out = BUF_INIT;
    gri_patch_verify(index);
    if (vset_open(&x, &index, 1, "text", 1, &err) < 0)
        return;
    struct searcher *s = search_new(&x, &cfg, 1, &err);
    struct rec r = { 0 };
    struct buf query = BUF_INIT;
    put_query(&query, dim);
    if (rec_parse(&r, buf_view(&query), &err) < 0)
        abort();
    struct search_job job = { &r, &out, &err, 0 };
    if (s)
        search_batch(s, 0, &job, 1);
    rec_release(&r);
    search_free(s);
    vset_close(&x);
    buf_release(&query);
    buf_release(&out);
}

static void remove_files(void)
{
    unlink(good[0]);
    unlink(good[1]);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t which = size ? data[0] / 16 % ARRAY_LEN(variants) : 0;
    const struct variant *v = &variants[which];
    if (!path[0]) {
        const char *dir = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/%ld-bad.gri", dir ? dir : "/tmp", (long)getpid());
        for (size_t i = 0; i < ARRAY_LEN(variants); i++) {
            snprintf(good[i], sizeof good[i], "%s/%ld-good%zu.gri", dir ? dir : "/tmp",
                     (long)getpid(), i);
            build(&variants[i], good[i]);
        }
        (void)atexit(remove_files);
    }
    gri_patch_write(&(struct gri_patch){ v->names, N_NAMES, N_CHANGED, 4 }, good[which], path,
                    data, size);
    use(path, v->dim, size % 16 ? NULL : ".id > \"5\"", size % 3 ? 0 : 2);
    return 0;
}
