// SPDX-License-Identifier: MIT
/*
 * expand.c — queries and keywords
 */
#include "expand.h"

#include "alloc.h"
#include "text.h"

#define MAX_UNITS 64
#define MAX_SPAN 4 /* words of the longest lexicon term looked up */

/* A content word or a name of the question. */
struct unit {
    size_t start, end;         /* bytes of the question */
    const struct entity *name; /* NULL: a plain word */
};

struct expander {
    struct expander_cfg cfg;
    struct terms *terms;
    struct entities names;
    struct unit units[MAX_UNITS];
    size_t n_units;
    struct sv question;
};

/* ---- lists ---- */

void word_list_add(struct word_list *l, struct sv text, size_t max)
{
    text = sv_trim(text);
    if (!text.n || l->n >= max)
        return;
    struct buf key = BUF_INIT;
    bool is_new;
    if (!l->keys)
        l->keys = map_new();
    text_key(text, TEXT_KEY_PLAIN, &key);
    map_put(l->keys, buf_view(&key), &is_new);
    buf_release(&key);
    if (!is_new)
        return;
    if (l->n == l->cap) {
        l->cap = alloc_grow(l->cap, l->n + 1);
        l->items = alloc_resize(l->items, l->cap, sizeof *l->items);
    }
    l->items[l->n++] = (struct sv){ alloc_text(text.p, text.n), text.n };
}

static void list_release(struct word_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free((void *)(uintptr_t)l->items[i].p);
    free(l->items);
    map_free(l->keys);
    *l = (struct word_list){ 0 };
}

void expansion_release(struct expansion *x)
{
    list_release(&x->queries);
    list_release(&x->keywords);
}

/* ---- units ---- */

struct expander *expander_new(const struct expander_cfg *cfg)
{
    struct expander *e = alloc_zero(1, sizeof *e);
    e->cfg = *cfg;
    e->terms = terms_new(cfg->analyzer);
    return e;
}

void expander_free(struct expander *e)
{
    if (!e)
        return;
    terms_free(e->terms);
    entities_release(&e->names);
    free(e);
}

/* Words that ask and do not say what about. */
static bool is_asking(struct sv word)
{
    static const char *const words[] = {
        "according", "any",     "applied",   "apply",   "assess",     "based",   "compare",
        "compared",  "define",  "describe",  "differ",  "difference", "discuss", "does",
        "evaluate",  "explain", "following", "give",    "given",      "happen",  "identify",
        "imply",     "kind",    "list",      "many",    "mean",       "much",    "name",
        "predict",   "propose", "show",      "suggest", "tell",       "type",    "typical",
        "use",       "used",    "using",     "value",   "values",     "way",     "well",
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (vocab_word_is(word, words[i]))
            return true;
    return false;
}

static const struct entity *name_at(const struct expander *e, size_t pos)
{
    for (size_t i = 0; i < e->names.n; i++) {
        const struct entity *n = &e->names.items[i];
        if (!n->weak && n->start <= pos && pos < n->end)
            return n;
    }
    return NULL;
}

static void add_unit(struct expander *e, size_t start, size_t end, const struct entity *name)
{
    bool is_same = e->n_units && name && e->units[e->n_units - 1].name == name;
    if (!is_same && e->n_units < MAX_UNITS)
        e->units[e->n_units++] = (struct unit){ start, end, name };
}

static void find_units(struct expander *e, struct sv question)
{
    struct term t;
    e->question = question;
    e->n_units = 0;
    vocab_scan(e->cfg.vocab, question, &e->names);
    terms_start(e->terms, question);
    while (terms_next(e->terms, &t)) {
        const struct entity *name = name_at(e, t.start);
        if (name)
            add_unit(e, name->start, name->end, name);
        else if (!is_asking(sv_from_to(question, t.start, t.end)))
            add_unit(e, t.start, t.end, NULL);
    }
}

static struct sv unit_text(const struct expander *e, const struct unit *u)
{
    return sv_from_to(e->question, u->start, u->end);
}

/* ---- other names, related terms ---- */

static bool is_same_name(struct sv a, struct sv b)
{
    struct buf x = BUF_INIT, y = BUF_INIT;
    text_key(a, TEXT_KEY_SINGULAR, &x);
    text_key(b, TEXT_KEY_SINGULAR, &y);
    bool is_same = sv_eq(buf_view(&x), buf_view(&y));
    buf_release(&x);
    buf_release(&y);
    return is_same;
}

/* Another name of the thing: the canonical one, or when the question says that, its first
 * synonym that is more than a plural. */
static struct sv other_name(const struct expander *e, const struct unit *u)
{
    const struct vocab *v = e->cfg.vocab;
    if (!u->name || u->name->entry == VOCAB_NONE)
        return SV_NONE;
    struct sv said = unit_text(e, u), name = vocab_name(v, u->name->entry), one;
    if (!is_same_name(said, name))
        return name;
    struct sv rest = vocab_synonyms(v, u->name->entry);
    while (rest.n && sv_cut(&rest, '|', &one))
        if (!is_same_name(said, one))
            return one;
    return SV_NONE;
}

/* Related terms of every run of up to MAX_SPAN units that the lexicon knows. */
static void add_related(struct expander *e, struct word_list *to, size_t max)
{
    for (size_t i = 0; i < e->n_units; i++)
        for (size_t len = MAX_SPAN; len >= 1; len--) {
            if (i + len > e->n_units)
                continue;
            struct sv span =
                sv_from_to(e->question, e->units[i].start, e->units[i + len - 1].end);
            struct sv rest = lexicon_find(e->cfg.lexicon, span), one;
            if (!rest.n)
                continue;
            while (sv_cut(&rest, '|', &one))
                word_list_add(to, one, max);
            break;
        }
}

/* ---- queries ---- */

static void join(struct buf *b, struct sv text)
{
    if (b->len)
        buf_char(b, ' ');
    buf_sv(b, text);
}

static void add_content(struct expander *e, struct expansion *x, size_t max)
{
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < e->n_units; i++)
        join(&b, unit_text(e, &e->units[i]));
    word_list_add(&x->queries, buf_view(&b), max);
    buf_release(&b);
}

static bool is_rival(const struct unit *a, const struct unit *b)
{
    return a != b && a->name && b->name && strcmp(a->name->type, b->name->type) == 0 &&
           !(a->name->entry == b->name->entry && a->name->entry != VOCAB_NONE);
}

static void add_sub_queries(struct expander *e, struct expansion *x, size_t max)
{
    for (size_t i = 0; i < e->n_units; i++) {
        struct buf b = BUF_INIT;
        size_t n_left_out = 0;
        for (size_t j = 0; j < e->n_units; j++) {
            if (is_rival(&e->units[i], &e->units[j]))
                n_left_out++;
            else
                join(&b, unit_text(e, &e->units[j]));
        }
        if (n_left_out)
            word_list_add(&x->queries, buf_view(&b), max);
        buf_release(&b);
    }
}

static void add_alternatives(struct expander *e, struct expansion *x, size_t max)
{
    struct buf b = BUF_INIT;
    bool is_changed = false;
    for (size_t i = 0; i < e->n_units; i++) {
        struct sv other = other_name(e, &e->units[i]);
        is_changed = is_changed || other.n;
        join(&b, other.n ? other : unit_text(e, &e->units[i]));
    }
    if (is_changed)
        word_list_add(&x->queries, buf_view(&b), max);
    buf_release(&b);
}

static void add_related_query(struct expander *e, struct expansion *x, size_t max)
{
    struct word_list related = { 0 };
    struct buf b = BUF_INIT;
    add_related(e, &related, 6);
    for (size_t i = 0; i < e->n_units; i++)
        join(&b, unit_text(e, &e->units[i]));
    for (size_t i = 0; i < related.n; i++)
        join(&b, related.items[i]);
    if (related.n)
        word_list_add(&x->queries, buf_view(&b), max);
    list_release(&related);
    buf_release(&b);
}

void expander_run(struct expander *e, struct sv question, size_t max_queries,
                  size_t max_keywords, bool wants_related, const struct expansion *suggested,
                  struct expansion *x)
{
    *x = (struct expansion){ 0 };
    find_units(e, question);
    word_list_add(&x->queries, question, max_queries);
    for (size_t i = 0; i < e->n_units; i++) {
        x->n_names += e->units[i].name != NULL;
        word_list_add(&x->keywords, unit_text(e, &e->units[i]), max_keywords);
    }
    for (size_t i = 0; suggested && i < suggested->queries.n; i++)
        word_list_add(&x->queries, suggested->queries.items[i], max_queries);
    for (size_t i = 0; suggested && i < suggested->keywords.n; i++)
        word_list_add(&x->keywords, suggested->keywords.items[i], max_keywords);
    if (max_queries > 1) {
        add_sub_queries(e, x, max_queries);
        add_alternatives(e, x, max_queries);
        if (wants_related)
            add_related_query(e, x, max_queries);
        add_content(e, x, max_queries);
    }
    for (size_t i = 0; wants_related && i < e->n_units; i++)
        word_list_add(&x->keywords, other_name(e, &e->units[i]), max_keywords);
    if (wants_related)
        add_related(e, &x->keywords, max_keywords);
}
