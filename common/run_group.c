// SPDX-License-Identifier: MIT
/*
 * run_group.c — records that belong together: read ahead, learn, then work on each
 *
 * The reader holds whole groups and gives them to the batches of run_each.c. A batch has many
 * small groups, learnt by the worker that works on them, so that each record is parsed once. Of
 * groups whose records go to several batches (slow work, groups too large for memory) the
 * reader learns itself, and the batches share what it learnt.
 */
#include <stdatomic.h>

#include "alloc.h"
#include "hash.h"
#include "run_internal.h"

#define SEEN_MAX 16384   /* groups remembered; a power of two */
#define TASK_BYTES 256   /* a record is at least as large as this to a limit */
#define KEY_SHOWN_MAX 80 /* bytes of a key in a message */

struct learnt {
    void *what;
    atomic_size_t uses; /* batches, and the reader */
};

struct lookahead {
    struct task *held; /* (cap) read and not given: n_done of closed groups, then an open one */
    size_t n, cap, n_done;
    size_t done_bytes, open_bytes;
    bool is_open, is_at_end;
    bool is_part; /* the group at hand had a part already */
    struct buf key, next, tmp;
    struct learnt *learnt; /* of the first group held, or of its parts before */
    size_t n_learnt;       /* how many records of it are held */
    uint64_t seen[SEEN_MAX];
};

/* ---- knowledge in several hands ---- */

static void let_go(const struct run_group *g, struct learnt *l)
{
    if (!l || atomic_fetch_sub(&l->uses, 1) > 1)
        return;
    if (l->what)
        g->forget(l->what);
    free(l);
}

void run_internal_let_go(struct each *e, struct batch *b)
{
    let_go(e->group, b->learnt);
    b->learnt = NULL;
}

/* Of the first n records held. Values stay in this thread. */
static void learn_here(struct each *e, size_t n)
{
    struct lookahead *l = e->look;
    for (size_t i = 0; i < n; i++) {
        struct task *t = &l->held[i];
        struct rec *r = &t->rec;
        struct err ignored;
        /* work says what is wrong with it */
        if (t->rc == 0 && rec_parse_some(r, sv_trim(r->line), e->run->tool->unread, &ignored))
            t->rc = 1;
    }
    struct learnt *now = alloc_zero(1, sizeof *now);
    now->what = e->group->learn(e->ctx, l->held, n, l->learnt ? l->learnt->what : NULL);
    atomic_init(&now->uses, 1);
    for (size_t i = 0; i < n; i++) {
        struct task *t = &l->held[i];
        rec_release(&t->rec);
        t->rec.v = jv_null();
        t->rec.line = buf_view(&t->line);
        t->rc = t->rc > 0 ? 0 : t->rc;
    }
    let_go(e->group, l->learnt);
    l->learnt = now;
    l->n_learnt = n;
}

/* ---- reading ---- */

static void warn_key(struct lookahead *l, struct task *t, const char *what)
{
    struct sv key = buf_view(&l->key);
    key.n = key.n > KEY_SHOWN_MAX ? KEY_SHOWN_MAX : key.n;
    t->rec.warnings = &t->warnings;
    rec_warn(&t->rec, "%.*s%s", SV_ARG(key), what);
}

/* Into l->next: the key of the line as it stands there. False: it has none. */
static bool find_key(struct lookahead *l, const struct run_group *g, struct sv line)
{
    struct rec r = { .line = line };
    struct sv name, value;
    buf_reset(&l->next);
    for (size_t pos = 1; rec_each(&r, &pos, &l->tmp, &name, &value);)
        if (sv_is(name, g->field)) {
            bool is_str = value.n > 2 && value.p[0] == '"';
            if (is_str)
                buf_sv(&l->next, sv_from_to(value, 1, value.n - 1));
            return is_str;
        }
    return false;
}

static void open_group(struct lookahead *l, struct task *t)
{
    struct buf swap = l->key;
    l->key = l->next;
    l->next = swap;
    uint64_t hash = hash64(buf_view(&l->key));
    uint64_t *seen = &l->seen[hash & (SEEN_MAX - 1)];
    if (*seen == hash)
        warn_key(l, t,
                 ": came before, with others between: each run of its records is read by "
                 "itself; sort them");
    *seen = hash;
}

/* Does t, just read, belong to the open group? Closes that when it does not. */
static void sort_in(struct each *e, struct task *t)
{
    struct lookahead *l = e->look;
    struct sv line = sv_trim(buf_view(&t->line));
    struct err ignored;
    bool is_object = t->rc == 0 && line.n > 1 && line.p[0] == '{' && line.p[line.n - 1] == '}';
    bool has_key = is_object && find_key(l, e->group, line);
    bool is_same = has_key ? sv_eq(buf_view(&l->next), buf_view(&l->key))
                           : !is_object || json_check(line, &ignored) < 0;
    t->is_member = l->is_open && is_same;
    t->nth = t->is_member && l->n > 1 ? l->held[l->n - 2].nth + 1 : 0;
    if (t->is_member)
        return;
    l->is_part &= l->n > 1; /* its last part was all given */
    if (!l->is_part && !l->n_learnt) {
        let_go(e->group, l->learnt); /* nothing of it holds for the next group */
        l->learnt = NULL;
    }
    l->n_done = l->n - 1;
    l->done_bytes += l->open_bytes;
    l->open_bytes = 0;
    l->is_open = t->is_member = has_key;
    if (has_key)
        open_group(l, t);
}

/* The open group has no more records. */
static void close_group(struct lookahead *l)
{
    l->n_done = l->n;
    l->done_bytes += l->open_bytes;
    l->open_bytes = 0;
}

static void grow(struct task **tasks, size_t *cap, size_t need)
{
    size_t was = *cap;
    if (need <= was)
        return;
    *cap = alloc_grow(was, need);
    *tasks = alloc_resize(*tasks, *cap, sizeof **tasks);
    memset(*tasks + was, 0, (*cap - was) * sizeof **tasks);
    for (size_t i = was; i < *cap; i++)
        (*tasks)[i].rec.v = jv_null();
}

static size_t size_of(const struct task *t)
{
    return t->line.len + TASK_BYTES;
}

static void read_more(struct each *e)
{
    struct lookahead *l = e->look;
    grow(&l->held, &l->cap, l->n + 1);
    struct task *t = &l->held[l->n];
    run_internal_reset(t);
    if (run_internal_read(e, t)) {
        t->rec.line = buf_view(&t->line);
        l->n++;
        sort_in(e, t);
        l->open_bytes += size_of(t);
        l->is_at_end = !t->rec.file; /* it cannot be read on */
    } else {
        l->is_at_end = true;
    }
    if (!l->is_open || l->is_at_end)
        close_group(l);
}

/* How many records can go into one batch now; 0: more must be read. */
static size_t due(struct each *e)
{
    struct lookahead *l = e->look;
    size_t n = 1;
    if (l->n_learnt)
        return e->group->is_slow ? 1 : l->n_learnt;
    if (l->n_done && (l->is_part || e->group->is_slow)) {
        if (!l->held[0].is_member)
            return 1;
        while (n < l->n_done && l->held[n].nth > 0)
            n++;
        l->is_part = false;
        learn_here(e, n);
        return e->group->is_slow ? 1 : n;
    }
    bool is_full = l->n_done >= LINES_A_BATCH || l->done_bytes >= BYTES_A_BATCH;
    if (l->n_done && (is_full || l->is_at_end || l->open_bytes >= RUN_GROUP_BYTES ||
                      run_internal_must_wait(e)))
        return l->n_done;
    if (l->open_bytes < RUN_GROUP_BYTES)
        return 0;
    warn_key(l, &l->held[l->n - 1],
             ": more than 4 MiB of records: those up to here are read without what later ones "
             "say");
    learn_here(e, l->n);
    close_group(l);
    l->is_part = true;
    return e->group->is_slow ? 1 : l->n;
}

static void swap(struct task *a, struct task *b)
{
    struct task t = *a;
    *a = *b;
    *b = t;
}

/* The first n records held, into b. Returns their bytes. */
static size_t give(struct each *e, struct batch *b, size_t n)
{
    struct lookahead *l = e->look;
    size_t bytes = 0;
    grow(&b->tasks, &b->cap, n);
    b->n = n;
    for (size_t i = 0; i < n; i++) {
        bytes += size_of(&l->held[i]);
        swap(&b->tasks[i], &l->held[i]);
    }
    for (size_t i = n; i < l->n; i++)
        swap(&l->held[i - n], &l->held[i]);
    l->n -= n;
    l->n_done -= n;
    l->done_bytes -= bytes;
    if (!l->n_learnt)
        return bytes;
    atomic_fetch_add(&l->learnt->uses, 1);
    b->learnt = l->learnt;
    l->n_learnt -= n;
    if (!l->n_learnt && !l->is_part) {
        let_go(e->group, l->learnt);
        l->learnt = NULL;
    }
    return bytes;
}

size_t run_internal_read_groups(struct each *e, struct batch *b)
{
    struct lookahead *l = e->look;
    size_t n = 0, bytes = 0;
    b->n = 0;
    b->is_waited_for = b->is_last = false;
    while (!(n = due(e)) && !l->is_at_end)
        read_more(e);
    if (n || (n = due(e)))
        bytes = give(e, b, n);
    b->is_last = l->is_at_end && l->n == 0;
    b->is_waited_for = run_internal_must_wait(e);
    return bytes;
}

/* ---- working ---- */

static void work_group(struct each *e, unsigned worker, struct task *tasks, size_t n,
                       struct learnt *shared)
{
    void *learnt = shared ? shared->what : NULL;
    for (size_t i = 0; i < n; i++) {
        tasks[i].rec.warnings = &tasks[i].warnings;
        tasks[i].rec.reply = &tasks[i].reply;
        run_internal_parse_task(e, &tasks[i]);
    }
    if (!shared && tasks[0].is_member)
        learnt = e->group->learn(e->ctx, tasks, n, NULL);
    for (size_t i = 0; i < n; i++) {
        struct task *t = &tasks[i];
        if (run_cfg.has_timings)
            rec_clock(&t->rec);
        if (t->rc == 0)
            t->rc = e->group->work(e->ctx, worker, &t->rec, t->is_member ? learnt : NULL,
                                   t->nth, &t->out, &t->err);
        run_internal_finish(t);
    }
    if (!shared && learnt)
        e->group->forget(learnt);
}

void run_internal_work_groups(struct each *e, unsigned worker, struct batch *b)
{
    for (size_t i = 0, n = 1; i < b->n; i += n, n = 1) {
        while (i + n < b->n && b->tasks[i + n].nth > 0)
            n++;
        work_group(e, worker, b->tasks + i, n, b->learnt);
    }
}

void run_each_group(struct run *run, const struct run_group *group, void *ctx)
{
    struct lookahead *l = alloc_zero(1, sizeof *l);
    struct each e = { .run = run, .group = group, .look = l, .ctx = ctx, .size = 1 };
    run_internal_each(&e);
    run_internal_free_tasks(l->held, l->cap);
    let_go(group, l->learnt);
    buf_release(&l->key);
    buf_release(&l->next);
    buf_release(&l->tmp);
    free(l);
}
