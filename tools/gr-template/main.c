// SPDX-License-Identifier: MIT
/*
 * gr-template — the pattern every tool is copied from: tags each record with a field
 *
 *   in   any records         order kept
 *   out  the same records    with `tag` added or refreshed; all other bytes pass through
 *   memory: one batch of records; exit codes: gr-intro(7); method: see tag.h
 */
#include "run.h"
#include "tag.h"

static struct tag_cfg cfg;

static const struct opt options[] = {
    { "Tagging", 0, OPT_GROUP },
    { "tag", 0, OPT_STRING, "TEXT", "seen", "text of the tag", &cfg.text },
    { "case", 0, OPT_ENUM, "HOW", "keep", "letters of the tag", &cfg.letters,
      .choices = "keep|upper" },
    RUN_OPTIONS,
};

static const struct tool tool = {
    .name = "gr-template",
    .summary = "tag records (the pattern for new tools)",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .footer = "Example: gr-template --tag=checked papers.jsonl",
};

static int tag_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                    struct err *err)
{
    (void)worker; /* no scratch needed */
    static const char *const drop[] = { "tag" };
    struct buf *tag = ctx;
    (void)err; /* every object can be tagged */
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, "tag");
    json_put_str(out, buf_view(tag));
    rec_end(out);
    return 0;
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct buf tag = BUF_INIT;
    if (tag_make(&tag, &cfg, &run.err) < 0)
        return run_fail(&run);
    run_each(&run, tag_line, &tag);
    buf_release(&tag);
    return run_end(&run);
}
