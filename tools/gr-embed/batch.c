// SPDX-License-Identifier: MIT
/*
 * batch.c — spreading one reply over its records
 */
#include "batch.h"

#include "alloc.h"

/* Which texts of the batch are a task's. */
struct span {
    size_t first, n;
};

struct batch {
    const struct batch_cfg *cfg;
    struct api_conn *conn;
    struct texts *texts;
    struct task *tasks;
    struct span *spans; /* one a task; n is 0 for those that had failed */
};

void batch_fail(struct task *tasks, size_t n, const struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (tasks[i].rc == 0) {
            tasks[i].err = *err;
            tasks[i].rc = -1;
        }
}

/* One request for tasks [from, to). */
static int ask(const struct batch *b, size_t from, size_t to, struct err *err)
{
    size_t first = b->spans[from].first, dim;
    size_t n = b->spans[to - 1].first + b->spans[to - 1].n - first;
    if (!n)
        return 0;
    const float *v = api_embed(b->conn, b->texts, first, n, &dim, err);
    if (!v)
        return -1;
    struct buf model = BUF_INIT;
    buf_printf(&model, "%s/%zu/api", b->cfg->model, dim);
    for (size_t i = from; i < to; i++)
        if (b->tasks[i].rc == 0)
            texts_write(&b->tasks[i].out, b->cfg->texts, &b->tasks[i].rec, b->cfg->format,
                        buf_cstr(&model), v + (b->spans[i].first - first) * dim, b->spans[i].n,
                        dim);
    buf_release(&model);
    return 0;
}

/* Stops asking once the service itself fails. */
static void ask_one_by_one(const struct batch *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct task *t = &b->tasks[i];
        if (t->rc != 0 || ask(b, i, i + 1, &t->err) == 0)
            continue;
        t->rc = -1;
        if (t->err.code != EXIT_REJECTED) {
            batch_fail(t + 1, n - i - 1, &t->err);
            return;
        }
    }
}

void batch_embed(const struct batch_cfg *cfg, struct api_conn *c, struct texts *texts,
                 struct task *tasks, size_t n)
{
    struct batch b = { cfg, c, texts, tasks, alloc_zero(n, sizeof *b.spans) };
    struct err err;
    texts_reset(texts);
    for (size_t i = 0; i < n; i++) {
        b.spans[i].first = texts->n;
        if (tasks[i].rc == 0)
            tasks[i].rc =
                texts_add(texts, cfg->texts, &tasks[i].rec, &b.spans[i].n, &tasks[i].err);
    }
    if (n && ask(&b, 0, n, &err) < 0) {
        if (err.code == EXIT_REJECTED && n > 1)
            ask_one_by_one(&b, n);
        else
            batch_fail(tasks, n, &err);
    }
    free(b.spans);
}
