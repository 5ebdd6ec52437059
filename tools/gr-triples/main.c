// SPDX-License-Identifier: MIT
/*
 * gr-triples — facts out of text and tables: names, quantities and the relations between them
 *
 *   in   chunk records   {"id","text","paper","refs","table",…}, or paper records   order kept
 *   out  triple records  {"id","head","relation","tail","value","paper","chunk","start",…}
 *   memory: the chunks of a few papers, 4 MB each at most, and 10 MB of vocabulary
 *   exit codes: gr-intro(7)
 *   method: see relate.h (sentences), table.c (tables) and model.h (chat models)
 */
#include "extract.h"
#include "paper.h"
#include "rules.h"
#include "run.h"
#include "schema.h"

#include <inttypes.h>
#include <sys/stat.h>

static struct extract_cfg cfg;
static double price, answer_price;
static struct opt_list vocab; /* --vocab as given */
static bool is_alone;

/* clang-format off: version 14 tears a table of structures apart */
static const struct opt options[] = {
    { "What to extract", 0, OPT_GROUP },
    { "emit", 'e', OPT_ENUM, "WHAT", "triples", "facts, the names found, or both", &cfg.emit,
      .choices = "triples|entities|both" },
    { "min-confidence", 0, OPT_DOUBLE, "X", "0.5", "leave out facts below X",
      &cfg.sink.min_confidence, 0, 1 },
    { "types", 0, OPT_LIST, "A,B", NULL, "only facts (or names) of these entity types",
      &cfg.sink.types },
    { "relations", 'r', OPT_LIST, "A,B", NULL, "only these relations", &cfg.sink.relations },
    { "cooccurrence", 0, OPT_FLAG, NULL, NULL, "also pairs of names in one sentence, at 0.2",
      &cfg.has_cooccurrence },
    { "negated", 0, OPT_FLAG, NULL, NULL, "also facts the text denies, with \"polarity\"",
      &cfg.sink.has_negated },
    { "broader", 0, OPT_FLAG, NULL, NULL, "also what each name is a kind of (Is A)",
      &cfg.has_broader },
    { "no-tables", 0, OPT_FLAG, NULL, NULL, "leave tables out", &cfg.no_tables },
    { "no-patterns", 0, OPT_FLAG, NULL, NULL, "texts are read by the chat model alone",
      &cfg.no_patterns },
    { "alone", 0, OPT_FLAG, NULL, NULL, "read each record as if it were all of its paper",
      &is_alone },
    { "sentences-max", 0, OPT_LONG, "N", "0", "sentences read of each text, 0: all",
      &cfg.max_sentences, 0, 1e9 },
    { "vocab", 0, OPT_LIST, "PATH", NULL, "TYPE.tsv: more names; a folder: instead of all",
      &vocab },
    { "aliases", 'a', OPT_STRING, "FILE", NULL, "names that are one: a table, as gr-gquery's",
      &cfg.aliases_file },
    { "relations-file", 0, OPT_STRING, "FILE", NULL,
      "more relations, in the form of relation.tsv", &cfg.relations_file },
    { "Chat model", 0, OPT_GROUP },
    { "api", 0, OPT_STRING, "URL", NULL, "ask URL/chat/completions too; off: no network",
      &cfg.model.llm.api },
    { "api-model", 0, OPT_STRING, "NAME", "gpt-4o-mini", "model to ask for",
      &cfg.model.llm.model },
    { "api-key-file", 0, OPT_STRING, "FILE", NULL, "key; else from OPENAI_API_KEY",
      &cfg.model.llm.key_file },
    { "cache", 0, OPT_STRING, "DIR", NULL, "keep replies in this folder, and take them from it",
      &cfg.model.llm.cache },
    { "form", 0, OPT_ENUM, "HOW", "schema", "what holds the model to JSON", &cfg.model.llm.form,
      .choices = LLM_FORMS },
    { "gleaning", 0, OPT_LONG, "N", "0", "ask so many times more for what was missed",
      &cfg.model.gleanings, 0, MODEL_GLEANINGS_MAX },
    { "drop-unsupported", 0, OPT_FLAG, NULL, NULL,
      "leave out what is not in the text, unmarked", &cfg.model.drops_unsupported },
    { "max-tokens", 0, OPT_LONG, "N", "2000", "longest reply", &cfg.model.llm.max_tokens, 1,
      1e6 },
    { "temperature", 0, OPT_DOUBLE, "X", "0", "of the model", &cfg.model.llm.temperature, 0,
      2 },
    { "timeout", 0, OPT_LONG, "S", "120", "seconds for a request", &cfg.model.llm.timeout_s, 1,
      86400 },
    { "tries", 0, OPT_LONG, "N", "6", "requests before a service counts as down",
      &cfg.model.llm.tries, 1, 100 },
    { "system", 0, OPT_STRING, "FILE", NULL, "another system prompt", &cfg.model.system },
    { "prompt", 0, OPT_STRING, "FILE", NULL, "another prompt, with {{text}} and so on",
      &cfg.model.user },
    { "dry-run", 0, OPT_FLAG, NULL, NULL, "only say what would be asked for, as one record",
      &cfg.model.is_dry },
    { "price", 0, OPT_DOUBLE, "X", "0", "cost of a million tokens asked, for --dry-run", &price,
      0, 1e9 },
    { "answer-price", 0, OPT_DOUBLE, "X", "0", "cost of a million tokens answered",
      &answer_price, 0, 1e9 },
    RUN_OPTIONS,
};
/* clang-format on */

/* extract.c takes the text from the line; nothing asks for the others, which most chunks of
 * papers carry */
static const char *const unread[] = { "text",       "title",      "authors",  "journal",
                                      "year",       "doi",        "section",  "section_id",
                                      "section_n",  "n",          "n_tokens", "start",
                                      "end",        F_EMBEDDING,  "trace",    "source_start",
                                      "source_end", "references", NULL };

static const struct tool tool = {
    .name = "gr-triples",
    .unread = unread,
    .summary = "facts out of text and tables",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .footer = "Example: gr-chunk papers.jsonl | gr-triples --relations='Has Age,Contains'",
};

static int extract_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                        struct err *err)
{
    return extract_record(ctx, worker, r, NULL, 0, out, err);
}

static void extract_all(struct run *run, struct extractor *x)
{
    struct run_group paper = paper_group(cfg.model.is_on);
    if (!is_alone)
        run_each_group(run, &paper, x);
    else if (cfg.model.is_on)
        run_each_slow(run, extract_line, x);
    else
        run_each(run, extract_line, x);
}

/* Nothing is paid for: the facts are counted as asked for, not written. */
static int count_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                      struct err *err)
{
    size_t from = out->len;
    int rc = extract_record(ctx, worker, r, NULL, 0, out, err);
    buf_cut(out, from);
    return rc;
}

static void put_dry(struct run *run, const struct model_dry *d)
{
    struct buf b = BUF_INIT;
    double most = (double)d->n_requests * (double)cfg.model.llm.max_tokens;
    json_open(&b, '{');
    json_add_size(&b, "requests", d->n_requests);
    json_add_size(&b, "texts", d->n_texts);
    json_add_size(&b, "cached", d->n_cached);
    json_add_size(&b, "tokens", d->n_tokens);
    json_key(&b, "tokens_by");
    json_put_str(&b, d->is_exact ? SV("cl100k_base") : SV("bytes/3"));
    json_add_num(&b, "answer_tokens_max", most);
    if (price > 0 || answer_price > 0)
        json_add_num(&b, "cost_max", ((double)d->n_tokens * price + most * answer_price) / 1e6);
    json_close(&b, '}');
    buf_char(&b, '\n');
    run_write(run, buf_view(&b));
    buf_release(&b);
}

/* A folder takes the place of the installed vocabularies, files TYPE.tsv add to either. */
static int sort_vocab(struct run *run)
{
    cfg.vocab_files = vocab;
    cfg.vocab_files.n = 0;
    for (size_t i = 0; i < vocab.n; i++) {
        const char *path = vocab.items[i];
        struct stat st;
        bool is_folder =
            stat(path, &st) == 0 ? S_ISDIR(st.st_mode) : !sv_ends(sv_from(path), SV(".tsv"));
        if (!is_folder && !sv_ends(sv_from(path), SV(".tsv")))
            return run_usage(run, "--vocab=%s: expected a folder or a file TYPE.tsv", path);
        if (is_folder && cfg.vocab_dir)
            return run_usage(run, "--vocab=%s: one folder only; files TYPE.tsv may be more",
                             path);
        if (is_folder)
            cfg.vocab_dir = path;
        else
            cfg.vocab_files.items[cfg.vocab_files.n++] = path;
    }
    return 0;
}

static int check_options(struct run *run)
{
    if (sort_vocab(run))
        return EXIT_USAGE;
    cfg.has_overlaps = is_alone;
    cfg.model.is_on = cfg.model.llm.api || cfg.model.is_dry;
    cfg.model.llm.seed = run_cfg.seed;
    if (cfg.no_patterns && !cfg.model.is_on)
        return run_usage(run, "--no-patterns: nothing reads the texts without --api");
    if (cfg.model.gleanings && cfg.model.is_dry)
        return run_usage(run, "--dry-run: how often --gleaning asks shows only by asking");
    if (cfg.model.llm.cache && !cfg.model.llm.api)
        return run_usage(run, "--cache keeps replies of --api");
    if (!cfg.model.is_on && (cfg.model.gleanings || cfg.model.drops_unsupported ||
                             cfg.model.system || cfg.model.user))
        return run_usage(run, "--gleaning, --drop-unsupported, --system and --prompt are for a "
                              "chat model: which one? --api URL");
    if (!cfg.model.is_dry && (price > 0 || answer_price > 0))
        return run_usage(run, "--price and --answer-price are for --dry-run");
    return 0;
}

/* A name that is none gives nothing: say so, and which there are. */
static void check_names(const struct extractor *x, const char *option, const struct opt_list *l,
                        void (*list)(const struct extractor *x, struct buf *list))
{
    struct buf known = BUF_INIT;
    list(x, &known);
    for (size_t i = 0; i < l->n; i++) {
        struct sv rest = sv_from(l->items[i]), one;
        while (sv_cut(&rest, ',', &one))
            if (!rules_lists(buf_view(&known), sv_trim(one)))
                diag_warn("--%s: \"%.*s\" is none of these: %s", option, SV_ARG(sv_trim(one)),
                          buf_cstr(&known));
    }
    buf_release(&known);
}

/* Shown by -v: tables are read with care, and what is left out should not go unseen. */
static void note_tables(const struct extractor *x)
{
    struct table_counts c = extractor_tables(x);
    if (c.tables)
        diag_note("tables: %" PRIu64 ", without facts %" PRIu64 "; columns: %" PRIu64
                  ", not understood %" PRIu64 "; samples: %" PRIu64 ", without a name %" PRIu64
                  "; cells: %" PRIu64 ", without a fact %" PRIu64,
                  c.tables, c.empty, c.columns, c.unread, c.records, c.nameless, c.cells,
                  c.numberless);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    if (check_options(&run))
        return EXIT_USAGE;
    /* pairs that merely stand together are asked for by name, whatever the threshold */
    if (cfg.has_cooccurrence && cfg.sink.min_confidence > 0.2)
        cfg.sink.min_confidence = 0.14;
    struct extractor *x = extractor_new(&cfg, run_cfg.data, run.jobs, &run.err);
    if (!x)
        return run_fail(&run);
    check_names(x, "relations", &cfg.sink.relations, extractor_relations);
    check_names(x, "types", &cfg.sink.types, extractor_types);
    if (cfg.model.is_dry) {
        run_each(&run, count_line, x);
        struct model_dry dry = extractor_dry(x);
        put_dry(&run, &dry);
    } else {
        run.out.flush_each |= cfg.model.is_on; /* what was paid for is kept if the rest fails */
        extract_all(&run, x);
    }
    note_tables(x);
    extractor_free(x);
    return run_end(&run);
}
