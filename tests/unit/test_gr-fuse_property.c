// SPDX-License-Identifier: MIT
/*
 * test_gr-fuse_property.c — laws of fusion on random records (the seed is printed on failure)
 */
#include "unit.h"

#include "fuse.h"
#include "json.h"
#include "map.h"
#include "rng.h"
#include "text.h"
#include "utf8.h"

enum { ROUNDS = 300, MAX_HITS = 14 };

static const char *const words[] = { "uranium",  "δ238U", "zircon", "basalt", "is",  "the",
                                     "seawater", "0.39",  "of",     "gold",   "and", "mantle" };

static void put_words(struct buf *b, struct rng *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_printf(b, "%s%s", i ? " " : "", words[rng_below(r, ARRAY_LEN(words))]);
}

static void put_passage(struct buf *b, struct rng *r, size_t rank)
{
    struct buf text = BUF_INIT;
    size_t n = 1 + (size_t)rng_below(r, 5);
    for (size_t i = 0; i < n; i++) {
        buf_str(&text, i ? " " : "");
        put_words(&text, r, 3 + (size_t)rng_below(r, 9));
        buf_char(&text, '.');
    }
    json_open(b, '{');
    json_key(b, "id");
    char id[32];
    snprintf(id, sizeof id, "p%d#%d", (int)rng_below(r, 3), (int)rng_below(r, 6));
    json_put_str(b, sv_from(id));
    json_key(b, "section");
    json_put_str(b, rng_below(r, 2) ? SV("A") : SV("B"));
    json_key(b, "text");
    json_put_str(b, buf_view(&text));
    json_key(b, "rank");
    json_put_int(b, (int64_t)rank);
    json_close(b, '}');
    buf_release(&text);
}

static void put_fact(struct buf *b, struct rng *r, size_t rank)
{
    char chunk[32];
    snprintf(chunk, sizeof chunk, "p%d#%d", (int)rng_below(r, 3), (int)rng_below(r, 9));
    json_open(b, '{');
    json_key(b, "head");
    json_put_str(b, sv_from(words[rng_below(r, 4)]));
    json_key(b, "relation");
    json_put_str(b, SV("contains"));
    json_key(b, "tail");
    json_put_str(b, sv_from(words[rng_below(r, ARRAY_LEN(words))]));
    if (rng_below(r, 5)) {
        json_key(b, "chunk");
        json_put_str(b, sv_from(chunk));
    }
    json_key(b, "rank");
    json_put_int(b, (int64_t)rank);
    json_close(b, '}');
}

/* A list of hits, its elements in the order `order` gives (a permutation of their ranks). */
static void put_hits(struct buf *out, const char *field, struct buf *hits, const size_t *order,
                     size_t n)
{
    json_key(out, field);
    json_open(out, '[');
    for (size_t i = 0; i < n; i++)
        json_put_raw(out, buf_view(&hits[order[i]]));
    json_close(out, ']');
}

struct sample {
    struct buf passages[MAX_HITS], facts[MAX_HITS];
    size_t n_passages, n_facts;
};

static void sample_make(struct sample *s, struct rng *r)
{
    memset(s, 0, sizeof *s);
    s->n_passages = (size_t)rng_below(r, MAX_HITS);
    s->n_facts = (size_t)rng_below(r, MAX_HITS);
    for (size_t i = 0; i < s->n_passages; i++)
        put_passage(&s->passages[i], r, i + 1);
    for (size_t i = 0; i < s->n_facts; i++)
        put_fact(&s->facts[i], r, i + 1);
}

static void sample_release(struct sample *s)
{
    for (size_t i = 0; i < MAX_HITS; i++) {
        buf_release(&s->passages[i]);
        buf_release(&s->facts[i]);
    }
}

static void shuffle(size_t *order, size_t n, struct rng *r)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; r && i > 1; i--) {
        size_t j = (size_t)rng_below(r, i), tmp = order[i - 1];
        order[i - 1] = order[j];
        order[j] = tmp;
    }
}

/* Fuse the sample, its lists shuffled by r (NULL: as ranked), into *out without the hits. */
static void run(struct fuse *f, struct sample *s, struct rng *r, struct buf *out)
{
    static const char *const drop[] = { "vector_hits", "graph_hits" };
    struct buf line = BUF_INIT, fused = BUF_INIT;
    struct err err;
    size_t order[MAX_HITS];
    buf_str(&line, "{\"query\":\"uranium in seawater\",\"strategy\":\"expand_compress\"");
    shuffle(order, s->n_passages, r);
    put_hits(&line, "vector_hits", s->passages, order, s->n_passages);
    shuffle(order, s->n_facts, r);
    put_hits(&line, "graph_hits", s->facts, order, s->n_facts);
    buf_char(&line, '}');
    struct rec rec = { 0 };
    assert_int_equal(rec_parse(&rec, buf_view(&line), &err), 0);
    assert_int_equal(fuse_record(f, 0, &rec, &fused, &err), 0);
    struct rec done = { 0 };
    assert_int_equal(rec_parse(&done, sv_trim(buf_view(&fused)), &err), 0);
    rec_begin(out, &done, drop, ARRAY_LEN(drop));
    rec_end(out);
    rec_release(&done);
    rec_release(&rec);
    buf_release(&line);
    buf_release(&fused);
}

static size_t count_tokens(jv texts, size_t *n)
{
    size_t tokens = 0, i = 0;
    struct sv key;
    jv value;
    *n = 0;
    while (json_each(texts, &i, &key, &value)) {
        tokens += word_count(json_sv(value));
        (*n)++;
    }
    return tokens;
}

static void check_keys(jv texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        assert_true(json_is_str(json_get(texts, key)));
    }
}

/* Source i has n = i+1; the first n_passages are the passages in order; a chunk has one number;
 * parts are inside their passage; graph keys exist. */
static void check_sources(jv record, size_t n_passages, size_t n_facts)
{
    jv sources = json_get(record, "sources");
    jv texts = json_get(json_get(record, "context"), "VectorRAG_Context");
    struct map *chunks = map_new();
    for (size_t i = 0; i < json_len(sources); i++) {
        jv s = json_at(sources, i), parts = json_get(s, "chunks"), graph = json_get(s, "graph");
        struct sv chunk = json_sv(json_get(s, "chunk")),
                  vector = json_sv(json_get(s, "vector"));
        bool is_new = true;
        int64_t key;
        assert_int_equal((size_t)json_num(json_get(s, "n")), i + 1);
        if (i < n_passages) {
            assert_true(sv_to_i64(vector, &key));
            assert_int_equal(key, i);
        } else {
            assert_true(json_is_null(json_get(s, "vector")));
            assert_true(json_len(graph) > 0);
        }
        if (chunk.n)
            map_put(chunks, chunk, &is_new);
        assert_true(is_new);
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        size_t size = utf8_count(json_sv(json_get(texts, name)));
        for (size_t k = 0; k < json_len(parts); k++) {
            double a = json_num(json_get(json_at(parts, k), "start"));
            double b = json_num(json_get(json_at(parts, k), "end"));
            assert_true(a >= 0 && a < b && b <= (double)size);
        }
        for (size_t k = 0; k < json_len(graph); k++) {
            assert_true(sv_to_i64(json_sv(json_at(graph, k)), &key));
            assert_true(key >= 0 && (size_t)key < n_facts);
        }
    }
    map_free(chunks);
}

/* Every hit is accounted for in the trace entry. */
static void check_trace(jv side, size_t n_read, size_t n_kept)
{
    static const char *const fates[] = { "kept",   "repeated", "empty",    "same_text",
                                         "merged", "unused",   "over_top", "over_budget" };
    double sum = 0;
    for (size_t i = 0; i < ARRAY_LEN(fates); i++) {
        double n = json_num(json_get(side, fates[i]));
        sum += n > 0 ? n : 0;
    }
    assert_int_equal((size_t)sum, n_read);
    assert_int_equal((size_t)json_num(json_get(side, "kept")), n_kept);
}

static void check(const struct fuse_cfg *cfg, const struct sample *s, struct sv line)
{
    struct rec rec = { 0 };
    struct err err;
    size_t n_passages, n_facts;
    assert_int_equal(rec_parse(&rec, sv_trim(line), &err), 0);
    jv ctx = json_get(rec.v, "context");
    jv vector = json_get(ctx, "VectorRAG_Context"), graph = json_get(ctx, "GraphRAG_Context");
    size_t tokens = count_tokens(vector, &n_passages);
    tokens += count_tokens(graph, &n_facts);
    assert_true(tokens <= (size_t)cfg->budget);
    assert_true(n_passages <= (size_t)cfg->top_vector && n_facts <= (size_t)cfg->top_graph);
    if (cfg->weight_vector <= 0)
        assert_int_equal(n_passages, 0);
    if (cfg->weight_graph <= 0 || cfg->is_baseline)
        assert_int_equal(n_facts, 0);
    check_keys(vector, n_passages);
    check_keys(graph, n_facts);
    check_sources(rec.v, n_passages, n_facts);
    jv trace = json_at(json_get(rec.v, "trace"), 0);
    check_trace(json_get(trace, "vector"), s->n_passages, n_passages);
    check_trace(json_get(trace, "graph"), s->n_facts, n_facts);
    rec_release(&rec);
}

static void test_laws(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        struct rng r = { seed };
        struct fuse_cfg cfg = { .budget = 1 + (long)rng_below(&r, 200),
                                .graph_share = rng_unit(&r),
                                .top_vector = (long)rng_below(&r, 12),
                                .top_graph = (long)rng_below(&r, 12),
                                .weight_vector = rng_below(&r, 6) ? 1 : 0,
                                .weight_graph = rng_below(&r, 6) ? 0.5 : 0,
                                .rrf_k = 60,
                                .compress = (int)rng_below(&r, 3),
                                .is_baseline = rng_below(&r, 8) == 0 };
        struct err err;
        struct sample s;
        struct buf a = BUF_INIT, b = BUF_INIT;
        sample_make(&s, &r);
        struct fuse *f = fuse_new(&cfg, 1, &err);
        assert_non_null(f);
        run(f, &s, NULL, &a);
        run(f, &s, &r, &b); /* ranks decide, not places in the array */
        assert_string_equal(buf_cstr(&a), buf_cstr(&b));
        check(&cfg, &s, buf_view(&a));
        fuse_free(f);
        sample_release(&s);
        buf_release(&a);
        buf_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_laws) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
