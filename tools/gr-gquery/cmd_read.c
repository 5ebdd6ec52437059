// SPDX-License-Identifier: MIT
/*
 * cmd_read.c — path, export, draw, info, verify: looking at a graph file
 *
 *   memory: the mapped file and a few bytes a node
 */
#include "cmd.h"

#include "draw.h"
#include "export.h"
#include "info.h"
#include "near.h"
#include "path.h"

static struct path_cfg path_cfg;
static int format;
static long top, depth, max_nodes;
static const char *around;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt path_options[] = {
    { "Paths", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "max-hops", 0, OPT_LONG, "N", "4", "longest path", &path_cfg.max_hops, 1, PATH_MAX_HOPS },
    { "top", 'k', OPT_LONG, "N", "20", "paths to give", &path_cfg.limit, 1, 10000 },
    { "max-degree", 0, OPT_LONG, "N", "0", "lead through no node of more edges, 0: any",
      &path_cfg.max_degree, 0, 1e9 },
    RUN_OPTIONS,
};

const struct opt export_options[] = {
    { "Exporting", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "format", 0, OPT_ENUM, "FORM", "ndjson", "form of the text", &format,
      .choices = "ndjson|cypher|graphml|dot|csv-nodes|csv-edges|ntriples" },
    RUN_OPTIONS,
};

const struct opt draw_options[] = {
    { "Drawing", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "around", 0, OPT_STRING, "NAME", NULL,
      "draw what is near this (default: the nodes of most edges)", &around },
    { "depth", 0, OPT_LONG, "N", "2", "hops around it", &depth, 1, 10 },
    { "max-nodes", 0, OPT_LONG, "N", "40", "at most so many nodes", &max_nodes, 1, 100000 },
    RUN_OPTIONS,
};

const struct opt info_options[] = {
    { "Information", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "top", 'k', OPT_LONG, "N", "10", "nodes of most edges, and conflicts, to list", &top, 0,
      1e6 },
    RUN_OPTIONS,
};

const struct opt verify_options[] = {
    { "Verifying", 0, OPT_GROUP },
    GRAPH_OPTION,
    RUN_OPTIONS,
};
/* clang-format on */

/* A name that no node has: the one that it may be a misspelling or the beginning of, with a
 * warning; an error that tells them when there are several. */
static int link_near(struct run *run, const struct grg *g, const char *name, struct links *l)
{
    struct links near = { 0 };
    struct buf names = BUF_INIT;
    near_any(g, sv_from(name), &near, &names);
    if (near.n == 1) {
        diag_warn("%s: no node is called \"%s\": %s is taken", cmd_graph, name,
                  buf_cstr(&names));
        links_add(l, &near.items[0]);
    } else {
        err_set(&run->err, EXIT_FATAL, "%s: no node is called \"%s\"%s%s", cmd_graph, name,
                near.n ? "; near are " : "", buf_cstr(&names));
    }
    buf_release(&names);
    links_release(&near);
    return l->n ? 0 : -1;
}

static int link_operand(struct run *run, const struct grg *g, const char *name, struct links *l)
{
    return link_name(g, sv_from(name), l) ? 0 : link_near(run, g, name, l);
}

int path_main(struct run *run)
{
    struct grg g;
    struct links from = { 0 }, to = { 0 };
    struct buf b = BUF_INIT;
    bool is_cut = false;
    if (!cmd_graph)
        return run_usage(run, "which graph? -g FILE");
    if (run->n_operands != 2)
        return run_usage(run, "expected two names: FROM TO");
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return run_fail(run);
    int rc = link_operand(run, &g, run->operands[0], &from);
    rc = rc < 0 ? rc : link_operand(run, &g, run->operands[1], &to);
    if (rc == 0 && path_find(&g, &from, &to, &path_cfg, &is_cut, &b) == 0)
        diag_warn("no path of %ld hops or fewer between \"%s\" and \"%s\"", path_cfg.max_hops,
                  run->operands[0], run->operands[1]);
    if (is_cut)
        diag_warn("too many ways: some longer paths are left out; --max-degree or --max-hops");
    run_write(run, buf_view(&b));
    buf_release(&b);
    links_release(&from);
    links_release(&to);
    grg_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}

static bool sink(void *ctx, struct sv text)
{
    struct run *run = ctx;
    run_write(run, text);
    return run->stop_code == EXIT_ALL_DONE;
}

/* Common start of the commands that take nothing but -g. */
static bool start(struct run *run, struct grg *g, int *code)
{
    if (!cmd_graph)
        *code = run_usage(run, "which graph? -g FILE");
    else if (run->n_operands)
        *code = run_usage(run, "no operand is expected: \"%s\"", run->operands[0]);
    else if (grg_open(g, cmd_graph, &run->err) < 0)
        *code = run_fail(run);
    else
        return true;
    return false;
}

int export_main(struct run *run)
{
    struct grg g;
    int code;
    if (!start(run, &g, &code))
        return code;
    int rc = export_graph(&g, (enum export_format)format, sink, run, &run->err);
    grg_close(&g);
    /* A full disk is told by run_end, in better words. */
    return rc < 0 && run->stop_code == EXIT_ALL_DONE ? run_fail(run) : run_end(run);
}

int draw_main(struct run *run)
{
    struct grg g;
    struct links near = { 0 };
    struct buf dot = BUF_INIT, image = BUF_INIT;
    int code, rc = 0;
    if (!start(run, &g, &code))
        return code;
    const char *form = run_cfg.output ? draw_format(run_cfg.output) : NULL;
    if (around)
        rc = link_operand(run, &g, around, &near);
    if (rc == 0)
        draw_dot(&g, &near, depth, max_nodes, &dot);
    if (rc == 0 && form)
        rc = draw_image(buf_view(&dot), form, &image, &run->err);
    if (rc == 0)
        run_write(run, buf_view(form ? &image : &dot));
    buf_release(&dot);
    buf_release(&image);
    links_release(&near);
    grg_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}

int info_main(struct run *run)
{
    struct grg g;
    struct buf b = BUF_INIT;
    int code;
    if (!start(run, &g, &code))
        return code;
    info_put(&g, (size_t)top, &b);
    run_write(run, buf_view(&b));
    buf_release(&b);
    grg_close(&g);
    return run_end(run);
}

int verify_main(struct run *run)
{
    struct grg g;
    int code;
    if (!start(run, &g, &code))
        return code;
    int rc = grg_verify(&g, &run->err);
    if (rc == 0)
        diag_note("%s: whole: %zu nodes, %zu edges, %zu triples", cmd_graph, g.n_nodes,
                  g.n_edges, g.n_triples);
    grg_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}
