// SPDX-License-Identifier: MIT
/*
 * gr-grobid2json — GROBID's TEI files, publishers' JATS and Elsevier XML → paper records
 *
 *   in   TEI, JATS or Elsevier XML: files, compressed files, tar archives, folders, lists of
 *        them, or one file or archive on standard input
 *   out  paper records, one a file, in the order of the operands and of names in folders
 *   memory: --jobs files at a time, each about ten times its size; exit codes: gr-intro(7);
 *   method: see tei.h
 */
#include "pack.h"
#include "render.h"
#include "run.h"
#include "tei.h"
#include "walk.h"

struct convert_cfg {
    struct tei_cfg tei;
    int format; /* enum render_format */
    const char *files_from;
    bool is_null;
    long max_mib;
};
static struct convert_cfg cfg;

static const struct opt options[] = {
    { "Input", 0, OPT_GROUP },
    { "files-from", 0, OPT_STRING, "LIST", NULL,
      "also convert what LIST names, one a line; -: standard input", &cfg.files_from },
    { "null", 0, OPT_FLAG, NULL, NULL, "the names in LIST end with NUL", &cfg.is_null },
    { "max-size", 0, OPT_LONG, "MIB", "64", "largest file in MiB, unpacked", &cfg.max_mib, 1,
      1024 },
    { "Conversion", 0, OPT_GROUP },
    { "coords", 0, OPT_FLAG, NULL, NULL,
      "add page and box of sections, tables, figures and formulas", &cfg.tei.has_coords },
    { "format", 0, OPT_ENUM, "FORM", "json", "records, or documents to read", &cfg.format,
      .choices = "json|markdown|text" },
    { "formulas", 0, OPT_ENUM, "WHERE", "text",
      "display formulas in the section's text too, or apart only", &cfg.tei.formulas,
      .choices = "text|apart" },
    { "strict", 0, OPT_FLAG, NULL, NULL, "reject cut files, and TEI that does not name GROBID",
      &cfg.tei.is_strict },
    RUN_OPTIONS,
};

static const char *libs(void)
{
    static char text[128];
    snprintf(text, sizeof text, "%s, libarchive %s", tei_libs(), pack_libs());
    return text;
}

static const struct tool tool = {
    .name = "gr-grobid2json",
    .summary = "convert GROBID TEI, JATS or Elsevier XML to paper records",
    .only = { .desc = { .operands = "[FILE|DIR]…", .options = options }, .has_no_input = true },
    .libs = libs,
    .footer = "A folder gives the XML and tar files below it, packed or not. Example:\n"
              "  gr-grobid2json tei/ | gr-chunk >chunks.jsonl",
};

/* The file's bytes, read, unpacked. The item is its path; after a NUL its bytes, when the
 * reader had them at hand. */
static int get_bytes(const struct convert_cfg *c, struct sv item, struct sv name,
                     struct buf *bytes, struct err *err)
{
    size_t max = (size_t)c->max_mib << 20;
    struct buf packed = BUF_INIT;
    struct buf *to = pack_is_packed(name) ? &packed : bytes;
    int rc = 0;
    if (item.n > name.n)
        buf_sv(to, sv_from_to(item, name.n + 1, item.n));
    else
        rc = file_read(to, name.p, max, err); /* NUL-terminated: run made it */
    if (rc == 0 && to == &packed)
        rc = pack_unpack(buf_view(&packed), bytes, max, err);
    buf_release(&packed);
    return rc;
}

static int convert(void *ctx, unsigned worker, struct rec *r, struct buf *out, struct err *err)
{
    (void)worker; /* no scratch needed */
    const struct convert_cfg *c = ctx;
    struct buf bytes = BUF_INIT, record = BUF_INIT;
    struct sv item = r->line;
    r->line.n = strlen(item.p);
    int rc = get_bytes(c, item, r->line, &bytes, err);
    if (rc < 0)
        err->code = EXIT_REJECTED; /* one file less; the others are fine */
    else
        rc = tei_convert(&c->tei, r, buf_view(&bytes), c->format ? &record : out, err);
    struct sv rest = buf_view(&record), one;
    while (rc == 0 && c->format && sv_cut(&rest, '\n', &one))
        if (one.n)
            rc = render_record((enum render_format)c->format, one, out, err);
    buf_release(&bytes);
    buf_release(&record);
    return rc;
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct walk_cfg walk_cfg = { .operands = run.operands,
                                 .n_operands = run.n_operands,
                                 .files_from = cfg.files_from,
                                 .is_null = cfg.is_null,
                                 .max_bytes = (size_t)cfg.max_mib << 20 };
    if (cfg.is_null && !cfg.files_from)
        return run_usage(&run, "--null needs --files-from");
    struct walk *walk = walk_new(&walk_cfg, &run.err);
    if (!walk)
        return run_fail(&run);
    tei_setup();
    run_each_item(&run, walk_next, walk, convert, &cfg);
    for (size_t i = 0; i < walk_n_empty(walk); i++)
        diag_warn("%s: no XML file in this folder", walk_empty(walk, i));
    int rc = run_end(&run);
    walk_free(walk);
    return rc;
}
