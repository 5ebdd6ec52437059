// SPDX-License-Identifier: MIT
/*
 * gr-chunk — clean papers and split them into overlapping chunks
 *
 *   in   paper records   {"id","sections":[{"head","text",…}],"abstract","tables",…}
 *   out  chunk records {"id":"PAPER#0003","paper","n","kind","section","start","end","text",…}
 *   memory: one batch of papers; exit codes: gr-intro(7); method: see chunk.h, window.h,
 * clean.h
 */
#include "alloc.h"
#include "chunk.h"
#include "run.h"

enum { TOKENS_WORDS, TOKENS_WORDPIECE };

static struct {
    long size, overlap;
    int by, tokens;
    const char *clean, *model;
    bool has_terms, has_back, no_tables, no_captions;
} cfg;

static const struct opt options[] = {
    { "Splitting", 0, OPT_GROUP },
    { "size", 's', OPT_LONG, "N", "512", "tokens in a chunk", &cfg.size, 1, 1 << 20 },
    { "overlap", 0, OPT_LONG, "N", "100", "tokens shared with the chunk before", &cfg.overlap,
      0, 1 << 20 },
    { "by", 'b', OPT_ENUM, "UNIT", "token", "where a chunk may end", &cfg.by,
      .choices = "token|sentence" },
    { "tokens", 0, OPT_ENUM, "KIND", "words", "what counts as a token", &cfg.tokens,
      .choices = "words|wordpiece" },
    { "model", 'm', OPT_STRING, "DIR", "all-MiniLM-L6-v2",
      "model whose vocab.txt counts word pieces: a folder, or a name below data/model",
      &cfg.model },
    { "Content", 0, OPT_GROUP },
    { "clean", 0, OPT_STRING, "STEPS", "all",
      "repairs, by comma: control ligature hyphen notation space, or all or none", &cfg.clean },
    { "terms", 0, OPT_FLAG, NULL, NULL, "add the normalised search terms of each chunk",
      &cfg.has_terms },
    { "back", 0, OPT_FLAG, NULL, NULL, "chunk acknowledgements, funding and annexes too",
      &cfg.has_back },
    { "no-tables", 0, OPT_FLAG, NULL, NULL, "leave tables out", &cfg.no_tables },
    { "no-captions", 0, OPT_FLAG, NULL, NULL, "leave figure captions out", &cfg.no_captions },
    RUN_OPTIONS,
};

static const char *const unread[] = { "references", "formulas", "keywords", NULL };

static const struct tool tool = {
    .name = "gr-chunk",
    .summary = "clean papers and split them into overlapping chunks",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .unread = unread,
    .footer = "Example: gr-grobid2json tei/ | gr-chunk --size=256 --overlap=32 >chunks.ndjson",
};

struct setup {
    struct chunk_cfg chunk;
    struct wordpiece *wordpiece;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct chunker **workers; /* (jobs) */
};

static int find_lexicon(struct run *run, const char *name, struct buf *path)
{
    buf_reset(path);
    return file_find_data(path, run_cfg.data, name, &run->err);
}

static int load_wordpiece(struct run *run, struct setup *s, struct buf *path)
{
    if (strchr(cfg.model, '/')) {
        buf_reset(path);
        buf_printf(path, "%s/vocab.txt", cfg.model);
    } else {
        char name[300];
        snprintf(name, sizeof name, "model/%s/vocab.txt", cfg.model);
        if (find_lexicon(run, name, path) < 0)
            return err_prefix(&run->err, "--tokens=wordpiece");
    }
    s->wordpiece = wordpiece_load(buf_cstr(path), &WORDPIECE_UNCASED, &run->err);
    return s->wordpiece ? 0 : -1;
}

static int set_up(struct run *run, struct setup *s)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cfg.tokens == TOKENS_WORDPIECE)
        rc = load_wordpiece(run, s, &path);
    if (rc == 0 && cfg.by == WINDOW_SENTENCE) {
        rc = find_lexicon(run, "lexicon/abbreviations.txt", &path);
        if (rc == 0 && !(s->splitter = splitter_new(buf_cstr(&path), &run->err)))
            rc = -1;
    }
    if (rc == 0 && cfg.has_terms) {
        rc = find_lexicon(run, "lexicon/stopwords.txt", &path);
        if (rc == 0 && !(s->analyzer = analyzer_new(buf_cstr(&path), NULL, &run->err)))
            rc = -1;
    }
    buf_release(&path);
    if (rc < 0)
        return -1;
    s->chunk.window = (struct window_cfg){ (size_t)cfg.size, (size_t)cfg.overlap, cfg.by,
                                           s->wordpiece, s->splitter };
    s->chunk.analyzer = s->analyzer;
    s->chunk.has_back = cfg.has_back;
    s->chunk.no_tables = cfg.no_tables;
    s->chunk.no_captions = cfg.no_captions;
    s->workers = alloc_array(run->jobs, sizeof(struct chunker *));
    for (unsigned i = 0; i < run->jobs; i++)
        s->workers[i] = chunker_new(&s->chunk);
    return 0;
}

static int chunk_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                      struct err *err)
{
    struct setup *s = ctx;
    return chunk_paper(s->workers[worker], r, out, err);
}

static void tear_down(struct setup *s, unsigned jobs)
{
    uint64_t sum[CLEAN_STEPS] = { 0 };
    for (unsigned i = 0; i < jobs; i++) {
        for (unsigned k = 0; k < CLEAN_STEPS; k++)
            sum[k] += chunker_repairs(s->workers[i])[k];
        chunker_free(s->workers[i]);
    }
    struct sv names = SV(CLEAN_NAMES), name;
    for (unsigned k = 0; sv_cut(&names, '|', &name); k++)
        diag_note("cleaning: %.*s: %llu repairs", SV_ARG(name), (unsigned long long)sum[k]);
    free(s->workers);
    wordpiece_free(s->wordpiece);
    splitter_free(s->splitter);
    analyzer_free(s->analyzer);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct setup s = { 0 };
    if (cfg.overlap >= cfg.size)
        return run_usage(&run, "--overlap=%ld must be smaller than --size=%ld", cfg.overlap,
                         cfg.size);
    if (clean_parse(cfg.clean, &s.chunk.clean, &run.err) < 0)
        return run_usage(&run, "%s", run.err.msg);
    if (set_up(&run, &s) < 0)
        return run_fail(&run);
    run_each(&run, chunk_line, &s);
    tear_down(&s, run.jobs);
    return run_end(&run);
}
