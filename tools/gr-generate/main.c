// SPDX-License-Identifier: MIT
/*
 * gr-generate — an answer out of the context, with citations, checked against the sources
 *
 *   in   query records   {"query","context":{…},"sources":[…],…}                 order kept
 *   out  the same with   `response`, `citations`, `unsupported`, `generator`, `usage`, trace
 *   memory: one batch of records; exit codes: gr-intro(7); method: extract.h, check.h, chat.h
 */
#include "generate.h"
#include "run.h"
#include "utf8.h"

static struct generate_cfg cfg;
static struct {
    const char *api, *key_file, *system, *prompt, *cache;
} given;

/* clang-format off: version 14 tears a table of structures apart */
static const struct opt options[] = {
    { "Answer", 0, OPT_GROUP },
    { "format", 0, OPT_ENUM, "HOW", "json", "records, or question, answer and sources to read",
      &cfg.format, .choices = "json|text" },
    { "min-support", 0, OPT_DOUBLE, "X", "0.27",
      "refuse when no source has this share of the question's words", &cfg.extract.min_support,
      0, 1 },
    { "sentences", 0, OPT_LONG, "N", "0", "at most so many; 0: by class",
      &cfg.extract.max_sentences, 0, EXTRACT_MAX_SENTENCES },
    { "Chat model", 0, OPT_GROUP },
    { "api", 0, OPT_STRING, "URL", NULL, "ask URL/chat/completions; off: no network",
      &given.api },
    { "api-model", 0, OPT_STRING, "NAME", "gpt-4o-mini", "model to ask for", &cfg.chat.model },
    { "api-key-file", 0, OPT_STRING, "FILE", NULL, "key; else from OPENAI_API_KEY",
      &given.key_file },
    { "max-tokens", 0, OPT_LONG, "N", "800", "longest answer", &cfg.chat.max_tokens, 1, 1e6 },
    { "temperature", 0, OPT_DOUBLE, "X", "0", "of the model", &cfg.chat.temperature, 0, 2 },
    { "timeout", 0, OPT_LONG, "S", "120", "seconds for a request", &cfg.timeout_s, 1, 86400 },
    { "tries", 0, OPT_LONG, "N", "6", "requests before a service counts as down", &cfg.tries, 1,
      100 },
    { "stream", 0, OPT_FLAG, NULL, NULL, "show the text on standard error as it comes",
      &cfg.chat.is_stream },
    { "system", 0, OPT_STRING, "FILE", NULL, "another system prompt", &given.system },
    { "prompt", 0, OPT_STRING, "FILE", NULL, "another prompt, with {{query}} and {{context}}",
      &given.prompt },
    { "cache", 0, OPT_STRING, "DIR", NULL, "keep replies in this folder, and take them from it",
      &given.cache },
    { "dry-run", 0, OPT_FLAG, NULL, NULL, "print the requests, ask nobody", &cfg.is_dry_run },
    RUN_OPTIONS,
};
/* clang-format on */

static const struct tool tool = {
    .name = "gr-generate",
    .summary = "answer questions from their context, with citations",
    .only = { .desc = { .operands = "[FILE]…", .options = options } },
    .footer = "Example: gr-fuse hits.ndjson | gr-generate --format=text",
};

/* A model's words must not draw on the terminal: only line ends pass as controls. */
static void show(struct sv text)
{
    struct buf tame = BUF_INIT;
    utf8_put_tame(&tame, text);
    for (size_t i = 0; i < tame.len; i++) {
        unsigned char c = (unsigned char)tame.data[i];
        fputc(c < 0x20 && c != '\n' ? ' ' : c, stderr);
    }
    buf_release(&tame);
    fflush(stderr);
}

static int line(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                struct err *err)
{
    return generate_record(ctx, worker, r, out, err);
}

/* What a chat model needs, read before the first record is. */
static int set_up_chat(struct run *run, struct buf *url, char **key, struct buf prompts[2])
{
    if (llm_prompt_read(&prompts[0], given.system, run_cfg.data, "prompts/generate-system.txt",
                        &run->err) < 0 ||
        llm_prompt_read(&prompts[1], given.prompt, run_cfg.data, "prompts/generate-user.txt",
                        &run->err) < 0)
        return -1;
    cfg.chat.system = buf_view(&prompts[0]);
    cfg.chat.user = buf_view(&prompts[1]);
    cfg.chat.seed = run_cfg.seed;
    if (sv_find(cfg.chat.user, SV("{{context}}"), 0) == SIZE_MAX)
        return err_set(&run->err, EXIT_FATAL, "the prompt has no {{context}}");
    if (!given.api)
        return 0;
    if (http_join(url, given.api, "chat/completions", &run->err) < 0 ||
        http_key(key, given.key_file, &run->err) < 0)
        return -1;
    cfg.url = buf_cstr(url);
    cfg.key = *key;
    if (given.cache && !cfg.is_dry_run &&
        !(cfg.chat.cache = llm_cache_open(given.cache, buf_view(url), &run->err)))
        return -1;
    return 0;
}

static int answer_all(struct run *run)
{
    if (cfg.chat.is_stream && !cfg.is_dry_run) {
        cfg.on_text = show;
        run->jobs = 1; /* one answer at a time on the terminal */
    }
    struct generator *g = generator_new(&cfg, run->jobs, &run->err);
    if (!g)
        return run_fail(run);
    if (cfg.url)
        run_each_slow(run, line, g);
    else
        run_each(run, line, g);
    generator_free(g);
    return run_end(run);
}

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    struct buf url = BUF_INIT, prompts[2] = { BUF_INIT, BUF_INIT };
    char *key = NULL;
    int rc;
    if (cfg.chat.is_stream && !given.api)
        return run_usage(&run, "--stream needs --api");
    if (given.cache && (!given.api || cfg.chat.is_stream))
        return run_usage(&run, "--cache keeps whole replies of --api, no --stream");
    if ((given.api || cfg.is_dry_run) && set_up_chat(&run, &url, &key, prompts) < 0)
        rc = run_fail(&run);
    else
        rc = answer_all(&run);
    cache_close(cfg.chat.cache);
    free(key);
    buf_release(&url);
    buf_release(&prompts[0]);
    buf_release(&prompts[1]);
    return rc;
}
