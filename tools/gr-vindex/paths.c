// SPDX-License-Identifier: MIT
/*
 * paths.c — patterns to names of files
 */
#include "paths.h"

#include <glob.h>
#include <unistd.h>

#include "alloc.h"

static void put(struct paths *p, const char *name)
{
    if (p->n == p->cap) {
        p->cap = alloc_grow(p->cap, p->n + 1);
        p->items = alloc_resize(p->items, p->cap, sizeof *p->items);
    }
    p->items[p->n++] = name;
}

static int put_matches(struct paths *p, const char *pattern, struct err *err)
{
    glob_t g;
    int rc = glob(pattern, 0, NULL, &g); /* sorted by strcoll: bytes, as LC_COLLATE is C */
    if (rc == GLOB_NOSPACE)
        alloc_die(NULL);
    if (rc != 0)
        return err_set(err, EXIT_FATAL, "%s: no file matches", pattern);
    p->owned = alloc_resize(p->owned, p->n_owned + g.gl_pathc, sizeof *p->owned);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        char *name = alloc_text(g.gl_pathv[i], strlen(g.gl_pathv[i]));
        p->owned[p->n_owned++] = name;
        put(p, name);
    }
    globfree(&g);
    return 0;
}

int paths_expand(struct paths *p, const char *const *names, size_t n, struct err *err)
{
    *p = (struct paths){ 0 };
    for (size_t i = 0; i < n; i++) {
        if (!strpbrk(names[i], "*?[") || access(names[i], F_OK) == 0)
            put(p, names[i]);
        else if (put_matches(p, names[i], err) < 0)
            return -1;
    }
    return 0;
}

void paths_release(struct paths *p)
{
    for (size_t i = 0; i < p->n_owned; i++)
        free(p->owned[i]);
    free(p->owned);
    free(p->items);
    *p = (struct paths){ 0 };
}
