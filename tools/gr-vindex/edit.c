// SPDX-License-Identifier: MIT
/*
 * edit.c — one change of a .gri, from lock to root
 */
#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "hash.h"

/* A newest segment of less than so many times the new records is joined with them. */
#define JOIN_BELOW 2

/* Bytes that no longer count are not worth a copy below this. */
#define FREE_BYTES ((uint64_t)1 << 18)

/* In gri.dead: dies by this change. */
#define DEAD_NOW 2

/* The lock is on the file itself; a writer that got the lock on a file that was replaced
 * meanwhile has an old one. flock, as a lock of fcntl would go when the mapped index closes
 * its own descriptor of the file. */
static int lock_file(const char *path, int *fd, struct err *err)
{
    struct stat here, there;
    *fd = open(path, O_RDWR | O_CLOEXEC);
    if (*fd < 0)
        return err_set(err, EXIT_FATAL, "%s: cannot open for change: %s", path,
                       strerror(errno));
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0 && fstat(*fd, &here) == 0 &&
        stat(path, &there) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev)
        return 0;
    close(*fd);
    *fd = -1;
    return err_set(err, EXIT_FATAL, "%s: another program is changing it: try again later",
                   path);
}

int edit_lock_old(const char *path, int *fd, struct err *err)
{
    struct stat s;
    *fd = path && stat(path, &s) == 0 && S_ISREG(s.st_mode) ? open(path, O_RDONLY | O_CLOEXEC)
                                                            : -1;
    if (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    close(*fd);
    *fd = -1;
    return err_set(err, EXIT_FATAL, "%s: another program is changing it: try again later",
                   path);
}

int edit_open(struct edit *e, const char *path, struct err *err)
{
    *e = (struct edit){ .path = path, .lock = -1 };
    if (lock_file(path, &e->lock, err) < 0)
        return -1;
    if (store_open(&e->store, path, err) < 0) {
        close(e->lock);
        e->lock = -1;
        return -1;
    }
    e->gone = alloc_zero(e->store.n, sizeof *e->gone);
    return 0;
}

void edit_close(struct edit *e)
{
    for (size_t i = 0; i < e->store.n; i++)
        free(e->gone[i].docs);
    free(e->gone);
    store_close(&e->store);
    if (e->lock >= 0)
        close(e->lock);
    *e = (struct edit){ .lock = -1 };
}

/* ---- gathering ---- */

static const struct gri_meta *meta_of(const struct edit *e)
{
    return &e->store.segments[0].meta;
}

static struct builder *new_builder(const struct edit *e)
{
    struct builder *b = builder_new();
    builder_set_ivf(b, &meta_of(e)->ivf);
    builder_set_store(b, meta_of(e)->store);
    return b;
}

struct builder *edit_builder(const struct edit *e)
{
    struct builder *b = new_builder(e);
    const struct gri *kind = store_kind(&e->store);
    if (kind)
        builder_set_kind(b, kind->meta.model, kind->meta.dim);
    return b;
}

void edit_drop_doc(struct edit *e, size_t segment, size_t doc)
{
    struct gone *g = &e->gone[segment];
    if (!gri_kill(&e->store.segments[segment], doc))
        return;
    e->store.segments[segment].dead[doc] = DEAD_NOW;
    if (g->n == g->cap) {
        g->cap = alloc_grow(g->cap, g->n + 1);
        g->docs = alloc_resize(g->docs, g->cap, sizeof *g->docs);
    }
    g->docs[g->n++] = (uint32_t)doc;
}

int edit_drop(struct edit *e, struct sv id, bool *is_there, struct err *err)
{
    size_t segment, doc;
    *is_there = false;
    if (store_find(&e->store, e->store.n, id, &segment, &doc, err) < 0)
        return -1;
    if (doc == SIZE_MAX)
        return 0;
    edit_drop_doc(e, segment, doc);
    *is_there = e->store.segments[segment].dead[doc] == DEAD_NOW;
    return 0;
}

int gri_take(const struct gri *g, struct builder *b, uint64_t *n_old, struct err *err)
{
    float *row = alloc_array(g->meta.dim + 1, sizeof *row);
    int rc = 0;
    for (size_t doc = 0; doc < g->meta.n_docs && rc == 0; doc++) {
        struct sv id, raw;
        bool is_old = false;
        if (gri_is_dead(g, doc))
            continue;
        if (gri_id(g, doc, &id, err) < 0 || gri_raw(g, doc, &raw, err) < 0 ||
            builder_put(b, id, raw, gri_vector(g, doc, row), g->meta.dim, g->meta.model,
                        &is_old, err) < 0)
            rc = -1;
        *n_old += is_old;
    }
    free(row);
    return rc;
}

/* The living records of segments from `first` on, then those of b. */
static struct builder *join(const struct edit *e, size_t first, struct builder *b,
                            struct err *err)
{
    struct builder *all = new_builder(e);
    uint64_t n_old = 0;
    int rc = 0;
    for (size_t i = first; i < e->store.n && rc == 0; i++)
        rc = gri_take(&e->store.segments[i], all, &n_old, err);
    if (rc == 0 && b)
        rc = builder_put_all(all, b, err);
    if (rc == 0)
        return all;
    builder_free(all);
    return NULL;
}

/* Records of b replace those of the same id. */
static int drop_replaced(struct edit *e, struct builder *b, struct err *err)
{
    builder_settle(b);
    for (size_t i = 0; i < builder_count(b); i++) {
        bool is_there;
        if (edit_drop(e, builder_id(b, i), &is_there, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- writing all ---- */

/* *a: NULL when the index has no postings. */
static int get_analyzer(const struct edit *e, struct analyzer **a, struct err *err)
{
    *a = NULL;
    if (!meta_of(e)->analyzer.n)
        return 0;
    *a = analyzer_new(NULL, NULL, err);
    return *a ? 0 : -1;
}

int edit_write(struct edit *e, struct builder *b, unsigned jobs, struct out *out, size_t *n,
               struct err *err)
{
    struct analyzer *a = NULL;
    if (b && drop_replaced(e, b, err) < 0)
        return -1;
    struct builder *all = join(e, 0, b, err);
    int rc = all ? get_analyzer(e, &a, err) : -1;
    if (rc == 0) {
        struct buf fields = BUF_INIT;
        buf_sv(&fields, meta_of(e)->fields);
        builder_write(all, a, buf_cstr(&fields), jobs, out);
        buf_release(&fields);
        *n = builder_count(all);
    }
    analyzer_free(a);
    builder_free(all);
    return rc;
}

int edit_replace(struct edit *e, struct builder *b, unsigned jobs, size_t *n, struct err *err)
{
    struct out out;
    if (out_open(&out, e->path, err) < 0)
        return -1;
    if (edit_write(e, b, jobs, &out, n, err) == 0)
        return out_close(&out, err);
    out_abandon(&out);
    return -1;
}

/* ---- writing a change ---- */

static const char zeros[ROOT_ALIGN];

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void put_list(const uint32_t *docs, size_t n, struct out *out)
{
    size_t size = n * sizeof *docs;
    out_put(out, (struct sv){ (const char *)docs, size });
    out_put(out, (struct sv){ zeros, (size_t)(root_round(size) - size) });
}

/* What segment `from` of the root has died of, into next as segment `to`: the lists there are,
 * of which those less than twice as long as the new one are joined with it. */
static void put_dead(struct edit *e, size_t from, struct root *next, size_t to, struct out *out)
{
    struct gone *g = &e->gone[from];
    const struct root *old = &e->store.root;
    size_t first = next->n_dead;
    for (size_t i = 0; i < old->n_dead; i++)
        if (old->dead[i].segment == from) {
            next->dead[next->n_dead] = old->dead[i];
            next->dead[next->n_dead++].segment = (uint32_t)to;
        }
    next->segments[to].n_dead = e->store.segments[from].n_dead;
    if (!g->n)
        return;
    while (next->n_dead > first && next->dead[next->n_dead - 1].n < JOIN_BELOW * g->n) {
        const struct root_dead *d = &next->dead[--next->n_dead];
        g->docs = alloc_resize(g->docs, g->n + d->n, sizeof *g->docs);
        g->cap = g->n + (size_t)d->n;
        memcpy(g->docs + g->n, e->store.map.p + d->at, (size_t)d->n * sizeof *g->docs);
        g->n += (size_t)d->n;
    }
    qsort(g->docs, g->n, sizeof *g->docs, by_number);
    next->dead[next->n_dead++] = (struct root_dead){
        .at = next->end,
        .n = g->n,
        .hash = hash64((struct sv){ (const char *)g->docs, g->n * sizeof *g->docs }),
        .segment = (uint32_t)to
    };
    put_list(g->docs, g->n, out);
    next->end += root_round(g->n * sizeof *g->docs);
}

/* The segments before `keep` that still have living records, and their dead. */
static struct root keep_segments(struct edit *e, size_t keep, struct out *out)
{
    const struct root *old = &e->store.root;
    struct root next = { .end = old->end };
    next.segments = alloc_zero(keep + 1, sizeof *next.segments);
    next.dead = alloc_zero(old->n_dead + e->store.n + 1, sizeof *next.dead);
    for (size_t i = 0; i < keep; i++) {
        if (!gri_live(&e->store.segments[i]))
            continue;
        next.segments[next.n_segments] = old->segments[i];
        put_dead(e, i, &next, next.n_segments++, out);
    }
    return next;
}

static int put_segment(const struct edit *e, struct builder *b, unsigned jobs,
                       struct root *next, struct out *out, struct err *err)
{
    struct analyzer *a;
    struct buf fields = BUF_INIT;
    if (!builder_count(b))
        return 0;
    if (get_analyzer(e, &a, err) < 0)
        return -1;
    if (a && !sv_is(meta_of(e)->analyzer, analyzer_name(a))) {
        analyzer_free(a);
        return err_set(err, EXIT_FATAL,
                       "%s: its terms were made by \"%.*s\", this program makes others: run "
                       "gr-vindex compact",
                       e->path, SV_ARG(meta_of(e)->analyzer));
    }
    buf_sv(&fields, meta_of(e)->fields);
    uint64_t size = builder_write_segment(b, a, buf_cstr(&fields), jobs, out);
    next->segments[next->n_segments++] = (struct root_segment){ .at = next->end, .size = size };
    next->end += size;
    buf_release(&fields);
    analyzer_free(a);
    return 0;
}

/* Cut off what is behind the end: left over, of this change or of one that was killed. */
static void cut_behind(const struct edit *e, uint64_t end)
{
    struct stat st;
    if (fstat(e->lock, &st) == 0 && (uint64_t)st.st_size > end &&
        ftruncate(e->lock, (off_t)end) < 0)
        errno = 0; /* it does not count in any case */
}

static int append(struct edit *e, size_t keep, struct builder *b, unsigned jobs,
                  struct root *next, struct err *err)
{
    struct out out;
    if (out_open_at(&out, e->path, e->lock, e->store.root.end, err) < 0)
        return -1;
    *next = keep_segments(e, keep, &out);
    int rc = b ? put_segment(e, b, jobs, next, &out, err) : 0;
    if (rc == 0)
        rc = out_close(&out, err);
    else
        out_abandon(&out);
    if (rc < 0) {
        cut_behind(e, e->store.root.end);
        return -1;
    }
    if (root_commit(next, &e->store.root, e->lock, e->path, err) < 0)
        return -1;
    cut_behind(e, next->end);
    return 0;
}

/* ---- copying without what no longer counts ---- */

static uint64_t bytes_that_count(const struct root *r)
{
    uint64_t n = r->table_size;
    for (size_t i = 0; i < r->n_segments; i++)
        n += r->segments[i].size;
    for (size_t i = 0; i < r->n_dead; i++)
        n += root_round(r->dead[i].n * sizeof(uint32_t));
    return n;
}

static int copy_to(const struct edit *e, const struct root *r, struct err *err)
{
    struct mapped m;
    struct out out;
    struct root to = root_copy(r);
    int rc = file_map(&m, e->path, err);
    if (rc == 0 && out_open(&out, e->path, err) < 0) {
        file_unmap(&m);
        rc = -1;
    }
    if (rc == 0) {
        root_lay_out(&to);
        root_put_start(&to, &out);
        for (size_t i = 0; i < r->n_segments; i++)
            out_put(&out, (struct sv){ m.p + r->segments[i].at, (size_t)r->segments[i].size });
        for (size_t i = 0; i < r->n_dead; i++)
            out_put(&out, (struct sv){ m.p + r->dead[i].at,
                                       (size_t)root_round(r->dead[i].n * sizeof(uint32_t)) });
        rc = out_close(&out, err);
        file_unmap(&m);
    }
    root_release(&to);
    return rc;
}

/* ---- one change ---- */

static bool has_gone(const struct edit *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->store.n; i++)
        n += e->gone[i].n;
    return n > 0;
}

int edit_save(struct edit *e, struct builder *b, unsigned jobs, struct err *err)
{
    struct root next = { 0 };
    size_t keep = e->store.n, n = b ? builder_count(b) : 0, n_written;
    if (b && drop_replaced(e, b, err) < 0)
        return -1;
    for (; n && keep; keep--) {
        size_t live = gri_live(&e->store.segments[keep - 1]);
        if (live >= JOIN_BELOW * n)
            break;
        n += live;
    }
    if (!n && !has_gone(e))
        return 0;
    if (!keep || (!n && !store_live(&e->store)))
        return edit_replace(e, b, jobs, &n_written, err);
    struct builder *joined = NULL;
    if (keep < e->store.n && !(joined = join(e, keep, b, err)))
        return -1;
    int rc = append(e, keep, joined ? joined : b, jobs, &next, err);
    builder_free(joined);
    /* The change is saved; a copy that fails is tried again at the next. */
    struct err ignored;
    uint64_t count = bytes_that_count(&next);
    if (rc == 0 && next.end - ROOT_START > 2 * count + FREE_BYTES)
        (void)copy_to(e, &next, &ignored);
    root_release(&next);
    return rc;
}
