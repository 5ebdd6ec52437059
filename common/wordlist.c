// SPDX-License-Identifier: MIT
/*
 * wordlist.c — read a list of words
 */
#include "wordlist.h"

#include <errno.h>

#include "buf.h"
#include "utf8.h"

#define LIST_MAX ((size_t)16 << 20)

/* All bytes of the file, or -1. */
static int read_all(FILE *f, const char *path, struct buf *b, struct err *err)
{
    char *to;
    b->max = LIST_MAX;
    while (!feof(f) && !ferror(f)) {
        if (!(to = buf_reserve(b, 1 << 14)))
            return err_set(err, EXIT_FATAL, "%s: word list larger than 16 MiB", path);
        buf_commit(b, fread(to, 1, 1 << 14, f));
    }
    if (ferror(f))
        return err_set(err, EXIT_FATAL, "%s: cannot read: %s", path, strerror(errno));
    return 0;
}

struct map *wordlist_load(const char *path, struct err *err)
{
    struct buf b = BUF_INIT;
    struct map *m = NULL;
    FILE *f = fopen(path, "rb");
    if (!f) {
        err_set(err, EXIT_FATAL, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    if (read_all(f, path, &b, err) < 0)
        goto out;
    struct sv rest = { buf_cstr(&b), b.len }, line;
    size_t bad = utf8_check(rest);
    if (bad != SIZE_MAX) {
        err_set(err, EXIT_FATAL, "%s: byte %zu is not UTF-8", path, bad);
        goto out;
    }
    if (sv_starts(rest, SV("\xEF\xBB\xBF")))
        rest = sv_from_to(rest, 3, rest.n);
    m = map_new();
    while (sv_cut(&rest, '\n', &line)) {
        line = sv_trim(line);
        if (line.n && line.p[0] != '#')
            map_put(m, line, NULL);
    }
out:
    buf_release(&b);
    fclose(f);
    return m;
}
