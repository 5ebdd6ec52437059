// SPDX-License-Identifier: MIT
/*
 * edit.c — whole rewrites
 */
#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"

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

int edit_open(struct edit *e, const char *path, struct err *err)
{
    *e = (struct edit){ .path = path, .lock = -1 };
    if (lock_file(path, &e->lock, err) < 0)
        return -1;
    if (gri_open(&e->gri, path, err) < 0) {
        close(e->lock);
        return -1;
    }
    e->builder = builder_new();
    builder_set_ivf(e->builder, &e->gri.meta.ivf);
    builder_set_store(e->builder, e->gri.meta.store);
    buf_sv(&e->fields, e->gri.meta.fields);
    return 0;
}

int gri_take(const struct gri *g, const unsigned char *keep, struct builder *b, uint64_t *n_old,
             struct err *err)
{
    float *row = alloc_array(g->meta.dim + 1, sizeof *row);
    int rc = 0;
    for (size_t doc = 0; doc < g->meta.n_docs && rc == 0; doc++) {
        struct sv id, raw;
        bool is_old = false;
        if (keep && !keep[doc])
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

int edit_take(struct edit *e, const unsigned char *keep, struct err *err)
{
    uint64_t n_old = 0;
    return gri_take(&e->gri, keep, e->builder, &n_old, err);
}

int edit_write(struct edit *e, unsigned jobs, struct out *out, struct err *err)
{
    struct analyzer *a = NULL;
    if (e->gri.meta.analyzer.n) {
        a = analyzer_new(NULL, NULL, err);
        if (!a)
            return -1;
    }
    builder_write(e->builder, a, buf_cstr(&e->fields), jobs, out);
    analyzer_free(a);
    return 0;
}

void edit_close(struct edit *e)
{
    builder_free(e->builder);
    buf_release(&e->fields);
    gri_close(&e->gri);
    if (e->lock >= 0)
        close(e->lock);
    *e = (struct edit){ .lock = -1 };
}
