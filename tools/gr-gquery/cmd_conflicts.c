// SPDX-License-Identifier: MIT
/*
 * cmd_conflicts.c — conflicts: what papers contradict each other in
 *
 *   memory: the mapped file, and about 100 bytes for each value of a subject
 */
#include "cmd.h"

#include "conflicts.h"
#include "file.h"

static struct cmd_filters filters;
static struct conflicts_cfg cfg;
static struct opt_list papers;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt conflicts_options[] = {
    { "Comparing", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "tolerance", 0, OPT_DOUBLE, "P", "5", "percent, where a value has no error",
      &cfg.tolerance, 0, 1000 },
    { "min-errors", 0, OPT_DOUBLE, "N", "1", "joint errors (2σ) they lie apart",
      &cfg.min_errors, 1, 1e6 },
    { "min-difference", 0, OPT_DOUBLE, "P", "0", "percent of the larger value they lie apart",
      &cfg.min_difference, 0, 1e6 },
    { "top", 'k', OPT_LONG, "N", "20", "pairs of papers for one quantity of one thing",
      &cfg.top, 1, 1e6 },
    { "Filters", 0, OPT_GROUP },
    { "paper", 0, OPT_LIST, "ID", NULL, "one side is from this paper, more than once for more",
      &papers },
    { "relation", 0, OPT_STRING, "A,B", NULL, "only of these relations", &filters.relation },
    { "label", 0, OPT_STRING, "A,-B", NULL, "only about things of type A, none of type B",
      &filters.label },
    RUN_OPTIONS,
};
/* clang-format on */

static struct units *load_units(struct err *err)
{
    struct buf path = BUF_INIT;
    struct units *u = NULL;
    if (file_find_data(&path, run_cfg.data, "vocab/unit.tsv", err) == 0)
        u = units_load(buf_cstr(&path), err);
    buf_release(&path);
    return u;
}

/* Names that the graph has nothing of are likely misspelt. */
static struct map *name_papers(const struct grg *g)
{
    struct map *m = papers.n ? map_new() : NULL;
    for (size_t i = 0; i < papers.n; i++) {
        map_put(m, sv_from(papers.items[i]), NULL);
        if (grg_find_str(g, sv_from(papers.items[i])) == GRG_NONE)
            diag_warn("%s: nothing is from paper \"%s\"", cmd_graph, papers.items[i]);
    }
    return m;
}

static void find(struct run *run, const struct grg *g, const struct units *u)
{
    struct buf b = BUF_INIT;
    struct map *wanted = name_papers(g);
    cfg.papers = wanted;
    struct conflicts_count n = conflicts_find(g, u, &cfg, &b);
    run_write(run, buf_view(&b));
    if (n.given < n.found)
        diag_warn("%zu of %zu conflicts are given: --top", n.given, n.found);
    diag_note("%zu conflicts; %zu values were compared", n.found, n.values);
    map_free(wanted);
    buf_release(&b);
}

int conflicts_main(struct run *run)
{
    struct grg g;
    struct filter filter;
    struct sv unknown = SV_NONE;
    if (!cmd_graph)
        return run_usage(run, "which graph? -g FILE");
    if (run->n_operands)
        return run_usage(run, "no operand is expected: \"%s\"", run->operands[0]);
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return run_fail(run);
    struct units *u = load_units(&run->err);
    int rc = u ? filter_make(&filter, &g, filters.relation, NULL, filters.label, NULL, 0,
                             &unknown, &run->err)
               : -1;
    if (unknown.n)
        diag_warn("%s: has nothing of the name \"%.*s\"", cmd_graph, SV_ARG(unknown));
    if (rc == 0) {
        cfg.filter = &filter;
        find(run, &g, u);
        filter_release(&filter);
    }
    units_free(u);
    grg_close(&g);
    return rc < 0 ? run_fail(run) : run_end(run);
}
