// SPDX-License-Identifier: MIT
/*
 * run_internal.h — shared by run.c, run_each.c and run_group.c only
 */
#ifndef GR_RUN_INTERNAL_H
#define GR_RUN_INTERNAL_H

#include "run.h"

/* Print a message about a record: "file:line: id "…": msg". file NULL: msg names it. */
void run_internal_say(const char *file, uint64_t number, struct sv id, bool is_warning,
                      const char *msg);

/* Count and report a record that failed. False when the run must stop (stop_code is set). */
bool run_internal_refuse(struct run *run, const struct rec *r, struct sv id,
                         const struct err *err);

/* Parse a line as the tool takes it; a plain text line is rewritten into *text first. */
int run_internal_parse(const struct tool *tool, struct rec *r, struct sv line, struct buf *text,
                       struct err *err);

/* Print the warnings collected for a record and forget them. */
void run_internal_warnings(const struct rec *r, struct sv id, struct buf *warnings);

/* ---- run_each.c and run_group.c ---- */

#define LINES_A_BATCH 32
#define BYTES_A_BATCH ((size_t)1 << 20)

/* A record of more bytes is large: few such are held at once, and their memory is given back.
 */
#define LARGE_BYTES ((size_t)4 << 20)

struct learnt; /* what is known of a group that is worked on in parts: run_group.c */
struct lookahead;

struct batch {
    struct task *tasks; /* (cap) */
    size_t n, cap;
    bool is_last;
    bool is_waited_for;    /* no further line had arrived */
    struct learnt *learnt; /* of the one group all tasks are of; NULL: to be learnt from them */
};

struct each {
    struct run *run;
    run_line_fn line_fn;
    run_batch_fn batch_fn;         /* one of the two */
    run_item_fn next_item;         /* NULL: lines of run->in */
    run_work_fn item_fn;           /* with next_item, instead of line_fn */
    const struct run_group *group; /* instead of all these, with look */
    struct lookahead *look;
    void *ctx, *source;
    size_t size; /* records a batch */
    int stop[2]; /* a pipe: the writer's word to a reader that waits for a slow producer */
};

void run_internal_each(struct each *e);

/* Fill one task; false at the end of input. */
bool run_internal_read(struct each *e, struct task *t);
void run_internal_reset(struct task *t);
bool run_internal_must_wait(const struct each *e);
void run_internal_parse_task(const struct each *e, struct task *t);
void run_internal_finish(struct task *t);
void run_internal_free_tasks(struct task *tasks, size_t n);

/* Whole groups into b; returns their bytes. */
size_t run_internal_read_groups(struct each *e, struct batch *b);
void run_internal_work_groups(struct each *e, unsigned worker, struct batch *b);
/* b is written, or will not be. */
void run_internal_let_go(struct each *e, struct batch *b);

#endif
