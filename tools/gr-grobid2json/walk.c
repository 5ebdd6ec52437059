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

struct level {
    char *dir;
    char **names; /* sorted; (n) */
    size_t n, at;
};

struct walk {
    const char *const *operands;
    size_t n_operands, next;
    struct map *given; /* paths handed out: they must live */
    struct map *seen;  /* "device:inode" of folders entered */
    struct level *levels;
    size_t n_levels, cap_levels;
    size_t n_found; /* in the folder operand at hand */
    const char *folder;
    const char **empty;
    size_t n_empty;
};

static const char *const from_stdin[] = { "-" };

struct walk *walk_new(const char *const *operands, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        struct stat st;
        if (strcmp(operands[i], "-") == 0)
            continue;
        if (stat(operands[i], &st) < 0 ||
            access(operands[i], S_ISDIR(st.st_mode) ? R_OK | X_OK : R_OK) < 0) {
            err_set(err, EXIT_FATAL, "cannot open %s: %s", operands[i], strerror(errno));
            return NULL;
        }
    }
    struct walk *w = alloc_zero(1, sizeof *w);
    w->operands = n ? operands : from_stdin;
    w->n_operands = n ? n : 1;
    w->given = map_new();
    w->seen = map_new();
    w->empty = alloc_array(n + 1, sizeof *w->empty);
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
    free(w->empty);
    map_free(w->given);
    map_free(w->seen);
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
    snprintf(key, sizeof key, "%llu:%llu", (unsigned long long)st->st_dev,
             (unsigned long long)st->st_ino);
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

static bool is_wanted(const char *name)
{
    struct sv s = sv_from(name);
    struct sv tail = sv_from_to(s, s.n > 4 ? s.n - 4 : s.n, s.n);
    return sv_ieq(tail, SV(".xml")) || sv_ieq(tail, SV(".tei"));
}

static int give(struct walk *w, struct buf *item, const char *path, const char **file)
{
    buf_str(item, path);
    *file = map_key(w->given, map_put(w->given, sv_from(path), NULL)).p;
    return 1;
}

static void leave_operand(struct walk *w)
{
    if (w->folder && w->n_found == 0)
        w->empty[w->n_empty++] = w->folder;
    w->folder = NULL;
    w->n_found = 0;
}

/* The next entry of the innermost folder: 1 given, 0 look again, -1 err. */
static int step(struct walk *w, struct buf *item, const char **file, struct err *err)
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
            give(w, item, path.data, file);
    } else if (is_wanted(name)) { /* a dangling link too: opening it says so */
        w->n_found++;
        rc = give(w, item, path.data, file);
    }
    buf_release(&path);
    return rc;
}

int walk_next(void *walk, struct buf *item, const char **file, struct err *err)
{
    struct walk *w = walk;
    for (;;) {
        while (w->n_levels) {
            int rc = step(w, item, file, err);
            if (rc)
                return rc;
        }
        leave_operand(w);
        if (w->next == w->n_operands)
            return 0;
        const char *operand = w->operands[w->next++];
        struct stat st;
        if (strcmp(operand, "-") == 0) {
            buf_str(item, operand);
            *file = "<stdin>";
            return 1;
        }
        if (stat(operand, &st) < 0 || !S_ISDIR(st.st_mode))
            return give(w, item, operand, file);
        w->folder = operand;
        if (enter(w, operand, &st, err) < 0) {
            w->folder = NULL;
            give(w, item, operand, file);
            return -1;
        }
        if (!w->n_levels)
            w->folder = NULL; /* seen before: not an empty folder */
    }
}

size_t walk_n_empty(const struct walk *w)
{
    return w->n_empty;
}

const char *walk_empty(const struct walk *w, size_t i)
{
    return w->empty[i];
}
