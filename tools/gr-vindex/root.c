// SPDX-License-Identifier: MIT
/*
 * root.c — reading, laying out and replacing the root of a .gri
 */
#include "root.h"

#include <errno.h>
#include <unistd.h>

#include "alloc.h"
#include "gri.h"
#include "hash.h"
#include "root_impl.h"

/* ---- slots ---- */

uint64_t root_slot_hash(const struct root_slot *s)
{
    struct root_slot copy = *s;
    copy.hash = 0;
    return hash64((struct sv){ (const char *)&copy, sizeof copy });
}

bool root_slot_is_intact(const struct root_slot *s, unsigned place)
{
    return memcmp(s->magic, GRI_MAGIC, sizeof s->magic) == 0 && s->hash == root_slot_hash(s) &&
           s->generation && (s->generation + 1) % 2 == place;
}

/* Why the file has no root. */
static int no_root(const struct root_slot *first, size_t n, const char *path, struct err *err)
{
    if (memcmp(first->magic, GRI_MAGIC, sizeof first->magic) != 0)
        return err_set(err, EXIT_FATAL, "%s: not a %.6s file", path, GRI_MAGIC);
    if (n < sizeof *first)
        return err_set(err, EXIT_FATAL, "%s: cut off after %zu bytes: build it anew", path, n);
    if (first->endian == __builtin_bswap32(ROOT_ENDIAN))
        return err_set(err, EXIT_FATAL, "%s: written on a machine of other byte order", path);
    if (first->version != GRI_VERSION)
        return err_set(err, EXIT_FATAL, "%s: version %u, this program reads %d: build it anew",
                       path, first->version, GRI_VERSION);
    return err_set(err, EXIT_FATAL, "%s: damaged header: build it anew", path);
}

static int pick_slot(struct root_slot *to, const char *p, size_t n, const char *path,
                     struct err *err)
{
    struct root_slot slots[2] = { 0 };
    const struct root_slot *best = NULL;
    for (unsigned i = 0; i < 2; i++) {
        size_t at = i * ROOT_SLOT_BYTES, left = n > at ? n - at : 0;
        if (left)
            memcpy(&slots[i], p + at, left < sizeof *slots ? left : sizeof *slots);
        if (left >= sizeof *slots && root_slot_is_intact(&slots[i], i) &&
            (!best || slots[i].generation > best->generation))
            best = &slots[i];
    }
    if (!best || best->version != GRI_VERSION || best->endian != ROOT_ENDIAN)
        return no_root(&slots[0], n, path, err);
    *to = *best;
    return 0;
}

/* ---- tables ---- */

static bool lies_inside(uint64_t at, uint64_t size, uint64_t end)
{
    return at % ROOT_ALIGN == 0 && at >= ROOT_START && at <= end && size <= end - at;
}

bool root_table_is_intact(const struct root_place *t, const char *p, uint64_t end)
{
    return lies_inside(t->at, t->size, end) && t->size >= sizeof(struct root_head) &&
           hash64((struct sv){ p + t->at, (size_t)t->size }) == t->hash;
}

static uint64_t table_size(uint64_t n_segments, uint64_t n_dead)
{
    return root_round(sizeof(struct root_head) + n_segments * sizeof(struct root_segment) +
                      n_dead * sizeof(struct root_dead));
}

bool root_take_table(struct root *r, const char *p)
{
    struct root_head h;
    memcpy(&h, p + r->table_at, sizeof h);
    if (!h.n_segments || h.n_segments > ROOT_MAX_SEGMENTS ||
        table_size(h.n_segments, h.n_dead) != r->table_size)
        return false;
    p += r->table_at + sizeof h;
    r->n_segments = h.n_segments;
    r->n_dead = h.n_dead;
    r->segments = alloc_array(r->n_segments, sizeof *r->segments);
    r->dead = alloc_array(r->n_dead + 1, sizeof *r->dead);
    memcpy(r->segments, p, r->n_segments * sizeof *r->segments);
    memcpy(r->dead, p + r->n_segments * sizeof *r->segments, r->n_dead * sizeof *r->dead);
    for (size_t i = 0; i < r->n_segments; i++)
        if (!lies_inside(r->segments[i].at, r->segments[i].size, r->end))
            return false;
    for (size_t i = 0; i < r->n_dead; i++)
        if (r->dead[i].n > UINT32_MAX || r->dead[i].segment >= r->n_segments ||
            !lies_inside(r->dead[i].at, r->dead[i].n * sizeof(uint32_t), r->end))
            return false;
    return true;
}

int root_read(struct root *r, const char *p, size_t n, const char *path, bool *is_cut,
              struct err *err)
{
    struct root_slot s;
    *r = (struct root){ 0 };
    *is_cut = false;
    if (pick_slot(&s, p, n, path, err) < 0)
        return -1;
    if (s.end > n) {
        *is_cut = true;
        return err_set(err, EXIT_FATAL, "%s: cut off: %zu of %llu bytes: build it anew", path,
                       n, (unsigned long long)s.end);
    }
    *r = (struct root){ .generation = s.generation,
                        .end = s.end,
                        .table_at = s.table.at,
                        .table_size = s.table.size,
                        .table_hash = s.table.hash };
    if (root_table_is_intact(&s.table, p, s.end) && root_take_table(r, p))
        return 0;
    root_release(r);
    return err_set(err, EXIT_FATAL, "%s: damaged table of segments: build it anew", path);
}

void root_release(struct root *r)
{
    free(r->segments);
    free(r->dead);
    *r = (struct root){ 0 };
}

struct root root_copy(const struct root *r)
{
    struct root c = *r;
    c.segments = alloc_array(r->n_segments + 1, sizeof *c.segments);
    c.dead = alloc_array(r->n_dead + 1, sizeof *c.dead);
    memcpy(c.segments, r->segments, r->n_segments * sizeof *c.segments);
    memcpy(c.dead, r->dead, r->n_dead * sizeof *c.dead);
    return c;
}

/* ---- writing ---- */

/* The table's bytes, as r and head say; sets r's table_size and table_hash. */
static void put_table(struct root *r, struct root_head *h, struct buf *out)
{
    h->n_segments = (uint32_t)r->n_segments;
    h->n_dead = (uint32_t)r->n_dead;
    r->table_size = table_size(r->n_segments, r->n_dead);
    buf_add(out, (const char *)h, sizeof *h);
    buf_add(out, (const char *)r->segments, r->n_segments * sizeof *r->segments);
    buf_add(out, (const char *)r->dead, r->n_dead * sizeof *r->dead);
    while (out->len < r->table_size)
        buf_char(out, '\0');
    r->table_hash = hash64(buf_view(out));
}

static struct root_slot slot_of(const struct root *r)
{
    struct root_slot s = { .version = GRI_VERSION,
                           .endian = ROOT_ENDIAN,
                           .generation = r->generation,
                           .end = r->end,
                           .table = { r->table_at, r->table_size, r->table_hash } };
    memcpy(s.magic, GRI_MAGIC, sizeof s.magic);
    s.hash = root_slot_hash(&s);
    return s;
}

void root_lay_out(struct root *r)
{
    r->generation = 1;
    r->table_at = ROOT_START;
    r->end = ROOT_START + table_size(r->n_segments, r->n_dead);
    for (size_t i = 0; i < r->n_segments; i++) {
        r->segments[i].at = r->end;
        r->end += r->segments[i].size;
    }
    for (size_t i = 0; i < r->n_dead; i++) {
        r->dead[i].at = r->end;
        r->end += root_round(r->dead[i].n * sizeof(uint32_t));
    }
}

void root_put_start(const struct root *r, struct out *out)
{
    struct root copy = *r;
    struct root_head head = { 0 };
    struct buf table = BUF_INIT;
    char pages[ROOT_START] = { 0 };
    put_table(&copy, &head, &table);
    struct root_slot s = slot_of(&copy);
    memcpy(pages, &s, sizeof s);
    out_put(out, (struct sv){ pages, sizeof pages });
    out_put(out, buf_view(&table));
    buf_release(&table);
}

static int put_at(int fd, uint64_t at, struct sv bytes, const char *path, struct err *err)
{
    struct out out;
    if (out_open_at(&out, path, fd, at, err) < 0)
        return -1;
    out_put(&out, bytes);
    return out_close(&out, err);
}

static int sync_to_disk(int fd, const char *path, struct err *err)
{
    if (fsync(fd) < 0 && errno != EINVAL)
        return err_set(err, EXIT_FATAL, "%s: write failed: %s", path, strerror(errno));
    return 0;
}

int root_commit(struct root *r, const struct root *before, int fd, const char *path,
                struct err *err)
{
    struct mapped m;
    struct buf table = BUF_INIT;
    if (file_map(&m, path, err) < 0)
        return -1;
    if (m.n < r->end) {
        file_unmap(&m);
        return err_set(err, EXIT_FATAL, "%s: another program cut it off", path);
    }
    struct root_head h = {
        .before = { before->table_at, before->table_size, before->table_hash },
        .before_end = before->end,
        .span_hash = hash64((struct sv){ m.p + before->end, (size_t)(r->end - before->end) }),
    };
    file_unmap(&m);
    put_table(r, &h, &table);
    r->table_at = r->end;
    r->end += r->table_size;
    r->generation = before->generation + 1;
    struct root_slot s = slot_of(r);
    uint64_t slot_at = (r->generation + 1) % 2 * ROOT_SLOT_BYTES;
    int rc = put_at(fd, r->table_at, buf_view(&table), path, err);
    buf_release(&table);
    if (rc == 0)
        rc = sync_to_disk(fd, path, err);
    if (rc == 0)
        rc = put_at(fd, slot_at, (struct sv){ (const char *)&s, sizeof s }, path, err);
    return rc == 0 ? sync_to_disk(fd, path, err) : rc;
}
