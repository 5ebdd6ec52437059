// SPDX-License-Identifier: MIT
/*
 * root_verify.c — every byte of a .gri outside its segments
 */
#include "gri.h"
#include "hash.h"
#include "root_impl.h"

static int fault(const char *path, const char *what, struct err *err)
{
    return err_set(err, EXIT_FATAL, "%s: damaged: %s: build it anew", path, what);
}

static bool is_zero(const char *p, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        if (p[i])
            return false;
    return true;
}

/* Both slots: the root's, and that of the generation before it or none. */
static int check_slots(const struct root *r, const char *p, const char *path, struct err *err)
{
    struct root_slot other;
    unsigned place = (unsigned)(r->generation % 2);
    memcpy(&other, p + place * ROOT_SLOT_BYTES, sizeof other);
    bool is_unused = r->generation == 1 && is_zero((const char *)&other, 0, sizeof other);
    if (!is_unused &&
        !(root_slot_is_intact(&other, place) && other.generation == r->generation - 1))
        return err_set(err, EXIT_FATAL,
                       "%s: damaged: a root: the last change may be missing; gr-vindex "
                       "compact keeps what is there",
                       path);
    for (unsigned i = 0; i < 2; i++)
        if (!is_zero(p, i * ROOT_SLOT_BYTES + sizeof other, (i + 1) * ROOT_SLOT_BYTES))
            return fault(path, "bytes between the roots", err);
    return 0;
}

static int check_list(const struct root_dead *d, const char *p, const char *path,
                      struct err *err)
{
    uint64_t size = d->n * sizeof(uint32_t);
    if (hash64((struct sv){ p + d->at, (size_t)size }) == d->hash &&
        is_zero(p, d->at + size, d->at + root_round(size)))
        return 0;
    return fault(path, "a list of deleted records", err);
}

/* A file written whole: from the table on there is nothing but its segments and lists. */
static int check_whole(const struct root *r, const char *p, const char *path, struct err *err)
{
    uint64_t at = r->table_at + r->table_size;
    if (r->table_at != ROOT_START)
        return fault(path, "the first table", err);
    for (size_t i = 0; i < r->n_segments; i++) {
        struct secfile f;
        const struct root_segment *s = &r->segments[i];
        if (s->at != at)
            return fault(path, "the first table", err);
        if (secfile_open_part(&f, path, p + s->at, (size_t)s->size, GRI_SEGMENT_MAGIC,
                              GRI_VERSION, err) < 0 ||
            secfile_verify(&f, err) < 0)
            return -1;
        at += s->size;
    }
    for (size_t i = 0; i < r->n_dead; i++) {
        uint64_t size = root_round(r->dead[i].n * sizeof(uint32_t));
        if (r->dead[i].at != at || size > r->end - at)
            return fault(path, "the first table", err);
        if (check_list(&r->dead[i], p, path, err) < 0)
            return -1;
        at += size;
    }
    return at == r->end ? 0 : fault(path, "the first table", err);
}

/* From one table to the one before it, until the first. */
static int check_tables(const struct root *r, const char *p, const char *path, struct err *err)
{
    struct root_place table = { r->table_at, r->table_size, r->table_hash };
    uint64_t end = r->end;
    for (;;) {
        struct root_head h;
        if (!root_table_is_intact(&table, p, end))
            return fault(path, "a table of segments", err);
        memcpy(&h, p + table.at, sizeof h);
        if (!h.before.at)
            break;
        if (table.at + table.size != end || h.before_end > table.at ||
            h.before_end < ROOT_START ||
            hash64((struct sv){ p + h.before_end, (size_t)(table.at - h.before_end) }) !=
                h.span_hash)
            return fault(path, "bytes of an earlier change", err);
        table = h.before;
        end = h.before_end;
    }
    struct root first = {
        .end = end, .table_at = table.at, .table_size = table.size, .table_hash = table.hash
    };
    int rc = root_take_table(&first, p) ? check_whole(&first, p, path, err)
                                        : fault(path, "the first table", err);
    root_release(&first);
    return rc;
}

int root_verify(const struct root *r, const char *p, size_t n, const char *path,
                struct err *err)
{
    if (n < ROOT_START)
        return fault(path, "the roots", err);
    if (check_slots(r, p, path, err) < 0 || check_tables(r, p, path, err) < 0)
        return -1;
    for (size_t i = 0; i < r->n_dead; i++)
        if (check_list(&r->dead[i], p, path, err) < 0)
            return -1;
    return 0;
}
