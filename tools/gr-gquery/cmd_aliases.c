// SPDX-License-Identifier: MIT
/*
 * cmd_aliases.c — aliases: names of a graph that may be one; rename: what was accepted, applied
 *
 *   aliases  a graph → a table to review            memory: some 16 bytes a letter of names
 *   rename   triple records → the same, renamed     memory: the table, one batch of records
 */
#include "cmd.h"

#include "aliases.h"

static const char *table;
static bool is_undoing;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt aliases_options[] = {
    { "Proposing", 0, OPT_GROUP },
    GRAPH_OPTION,
    RUN_OPTIONS,
};

const struct opt rename_options[] = {
    { "Renaming", 0, OPT_GROUP },
    { "aliases", 'a', OPT_STRING, "FILE", NULL, "the table; rows with y in column accept count",
      &table },
    { "undo", 0, OPT_FLAG, NULL, NULL, "give names back that were changed", &is_undoing },
    RUN_OPTIONS,
};
/* clang-format on */

int aliases_main(struct run *run)
{
    struct grg g;
    struct buf b = BUF_INIT;
    bool is_cut;
    if (!cmd_graph)
        return run_usage(run, "which graph? -g FILE");
    if (run->n_operands)
        return run_usage(run, "no operand is expected: \"%s\"", run->operands[0]);
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return run_fail(run);
    size_t n = aliases_propose(&g, &is_cut, &b);
    if (is_cut)
        diag_warn("%s: more than %d nodes: names were not compared letter by letter", cmd_graph,
                  ALIASES_MAX_NODES);
    diag_note("%zu proposals", n);
    run_write(run, buf_view(&b));
    buf_release(&b);
    grg_close(&g);
    return run_end(run);
}

static int rename_one(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                      struct err *err)
{
    (void)worker;
    if (!json_is_null(json_get(r->v, "head")) && !json_is_null(json_get(r->v, "tail"))) {
        aliases_apply(ctx, r, out);
        return 0;
    }
    return err_set(err, EXIT_REJECTED, "no triple: expected \"head\" and \"tail\"");
}

int rename_main(struct run *run)
{
    if (!table == !is_undoing)
        return run_usage(run, "--aliases FILE or --undo");
    struct aliases *a = table ? aliases_read(table, &run->err) : NULL;
    if (table && !a)
        return run_fail(run);
    if (a && !aliases_count(a))
        diag_warn("%s: no row is accepted", table);
    run_each(run, rename_one, a);
    aliases_free(a);
    return run_end(run);
}
