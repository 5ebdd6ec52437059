// SPDX-License-Identifier: MIT
/*
 * generate.c — context to answer to checked record
 */
#include "generate.h"

#include "alloc.h"
#include "answer.h"
#include "schema.h"
#include "utf8.h"

struct worker {
    struct terms *terms;
    struct http *http;
};

struct generator {
    const struct generate_cfg *cfg;
    struct splitter *splitter;
    struct analyzer *analyzer;
    struct worker *workers; /* (n_workers) */
    unsigned n_workers;
};

struct generator *generator_new(const struct generate_cfg *cfg, unsigned workers,
                                struct err *err)
{
    struct generator *g = alloc_zero(1, sizeof *g);
    g->cfg = cfg;
    g->splitter = splitter_new(NULL, err);
    g->analyzer = g->splitter ? analyzer_new(NULL, NULL, err) : NULL;
    if (!g->analyzer)
        goto fail;
    g->n_workers = workers;
    g->workers = alloc_zero(workers, sizeof *g->workers);
    for (unsigned i = 0; i < workers; i++) {
        g->workers[i].terms = terms_new(g->analyzer);
        struct http_cfg http = { .url = cfg->url,
                                 .key = cfg->key,
                                 .tries = cfg->tries,
                                 .timeout_ms = cfg->timeout_s * 1000,
                                 .seed = (uint64_t)cfg->chat.seed + i };
        if (cfg->url && !cfg->is_dry_run && !(g->workers[i].http = http_new(&http, err)))
            goto fail;
    }
    return g;
fail:
    generator_free(g);
    return NULL;
}

void generator_free(struct generator *g)
{
    if (!g)
        return;
    for (unsigned i = 0; i < g->n_workers; i++) {
        terms_free(g->workers[i].terms);
        if (g->workers[i].http)
            http_free(g->workers[i].http);
    }
    free(g->workers);
    analyzer_free(g->analyzer);
    splitter_free(g->splitter);
    free(g);
}

static void by_extract(struct generator *g, struct terms *t, struct answer *a)
{
    struct question q;
    question_read(&q, a->rec, &a->ctx, t);
    extract_answer(&a->text, &a->extract, &g->cfg->extract, &a->ctx, &q, t);
    question_release(&q);
    a->is_refused = a->extract.is_refused;
    a->min_support = g->cfg->extract.min_support;
    buf_str(&a->generator, "extractive");
}

static int by_model(struct generator *g, struct http *http, struct sv query, struct answer *a,
                    struct err *err)
{
    struct buf body = BUF_INIT;
    chat_request(&body, &g->cfg->chat, query, &a->ctx);
    a->is_from_model = true;
    a->reply.on_text = g->cfg->on_text;
    int rc = chat_ask(&a->reply, http, &g->cfg->chat, buf_view(&body), err);
    buf_release(&body);
    if (g->cfg->on_text)
        g->cfg->on_text(SV("\n"));
    if (rc < 0)
        return rc;
    utf8_put_tame(&a->text, buf_view(&a->reply.llm.text));
    a->is_refused = sv_find(buf_view(&a->text), SV(REFUSAL), 0) == 0;
    buf_str(&a->generator,
            a->reply.llm.model.len ? buf_cstr(&a->reply.llm.model) : g->cfg->chat.model);
    if (strcmp(a->reply.llm.finish, "length") == 0)
        rec_warn(a->rec, "the answer was cut at --max-tokens=%ld", g->cfg->chat.max_tokens);
    return 0;
}

static int make_answer(struct generator *g, struct worker *w, struct sv query, struct answer *a,
                       struct err *err)
{
    if (!a->ctx.n_entries || !g->cfg->url)
        by_extract(g, w->terms, a);
    else if (by_model(g, w->http, query, a, err) < 0)
        return -1;
    check_response(&a->claims, &a->ctx, buf_view(&a->text), g->splitter, w->terms);
    return 0;
}

int generate_record(struct generator *g, unsigned worker, const struct rec *r, struct buf *out,
                    struct err *err)
{
    struct answer a = { .rec = r };
    struct sv query;
    chat_reply_init(&a.reply);
    int rc = json_need_str(r->v, F_QUERY, &query, err);
    if (rc == 0)
        rc = context_read(&a.ctx, r, g->splitter, err);
    if (rc == 0 && g->cfg->is_dry_run) {
        chat_request(out, &g->cfg->chat, query, &a.ctx);
        buf_char(out, '\n');
    } else if (rc == 0) {
        rc = make_answer(g, &g->workers[worker], query, &a, err);
        if (rc == 0 && g->cfg->format == GENERATE_TEXT)
            answer_text(&a, out);
        else if (rc == 0)
            answer_json(&a, out);
    }
    context_release(&a.ctx);
    claims_release(&a.claims);
    chat_reply_release(&a.reply);
    buf_release(&a.text);
    buf_release(&a.generator);
    return rc;
}
