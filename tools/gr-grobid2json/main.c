// SPDX-License-Identifier: MIT
/*
 * gr-grobid2json — GROBID's TEI files, publishers' JATS and Elsevier XML → paper records
 *
 *   in   TEI, JATS or Elsevier XML: files, compressed files, tar archives, folders, lists of
 *        them, or one file or archive on standard input; with --grobid also PDF files, which
 *        a GROBID service makes TEI of
 *   out  paper records, one a file, in the order of the operands and of names in folders
 *   memory: --jobs files at a time, each about ten times its size; their trees together at most
 *   16 times --max-size; exit codes: gr-intro(7); method: see tei.h, and service.h for PDF
 */
#include <inttypes.h>
#include <unistd.h>

#include "fetch.h"
#include "pack.h"
#include "pdf.h"
#include "render.h"
#include "run.h"
#include "tei.h"
#include "walk.h"

/* Trees of files at hand may take so many times --max-size. */
#define TREES_TO_MAX ((size_t)16)

struct convert_cfg {
    struct tei_cfg tei;
    int format; /* enum render_format */
    const char *files_from;
    bool is_null;
    long max_mib;
    const char *grobid; /* NULL: no service, no PDF */
    struct fetch_cfg pdf;
    struct fetch *fetch; /* set before the workers start */
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
    { "PDF", 0, OPT_GROUP },
    { "grobid", 0, OPT_STRING, "URL", NULL,
      "convert PDF files too, by the GROBID service at this address", &cfg.grobid },
    { "grobid-set", 0, OPT_LIST, "NAME=VALUE", NULL,
      "a field of the request as GROBID names it, like segmentSentences=1; may be repeated",
      &cfg.pdf.settings },
    { "keep-tei", 0, OPT_STRING, "DIR", NULL,
      "keep the service's TEI in this folder, and take it from there", &cfg.pdf.keep_dir },
    { "timeout", 0, OPT_LONG, "SECONDS", "300", "limit of one request",
      &cfg.pdf.service.timeout_s, 1, 86400 },
    { "tries", 0, OPT_LONG, "N", "4", "attempts before giving up", &cfg.pdf.service.tries, 1,
      100 },
    { "max-wait", 0, OPT_LONG, "SECONDS", "1800",
      "how long a PDF waits for a busy service in all", &cfg.pdf.service.max_wait_s, 0,
      604800 },
    RUN_OPTIONS,
};

static const char *libs(void)
{
    static char text[128];
    snprintf(text, sizeof text, "%s, libarchive %s, libcurl %s", tei_libs(), pack_libs(),
             service_libs());
    return text;
}

static const struct tool tool = {
    .name = "gr-grobid2json",
    .summary = "convert GROBID TEI, JATS, Elsevier XML or PDF to paper records",
    .only = { .desc = { .operands = "[FILE|DIR]…", .options = options }, .has_no_input = true },
    .libs = libs,
    .footer = "A folder gives the XML and tar files below it, packed or not, and the PDF\n"
              "files with --grobid. Example:\n"
              "  gr-grobid2json tei/ | gr-chunk >chunks.jsonl",
};

/* file_read; its message names the file, as run's does before each. name: NUL-terminated. */
static int read_named(struct buf *to, struct sv name, size_t max, struct err *err)
{
    if (file_read(to, name.p, max, err) == 0)
        return 0;
    struct err full = *err;
    struct sv why = sv_from(full.msg);
    if (sv_starts(why, name) && sv_starts(sv_from_to(why, name.n, why.n), SV(": ")))
        why = sv_from_to(why, name.n + 2, why.n);
    return err_set(err, full.code, "%.*s%s", SV_ARG(why),
                   to->len > max ? ": raise --max-size" : "");
}

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
        rc = read_named(to, name, max, err);
    if (rc == 0 && to == &packed)
        rc = pack_unpack(buf_view(&packed), bytes, max, err);
    buf_release(&packed);
    return rc;
}

static int convert(void *ctx, unsigned worker, struct rec *r, struct buf *out, struct err *err)
{
    const struct convert_cfg *c = ctx;
    struct buf bytes = BUF_INIT, record = BUF_INIT;
    struct buf *to = c->format ? &record : out;
    struct sv item = r->line;
    char hex[65] = ""; /* of a PDF */
    r->line.n = strlen(item.p);
    int rc = get_bytes(c, item, r->line, &bytes, err);
    if (rc < 0)
        err->code = EXIT_REJECTED; /* one file less; the others are fine */
    bool is_pdf = rc == 0 && pdf_is(buf_view(&bytes), r->line);
    if (is_pdf)
        rc = fetch_tei(c->fetch, worker, r, &bytes, hex, err);
    if (rc == 0 && is_pdf) {
        rc = tei_convert_as(&c->tei, r, buf_view(&bytes), hex, to, err);
        if (rc < 0)
            err_prefix(err, "GROBID's TEI");
    } else if (rc == 0) {
        rc = tei_convert(&c->tei, r, buf_view(&bytes), to, err);
    }
    struct sv rest = buf_view(&record), one;
    while (rc == 0 && c->format && sv_cut(&rest, '\n', &one))
        if (one.n)
            rc = render_record((enum render_format)c->format, one, out, err);
    buf_release(&bytes);
    buf_release(&record);
    return rc;
}

static const char *misuse(void)
{
    if (cfg.is_null && !cfg.files_from)
        return "--null needs --files-from";
    if (cfg.pdf.keep_dir && !cfg.grobid)
        return "--keep-tei needs --grobid";
    if (cfg.pdf.settings.n && !cfg.grobid)
        return "--grobid-set needs --grobid";
    return NULL;
}

static void say_wait(const char *why)
{
    diag_warn("waiting for GROBID, up to %ld s a PDF (--max-wait): %s",
              cfg.pdf.service.max_wait_s, why);
}

static int set_up_pdf(struct run *run)
{
    struct service_cfg *s = &cfg.pdf.service;
    s->url = cfg.grobid;
    s->n_workers = run->jobs;
    s->max_reply = (size_t)cfg.max_mib << 20;
    /* Waits are in no record: processes of one array job should not all come at once. */
    s->seed = (uint64_t)run_cfg.seed ^ (uint64_t)getpid() << 32;
    s->on_long_wait = say_wait;
    cfg.pdf.has_coords = cfg.tei.has_coords;
    cfg.fetch = fetch_new(&cfg.pdf, &run->err);
    run->out.flush_each = true; /* what took long is kept when the rest fails */
    return cfg.fetch ? 0 : -1;
}

static void say_counts(const struct walk *walk)
{
    const char *what = cfg.grobid ? "XML or PDF" : "XML";
    for (size_t i = 0; i < walk_n_empty(walk); i++)
        diag_warn("%s: no %s file in this folder%s", walk_empty(walk, i), what,
                  walk_n_pdf(walk) ? "; PDF files need --grobid=URL" : "");
    if (!cfg.grobid && walk_n_pdf(walk))
        diag_note("PDF files passed over: %zu: they need --grobid=URL", walk_n_pdf(walk));
    if (!cfg.fetch)
        return;
    struct fetch_counts n = fetch_counts(cfg.fetch);
    diag_note("PDF: %" PRIu64 " posts, %" PRIu64 " waits for a busy service, %" PRIu64
              " taken from what was kept",
              n.service.n_posts, n.service.n_waits, n.n_kept);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct walk_cfg walk_cfg = { .operands = run.operands,
                                 .n_operands = run.n_operands,
                                 .files_from = cfg.files_from,
                                 .is_null = cfg.is_null,
                                 .has_pdf = cfg.grobid != NULL,
                                 .max_bytes = (size_t)cfg.max_mib << 20 };
    const char *wrong = misuse();
    if (wrong)
        return run_usage(&run, "%s", wrong);
    if (cfg.grobid && set_up_pdf(&run) < 0)
        return run_fail(&run);
    walk_cfg.kept = cfg.pdf.keep_dir;
    struct walk *walk = walk_new(&walk_cfg, &run.err);
    if (!walk)
        return run_fail(&run);
    tei_setup();
    struct budget trees;
    budget_init(&trees, TREES_TO_MAX * walk_cfg.max_bytes);
    cfg.tei.budget = &trees;
    run_each_item(&run, walk_next, walk, convert, &cfg);
    say_counts(walk);
    int rc = run_end(&run);
    walk_free(walk);
    budget_release(&trees);
    fetch_free(cfg.fetch);
    return rc;
}
