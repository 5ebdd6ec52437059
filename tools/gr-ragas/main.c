// SPDX-License-Identifier: MIT
/*
 * gr-ragas — score answers and retrieval, compare systems
 *
 *   in   evaluation records {"user_input","retrieved_contexts","response","reference",…} or
 *        query records {"query","context","vector_hits","response","reference",…}
 *   out  score: the same records with `scores`, `why` and a trace entry     order kept
 *        compare, plot, report: a table, a chart, a page
 *   memory: score: one batch of records; the others: all scores; exit codes: gr-intro(7)
 *   method: metrics.h and what it names
 */
#include "cmds.h"

static const struct tool_cmd cmds[] = {
    { { "score", "add scores to each record", "[FILE]…", score_options }, cmd_score, false },
    { { "compare", "means of scored files, differences and tests", "[FILE]…", compare_options },
      cmd_compare,
      false },
    { { "plot", "bars of scored files, as text, SVG or PNG", "[FILE]…", plot_options },
      cmd_plot,
      false },
    { { "report", "one HTML page: table, bars, worst answers", "[FILE]…", report_options },
      cmd_report,
      false },
};

static const struct tool tool = {
    .name = "gr-ragas",
    .summary = "score answers and retrieval, compare systems",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .default_cmd = "score",
    .footer = "Example: gr-ragas answers.ndjson >scored.ndjson; gr-ragas compare scored.ndjson",
};

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
