// SPDX-License-Identifier: MIT
/*
 * gr-triples — facts out of text and tables: names, quantities and the relations between them
 *
 *   in   chunk records   {"id","text","paper","refs","table",…}, or paper records   order kept
 *   out  triple records  {"id","head","relation","tail","value","paper","chunk","start",…}
 *   memory: one batch of records and 10 MB of vocabulary; exit codes: gr-intro(7); method: see
 *   relate.h (sentences) and table.c (tables)
 */
#include "extract.h"
#include "run.h"

static struct extract_cfg cfg;

static const struct opt options[] = {
    { "What to extract", 0, OPT_GROUP },
    { "emit", 'e', OPT_ENUM, "WHAT", "triples", "facts, the names found, or both", &cfg.emit,
      .choices = "triples|entities|both" },
    { "min-confidence", 0, OPT_DOUBLE, "X", "0.5", "leave out facts below X",
      &cfg.sink.min_confidence, 0, 1 },
    { "types", 0, OPT_LIST, "A,B", NULL, "only facts (or names) of these entity types",
      &cfg.sink.types },
    { "relations", 'r', OPT_LIST, "A,B", NULL, "only these relations", &cfg.sink.relations },
    { "cooccurrence", 0, OPT_FLAG, NULL, NULL,
      "also pairs of names in one sentence, at confidence 0.2", &cfg.has_cooccurrence },
    { "broader", 0, OPT_FLAG, NULL, NULL,
      "also what each name is a kind of: basalt, Instance Of, mafic volcanic rock",
      &cfg.has_broader },
    { "no-tables", 0, OPT_FLAG, NULL, NULL, "leave tables out", &cfg.no_tables },
    { "sentences-max", 0, OPT_LONG, "N", "0", "sentences read of each text, 0: all",
      &cfg.max_sentences, 0, 1e9 },
    { "Vocabularies", 0, OPT_GROUP },
    { "vocab", 0, OPT_STRING, "DIR", NULL, "folder of TYPE.tsv files instead of the installed",
      &cfg.vocab_dir },
    RUN_OPTIONS,
};

static const struct tool tool = {
    .name = "gr-triples",
    .summary = "facts out of text and tables",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .footer = "Example: gr-chunk papers.jsonl | gr-triples --relations='Has Age,Contains'",
};

static int extract_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                        struct err *err)
{
    return extract_record(ctx, worker, r, out, err);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    /* pairs that merely stand together are asked for by name, whatever the threshold */
    if (cfg.has_cooccurrence && cfg.sink.min_confidence > 0.2)
        cfg.sink.min_confidence = 0.14;
    struct extractor *x = extractor_new(&cfg, run_cfg.data, run.jobs, &run.err);
    if (!x)
        return run_fail(&run);
    run_each(&run, extract_line, x);
    extractor_free(x);
    return run_end(&run);
}
