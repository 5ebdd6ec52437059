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
#define DIM 6

static const char *const names[] = { "ivf",     "ivf_cent", "ivf_list",  "ivf_at",
                                     "ivf_row", "ivf_code", "meta",
                                     "ids",     "ids_at",   "sorted",    "rank",
                                     "raw",     "raw_at",   "vec" };
#define N_CHANGED 7 /* of names: those that the input may change */

static char good[300], path[300];

static void build(const char *to)
{
    struct builder *b = builder_new();
    struct ivf_cfg cfg = { 0.9, 1 };
    struct rng rng = { 1 };
    struct err err;
    struct out out;
    builder_set_ivf(b, &cfg);
    for (size_t i = 0; i < ROWS; i++) {
        char text[64];
        float v[DIM];
        bool is_old;
        for (size_t j = 0; j < DIM; j++)
            v[j] = (float)rng_unit(&rng) - 0.4f;
        vec_normalise(v, DIM);
        snprintf(text, sizeof text, "{\"id\":\"%zu\"}", i);
        struct sv raw = sv_from(text), id = { text + 7, raw.n - 9 };
        if (builder_put(b, id, raw, v, DIM, SV_NONE, &is_old, &err) < 0)
            abort();
    }
    if (out_open(&out, to, &err) < 0)
        abort();
    builder_write(b, NULL, "text", 1, &out);
    if (out_close(&out, &err) < 0)
        abort();
    builder_free(b);
}

static void use(const char *index, const char *filter, long probe)
{
    static const char query[] = "{\"query\":\"\",\"embeddings\":[[1,1,1,0,2,1],[0,0,0,1,0,0]]}";
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
    if (rec_parse(&r, sv_from(query), &err) < 0)
        abort();
    struct search_job job = { &r, &out, &err, 0 };
    if (s)
        search_batch(s, 0, &job, 1);
    rec_release(&r);
    search_free(s);
    vset_close(&x);
    buf_release(&out);
}

static void remove_files(void)
{
    unlink(good);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!good[0]) {
        const char *dir = getenv("TMPDIR");
        snprintf(good, sizeof good, "%s/%ld-good.gri", dir ? dir : "/tmp", (long)getpid());
        snprintf(path, sizeof path, "%s/%ld-bad.gri", dir ? dir : "/tmp", (long)getpid());
        build(good);
        (void)atexit(remove_files);
    }
    gri_patch_write(&(struct gri_patch){ names, ARRAY_LEN(names), N_CHANGED, 4 }, good, path,
                    data, size);
    use(path, size % 16 ? NULL : ".id > \"5\"", size % 3 ? 0 : 2);
    return 0;
}
