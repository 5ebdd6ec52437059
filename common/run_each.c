// SPDX-License-Identifier: MIT
/*
 * run_each.c — records through workers in batches, output in input order
 *
 * A batch closes when it is full or when the next record would have to be waited for, so a slow
 * producer is answered at once. What comes out does not depend on where batches end: each
 * record has its own output, error and warnings, and they are emitted record by record.
 */
#include <fcntl.h>
#include <unistd.h>

#include "alloc.h"
#include "pool.h"
#include "progress.h"
#include "run_internal.h"

/* ---- reading ---- */

bool run_internal_read(struct each *e, struct task *t)
{
    struct run *run = e->run;
    struct sv line = SV_NONE;
    enum line_status s = lines_next(&run->in, &line, &t->err);
    if (s == LINE_END)
        return false;
    t->rec.file = run->in.path;
    t->rec.number = run->in.number;
    buf_sv(&t->line, line);
    if (s == LINE_TOO_LONG)
        err_set(&t->err, EXIT_REJECTED, "line longer than %zu bytes", run->in.max);
    if (s == LINE_FAILED)
        t->rec.file = NULL;
    if (s != LINE_OK)
        t->rc = -1;
    return true;
}

static bool read_item(struct each *e, struct task *t)
{
    t->rec.file = NULL;
    int rc = e->next_item(e->source, &t->line, &t->rec.file, &t->err);
    if (!t->rec.file)
        t->rec.file = buf_cstr(&t->line);
    t->rec.number = 0;
    if (rc < 0)
        t->rc = -1;
    return rc != 0;
}

static void empty(struct buf *b)
{
    if (b->cap > LARGE_BYTES)
        buf_release(b);
    else
        buf_reset(b);
}

void run_internal_reset(struct task *t)
{
    rec_release(&t->rec);
    t->rec = (struct rec){
        .v = jv_null(), .file = "<stdin>", .warnings = &t->warnings, .reply = &t->reply
    };
    empty(&t->line);
    empty(&t->out);
    empty(&t->warnings);
    empty(&t->reply);
    empty(&t->id);
    t->rc = 0;
}

bool run_internal_must_wait(const struct each *e)
{
    return !e->next_item && !lines_has_buffered(&e->run->in);
}

/* Returns its bytes. */
static size_t read_batch(struct each *e, struct batch *b)
{
    size_t bytes = 0;
    if (e->group)
        return run_internal_read_groups(e, b);
    b->is_last = b->is_waited_for = false;
    for (b->n = 0; b->n < e->size && bytes < BYTES_A_BATCH; b->n++) {
        if (b->n && run_internal_must_wait(e))
            break;
        struct task *t = &b->tasks[b->n];
        run_internal_reset(t);
        if (!(e->next_item ? read_item(e, t) : run_internal_read(e, t))) {
            b->is_last = true;
            return bytes;
        }
        t->rec.line = buf_view(&t->line);
        bytes += t->line.len;
    }
    b->is_waited_for = run_internal_must_wait(e);
    return bytes;
}

/* ---- working ---- */

void run_internal_parse_task(const struct each *e, struct task *t)
{
    if (t->rc || e->next_item)
        return;
    struct buf text = BUF_INIT;
    t->rc = run_internal_parse(e->run->tool, &t->rec, buf_view(&t->line), &text, &t->err);
    if (text.len && t->rc == 0) { /* the record's bytes are those of the rewritten line */
        buf_reset(&t->line);
        buf_sv(&t->line, buf_view(&text));
        t->rec.line = buf_view(&t->line);
    } else if (t->rc) {
        t->rec.line = buf_view(&t->line);
    }
    buf_release(&text);
}

/* A value is freed by the thread that made it; the writer gets bytes only. */
void run_internal_finish(struct task *t)
{
    if (t->rc < 0 || t->warnings.len)
        buf_sv(&t->id, json_sv(json_get(t->rec.v, "id")));
    rec_release(&t->rec);
}

static void work(void *ctx, unsigned worker, void *job)
{
    struct each *e = ctx;
    struct batch *b = job;
    if (e->group) {
        run_internal_work_groups(e, worker, b);
        return;
    }
    for (size_t i = 0; i < b->n; i++)
        run_internal_parse_task(e, &b->tasks[i]);
    if (e->batch_fn)
        e->batch_fn(e->ctx, worker, b->tasks, b->n);
    for (size_t i = 0; i < b->n; i++) {
        struct task *t = &b->tasks[i];
        if (run_cfg.has_timings)
            rec_clock(&t->rec);
        if (t->rc == 0 && e->line_fn)
            t->rc = e->line_fn(e->ctx, worker, &t->rec, &t->out, &t->err);
        else if (t->rc == 0 && e->item_fn)
            t->rc = e->item_fn(e->ctx, worker, &t->rec, &t->out, &t->err);
        run_internal_finish(t);
    }
}

/* ---- writing ---- */

static void emit(struct run *run, struct task *t)
{
    run->n_read++;
    run_internal_warnings(&t->rec, buf_view(&t->id), &t->warnings);
    if (t->rc == 0 && t->out.overflow)
        t->rc = err_set(&t->err, EXIT_REJECTED, "its output is too large");
    if (t->rc < 0) {
        run_internal_refuse(run, &t->rec, buf_view(&t->id), &t->err);
        return;
    }
    if (t->rc > 0)
        run->n_filtered++;
    else
        run->n_done++;
    run_write(run, buf_view(&t->out));
    if (t->out.cap > LARGE_BYTES) /* the slot may wait long for its next record */
        buf_release(&t->out);
}

static bool done(void *ctx, void *job)
{
    struct each *e = ctx;
    struct batch *b = job;
    for (size_t i = 0; i < b->n && e->run->stop_code == EXIT_ALL_DONE; i++)
        emit(e->run, &b->tasks[i]);
    if (e->group)
        run_internal_let_go(e, b);
    if (b->is_waited_for)
        out_flush(&e->run->out);
    progress_show(e->run->n_read, e->run->n_rejected);
    bool goes_on = e->run->stop_code == EXIT_ALL_DONE;
    if (!goes_on && e->stop[1] >= 0) { /* closing is the word: end of file wakes a poll too */
        close(e->stop[1]);
        e->stop[1] = -1;
    }
    return goes_on;
}

/* ---- both ---- */

static struct batch *batch_new(size_t size)
{
    struct batch *b = alloc_zero(1, sizeof *b);
    b->tasks = alloc_zero(size, sizeof *b->tasks);
    b->cap = size;
    for (size_t i = 0; i < size; i++)
        b->tasks[i].rec.v = jv_null();
    return b;
}

void run_internal_free_tasks(struct task *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct task *t = &tasks[i];
        rec_release(&t->rec);
        buf_release(&t->line);
        buf_release(&t->out);
        buf_release(&t->warnings);
        buf_release(&t->reply);
        buf_release(&t->id);
    }
    free(tasks);
}

static void batch_free(struct each *e, struct batch *b)
{
    if (e->group)
        run_internal_let_go(e, b);
    run_internal_free_tasks(b->tasks, b->cap);
    free(b);
}

static void each_inline(struct each *e)
{
    struct batch *b = batch_new(e->size);
    do {
        read_batch(e, b);
        work(e, 0, b);
    } while (done(e, b) && !b->is_last);
    batch_free(e, b);
}

static void stop_pipe_open(struct each *e)
{
    if (e->next_item || pipe(e->stop) < 0)
        e->stop[0] = e->stop[1] = -1;
    else
        for (size_t i = 0; i < 2; i++)
            fcntl(e->stop[i], F_SETFD, FD_CLOEXEC);
    e->run->in.stop_fd = e->stop[0];
}

static void stop_pipe_close(struct each *e)
{
    e->run->in.stop_fd = -1;
    if (e->stop[0] < 0)
        return;
    close(e->stop[0]);
    if (e->stop[1] >= 0)
        close(e->stop[1]);
}

static void each_parallel(struct each *e)
{
    stop_pipe_open(e);
    size_t n_slots = 4 * (size_t)e->run->jobs;
    void **slots = alloc_array(n_slots, sizeof *slots);
    for (size_t i = 0; i < n_slots; i++)
        slots[i] = batch_new(e->size);
    struct pool_cfg cfg = { .jobs = e->run->jobs,
                            .n_slots = n_slots,
                            .slots = slots,
                            .ctx = e,
                            .work = work,
                            .done = done };
    struct pool *pool = pool_new(&cfg);
    for (struct batch *b; (b = pool_next(pool));) {
        bool is_large = read_batch(e, b) > LARGE_BYTES, is_last = b->is_last;
        pool_give(pool); /* b is the workers' from here on */
        if (is_last)
            break;
        if (is_large)
            pool_wait(pool, e->run->jobs);
    }
    pool_free(pool);
    stop_pipe_close(e);
    for (size_t i = 0; i < n_slots; i++)
        batch_free(e, slots[i]);
    free(slots);
}

void run_internal_each(struct each *e)
{
    e->stop[0] = e->stop[1] = -1;
    if (e->run->jobs > 1)
        each_parallel(e);
    else
        each_inline(e);
}

void run_each(struct run *run, run_line_fn fn, void *ctx)
{
    struct each e = { .run = run, .line_fn = fn, .ctx = ctx, .size = LINES_A_BATCH };
    run_internal_each(&e);
}

void run_each_slow(struct run *run, run_line_fn fn, void *ctx)
{
    struct each e = { .run = run, .line_fn = fn, .ctx = ctx, .size = 1 };
    run_internal_each(&e);
}

void run_each_batch(struct run *run, run_batch_fn fn, void *ctx, size_t size)
{
    struct each e = { .run = run, .batch_fn = fn, .ctx = ctx, .size = size ? size : 1 };
    run_internal_each(&e);
}

void run_each_item(struct run *run, run_item_fn next, void *source, run_work_fn fn, void *ctx)
{
    struct each e = {
        .run = run, .item_fn = fn, .next_item = next, .source = source, .ctx = ctx, .size = 1
    };
    run_internal_each(&e);
}
