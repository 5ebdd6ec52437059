// SPDX-License-Identifier: MIT
/*
 * gr-expand — write the queries and keywords that a question is searched with
 *
 *   in   query records (strategy from gr-classify), or plain lines of text     order kept
 *   out  the same with queries[] (the question first) and keywords[]; other fields pass through
 *   memory: the vocabularies (about 2 MB) and one batch; exit codes: gr-intro(7); method:
 * expand.h
 */
#include "alloc.h"
#include "expand.h"
#include "run.h"
#include "schema.h"
#include "suggest.h"

enum { BY_RECORD, BY_SIMILARITY, BY_MULTI_QUERY, BY_EXPAND, BY_HYBRID };

static struct {
    int strategy;
    long variants, keywords;
    const char *vocab;
} cfg;
static struct llm_cfg chat = { .max_tokens = 600 };

static const struct opt options[] = {
    { "Expanding", 0, OPT_GROUP },
    { "strategy", 0, OPT_ENUM, "NAME", "record", "how to expand; record: as its strategy says",
      &cfg.strategy, .choices = "record|" STRATEGY_NAMES },
    { "variants", 0, OPT_LONG, "N", "4",
      "queries at most, the question counted, where several are wanted", &cfg.variants, 1, 64 },
    { "keywords", 0, OPT_LONG, "N", "16", "keywords at most", &cfg.keywords, 0, 1000 },
    { "vocab", 0, OPT_STRING, "DIR", NULL,
      "vocabularies (when not given: vocab of the installed data)", &cfg.vocab },
    LLM_TASK_OPTIONS(chat, "ask URL/chat/completions for queries and keywords, too"),
    LLM_PATIENCE_OPTIONS(chat),
    RUN_OPTIONS,
};

static const struct tool tool = {
    .name = "gr-expand",
    .summary = "write the queries and keywords that a question is searched with",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .takes_text = true,
    .footer = "Example: echo 'How do zircon and monazite differ?' | gr-classify | gr-expand",
};

struct setup {
    struct vocab *vocab;
    struct lexicon *lexicon;
    struct analyzer *analyzer;
    struct expander **workers;  /* (jobs) */
    struct llm_task *suggester; /* NULL: no model is asked */
};

static int set_up(struct run *run, struct setup *s)
{
    static const struct analyzer_options words = { .no_stem = true, .no_same = true };
    struct buf path = BUF_INIT;
    int rc = 0;
    if (cfg.vocab)
        buf_str(&path, cfg.vocab);
    else
        rc = file_find_data(&path, run_cfg.data, "vocab", &run->err);
    if (rc == 0 && !(s->vocab = vocab_load(buf_cstr(&path), &run->err)))
        rc = -1;
    if (rc == 0)
        rc = file_find_data(&path, run_cfg.data, "lexicon/synonyms.tsv", &run->err);
    if (rc == 0 && !(s->lexicon = lexicon_load(buf_cstr(&path), &run->err)))
        rc = -1;
    if (rc == 0)
        rc = file_find_data(&path, run_cfg.data, "lexicon/stopwords.txt", &run->err);
    if (rc == 0 && !(s->analyzer = analyzer_new(buf_cstr(&path), &words, &run->err)))
        rc = -1;
    buf_release(&path);
    if (rc < 0)
        return -1;
    struct expander_cfg expand = { s->vocab, s->lexicon, s->analyzer };
    s->workers = alloc_array(run->jobs, sizeof(struct expander *));
    for (unsigned i = 0; i < run->jobs; i++)
        s->workers[i] = expander_new(&expand);
    if (chat.api)
        s->suggester = llm_task_new(&suggest_form, &chat, run->jobs, &run->err);
    return chat.api && !s->suggester ? -1 : 0;
}

/* Also for a set-up that broke off: what is not there yet is NULL. */
static void tear_down(struct run *run, struct setup *s)
{
    for (unsigned i = 0; s->workers && i < run->jobs; i++)
        expander_free(s->workers[i]);
    free(s->workers);
    llm_task_free(s->suggester);
    analyzer_free(s->analyzer);
    lexicon_free(s->lexicon);
    vocab_free(s->vocab);
}

/* What the record (or the option) asks for. A record without a strategy gets all of it. */
static int strategy_of(const struct rec *r, int *strategy, struct err *err)
{
    struct sv name, rest = SV(STRATEGY_NAMES), one;
    int rc = json_opt_str(r->v, F_STRATEGY, &name, err);
    *strategy = cfg.strategy;
    if (rc < 0)
        return -1;
    if (cfg.strategy != BY_RECORD)
        return 0;
    *strategy = BY_HYBRID;
    if (rc == 0)
        return 0;
    for (int i = BY_SIMILARITY; sv_cut(&rest, '|', &one); i++)
        if (sv_eq(one, name)) {
            *strategy = i;
            return 0;
        }
    return err_set(err, EXIT_REJECTED, "field \"strategy\": \"%.*s\" is not one of %s",
                   SV_ARG(name), STRATEGY_NAMES);
}

static void put_list(struct buf *out, const char *key, const struct word_list *l)
{
    json_key(out, key);
    json_open(out, '[');
    for (size_t i = 0; i < l->n; i++)
        json_put_str(out, l->items[i]);
    json_close(out, ']');
}

static void put_trace(struct buf *out, const struct rec *r, const struct expansion *x,
                      const struct expansion *suggested)
{
    struct buf entry = BUF_INIT;
    buf_printf(&entry, "{\"tool\":\"gr-expand\",\"queries\":%zu,\"keywords\":%zu,\"names\":%zu",
               x->queries.n, x->keywords.n, x->n_names);
    if (suggested)
        buf_printf(&entry, ",\"suggested\":%zu", suggested->queries.n + suggested->keywords.n);
    buf_char(&entry, '}');
    rec_trace(out, r, buf_view(&entry));
    buf_release(&entry);
}

/* Without a usable reply the question is expanded as without a model. */
static void suggest(struct setup *s, unsigned worker, const struct rec *r, struct sv query,
                    struct expansion *to)
{
    struct err why;
    if (llm_task_run(s->suggester, worker, query, suggest_read, to, &why) < 0)
        llm_task_warn(s->suggester, r, "expanded without the model", &why);
}

static int expand_line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                       struct err *err)
{
    static const char *const drop[] = { F_QUERIES, F_KEYWORDS, F_TRACE };
    struct setup *s = ctx;
    struct sv query;
    struct expansion x, suggested = { 0 };
    int strategy;
    if (json_need_str(r->v, F_QUERY, &query, err) < 0 || strategy_of(r, &strategy, err) < 0)
        return -1;
    if (!sv_trim(query).n)
        return err_set(err, EXIT_REJECTED, "field \"query\": empty");
    bool wants_many = strategy == BY_MULTI_QUERY || strategy == BY_HYBRID;
    bool wants_related = strategy == BY_EXPAND || strategy == BY_HYBRID;
    /* the plain search of an explicit fact has nothing to ask a model for */
    if (s->suggester && (wants_many || wants_related))
        suggest(s, worker, r, query, &suggested);
    expander_run(s->workers[worker], query, wants_many ? (size_t)cfg.variants : 1,
                 (size_t)cfg.keywords, wants_related, &suggested, &x);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    put_list(out, F_QUERIES, &x.queries);
    put_list(out, F_KEYWORDS, &x.keywords);
    put_trace(out, r, &x, s->suggester ? &suggested : NULL);
    rec_end(out);
    expansion_release(&x);
    expansion_release(&suggested);
    return 0;
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct setup s = { 0 };
    if (llm_task_check(&run, &chat))
        return EXIT_USAGE;
    if (set_up(&run, &s) < 0) {
        tear_down(&run, &s);
        return run_fail(&run);
    }
    (s.suggester ? run_each_slow : run_each)(&run, expand_line, &s);
    tear_down(&run, &s);
    return run_end(&run);
}
