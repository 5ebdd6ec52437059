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

enum { TOKENS_WORDS, TOKENS_WORDPIECE, TOKENS_CL100K };
enum { FORM_STEM, FORM_LEMMA, FORM_PLAIN };

static struct {
    long size, overlap;
    int by, tokens, form;
    const char *clean, *model, *prefix, *stopwords, *wordnet;
    bool has_terms, has_back, no_tables, no_captions, has_trace, has_folded;
} cfg;

static const struct opt options[] = {
    { "Splitting", 0, OPT_GROUP },
    { "size", 's', OPT_LONG, "N", "512", "tokens in a chunk", &cfg.size, 1, 1 << 20 },
    { "overlap", 0, OPT_LONG, "N", "100", "tokens shared with the chunk before", &cfg.overlap,
      0, 1 << 20 },
    { "by", 'b', OPT_ENUM, "UNIT", "token", "where a chunk may end", &cfg.by,
      .choices = "token|sentence|section|paragraph" },
    { "tokens", 0, OPT_ENUM, "KIND", "words", "what counts as a token", &cfg.tokens,
      .choices = "words|wordpiece|cl100k" },
    { "model", 'm', OPT_STRING, "DIR", "all-MiniLM-L6-v2",
      "model whose vocab.txt counts word pieces: a folder, or a name below data/model",
      &cfg.model },
    { "Content", 0, OPT_GROUP },
    { "clean", 0, OPT_STRING, "STEPS", "all",
      "repairs, by comma: control ligature hyphen notation space markup page download "
      "copyright "
      "repeat, or all or none",
      &cfg.clean },
    { "trace", 0, OPT_FLAG, NULL, NULL, "count the repairs in each chunk's trace",
      &cfg.has_trace },
    { "prefix", 0, OPT_STRING, "LIST", NULL,
      "add embed_text: title, section or both (by comma) before the text", &cfg.prefix },
    { "terms", 0, OPT_FLAG, NULL, NULL, "add the normalised search terms of each chunk",
      &cfg.has_terms },
    { "term-form", 0, OPT_ENUM, "FORM", "stem", "what words become in terms", &cfg.form,
      .choices = "stem|lemma|plain" },
    { "stopwords", 0, OPT_STRING, "FILE", NULL,
      "words left out of terms, one a line, instead of ours", &cfg.stopwords },
    { "wordnet", 0, OPT_STRING, "DIR", "/usr/share/wordnet", "dictionary for lemmas",
      &cfg.wordnet },
    { "folded", 0, OPT_FLAG, NULL, NULL, "add a folded search form, with offsets back",
      &cfg.has_folded },
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
    struct bpe *bpe;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct lemmas *lemmas;
    struct vocab *vocab;
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

static int load_bpe(struct run *run, struct setup *s, struct buf *path)
{
    if (find_lexicon(run, "model/cl100k_base.tiktoken", path) < 0)
        return err_set(
            &run->err, EXIT_FATAL,
            "--tokens=cl100k: no cl100k_base.tiktoken: fetch it with \"make model\", or "
            "put it into DIR/model and give --data=DIR");
    s->bpe = bpe_load(buf_cstr(path), &run->err);
    return s->bpe ? 0 : -1;
}

static int load_analyzer(struct run *run, struct setup *s, struct buf *path)
{
    const char *stop = cfg.stopwords;
    if (!stop) {
        if (find_lexicon(run, "lexicon/stopwords.txt", path) < 0)
            return -1;
        stop = buf_cstr(path);
    }
    if (cfg.form == FORM_LEMMA && !(s->lemmas = lemmas_load(cfg.wordnet, &run->err)))
        return err_prefix(&run->err, "--term-form=lemma needs WordNet (--wordnet)");
    struct analyzer_options o = { .no_stem = cfg.form == FORM_PLAIN, .lemmas = s->lemmas };
    s->analyzer = analyzer_new(stop, &o, &run->err);
    return s->analyzer ? 0 : -1;
}

static int parse_prefix(struct run *run, unsigned *bits)
{
    struct sv rest, word;
    if (!cfg.prefix)
        return 0;
    for (rest = sv_from(cfg.prefix); sv_cut(&rest, ',', &word);) {
        unsigned bit = sv_is(word, "title")     ? PREFIX_TITLE
                       : sv_is(word, "section") ? PREFIX_SECTION
                                                : 0;
        if (!bit)
            return run_usage(run, "--prefix: \"%.*s\" is neither title nor section",
                             SV_ARG(word));
        *bits |= bit;
    }
    return 0;
}

static int load(struct run *run, struct setup *s)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cfg.tokens == TOKENS_WORDPIECE)
        rc = load_wordpiece(run, s, &path);
    if (cfg.tokens == TOKENS_CL100K)
        rc = load_bpe(run, s, &path);
    if (rc == 0 && cfg.by != WINDOW_TOKEN) {
        rc = find_lexicon(run, "lexicon/abbreviations.txt", &path);
        if (rc == 0 && !(s->splitter = splitter_new(buf_cstr(&path), &run->err)))
            rc = -1;
    }
    if (rc == 0 && (s->chunk.clean & CLEAN_HYPHEN)) {
        rc = find_lexicon(run, "vocab", &path);
        if (rc == 0 && !(s->vocab = vocab_load(buf_cstr(&path), &run->err)))
            rc = -1;
    }
    if (rc == 0 && cfg.has_terms)
        rc = load_analyzer(run, s, &path);
    buf_release(&path);
    return rc;
}

static int set_up(struct run *run, struct setup *s)
{
    if (load(run, s) < 0)
        return -1;
    s->chunk.window = (struct window_cfg){ .size = (size_t)cfg.size,
                                           .overlap = (size_t)cfg.overlap,
                                           .by = cfg.by,
                                           .wordpiece = s->wordpiece,
                                           .bpe = s->bpe,
                                           .splitter = s->splitter };
    s->chunk.analyzer = s->analyzer;
    s->chunk.vocab = s->vocab;
    s->chunk.has_back = cfg.has_back;
    s->chunk.no_tables = cfg.no_tables;
    s->chunk.no_captions = cfg.no_captions;
    s->chunk.has_trace = cfg.has_trace;
    s->chunk.has_folded = cfg.has_folded;
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

static void note_repairs(const struct setup *s, unsigned jobs)
{
    struct sv names = SV(CLEAN_NAMES), name;
    for (unsigned k = 0; sv_cut(&names, '|', &name); k++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < jobs; i++)
            sum += chunker_repairs(s->workers[i])[k];
        diag_note("cleaning: %.*s: %llu repairs", SV_ARG(name), (unsigned long long)sum);
    }
}

/* Also for a set-up that broke off: what is not there yet is NULL. */
static void tear_down(struct setup *s, unsigned jobs)
{
    for (unsigned i = 0; s->workers && i < jobs; i++)
        chunker_free(s->workers[i]);
    free(s->workers);
    wordpiece_free(s->wordpiece);
    bpe_free(s->bpe);
    analyzer_free(s->analyzer);
    lemmas_free(s->lemmas);
    vocab_free(s->vocab);
    splitter_free(s->splitter);
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
    int rc = parse_prefix(&run, &s.chunk.prefix);
    if (rc)
        return rc;
    if (set_up(&run, &s) < 0) {
        tear_down(&s, run.jobs);
        return run_fail(&run);
    }
    run_each(&run, chunk_line, &s);
    note_repairs(&s, run.jobs);
    tear_down(&s, run.jobs);
    return run_end(&run);
}
