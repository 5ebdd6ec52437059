// SPDX-License-Identifier: MIT
/*
 * batch.c — from records to texts and back
 */
#include "batch.h"

#include "alloc.h"

/* Which texts of the batch are a task's. */
struct span {
    size_t first, n;
};

struct batch {
    const struct source *source;
    const struct texts_cfg *cfg;
    struct texts *texts;
    struct task *tasks;
    struct span *spans; /* one a task; n is 0 for those that had failed */
};

static void fail_all(struct task *tasks, size_t n, const struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (tasks[i].rc == 0) {
            tasks[i].err = *err;
            tasks[i].rc = -1;
        }
}

/* Tasks [from, to) together. */
static int ask(const struct batch *b, size_t from, size_t to, struct err *err)
{
    struct vectors vectors;
    size_t first = b->spans[from].first;
    size_t n = b->spans[to - 1].first + b->spans[to - 1].n - first;
    if (!n)
        return 0;
    if (b->source->embed(b->source->ctx, b->texts, first, n, &vectors, err) < 0)
        return -1;
    for (size_t i = from; i < to; i++)
        if (b->tasks[i].rc == 0)
            texts_write(&b->tasks[i].out, b->cfg, &b->tasks[i].rec, &vectors,
                        b->spans[i].first - first, b->spans[i].n);
    return 0;
}

/* Stops once the source itself fails. */
static void ask_one_by_one(const struct batch *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct task *t = &b->tasks[i];
        if (t->rc != 0 || ask(b, i, i + 1, &t->err) == 0)
            continue;
        t->rc = -1;
        if (t->err.code != EXIT_REJECTED) {
            fail_all(t + 1, n - i - 1, &t->err);
            return;
        }
    }
}

void batch_embed(const struct source *source, const struct texts_cfg *cfg, struct texts *texts,
                 struct task *tasks, size_t n)
{
    struct batch b = { source, cfg, texts, tasks, alloc_zero(n, sizeof *b.spans) };
    struct err err;
    texts_reset(texts);
    for (size_t i = 0; i < n; i++) {
        b.spans[i].first = texts->n;
        if (tasks[i].rc == 0)
            tasks[i].rc = texts_add(texts, cfg, &tasks[i].rec, &b.spans[i].n, &tasks[i].err);
    }
    if (n && ask(&b, 0, n, &err) < 0) {
        if (err.code == EXIT_REJECTED && n > 1)
            ask_one_by_one(&b, n);
        else
            fail_all(tasks, n, &err);
    }
    free(b.spans);
}
