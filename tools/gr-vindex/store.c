// SPDX-License-Identifier: MIT
/*
 * store.c — opening the segments of a .gri
 */
#include "store.h"

#include "alloc.h"

/* A writer may have moved the root between mapping and reading: then the file has grown. */
#define TRIES 4

static int map_and_read(struct store *s, struct err *err)
{
    for (unsigned i = 0; i < TRIES; i++) {
        bool is_cut;
        if (file_map(&s->map, s->path, err) < 0)
            return -1;
        if (root_read(&s->root, s->map.p, s->map.n, s->path, &is_cut, err) == 0)
            return 0;
        file_unmap(&s->map);
        if (!is_cut)
            return -1;
    }
    return -1;
}

static int open_segments(struct store *s, struct err *err)
{
    s->segments = alloc_zero(s->root.n_segments, sizeof *s->segments);
    for (; s->n < s->root.n_segments; s->n++) {
        const struct root_segment *r = &s->root.segments[s->n];
        if (gri_open(&s->segments[s->n], s->path, s->map.p + r->at, (size_t)r->size, err) < 0)
            return -1;
    }
    return 0;
}

static int read_dead(struct store *s, struct err *err)
{
    for (size_t i = 0; i < s->root.n_dead; i++) {
        const struct root_dead *d = &s->root.dead[i];
        struct gri *g = &s->segments[d->segment];
        const uint32_t *docs = (const uint32_t *)(const void *)(s->map.p + d->at);
        for (size_t j = 0; j < d->n; j++)
            if (docs[j] >= g->meta.n_docs || !gri_kill(g, docs[j]))
                return err_set(err, EXIT_FATAL,
                               "%s: damaged: a list of deleted records: build it anew",
                               s->path);
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->segments[i].n_dead != s->root.segments[i].n_dead)
            return err_set(err, EXIT_FATAL,
                           "%s: damaged: deleted records do not add up: build it anew",
                           s->path);
    return 0;
}

int store_open(struct store *s, const char *path, struct err *err)
{
    *s = (struct store){ .path = path };
    if (map_and_read(s, err) < 0)
        return -1;
    if (open_segments(s, err) < 0 || read_dead(s, err) < 0) {
        store_close(s);
        return -1;
    }
    return 0;
}

void store_close(struct store *s)
{
    for (size_t i = 0; i < s->n; i++)
        gri_close(&s->segments[i]);
    free(s->segments);
    root_release(&s->root);
    file_unmap(&s->map);
    *s = (struct store){ 0 };
}

size_t store_live(const struct store *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += gri_live(&s->segments[i]);
    return n;
}

size_t store_live_rows(const struct store *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += gri_live_rows(&s->segments[i]);
    return n;
}

const struct gri *store_kind(const struct store *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (gri_live_rows(&s->segments[i]))
            return &s->segments[i];
    return NULL;
}

int store_find(const struct store *s, size_t n_segments, struct sv id, size_t *segment,
               size_t *doc, struct err *err)
{
    *segment = *doc = SIZE_MAX;
    for (size_t i = n_segments; i-- && *doc == SIZE_MAX;) {
        if (gri_find(&s->segments[i], id, doc, err) < 0)
            return -1;
        if (*doc != SIZE_MAX)
            *segment = i;
    }
    return 0;
}

/* ---- checking ---- */

/* All segments of one index are made alike. */
static int check_alike(const struct store *s, struct err *err)
{
    const struct gri *kind = store_kind(s);
    const struct gri_meta *first = &s->segments[0].meta;
    for (size_t i = 0; i < s->n; i++) {
        const struct gri *g = &s->segments[i];
        if (!sv_eq(g->meta.fields, first->fields) ||
            !sv_eq(g->meta.analyzer, first->analyzer) ||
            (gri_live_rows(g) &&
             (g->meta.dim != kind->meta.dim || !sv_eq(g->meta.model, kind->meta.model))))
            return err_set(err, EXIT_FATAL,
                           "%s: damaged: segment %zu is of another kind: build it anew",
                           s->path, i);
    }
    return 0;
}

/* A record of an older segment that a newer one has too is dead. */
static int check_twice(const struct store *s, struct err *err)
{
    for (size_t i = 1; i < s->n; i++)
        for (size_t doc = 0; doc < s->segments[i].meta.n_docs; doc++) {
            struct sv id;
            size_t segment, old;
            if (gri_id(&s->segments[i], doc, &id, err) < 0 ||
                store_find(s, i, id, &segment, &old, err) < 0)
                return -1;
            if (old != SIZE_MAX && !gri_is_dead(&s->segments[segment], old))
                return err_set(err, EXIT_FATAL, "%s: damaged: id \"%.*s\" twice: build it anew",
                               s->path, SV_ARG(id));
        }
    return 0;
}

int store_verify(const struct store *s, struct err *err)
{
    if (root_verify(&s->root, s->map.p, s->map.n, s->path, err) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++)
        if (gri_verify(&s->segments[i], err) < 0)
            return -1;
    return check_alike(s, err) < 0 ? -1 : check_twice(s, err);
}
