// SPDX-License-Identifier: MIT
/*
 * run.h — what every tool does alike: start, read records, reject, write, end
 *
 * A tool's main is:
 *     struct run run = run_start(&tool, argc, argv);   // help, version, usage end here
 *     … set up; on failure: return run_fail(&run);
 *     run_each(&run, chunk_line, &ctx);                // or a loop over run_next
 *     return run_end(&run);                            // flush, check, summary, exit code
 * The exit codes and the accounting (read = done + filtered + rejected) are kept here.
 */
#ifndef GR_RUN_H
#define GR_RUN_H

#include "buf.h"
#include "diag.h"
#include "err.h"
#include "file.h"
#include "gr.h"
#include "json.h"
#include "ndjson.h"
#include "opts.h"

struct run;

struct tool_cmd {
    struct opt_cmd desc;       /* name, summary, operands, options */
    int (*main)(struct run *); /* returns the exit code, usually run_end's */
    bool has_no_input; /* operands are not files of records: main looks at them itself */
};

struct tool {
    const char *name;    /* "gr-chunk" */
    const char *summary; /* "split papers into overlapping chunks" */

    /* Either one command line (name NULL, main not used) … */
    struct tool_cmd only;
    /* … or several commands; the one named default_cmd runs when no command is given. */
    const struct tool_cmd *cmds;
    size_t n_cmds;
    const char *default_cmd;

    bool takes_text; /* a line that is no JSON object is {"query": line} */
    const bool
        *is_all_text; /* when set and true, every line is {"id": "its number", "text": line} */
    const char *const *unread; /* members it never reads, up to a NULL: saves parsing them */
    const char *(*libs)(
        void);          /* versions of libraries for --version, NULL: none; static text */
    const char *footer; /* last lines of --help: an example or two; NULL: none */
};

enum run_on_error { RUN_SKIP, RUN_STOP };

/* The values of RUN_OPTIONS; const once run_start has returned. */
struct run_cfg {
    const char *output, *rejects, *data;
    long jobs, max_errors, seed;
    int on_error, progress, verbose;
    bool is_line_buffered, is_quiet, has_timings;
    bool wants_help, wants_version, wants_describe;
};
extern struct run_cfg run_cfg;

/* Rows that end every options table of a tool, OPT_END included. */
#define RUN_OPTIONS                                                                                 \
    { "Common options", 0, OPT_GROUP },                                                             \
        { "output",       'o',  OPT_STRING,                                                         \
          "FILE",         NULL, "write to FILE, replaced when all is done",                         \
          &run_cfg.output },                                                                        \
        { "jobs",        'j', OPT_LONG, "N", "0", "worker threads, 0: one per processor",           \
          &run_cfg.jobs, 0,   1024 },                                                               \
        { "on-error",                                                                               \
          0,                                                                                        \
          OPT_ENUM,                                                                                 \
          "WHAT",                                                                                   \
          "skip",                                                                                   \
          "what a bad record does",                                                                 \
          &run_cfg.on_error,                                                                        \
          .choices = "skip|stop" },                                                                 \
        { "max-errors",        0, OPT_LONG, "N", "0", "stop after N bad records, 0: never",         \
          &run_cfg.max_errors, 0, 1e15 },                                                           \
        { "rejects",       0,    OPT_STRING,                                                        \
          "FILE",          NULL, "keep bad records with the reason in FILE",                        \
          &run_cfg.rejects },                                                                       \
        { "line-buffered",          0, OPT_FLAG, NULL, NULL, "write out after each record",         \
          &run_cfg.is_line_buffered },                                                              \
        { "progress",                                                                               \
          0,                                                                                        \
          OPT_ENUM,                                                                                 \
          "WHEN",                                                                                   \
          "auto",                                                                                   \
          "progress line on standard error",                                                        \
          &run_cfg.progress,                                                                        \
          .choices = "auto|always|never" },                                                         \
        { "seed", 0, OPT_LONG, "N", "42", "seed of everything random", &run_cfg.seed, 0, 1e15 },    \
        { "data",       0, OPT_STRING, "DIR", NULL, "where the installed data is looked up",        \
          &run_cfg.data },                                                                          \
        { "timings", 0, OPT_FLAG, NULL, NULL, "add times to trace entries", &run_cfg.has_timings }, \
        { "quiet", 'q', OPT_FLAG, NULL, NULL, "errors only", &run_cfg.is_quiet },                   \
        { "verbose", 'v', OPT_COUNT, NULL, NULL, "say more", &run_cfg.verbose },                    \
        { "help", 'h', OPT_FLAG, NULL, NULL, "this text", &run_cfg.wants_help },                    \
        { "version",                                                                                \
          'V',                                                                                      \
          OPT_FLAG,                                                                                 \
          NULL,                                                                                     \
          NULL,                                                                                     \
          "versions of the tool and its libraries",                                                 \
          &run_cfg.wants_version },                                                                 \
        { "describe",                                                                               \
          0,                                                                                        \
          OPT_FLAG,                                                                                 \
          NULL,                                                                                     \
          NULL,                                                                                     \
          "the options as NDJSON records",                                                          \
          &run_cfg.wants_describe },                                                                \
    {                                                                                               \
        NULL, 0, OPT_END                                                                            \
    }

struct run {
    const struct tool *tool;
    const struct tool_cmd *cmd;
    const char **operands; /* (n_operands) borrowed from argv */
    size_t n_operands;
    unsigned jobs; /* resolved: > 0 */
    struct err err;
    struct out out; /* records go here; opened by run_start */
    struct out rejects;
    struct lines in;
    uint64_t n_read, n_done, n_filtered, n_rejected;
    enum gr_exit stop_code; /* why reading stopped early; EXIT_ALL_DONE: it did not */
    bool has_ended;
};

/* Parse the command line and open input and output. Ends the process for --help, --version,
 * --describe (0), wrong usage (2), and files that cannot be opened (3). Run cmd->main
 * (commands) or go on (single tools). */
struct run run_start(const struct tool *tool, int argc, char **argv);

/* Wrong combination of options or operands, found by the tool: two lines and exit code 2 to
 * return. */
int run_usage(struct run *run, const char *fmt, ...) GR_PRINTF(2, 3);

/* Print run->err, give up the output, return the exit code; EXIT_USAGE: as run_usage. */
int run_fail(struct run *run);

/*
 * One record in, any number of records out, appended to `out` as finished lines. Return 0, or 1
 * when the record is filtered out on purpose, or -1 with err: EXIT_REJECTED rejects this record
 * (what was appended is dropped), EXIT_FATAL or EXIT_SERVICE stop the run. worker: 0 … jobs-1,
 * for per-thread scratch. Called from several threads; ctx is shared and const.
 */
typedef int (*run_line_fn)(void *ctx, unsigned worker, const struct rec *r, struct buf *out,
                           struct err *err);

/* Every record of the input through fn, output in input order whatever the number of jobs. */
void run_each(struct run *run, run_line_fn fn, void *ctx);

/* The same for tools whose work on one record is long (tens of milliseconds and more): records
 * are given to workers one by one. */
void run_each_slow(struct run *run, run_line_fn fn, void *ctx);

/* One record of a batch. */
struct task {
    struct rec rec; /* parsed already when rc == 0 */
    struct buf out; /* finished lines */
    struct err err;
    struct buf warnings; /* finished by run; fill with rec_warn */
    struct buf reply;    /* what a service said: kept with --rejects when rc is -1 */
    int rc;              /* as run_line_fn returns; not 0 on entry: leave the task alone */
    struct buf line;     /* the raw bytes */
    struct buf id;       /* run's own */
    bool is_member;      /* of a group; else alone */
    size_t nth;          /* number in the group, or in its part */
};

/* Up to `size` records at a time through fn, for services that take many at once. */
typedef void (*run_batch_fn)(void *ctx, unsigned worker, struct task *tasks, size_t n);
void run_each_batch(struct run *run, run_batch_fn fn, void *ctx, size_t size);

/*
 * The same for records that belong together, as the chunks of a paper do: what one says is of
 * use in another. Records in a row with one key are a group; nothing of a group is worked on
 * before `learn` has seen all of it. Lines that cannot be read do not part a group.
 *
 * Held in memory are whole groups, so a group ends, and is worked on, with the first record of
 * another. One of more than RUN_GROUP_BYTES is worked on in parts, with a warning: the later
 * know the earlier ones, not the other way round. A group whose key was there before, with
 * others between, is another group, and warned about while it is among the last ten thousand or
 * so.
 */
#define RUN_GROUP_BYTES ((size_t)4 << 20)

struct run_group {
    const char *field; /* the member that groups share, a string; without it: alone */
    bool is_slow;      /* as run_each_slow: records to workers one by one */

    /* What the n records of a group say, those whose rc is 0 and which are parsed; before: what
     * was learnt of the parts before, or NULL. Called from several threads. The caller frees
     * the result with forget; NULL: nothing. */
    void *(*learn)(const void *ctx, const struct task *tasks, size_t n, const void *before);
    void (*forget)(void *learnt);

    /* As run_line_fn. learnt: NULL for records that are alone; nth: number of the record in
     * what was learnt with it. */
    int (*work)(void *ctx, unsigned worker, const struct rec *r, const void *learnt, size_t nth,
                struct buf *out, struct err *err);
};
void run_each_group(struct run *run, const struct run_group *group, void *ctx);

/*
 * The same for input that is not lines (files to convert): `next` puts the next item's bytes
 * (a path, say) into *item and its name for messages into *file (valid until run_end; NULL: the
 * item itself, up to its first NUL), returns 1, or 0 at the end, or -1 with err to reject the
 * item. fn sees rec.line = item, rec.file = file, no value. The record is fn's own while it
 * works: it may set r->number to the line that a message is about, and shorten r->line to what
 * --rejects should keep.
 */
typedef int (*run_item_fn)(void *source, struct buf *item, const char **file, struct err *err);
typedef int (*run_work_fn)(void *ctx, unsigned worker, struct rec *r, struct buf *out,
                           struct err *err);
void run_each_item(struct run *run, run_item_fn next, void *source, run_work_fn fn, void *ctx);

/* For commands with has_no_input that read records all the same: take operands from number
 * `first` on as input files (none left: standard input). Ends the process with 3 when one
 * cannot be opened. */
void run_inputs(struct run *run, size_t first);

/* The next good record, or false at the end (or when the run must stop). Bad lines are rejected
 * on the way. *r is valid until the next call. */
bool run_next(struct run *run, struct rec *r);

/* Like run_next, but the record is not parsed (r->v is null): for readers that look at the
 * bytes first. run_parse parses it then, -1 with run->err: reject it. text: room for a plain
 * line's record, valid as long as r; the caller ends with rec_release(r). */
bool run_next_raw(struct run *run, struct rec *r);
int run_parse(struct run *run, struct rec *r, struct buf *text);

/* For run_next loops: reject this record with run->err, or stop when its code says so. */
void run_reject(struct run *run, const struct rec *r);

/* Write finished lines to the output. */
void run_write(struct run *run, struct sv lines);

/* Flush, check and close everything, print the summary, return the exit code. */
int run_end(struct run *run);

#endif
