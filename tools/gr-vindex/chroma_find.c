// SPDX-License-Identifier: MIT
/*
 * chroma_find.c — asking, filtering, searching what came
 */
#include "chroma_find.h"

#include "alloc.h"
#include "schema.h"
#include "vec.h"

#define MORE 4            /* so many times as many are asked for when there were too few */
#define MAX_ASKED 1000000 /* at most */
#define ALL 20000         /* records that may be asked for only to know what is selected */
#define PAGE 1000         /* records fetched at a time */

void chroma_find_init(struct chroma_find *f, struct chroma *c, const struct chroma_info *info,
                      const struct search_cfg *cfg, const struct where *where)
{
    *f = (struct chroma_find){ .c = c, .info = info, .cfg = cfg, .where = where };
    if (where && !chroma_where(where, info, &f->condition))
        buf_reset(&f->condition);
}

void chroma_find_release(struct chroma_find *f)
{
    filter_free(f->filter);
    map_free(f->selected);
    buf_release(&f->condition);
    *f = (struct chroma_find){ 0 };
}

/* ---- the filter ---- */

static struct where_value value_of(void *ctx, struct sv field)
{
    const jv *record = ctx;
    struct buf name = BUF_INIT;
    buf_sv(&name, field);
    jv v = json_get(*record, buf_cstr(&name));
    struct where_value w = { .num = json_num(v), .str = json_sv(v) };
    w.type = json_is_null(v)     ? WHERE_NULL
             : json_is_num(v)    ? WHERE_NUMBER
             : json_is_str(v)    ? WHERE_STRING
             : json_is_array(v)  ? WHERE_ARRAY
             : json_is_object(v) ? WHERE_OBJECT
             : json_is_true(v)   ? WHERE_TRUE
                                 : WHERE_FALSE;
    buf_release(&name);
    return w;
}

int chroma_find_test(struct chroma_find *f, struct sv record, struct err *err)
{
    if (!f->cfg->filter)
        return 1;
    if (f->where && f->where->is_exact) {
        jv v;
        if (json_parse(&v, record, err) < 0)
            return -1;
        bool is = where_test(f->where, value_of, &v) == WHERE_YES;
        json_free(v);
        return is;
    }
    if (!f->filter && !(f->filter = filter_new(f->cfg->filter, err)))
        return -1;
    return filter_test(f->filter, record, err);
}

/* ---- one list ---- */

/* Records that were selected, each once. */
struct found {
    struct map *ids;
    struct buf lines;   /* those whose vector is here: a plain index */
    struct buf records; /* those of the list at hand whose vector is not */
    size_t *at;         /* (n_ids + 1) where each begins in `records` */
    struct map *left;   /* their ids */
    size_t n;           /* selected of the list at hand */
};

static void put_line(const struct chroma_find *f, struct sv record, const float *vec,
                     size_t dim, struct buf *out)
{
    buf_add(out, record.p, record.n - 1); /* without the brace */
    json_key(out, F_EMBEDDING);
    vec_put_base64(out, vec, dim);
    if (f->info->model.len) {
        json_key(out, F_EMBEDDING_MODEL);
        json_put_str(out, buf_view(&f->info->model));
    }
    buf_str(out, "}\n");
}

/* The floats of a vector of the collection's dimension; NULL: no such. */
static float *get_vector(const struct chroma_find *f, jv v, struct err *err)
{
    float *vec;
    size_t dim;
    struct err why;
    if (!json_is_array(v) || vec_get(v, F_EMBEDDING, &vec, &dim, &why) < 0) {
        (void)chroma_odd(f->c, "a record without a vector", err);
        return NULL;
    }
    if (dim == f->info->dim)
        return vec;
    free(vec);
    (void)chroma_odd(f->c, "a vector of another dimension", err);
    return NULL;
}

static int put_found(struct chroma_find *f, struct found *to, struct sv record, jv embedding,
                     struct err *err)
{
    float *vec = get_vector(f, embedding, err);
    if (vec)
        put_line(f, record, vec, f->info->dim, &to->lines);
    free(vec);
    return vec ? 0 : -1;
}

/* Keep a selected record until its vector is fetched. */
static void put_left(struct found *to, struct sv id, struct sv record)
{
    bool is_new;
    size_t i = map_put(to->left, id, &is_new);
    if (!is_new)
        return;
    to->at = alloc_resize(to->at, i + 2, sizeof *to->at);
    to->at[i] = to->records.len;
    buf_sv(&to->records, record);
    to->at[i + 1] = to->records.len;
}

/* One row of a reply; beyond `depth` selected ones, only their ids are of use. */
static int take(struct chroma_find *f, struct found *to, size_t depth, struct map *selected,
                const jv row[4], struct err *err)
{
    struct buf record = BUF_INIT;
    struct sv id = json_sv(row[0]);
    int rc = chroma_record(f->c, row[0], row[1], row[2], &record, err);
    if (rc == 0)
        rc = chroma_find_test(f, buf_view(&record), err);
    if (rc == 1) {
        map_put(selected, id, NULL);
        rc = 0;
        if (to->n++ < depth && map_get(to->ids, id) == MAP_NONE) {
            if (f->cfg->filter)
                put_left(to, id, buf_view(&record));
            else
                rc = put_found(f, to, buf_view(&record), row[3], err);
            if (!f->cfg->filter)
                map_put(to->ids, id, NULL);
        }
    }
    buf_release(&record);
    return rc;
}

static void put_ids(const struct map *ids, struct buf *out)
{
    json_key(out, "ids");
    json_open(out, '[');
    for (size_t i = 0; i < map_count(ids); i++)
        json_put_str(out, map_key(ids, i));
    json_close(out, ']');
}

static void put_request(const struct chroma_find *f, const float *vec, size_t n,
                        struct buf *out)
{
    buf_str(out, "{\"query_embeddings\":[");
    vec_put_array(out, vec, f->info->dim);
    buf_printf(out, "],\"n_results\":%zu,\"include\":[\"documents\",\"metadatas\"%s]", n,
               f->cfg->filter ? "" : ",\"embeddings\"");
    if (f->selected)
        put_ids(f->selected, out);
    if (f->condition.len) {
        buf_str(out, ",\"where\":");
        buf_sv(out, buf_view(&f->condition));
    }
    buf_char(out, '}');
}

/* The rows of a reply, a list of lists; *n_came of them. */
static int take_rows(struct chroma_find *f, jv reply, struct found *to, size_t depth,
                     struct map *selected, size_t *n_came, struct err *err)
{
    static const char *const names[] = { "ids", "documents", "metadatas", "embeddings" };
    jv lists[4];
    for (size_t i = 0; i < 4; i++)
        lists[i] = json_at(json_get(reply, names[i]), 0);
    size_t n = json_len(lists[0]);
    for (size_t i = 0; i < (f->cfg->filter ? 3 : 4); i++)
        if (!json_is_array(lists[i]) || json_len(lists[i]) != n)
            return chroma_odd(f->c, "query: lists of different lengths", err);
    *n_came = n;
    for (size_t i = 0; i < n; i++) {
        const jv row[4] = { json_at(lists[0], i), json_at(lists[1], i), json_at(lists[2], i),
                            json_at(lists[3], i) };
        if (take(f, to, depth, selected, row, err) < 0)
            return -1;
    }
    return 0;
}

/* The vectors of the records that were left. */
static int fetch_vectors(struct chroma_find *f, struct found *to, struct err *err)
{
    struct buf body = BUF_INIT;
    jv reply;
    if (!map_count(to->left))
        return 0;
    json_open(&body, '{');
    put_ids(to->left, &body);
    buf_str(&body, ",\"include\":[\"embeddings\"]}");
    int rc = chroma_post(f->c, f->info, "get", buf_view(&body), &reply, NULL, err);
    buf_release(&body);
    if (rc < 0)
        return -1;
    jv ids = json_get(reply, "ids"), embeddings = json_get(reply, "embeddings");
    for (size_t i = 0; i < json_len(ids) && rc == 0; i++) {
        struct sv id = json_sv(json_at(ids, i));
        size_t at = map_get(to->left, id);
        bool is_new = false;
        if (at != MAP_NONE)
            map_put(to->ids, id, &is_new);
        if (is_new)
            rc =
                put_found(f, to, sv_from_to(buf_view(&to->records), to->at[at], to->at[at + 1]),
                          json_at(embeddings, i), err);
    }
    json_free(reply);
    return rc;
}

/* One request for n; -1 with err, 1 when there is nothing more to ask for. */
static int find_once(struct chroma_find *f, const float *vec, size_t n, size_t depth,
                     struct found *to, struct err *err)
{
    struct buf body = BUF_INIT;
    struct map *selected = map_new();
    jv reply;
    size_t n_came = 0;
    to->n = 0;
    buf_reset(&to->records);
    map_free(to->left);
    to->left = map_new();
    put_request(f, vec, n, &body);
    int rc = chroma_post(f->c, f->info, "query", buf_view(&body), &reply, NULL, err);
    buf_release(&body);
    if (rc == 0) {
        rc = take_rows(f, reply, to, depth, selected, &n_came, err);
        json_free(reply);
    }
    bool is_all = n_came < n || n >= f->info->count || n >= MAX_ASKED;
    /* Every record has been asked about: the next query need not ask for the others. */
    if (rc == 0 && is_all && f->cfg->filter && !f->selected && n_came >= f->info->count &&
        map_count(selected) <= f->info->max_batch) {
        f->selected = selected;
        selected = NULL;
    }
    map_free(selected);
    return rc < 0 ? rc : is_all || to->n >= depth;
}

/* Gather the `depth` selected records that are nearest to a vector, or all. */
static int find_near(struct chroma_find *f, const float *vec, size_t depth, struct found *to,
                     struct err *err)
{
    int rc = f->selected && !map_count(f->selected) ? 1 : 0;
    for (size_t n = depth; rc == 0; n *= MORE) {
        if (n > MAX_ASKED)
            n = MAX_ASKED;
        /* A filter that lets so few pass is asked about all, once, rather than for each query.
         */
        bool is_worth_all = n > depth && f->info->count <= ALL && n * 16 >= f->info->count;
        if (n > f->info->count || is_worth_all)
            n = f->info->count;
        rc = find_once(f, vec, n, depth, to, err);
    }
    return rc < 0 ? rc : fetch_vectors(f, to, err);
}

/* ---- one query ---- */

/* *is_short: hits were left out, and deeper lists would give others. */
static int search_found(const struct chroma_find *f, const struct found *found, size_t depth,
                        const struct rec *r, struct buf *out, bool *is_short, struct err *err)
{
    struct vset set;
    struct search_cfg cfg = *f->cfg;
    cfg.is_selected = true;
    cfg.service = "chroma";
    cfg.depth = depth;
    cfg.is_short = is_short;
    *is_short = false;
    if (vset_open_text(&set, chroma_name(f->c), buf_view(&found->lines), err) < 0)
        return -1;
    /* The index is the collection, whatever of it came. */
    set.n_rows = f->info->count;
    set.dim = f->info->dim;
    set.model = buf_view(&f->info->model);
    struct searcher *s = search_new(&set, &cfg, 1, err);
    struct search_job job = { r, out, err, s ? 0 : -1 };
    if (s)
        search_batch(s, 0, &job, 1);
    search_free(s);
    vset_close(&set);
    return job.rc;
}

static int make_plan(const struct chroma_find *f, const struct rec *r, struct plan *p,
                     struct err *err)
{
    const struct plan_cfg cfg = { .mode = MODE_AUTO,
                                  .k = (size_t)f->cfg->k,
                                  .index = { .path = chroma_name(f->c),
                                             .has_vectors = f->info->count > 0,
                                             .dim = f->info->dim,
                                             .model = buf_view(&f->info->model) } };
    if (f->info->count && !json_len(json_get(r->v, F_EMBEDDINGS)) &&
        json_is_null(json_get(r->v, F_EMBEDDING)))
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": missing: Chroma holds vectors only: pipe the queries "
                       "through gr-embed",
                       F_EMBEDDINGS);
    return plan_make(p, &cfg, r, err);
}

static void found_release(struct found *found)
{
    map_free(found->ids);
    map_free(found->left);
    buf_release(&found->lines);
    buf_release(&found->records);
    free(found->at);
}

/* Find and answer with lists of one depth. */
static int find_and_answer(struct chroma_find *f, const struct plan *p, size_t depth,
                           const struct rec *r, struct buf *out, bool *is_short,
                           struct err *err)
{
    struct found found = { .ids = map_new(), .left = map_new() };
    int rc = 0;
    for (size_t i = 0; rc == 0 && depth && i < p->n_vectors; i++)
        rc = find_near(f, p->vectors + i * f->info->dim, depth, &found, err);
    if (rc == 0)
        rc = search_found(f, &found, depth, r, out, is_short, err);
    found_release(&found);
    return rc;
}

int chroma_find_record(struct chroma_find *f, const struct rec *r, struct buf *out,
                       struct err *err)
{
    struct plan p = { 0 };
    bool is_short = false;
    size_t start = out->len;
    int rc = make_plan(f, r, &p, err);
    size_t depth = rc == 0 ? search_depth(f->cfg, p.k, p.n_vectors) : 0;
    do {
        out->len = start;
        if (rc == 0)
            rc = find_and_answer(f, &p, depth, r, out, &is_short, err);
        depth *= 4; /* as lists of a file */
    } while (rc == 0 && is_short);
    plan_release(&p);
    return rc;
}

/* ---- all ---- */

static int visit(struct chroma_find *f, bool with_vectors, jv reply, size_t i,
                 int (*fn)(void *, struct sv, struct sv, const float *, size_t, struct err *),
                 void *ctx, struct err *err)
{
    struct buf record = BUF_INIT;
    jv id = json_at(json_get(reply, "ids"), i);
    float *vec = NULL;
    int rc = chroma_record(f->c, id, json_at(json_get(reply, "documents"), i),
                           json_at(json_get(reply, "metadatas"), i), &record, err);
    if (rc == 0 && with_vectors) {
        vec = get_vector(f, json_at(json_get(reply, "embeddings"), i), err);
        rc = vec ? 0 : -1;
    }
    if (rc == 0)
        rc = fn(ctx, json_sv(id), buf_view(&record), vec, f->info->dim, err);
    free(vec);
    buf_release(&record);
    return rc;
}

int chroma_find_all(struct chroma_find *f, bool with_vectors,
                    int (*fn)(void *ctx, struct sv id, struct sv record, const float *vec,
                              size_t dim, struct err *err),
                    void *ctx, struct err *err)
{
    struct buf body = BUF_INIT;
    int rc = 0;
    for (size_t at = 0, n = PAGE; rc == 0 && n == PAGE; at += PAGE) {
        jv reply;
        buf_reset(&body);
        buf_printf(&body,
                   "{\"limit\":%d,\"offset\":%zu,\"include\":[\"documents\",\"metadatas\"%s]",
                   PAGE, at, with_vectors ? ",\"embeddings\"" : "");
        if (f->condition.len) {
            buf_str(&body, ",\"where\":");
            buf_sv(&body, buf_view(&f->condition));
        }
        buf_char(&body, '}');
        rc = chroma_post(f->c, f->info, "get", buf_view(&body), &reply, NULL, err);
        if (rc < 0)
            break;
        n = json_len(json_get(reply, "ids"));
        for (size_t i = 0; i < n && rc == 0; i++)
            rc = visit(f, with_vectors, reply, i, fn, ctx, err);
        json_free(reply);
    }
    if (rc < 0 && err->code == EXIT_REJECTED)
        err->code = EXIT_FATAL;
    buf_release(&body);
    return rc;
}
