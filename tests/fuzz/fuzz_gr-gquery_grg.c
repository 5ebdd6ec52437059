// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-gquery_grg.c — any bytes as a graph file: verify, ask, find paths, export, fold
 * again, never crash
 *
 * The checksum over header and table is put right first, so that what they say is believed.
 */
#include <unistd.h>

#include "alloc.h"
#include "analyzer.h"
#include "build.h"
#include "grg_use.h"
#include "hash.h"
#include "query.h"
#include "subgraph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HASH_AT = 32, COUNT_AT = 24, HEADER = 64, ENTRY = 48 };

/* As secfile.c does it: XXH3 of header and table, the hash's own bytes zero. */
static void mend(char *p, size_t n)
{
    uint32_t count;
    uint64_t size = n, h;
    if (n < HEADER)
        return;
    memcpy(&count, p + COUNT_AT, sizeof count);
    if (count > SECFILE_MAX_SECTIONS || HEADER + (size_t)count * ENTRY > n)
        return;
    memcpy(p + 16, &size, sizeof size);
    memset(p + HASH_AT, 0, sizeof h);
    h = hash64((struct sv){ p, HEADER + (size_t)count * ENTRY });
    memcpy(p + HASH_AT, &h, sizeof h);
}

static void ask(const struct grg *g, const struct analyzer *analyzer, struct buf *out)
{
    struct query q = { .g = g,
                       .analyzer = analyzer,
                       .cfg = { .walk = { .depth = 3,
                                          .max_degree = 5,
                                          .max_nodes = 50,
                                          .min_facts = 5,
                                          .limit = 20,
                                          .chunks = 10 },
                                .link = QUERY_LINK_BOTH,
                                .wants_triples = true } };
    static const char line[] =
        "{\"query\":\"87Sr/86Sr of seawater, uranium, smectites and Co\","
        "\"vector_hits\":[{\"id\":\"10.5555/gr-example.03#0003\"}]}";
    struct query_worker qw = { 0 };
    struct err err, unparsable;
    struct rec r = { 0 };
    size_t before = out->len;
    if (rec_parse(&r, sv_from(line), &err) < 0 || query_record(&q, &qw, &r, out, &err) < 0)
        abort();
    rec_release(&r);
    if (rec_parse(&r, sv_trim(sv_from_to(buf_view(out), before, out->len)), &unparsable) < 0)
        abort(); /* whatever the file says, what comes out is a record */
    rec_release(&r);
    query_worker_release(&qw);
}

/* All of it as a subgraph: JSON, whatever the file says. */
static void walk_all(const struct grg *g)
{
    struct subgraph s = { 0 };
    struct links start = { 0 };
    struct filter none = { 0 };
    struct buf out = BUF_INIT;
    struct err err;
    jv v;
    for (uint32_t n = 0; n < 3; n++)
        links_add(&start, &(struct link){ .node = n });
    subgraph_start(&s, g);
    subgraph_walk(&s, &start, &none, &(struct subgraph_cfg){ .depth = 3, .max_degree = 9 });
    json_open(&out, '{');
    subgraph_put(&s, &out);
    json_close(&out, '}');
    if (!out.overflow) {
        if (json_parse(&v, buf_view(&out), &err) < 0)
            abort();
        json_free(v);
    }
    buf_release(&out);
    links_release(&start);
    subgraph_release(&s);
}

/* As add, drop and merge do, which verify first: here without. */
static void fold_again(const struct grg *g, const struct analyzer *analyzer)
{
    struct fold f;
    struct err err;
    struct build_stats stats;
    struct out out;
    size_t dropped;
    fold_init(&f);
    if (fold_add_graph(&f, g, NULL, &dropped, &err) == 0 &&
        out_open(&out, "/dev/null", &err) == 0) {
        (void)build_write(&f, NULL, analyzer, &out, &stats, &err);
        out_abandon(&out);
    }
    fold_release(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct analyzer *analyzer;
    char path[] = "/tmp/fuzz-grg-XXXXXX";
    struct err err;
    struct grg g;
    struct buf out = BUF_INIT;
    if (!analyzer && !(analyzer = analyzer_new(NULL, NULL, &err)))
        abort();
    char *copy = alloc(size);
    if (size)
        memcpy(copy, data, size);
    mend(copy, size);
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, copy, size) != (ssize_t)size)
        abort();
    close(fd);
    free(copy);
    if (grg_open(&g, path, &err) == 0) {
        (void)grg_verify(&g, &err);
        ask(&g, analyzer, &out);
        grg_use(&g, "U", "smectite", &out);
        walk_all(&g);
        fold_again(&g, analyzer);
        grg_close(&g);
    }
    unlink(path);
    buf_release(&out);
    return 0;
}
