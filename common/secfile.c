// SPDX-License-Identifier: MIT
/*
 * secfile.c — sectioned binary files
 */
#include "secfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "hash.h"

#define ALIGN 64
#define ENDIAN_MARK 0x01020304u
#define SMALL 4096 /* sections whose checksum costs nothing to look at */

struct header {
    char magic[8];
    uint32_t version, endian;
    uint64_t file_size;
    uint32_t n_sections, zero;
    uint64_t hash;
    char reserved[24];
};

struct entry {
    char name[16];
    uint64_t offset, size, hash, zero;
};

_Static_assert(sizeof(struct header) == 64, "header layout");
_Static_assert(sizeof(struct entry) == 48, "table layout");

static uint64_t round_up(uint64_t n)
{
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* Hash over header (its hash field zero) and table. */
static uint64_t table_hash(const struct header *h, const struct entry *table)
{
    struct header copy = *h;
    copy.hash = 0;
    struct buf b = BUF_INIT;
    buf_add(&b, (const char *)&copy, sizeof copy);
    buf_add(&b, (const char *)table, h->n_sections * sizeof *table);
    uint64_t v = hash64(buf_view(&b));
    buf_release(&b);
    return v;
}

static void put_padding(struct out *out, size_t n)
{
    static const char zeros[ALIGN];
    out_put(out, (struct sv){ zeros, (size_t)(round_up(n) - n) });
}

static void hash_piece(void *to, struct sv piece)
{
    hash_add(to, piece);
}

static void put_piece(void *to, struct sv piece)
{
    out_put(to, piece);
}

static bool comes_in_pieces(const struct section *s, const struct section_source *source)
{
    return source && !s->data && s->n;
}

static uint64_t section_hash(const struct section *s, const struct section_source *source)
{
    if (!comes_in_pieces(s, source))
        return hash64((struct sv){ s->data, s->n });
    struct hash *h = hash_new();
    source->give(source->ctx, s->name, hash_piece, h);
    return hash_end(h);
}

static void put_section(struct out *out, const struct section *s,
                        const struct section_source *source)
{
    if (comes_in_pieces(s, source))
        source->give(source->ctx, s->name, put_piece, out);
    else
        out_put(out, (struct sv){ s->data, s->n });
    put_padding(out, s->n);
}

void secfile_write(struct out *out, const char magic[8], uint32_t version,
                   const struct section *sections, size_t n_sections)
{
    secfile_write_from(out, magic, version, sections, n_sections, NULL);
}

void secfile_write_from(struct out *out, const char magic[8], uint32_t version,
                        const struct section *sections, size_t n_sections,
                        const struct section_source *source)
{
    if (n_sections > SECFILE_MAX_SECTIONS)
        abort(); /* a programming error: the list is in the source */
    struct header h = { .version = version,
                        .endian = ENDIAN_MARK,
                        .n_sections = (uint32_t)n_sections };
    struct entry table[SECFILE_MAX_SECTIONS] = { 0 };
    memcpy(h.magic, magic, sizeof h.magic);
    uint64_t at = round_up(sizeof h + n_sections * sizeof *table);
    for (size_t i = 0; i < n_sections; i++) {
        snprintf(table[i].name, sizeof table[i].name, "%s", sections[i].name);
        table[i].offset = at;
        table[i].size = sections[i].n;
        table[i].hash = section_hash(&sections[i], source);
        at += round_up(sections[i].n);
    }
    h.file_size = at;
    h.hash = table_hash(&h, table);
    struct buf head = BUF_INIT;
    buf_add(&head, (const char *)&h, sizeof h);
    buf_add(&head, (const char *)table, n_sections * sizeof *table);
    out_put(out, buf_view(&head));
    put_padding(out, head.len);
    buf_release(&head);
    for (size_t i = 0; i < n_sections; i++)
        put_section(out, &sections[i], source);
}

uint64_t secfile_size(const struct section *sections, size_t n_sections)
{
    uint64_t n = round_up(sizeof(struct header) + n_sections * sizeof(struct entry));
    for (size_t i = 0; i < n_sections; i++)
        n += round_up(sections[i].n);
    return n;
}

bool secfile_is(const char *path, const char magic[8])
{
    char start[8];
    struct stat st;
    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode)) /* looking into a pipe takes from it */
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, start, sizeof start);
    close(fd);
    return n == (ssize_t)sizeof start && memcmp(start, magic, sizeof start) == 0;
}

static const struct entry *table_of(const struct secfile *f)
{
    return (const struct entry *)(const void *)(f->map.p + sizeof(struct header));
}

static int check(struct secfile *f, const char magic[8], uint32_t version, struct err *err)
{
    struct header h;
    const char *path = f->path;
    if (f->map.n < sizeof h || memcmp(f->map.p, magic, sizeof h.magic) != 0)
        return err_set(err, EXIT_FATAL, "%s: not a %.6s file", path, magic);
    memcpy(&h, f->map.p, sizeof h);
    if (h.endian != ENDIAN_MARK)
        return err_set(err, EXIT_FATAL, "%s: written on a machine of other byte order", path);
    if (h.version != version)
        return err_set(err, EXIT_FATAL, "%s: version %u, this program reads %u: build it anew",
                       path, h.version, version);
    if (h.file_size != f->map.n)
        return err_set(err, EXIT_FATAL, "%s: cut off: %zu of %llu bytes: build it anew", path,
                       f->map.n, (unsigned long long)h.file_size);
    if (h.n_sections > SECFILE_MAX_SECTIONS ||
        sizeof h + h.n_sections * sizeof(struct entry) > f->map.n)
        return err_set(err, EXIT_FATAL, "%s: damaged section table: build it anew", path);
    f->n_sections = h.n_sections;
    const struct entry *t = table_of(f);
    if (table_hash(&h, t) != h.hash)
        return err_set(err, EXIT_FATAL, "%s: damaged header: build it anew", path);
    for (uint32_t i = 0; i < h.n_sections; i++)
        if (t[i].offset % ALIGN || t[i].offset > f->map.n ||
            t[i].size > f->map.n - t[i].offset || !memchr(t[i].name, '\0', sizeof t[i].name))
            return err_set(err, EXIT_FATAL, "%s: damaged section table: build it anew", path);
    return 0;
}

int secfile_open(struct secfile *f, const char *path, const char magic[8], uint32_t version,
                 struct err *err)
{
    *f = (struct secfile){ .path = path };
    if (file_map(&f->map, path, err) < 0)
        return -1;
    if (check(f, magic, version, err) < 0) {
        secfile_close(f);
        return -1;
    }
    return 0;
}

int secfile_open_part(struct secfile *f, const char *path, const char *p, size_t n,
                      const char magic[8], uint32_t version, struct err *err)
{
    *f = (struct secfile){ .path = path, .is_part = true, .map = { .p = p, .n = n } };
    return check(f, magic, version, err);
}

void secfile_close(struct secfile *f)
{
    if (!f->is_part)
        file_unmap(&f->map);
    *f = (struct secfile){ 0 };
}

static bool is_intact(const struct secfile *f, const struct entry *e)
{
    return hash64((struct sv){ f->map.p + e->offset, (size_t)e->size }) == e->hash;
}

bool secfile_has(const struct secfile *f, const char *name)
{
    const struct entry *t = table_of(f);
    for (uint32_t i = 0; i < f->n_sections; i++)
        if (strcmp(t[i].name, name) == 0)
            return true;
    return false;
}

int secfile_get(const struct secfile *f, const char *name, size_t size, const void **data,
                size_t *count, struct err *err)
{
    const struct entry *t = table_of(f);
    for (uint32_t i = 0; i < f->n_sections; i++)
        if (strcmp(t[i].name, name) == 0) {
            if (t[i].size % size || (t[i].size <= SMALL && !is_intact(f, &t[i])))
                return err_set(err, EXIT_FATAL, "%s: section %s is damaged: build it anew",
                               f->path, name);
            *data = f->map.p + t[i].offset;
            *count = (size_t)(t[i].size / size);
            return 0;
        }
    return err_set(err, EXIT_FATAL, "%s: section %s is missing: build it anew", f->path, name);
}

/* Are the bytes from `end` to the next multiple of ALIGN zero? */
static bool is_padded(const struct secfile *f, uint64_t end)
{
    for (; end % ALIGN && end < f->map.n; end++)
        if (f->map.p[end])
            return false;
    return true;
}

int secfile_verify(const struct secfile *f, struct err *err)
{
    const struct entry *t = table_of(f);
    bool is_good = is_padded(f, sizeof(struct header) + f->n_sections * sizeof *t);
    for (uint32_t i = 0; i < f->n_sections; i++) {
        if (!is_intact(f, &t[i]))
            return err_set(err, EXIT_FATAL, "%s: section %s is damaged: build it anew", f->path,
                           t[i].name);
        is_good = is_good && is_padded(f, t[i].offset + t[i].size);
    }
    if (!is_good)
        return err_set(err, EXIT_FATAL, "%s: bytes between sections are damaged: build it anew",
                       f->path);
    return 0;
}
