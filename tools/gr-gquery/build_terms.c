// SPDX-License-Identifier: MIT
/*
 * build_terms.c — the inverted index over what triples say
 */
#include "build_impl.h"

#include "alloc.h"

void numbers_add(struct numbers *l, uint32_t v)
{
    if (l->n == l->cap) {
        l->cap = alloc_grow(l->cap, l->n + 1);
        l->at = alloc_resize(l->at, l->cap, sizeof *l->at);
    }
    l->at[l->n++] = v;
}

/* Append the list of a string: its number of terms, then each one. */
static void analyse(struct build *b, struct terms *terms, uint32_t s)
{
    struct term t;
    if (b->list_of[s])
        return;
    size_t start = b->lists.n;
    b->list_of[s] = start + 1;
    numbers_add(&b->lists, 0);
    terms_start(terms, map_key(b->strings, s));
    while (terms_next(terms, &t)) {
        numbers_add(&b->lists, (uint32_t)map_put(b->strings, t.text, NULL));
        b->lists.at[start]++;
    }
}

/* The strings of a triple that are searched: names and relation first. */
static void strings_of(const struct fold *f, const struct fold_triple *t, uint32_t s[4])
{
    s[0] = f->mentions[t->head].name;
    s[1] = t->relation;
    s[2] = f->mentions[t->tail].name;
    s[3] = t->evidence;
}

void build_lists(struct build *b, const struct analyzer *a)
{
    struct terms *terms = terms_new(a);
    uint32_t s[4];
    /* Only strings that are there now are analysed; terms get numbers above. */
    b->list_of = alloc_zero(map_count(b->strings), sizeof *b->list_of);
    for (size_t i = 0; i < b->fold->n; i++) {
        strings_of(b->fold, &b->fold->triples[i], s);
        for (size_t k = 0; k < ARRAY_LEN(s); k++)
            analyse(b, terms, s[k]);
    }
    terms_free(terms);
}

struct pass {
    uint64_t *count; /* (strings) how many triples have it as a term; then where they go */
    uint32_t *stamp; /* (strings) the last triple that had it, + 1 */
    bool is_filling;
};

static void visit(struct build *b, struct pass *p, const struct fold_triple *t, uint32_t i)
{
    uint32_t s[4];
    strings_of(b->fold, t, s);
    for (size_t k = 0; k < ARRAY_LEN(s); k++) {
        const uint32_t *list = &b->lists.at[b->list_of[s[k]] - 1];
        for (uint32_t j = 1; j <= list[0]; j++) {
            uint32_t term = list[j];
            if (p->stamp[term] == i + 1)
                continue;
            p->stamp[term] = i + 1;
            if (p->is_filling)
                b->posts[p->count[term]] = 2 * i + (k < 3);
            p->count[term]++;
        }
    }
}

int build_index(struct build *b, const uint32_t *by, const uint32_t *rank, struct err *err)
{
    size_t n_strings = map_count(b->strings);
    struct pass p = { alloc_zero(n_strings, sizeof *p.count),
                      alloc_zero(n_strings, sizeof *p.stamp), false };
    uint32_t *old = alloc_array(n_strings, sizeof *old); /* rank to ordinal */
    uint64_t total = 0;
    int rc = -1;
    for (uint32_t i = 0; i < b->fold->n; i++)
        visit(b, &p, &b->fold->triples[by[i]], i);
    for (size_t s = 0; s < n_strings; s++) {
        old[rank[s]] = (uint32_t)s;
        b->n_terms += p.count[s] > 0;
        total += p.count[s];
    }
    if (total >= GRG_NONE) {
        err_set(err, EXIT_FATAL, "too many words for one graph: split it");
        goto out;
    }
    b->n_posts = (size_t)total;
    b->posts = alloc_array(b->n_posts, sizeof *b->posts);
    b->terms = alloc_array(b->n_terms, sizeof *b->terms);
    b->term_at = alloc_zero(b->n_terms + 1, sizeof *b->term_at);
    size_t n = 0;
    uint64_t at = 0;
    for (uint32_t r = 0; r < n_strings; r++) {
        uint64_t count = p.count[old[r]];
        if (!count)
            continue;
        b->terms[n++] = r;
        p.count[old[r]] = at;
        at += count;
        b->term_at[n] = (uint32_t)at;
    }
    memset(p.stamp, 0, n_strings * sizeof *p.stamp);
    p.is_filling = true;
    for (uint32_t i = 0; i < b->fold->n; i++)
        visit(b, &p, &b->fold->triples[by[i]], i);
    rc = 0;
out:
    free(old);
    free(p.stamp);
    free(p.count);
    return rc;
}
