// SPDX-License-Identifier: MIT
/*
 * walk.c — a depth-first walk that holds one folder's sorted names per level
 */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "map.h"
#include "pack.h"

struct level {
    char *dir;
    char **names; /* sorted; (n) */
    size_t n, at;
};

struct walk {
    struct walk_cfg cfg;
    size_t next;
    FILE *list; /* of cfg.files_from; NULL: none, or at its end */
    struct buf operand;
    struct map *seen; /* "device:inode" of folders entered */
    struct level *levels;
    size_t n_levels, cap_levels;
    struct pack *pack; /* the archive at hand */
    struct buf pack_name;
    size_t n_found;    /* in the folder operand at hand */
    struct buf folder; /* its path; "": none */
    char **empty;
    size_t n_empty, cap_empty;
    size_t n_pdf; /* passed over */
};

static void put_key(const struct stat *st, char key[64])
{
    snprintf(key, 64, "%llu:%llu", (unsigned long long)st->st_dev,
             (unsigned long long)st->st_ino);
}

static bool is_kept(const struct walk_cfg *cfg, const struct stat *st)
{
    struct stat kept;
    return cfg->kept && stat(cfg->kept, &kept) == 0 && kept.st_dev == st->st_dev &&
           kept.st_ino == st->st_ino;
}

static int check_operands(const struct walk_cfg *cfg, struct err *err)
{
    for (size_t i = 0; i < cfg->n_operands; i++) {
        const char *o = cfg->operands[i];
        struct stat st;
        if (strcmp(o, "-") == 0)
            continue;
        if (stat(o, &st) < 0 || access(o, S_ISDIR(st.st_mode) ? R_OK | X_OK : R_OK) < 0)
            return err_set(err, EXIT_FATAL, "cannot open %s: %s", o, strerror(errno));
        if (is_kept(cfg, &st))
            return err_set(err, EXIT_USAGE,
                           "--keep-tei=%s: is an operand too: its files would come twice",
                           cfg->kept);
    }
    return 0;
}

struct walk *walk_new(const struct walk_cfg *cfg, struct err *err)
{
    if (check_operands(cfg, err) < 0)
        return NULL;
    FILE *list = NULL;
    if (cfg->files_from) {
        bool is_stdin = strcmp(cfg->files_from, "-") == 0;
        if (!is_stdin && file_check(cfg->files_from, err) < 0)
            return NULL;
        list = is_stdin ? stdin : fopen(cfg->files_from, "re");
        if (!list) {
            err_set(err, EXIT_FATAL, "cannot open %s: %s", cfg->files_from, strerror(errno));
            return NULL;
        }
    }
    struct walk *w = alloc_zero(1, sizeof *w);
    w->cfg = *cfg;
    w->list = list;
    w->seen = map_new();
    struct stat st;
    char key[64];
    if (cfg->kept && stat(cfg->kept, &st) == 0) { /* not entered: as if it had been */
        put_key(&st, key);
        map_put(w->seen, sv_from(key), NULL);
    }
    return w;
}

static void level_release(struct level *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->names[i]);
    free(l->names);
    free(l->dir);
}

void walk_free(struct walk *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->n_levels; i++)
        level_release(&w->levels[i]);
    free(w->levels);
    for (size_t i = 0; i < w->n_empty; i++)
        free(w->empty[i]);
    free(w->empty);
    map_free(w->seen);
    pack_close(w->pack);
    buf_release(&w->operand);
    buf_release(&w->pack_name);
    buf_release(&w->folder);
    if (w->list && w->list != stdin)
        (void)fclose(w->list);
    free(w);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_names(struct level *l, DIR *d)
{
    size_t cap = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        if (l->n == cap) {
            cap = alloc_grow(cap, l->n + 1);
            l->names = alloc_resize(l->names, cap, sizeof *l->names);
        }
        l->names[l->n++] = alloc_text(e->d_name, strlen(e->d_name));
    }
    if (l->n)
        qsort(l->names, l->n, sizeof *l->names, compare_names);
}

/* 0 also when the folder was seen before: then nothing is pushed. */
static int enter(struct walk *w, const char *dir, const struct stat *st, struct err *err)
{
    char key[64];
    bool is_new;
    put_key(st, key);
    map_put(w->seen, sv_from(key), &is_new);
    if (!is_new)
        return 0;
    DIR *d = opendir(dir);
    if (!d)
        return err_set(err, EXIT_REJECTED, "cannot read the folder: %s", strerror(errno));
    struct level l = { .dir = alloc_text(dir, strlen(dir)) };
    list_names(&l, d);
    (void)closedir(d);
    if (w->n_levels == w->cap_levels) {
        w->cap_levels = alloc_grow(w->cap_levels, w->n_levels + 1);
        w->levels = alloc_resize(w->levels, w->cap_levels, sizeof *w->levels);
    }
    w->levels[w->n_levels++] = l;
    return 0;
}

static bool is_wanted(struct walk *w, struct sv name)
{
    name = pack_bare_name(name);
    size_t dot = name.n;
    while (dot && name.p[dot - 1] != '.' && name.p[dot - 1] != '/')
        dot--;
    if (dot < 2 || name.p[dot - 1] != '.' || name.p[dot - 2] == '/')
        return false;
    struct sv end = sv_from_to(name, dot, name.n); /* xml, nxml, norm-xml */
    bool is_pdf = sv_ieq(end, SV("pdf"));
    w->n_pdf += is_pdf && !w->cfg.has_pdf;
    return sv_ieq(sv_from_to(end, end.n > 3 ? end.n - 3 : 0, end.n), SV("xml")) ||
           sv_ieq(end, SV("tei")) || (w->cfg.has_pdf && is_pdf);
}

/* ---- archives ---- */

static struct sv base_name(struct sv path)
{
    size_t at = path.n;
    while (at && path.p[at - 1] != '/')
        at--;
    return sv_from_to(path, at, path.n);
}

static int enter_pack(struct walk *w, struct buf *item, const char *path, struct err *err)
{
    w->pack = pack_open(path, err);
    buf_reset(&w->pack_name);
    buf_str(&w->pack_name, path ? path : "");
    if (w->pack)
        return 0;
    buf_str(item, path ? path : "-");
    return -1;
}

/* An archive in an archive is not read, but said. */
static bool is_passed_over(struct walk *w, struct sv name)
{
    return base_name(name).p[0] == '.' || !(is_wanted(w, name) || pack_is_archive(name));
}

static int read_member(struct walk *w, struct sv name, struct buf *item, struct err *err)
{
    if (pack_is_archive(name))
        return err_set(err, EXIT_REJECTED, "an archive inside an archive: unpack it first");
    return pack_read(w->pack, item, w->cfg.max_bytes, err);
}

/* The next member of the archive at hand: 1 given, 0 its end, -1 err. */
static int step_pack(struct walk *w, struct buf *item, const char **file, struct err *err)
{
    struct sv name;
    bool is_stdin = w->pack_name.len == 0;
    int rc = pack_next(w->pack, &name, err);
    while (rc > 0 && name.n && is_passed_over(w, name))
        rc = pack_next(w->pack, &name, err);
    buf_sv(item, buf_view(&w->pack_name));
    if (rc > 0 && name.n)
        buf_printf(item, "%s%.*s", is_stdin ? "" : "/", SV_ARG(name));
    else if (is_stdin)
        buf_str(item, "-");
    if (is_stdin && !(rc > 0 && name.n))
        *file = "<stdin>";
    if (rc > 0) {
        w->n_found++;
        buf_char(item, '\0');
        size_t start = item->len;
        rc = read_member(w, name, item, err) < 0 ? -1 : 1;
        if (rc < 0) /* what --rejects keeps is the name */
            buf_cut(item, start - 1);
    }
    if (rc == 0) {
        pack_close(w->pack);
        w->pack = NULL;
        if (is_stdin && w->n_found == 0) { /* nothing at all: an empty file */
            buf_char(item, '\0');
            rc = 1;
        } else {
            buf_reset(item);
            *file = NULL;
        }
    }
    return rc;
}

static void leave_operand(struct walk *w)
{
    if (w->folder.len && w->n_found == 0) {
        if (w->n_empty == w->cap_empty) {
            w->cap_empty = alloc_grow(w->cap_empty, w->n_empty + 1);
            w->empty = alloc_resize(w->empty, w->cap_empty, sizeof *w->empty);
        }
        w->empty[w->n_empty++] = alloc_text(w->folder.data, w->folder.len);
    }
    buf_reset(&w->folder);
    w->n_found = 0;
}

/* ---- folders ---- */

/* The next entry of the innermost folder: 1 given, 0 look again, -1 err. */
static int step(struct walk *w, struct buf *item, struct err *err)
{
    struct level *l = &w->levels[w->n_levels - 1];
    if (l->at == l->n) {
        level_release(l);
        w->n_levels--;
        return 0;
    }
    const char *name = l->names[l->at++];
    struct buf path = BUF_INIT;
    bool has_slash = l->dir[0] && l->dir[strlen(l->dir) - 1] == '/';
    buf_printf(&path, "%s%s%s", l->dir, has_slash ? "" : "/", name);
    struct stat st;
    int rc = 0;
    if (stat(buf_cstr(&path), &st) == 0 && S_ISDIR(st.st_mode)) {
        rc = enter(w, path.data, &st, err);
        if (rc < 0)
            buf_sv(item, buf_view(&path));
    } else if (pack_is_archive(sv_from(name))) {
        w->n_found++;
        rc = enter_pack(w, item, path.data, err);
    } else if (is_wanted(w, sv_from(name))) { /* a dangling link too: opening it says so */
        w->n_found++;
        buf_sv(item, buf_view(&path));
        rc = 1;
    }
    buf_release(&path);
    return rc;
}

/* The next operand into w->operand: the command line's, then the list's. */
static bool next_operand(struct walk *w)
{
    const struct walk_cfg *c = &w->cfg;
    buf_reset(&w->operand);
    if (c->n_operands == 0 && !c->files_from && w->next == 0) {
        w->next++;
        buf_str(&w->operand, "-");
        return true;
    }
    if (w->next < c->n_operands) {
        buf_str(&w->operand, c->operands[w->next++]);
        return true;
    }
    while (w->list) {
        int c1 = getc(w->list), end = c->is_null ? '\0' : '\n';
        for (; c1 != EOF && c1 != end; c1 = getc(w->list))
            buf_char(&w->operand, (char)c1);
        if (c1 == EOF) {
            if (w->list != stdin)
                (void)fclose(w->list);
            w->list = NULL;
        }
        struct buf *o = &w->operand;
        if (!c->is_null && o->len && o->data[o->len - 1] == '\r')
            buf_cut(o, o->len - 1);
        if (o->len)
            return true;
    }
    return false;
}

/* Begin an operand: 1 given, 0 entered (a folder, an archive), -1 err. */
static int begin(struct walk *w, struct buf *item, struct err *err)
{
    const char *operand = buf_cstr(&w->operand);
    struct stat st;
    if (strcmp(operand, "-") == 0)
        return enter_pack(w, item, NULL, err);
    if (stat(operand, &st) < 0 || !S_ISDIR(st.st_mode)) {
        if (pack_is_archive(sv_from(operand)))
            return enter_pack(w, item, operand, err);
        buf_str(item, operand);
        return 1;
    }
    int rc = enter(w, operand, &st, err);
    if (rc < 0)
        buf_str(item, operand);
    else if (w->n_levels) /* not seen before */
        buf_str(&w->folder, operand);
    return rc;
}

int walk_next(void *walk, struct buf *item, const char **file, struct err *err)
{
    struct walk *w = walk;
    int rc = 0;
    while (rc == 0) {
        if (w->pack) {
            rc = step_pack(w, item, file, err);
            continue;
        }
        if (w->n_levels) {
            rc = step(w, item, err);
            continue;
        }
        leave_operand(w);
        if (!next_operand(w))
            return 0;
        rc = begin(w, item, err);
    }
    return rc;
}

size_t walk_n_empty(const struct walk *w)
{
    return w->n_empty;
}

const char *walk_empty(const struct walk *w, size_t i)
{
    return w->empty[i];
}

size_t walk_n_pdf(const struct walk *w)
{
    return w->n_pdf;
}
