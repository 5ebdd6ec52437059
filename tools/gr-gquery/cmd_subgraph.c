// SPDX-License-Identifier: MIT
/*
 * cmd_subgraph.c — subgraph: all that lies within some hops of what a record names
 *
 *   in   records or plain lines: `query` is the name or id of a node
 *   out  the same records with `nodes` and `relationships`
 *   memory: 4 bytes a node for each worker; with --neo4j the part that is asked about
 */
#include "cmd.h"

#include "alloc.h"
#include "near.h"
#include "schema.h"
#include "subgraph.h"
#include "text.h"

static struct subgraph_cfg cfg;
static struct cmd_filters filters;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt subgraph_options[] = {
    { "Walking", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "depth", 0, OPT_LONG, "N", "2", "hops", &cfg.depth, 1, 10 },
    { "limit", 0, OPT_LONG, "N", "0", "nodes to give, the nearest, 0: all", &cfg.limit, 0,
      1e9 },
    { "max-degree", 0, OPT_LONG, "N", "0", "do not go on from nodes of more edges, 0: do",
      &cfg.max_degree, 0, 1e9 },
    FILTER_OPTIONS(filters),
    STANCE_OPTIONS(filters),
    NEO4J_OPTIONS,
    NO_APOC_OPTION,
    RUN_OPTIONS,
};
/* clang-format on */

struct walking {
    struct grg *g; /* NULL: in a server */
    struct cmd_remote remote;
    struct filter filter;   /* of g */
    struct subgraph *walks; /* (jobs) of g */
};

/* A name that no node has: the one that it may be a misspelling or the beginning of, with a
 * warning. Of a server only what was asked about is here, so that nothing is near. */
static int link_near(const struct grg *g, struct sv name, struct links *start, struct err *err)
{
    struct buf names = BUF_INIT;
    size_t n = near_any(g, name, start, &names);
    int shown = (int)(name.n < 80 ? name.n : 80), rc = 0;
    if (n == 1)
        diag_warn("no node is called \"%.*s\": %s is taken", shown, name.p, buf_cstr(&names));
    else
        rc = err_set(err, EXIT_REJECTED, "no node is called \"%.*s\"%s%s", shown, name.p,
                     n ? "; near are " : "", buf_cstr(&names));
    buf_release(&names);
    return rc;
}

static int put_around(const struct grg *g, struct subgraph *walk, const struct filter *filter,
                      const struct rec *r, struct buf *out, struct err *err)
{
    static const char *const drop[] = { F_DEPTH, "nodes", "relationships", "limited" };
    struct links start = { 0 };
    struct sv name;
    if (json_need_str(r->v, F_QUERY, &name, err) < 0)
        return -1;
    if (!link_name(g, name, &start) && link_near(g, name, &start, err) < 0) {
        links_release(&start);
        return -1;
    }
    subgraph_start(walk, g);
    subgraph_walk(walk, &start, filter, &cfg);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, F_DEPTH);
    json_put_int(out, cfg.depth);
    subgraph_put(walk, out);
    rec_end(out);
    links_release(&start);
    return 0;
}

static int from_file(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                     struct err *err)
{
    struct walking *w = ctx;
    return put_around(w->g, &w->walks[worker], &w->filter, r, out, err);
}

/* As link_name looks it up. */
static void add_name(struct sv name, struct map *keys)
{
    struct buf key = BUF_INIT;
    map_put(keys, sv_trim(name), NULL);
    text_key(sv_trim(name), TEXT_KEY_SINGULAR, &key);
    map_put(keys, buf_view(&key), NULL);
    buf_release(&key);
}

static int from_server(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                       struct err *err)
{
    struct walking *w = ctx;
    struct remote_ask ask = { .keys = map_new(), .depth = cfg.depth };
    struct subgraph walk = { 0 };
    struct filter filter;
    struct sv unknown = SV_NONE;
    struct grg g;
    add_name(json_sv(json_get(r->v, F_QUERY)), ask.keys);
    int rc = remote_fetch(&w->remote.remotes[worker], &ask, &g, err);
    map_free(ask.keys);
    if (rc < 0)
        return -1;
    rc = filter_make(&filter, &g, filters.relation, filters.strict, filters.label, NULL,
                     cmd_stances(&filters), &unknown, err);
    if (rc == 0)
        rc = put_around(&g, &walk, &filter, r, out, err);
    filter_release(&filter);
    subgraph_release(&walk);
    grg_close(&g);
    return rc;
}

static int walk_file(struct run *run, struct walking *w)
{
    struct grg g;
    struct sv unknown = SV_NONE;
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return -1;
    w->g = &g;
    int rc = filter_make(&w->filter, &g, filters.relation, filters.strict, filters.label, NULL,
                         cmd_stances(&filters), &unknown, &run->err);
    if (unknown.n)
        diag_warn("%s: has nothing of the name \"%.*s\"", cmd_graph, SV_ARG(unknown));
    w->walks = alloc_zero(run->jobs, sizeof *w->walks);
    if (rc == 0)
        run_each(run, from_file, w);
    for (unsigned i = 0; i < run->jobs; i++)
        subgraph_release(&w->walks[i]);
    free(w->walks);
    filter_release(&w->filter);
    grg_close(&g);
    return rc;
}

static int walk_server(struct run *run, struct walking *w)
{
    int rc = cmd_remote_start(&w->remote, run);
    if (rc == 0)
        run_each_slow(run, from_server, w);
    cmd_remote_end(&w->remote);
    return rc;
}

int subgraph_main(struct run *run)
{
    struct walking w = { 0 };
    if (!cmd_graph == !cmd_neo4j.url)
        return run_usage(run, "which graph? -g FILE or --neo4j URL");
    if (filters.relation && filters.strict)
        return run_usage(run, "--relation and --strict-rel: only one of them");
    int rc = cmd_graph ? walk_file(run, &w) : walk_server(run, &w);
    if (rc < 0 && run->err.code == EXIT_USAGE)
        return run_usage(run, "%s", run->err.msg);
    return rc < 0 ? run_fail(run) : run_end(run);
}
