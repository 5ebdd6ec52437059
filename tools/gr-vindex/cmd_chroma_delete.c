// SPDX-License-Identifier: MIT
/*
 * cmd_chroma_delete.c — deleting records of a collection
 *
 *   memory: the ids to delete
 */
#include "cmd_chroma.h"

#include "chroma_find.h"
#include "cmds.h"
#include "schema.h"

#define BATCH 1000 /* ids a request */

struct deleting {
    struct run *run;
    struct chroma *c;
    struct chroma_info info;
    struct chroma_find find;
    struct map *ids; /* to delete */
};

/* Append "ids":["…",…] of some of d->ids. */
static void put_ids(const struct map *ids, size_t from, size_t to, struct buf *out)
{
    json_key(out, "ids");
    json_open(out, '[');
    for (size_t i = from; i < to; i++)
        json_put_str(out, map_key(ids, i));
    json_close(out, ']');
}

static size_t end_of(const struct map *ids, size_t from)
{
    return map_count(ids) - from < BATCH ? map_count(ids) : from + BATCH;
}

/* ---- ids ---- */

/* Which of the named ids are there: those go to d->ids, the others are reported and counted. */
static int check_ids(struct deleting *d, const struct map *named, struct err *err)
{
    for (size_t from = 0, to; from < map_count(named); from = to) {
        struct buf body = BUF_INIT;
        jv reply;
        to = end_of(named, from);
        json_open(&body, '{');
        put_ids(named, from, to, &body);
        buf_str(&body, ",\"include\":[]}");
        int rc = chroma_post(d->c, &d->info, "get", buf_view(&body), &reply, NULL, err);
        buf_release(&body);
        if (rc < 0)
            return -1;
        jv ids = json_get(reply, "ids");
        for (size_t i = 0; i < json_len(ids); i++)
            map_put(d->ids, json_sv(json_at(ids, i)), NULL);
        json_free(reply);
    }
    for (size_t i = 0; i < map_count(named); i++) {
        struct sv id = map_key(named, i);
        d->run->n_read++;
        if (map_get(d->ids, id) != MAP_NONE) {
            d->run->n_done++;
            continue;
        }
        d->run->n_rejected++;
        diag_error("id \"%.*s\": not in %s", SV_ARG(id), chroma_name(d->c));
    }
    return 0;
}

static int name_ids(struct deleting *d, struct err *err)
{
    struct map *named = map_new();
    struct buf text = BUF_INIT;
    int rc = 0;
    for (size_t i = 0; i < d->run->n_operands; i++)
        map_put(named, sv_from(d->run->operands[i]), NULL);
    if (cmd_cfg.ids)
        rc = file_read(&text, cmd_cfg.ids, 0, err);
    struct sv rest = buf_view(&text), line;
    while (rc == 0 && rest.n && sv_cut(&rest, '\n', &line))
        if (sv_trim(line).n)
            map_put(named, sv_trim(line), NULL);
    if (rc == 0)
        rc = check_ids(d, named, err);
    map_free(named);
    buf_release(&text);
    return rc;
}

/* ---- papers, filter ---- */

/* As an expression that select_all understands: .paper | IN("…", …). */
static void put_papers(struct buf *expr)
{
    buf_str(expr, "." F_PAPER " | IN(");
    for (size_t i = 0; i < cmd_cfg.papers.n; i++) {
        buf_str(expr, i ? ", " : "");
        struct buf one = BUF_INIT;
        json_put_str(&one, sv_from(cmd_cfg.papers.items[i]));
        buf_sv(expr, buf_view(&one));
        buf_release(&one);
    }
    buf_char(expr, ')');
}

static int note_id(void *ctx, struct sv id, struct sv record, const float *vec, size_t dim,
                   struct err *err)
{
    struct deleting *d = ctx;
    (void)vec;
    (void)dim;
    int rc = chroma_find_test(&d->find, record, err);
    if (rc == 1)
        map_put(d->ids, id, NULL);
    return rc < 0 ? -1 : 0;
}

static int select_all(struct deleting *d, const char *expr, struct err *err)
{
    struct where w;
    struct search_cfg cfg = { .filter = expr };
    bool has_where = where_parse(&w, expr);
    chroma_find_init(&d->find, d->c, &d->info, &cfg, has_where ? &w : NULL);
    int rc = chroma_find_all(&d->find, false, note_id, d, err);
    chroma_find_release(&d->find);
    if (has_where)
        where_release(&w);
    return rc;
}

/* ---- deleting ---- */

static int delete_all(struct deleting *d, struct err *err)
{
    for (size_t from = 0, to; from < map_count(d->ids); from = to) {
        struct buf body = BUF_INIT;
        jv reply;
        to = end_of(d->ids, from);
        json_open(&body, '{');
        put_ids(d->ids, from, to, &body);
        json_close(&body, '}');
        int rc = chroma_post(d->c, &d->info, "delete", buf_view(&body), &reply, NULL, err);
        buf_release(&body);
        if (rc < 0)
            return -1;
        json_free(reply);
    }
    return 0;
}

static int delete_records(struct deleting *d, struct err *err)
{
    struct buf papers = BUF_INIT;
    int rc = chroma_need(d->c, &d->info, err);
    if (rc == 0)
        rc = name_ids(d, err);
    if (cmd_cfg.papers.n)
        put_papers(&papers);
    if (rc == 0 && papers.len)
        rc = select_all(d, buf_cstr(&papers), err);
    if (rc == 0 && cmd_cfg.search.filter)
        rc = select_all(d, cmd_cfg.search.filter, err);
    if (rc == 0)
        rc = delete_all(d, err);
    if (rc == 0)
        diag_note("%zu records deleted", map_count(d->ids));
    if (rc < 0 && err->code == EXIT_REJECTED)
        err->code = EXIT_FATAL;
    buf_release(&papers);
    return rc;
}

int cmd_chroma_delete(struct run *run)
{
    struct deleting d = { .run = run };
    const char *expr = cmd_cfg.search.filter;
    if (cmd_cfg.index)
        return run_usage(run, "-i and --chroma: the index is in one place");
    if (!run->n_operands && !cmd_cfg.ids && !cmd_cfg.papers.n && !expr)
        return run_usage(run, "delete what? give ids, --ids, --paper or --filter");
    struct filter *probe = expr ? filter_new(expr, &run->err) : NULL;
    if (expr && !probe)
        return run_usage(run, "%s", run->err.msg);
    filter_free(probe);
    d.c = chroma_new(&(struct chroma_cfg){ .url = cmd_chroma.url,
                                           .collection = cmd_chroma.collection,
                                           .timeout_s = cmd_chroma.timeout_s,
                                           .tries = cmd_chroma.tries,
                                           .seed = (uint64_t)run_cfg.seed },
                     &run->err);
    if (!d.c)
        return run_fail(run);
    d.ids = map_new();
    int rc = delete_records(&d, &run->err);
    map_free(d.ids);
    chroma_info_release(&d.info);
    chroma_free(d.c);
    return rc < 0 ? run_fail(run) : run_end(run);
}
