// SPDX-License-Identifier: MIT
/*
 * remote.c — names to starts, starts to a subgraph, its triples to a graph
 */
#include "remote.h"

#include <unistd.h>

#include "alloc.h"
#include "build.h"
#include "fold.h"
#include "walk.h"

/* ---- statements ---- */

static const char by_names[] = "MATCH (a:GrName) WHERE a.key IN $list UNWIND a.uids AS uid "
                               "RETURN DISTINCT uid ORDER BY uid";
static const char by_chunks[] = "MATCH (a:GrChunk) WHERE a.id IN $list UNWIND a.uids AS uid "
                                "RETURN DISTINCT uid ORDER BY uid";

/* Cypher takes no parameter for a depth: it goes between these two. */
struct form {
    const char *before, *after;
};

/* Counting nodes, then records; by the procedure and without. */
static const struct form counting[] = {
    { "MATCH (start:Entity) WHERE start.uid IN $starts "
      "CALL apoc.path.subgraphNodes(start, {maxLevel: ",
      "}) YIELD node RETURN count(DISTINCT node)" },
    { "MATCH (start:Entity)-[*0..",
      "]-(node:Entity) WHERE start.uid IN $starts RETURN count(DISTINCT node)" },
};
static const struct form covering[] = {
    { "MATCH (start:Entity) WHERE start.uid IN $starts "
      "CALL apoc.path.subgraphAll(start, {maxLevel: ",
      "}) YIELD nodes, relationships UNWIND relationships AS r WITH DISTINCT r "
      "UNWIND r.triples AS t RETURN t" },
    { "MATCH (start:Entity)-[*0..",
      "]-(node:Entity) WHERE start.uid IN $starts WITH collect(DISTINCT node) AS nodes "
      "UNWIND nodes AS h MATCH (h)-[r]->(t) WHERE t IN nodes WITH DISTINCT r "
      "UNWIND r.triples AS t RETURN t" },
};

/* ---- asking ---- */

/* {"list":[keys]} */
static void put_list(struct buf *b, const struct map *keys)
{
    buf_str(b, "{\"list\":[");
    for (size_t i = 0; i < map_count(keys); i++)
        json_put_str(b, map_key(keys, i));
    buf_str(b, "]}");
}

/* Add the uids that a list of names or chunks stands for. */
static int add_starts(const struct remote *r, const char *statement, const struct map *keys,
                      struct map *uids, struct err *err)
{
    struct buf list = BUF_INIT;
    jv rows;
    if (!keys || !map_count(keys))
        return 0;
    put_list(&list, keys);
    int rc = neo4j_ask(r->neo4j, sv_from(statement), buf_view(&list), &rows, err);
    buf_release(&list);
    if (rc < 0)
        return -1;
    for (size_t i = 0; i < json_len(rows); i++) {
        struct sv uid = json_sv(json_at(json_get(json_at(rows, i), "row"), 0));
        if (uid.n)
            map_put(uids, uid, NULL);
    }
    json_free(rows);
    return 0;
}

static int ask_depth(const struct remote *r, const struct form forms[2], long depth,
                     struct sv starts, jv *rows, struct err *err)
{
    const struct form *form = &forms[r->has_no_apoc];
    struct buf statement = BUF_INIT;
    buf_printf(&statement, "%s%ld%s", form->before, depth, form->after);
    int rc = neo4j_ask(r->neo4j, buf_view(&statement), starts, rows, err);
    buf_release(&statement);
    return rc;
}

/* One level less while there would be too many nodes. */
static int narrow(const struct remote *r, const struct remote_ask *ask, struct sv starts,
                  long *depth, struct err *err)
{
    while (*depth > 1 && ask->max_nodes) {
        jv rows;
        if (ask_depth(r, counting, *depth, starts, &rows, err) < 0)
            return -1;
        double n = json_num(json_at(json_get(json_at(rows, 0), "row"), 0));
        json_free(rows);
        if (n <= (double)ask->max_nodes)
            break;
        --*depth;
    }
    return 0;
}

/* What a load left half-way answers half: asked once a connection. */
static int check_whole(struct remote *r, struct err *err)
{
    jv rows;
    if (r->is_whole)
        return 0;
    if (neo4j_ask(r->neo4j, SV("MATCH (l:GrLoad) WHERE l.step <> 'done' RETURN l.step LIMIT 1"),
                  SV("{}"), &rows, err) < 0)
        return -1;
    struct sv step = json_sv(json_at(json_get(json_at(rows, 0), "row"), 0));
    r->is_whole = !step.n;
    if (step.n)
        err_set(err, EXIT_FATAL,
                "the graph in the server is half loaded (its %.*s are not finished): give "
                "gr-gquery load once more, it goes on from there",
                (int)(step.n < 20 ? step.n : 20), step.p);
    json_free(rows);
    return r->is_whole ? 0 : -1;
}

/* ---- folding ---- */

/* What a server sends is looked at as any input is: a record it spoiled is an error. */
static int fold_rows(struct fold *f, jv rows, struct err *err)
{
    for (size_t i = 0; i < json_len(rows); i++) {
        struct sv raw = json_sv(json_at(json_get(json_at(rows, i), "row"), 0));
        struct rec rec = { .v = jv_null() };
        int rc = rec_parse(&rec, raw, err);
        rc = rc < 0 ? rc : fold_add(f, &rec, err);
        rec_release(&rec);
        if (rc == 0)
            continue;
        err->code = EXIT_FATAL;
        return err_prefix(err, "a record kept in the server is damaged: load with --replace");
    }
    return 0;
}

static int open_folded(const struct remote *r, struct fold *f, struct grg *g, struct err *err)
{
    const char *dir = getenv("TMPDIR");
    struct buf path = BUF_INIT;
    struct build_stats stats;
    struct out out;
    buf_printf(&path, "%s/gr-gquery.XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp((char *)buf_cstr(&path)), rc = -1;
    if (fd < 0) {
        err_set(err, EXIT_FATAL, "%s: cannot make a temporary file", buf_cstr(&path));
        buf_release(&path);
        return -1;
    }
    close(fd);
    if (out_open(&out, buf_cstr(&path), err) == 0) {
        rc = build_write(f, r->vocab, r->analyzer, &out, &stats, err);
        if (rc < 0)
            out_abandon(&out);
        else
            rc = out_close(&out, err);
    }
    if (rc == 0)
        rc = grg_open(g, buf_cstr(&path), err);
    unlink(buf_cstr(&path));
    if (rc == 0)
        g->file.path = "(from Neo4j)";
    buf_release(&path);
    return rc;
}

int remote_fetch(struct remote *r, const struct remote_ask *ask, struct grg *g, struct err *err)
{
    struct map *uids = map_new();
    struct buf starts = BUF_INIT;
    struct fold f;
    long depth = ask->depth;
    fold_init(&f);
    int rc = check_whole(r, err);
    rc = rc < 0 ? rc : add_starts(r, by_names, ask->keys, uids, err);
    if (rc == 0 && map_count(uids) < ask->few)
        rc = add_starts(r, by_chunks, ask->chunks, uids, err);
    buf_str(&starts, "{\"starts\":[");
    for (size_t i = 0; i < map_count(uids); i++)
        json_put_str(&starts, map_key(uids, i));
    buf_str(&starts, "]}");
    if (rc == 0 && map_count(uids))
        rc = narrow(r, ask, buf_view(&starts), &depth, err);
    while (rc == 0 && map_count(uids)) {
        jv rows;
        rc = ask_depth(r, covering, depth + ask->rim, buf_view(&starts), &rows, err);
        if (rc < 0)
            break;
        rc = fold_rows(&f, rows, err);
        json_free(rows);
        if (f.n >= (size_t)ask->min_facts || ++depth > WALK_MAX_DEPTH)
            break;
        fold_release(&f);
        fold_init(&f);
    }
    rc = rc < 0 ? rc : open_folded(r, &f, g, err);
    fold_release(&f);
    map_free(uids);
    buf_release(&starts);
    return rc;
}
