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

/* Those that have neither failed nor got their output. */
static void fail_left(struct task *tasks, size_t n, const struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (tasks[i].rc == 0 && !tasks[i].out.len) {
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
    for (size_t i = from; i < to; i++) {
        struct task *t = &b->tasks[i];
        if (t->rc == 0 && b->source->is_dry)
            t->rc = 1;
        else if (t->rc == 0 &&
                 texts_write(&t->out, b->cfg, &t->rec, &vectors, b->spans[i].first - first,
                             b->spans[i].n, &t->err) < 0)
            t->rc = -1;
    }
    return 0;
}

/* Tasks [from, to), halved while they are rejected: what a half has got is not asked for again.
 * False once the source itself fails: *err says how. */
static bool ask_halves(const struct batch *b, size_t from, size_t to, struct err *err)
{
    if (from == to || ask(b, from, to, err) == 0)
        return true;
    if (err->code != EXIT_REJECTED)
        return false;
    if (to - from == 1) {
        if (b->tasks[from].rc == 0) {
            b->tasks[from].rc = -1;
            b->tasks[from].err = *err;
        }
        return true;
    }
    size_t half = from + (to - from) / 2;
    return ask_halves(b, from, half, err) && ask_halves(b, half, to, err);
}

/* The end of the tasks from `from` on that fit into one call; one at least. */
static size_t fitting(const struct batch *b, size_t from, size_t n)
{
    size_t tokens = 0, i = from;
    for (; i < n; i++) {
        for (size_t k = 0; k < b->spans[i].n; k++)
            tokens += texts_tokens(texts_at(b->texts, b->spans[i].first + k));
        if (b->source->max_tokens && tokens > b->source->max_tokens && i > from)
            break;
    }
    return i;
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
    for (size_t from = 0, to; from < n; from = to) {
        to = fitting(&b, from, n);
        if (!ask_halves(&b, from, to, &err)) {
            fail_left(tasks + from, n - from, &err);
            break;
        }
    }
    free(b.spans);
}
