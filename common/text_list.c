// SPDX-License-Identifier: MIT
/*
 * text_list.c — read a list of words
 */
#include "text_list.h"

#include "buf.h"
#include "file.h"
#include "utf8.h"

#define LIST_MAX ((size_t)16 << 20)

struct map *text_list_load(const char *path, struct err *err)
{
    struct buf b = BUF_INIT;
    struct map *m = NULL;
    if (file_read(&b, path, LIST_MAX, err) < 0)
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
    return m;
}
