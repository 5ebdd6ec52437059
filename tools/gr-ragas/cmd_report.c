// SPDX-License-Identifier: MIT
/*
 * cmd_report.c — scored files as a page
 */
#include "cmds.h"

#include "cmds_read.h"
#include "report.h"
#include "utf8.h"

static struct {
    struct read_cfg read;
    const char *title, *rank_by;
    bool no_class;
    long worst, resamples;
} cfg;

/* clang-format off */
const struct opt report_options[] = {
    { "Page", 0, OPT_GROUP },
    { "title", 0, OPT_STRING, "TEXT", "Evaluation", "title of the page", &cfg.title },
    READ_OPTIONS(cfg.read),
    { "worst", 0, OPT_LONG, "N", "10", "questions that are shown with their answers", &cfg.worst,
      0, 100000 },
    { "rank-by", 0, OPT_STRING, "METRIC", NULL,
      "metric that says which are worst (when not given: of the answer's correctness)",
      &cfg.rank_by },
    { "no-class", 0, OPT_FLAG, NULL, NULL, "no tables for the classes of questions",
      &cfg.no_class },
    { "resamples", 0, OPT_LONG, "N", "10000",
      "of bootstrap and permutation test, 0: neither", &cfg.resamples, 0, 1e7 },
    RUN_OPTIONS,
};
/* clang-format on */

int cmd_report(struct run *run)
{
    struct results results;
    struct comparison c;
    struct buf page = BUF_INIT;
    if (utf8_check(sv_from(cfg.title)) != SIZE_MAX)
        return run_usage(run, "--title: not valid UTF-8");
    if (read_results(run, &results, &cfg.read, true) < 0)
        return read_failed(run, &results);
    const struct comparison_cfg how = { (size_t)cfg.resamples, (uint64_t)run_cfg.seed, false,
                                        !cfg.no_class };
    const struct report_cfg report = { cfg.title, (size_t)cfg.worst, cfg.rank_by };
    comparison_init(&c, &how, &results);
    int rc = report_write(&page, &report, &c, &how, &run->err);
    comparison_release(&c);
    if (rc == 0)
        run_write(run, buf_view(&page));
    buf_release(&page);
    if (rc < 0)
        return read_failed(run, &results);
    results_release(&results);
    return run_end(run);
}
