// SPDX-License-Identifier: MIT
/*
 * link.c — longest match of the graph's names over a text
 */
#include "link.h"

#include "alloc.h"
#include "chem.h"
#include "text.h"

#define MAX_WORDS 4000 /* of a text that are looked at */
#define MAX_RUN 14     /* words and marks of the longest name */
/* A part of a ratio, or the element of an isotope, is less than what was asked about. */
#define PART_WEIGHT 0.7f
#define ELEMENT_WEIGHT 0.5f
#define MAX_THINGS 3 /* papers that may call something so; one where it is vague */

void links_release(struct links *l)
{
    free(l->items);
    *l = (struct links){ 0 };
}

void links_add(struct links *l, const struct link *link)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i].node == link->node) {
            if (link->weight > l->items[i].weight)
                l->items[i] = *link;
            return;
        }
    if (l->n == l->cap) {
        l->cap = alloc_grow(l->cap, l->n + 1);
        l->items = alloc_resize(l->items, l->cap, sizeof *l->items);
    }
    l->items[l->n++] = *link;
}

struct scan {
    const struct grg *g;
    struct terms *terms; /* NULL: function words count too */
    struct sv text;
    struct word *words;
    size_t n;
    struct links *to;
    struct link proto; /* weight and via */
    struct buf key;
    size_t found;
};

static struct sv span(const struct scan *s, size_t from, size_t to)
{
    return sv_from_to(s->text, from, to);
}

/* ---- does a name count here? ---- */

/* "lead to" and "can lead" are the verb. */
static bool is_verb_lead(const struct scan *s, size_t from, size_t to)
{
    static const char *const before[] = { "to",   "can",  "may",   "might", "could", "would",
                                          "will", "does", "did",   "do",    "not",   "that",
                                          "also", "then", "which", "must",  "should" };
    struct sv w = span(s, from, to);
    if (!sv_ieq(w, SV("lead")) && !sv_ieq(w, SV("leads")))
        return false;
    struct word next, *last = NULL;
    size_t pos = to;
    if (word_next(s->text, &pos, &next)) {
        struct sv n = span(s, next.start, next.end);
        if (sv_ieq(n, SV("to")) || sv_ieq(n, SV("into")))
            return true;
    }
    for (size_t i = 0; i < s->n && s->words[i].end <= from; i++)
        last = &s->words[i];
    for (size_t i = 0; last && i < ARRAY_LEN(before); i++)
        if (sv_ieq(span(s, last->start, last->end), sv_from(before[i])))
            return true;
    return false;
}

/* Is there anything in the span but digits and function words? ("ZG-1" does not name spot 1.)
 */
static bool says_something(const struct scan *s, size_t from, size_t to)
{
    struct term t;
    struct chem c;
    struct word w;
    if (!s->terms)
        return true;
    bool has_letter = false;
    for (size_t pos = from; !has_letter && word_next(span(s, 0, to), &pos, &w);)
        has_letter = w.kind == WORD_ALPHA;
    if (!has_letter)
        return false;
    terms_start(s->terms, span(s, from, to));
    return terms_next(s->terms, &t) || chem_match(s->text, from, &c);
}

/* A symbol that is a word as well ("In", "As", "No") counts where chemistry is read. */
static bool is_spelled(const struct scan *s, struct sv spelling, size_t from, size_t to)
{
    struct chem c;
    struct sv w = span(s, from, to);
    if (!sv_eq(w, spelling) &&
        !(w.n == spelling.n + 1 && sv_starts(w, spelling) && sv_ends(w, SV("s"))))
        return false;
    bool is_whole = from == 0 && to == s->text.n;
    return is_whole || !chem_symbol(spelling) || chem_match(s->text, from, &c);
}

bool link_is_vague(const struct grg *g, uint32_t node)
{
    const struct grg_node *n = grg_node(g, node);
    struct sv name = grg_str(g, n->name);
    bool has_mark = false; /* the first letter is a capital where a sentence begins */
    if (!sv_is(grg_str(g, n->type), "thing"))
        return false;
    for (size_t i = 0; i < name.n; i++)
        has_mark |= (name.p[i] >= '0' && name.p[i] <= '9') ||
                    (i && name.p[i] >= 'A' && name.p[i] <= 'Z');
    return !has_mark;
}

static bool is_thing(const struct grg *g, uint32_t node)
{
    return sv_is(grg_str(g, grg_node(g, node)->type), "thing");
}

/* How many things have a key, counted to MAX_THINGS and one more. r: all of the key. */
static size_t count_things(const struct scan *s, struct grg_range r)
{
    size_t n = 0;
    for (uint32_t i = r.from; i < r.to && n <= MAX_THINGS; i++)
        n += s->g->names[i].node < s->g->n_nodes && is_thing(s->g, s->g->names[i].node);
    return n;
}

/* By how much less a node is meant where a text has a key that n things have; 0: not at all. */
static float share_of(const struct scan *s, size_t n, uint32_t node)
{
    if (!s->terms || !is_thing(s->g, node))
        return 1;
    if (link_is_vague(s->g, node))
        return n > 1 ? 0 : LINK_VAGUE_WEIGHT;
    return n > MAX_THINGS ? 0 : 1 / (float)n;
}

/* Are all that have this key vague? */
static bool is_vague(const struct scan *s, struct sv key)
{
    struct grg_range r = grg_find_names(s->g, key);
    for (uint32_t i = r.from; i < r.to; i++)
        if (!link_is_vague(s->g, s->g->names[i].node))
            return false;
    return s->terms != NULL;
}

/* Link what has this key; returns how many did. */
static size_t take_key(struct scan *s, struct sv key, size_t from, size_t to, float factor,
                       bool is_notation)
{
    struct grg_range r = grg_find_names(s->g, key);
    size_t n = 0, n_things = count_things(s, r);
    for (uint32_t i = r.from; i < r.to; i++) {
        const struct grg_name *x = &s->g->names[i];
        if (x->node >= s->g->n_nodes)
            continue;
        if (x->spelling != GRG_NONE && !is_notation &&
            !is_spelled(s, grg_str(s->g, x->spelling), from, to))
            continue;
        float share = share_of(s, n_things, x->node);
        if (!(share > 0))
            continue;
        struct link l = s->proto;
        l.node = x->node;
        l.weight *= factor * share;
        l.start = from;
        l.end = to;
        links_add(s->to, &l);
        n++;
    }
    s->found += n;
    return n;
}

/* Would take_key link anything? */
static bool has_key(const struct scan *s, struct sv key, size_t from, size_t to)
{
    struct grg_range r = grg_find_names(s->g, key);
    if (r.from == r.to || !says_something(s, from, to) || is_verb_lead(s, from, to))
        return false;
    for (uint32_t i = r.from; i < r.to; i++) {
        const struct grg_name *x = &s->g->names[i];
        if (x->spelling == GRG_NONE || is_spelled(s, grg_str(s->g, x->spelling), from, to))
            return true;
    }
    return false;
}

/* ---- chemical notation ---- */

/* The element of "87Sr" or "Fe3+": its letters, when they are one symbol; else "". */
static struct sv element_of(struct sv notation)
{
    size_t from = 0, to;
    while (from < notation.n &&
           !((notation.p[from] | 32) >= 'a' && (notation.p[from] | 32) <= 'z'))
        from++;
    for (to = from;
         to < notation.n && (notation.p[to] | 32) >= 'a' && (notation.p[to] | 32) <= 'z';)
        to++;
    struct sv symbol = sv_from_to(notation, from, to);
    return chem_symbol(symbol) ? symbol : SV_NONE;
}

static size_t take_element(struct scan *s, struct sv notation, const struct chem *c)
{
    struct sv symbol = element_of(notation);
    if (!symbol.n)
        return 0;
    buf_reset(&s->key);
    text_key(symbol, TEXT_KEY_PLAIN, &s->key);
    return take_key(s, buf_view(&s->key), c->start, c->end, ELEMENT_WEIGHT, true);
}

static void take_parts(struct scan *s, const struct chem *c)
{
    char key[CHEM_MAX];
    for (unsigned i = 0; i < c->n_parts; i++) {
        size_t n = chem_part_key(c, i, key);
        struct sv part = { c->text + c->parts[i].from,
                           (size_t)(c->parts[i].to - c->parts[i].from) };
        if (!take_key(s, (struct sv){ key, n }, c->start, c->end, PART_WEIGHT, true))
            take_element(s, part, c);
    }
    if (!c->n_parts && (c->kind == CHEM_ISOTOPE || c->kind == CHEM_ION ||
                        c->kind == CHEM_DELTA || c->kind == CHEM_EPSILON))
        take_element(s, (struct sv){ c->text, c->n }, c);
}

/* ---- the scan ---- */

/* Last word of the longest run from word i that is a name, or SIZE_MAX. */
static size_t longest(struct scan *s, size_t i, size_t chem_end)
{
    size_t best = SIZE_MAX;
    for (size_t k = i; k < s->n && k < i + MAX_RUN; k++) {
        buf_reset(&s->key);
        text_key(span(s, s->words[i].start, s->words[k].end), TEXT_KEY_SINGULAR, &s->key);
        struct sv key = buf_view(&s->key);
        if (has_key(s, key, s->words[i].start, s->words[k].end))
            best = k;
        /* A plural ending may have hidden up to three bytes of the longer name. */
        size_t sure = key.n > 4 ? key.n - 3 : 1;
        if (s->words[k].end >= chem_end && !grg_has_names_from(s->g, sv_from_to(key, 0, sure)))
            break;
    }
    return best;
}

/* Link what begins at word i; returns the word to go on with. */
static size_t take_word(struct scan *s, size_t i)
{
    struct chem c = { 0 };
    char key[CHEM_MAX];
    bool has_chem = chem_match(s->text, s->words[i].start, &c);
    size_t best = longest(s, i, has_chem ? c.end : 0);
    if (best != SIZE_MAX && (!has_chem || s->words[best].end >= c.end)) {
        buf_reset(&s->key);
        text_key(span(s, s->words[i].start, s->words[best].end), TEXT_KEY_SINGULAR, &s->key);
        take_key(s, buf_view(&s->key), s->words[i].start, s->words[best].end, 1, false);
        return is_vague(s, buf_view(&s->key)) ? i + 1 : best + 1;
    }
    if (!has_chem)
        return i + 1;
    size_t n = chem_key(&c, key);
    if (!take_key(s, (struct sv){ key, n }, c.start, c.end, 1, true))
        take_parts(s, &c);
    while (i < s->n && s->words[i].start < c.end)
        i++;
    return i;
}

static void find_words(struct scan *s)
{
    size_t cap = 0;
    struct word w;
    for (size_t pos = 0; s->n < MAX_WORDS && word_next(s->text, &pos, &w);) {
        if (s->n == cap) {
            cap = alloc_grow(cap, s->n + 1);
            s->words = alloc_resize(s->words, cap, sizeof *s->words);
        }
        s->words[s->n++] = w;
    }
}

static size_t scan_all(struct scan *s)
{
    find_words(s);
    for (size_t i = 0; i < s->n;)
        i = take_word(s, i);
    free(s->words);
    buf_release(&s->key);
    return s->found;
}

size_t link_text(const struct grg *g, struct terms *terms, struct sv text, float weight,
                 const char *via, struct links *to)
{
    struct scan s = { .g = g,
                      .terms = terms,
                      .text = text,
                      .to = to,
                      .proto = { .weight = weight, .via = via } };
    return scan_all(&s);
}

static void add_text_key(struct scan *s, struct sv text, unsigned form, struct map *keys)
{
    buf_reset(&s->key);
    text_key(text, form, &s->key);
    if (s->key.len)
        map_put(keys, buf_view(&s->key), NULL);
}

static void add_chem_keys(struct scan *s, const struct chem *c, struct map *keys)
{
    char key[CHEM_MAX];
    struct sv element = element_of((struct sv){ c->text, c->n });
    map_put(keys, (struct sv){ key, chem_key(c, key) }, NULL);
    if (element.n)
        add_text_key(s, element, TEXT_KEY_PLAIN, keys);
    for (unsigned i = 0; i < c->n_parts; i++) {
        struct sv part = { c->text + c->parts[i].from,
                           (size_t)(c->parts[i].to - c->parts[i].from) };
        map_put(keys, (struct sv){ key, chem_part_key(c, i, key) }, NULL);
        element = element_of(part);
        if (element.n)
            add_text_key(s, element, TEXT_KEY_PLAIN, keys);
    }
}

void link_keys(struct sv text, struct map *keys)
{
    struct scan s = { .text = text };
    struct chem c;
    find_words(&s);
    if (sv_trim(text).n)
        map_put(keys, sv_trim(text), NULL);
    for (size_t i = 0; i < s.n; i++) {
        for (size_t k = i; k < s.n && k < i + LINK_KEY_WORDS; k++)
            add_text_key(&s, span(&s, s.words[i].start, s.words[k].end), TEXT_KEY_SINGULAR,
                         keys);
        if (chem_match(text, s.words[i].start, &c))
            add_chem_keys(&s, &c, keys);
    }
    free(s.words);
    buf_release(&s.key);
}

size_t link_name(const struct grg *g, struct sv name, struct links *to)
{
    struct scan s = {
        .g = g, .text = sv_trim(name), .to = to, .proto = { .weight = 1, .via = "entity" }
    };
    /* A node's id is a look-up name too, but no key. */
    size_t n = take_key(&s, s.text, 0, s.text.n, 1, false);
    if (!n) {
        text_key(s.text, TEXT_KEY_SINGULAR, &s.key);
        n = take_key(&s, buf_view(&s.key), 0, s.text.n, 1, false);
    }
    buf_release(&s.key);
    return n;
}
