// SPDX-License-Identifier: MIT
/*
 * file_store.c — records in one NDJSON file, read whole, replaced whole
 *
 * Memory: the file. For collections of gigabytes use MongoDB. A writer holds a lock from before
 * it reads the file until the file is replaced, or it would bring back what it read before
 * another's change. The second writer is refused. The system drops the lock of a process that
 * was killed; readers need none, since the file is replaced whole.
 */
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "filter.h"
#include "map.h"
#include "store_impl.h"

struct file_store {
    char *path, *lock;
    struct buf bytes; /* the file as it was */
    struct map *ids;
    struct sv *lines; /* (map_count) views into bytes, or owned when is_new */
    bool *is_new, *is_deleted;
    size_t cap;
    bool is_changed;
    int lock_fd; /* -1: this is a reader */
};

/* ---- opening ---- */

/* Is the locked file still the one of that name, not one that its last owner has removed? */
static bool is_current(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino &&
           mine.st_dev == named.st_dev;
}

static int take_lock(struct file_store *f, struct err *err)
{
    for (;;) {
        int fd = open(f->lock, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return err_set(err, EXIT_FATAL, "%s: cannot write: %s", f->lock, strerror(errno));
        if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
            err_set(err, EXIT_FATAL, "%s: %s", f->lock,
                    errno == EWOULDBLOCK ? "another writer is at work" : strerror(errno));
            close(fd);
            return -1;
        }
        if (is_current(fd, f->lock)) {
            f->lock_fd = fd;
            return 0;
        }
        close(fd);
    }
}

static void set_line(struct file_store *f, struct sv id, struct sv line, bool owned)
{
    bool is_first;
    size_t k = map_put(f->ids, id, &is_first);
    if (k >= f->cap) {
        f->cap = alloc_grow(f->cap, k + 1);
        f->lines = alloc_resize(f->lines, f->cap, sizeof *f->lines);
        f->is_new = alloc_resize(f->is_new, f->cap, sizeof *f->is_new);
        f->is_deleted = alloc_resize(f->is_deleted, f->cap, sizeof *f->is_deleted);
    }
    if (!is_first && f->is_new[k])
        free((void *)(uintptr_t)f->lines[k].p);
    f->lines[k] = line;
    f->is_new[k] = owned;
    f->is_deleted[k] = false;
}

static int read_line(struct file_store *f, struct sv line, size_t number, struct err *err)
{
    struct rec r = { 0 };
    struct sv id;
    if (rec_parse(&r, line, err) < 0) {
        rec_release(&r);
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s:%zu", f->path, number);
    }
    int rc = json_need_str(r.v, "id", &id, err);
    if (rc == 0)
        set_line(f, id, line, false);
    rec_release(&r);
    if (rc < 0) {
        err->code = EXIT_FATAL;
        return err_prefix(err, "%s:%zu", f->path, number);
    }
    return 0;
}

static int read_file(struct file_store *f, struct err *err)
{
    if (access(f->path, F_OK) < 0 && errno == ENOENT)
        return 0;
    if (file_read(&f->bytes, f->path, 0, err) < 0)
        return -1;
    struct sv rest = buf_view(&f->bytes), line;
    for (size_t n = 1; sv_cut(&rest, '\n', &line); n++)
        if (sv_trim(line).n && read_line(f, sv_trim(line), n, err) < 0)
            return -1;
    return 0;
}

static void release(struct file_store *f)
{
    for (size_t k = 0; k < map_count(f->ids); k++)
        if (f->is_new[k])
            free((void *)(uintptr_t)f->lines[k].p);
    if (f->lock_fd >= 0) {
        unlink(f->lock); /* while it is held: nobody else's file is hit */
        close(f->lock_fd);
    }
    map_free(f->ids);
    buf_release(&f->bytes);
    free(f->lines);
    free(f->is_new);
    free(f->is_deleted);
    free(f->path);
    free(f->lock);
    free(f);
}

/* ---- writing ---- */

static int put(void *self, struct sv id, struct sv line, struct err *err)
{
    struct file_store *f = self;
    (void)err;
    set_line(f, id, (struct sv){ alloc_text(line.p, line.n), line.n }, true);
    f->is_changed = true;
    return 0;
}

static int write_back(struct file_store *f, struct err *err)
{
    struct out out;
    if (out_open(&out, f->path, err) < 0)
        return -1;
    for (size_t k = 0; k < map_count(f->ids); k++)
        if (!f->is_deleted[k]) {
            out_put(&out, f->lines[k]);
            out_put(&out, SV("\n"));
        }
    return out_close(&out, err);
}

static int close_store(void *self, struct err *err)
{
    struct file_store *f = self;
    int rc = f->is_changed ? write_back(f, err) : 0;
    release(f);
    return rc;
}

static void abandon(void *self)
{
    release(self);
}

/* ---- reading ---- */

static int get(void *self, struct sv id, store_fn fn, void *ctx, struct err *err)
{
    (void)err; /* what is read was checked when the file was opened */
    struct file_store *f = self;
    size_t k = map_get(f->ids, id);
    if (k == MAP_NONE || f->is_deleted[k])
        return 0;
    fn(ctx, f->lines[k]);
    return 1;
}

/* Ordinals of the records that fit, in order of insertion; *hits is allocated. */
static int select_hits(struct file_store *f, const char *text, size_t **hits, size_t *n,
                       struct err *err)
{
    jv filter;
    if (filter_parse(&filter, text, err) < 0)
        return -1;
    *hits = alloc_array(map_count(f->ids), sizeof **hits);
    *n = 0;
    for (size_t k = 0; k < map_count(f->ids); k++) {
        struct rec r = { 0 };
        if (f->is_deleted[k])
            continue;
        if (rec_parse(&r, f->lines[k], err) == 0 && filter_fits(filter, r.v))
            (*hits)[(*n)++] = k;
        rec_release(&r);
    }
    json_free(filter);
    return 0;
}

struct sort_key {
    jv value; /* owned */
    size_t ordinal;
    bool is_descending;
};

static int by_key(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    int c = filter_compare(x->value, y->value);
    if (c)
        return x->is_descending ? -c : c;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static void sort_hits(struct file_store *f, const char *sort, size_t *hits, size_t n)
{
    bool is_descending = *sort == '-';
    struct sv path = sv_from(is_descending ? sort + 1 : sort);
    struct sort_key *keys = alloc_array(n, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        struct rec r = { 0 };
        struct err ignored;
        rec_parse(&r, f->lines[hits[i]], &ignored); /* parsed before: it fits the filter */
        keys[i] = (struct sort_key){ jv_copy(filter_path(r.v, path)), hits[i], is_descending };
        rec_release(&r);
    }
    if (n)
        qsort(keys, n, sizeof *keys, by_key);
    for (size_t i = 0; i < n; i++) {
        hits[i] = keys[i].ordinal;
        json_free(keys[i].value);
    }
    free(keys);
}

static int find(void *self, const struct store_query *q, store_fn fn, void *ctx,
                struct err *err)
{
    struct file_store *f = self;
    size_t *hits, n;
    if (select_hits(f, q->filter, &hits, &n, err) < 0)
        return -1;
    if (q->sort)
        sort_hits(f, q->sort, hits, n);
    for (size_t i = 0; i < n && (!q->limit || i < (size_t)q->limit); i++)
        if (!fn(ctx, f->lines[hits[i]]))
            break;
    free(hits);
    return 0;
}

static int count(void *self, const char *filter, uint64_t *n, struct err *err)
{
    size_t *hits, found;
    if (select_hits(self, filter, &hits, &found, err) < 0)
        return -1;
    free(hits);
    *n = found;
    return 0;
}

static int delete_id(void *self, struct sv id, uint64_t *n, struct err *err)
{
    struct file_store *f = self;
    size_t k = map_get(f->ids, id);
    *n = 0;
    if (k == MAP_NONE || f->is_deleted[k])
        return 0;
    (void)err;
    f->is_deleted[k] = f->is_changed = true;
    *n = 1;
    return 0;
}

static int delete_some(void *self, const char *filter, uint64_t *n, struct err *err)
{
    struct file_store *f = self;
    size_t *hits, found;
    if (select_hits(f, filter, &hits, &found, err) < 0)
        return -1;
    for (size_t i = 0; i < found; i++)
        f->is_deleted[hits[i]] = f->is_changed = true;
    free(hits);
    *n = found;
    return 0;
}

static const struct store_ops file_ops = {
    .close = close_store,
    .abandon = abandon,
    .put = put,
    .get = get,
    .find = find,
    .count = count,
    .delete_id = delete_id,
    .delete = delete_some,
};

void *store_file_open(const char *path, bool for_writing, const struct store_ops **ops,
                      struct err *err)
{
    struct file_store *f = alloc_zero(1, sizeof *f);
    f->lock_fd = -1;
    struct buf lock = BUF_INIT;
    buf_printf(&lock, "%s.lock", path);
    f->path = alloc_text(path, strlen(path));
    f->lock = buf_take(&lock, NULL);
    f->ids = map_new();
    *ops = &file_ops;
    if ((!for_writing || take_lock(f, err) == 0) && read_file(f, err) == 0)
        return f;
    release(f);
    return NULL;
}
