// SPDX-License-Identifier: MIT
/*
 * lemma.c — WordNet's index and exception files, and the rules of detachment
 */
#include "lemma.h"

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "map.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)

enum { NOUN, VERB, ADJ, ADV, PARTS };
static const char *const names[PARTS] = { "noun", "verb", "adj", "adv" };

struct lemmas {
    struct map *index[PARTS];
    struct map *forms[PARTS]; /* irregular forms … */
    struct map *bases[PARTS]; /* … "form base", whose ordinals are those of forms */
};

static const struct rule {
    int part;
    const char *ending, *instead;
} rules[] = {
    { NOUN, "s", "" },      { NOUN, "ses", "s" },   { NOUN, "ves", "f" },
    { NOUN, "xes", "x" },   { NOUN, "zes", "z" },   { NOUN, "ches", "ch" },
    { NOUN, "shes", "sh" }, { NOUN, "men", "man" }, { NOUN, "ies", "y" },
    { VERB, "s", "" },      { VERB, "ies", "y" },   { VERB, "es", "e" },
    { VERB, "es", "" },     { VERB, "ed", "e" },    { VERB, "ed", "" },
    { VERB, "ing", "e" },   { VERB, "ing", "" },    { ADJ, "er", "" },
    { ADJ, "est", "" },     { ADJ, "er", "e" },     { ADJ, "est", "e" },
};

static int read_part(struct lemmas *l, int part, const char *dir, struct buf *path,
                     struct buf *bytes, struct err *err)
{
    struct sv rest, line, word;
    buf_reset(path);
    buf_reset(bytes);
    buf_printf(path, "%s/index.%s", dir, names[part]);
    if (file_read(bytes, buf_cstr(path), FILE_MAX_BYTES, err) < 0)
        return -1;
    for (rest = buf_view(bytes); sv_cut(&rest, '\n', &line);)
        if (line.n && line.p[0] != ' ' && sv_cut(&line, ' ', &word)) /* blanks: the licence */
            map_put(l->index[part], word, NULL);
    buf_reset(path);
    buf_reset(bytes);
    buf_printf(path, "%s/%s.exc", dir, names[part]);
    if (file_read(bytes, buf_cstr(path), FILE_MAX_BYTES, err) < 0)
        return -1;
    for (rest = buf_view(bytes); sv_cut(&rest, '\n', &line);) {
        struct sv all = sv_trim(line), form;
        bool is_new = false;
        if (!sv_cut(&line, ' ', &form) || !line.n)
            continue;
        map_put(l->forms[part], form, &is_new);
        if (is_new)
            map_put(l->bases[part], all, NULL);
    }
    return 0;
}

struct lemmas *lemmas_load(const char *dir, struct err *err)
{
    struct lemmas *l = alloc_zero(1, sizeof *l);
    struct buf path = BUF_INIT, bytes = BUF_INIT;
    int rc = 0;
    for (int i = 0; i < PARTS; i++) {
        l->index[i] = map_new();
        l->forms[i] = map_new();
        l->bases[i] = map_new();
    }
    for (int i = 0; i < PARTS && rc == 0; i++)
        rc = read_part(l, i, dir, &path, &bytes, err);
    buf_release(&path);
    buf_release(&bytes);
    if (rc == 0)
        return l;
    lemmas_free(l);
    return NULL;
}

void lemmas_free(struct lemmas *l)
{
    if (!l)
        return;
    for (int i = 0; i < PARTS; i++) {
        map_free(l->index[i]);
        map_free(l->forms[i]);
        map_free(l->bases[i]);
    }
    free(l);
}

/* The base of an irregular form; empty: it is none. */
static struct sv irregular(const struct lemmas *l, int part, struct sv word)
{
    size_t at = map_get(l->forms[part], word);
    if (at == MAP_NONE)
        return SV_NONE;
    struct sv rest = map_key(l->bases[part], at), form, base = SV_NONE;
    sv_cut(&rest, ' ', &form);
    sv_cut(&rest, ' ', &base);
    return base;
}

static struct sv detached(const struct lemmas *l, int part, struct sv word, char *tmp)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct sv ending = sv_from(rules[i].ending), instead = sv_from(rules[i].instead);
        if (rules[i].part != part || word.n <= ending.n || !sv_ends(word, ending))
            continue;
        size_t n = word.n - ending.n;
        memcpy(tmp, word.p, n);
        memcpy(tmp + n, instead.p, instead.n);
        struct sv base = { tmp, n + instead.n };
        if (map_get(l->index[part], base) != MAP_NONE)
            return base;
    }
    return SV_NONE;
}

struct sv lemma_of(const struct lemmas *l, struct sv word, char *tmp)
{
    if (word.n < 3 || word.n + 4 > LEMMA_MAX)
        return word;
    for (int part = 0; part < PARTS; part++) {
        if (map_get(l->index[part], word) != MAP_NONE)
            return word;
        struct sv base = irregular(l, part, word);
        if (!base.n)
            base = detached(l, part, word, tmp);
        if (base.n)
            return base;
    }
    return word;
}
