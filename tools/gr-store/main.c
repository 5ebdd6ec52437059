// SPDX-License-Identifier: MIT
/*
 * gr-store — keep records by id in a file or in MongoDB, and get them back
 *
 *   in   put: any records with an id
 *   out  get, find: the records; count, delete: a number
 *
 * memory: a file store is read whole, MongoDB in batches; exit codes: gr-intro(7); method:
 * store.h
 */
#include <inttypes.h>

#include "run.h"
#include "schema.h"
#include "store.h"

static struct {
    const char *collection, *filter, *sort;
    long limit;
    bool is_all;
} cfg;

#define COLLECTION                                                                             \
    {                                                                                          \
        "collection", 'c', OPT_STRING, "NAME", "chunks", "collection of the database",         \
            &cfg.collection                                                                    \
    }
#define FILTER                                                                                 \
    {                                                                                          \
        "filter", 0, OPT_STRING, "JSON", NULL, "which records, in MongoDB's query language",   \
            &cfg.filter                                                                        \
    }

static const struct opt plain_options[] = { { "Store", 0, OPT_GROUP },
                                            COLLECTION,
                                            RUN_OPTIONS };
static const struct opt count_options[] = {
    { "Store", 0, OPT_GROUP }, COLLECTION, FILTER, RUN_OPTIONS
};
static const struct opt find_options[] = {
    { "Store", 0, OPT_GROUP },
    COLLECTION,
    FILTER,
    { "sort", 0, OPT_STRING, "FIELD", NULL, "order by FIELD, by -FIELD descending", &cfg.sort },
    { "limit", 0, OPT_LONG, "N", "0", "at most N records, 0: all", &cfg.limit, 0, 1e15 },
    RUN_OPTIONS,
};
static const struct opt delete_options[] = {
    { "Store", 0, OPT_GROUP },
    COLLECTION,
    FILTER,
    { "all", 0, OPT_FLAG, NULL, NULL, "delete every record", &cfg.is_all },
    RUN_OPTIONS,
};

/* The store that the first operand names. */
static struct store *open_store(struct run *run, bool may_create, bool for_writing)
{
    if (!run->n_operands)
        run_usage(run, "which store? give a file or a mongodb:// address");
    const char *uri = run->operands[0];
    const char *path = strncmp(uri, "file:", 5) == 0 ? uri + 5 : uri;
    if (!may_create && !strstr(uri, "://") && file_check(path, &run->err) < 0)
        return NULL;
    return store_open(uri, cfg.collection, for_writing, &run->err);
}

/* An address may hold a password: it is never printed. */
static const char *shown_uri(const char *uri)
{
    return strstr(uri, "://") ? "MongoDB" : uri;
}

/* A wrong address is wrong usage, whoever finds out. */
static int give_up_open(struct run *run)
{
    if (run->err.code == EXIT_USAGE)
        return run_usage(run, "%s", run->err.msg);
    return run_fail(run);
}

static int finish(struct run *run, struct store *s)
{
    if (store_close(s, &run->err) < 0)
        return run_fail(run);
    return run_end(run);
}

/* A wrong filter is wrong usage, whoever finds out. */
static int give_up(struct run *run, struct store *s)
{
    store_abandon(s);
    return give_up_open(run);
}

static bool print_line(void *ctx, struct sv line)
{
    struct run *run = ctx;
    run_write(run, line);
    run_write(run, SV("\n"));
    return !out_failed(&run->out);
}

static void print_count(struct run *run, const char *what, uint64_t n)
{
    char line[80];
    snprintf(line, sizeof line, "{\"%s\":%" PRIu64 "}\n", what, n);
    run_write(run, sv_from(line));
}

static int put_record(struct run *run, struct store *s, const struct rec *r)
{
    struct sv id;
    if (json_need_str(r->v, F_ID, &id, &run->err) < 0)
        return -1;
    return store_put(s, id, r->line, &run->err);
}

static int put_main(struct run *run)
{
    struct store *s = open_store(run, true, true);
    if (!s)
        return give_up_open(run);
    run_inputs(run, 1);
    for (struct rec r; run_next(run, &r);)
        if (put_record(run, s, &r) < 0)
            run_reject(run, &r);
    if (run->stop_code) {
        store_abandon(s);
        return run_end(run);
    }
    return finish(run, s);
}

static int get_main(struct run *run)
{
    struct store *s = open_store(run, false, false);
    if (!s)
        return give_up_open(run);
    for (size_t i = 1; i < run->n_operands; i++) {
        struct sv id = sv_from(run->operands[i]);
        run->n_read++;
        run->n_done++; /* run_reject takes it back */
        int rc = store_get(s, id, print_line, run, &run->err);
        if (rc < 0)
            return give_up(run, s);
        if (rc == 0) {
            struct rec none = { .line = id,
                                .file = shown_uri(run->operands[0]),
                                .v = jv_null() };
            err_set(&run->err, EXIT_REJECTED, "id \"%s\": not there", run->operands[i]);
            run_reject(run, &none);
        }
    }
    return finish(run, s);
}

static int find_main(struct run *run)
{
    struct store *s = open_store(run, false, false);
    if (!s)
        return give_up_open(run);
    struct store_query q = { cfg.filter, cfg.sort, cfg.limit };
    if (store_find(s, &q, print_line, run, &run->err) < 0)
        return give_up(run, s);
    return finish(run, s);
}

static int count_main(struct run *run)
{
    uint64_t n;
    struct store *s = open_store(run, false, false);
    if (!s)
        return give_up_open(run);
    if (store_count(s, cfg.filter, &n, &run->err) < 0)
        return give_up(run, s);
    print_count(run, "count", n);
    return finish(run, s);
}

static int delete_main(struct run *run)
{
    bool has_ids = run->n_operands > 1;
    if (has_ids + (cfg.filter != NULL) + cfg.is_all != 1)
        return run_usage(run, "give ids, or --filter, or --all");
    struct store *s = open_store(run, false, true);
    if (!s)
        return give_up_open(run);
    uint64_t n = 0, sum = 0;
    int rc = 0;
    if (!has_ids)
        rc = store_delete(s, cfg.filter, &sum, &run->err);
    for (size_t i = 1; rc == 0 && i < run->n_operands; i++) {
        rc = store_delete_id(s, sv_from(run->operands[i]), &n, &run->err);
        sum += n;
    }
    if (rc < 0)
        return give_up(run, s);
    print_count(run, "deleted", sum);
    return finish(run, s);
}

static const struct tool_cmd cmds[] = {
    { { "put", "add records, or replace those with the same id", "URI [FILE]…", plain_options },
      put_main,
      true },
    { { "get", "print the records of ids", "URI ID…", plain_options }, get_main, true },
    { { "find", "print the records that fit a filter", "URI", find_options }, find_main, true },
    { { "count", "count the records that fit a filter", "URI", count_options },
      count_main,
      true },
    { { "delete", "delete records by id or filter", "URI [ID]…", delete_options },
      delete_main,
      true },
};

static const char *libs(void)
{
    static char text[64];
    snprintf(text, sizeof text, "libmongoc %s", store_mongo_version());
    return text;
}

static const struct tool tool = {
    .name = "gr-store",
    .summary = "keep records by id in a file or in MongoDB",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .libs = libs,
    .footer = "Example: gr-store put chunks.db.ndjson chunks.ndjson",
};

int main(int argc, char **argv)
{
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
