// SPDX-License-Identifier: MIT
/*
 * test_gr-vindex_history.c — an index that was changed again and again is the index built once
 *
 * Random histories of add and delete, against a list of the records that must be there: the
 * same records in order, the same answers with the same scores, the same bytes after writing it
 * as one segment; with filters that columns answer, wholly or in part, and that they do not,
 * with hits dropped, merged and chosen, with vectors as floats and as bytes. Several indexes,
 * and merges of them however they were cut, are the index of all their records. With
 * approximate search, --exact is exact, and what a query finds does not depend on those before
 * it. GR_SEED=N runs another series.
 */
#include "unit/gr-vindex_search.h"

#include "edit.h"
#include "map.h"

#define ROUNDS 12
#define MOST 600 /* ids */
#define DIM 5
#define MANY                                                                                   \
    6000 /* records that approximate search is tried with: a filter leaves thousands           \
          */

/* ---- what must be there ---- */

struct line {
    char *text; /* a record with LF, owned; NULL: deleted or written again later */
    char id[32];
};

struct model {
    struct line *lines; /* in order of writing */
    size_t n;
};

static void model_drop(struct model *m, const char *id)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->lines[i].text && strcmp(m->lines[i].id, id) == 0) {
            free(m->lines[i].text);
            m->lines[i].text = NULL;
        }
}

static void model_put(struct model *m, struct sv text)
{
    struct line l = { .text = alloc_text(text.p, text.n) };
    const char *id = strstr(l.text, "\"id\":\"") + 6;
    snprintf(l.id, sizeof l.id, "%.*s", (int)strcspn(id, "\""), id);
    model_drop(m, l.id);
    m->lines = alloc_resize(m->lines, m->n + 1, sizeof *m->lines);
    m->lines[m->n++] = l;
}

/* Records [from, to) of those that are there, as NDJSON. */
static void model_text(const struct model *m, size_t from, size_t to, struct buf *out)
{
    size_t at = 0;
    buf_reset(out);
    for (size_t i = 0; i < m->n; i++) {
        if (!m->lines[i].text)
            continue;
        if (at >= from && at < to)
            buf_str(out, m->lines[i].text);
        at++;
    }
}

static size_t model_count(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        n += m->lines[i].text != NULL;
    return n;
}

static void model_release(struct model *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->lines[i].text);
    free(m->lines);
}

/* ---- making and changing ---- */

/* A record with members that columns hold, of types that differ from segment to segment. */
static void make_record(struct rng *r, struct buf *b, size_t n)
{
    static const char *const kinds[] = { "\"t\"", "\"table\"", "null",      "3",
                                         "true",  "[\"t\"]",   "{\"a\":1}", "\"δ\"" };
    static const char *const papers[] = { "P", "Q" };
    test_record(r, b, n, DIM);
    b->len -= 2; /* brace and LF */
    if (rng_below(r, 3))
        buf_printf(b, ",\"kind\":%s", kinds[rng_below(r, ARRAY_LEN(kinds))]);
    if (!rng_below(r, 3))
        buf_printf(b, ",\"paper\":\"%s\",\"section\":\"s\"", papers[rng_below(r, 2)]);
    if (!rng_below(r, 60)) /* its column is left out in this segment */
        buf_printf(b, ",\"note\":\"%01500d\"", (int)rng_below(r, 9));
    else if (!rng_below(r, 4))
        buf_printf(b, ",\"note\":\"%d\"", (int)rng_below(r, 9));
    buf_str(b, "}\n");
}

static void put_records(struct builder *b, struct sv text)
{
    struct sv line;
    struct err err;
    while (text.n && sv_cut(&text, '\n', &line)) {
        struct rec r = { 0 };
        bool is_old;
        assert_int_equal(rec_parse(&r, line, &err), 0);
        assert_int_equal(builder_add(b, &r, "text", &is_old, &err), 0);
        rec_release(&r);
    }
}

static void build(const char *path, struct sv text, int store, const struct ivf_cfg *ivf)
{
    struct builder *b = builder_new();
    builder_set_store(b, store);
    if (ivf)
        builder_set_ivf(b, ivf);
    struct out out;
    struct err err;
    put_records(b, text);
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    assert_int_equal(out_open(&out, path, &err), 0);
    builder_write(b, a, "text", 1, &out);
    assert_int_equal(out_close(&out, &err), 0);
    analyzer_free(a);
    builder_free(b);
}

static void check_same_file(const char *a, const char *b)
{
    struct buf x = BUF_INIT, y = BUF_INIT;
    struct err err;
    assert_int_equal(file_read(&x, a, 0, &err), 0);
    assert_int_equal(file_read(&y, b, 0, &err), 0);
    assert_int_equal(x.len, y.len);
    assert_memory_equal(x.data, y.data, x.len);
    buf_release(&x);
    buf_release(&y);
}

static void add_some(struct rng *r, const char *path, struct model *m)
{
    struct buf text = BUF_INIT;
    struct edit e;
    struct err err;
    size_t n = rng_below(r, 4) ? 1 + rng_below(r, 6) : 1 + rng_below(r, 80);
    for (size_t i = 0; i < n; i++) {
        size_t from = text.len;
        make_record(r, &text, rng_below(r, MOST));
        model_put(m, (struct sv){ text.data + from, text.len - from });
    }
    assert_int_equal(edit_open(&e, path, &err), 0);
    struct builder *b = edit_builder(&e);
    put_records(b, buf_view(&text));
    assert_int_equal(edit_save(&e, b, 1, &err), 0);
    builder_free(b);
    edit_close(&e);
    buf_release(&text);
}

static void drop_some(struct rng *r, const char *path, struct model *m)
{
    struct edit e;
    struct err err;
    assert_int_equal(edit_open(&e, path, &err), 0);
    size_t n = rng_below(r, 10) ? rng_below(r, 12) : rng_below(r, MOST);
    for (size_t i = 0; i < n; i++) {
        char id[32];
        bool is_there;
        snprintf(id, sizeof id, "d%zu", (size_t)rng_below(r, MOST));
        model_drop(m, id);
        assert_int_equal(edit_drop(&e, sv_from(id), &is_there, &err), 0);
    }
    assert_int_equal(edit_save(&e, NULL, 1, &err), 0);
    edit_close(&e);
}

/* ---- the laws ---- */

static void check_verify(const char *path, const struct model *m, size_t *n_segments)
{
    struct store s;
    struct err err;
    assert_int_equal(store_open(&s, path, &err), 0);
    if (store_verify(&s, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(store_live(&s), model_count(m));
    size_t at = 0;
    for (size_t i = 0; i < s.n; i++)
        for (size_t doc = 0; doc < s.segments[i].meta.n_docs; doc++) {
            struct sv id;
            if (gri_is_dead(&s.segments[i], doc))
                continue;
            while (!m->lines[at].text)
                at++;
            assert_int_equal(gri_id(&s.segments[i], doc, &id, &err), 0);
            assert_sv(id, m->lines[at].id);
            at++;
        }
    *n_segments = s.n;
    store_close(&s);
}

/* Both are too long to be shown whole. */
static void check_same_answers(const struct search_cfg *cfg, struct sv want, struct sv got)
{
    size_t at = 0;
    while (at < want.n && at < got.n && want.p[at] == got.p[at])
        at++;
    if (at == want.n && at == got.n)
        return;
    size_t from = at < 300 ? 0 : at - 300;
    struct sv a = sv_from_to(want, from, want.n), b = sv_from_to(got, from, got.n);
    fail_msg("k %ld filter %s dedup %g:\n… %.*s\nis not\n… %.*s", cfg->k,
             cfg->filter ? cfg->filter : "none", cfg->dedup, (int)(a.n < 600 ? a.n : 600), a.p,
             (int)(b.n < 600 ? b.n : 600), b.p);
}

/* Some way to search; half of the time with a filter. */
static void draw_cfg(struct rng *r, struct search_cfg *cfg)
{
    static const char *const filters[] = {
        ".year >= 2012",
        ".kind == \"t\" or .kind == 3",
        ".kind | startswith(\"t\")",
        ".kind",
        ".kind < \"t\" and .year != 2000",
        ".note != null",
        ".note | contains(\"1\")",
        ".note == \"3\" or .year < 2000",
        ".kind >= [] | not",
        ".nowhere == null",
        ".year % 3 == 0 and .kind != null",
        "(.text | length) > 20 and (.note | endswith(\"2\"))",
        ".text | contains(\"MORB\")",
        "(.kind | type) == \"array\", .year > 2015",
        "empty",
    };
    static const double dedups[] = { 0, 0.4, 0.9 };
    *cfg = default_cfg();
    cfg->k = rng_below(r, 8) ? 1 + (long)rng_below(r, 20) : 100000;
    cfg->candidates = 1 + (long)rng_below(r, 60);
    cfg->mode = rng_below(r, 5) ? MODE_AUTO : MODE_SPARSE;
    cfg->filter = rng_below(r, 2) ? filters[rng_below(r, ARRAY_LEN(filters))] : NULL;
    cfg->dedup = dedups[rng_below(r, ARRAY_LEN(dedups))];
    cfg->merges = !rng_below(r, 3);
    cfg->has_mmr = !rng_below(r, 3);
    cfg->mmr = (double)rng_below(r, 5) / 4;
    cfg->fusion.method = (int)rng_below(r, 3);
    cfg->min_score = rng_below(r, 4) ? -INFINITY : 0.02;
    cfg->hit_fields = rng_below(r, 2) ? "all" : "text,kind,year";
    cfg->is_exact = true;
}

static void check_answers(struct rng *r, const char *const *paths, size_t n, const char *one)
{
    struct buf q = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
    struct search_cfg cfg;
    make_queries(r, 12, DIM, &q);
    for (unsigned i = 0; i < 3; i++) {
        buf_reset(&want);
        buf_reset(&got);
        draw_cfg(r, &cfg);
        answers(&one, 1, &cfg, buf_view(&q), 12, &want);
        answers(paths, n, &cfg, buf_view(&q), 1 + rng_below(r, 12), &got);
        check_same_answers(&cfg, buf_view(&want), buf_view(&got));
    }
    buf_release(&q);
    buf_release(&want);
    buf_release(&got);
}

static void check_compact(const char *path, const char *one)
{
    const char *to = test_path("compact.gri");
    struct edit e;
    struct out out;
    struct err err;
    size_t n;
    assert_int_equal(edit_open(&e, path, &err), 0);
    assert_int_equal(out_open(&out, to, &err), 0);
    assert_int_equal(edit_write(&e, NULL, 1, &out, &n, &err), 0);
    assert_int_equal(out_close(&out, &err), 0);
    edit_close(&e);
    check_same_file(to, one);
    unlink(to);
}

static void test_history(void **state)
{
    (void)state;
    char path[300], one[300];
    size_t most = 0;
    snprintf(path, sizeof path, "%s", test_path("history.gri"));
    snprintf(one, sizeof one, "%s", test_path("one.gri"));
    const char *p = path;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        struct model m = { 0 };
        struct buf text = BUF_INIT;
        int store = round % 3 ? STORE_FLOAT : STORE_INT8;
        for (size_t i = rng_below(&r, 300); i; i--) {
            size_t from = text.len;
            make_record(&r, &text, rng_below(&r, MOST));
            model_put(&m, (struct sv){ text.data + from, text.len - from });
        }
        build(path, buf_view(&text), store, NULL);
        for (size_t i = 0; i < 30; i++) {
            size_t n;
            if (rng_below(&r, 3))
                add_some(&r, path, &m);
            else
                drop_some(&r, path, &m);
            check_verify(path, &m, &n);
            most = n > most ? n : most;
            if (i % 6)
                continue;
            model_text(&m, 0, SIZE_MAX, &text);
            build(one, buf_view(&text), store, NULL);
            check_answers(&r, &p, 1, one);
        }
        model_text(&m, 0, SIZE_MAX, &text);
        build(one, buf_view(&text), store, NULL);
        check_answers(&r, &p, 1, one);
        check_compact(path, one);
        model_release(&m);
        buf_release(&text);
    }
    printf("# up to %zu segments\n", most);
    assert_true(most > 3);
    unlink(path);
    unlink(one);
}

/* ---- several indexes ---- */

/* Merged they are the bytes of `one`. */
static void check_merge(const char *const *paths, size_t n, int store, const char *one)
{
    const char *to = test_path("merged.gri");
    struct builder *b = builder_new();
    struct out out;
    struct err err;
    uint64_t n_old = 0;
    builder_set_store(b, store);
    for (size_t i = 0; i < n; i++) {
        struct store s;
        assert_int_equal(store_open(&s, paths[i], &err), 0);
        for (size_t j = 0; j < s.n; j++)
            assert_int_equal(gri_take(&s.segments[j], b, &n_old, &err), 0);
        store_close(&s);
    }
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    assert_int_equal(out_open(&out, to, &err), 0);
    builder_write(b, a, "text", 2, &out);
    assert_int_equal(out_close(&out, &err), 0);
    analyzer_free(a);
    builder_free(b);
    check_same_file(to, one);
    unlink(to);
}

/* Cut the records into pieces, each an index or a plain file; some records are in two pieces,
 * the newer one in the later. */
static void test_several(void **state)
{
    (void)state;
    char paths[4][300], one[300];
    const char *p[4];
    for (size_t i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "piece%zu", i);
        snprintf(paths[i], sizeof paths[i], "%s", test_path(name));
        p[i] = paths[i];
    }
    snprintf(one, sizeof one, "%s", test_path("all.gri"));
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct rng r = { unit_seed() + round };
        struct model m = { 0 };
        struct buf text = BUF_INIT;
        int store = round % 4 == 1 ? STORE_INT8 : STORE_FLOAT; /* no plain files then */
        for (size_t i = 0; i < 4; i++) {
            buf_reset(&text);
            for (size_t j = rng_below(&r, 90); j; j--) {
                size_t from = text.len;
                make_record(&r, &text, rng_below(&r, MOST));
                struct sv line = { text.data + from, text.len - from };
                model_put(&m, line);
            }
            if (round % 2 || rng_below(&r, 3)) {
                build(paths[i], buf_view(&text), store, NULL);
            } else {
                struct out out;
                struct err err;
                assert_int_equal(out_open(&out, paths[i], &err), 0);
                out_put(&out, buf_view(&text));
                assert_int_equal(out_close(&out, &err), 0);
            }
        }
        model_text(&m, 0, SIZE_MAX, &text);
        build(one, buf_view(&text), store, NULL);
        check_answers(&r, p, 4, one);
        if (round % 2)
            check_merge(p, 4, store, one);
        model_release(&m);
        buf_release(&text);
    }
    for (size_t i = 0; i < 4; i++)
        unlink(paths[i]);
    unlink(one);
}

/* ---- approximate search ---- */

/* The same answers whether queries come together or one after the other. */
static void check_alone(struct rng *r, const char *path)
{
    struct buf q = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
    struct search_cfg cfg;
    make_queries(r, 12, DIM, &q);
    for (unsigned i = 0; i < 4; i++) {
        static const char *const filters[] = { ".year % 10 == 0", "(.text | length) % 3 == 0",
                                               ".year > 1992 and (.text | length) % 2 == 0",
                                               ".year > 1992" };
        buf_reset(&want);
        buf_reset(&got);
        draw_cfg(r, &cfg);
        cfg.mode = MODE_AUTO;
        cfg.is_exact = false;
        cfg.filter = filters[i];
        answers(&path, 1, &cfg, buf_view(&q), 16, &want);
        for (struct sv rest = buf_view(&q), line; rest.n && sv_cut(&rest, '\n', &line);)
            answers(&path, 1, &cfg, line, 1, &got);
        check_same_answers(&cfg, buf_view(&want), buf_view(&got));
    }
    buf_release(&q);
    buf_release(&want);
    buf_release(&got);
}

static void test_approximate(void **state)
{
    (void)state;
    char path[300], one[300];
    snprintf(path, sizeof path, "%s", test_path("many.gri"));
    snprintf(one, sizeof one, "%s", test_path("one.gri"));
    const char *p = path;
    for (int store = STORE_FLOAT; store <= STORE_INT8; store++) {
        struct rng r = { unit_seed() + (uint64_t)store };
        struct model m = { 0 };
        struct buf text = BUF_INIT;
        static const struct ivf_cfg ivf = { .target = 0.9, .min_rows = IVF_LEAST_ROWS };
        for (size_t i = 0; i < MANY; i++) {
            size_t from = text.len;
            make_record(&r, &text, i);
            model_put(&m, (struct sv){ text.data + from, text.len - from });
        }
        build(path, buf_view(&text), store, &ivf);
        check_alone(&r, path);
        for (size_t i = 0; i < 4; i++) {
            add_some(&r, path, &m);
            drop_some(&r, path, &m);
        }
        check_alone(&r, path);
        model_text(&m, 0, SIZE_MAX, &text);
        build(one, buf_view(&text), store, NULL);
        check_answers(&r, &p, 1, one);
        model_release(&m);
        buf_release(&text);
    }
    unlink(path);
    unlink(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_approximate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
