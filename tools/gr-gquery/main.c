// SPDX-License-Identifier: MIT
/*
 * gr-gquery — the knowledge graph: build it from triples, ask it, look at it
 *
 *   in   query records or plain lines   {"query", "class", "keywords", "vector_hits", …}
 *   out  the same records, order kept   with `entities`, `graph_hits` and one entry of `trace`
 *   memory: the mapped graph, and about 14 bytes a node and 9 a triple for each worker
 *   exit codes: gr-intro(7); method: see link.h and walk.h; the other commands: see cmd.h
 */
#include "cmd.h"

#include "alloc.h"
#include "ask_names.h"
#include "query.h"
#include "schema.h"
#include "sv.h"

const char *cmd_graph;
static struct query_cfg cfg;
static struct cmd_filters filters;
static struct llm_cfg model = { .max_tokens = 400, .form = LLM_SCHEMA };

/* clang-format off: it aligns rows of tables by columns that it makes up */
static const struct opt query_options[] = {
    { "Asking", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "link", 0, OPT_ENUM, "WHAT", "both", "where names are looked for", &cfg.link,
      .choices = "query|hits|both" },
    { "depth", 0, OPT_LONG, "N", "2", "hops when neither the record nor its class says",
      &cfg.walk.depth, 1, 10 },
    { "top", 'k', OPT_LONG, "N", "20", "facts to give", &cfg.walk.limit, 1, 10000 },
    { "redundant", 0, OPT_FLAG, NULL, NULL, "give facts that say the same as a better one, too",
      &cfg.walk.keeps_redundant },
    { "chunks", 0, OPT_LONG, "N", "10", "passages to offer", &cfg.walk.chunks, 0, 1000 },
    { "min-facts", 0, OPT_LONG, "N", "5", "go deeper while there are fewer",
      &cfg.walk.min_facts, 0, 10000 },
    { "max-nodes", 0, OPT_LONG, "N", "1000", "go no deeper when there would be more",
      &cfg.walk.max_nodes, 1, 1e7 },
    { "max-degree", 0, OPT_LONG, "N", "200", "edges walked from one node, 0: all",
      &cfg.walk.max_degree, 0, 1e9 },
    { "triples", 0, OPT_FLAG, NULL, NULL, "add the whole source record to each fact",
      &cfg.wants_triples },
    { "Filters", 0, OPT_GROUP },
    FILTER_OPTIONS(filters),
    STANCE_OPTIONS(filters),
    { "where", 0, OPT_STRING, "COND", NULL,
      "facts with such values: \"SiO2 45..52 wt% and Rb < 100 ppm\"", &filters.where },
    LLM_TASK_OPTIONS(model, "ask URL/chat/completions what the question names, too"),
    NEO4J_OPTIONS,
    NO_APOC_OPTION,
    RUN_OPTIONS,
};
/* clang-format on */

struct asking {
    struct query query;
    struct query_worker *workers;
    struct llm_task *namer; /* NULL: no model is asked */
};

static int ask(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
               struct err *err)
{
    struct asking *a = ctx;
    struct err why;
    struct sv question = json_sv(json_get(r->v, F_QUERY));
    buf_reset(&a->workers[worker].names);
    if (a->namer && question.n &&
        llm_task_run(a->namer, worker, question, ask_names_read, &a->workers[worker].names,
                     &why) < 0)
        llm_task_warn(a->namer, r, "read without the model", &why);
    return query_record(&a->query, &a->workers[worker], r, out, err);
}

/* The graph's terms were made by one analyser; a question has to go through the same. */
static int check_analyzer(const struct query *q, struct err *err)
{
    struct sv built = grg_str(q->g, q->g->meta.analyzer);
    if (sv_is(built, analyzer_name(q->analyzer)))
        return 0;
    return err_set(err, EXIT_FATAL, "%s: built with the analyser %.*s, not %s: build it anew",
                   cmd_graph, SV_ARG(built), analyzer_name(q->analyzer));
}

static int start_model(struct run *run, struct asking *a)
{
    model.timeout_s = cmd_neo4j.timeout_s;
    model.tries = cmd_neo4j.tries;
    a->namer = llm_task_new(&ask_names_form, &model, run->jobs, &run->err);
    return a->namer ? 0 : -1;
}

static int query_main(struct run *run)
{
    struct grg g;
    struct sv unknown = SV_NONE;
    cfg.has_timings = run_cfg.has_timings;
    if (!cmd_graph == !cmd_neo4j.url)
        return run_usage(run, "which graph? -g FILE or --neo4j URL");
    if (cmd_neo4j.url && model.api)
        return run_usage(run, "--api: not with --neo4j");
    if (llm_task_check(run, &model))
        return EXIT_USAGE;
    if (cmd_neo4j.url)
        return query_neo4j(run, &cfg, &filters);
    if (grg_open(&g, cmd_graph, &run->err) < 0)
        return run_fail(run);
    struct asking a = { .query = { .g = &g, .cfg = cfg } };
    struct analyzer *analyzer = analyzer_new(NULL, NULL, &run->err);
    a.query.analyzer = analyzer;
    int rc = -1;
    if (analyzer && check_analyzer(&a.query, &run->err) == 0)
        rc = filter_make(&a.query.filter, &g, filters.relation, filters.strict, filters.label,
                         filters.where, cmd_stances(&filters), &unknown, &run->err);
    if (unknown.n)
        diag_warn("%s: has nothing of the name \"%.*s\"", cmd_graph, SV_ARG(unknown));
    a.workers = alloc_zero(run->jobs, sizeof *a.workers);
    if (rc == 0 && model.api)
        rc = start_model(run, &a);
    if (rc == 0)
        (a.namer ? run_each_slow : run_each)(run, ask, &a);
    llm_task_free(a.namer);
    for (unsigned i = 0; i < run->jobs; i++)
        query_worker_release(&a.workers[i]);
    free(a.workers);
    filter_release(&a.query.filter);
    analyzer_free(analyzer);
    grg_close(&g);
    if (rc < 0 && run->err.code == EXIT_USAGE)
        return run_usage(run, "%s", run->err.msg);
    return rc < 0 ? run_fail(run) : run_end(run);
}

static const struct tool_cmd cmds[] = {
    { { "query", "facts about what a question names", "[FILE]…", query_options },
      query_main,
      false },
    { { "build", "make a graph of triple records", "[FILE]…", build_options },
      build_main,
      false },
    { { "add", "add triple records to a graph", "[FILE]…", add_options }, add_main, false },
    { { "drop", "take papers out of a graph", "", drop_options }, drop_main, true },
    { { "merge", "one graph of several", "GRAPH…", merge_options }, merge_main, true },
    { { "subgraph", "all within some hops of things", "[FILE]…", subgraph_options },
      subgraph_main,
      false },
    { { "path", "shortest paths between two things", "FROM TO", path_options },
      path_main,
      true },
    { { "conflicts", "what papers contradict each other in", "", conflicts_options },
      conflicts_main,
      true },
    { { "aliases", "names that may be one, as a table to review", "", aliases_options },
      aliases_main,
      true },
    { { "rename", "apply a table of aliases to triple records", "[FILE]…", rename_options },
      rename_main,
      false },
    { { "export", "the graph as text for other programs", "", export_options },
      export_main,
      true },
    { { "load", "put a graph into a Neo4j server", "", load_options }, load_main, true },
    { { "draw", "a part of the graph as an image or DOT text", "", draw_options },
      draw_main,
      true },
    { { "info", "counts, hubs, conflicts of type", "", info_options }, info_main, true },
    { { "verify", "check every byte of a graph", "", verify_options }, verify_main, true },
};

static const struct tool tool = {
    .name = "gr-gquery",
    .summary = "build, query and draw the knowledge graph",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .default_cmd = "query",
    .takes_text = true,
    .footer = "Examples:\n"
              "  gr-triples chunks.ndjson | gr-gquery build -o kg.grg\n"
              "  echo 'What is the 87Sr/86Sr of seawater?' | gr-gquery -g kg.grg",
};

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
