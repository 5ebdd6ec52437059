// SPDX-License-Identifier: MIT
/*
 * cmd_compare.c — scored files as a table
 */
#include "cmds.h"

#include "cmds_read.h"

static struct {
    struct read_cfg read;
    int format;
    bool by_class, all_queries;
    long resamples;
} cfg;

/* clang-format off */
const struct opt compare_options[] = {
    { "Comparison", 0, OPT_GROUP },
    { "format", 0, OPT_ENUM, "FORM", "text", "form of the table", &cfg.format,
      .choices = "text|json|csv|markdown" },
    READ_OPTIONS(cfg.read),
    { "by-class", 0, OPT_FLAG, NULL, NULL, "further rows for each class of questions",
      &cfg.by_class },
    { "all-queries", 0, OPT_FLAG, NULL, NULL,
      "records that one file lacks count 0 in it, as with trec_eval -c", &cfg.all_queries },
    { "resamples", 0, OPT_LONG, "N", "10000",
      "of bootstrap and permutation test, 0: neither", &cfg.resamples, 0, 1e7 },
    RUN_OPTIONS,
};
/* clang-format on */

int cmd_compare(struct run *run)
{
    struct results results;
    if (read_results(run, &results, &cfg.read, false) < 0)
        return read_failed(run, &results);
    const struct comparison_cfg how = { (size_t)cfg.resamples, (uint64_t)run_cfg.seed,
                                        cfg.all_queries, cfg.by_class };
    struct comparison c;
    struct buf table = BUF_INIT;
    comparison_init(&c, &how, &results);
    table_write(&table, &c, &how, (enum table_format)cfg.format);
    run_write(run, buf_view(&table));
    buf_release(&table);
    comparison_release(&c);
    results_release(&results);
    return run_end(run);
}
