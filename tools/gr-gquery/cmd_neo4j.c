// SPDX-License-Identifier: MIT
/*
 * cmd_neo4j.c — load, and query and subgraph where the graph is in a Neo4j server
 *
 *   memory: load: one batch; the others: for each worker the part of the graph that is asked
 *   about
 */
#include "cmd.h"

#include "alloc.h"
#include "load.h"
#include "progress.h"
#include "remote.h"
#include "schema.h"
#include "vocab.h"

struct cmd_neo4j cmd_neo4j;
static struct load_cfg load_cfg;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt load_options[] = {
    { "Loading", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "batch", 0, OPT_LONG, "N", "5000", "rows a transaction", &load_cfg.batch, 1, 1e6 },
    { "replace", 0, OPT_FLAG, NULL, NULL, "first remove what an earlier load put there",
      &load_cfg.is_replacing },
    NEO4J_OPTIONS,
    NO_APOC_OPTION,
    RUN_OPTIONS,
};
/* clang-format on */

static struct neo4j *connect(struct err *err)
{
    return neo4j_new(&(struct neo4j_cfg){ .url = cmd_neo4j.url,
                                          .database = cmd_neo4j.database,
                                          .password_file = cmd_neo4j.password_file,
                                          .timeout_s = cmd_neo4j.timeout_s,
                                          .tries = cmd_neo4j.tries,
                                          .seed = (uint64_t)run_cfg.seed },
                     err);
}

int load_main(struct run *run)
{
    struct grg g;
    struct load_stats stats;
    if (!cmd_graph || !cmd_neo4j.url)
        return run_usage(run, cmd_graph ? "which server? --neo4j URL" : "which graph? -g FILE");
    if (run->n_operands)
        return run_usage(run, "no operand is expected: \"%s\"", run->operands[0]);
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return run_fail(run);
    struct neo4j *n = connect(&run->err);
    if (!n) {
        grg_close(&g);
        return run_fail(run);
    }
    load_cfg.has_no_apoc = cmd_neo4j.has_no_apoc;
    progress_start((enum progress_when)run_cfg.progress, "rows", 0);
    int rc = load_graph(n, &g, &load_cfg, &stats, &run->err);
    progress_end();
    if (rc == 0)
        diag_note("%zu nodes, %zu edges%s", stats.nodes, stats.edges,
                  stats.was_there ? ": the server has this graph already"
                  : stats.went_on ? " (went on where an earlier load had stopped)"
                                  : " loaded");
    neo4j_free(n);
    grg_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}

/* ---- asking a server ---- */

int cmd_remote_start(struct cmd_remote *c, struct run *run)
{
    struct buf dir = BUF_INIT;
    *c = (struct cmd_remote){ .n = run->jobs };
    c->remotes = alloc_zero(c->n, sizeof *c->remotes);
    c->analyzer = analyzer_new(NULL, NULL, &run->err);
    if (c->analyzer && file_find_data(&dir, run_cfg.data, "vocab", &run->err) == 0)
        c->vocab = vocab_load(buf_cstr(&dir), &run->err);
    buf_release(&dir);
    bool ok = c->vocab != NULL;
    for (unsigned i = 0; ok && i < c->n; i++) {
        c->remotes[i] = (struct remote){ .neo4j = connect(&run->err),
                                         .analyzer = c->analyzer,
                                         .vocab = c->vocab,
                                         .has_no_apoc = cmd_neo4j.has_no_apoc };
        ok = c->remotes[i].neo4j != NULL;
    }
    return ok ? 0 : -1;
}

void cmd_remote_end(struct cmd_remote *c)
{
    for (unsigned i = 0; i < c->n; i++)
        neo4j_free(c->remotes[i].neo4j);
    free(c->remotes);
    analyzer_free(c->analyzer);
    vocab_free(c->vocab);
}

/* ---- query ---- */

static void keys_of_list(jv list, struct map *keys)
{
    for (size_t i = 0; i < json_len(list); i++) {
        jv x = json_at(list, i);
        if (json_is_object(x)) { /* an entity */
            link_keys(json_sv(json_get(x, "node")), keys);
            x = json_get(x, "name");
        }
        link_keys(json_sv(x), keys);
    }
}

static void read_ask(struct remote_ask *ask, jv record, int link)
{
    jv hits = json_get(record, F_VECTOR_HITS);
    if (link != QUERY_LINK_HITS) {
        keys_of_list(json_get(record, F_ENTITIES), ask->keys);
        keys_of_list(json_get(record, F_QUERIES), ask->keys);
        keys_of_list(json_get(record, F_KEYWORDS), ask->keys);
        link_keys(json_sv(json_get(record, F_QUERY)), ask->keys);
    }
    for (size_t i = 0; link != QUERY_LINK_QUERY && i < json_len(hits) && i < QUERY_MAX_HITS;
         i++) {
        struct sv id = json_sv(json_get(json_at(hits, i), F_ID));
        if (id.n)
            map_put(ask->chunks, id, NULL);
    }
}

struct asking {
    struct cmd_remote remote;
    struct query_cfg cfg;
    const struct cmd_filters *filters;
};

static int answer(const struct asking *a, const struct grg *g, const struct rec *r,
                  struct buf *out, struct err *err)
{
    struct query q = { .g = g, .analyzer = a->remote.analyzer, .cfg = a->cfg };
    struct query_worker worker = { 0 };
    struct sv unknown = SV_NONE; /* in the part at hand: no reason to warn */
    const struct cmd_filters *f = a->filters;
    int rc = filter_make(&q.filter, g, f->relation, f->strict, f->label, f->where,
                         cmd_stances(f), &unknown, err);
    if (rc == 0)
        rc = query_record(&q, &worker, r, out, err);
    query_worker_release(&worker);
    filter_release(&q.filter);
    return rc;
}

static int ask(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
               struct err *err)
{
    struct asking *a = ctx;
    struct grg g;
    struct remote_ask ask = { .keys = map_new(),
                              .chunks = map_new(),
                              .few = QUERY_FEW_LINKS,
                              .rim = 1,
                              .max_nodes = a->cfg.walk.max_nodes,
                              .min_facts = a->cfg.walk.min_facts };
    int rc = query_depth(r->v, &a->cfg, &ask.depth, err);
    if (rc == 0) {
        read_ask(&ask, r->v, a->cfg.link);
        rc = remote_fetch(&a->remote.remotes[worker], &ask, &g, err);
    }
    if (rc == 0) {
        rc = answer(a, &g, r, out, err);
        grg_close(&g);
    }
    map_free(ask.keys);
    map_free(ask.chunks);
    return rc;
}

int query_neo4j(struct run *run, const struct query_cfg *cfg, const struct cmd_filters *filters)
{
    struct asking a = { .cfg = *cfg, .filters = filters };
    struct filter probe;
    struct grg none = { 0 };
    struct sv unknown = SV_NONE;
    int rc = filter_make(&probe, &none, filters->relation, filters->strict, filters->label,
                         filters->where, cmd_stances(filters), &unknown, &run->err);
    filter_release(&probe);
    if (rc == 0)
        rc = cmd_remote_start(&a.remote, run);
    if (rc == 0)
        run_each_slow(run, ask, &a);
    cmd_remote_end(&a.remote);
    if (rc < 0 && run->err.code == EXIT_USAGE)
        return run_usage(run, "%s", run->err.msg);
    return rc < 0 ? run_fail(run) : run_end(run);
}
