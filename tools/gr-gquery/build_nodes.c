// SPDX-License-Identifier: MIT
/*
 * build_nodes.c — which mentions are one node, and under what names it is looked up
 */
#include "build_impl.h"

#include "alloc.h"
#include "chem.h"
#include "text.h"
#include "utf8.h"

static uint32_t intern(struct build *b, struct sv s)
{
    return (uint32_t)map_put(b->strings, s, NULL);
}

static struct sv str(const struct build *b, uint32_t s)
{
    return map_key(b->strings, s);
}

/* Several numbers as the key of a map. */
static struct sv tuple(uint32_t *n, size_t count)
{
    return (struct sv){ (const char *)n, count * sizeof *n };
}

/* ---- identity ---- */

/* What ids (type, key) pairs have: the smallest, so that the order of records is no matter. */
struct known_ids {
    struct map *pairs;
    struct numbers ids;
};

static void know_id(struct build *b, struct known_ids *k, const struct fold_mention *m)
{
    bool is_new;
    if (!m->id)
        return;
    size_t i = map_put(k->pairs, tuple((uint32_t[]){ m->type, m->key }, 2), &is_new);
    if (is_new)
        numbers_add(&k->ids, m->id);
    else if (sv_cmp(str(b, m->id), str(b, k->ids.at[i])) < 0)
        k->ids.at[i] = m->id;
}

static uint32_t id_of(struct build *b, const struct known_ids *k, const struct fold_mention *m,
                      struct buf *tmp)
{
    if (m->id)
        return m->id;
    size_t i = map_get(k->pairs, tuple((uint32_t[]){ m->type, m->key }, 2));
    if (i != MAP_NONE)
        return k->ids.at[i];
    buf_reset(tmp);
    buf_sv(tmp, str(b, m->type));
    buf_char(tmp, ':');
    buf_sv(tmp, str(b, m->key));
    return intern(b, buf_view(tmp));
}

/* One spelling of a node and how often it was met. */
struct spelling {
    uint32_t node, name, key, count;
};

struct spellings {
    struct map *seen;
    struct spelling *items;
    size_t cap;
};

static void count_spelling(struct spellings *s, uint32_t node, const struct fold_mention *m,
                           uint32_t count)
{
    bool is_new;
    size_t i = map_put(s->seen, tuple((uint32_t[]){ node, m->name }, 2), &is_new);
    if (i >= s->cap) {
        s->cap = alloc_grow(s->cap, i + 1);
        s->items = alloc_resize(s->items, s->cap, sizeof *s->items);
    }
    if (is_new)
        s->items[i] = (struct spelling){ node, m->name, m->key, 0 };
    s->items[i].count += count;
}

static uint32_t place(struct build *b, struct map *ids, const struct fold_mention *m,
                      uint32_t id)
{
    bool is_new;
    uint32_t n = (uint32_t)map_put(ids, tuple((uint32_t[]){ id, m->type }, 2), &is_new);
    if (is_new) { /* there is room: at most one node a mention */
        bool is_value = sv_is(str(b, m->type), "value");
        b->nodes[n] = (struct grg_node){ .id = id,
                                         .type = m->type,
                                         .flags = is_value ? GRG_IS_VALUE : 0 };
        b->n_nodes = (size_t)n + 1;
    }
    return n;
}

/* Name and key of each node: the spelling met most often, the smaller one of equals. */
static void choose_names(struct build *b, const struct spellings *s)
{
    uint32_t *best = alloc_zero(b->n_nodes, sizeof *best);
    for (size_t i = 0; i < map_count(s->seen); i++) {
        const struct spelling *x = &s->items[i];
        struct grg_node *n = &b->nodes[x->node];
        if (x->count > best[x->node] ||
            (x->count == best[x->node] && sv_cmp(str(b, x->name), str(b, n->name)) < 0)) {
            best[x->node] = x->count;
            n->name = x->name;
            n->key = x->key;
        }
    }
    free(best);
}

/* ---- look-up names ---- */

static void add_name(struct build *b, uint32_t key, uint32_t node, uint32_t spelling)
{
    if (!key)
        return;
    if (b->n_names == b->names_cap) {
        b->names_cap = alloc_grow(b->names_cap, b->n_names + 1);
        b->names = alloc_resize(b->names, b->names_cap, sizeof *b->names);
    }
    b->names[b->n_names++] = (struct grg_name){ key, node, spelling };
}

/* One- and two-letter names ("U", "As") are words of another meaning in another case. */
static bool is_short(struct sv name)
{
    return utf8_count(name) <= 2;
}

static void add_spelling(struct build *b, uint32_t node, struct sv name, bool exact)
{
    struct buf key = BUF_INIT;
    text_key(name, TEXT_KEY_SINGULAR, &key);
    add_name(b, intern(b, buf_view(&key)), node,
             exact || is_short(name) ? intern(b, name) : GRG_NONE);
    buf_release(&key);
}

static void add_element(struct build *b, uint32_t node, struct sv name)
{
    int z = chem_symbol(name);
    z = z ? z : chem_name(name);
    if (!z)
        return;
    add_spelling(b, node, sv_from(chem_symbol_of(z)), true);
    add_spelling(b, node, sv_from(chem_name_of(z)), false);
}

static void add_synonyms(struct build *b, uint32_t node, const struct vocab *vocab)
{
    const struct grg_node *n = &b->nodes[node];
    struct sv rest, one, flag;
    char type[64];
    snprintf(type, sizeof type, "%.*s", SV_ARG(str(b, n->type)));
    uint32_t e = vocab_find(vocab, str(b, n->name), type);
    if (e == VOCAB_NONE)
        return;
    /* Where the vocabulary says so, a name is only meant in its own letters. */
    bool exact =
        vocab_attr(vocab, e, "match", &flag) || vocab_attr(vocab, e, "ambiguous", &flag);
    if (!sv_is(str(b, n->type), "element"))
        add_spelling(b, node, vocab_name(vocab, e), exact);
    rest = vocab_synonyms(vocab, e);
    while (rest.n && sv_cut(&rest, '|', &one))
        add_spelling(b, node, one, exact && utf8_count(one) <= 4);
}

void build_names(struct build *b, const struct vocab *vocab)
{
    for (uint32_t i = 0; i < b->n_nodes; i++) {
        if (b->nodes[i].flags & GRG_IS_VALUE)
            continue;
        add_name(b, b->nodes[i].id, i, GRG_NONE);
        if (sv_is(str(b, b->nodes[i].type), "element"))
            add_element(b, i, str(b, b->nodes[i].name));
        if (vocab)
            add_synonyms(b, i, vocab);
    }
}

/* How many triples have each mention at an end. */
static uint32_t *count_mentions(const struct fold *f)
{
    uint32_t *count = alloc_zero(f->n_mentions, sizeof *count);
    for (size_t i = 0; i < f->n; i++) {
        count[f->triples[i].head]++;
        count[f->triples[i].tail]++;
    }
    return count;
}

void build_nodes(struct build *b)
{
    struct fold *f = b->fold;
    struct known_ids known = { .pairs = map_new() };
    struct spellings spellings = { .seen = map_new() };
    struct map *ids = map_new();
    struct buf tmp = BUF_INIT;
    uint32_t *count = count_mentions(f);
    for (size_t i = 0; i < f->n_mentions; i++)
        know_id(b, &known, &f->mentions[i]);
    b->nodes = alloc_array(f->n_mentions, sizeof *b->nodes);
    b->node_of = alloc_array(f->n_mentions, sizeof *b->node_of);
    for (size_t i = 0; i < f->n_mentions; i++) {
        const struct fold_mention *m = &f->mentions[i];
        uint32_t n = place(b, ids, m, id_of(b, &known, m, &tmp));
        b->node_of[i] = n;
        b->nodes[n].n_triples += count[i];
        count_spelling(&spellings, n, m, count[i]);
    }
    choose_names(b, &spellings);
    for (size_t i = 0; i < map_count(spellings.seen); i++) {
        const struct spelling *s = &spellings.items[i];
        bool exact = is_short(str(b, s->name));
        if (!(b->nodes[s->node].flags & GRG_IS_VALUE))
            add_name(b, s->key, s->node, exact ? s->name : GRG_NONE);
    }
    buf_release(&tmp);
    map_free(ids);
    map_free(spellings.seen);
    free(spellings.items);
    map_free(known.pairs);
    free(known.ids.at);
    free(count);
}
