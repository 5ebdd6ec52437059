// SPDX-License-Identifier: MIT
/*
 * alias_find.c — which nodes of a graph may be one thing
 *
 * Each rule gives a node a few words (its letters without blanks, its words in order, itself
 * without one letter, its initials); nodes of one type with a word in common are candidates.
 */
#include "aliases.h"

#include <inttypes.h>

#include "alloc.h"
#include "hash.h"
#include "near.h"
#include "text.h"
#include "utf8.h"

#define ONE_LETTER_MIN 8 /* letters of names that may differ in one */
#define LETTERS_MAX 60
#define CROWD 50 /* nodes with one word in common that are compared each with each */

enum rule { RULE_BLANKS, RULE_ORDER, RULE_LETTER, RULE_INITIALS, RULES };
static const char *const rule_names[RULES] = { "blanks and hyphens", "order of words",
                                               "one letter", "initials" };

struct mark {
    uint64_t hash;
    uint32_t node;
    uint32_t whole; /* initials: 1 for the long name, 0 for the short */
};

struct finding {
    const struct grg *g;
    struct mark *marks;
    size_t n, cap;
    uint32_t *to;   /* (nodes) proposed name, GRG_NONE */
    uint8_t *rules; /* (nodes) */
};

static void add_mark(struct finding *f, uint32_t node, struct sv word, uint32_t whole)
{
    const struct grg_node *x = grg_node(f->g, node);
    struct buf b = BUF_INIT;
    buf_sv(&b, grg_str(f->g, x->type));
    buf_char(&b, '\n');
    buf_sv(&b, word);
    if (f->n == f->cap) {
        f->cap = alloc_grow(f->cap, f->n + 1);
        f->marks = alloc_resize(f->marks, f->cap, sizeof *f->marks);
    }
    f->marks[f->n++] = (struct mark){ hash64(buf_view(&b)), node, whole };
    buf_release(&b);
}

/* ---- the words of each rule ---- */

static void mark_blanks(struct finding *f, uint32_t node, struct sv key)
{
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < key.n; i++)
        if (!strchr(" -'", key.p[i]) || !key.p[i])
            buf_char(&b, key.p[i]);
    add_mark(f, node, buf_view(&b), 0);
    buf_release(&b);
}

static void mark_order(struct finding *f, uint32_t node, struct sv key)
{
    static const char *const no_words[] = { "of", "the", "from", "in", "at" };
    struct sv words[16], rest = key, one;
    size_t n = 0;
    while (n < ARRAY_LEN(words) && sv_cut(&rest, ' ', &one)) {
        bool is_word = one.n > 0;
        for (size_t i = 0; i < ARRAY_LEN(no_words); i++)
            is_word = is_word && !sv_is(one, no_words[i]);
        if (is_word)
            words[n++] = one;
    }
    if (n < 2 || n == ARRAY_LEN(words))
        return;
    qsort(words, n, sizeof *words, sv_qcmp);
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        buf_sv(&b, words[i]);
        buf_char(&b, ' ');
    }
    add_mark(f, node, buf_view(&b), 0);
    buf_release(&b);
}

/* The key, and the key without each of its letters: two names one edit apart have one of them
 * in common (Garbe's symmetric delete). */
static void mark_letters(struct finding *f, uint32_t node, struct sv key)
{
    struct buf b = BUF_INIT;
    size_t n = utf8_count(key);
    bool has_digit = false;
    for (size_t pos = 0; pos < key.n && !has_digit;)
        has_digit = utf8_is_digit(utf8_next(key, &pos));
    if (n < ONE_LETTER_MIN || n > LETTERS_MAX || has_digit) /* GX-01, GX-02 */
        return;
    add_mark(f, node, key, 0);
    for (size_t pos = 0; pos < key.n;) {
        size_t from = pos;
        utf8_next(key, &pos);
        buf_reset(&b);
        buf_sv(&b, sv_from_to(key, 0, from));
        buf_sv(&b, sv_from_to(key, pos, key.n));
        add_mark(f, node, buf_view(&b), 0);
    }
    buf_release(&b);
}

/* "MORB" is one, and so is "mid-ocean ridge basalt". */
static void mark_initials(struct finding *f, uint32_t node, struct sv name)
{
    struct buf b = BUF_INIT;
    struct word w;
    size_t capitals = 0, letters = 0, words = 0;
    for (size_t pos = 0; pos < name.n; letters++)
        capitals += utf8_is_upper(utf8_next(name, &pos));
    if (letters >= 3 && letters <= 6 && capitals == letters) {
        utf8_fold(&b, name);
        add_mark(f, node, buf_view(&b), 0);
    } else {
        for (size_t pos = 0; word_next(name, &pos, &w);) {
            size_t at = w.start;
            if (w.kind == WORD_ALPHA && ++words < 8)
                utf8_put(&b, utf8_lower(utf8_next(name, &at)));
        }
        if (words >= 3 && words <= 6)
            add_mark(f, node, buf_view(&b), 1);
    }
    buf_release(&b);
}

/* ---- pairs ---- */

static int cmp_mark(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static uint32_t root_of(const struct finding *f, uint32_t node)
{
    while (f->to[node] != GRG_NONE)
        node = f->to[node];
    return node;
}

/* Does a's name stay rather than b's: a long one before its initials, then the one met more,
 * then the smaller? */
static bool stays(const struct finding *f, const struct mark *a, const struct mark *b)
{
    const struct grg_node *x = grg_node(f->g, a->node), *y = grg_node(f->g, b->node);
    if (a->whole != b->whole)
        return a->whole > b->whole;
    return x->n_triples != y->n_triples ? x->n_triples > y->n_triples : a->node < b->node;
}

static void pair(struct finding *f, enum rule rule, const struct mark *a, const struct mark *b)
{
    const struct grg_node *x = grg_node(f->g, a->node), *y = grg_node(f->g, b->node);
    struct sv nx = grg_str(f->g, x->name), ny = grg_str(f->g, y->name);
    struct sv kx = grg_str(f->g, x->key), ky = grg_str(f->g, y->key);
    if (x->type != y->type || sv_eq(kx, ky) || aliases_differ(nx, ny, rule != RULE_INITIALS) ||
        (rule == RULE_LETTER && !near_is_one_edit(kx, ky)) ||
        (rule == RULE_INITIALS && a->whole == b->whole))
        return;
    const struct mark *keep = stays(f, a, b) ? a : b;
    uint32_t from = keep == a ? b->node : a->node, to = root_of(f, keep->node);
    if (f->to[from] != GRG_NONE || root_of(f, from) == to)
        return;
    f->to[from] = to;
    f->rules[from] = (uint8_t)rule;
}

static void find_pairs(struct finding *f, enum rule rule)
{
    if (f->n)
        qsort(f->marks, f->n, sizeof *f->marks, cmp_mark);
    for (size_t i = 0, end; i < f->n; i = end) {
        for (end = i + 1; end < f->n && f->marks[end].hash == f->marks[i].hash;)
            end++;
        for (size_t a = i; a < end && end - i <= CROWD; a++)
            for (size_t b = a + 1; b < end; b++)
                if (f->marks[a].node != f->marks[b].node)
                    pair(f, rule, &f->marks[a], &f->marks[b]);
    }
    f->n = 0;
}

static void find_by(struct finding *f, enum rule rule)
{
    const struct grg *g = f->g;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        struct sv key = grg_str(g, g->nodes[i].key), name = grg_str(g, g->nodes[i].name);
        if (!grg_is_thing(g, i) || !key.n || sv_is(grg_str(g, g->nodes[i].type), "thing"))
            continue; /* "the upper unit" is another one in every paper */
        if (rule == RULE_BLANKS)
            mark_blanks(f, i, key);
        else if (rule == RULE_ORDER)
            mark_order(f, i, key);
        else if (rule == RULE_LETTER)
            mark_letters(f, i, key);
        else
            mark_initials(f, i, name);
    }
    find_pairs(f, rule);
}

static bool fits_a_cell(struct sv s)
{
    return !memchr(s.p, '\t', s.n) && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\r', s.n);
}

size_t aliases_propose(const struct grg *g, bool *is_cut, struct buf *out)
{
    struct finding f = { .g = g };
    size_t n = 0;
    f.to = alloc_array(g->n_nodes, sizeof *f.to);
    f.rules = alloc_zero(g->n_nodes, 1);
    for (size_t i = 0; i < g->n_nodes; i++)
        f.to[i] = GRG_NONE;
    *is_cut = g->n_nodes > ALIASES_MAX_NODES;
    for (int rule = 0; rule < RULES; rule++)
        if (rule != RULE_LETTER || !*is_cut)
            find_by(&f, (enum rule)rule);
    buf_str(out, ALIASES_HEADER "\n");
    /* Nodes are sorted by type and key. */
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (f.to[i] == GRG_NONE)
            continue;
        const struct grg_node *a = grg_node(g, i), *b = grg_node(g, root_of(&f, i));
        struct sv from = grg_str(g, a->name), to = grg_str(g, b->name);
        if (!fits_a_cell(from) || !fits_a_cell(to) || !fits_a_cell(grg_str(g, a->type)))
            continue;
        buf_printf(out, "\t%.*s\t%.*s\t%.*s\t%s\t%" PRIu32 "\t%" PRIu32 "\n", SV_ARG(from),
                   SV_ARG(to), SV_ARG(grg_str(g, a->type)), rule_names[f.rules[i]],
                   a->n_triples, b->n_triples);
        n++;
    }
    free(f.marks);
    free(f.to);
    free(f.rules);
    return n;
}
