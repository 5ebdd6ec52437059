// SPDX-License-Identifier: MIT
/*
 * cache.c — reading records, finding keys, appending
 */
#define _DEFAULT_SOURCE /* gethostname */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "hash.h"
#include "map.h"

#define HEAD (2 * sizeof(uint32_t) + CACHE_KEY)
#define OWN SIZE_MAX

const struct cache_kind cache_vectors = { ".vectors", 0x31565247U /* "GRV1" */, sizeof(float),
                                          (size_t)1 << 16 };
const struct cache_kind cache_texts = { ".texts", 0x31545247U /* "GRT1" */, 1,
                                        (size_t)16 << 20 };

/* Where a value lies: in a mapped file, or in the one this process appends to. */
struct place {
    size_t file, offset, count;
};

struct cache {
    pthread_mutex_t lock;
    const struct cache_kind *kind;
    char *dir;
    char scope[65];
    struct map *keys;
    struct place *places; /* (map_count(keys)) */
    size_t cap;
    struct mapped *files; /* (stats.n_files) */
    int fd;               /* of the own file, -1: not made yet */
    size_t size;          /* of the own file */
    struct cache_stats stats;
};

/* ---- records ---- */

static size_t record_size(const struct cache *c, size_t count)
{
    return HEAD + count * c->kind->unit + sizeof(uint64_t);
}

/* The first value of a key wins. */
static void know(struct cache *c, const char *key, struct place place)
{
    bool is_new;
    size_t i = map_put(c->keys, (struct sv){ key, CACHE_KEY }, &is_new);
    if (!is_new)
        return;
    if (i >= c->cap) {
        c->cap = alloc_grow(c->cap, i + 1);
        c->places = alloc_resize(c->places, c->cap, sizeof *c->places);
    }
    c->places[i] = place;
}

/* What the head at p, at most n bytes, says the size of its record is; 0: it is no head. */
static size_t told_size(const struct cache *c, const char *p, size_t n, size_t *count)
{
    uint32_t head[2];
    if (n < HEAD)
        return 0;
    memcpy(head, p, sizeof head);
    if (head[0] != c->kind->magic || !head[1] || head[1] > c->kind->max ||
        record_size(c, head[1]) > n)
        return 0;
    *count = head[1];
    return record_size(c, head[1]);
}

/* The record at p, at most n bytes: its size, or 0 when it is none. budget: less the bytes that
 * were summed up in vain. */
static size_t check_record(const struct cache *c, const char *p, size_t n, size_t *count,
                           size_t *budget)
{
    uint64_t sum;
    size_t size = told_size(c, p, n, count);
    if (!size || size > *budget)
        return 0;
    memcpy(&sum, p + size - sizeof sum, sizeof sum);
    if (sum == hash64((struct sv){ p, size - sizeof sum }))
        return size;
    *budget -= size;
    return 0;
}

/* Where the next record behind a damaged one begins, or n: behind what its head says, else at
 * the next magic number that begins one. */
static size_t next_record(const struct cache *c, const struct mapped *m, size_t at,
                          size_t *budget)
{
    const struct sv all = { m->p, m->n };
    const struct sv magic = { (const char *)&c->kind->magic, sizeof c->kind->magic };
    size_t count, size = told_size(c, m->p + at, m->n - at, &count);
    if (size && check_record(c, m->p + at + size, m->n - at - size, &count, budget))
        return at + size;
    while ((at = sv_find(all, magic, at + 1)) != SIZE_MAX)
        if (check_record(c, m->p + at, m->n - at, &count, budget))
            return at;
    return m->n;
}

static void read_records(struct cache *c, size_t file)
{
    const struct mapped *m = &c->files[file];
    size_t budget = m->n + ((size_t)1 << 20); /* no file costs more than reading it twice */
    bool is_torn = false;
    for (size_t at = 0, size, count; at < m->n; at += size) {
        size = check_record(c, m->p + at, m->n - at, &count, &budget);
        if (size) {
            know(c, m->p + at + 2 * sizeof(uint32_t), (struct place){ file, at + HEAD, count });
            c->stats.n_records++;
        } else {
            size = next_record(c, m, at, &budget) - at;
            is_torn = true;
        }
    }
    c->stats.n_torn += is_torn;
}

/* ---- the folder ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths of the folder's files, sorted; the caller frees them. */
static int list_files(const char *dir, const char *suffix, char ***paths, size_t *n,
                      struct err *err)
{
    struct buf path = BUF_INIT;
    size_t cap = 0, len;
    *paths = NULL;
    *n = 0;
    DIR *d = opendir(dir);
    if (!d)
        return err_set(err, EXIT_FATAL, "%s: cannot read the cache: %s", dir, strerror(errno));
    for (struct dirent *e; (e = readdir(d));) {
        if (!sv_ends(sv_from(e->d_name), sv_from(suffix)))
            continue;
        if (*n == cap) {
            cap = alloc_grow(cap, *n + 1);
            *paths = alloc_resize(*paths, cap, sizeof **paths);
        }
        buf_printf(&path, "%s/%s", dir, e->d_name);
        (*paths)[(*n)++] = buf_take(&path, &len);
    }
    closedir(d);
    if (*n)
        qsort(*paths, *n, sizeof **paths, by_name);
    return 0;
}

static int read_files(struct cache *c, struct err *err)
{
    char **paths;
    size_t n;
    if (list_files(c->dir, c->kind->suffix, &paths, &n, err) < 0)
        return -1;
    c->files = alloc_zero(n ? n : 1, sizeof *c->files);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = file_map(&c->files[i], paths[i], err);
        if (rc == 0)
            read_records(c, c->stats.n_files++);
    }
    for (size_t i = 0; i < n; i++)
        free(paths[i]);
    free(paths);
    return rc;
}

struct cache *cache_open(const char *dir, const struct cache_kind *kind, struct sv scope,
                         struct err *err)
{
    struct cache *c = alloc_zero(1, sizeof *c);
    c->kind = kind;
    pthread_mutex_init(&c->lock, NULL);
    c->fd = -1;
    c->dir = alloc_text(dir, strlen(dir));
    c->keys = map_new();
    hash_sha256(scope, c->scope);
    int rc = 0;
    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        rc = err_set(err, EXIT_FATAL, "%s: cannot make the cache: %s", dir, strerror(errno));
    if (rc == 0 && read_files(c, err) == 0)
        return c;
    cache_close(c);
    return NULL;
}

void cache_close(struct cache *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->stats.n_files; i++)
        file_unmap(&c->files[i]);
    if (c->fd >= 0)
        close(c->fd);
    pthread_mutex_destroy(&c->lock);
    map_free(c->keys);
    free(c->places);
    free(c->files);
    free(c->dir);
    free(c);
}

/* A new file that nobody else has: the name tells the host and the process, a number makes it
 * new. O_EXCL holds on network file systems too. */
static int make_file(struct cache *c, struct err *err)
{
    char host[256] = "";
    struct buf path = BUF_INIT;
    gethostname(host, sizeof host - 1);
    uint64_t id = hash64(sv_from(host));
    for (unsigned i = 0; c->fd < 0 && i < 1000000; i++) {
        buf_reset(&path);
        buf_printf(&path, "%s/%08x-%ld-%u%s", c->dir, (unsigned)id, (long)getpid(), i,
                   c->kind->suffix);
        c->fd = open(buf_cstr(&path), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (c->fd < 0 && errno != EEXIST)
            break;
    }
    int rc = c->fd >= 0 ? 0
                        : err_set(err, EXIT_FATAL, "%s: cannot write the cache: %s",
                                  buf_cstr(&path), strerror(errno));
    buf_release(&path);
    return rc;
}

/* ---- use ---- */

void cache_key(const struct cache *c, struct sv text, unsigned char key[CACHE_KEY])
{
    struct buf all = BUF_INIT;
    char hex[65];
    buf_add(&all, c->scope, 64);
    buf_sv(&all, text);
    hash_sha256(buf_view(&all), hex);
    buf_release(&all);
    for (size_t i = 0; i < CACHE_KEY; i++) {
        int hi = hex[2 * i], lo = hex[2 * i + 1];
        hi = hi <= '9' ? hi - '0' : hi - 'a' + 10;
        lo = lo <= '9' ? lo - '0' : lo - 'a' + 10;
        key[i] = (unsigned char)(hi * 16 + lo);
    }
}

size_t cache_find(struct cache *c, const unsigned char key[CACHE_KEY], size_t *handle)
{
    pthread_mutex_lock(&c->lock);
    *handle = map_get(c->keys, (struct sv){ (const char *)key, CACHE_KEY });
    size_t count = *handle == MAP_NONE ? 0 : c->places[*handle].count;
    c->stats.n_hits += count != 0;
    c->stats.n_misses += count == 0;
    pthread_mutex_unlock(&c->lock);
    return count;
}

/* All of it, or what is wrong. */
static int read_own(const struct cache *c, struct place p, void *out)
{
    size_t n = p.count * c->kind->unit, done = 0;
    while (done < n) {
        ssize_t got = pread(c->fd, (char *)out + done, n - done, (off_t)(p.offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        done += (size_t)got;
    }
    return 0;
}

int cache_read(struct cache *c, size_t handle, void *out, struct err *err)
{
    pthread_mutex_lock(&c->lock);
    struct place p = c->places[handle];
    pthread_mutex_unlock(&c->lock);
    if (p.file != OWN)
        memcpy(out, c->files[p.file].p + p.offset, p.count * c->kind->unit);
    else if (read_own(c, p, out) < 0)
        return err_set(err, EXIT_FATAL, "%s: cannot read back what was written", c->dir);
    return 0;
}

static void put_record(struct buf *b, const struct cache_kind *kind, const unsigned char *key,
                       const char *value, size_t count)
{
    uint32_t head[2] = { kind->magic, (uint32_t)count };
    size_t from = b->len;
    buf_add(b, (const char *)head, sizeof head);
    buf_add(b, (const char *)key, CACHE_KEY);
    buf_add(b, value, count * kind->unit);
    uint64_t sum = hash64(sv_from_to(buf_view(b), from, b->len));
    buf_add(b, (const char *)&sum, sizeof sum);
}

static int write_all(int fd, struct sv s)
{
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        s.p += n;
        s.n -= (size_t)n;
    }
    return 0;
}

int cache_add(struct cache *c, const unsigned char *keys, const void *values, size_t n,
              size_t count, struct err *err)
{
    struct buf all = BUF_INIT;
    if (!count || count > c->kind->max)
        return err_set(err, EXIT_FATAL, "values of %zu numbers are not cached", count);
    for (size_t i = 0; i < n; i++)
        put_record(&all, c->kind, keys + i * CACHE_KEY,
                   (const char *)values + i * count * c->kind->unit, count);
    pthread_mutex_lock(&c->lock);
    int rc = c->fd < 0 ? make_file(c, err) : 0;
    if (rc == 0 && write_all(c->fd, buf_view(&all)) < 0) {
        rc =
            err_set(err, EXIT_FATAL, "%s: cannot write the cache: %s", c->dir, strerror(errno));
        off_t end = lseek(c->fd, 0, SEEK_END); /* part of it may be there: go on behind that */
        c->size = end < 0 ? c->size : (size_t)end;
    }
    for (size_t i = 0; i < n && rc == 0; i++, c->size += record_size(c, count))
        know(c, (const char *)keys + i * CACHE_KEY,
             (struct place){ OWN, c->size + HEAD, count });
    pthread_mutex_unlock(&c->lock);
    buf_release(&all);
    return rc;
}

struct cache_stats cache_stats(struct cache *c)
{
    pthread_mutex_lock(&c->lock);
    struct cache_stats stats = c->stats;
    pthread_mutex_unlock(&c->lock);
    return stats;
}
