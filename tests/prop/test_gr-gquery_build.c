// SPDX-License-Identifier: MIT
/*
 * test_gr-gquery_build.c — the quick ways are the plain ways: the scanner of records reads what
 * libjq reads, radix order is byte order, the pen writes what query_put_fact writes, and any
 * history of adding and dropping ends in the bytes of one build
 */
#include "unit/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "alloc.h"
#include "analyzer.h"
#include "build.h"
#include "order.h"
#include "query.h"
#include "render.h"
#include "rng.h"
#include "utf8.h"

#define SEEDS 40
#define MAX_TRIPLES 60
#define N_PAPERS 5

static struct analyzer *analyzer;
static char path[64];

static uint64_t below(struct rng *rng, uint64_t n)
{
    return rng_below(rng, n);
}

#define PICK(rng, list) (list)[below(rng, ARRAY_LEN(list))]

/* ---- random records ---- */

static void add_end(struct buf *b, struct rng *rng, const char *key)
{
    static const char *const names[] = {
        "U",      "uranium", " As",           "sea water", "Sea Water", "δ18O",   "87Sr/86Sr",
        "CO",     "Co",      "\\u00e9\\n\\t", "20 Ma",     "a\\\"b",    "x\x7Fy", "smectites",
        "\u2028", "٣",       "a`b'\\\\c",
    };
    static const char *const types[] = { "element", "rock", "value", "", " rock" };
    if (below(rng, 6) == 0) {
        buf_printf(b, "\"%s\":\"%s\"", key, PICK(rng, names));
        return;
    }
    buf_printf(b, "\"%s\": {\"name\":\"%s\"", key, PICK(rng, names));
    if (below(rng, 3))
        buf_printf(b, ",\"type\":\"%s\"", PICK(rng, types));
    if (below(rng, 4) == 0)
        buf_printf(b, ",\"id\":\"id:%u\"", (unsigned)below(rng, 4));
    if (below(rng, 8) == 0)
        buf_str(b, " , \"more\":[1,{\"name\":null},-2.5e3,\"\",true]");
    buf_char(b, '}');
}

static void add_value(struct buf *b, struct rng *rng)
{
    static const char *const numbers[] = {
        "20", "0.7092", "-1.5e-3", "0", "-0", "1e400", "007"
    };
    buf_printf(b, ",\"value\":{\"number\":%s", numbers[below(rng, below(rng, 5) ? 4 : 7)]);
    if (below(rng, 3) == 0)
        buf_printf(b, ",\"high\":%u.5", (unsigned)below(rng, 40));
    if (below(rng, 3) == 0)
        buf_str(b, ",\"error\":0.25,\"error_kind\":\"2σ\"");
    buf_printf(b, ",\"unit\":\"%s\"}", below(rng, 2) ? "Ma" : "‰");
}

/* One record; the paper is P0 … P4, or none. */
static char *record_make(struct rng *rng, unsigned *paper)
{
    struct buf b = BUF_INIT;
    *paper = (unsigned)below(rng, N_PAPERS);
    buf_char(&b, '{');
    add_end(&b, rng, "head");
    buf_printf(&b, ",\"relation\":\"R%u \",", (unsigned)below(rng, 3));
    add_end(&b, rng, "tail");
    if (below(rng, 3) == 0)
        add_value(&b, rng);
    buf_printf(&b, ",\"paper\":\"P%u\",\"chunk\":\"P%u#%u\"", *paper, *paper,
               (unsigned)below(rng, 3));
    if (below(rng, 3) == 0)
        buf_printf(&b, ",\"confidence\":0.%u,\"start\":%u,\"end\":70", (unsigned)below(rng, 10),
                   (unsigned)below(rng, 100));
    if (below(rng, 3) == 0)
        buf_str(&b, ",\"evidence\":\"Strontium of sea water, and its δ18O.\"");
    if (below(rng, 9) == 0)
        buf_str(&b, ",\"paper\":null");
    buf_char(&b, '}');
    return buf_take(&b, NULL);
}

/* ---- the scanner ---- */

static void assert_text(struct sv a, struct sv b)
{
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.p, b.p, a.n);
}

static void assert_triple(const struct triple_text *a, const struct triple_text *b)
{
    const struct sv x[] = { a->head.name, a->head.type, a->head.id,   a->tail.name,
                            a->tail.type, a->tail.id,   a->relation,  a->paper,
                            a->chunk,     a->evidence,  a->extractor, a->unit,
                            a->error_kind };
    const struct sv y[] = { b->head.name, b->head.type, b->head.id,   b->tail.name,
                            b->tail.type, b->tail.id,   b->relation,  b->paper,
                            b->chunk,     b->evidence,  b->extractor, b->unit,
                            b->error_kind };
    for (size_t i = 0; i < ARRAY_LEN(x); i++)
        assert_text(x[i], y[i]);
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
    assert_true(a->start == b->start && a->end == b->end && a->confidence == b->confidence &&
                a->has_value == b->has_value);
}

/* What the scanner takes libjq takes, as the same. Returns whether it took it. */
static bool check_scan(struct sv line)
{
    struct triple_text fast, slow;
    struct rec r;
    struct err err;
    if (!triple_text_scan(&fast, line))
        return false;
    if (rec_parse(&r, line, &err) < 0 || triple_text_read(&slow, r.v, &err) < 0)
        fail_msg("%.*s: %s", (int)line.n, line.p, err.msg);
    assert_triple(&fast, &slow);
    rec_release(&r);
    return true;
}

static void test_scanner_reads_as_libjq(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]\",:\\ \t0-1eE.+ntu\x80\xC3\x01\x00x";
    size_t n_taken = 0, n_spoiled = 0;
    for (uint64_t seed = 1; seed <= 50 * SEEDS; seed++) {
        struct rng rng = { .state = seed };
        unsigned paper;
        char *line = record_make(&rng, &paper);
        size_t n = strlen(line);
        n_taken += check_scan((struct sv){ line, n });
        for (unsigned i = 0; i < 8; i++) { /* spoiled a little more each time */
            line[below(&rng, n)] = bytes[below(&rng, sizeof bytes - 1)];
            n_spoiled += check_scan(sv_trim((struct sv){ line, n }));
            n_spoiled += check_scan((struct sv){ line, below(&rng, n) });
        }
        free(line);
    }
    print_message("# %zu taken, %zu of the spoiled ones\n", n_taken, n_spoiled);
    assert_true(n_taken > 10 * SEEDS);
    assert_true(n_spoiled > 10 * SEEDS);
}

/* ---- order ---- */

struct texts {
    struct sv at[400];
};

static bool text_level(const void *ctx, uint32_t ord, size_t level, uint64_t *key)
{
    return order_text_level(((const struct texts *)ctx)->at[ord], level, key);
}

static void test_radix_order_is_byte_order(void **state)
{
    (void)state;
    static const char bytes[] = { 0, 0, 1, 'a', 'a', 'b', (char)0xFF };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct rng rng = { .state = seed };
        struct texts t;
        uint32_t ords[ARRAY_LEN(t.at)], tmp[ARRAY_LEN(t.at)], numbers[ARRAY_LEN(t.at)];
        char pool[4000];
        size_t n = 1 + below(&rng, ARRAY_LEN(t.at)), longest = 1 + below(&rng, 40);
        for (size_t i = 0; i < sizeof pool; i++)
            pool[i] = PICK(&rng, bytes);
        for (uint32_t i = 0; i < n; i++) {
            t.at[i] = (struct sv){ pool + below(&rng, 3000), below(&rng, longest) };
            ords[i] = i;
            numbers[i] = (uint32_t)below(&rng, seed % 2 ? 300 : UINT32_MAX);
        }
        order_by_levels(ords, n, text_level, &t);
        order_numbers(numbers, n, tmp);
        for (size_t i = 1; i < n; i++) {
            int c = sv_cmp(t.at[ords[i - 1]], t.at[ords[i]]);
            assert_true(c < 0 || (c == 0 && ords[i - 1] < ords[i]));
            assert_true(numbers[i - 1] <= numbers[i]);
        }
    }
}

/* ---- graphs ---- */

static void write_fold(struct fold *f)
{
    struct err err;
    struct build_stats stats;
    struct out out;
    assert_int_equal(out_open(&out, path, &err), 0);
    assert_int_equal(build_write(f, NULL, analyzer, &out, &stats, &err), 0);
    assert_int_equal(out_close(&out, &err), 0);
    fold_release(f);
}

/* As a line of input: by the scanner where it can, where `plainly` always by libjq. Bad records
 * are left out. */
static void take(struct fold *f, const char *line, bool plainly)
{
    struct rec r = { .v = jv_null() };
    struct err err;
    if (!plainly && fold_scan(f, sv_from(line), &err) != 0)
        return;
    if (rec_parse(&r, sv_from(line), &err) == 0)
        (void)fold_add(f, &r, &err);
    rec_release(&r);
}

struct history {
    char *line[MAX_TRIPLES];
    unsigned paper[MAX_TRIPLES];
    size_t n;
    bool is_gone[N_PAPERS]; /* dropped in the end */
};

static void history_make(struct history *h, struct rng *rng)
{
    h->n = 1 + below(rng, MAX_TRIPLES);
    for (size_t i = 0; i < h->n; i++)
        h->line[i] = record_make(rng, &h->paper[i]);
    for (size_t p = 0; p < N_PAPERS; p++)
        h->is_gone[p] = below(rng, 3) == 0;
}

static struct buf file_bytes(void)
{
    struct buf b = BUF_INIT;
    struct err err;
    assert_int_equal(file_read(&b, path, 0, &err), 0);
    return b;
}

/* What is left in the end, in one build; the null paper is no paper of the list. */
static struct buf build_once(const struct history *h)
{
    struct fold f;
    fold_init(&f);
    for (size_t i = 0; i < h->n; i++)
        if (!h->is_gone[h->paper[i]] ||
            sv_find(sv_from(h->line[i]), SV("\"paper\":null"), 0) != SIZE_MAX)
            take(&f, h->line[i], true);
    write_fold(&f);
    return file_bytes();
}

/* The graph in the file, without some papers, with some more records. */
static void change(struct fold *f, const struct map *without)
{
    struct grg g;
    struct err err;
    size_t dropped;
    assert_int_equal(grg_open(&g, path, &err), 0);
    if (grg_verify(&g, &err) < 0)
        fail_msg("%s", err.msg);
    assert_int_equal(fold_add_graph(f, &g, without, &dropped, &err), 0);
    grg_close(&g);
    write_fold(f);
}

/* Piece by piece in random order, some pieces twice, papers dropped here and there and added
 * again; at last those that are to go. */
static struct buf build_by_steps(const struct history *h, struct rng *rng)
{
    struct fold f;
    struct map *gone = map_new();
    fold_init(&f);
    write_fold(&f);
    for (size_t at = 0, to; at < h->n; at = to) {
        to = at + 1 + below(rng, h->n - at);
        fold_init(&f);
        for (size_t i = to; i > at; i--)
            take(&f, h->line[i - 1], below(rng, 2));
        for (size_t i = 0; i < to; i += 1 + below(rng, 9))
            take(&f, h->line[i], false);
        change(&f, NULL);
        if (below(rng, 2)) { /* drop one, and give it back */
            unsigned p = (unsigned)below(rng, N_PAPERS);
            char name[8];
            struct map *one = map_new();
            snprintf(name, sizeof name, "P%u", p);
            map_put(one, sv_from(name), NULL);
            fold_init(&f);
            change(&f, one);
            fold_init(&f);
            for (size_t i = 0; i < to; i++)
                if (h->paper[i] == p)
                    take(&f, h->line[i], false);
            change(&f, NULL);
            map_free(one);
        }
    }
    for (unsigned p = 0; p < N_PAPERS; p++) {
        char name[8];
        snprintf(name, sizeof name, "P%u", p);
        if (h->is_gone[p])
            map_put(gone, sv_from(name), NULL);
    }
    fold_init(&f);
    change(&f, gone);
    map_free(gone);
    return file_bytes();
}

static void test_history_is_no_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 500 + SEEDS; seed++) {
        struct rng rng = { .state = seed };
        struct history h = { .n = 0 };
        print_message("# seed %d\n", (int)seed);
        history_make(&h, &rng);
        struct buf want = build_once(&h), got = build_by_steps(&h, &rng);
        assert_int_equal(want.len, got.len);
        assert_memory_equal(want.data, got.data, want.len);
        buf_release(&want);
        buf_release(&got);
        for (size_t i = 0; i < h.n; i++)
            free(h.line[i]);
    }
}

/* Facts and nodes by the pen and by json.h. */
static void check_render(const struct grg *g)
{
    struct buf pen = BUF_INIT, plain = BUF_INIT;
    uint32_t *all = alloc_array(g->n_edges + g->n_nodes + 1, sizeof *all);
    for (uint32_t i = 0; i < g->n_edges + g->n_nodes + 1; i++)
        all[i] = i;
    json_open(&pen, '[');
    render_facts(&pen, g, all, g->n_edges);
    json_open(&plain, '[');
    for (uint32_t e = 0; e < g->n_edges; e++)
        query_put_fact(&plain, g, e, grg_triples_of(g, e).from, SV_NONE);
    assert_text(buf_view(&pen), buf_view(&plain));
    buf_reset(&pen);
    buf_reset(&plain);
    json_open(&pen, '[');
    render_nodes(&pen, g, all, g->n_nodes);
    json_open(&plain, '[');
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        json_open(&plain, '{');
        json_key(&plain, "name");
        json_put_str(&plain, grg_str(g, grg_node(g, i)->name));
        json_add_str(&plain, "type", grg_str(g, grg_node(g, i)->type));
        json_add_str(&plain, "node", grg_str(g, grg_node(g, i)->id));
        json_close(&plain, '}');
    }
    assert_text(buf_view(&pen), buf_view(&plain));
    buf_release(&pen);
    buf_release(&plain);
    free(all);
}

static void test_pen_writes_as_json(void **state)
{
    (void)state;
    for (uint64_t seed = 900; seed < 900 + SEEDS; seed++) {
        struct rng rng = { .state = seed };
        struct history h = { .n = 0 };
        struct grg g;
        struct err err;
        history_make(&h, &rng);
        memset(h.is_gone, 0, sizeof h.is_gone);
        struct buf bytes = build_once(&h);
        for (int i = 0; i < 10; i++) { /* first whole, then with wrong bytes in it */
            struct out out;
            assert_int_equal(out_open(&out, path, &err), 0);
            out_put(&out, buf_view(&bytes));
            assert_int_equal(out_close(&out, &err), 0);
            if (grg_open(&g, path, &err) == 0) {
                check_render(&g);
                grg_close(&g);
            }
            for (int k = 0; k < 3; k++)
                bytes.data[1024 + below(&rng, bytes.len - 1024)] ^= (char)(1 << below(&rng, 8));
        }
        buf_release(&bytes);
        for (size_t i = 0; i < h.n; i++)
            free(h.line[i]);
    }
}

/* Opening, or else verifying, has to say that something is wrong. */
static bool is_found_damaged(void)
{
    struct grg g;
    struct err err;
    if (grg_open(&g, path, &err) < 0)
        return true;
    bool is_found = grg_verify(&g, &err) < 0;
    grg_close(&g);
    return is_found;
}

static void test_every_wrong_bit_is_found(void **state)
{
    (void)state;
    struct rng rng = { .state = 7 };
    struct history h = { .n = 0 };
    struct err err;
    history_make(&h, &rng);
    memset(h.is_gone, 0, sizeof h.is_gone);
    h.n = h.n < 6 ? h.n : 6;
    struct buf bytes = build_once(&h);
    assert_false(is_found_damaged());
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    for (size_t i = 0; i < bytes.len; i++)
        for (int bit = 0; bit < 8; bit++) {
            char c = (char)(bytes.data[i] ^ 1 << bit);
            assert_int_equal(pwrite(fd, &c, 1, (off_t)i), 1);
            if (!is_found_damaged())
                fail_msg("bit %d of byte %zu", bit, i);
            assert_int_equal(pwrite(fd, &bytes.data[i], 1, (off_t)i), 1);
        }
    print_message("# %zu bytes\n", bytes.len);
    for (size_t n = bytes.len; n-- > 0;) { /* cut off anywhere; too long is as bad */
        assert_int_equal(ftruncate(fd, (off_t)n), 0);
        struct grg g;
        assert_int_equal(grg_open(&g, path, &err), -1);
    }
    close(fd);
    buf_release(&bytes);
    for (size_t i = 0; i < MAX_TRIPLES; i++)
        free(h.line[i]);
}

int main(void)
{
    struct err err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scanner_reads_as_libjq),
        cmocka_unit_test(test_radix_order_is_byte_order),
        cmocka_unit_test(test_history_is_no_matter),
        cmocka_unit_test(test_pen_writes_as_json),
        cmocka_unit_test(test_every_wrong_bit_is_found),
    };
    const char *dir = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.40s/gr-gquery-b.%d", dir ? dir : "/tmp", (int)getpid());
    analyzer = analyzer_new(NULL, NULL, &err);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    analyzer_free(analyzer);
    unlink(path);
    return rc;
}
