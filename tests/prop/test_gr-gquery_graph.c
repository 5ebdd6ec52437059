// SPDX-License-Identifier: MIT
/*
 * test_gr-gquery_graph.c — random graphs: walks and paths equal a naive search over the
 * triples, bytes do not depend on order, dropping equals building without, damage never crashes
 */
#include "unit/unit.h"

#include <unistd.h>

#include "alloc.h"
#include "analyzer.h"
#include "build.h"
#include "fuzz/grg_use.h"
#include "query.h"
#include "rng.h"

#define SEEDS 25
#define MAX_THINGS 40
#define MAX_TRIPLES 120
#define FAR 99

/* ---- random triples ---- */

struct toy {
    unsigned head[MAX_TRIPLES], tail[MAX_TRIPLES], paper[MAX_TRIPLES];
    bool is_value[MAX_TRIPLES];
    char *line[MAX_TRIPLES];
    size_t n, n_things;
};

/* Letters only, so that no name is chemical notation or a plural. */
static void name_of(unsigned i, char name[8])
{
    snprintf(name, 8, "zq%c%cw", 'a' + (int)(i / 10), 'a' + (int)(i % 10));
}

static void toy_make(struct toy *t, struct rng *rng)
{
    *t = (struct toy){ 0 };
    t->n_things = 5 + rng_below(rng, MAX_THINGS - 5);
    t->n = 1 + rng_below(rng, MAX_TRIPLES);
    for (size_t i = 0; i < t->n; i++) {
        struct buf b = BUF_INIT;
        char h[8], x[8];
        t->head[i] = (unsigned)rng_below(rng, t->n_things);
        t->tail[i] = (unsigned)rng_below(rng, t->n_things);
        t->paper[i] = (unsigned)rng_below(rng, 4);
        t->is_value[i] = rng_below(rng, 5) == 0;
        name_of(t->head[i], h);
        name_of(t->tail[i], x);
        buf_printf(&b, "{\"head\":{\"name\":\"%s\",\"type\":\"t\"},\"relation\":\"R%u\",", h,
                   (unsigned)rng_below(rng, 3));
        if (t->is_value[i])
            buf_printf(&b,
                       "\"tail\":{\"name\":\"%u Ma\",\"type\":\"value\"},"
                       "\"value\":{\"number\":%u,\"unit\":\"Ma\"},",
                       t->tail[i], t->tail[i]);
        else
            buf_printf(&b, "\"tail\":{\"name\":\"%s\",\"type\":\"t\"},", x);
        buf_printf(&b, "\"paper\":\"P%u\",\"chunk\":\"P%u#%u\",\"confidence\":0.%u,",
                   t->paper[i], t->paper[i], (unsigned)rng_below(rng, 6),
                   1 + (unsigned)rng_below(rng, 9));
        buf_printf(&b, "\"evidence\":\"words %s and %s\"}", h, x);
        t->line[i] = buf_take(&b, NULL);
    }
}

static void toy_free(struct toy *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->line[i]);
}

/* ---- building ---- */

static struct analyzer *analyzer;
static char path[64];

static void write_fold(struct fold *f, const char *to)
{
    struct err err;
    struct build_stats stats;
    struct out out;
    assert_int_equal(out_open(&out, to, &err), 0);
    assert_int_equal(build_write(f, NULL, analyzer, &out, &stats, &err), 0);
    assert_int_equal(out_close(&out, &err), 0);
}

/* Build from the triples in the order of `order`, without paper `without`; the file's bytes. */
static struct buf toy_build(const struct toy *t, const size_t *order, unsigned without)
{
    struct fold f;
    struct err err;
    struct buf bytes = BUF_INIT;
    fold_init(&f);
    for (size_t i = 0; i < t->n; i++) {
        struct rec r = { 0 };
        size_t k = order ? order[i] : i;
        if (t->paper[k] == without)
            continue;
        assert_int_equal(rec_parse(&r, sv_from(t->line[k]), &err), 0);
        assert_int_equal(fold_add(&f, &r, &err), 0);
        rec_release(&r);
    }
    write_fold(&f, path);
    fold_release(&f);
    assert_int_equal(file_read(&bytes, path, 0, &err), 0);
    return bytes;
}

static void assert_same(struct buf *a, struct buf *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->data, b->data, a->len);
}

/* ---- naive answers ---- */

/* Hops from `from` over the list of triples; measurements are not things. */
static void naive_distances(const struct toy *t, unsigned from, unsigned dist[MAX_THINGS])
{
    for (size_t i = 0; i < MAX_THINGS; i++)
        dist[i] = FAR;
    dist[from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < t->n; i++) {
            unsigned a = t->head[i], b = t->tail[i];
            if (t->is_value[i])
                continue;
            if (dist[a] + 1 < dist[b]) {
                dist[b] = dist[a] + 1;
                changed = true;
            }
            if (dist[b] + 1 < dist[a]) {
                dist[a] = dist[b] + 1;
                changed = true;
            }
        }
    }
}

/* Number of the node of a thing, or GRG_NONE when no triple names it. */
static uint32_t node_of(const struct grg *g, unsigned thing)
{
    char name[8];
    name_of(thing, name);
    struct grg_range r = grg_find_names(g, sv_from(name));
    return r.from < r.to ? g->names[r.from].node : GRG_NONE;
}

static void check_walk(const struct toy *t, const struct grg *g, unsigned from, long depth)
{
    unsigned dist[MAX_THINGS];
    struct links links = { 0 };
    struct filter filter = { 0 };
    struct walk_cfg cfg = {
        .depth = depth, .max_nodes = 10000, .limit = 10000, .keeps_redundant = true
    };
    struct walk *w = walk_new(g);
    uint32_t start = node_of(g, from);
    naive_distances(t, from, dist);
    if (start == GRG_NONE)
        goto out;
    links_add(&links, &(struct link){ .node = start, .weight = 1 });
    walk_run(w, &links, &filter, &cfg);
    for (unsigned i = 0; i < t->n_things; i++) {
        uint32_t n = node_of(g, i);
        if (n != GRG_NONE)
            assert_int_equal(w->dist[n], dist[i] <= (unsigned)depth ? dist[i] : WALK_FAR);
    }
    /* A fact for each edge with both ends reached; a measurement is reached by its things. */
    for (uint32_t e = 0; e < g->n_edges; e++) {
        bool want = w->dist[g->edges[e].head] != WALK_FAR, got = false;
        want = want && w->dist[g->edges[e].tail] != WALK_FAR;
        for (size_t k = 0; k < w->n_facts; k++)
            got |= w->facts[k].edge == e;
        assert_int_equal(got, want);
    }
    for (size_t k = 1; k < w->n_facts; k++)
        assert_true(w->facts[k - 1].score > w->facts[k].score ||
                    (w->facts[k - 1].score == w->facts[k].score &&
                     w->facts[k - 1].edge < w->facts[k].edge));
out:
    links_release(&links);
    walk_free(w);
}

static void check_path(const struct toy *t, const struct grg *g, unsigned from, unsigned to)
{
    unsigned dist[MAX_THINGS];
    struct links a = { 0 }, b = { 0 };
    struct buf out = BUF_INIT;
    struct path_cfg cfg = { .max_hops = PATH_MAX_HOPS, .limit = 3 };
    char want[32];
    naive_distances(t, from, dist);
    if (node_of(g, from) == GRG_NONE || node_of(g, to) == GRG_NONE)
        return;
    links_add(&a, &(struct link){ .node = node_of(g, from) });
    links_add(&b, &(struct link){ .node = node_of(g, to) });
    size_t n = path_find(g, &a, &b, &cfg, NULL, &out);
    assert_int_equal(n > 0, dist[to] <= PATH_MAX_HOPS);
    snprintf(want, sizeof want, "\"hops\":%u,", dist[to]);
    assert_true(n == 0 || sv_find(buf_view(&out), sv_from(want), 0) != SIZE_MAX);
    buf_release(&out);
    links_release(&a);
    links_release(&b);
}

/* ---- the properties ---- */

static void test_walks_and_paths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct rng rng;
        struct toy t;
        struct grg g;
        struct err err;
        rng.state = seed;
        toy_make(&t, &rng);
        print_message("# seed %d: %d triples of %d things\n", (int)seed, (int)t.n,
                      (int)t.n_things);
        struct buf bytes = toy_build(&t, NULL, FAR);
        assert_int_equal(grg_open(&g, path, &err), 0);
        if (grg_verify(&g, &err) < 0)
            fail_msg("%s", err.msg);
        for (unsigned i = 0; i < t.n_things; i++) {
            check_walk(&t, &g, i, 1 + (long)rng_below(&rng, 4));
            check_path(&t, &g, i, (unsigned)rng_below(&rng, t.n_things));
        }
        grg_close(&g);
        buf_release(&bytes);
        toy_free(&t);
    }
}

static void test_order_is_no_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 100; seed < 100 + SEEDS; seed++) {
        struct rng rng;
        struct toy t;
        size_t order[MAX_TRIPLES];
        rng.state = seed;
        toy_make(&t, &rng);
        print_message("# seed %d\n", (int)seed);
        for (size_t i = 0; i < t.n; i++)
            order[i] = i;
        for (size_t i = t.n; i > 1; i--) {
            size_t k = (size_t)rng_below(&rng, i), x = order[i - 1];
            order[i - 1] = order[k];
            order[k] = x;
        }
        struct buf a = toy_build(&t, NULL, FAR), b = toy_build(&t, order, FAR);
        assert_same(&a, &b);
        buf_release(&a);
        buf_release(&b);
        toy_free(&t);
    }
}

static void test_drop_is_building_without(void **state)
{
    (void)state;
    for (uint64_t seed = 200; seed < 200 + SEEDS; seed++) {
        struct rng rng;
        struct toy t;
        struct grg g;
        struct err err;
        struct fold f;
        size_t dropped;
        struct buf dropped_bytes = BUF_INIT;
        struct map *without = map_new();
        rng.state = seed;
        toy_make(&t, &rng);
        print_message("# seed %d\n", (int)seed);
        struct buf want = toy_build(&t, NULL, 2), all = toy_build(&t, NULL, FAR);
        map_put(without, SV("P2"), NULL);
        assert_int_equal(grg_open(&g, path, &err), 0);
        fold_init(&f);
        assert_int_equal(fold_add_graph(&f, &g, without, &dropped, &err), 0);
        grg_close(&g);
        write_fold(&f, path);
        fold_release(&f);
        assert_int_equal(file_read(&dropped_bytes, path, 0, &err), 0);
        assert_same(&want, &dropped_bytes);
        buf_release(&want);
        buf_release(&all);
        buf_release(&dropped_bytes);
        map_free(without);
        toy_free(&t);
    }
}

/* Everything that reads, over a file that may say anything. */
static void read_all(void)
{
    struct grg g;
    struct err err;
    if (grg_open(&g, path, &err) < 0)
        return;
    (void)grg_verify(&g, &err);
    struct query q = { .g = &g,
                       .analyzer = analyzer,
                       .cfg = { .walk = { .depth = 3,
                                          .max_degree = 5,
                                          .max_nodes = 50,
                                          .min_facts = 5,
                                          .limit = 20,
                                          .chunks = 10 },
                                .link = QUERY_LINK_BOTH,
                                .wants_triples = true } };
    struct query_worker qw = { 0 };
    struct buf out = BUF_INIT;
    struct rec r = { 0 };
    static const char line[] = "{\"query\":\"what of zqaaw, zqabw and zqbaw in words?\","
                               "\"vector_hits\":[{\"id\":\"P1#1\",\"paper\":\"P1\"}]}";
    assert_int_equal(rec_parse(&r, sv_from(line), &err), 0);
    assert_int_equal(query_record(&q, &qw, &r, &out, &err), 0);
    rec_release(&r);
    /* What comes out is a record, whatever went in. */
    assert_int_equal(rec_parse(&r, sv_trim(buf_view(&out)), &err), 0);
    rec_release(&r);
    grg_use(&g, "zqaaw", "zqabw", &out);
    query_worker_release(&qw);
    buf_release(&out);
    grg_close(&g);
}

static void test_damage_never_crashes(void **state)
{
    (void)state;
    for (uint64_t seed = 300; seed < 300 + SEEDS; seed++) {
        struct rng rng;
        struct toy t;
        struct err err;
        rng.state = seed;
        toy_make(&t, &rng);
        print_message("# seed %d\n", (int)seed);
        struct buf whole = toy_build(&t, NULL, FAR);
        for (int i = 0; i < 20; i++) {
            struct out out;
            struct buf b = BUF_INIT;
            buf_sv(&b, buf_view(&whole));
            /* Past header and table, whose checksum is checked: the sections. */
            for (int k = 0; k < 1 + i; k++)
                b.data[1024 + rng_below(&rng, b.len - 1024)] ^= (char)(1 << rng_below(&rng, 8));
            if (i % 5 == 4)
                buf_cut(&b, (size_t)rng_below(&rng, b.len));
            assert_int_equal(out_open(&out, path, &err), 0);
            out_put(&out, buf_view(&b));
            assert_int_equal(out_close(&out, &err), 0);
            read_all();
            buf_release(&b);
        }
        buf_release(&whole);
        toy_free(&t);
    }
}

int main(void)
{
    struct err err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_and_paths),
        cmocka_unit_test(test_order_is_no_matter),
        cmocka_unit_test(test_drop_is_building_without),
        cmocka_unit_test(test_damage_never_crashes),
    };
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.40s/gr-gquery.%d", dir ? dir : "/tmp", (int)getpid());
    analyzer = analyzer_new(NULL, NULL, &err);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    analyzer_free(analyzer);
    unlink(path);
    return rc;
}
