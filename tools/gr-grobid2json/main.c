// SPDX-License-Identifier: MIT
/*
 * gr-grobid2json — GROBID's TEI files → paper records
 *
 *   in   TEI files, folders of them, or one TEI on standard input
 *   out  paper records, one a file, in the order of the operands and of names in folders
 *   memory: --jobs files at a time, each about ten times its size; exit codes: gr-intro(7);
 *   method: see tei.h
 */
#include "run.h"
#include "tei.h"
#include "walk.h"

struct convert_cfg {
    struct tei_cfg tei;
    long max_mib;
};
static struct convert_cfg cfg;

static const struct opt options[] = {
    { "Conversion", 0, OPT_GROUP },
    { "coords", 0, OPT_FLAG, NULL, NULL,
      "add page and box of sections, tables, figures and formulas", &cfg.tei.has_coords },
    { "formulas", 0, OPT_ENUM, "WHERE", "text",
      "display formulas in the section's text too, or apart only", &cfg.tei.formulas,
      .choices = "text|apart" },
    { "max-size", 0, OPT_LONG, "MIB", "64", "largest file in MiB", &cfg.max_mib, 1, 1024 },
    { "strict", 0, OPT_FLAG, NULL, NULL, "reject cut files and files that do not name GROBID",
      &cfg.tei.is_strict },
    RUN_OPTIONS,
};

static const struct tool tool = {
    .name = "gr-grobid2json",
    .summary = "convert GROBID TEI to paper records",
    .only = { .desc = { .operands = "[FILE|DIR]…", .options = options }, .has_no_input = true },
    .libs = tei_libs,
    .footer = "A folder gives the *.xml and *.tei files below it. Example:\n"
              "  gr-grobid2json tei/ | gr-chunk >chunks.jsonl",
};

static int convert(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                   struct err *err)
{
    (void)worker; /* no scratch needed */
    const struct convert_cfg *c = ctx;
    /* The record is the worker's own until it returns: the XML line goes into it. */
    struct rec *mine = (struct rec *)(uintptr_t)r;
    struct buf bytes = BUF_INIT;
    int rc = file_read(&bytes, r->line.p, /* NUL-terminated: run made it */
                       (size_t)c->max_mib << 20, err);
    if (rc < 0)
        err->code = EXIT_REJECTED; /* one file less; the others are fine */
    else
        rc = tei_convert(&c->tei, mine, buf_view(&bytes), out, err);
    buf_release(&bytes);
    return rc;
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct walk *walk = walk_new(run.operands, run.n_operands, &run.err);
    if (!walk)
        return run_fail(&run);
    tei_setup();
    run_each_item(&run, walk_next, walk, convert, &cfg);
    for (size_t i = 0; i < walk_n_empty(walk); i++)
        diag_warn("%s: no *.xml or *.tei file in this folder", walk_empty(walk, i));
    int rc = run_end(&run);
    walk_free(walk);
    return rc;
}
