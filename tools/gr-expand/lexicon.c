// SPDX-License-Identifier: MIT
/*
 * lexicon.c — related terms by key
 */
#include "lexicon.h"

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "map.h"
#include "text.h"
#include "utf8.h"

struct lexicon {
    struct buf bytes;
    struct map *keys;
    struct sv *related; /* (map_count) */
};

static int take_line(struct lexicon *l, struct sv line, const char *path, size_t number,
                     struct err *err)
{
    struct sv rest = line, term;
    if (!sv_trim(line).n || line.p[0] == '#')
        return 0;
    sv_cut(&rest, '\t', &term);
    if (!rest.p || !sv_trim(term).n || !sv_trim(rest).n)
        return err_set(err, EXIT_FATAL, "%s:%zu: expected term<TAB>related terms", path,
                       number);
    struct buf key = BUF_INIT;
    bool is_new;
    text_key(term, TEXT_KEY_SINGULAR, &key);
    size_t k = map_put(l->keys, buf_view(&key), &is_new);
    buf_release(&key);
    if (!is_new)
        return err_set(err, EXIT_FATAL, "%s:%zu: term \"%.*s\" stands twice", path, number,
                       SV_ARG(term));
    l->related = alloc_resize(l->related, k + 1, sizeof *l->related);
    l->related[k] = sv_trim(rest);
    return 0;
}

struct lexicon *lexicon_load(const char *path, struct err *err)
{
    struct lexicon *l = alloc_zero(1, sizeof *l);
    l->keys = map_new();
    int rc = file_read(&l->bytes, path, 64 << 20, err);
    struct sv rest = buf_view(&l->bytes), line;
    if (rc == 0 && utf8_check(rest) != SIZE_MAX)
        rc = err_set(err, EXIT_FATAL, "%s: not valid UTF-8", path);
    for (size_t n = 1; rc == 0 && sv_cut(&rest, '\n', &line); n++)
        if (n > 1)
            rc = take_line(l, line, path, n, err);
    if (rc == 0)
        return l;
    lexicon_free(l);
    return NULL;
}

void lexicon_free(struct lexicon *l)
{
    if (!l)
        return;
    buf_release(&l->bytes);
    map_free(l->keys);
    free(l->related);
    free(l);
}

struct sv lexicon_find(const struct lexicon *l, struct sv term)
{
    struct buf key = BUF_INIT;
    text_key(term, TEXT_KEY_SINGULAR, &key);
    size_t k = map_get(l->keys, buf_view(&key));
    buf_release(&key);
    return k == MAP_NONE ? SV_NONE : l->related[k];
}
