// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-vindex_gri.c — a .gri whose sections were changed and whose checksums are right:
 * refused, or searched without a step outside
 *
 * The input is a list of changes to a small good index (gri_patch.h). Input that begins with
 * the file's magic is a whole file instead.
 */
#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "builder.h"
#include "gri_patch.h"
#include "search.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* libjq 1.6 itself loses a string when two values stand side by side ("a""b"), which any fuzzer
 * finds in no time; leaks of the tool are looked for in its unit tests and cases. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

#define MAX_SECTIONS 17
static const char *const names[MAX_SECTIONS] = {
    "meta", "ids",     "ids_at", "sorted",  "rank", "raw",  "raw_at",  "vec", "vec_doc",
    "term", "term_at", "post",   "post_at", "df",   "lens", "columns", "col"
};

static const char *const records[] = {
    "{\"id\":\"b\",\"text\":\"MORB has low 87Sr/86Sr\",\"embedding\":[1,0,2],\"year\":2001}",
    "{\"id\":\"a\",\"text\":\"arc lavas\",\"embedding\":[0,3,1],\"year\":2011}",
    "{\"id\":\"c\",\"text\":\"MORB and zircon, MORB\",\"year\":2020}",
};

static void put(const char *to, struct sv bytes)
{
    struct out out;
    struct err err;
    if (out_open(&out, to, &err) < 0)
        abort();
    out_put(&out, bytes);
    (void)out_close(&out, &err);
}

/* Ask for everything the tool does with an index. */
static void use(const char *index, const char *filter)
{
    static const char *const queries[] = {
        "{\"query\":\"MORB of 87Sr/86Sr\",\"embeddings\":[[1,1,1]]}",
        "{\"query\":\"zircon lavas\"}",
    };
    struct search_cfg cfg = { .k = 5,
                              .candidates = 9,
                              .fusion = { .rrf_k = 60 },
                              .dense_weight = 1,
                              .sparse_weight = 1,
                              .k1 = BM25_K1,
                              .b = BM25_B,
                              .dedup = 0.9,
                              .merges = true,
                              .has_mmr = true,
                              .mmr = 0.7,
                              .min_score = -INFINITY,
                              .filter = filter,
                              .hit_fields = "text,year" };
    struct vset x;
    struct err err;
    struct buf out = BUF_INIT;
    gri_patch_verify(index);
    if (vset_open(&x, &index, 1, "text", 1, &err) < 0)
        return;
    struct searcher *s = search_new(&x, &cfg, 1, &err);
    for (size_t i = 0; s && i < ARRAY_LEN(queries); i++) {
        struct rec r = { 0 };
        if (rec_parse(&r, sv_from(queries[i]), &err) < 0)
            abort();
        struct search_job job = { &r, &out, &err, 0 };
        search_batch(s, 0, &job, 1);
        rec_release(&r);
    }
    const struct vindex *part = &x.parts[0];
    for (size_t doc = 0; !part->is_plain && doc < part->n_docs; doc++) {
        float row[8];
        const float *v = part->dim <= ARRAY_LEN(row) ? gri_vector(&part->gri, doc, row) : NULL;
        if (v && isinf(v[0]))
            buf_char(&out, 'i');
    }
    search_free(s);
    vset_close(&x);
    buf_release(&out);
}

static char good[300], path[300];

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
        gri_patch_build(records, ARRAY_LEN(records), good);
        (void)atexit(remove_files);
    }
    if (size > 2 && (memcmp(data, "GRV", 3) == 0 || data[0] == '{'))
        put(path, (struct sv){ (const char *)data, size });
    else
        gri_patch_write(&(struct gri_patch){ names, MAX_SECTIONS, MAX_SECTIONS, 1 }, good, path,
                        data, size);
    use(path, size % 4 ? NULL : ".year > 2010 and (.kind | not)");
    return 0;
}
