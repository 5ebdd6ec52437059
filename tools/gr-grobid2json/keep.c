// SPDX-License-Identifier: MIT
/*
 * keep.c — files by key, checked by a comment at their end
 */
#include "keep.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

#include "alloc.h"
#include "file.h"
#include "hash.h"
#include "map.h"

#define ENDING ".tei.xml"
#define ID_LEN 16
#define STEM_MAX 100  /* bytes */
#define CHECK_MAX 512 /* bytes of the comment, and to spare */

struct entry {
    char *name;  /* of the file; NULL: none yet */
    bool is_out; /* somebody is making it */
};

struct keep {
    char *dir;
    size_t max;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t given_back;
    struct map *ids;
    struct entry *entries; /* (map_count(ids)) */
    size_t cap;
};

void keep_key_set(struct keep_key *key, struct sv pdf, struct sv fields)
{
    char hex[65];
    struct buf all = BUF_INIT;
    hash_sha256(pdf, key->pdf);
    buf_printf(&all, "%s\n", key->pdf);
    buf_sv(&all, fields);
    hash_sha256(buf_view(&all), hex);
    snprintf(key->id, sizeof key->id, "%.16s", hex);
    buf_release(&all);
}

/* ---- the folder ---- */

static struct entry *entry_of(struct keep *k, struct sv id)
{
    bool is_new;
    size_t i = map_put(k->ids, id, &is_new);
    if (i >= k->cap) {
        k->cap = alloc_grow(k->cap, i + 1);
        k->entries = alloc_resize(k->entries, k->cap, sizeof *k->entries);
    }
    if (is_new)
        k->entries[i] = (struct entry){ 0 };
    return &k->entries[i];
}

/* The id in a name that keep_put gave; empty: it is no such name. */
static struct sv id_in(struct sv name)
{
    size_t end = sizeof ENDING - 1;
    if (name.n < 1 + ID_LEN + end || !sv_ends(name, SV(ENDING)))
        return SV_NONE;
    struct sv id = sv_from_to(name, name.n - end - ID_LEN, name.n - end);
    for (size_t i = 0; i < id.n; i++)
        if (!strchr("0123456789abcdef", id.p[i]) || !id.p[i])
            return SV_NONE;
    return id.p[-1] == '-' ? id : SV_NONE;
}

static void read_names(struct keep *k, DIR *d)
{
    for (struct dirent *e; (e = readdir(d));) {
        struct sv id = id_in(sv_from(e->d_name));
        struct entry *at = id.n ? entry_of(k, id) : NULL;
        if (!at || (at->name && strcmp(at->name, e->d_name) <= 0))
            continue; /* of two with one id the first by name, whatever order they come in */
        free(at->name);
        at->name = alloc_text(e->d_name, strlen(e->d_name));
    }
}

struct keep *keep_open(const char *dir, size_t max, struct err *err)
{
    if (!*dir || (mkdir(dir, 0777) < 0 && errno != EEXIST)) {
        err_set(err, EXIT_FATAL, "--keep-tei=%s: cannot make the folder: %s", dir,
                *dir ? strerror(errno) : "it has no name");
        return NULL;
    }
    DIR *d = opendir(dir);
    if (!d) {
        err_set(err, EXIT_FATAL, "--keep-tei=%s: cannot open the folder: %s", dir,
                strerror(errno));
        return NULL;
    }
    struct keep *k = alloc_zero(1, sizeof *k);
    k->dir = alloc_text(dir, strlen(dir));
    k->max = max;
    k->ids = map_new();
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->given_back, NULL);
    read_names(k, d);
    (void)closedir(d);
    return k;
}

void keep_close(struct keep *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < map_count(k->ids); i++)
        free(k->entries[i].name);
    free(k->entries);
    map_free(k->ids);
    pthread_cond_destroy(&k->given_back);
    pthread_mutex_destroy(&k->lock);
    free(k->dir);
    free(k);
}

/* ---- one file ---- */

static void put_check(struct buf *to, const struct keep_key *key, struct sv tei)
{
    char hex[65];
    hash_sha256(tei, hex);
    buf_printf(to, "<!-- gr-grobid2json key %s pdf %s tei %s -->\n", key->id, key->pdf, hex);
}

/* Take the comment off; false when it is not there or says something else. */
static bool check(const struct keep_key *key, struct buf *file, size_t start)
{
    struct buf want = BUF_INIT;
    put_check(&want, key, SV_NONE);
    size_t n = want.len; /* the same for every file */
    bool is_good = file->len - start > n;
    if (is_good) {
        struct sv all = sv_from_to(buf_view(file), start, file->len);
        struct sv tei = sv_from_to(all, 0, all.n - n);
        buf_reset(&want);
        put_check(&want, key, tei);
        is_good = sv_eq(buf_view(&want), sv_from_to(all, tei.n, all.n));
    }
    buf_cut(file, is_good ? file->len - n : start);
    buf_release(&want);
    return is_good;
}

int keep_take(struct keep *k, const struct keep_key *key, struct buf *tei, struct buf *damaged)
{
    struct err ignored;
    struct buf path = BUF_INIT;
    int rc = 0;
    pthread_mutex_lock(&k->lock);
    struct entry *e;
    while ((e = entry_of(k, sv_from(key->id)))->is_out) /* entries may move while it waits */
        pthread_cond_wait(&k->given_back, &k->lock);
    if (e->name)
        buf_printf(&path, "%s/%s", k->dir, e->name);
    e->is_out = true;
    pthread_mutex_unlock(&k->lock);
    if (path.len) {
        size_t start = tei->len;
        bool is_read = file_read(tei, buf_cstr(&path), k->max + CHECK_MAX, &ignored) == 0;
        if (!is_read)
            buf_cut(tei, start);
        rc = is_read && check(key, tei, start) ? 1 : -1;
        if (rc < 0)
            buf_sv(damaged, buf_view(&path));
        else
            keep_leave(k, key);
    }
    buf_release(&path);
    return rc;
}

void keep_leave(struct keep *k, const struct keep_key *key)
{
    pthread_mutex_lock(&k->lock);
    entry_of(k, sv_from(key->id))->is_out = false;
    pthread_cond_broadcast(&k->given_back);
    pthread_mutex_unlock(&k->lock);
}

/* "x/Fig 2.PDF.gz" → "Fig_2-0123456789abcdef.tei.xml" */
static void make_name(struct buf *to, struct sv path, const char *id)
{
    size_t start = path.n, dot = path.n;
    while (start && path.p[start - 1] != '/')
        start--;
    for (size_t i = start + 1; i + 4 <= path.n; i++)
        if (sv_ieq(sv_from_to(path, i, i + 4), SV(".pdf")))
            dot = i;
    struct sv stem = sv_from_to(path, start, dot);
    size_t n = stem.n < STEM_MAX ? stem.n : STEM_MAX;
    while (n && n < stem.n && ((unsigned char)stem.p[n] & 0xC0) == 0x80)
        n--; /* not in the middle of a character */
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)stem.p[i];
        bool is_plain = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                        (c >= 'A' && c <= 'Z') || (i && (c == '-' || c == '.')) || c == '_';
        buf_char(to, is_plain ? (char)c : '_');
    }
    buf_printf(to, "%s-%s" ENDING, n ? "" : "pdf", id);
}

int keep_put(struct keep *k, const struct keep_key *key, struct sv name, struct sv tei,
             struct err *err)
{
    struct buf file = BUF_INIT, path = BUF_INIT, last = BUF_INIT;
    struct out out;
    pthread_mutex_lock(&k->lock);
    const char *there = entry_of(k, sv_from(key->id))->name;
    buf_str(&file, there ? there : "");
    pthread_mutex_unlock(&k->lock);
    if (!file.len)
        make_name(&file, name, key->id);
    buf_printf(&path, "%s/%s", k->dir, buf_cstr(&file));
    int rc = out_open(&out, buf_cstr(&path), err);
    if (rc == 0) {
        put_check(&last, key, tei);
        out_put(&out, tei);
        out_put(&out, buf_view(&last));
        rc = out_close(&out, err);
    }
    if (rc == 0) {
        pthread_mutex_lock(&k->lock);
        struct entry *e = entry_of(k, sv_from(key->id));
        if (!e->name)
            e->name = buf_take(&file, NULL);
        pthread_mutex_unlock(&k->lock);
    }
    keep_leave(k, key);
    buf_release(&file);
    buf_release(&path);
    buf_release(&last);
    return rc;
}
