// SPDX-License-Identifier: MIT
/*
 * llm_task.c — one request for each text
 */
#include "llm_task.h"

#include <stdatomic.h>

#include "alloc.h"
#include "diag.h"

static const char was_down[] = "the service was down before";

struct llm_task {
    const struct llm_task_form *form;
    const struct llm_cfg *cfg;
    struct llm *llm;
    atomic_bool is_down, is_told; /* is_told: and a record's warning said so */
    atomic_size_t n_untold;       /* records left without the model since */
};

int llm_task_check(struct run *run, struct llm_cfg *cfg)
{
    cfg->seed = run_cfg.seed;
    if (cfg->cache && !cfg->api)
        return run_usage(run, "--cache keeps replies of --api");
    return 0;
}

struct llm_task *llm_task_new(const struct llm_task_form *form, struct llm_cfg *cfg,
                              unsigned n_workers, struct err *err)
{
    struct llm_task *t = alloc_zero(1, sizeof *t);
    cfg->schema_name = form->name;
    cfg->schema = sv_from(form->schema);
    t->form = form;
    t->cfg = cfg;
    t->llm = llm_new(cfg, n_workers, err);
    if (t->llm)
        return t;
    free(t);
    return NULL;
}

void llm_task_free(struct llm_task *t)
{
    if (!t)
        return;
    size_t n = atomic_load(&t->n_untold);
    if (n)
        diag_warn("%zu more record%s done without the model, which is not asked again", n,
                  n == 1 ? " was" : "s were");
    llm_free(t->llm);
    free(t);
}

void llm_task_warn(struct llm_task *t, const struct rec *r, const char *how,
                   const struct err *why)
{
    bool is_down = why->code == EXIT_SERVICE || why->code == EXIT_FATAL;
    /* The reason is told, even when another thread has met its consequence before. */
    bool is_repeat = strcmp(why->msg, was_down) == 0;
    if (is_down && (is_repeat || atomic_exchange(&t->is_told, true)))
        atomic_fetch_add(&t->n_untold, 1);
    else
        rec_warn(r, "%s: %s", how, why->msg);
}

static int read_reply(struct sv text, llm_task_read read, void *ctx, struct err *err)
{
    jv v;
    bool is_cut;
    if (llm_json(text, &v, &is_cut, err) < 0)
        return -1;
    int rc = read(ctx, v, err);
    json_free(v);
    return rc;
}

int llm_task_run(struct llm_task *t, unsigned worker, struct sv text, llm_task_read read,
                 void *ctx, struct err *err)
{
    struct llm_reply reply;
    struct buf request = BUF_INIT, raw = BUF_INIT, fenced = BUF_INIT;
    if (atomic_load(&t->is_down))
        return err_set(err, EXIT_SERVICE, "%s", was_down);
    llm_fence(&fenced, t->form->label, text);
    const struct llm_message messages[] = { { "system", sv_from(t->form->prompt) },
                                            { "user", buf_view(&fenced) } };
    llm_request(&request, t->cfg, messages, ARRAY_LEN(messages));
    llm_reply_init(&reply);
    int rc = llm_ask(t->llm, worker, buf_view(&request), &reply, &raw, err);
    if (rc == 0)
        rc = read_reply(buf_view(&reply.text), read, ctx, err);
    if (rc == 0)
        rc = llm_keep(t->llm, buf_view(&request), buf_view(&raw), err);
    if (rc < 0 && (err->code == EXIT_SERVICE || err->code == EXIT_FATAL))
        atomic_store(&t->is_down, true);
    llm_reply_release(&reply);
    buf_release(&request);
    buf_release(&raw);
    buf_release(&fenced);
    return rc;
}
