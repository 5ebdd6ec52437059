// SPDX-License-Identifier: MIT
/*
 * context.c — reading context and sources, cutting them into sentences
 */
#include "context.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "utf8.h"

#define GAP " […] " /* what gr-fuse puts where it cut sentences out */

/* ---- facts as sentences ---- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* "HAS_AGE", "hasAge" and "Has Age" as words: "has age". Other capitals stay. */
static void relation_words(struct buf *out, struct sv relation)
{
    bool has_lower = false;
    for (size_t i = 0; i < relation.n; i++)
        has_lower |= is_lower(relation.p[i]);
    for (size_t i = 0; i < relation.n; i++) {
        char c = relation.p[i], before = i > 0 ? relation.p[i - 1] : ' ';
        bool is_hump = has_lower && is_upper(c) && is_lower(before);
        bool is_capital =
            has_lower && is_upper(c) && i + 1 < relation.n && is_lower(relation.p[i + 1]);
        if (is_hump)
            buf_char(out, ' ');
        buf_char(out, c == '_'                                    ? ' '
                      : is_upper(c) && (!has_lower || is_capital) ? (char)(c + 32)
                                                                  : c);
    }
}

/* Relations that lack their verb: "located in", "older than", "part of", "instance of". */
static const char *verb_for(struct sv words)
{
    static const char *const states[] = { "part of", "compatible in", "incompatible in",
                                          "similar to", "equal to" };
    struct sv first = SV_NONE, rest = words;
    sv_cut(&rest, ' ', &first);
    if (sv_ends(first, SV("ly"))) /* "positively correlated with" */
        sv_cut(&rest, ' ', &first);
    if ((first.n > 3 && sv_ends(first, SV("ed")) && rest.n) || sv_ends(words, SV(" than")))
        return "is ";
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        if (sv_is(words, states[i]))
            return "is ";
    if (sv_is(words, "instance of"))
        return "is an ";
    if (sv_is(words, "member of") || sv_is(words, "type of") || sv_is(words, "source of"))
        return "is a ";
    return "";
}

/* "an igneous rock", but "a uranium ore" and "a one-stage model". */
static bool has_vowel_first(struct sv s)
{
    static const char *const as_consonants[] = {
        "eu", "uni", "ura", "use", "usu", "ure", "one"
    };
    char first = s.n ? (char)(is_upper(s.p[0]) ? s.p[0] + 32 : s.p[0]) : '\0';
    for (size_t i = 0; i < ARRAY_LEN(as_consonants); i++) {
        size_t n = strlen(as_consonants[i]);
        if (s.n >= n && sv_ieq(sv_from_to(s, 0, n), sv_from(as_consonants[i])))
            return false;
    }
    return first && strchr("aeiou", first);
}

void fact_say(struct buf *out, struct sv head, struct sv relation, struct sv tail)
{
    struct buf words = BUF_INIT;
    if (sv_ieq(relation, SV("Is A")) || sv_ieq(relation, SV("Is An")))
        buf_str(&words, has_vowel_first(tail) ? "is an" : "is a");
    else
        relation_words(&words, relation);
    buf_sv(out, head);
    buf_char(out, ' ');
    buf_str(out, verb_for(buf_view(&words)));
    buf_sv(out, buf_view(&words));
    buf_char(out, ' ');
    buf_sv(out, tail);
    if (!sv_ends(tail, SV(".")))
        buf_char(out, '.');
    buf_release(&words);
}

/* "porosity of sandstone: 20 %" for "sandstone Has Value 20 % porosity", "δ13C of limestone
 * changes by 2‰" for a change; false: the tail does not end in what is measured. */
static bool value_say(struct buf *out, struct sv head, struct sv relation, struct sv tail,
                      struct sv of)
{
    bool is_change = sv_eq(relation, SV(FACT_CHANGES));
    if ((!is_change && !sv_ieq(relation, SV("Has Value"))) || !of.n || tail.n < of.n + 2 ||
        !sv_ends(tail, of) || tail.p[tail.n - of.n - 1] != ' ')
        return false;
    buf_sv(out, of);
    buf_str(out, " of ");
    buf_sv(out, head);
    buf_str(out, is_change ? " changes by " : ": ");
    struct sv value = sv_trim(sv_from_to(tail, 0, tail.n - of.n));
    buf_sv(out, value);
    if (!sv_ends(value, SV("."))) /* "wt% NaCl eq." */
        buf_char(out, '.');
    return true;
}

static struct sv node_name(jv hit, const char *field)
{
    jv v = json_get(hit, field);
    return sv_trim(json_sv(json_is_object(v) ? json_get(v, "name") : v));
}

/* What gr-fuse writes before a fact that is denied or unsupported, if it is there. */
static struct sv stance_of(struct sv text)
{
    static const char *const words[] = { FACT_BOTH, FACT_UNSUPPORTED, FACT_DENIED };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (sv_starts(text, sv_from(words[i])))
            return sv_from_to(text, 0, strlen(words[i]));
    return SV_NONE;
}

/* Head and relation are told apart by the hits the fact came from; without them the text is
 * the sentence. */
static void say_fact(struct entry *e, const struct rec *r)
{
    jv hits = json_get(r->v, "graph_hits");
    struct sv stance = stance_of(e->text), text = sv_from_to(e->text, stance.n, e->text.n);
    for (size_t i = 0; i < json_len(hits); i++) {
        jv hit = json_at(hits, i);
        struct sv head = node_name(hit, "head"),
                  relation = sv_trim(json_sv(json_get(hit, "relation"))),
                  of = node_name(hit, "of"), behind = sv_from_to(text, head.n, text.n);
        if (sv_starts(behind, SV(" " FACT_CHANGES " ")) &&
            json_is_true(json_get(json_get(hit, "value"), "change")))
            relation = SV(FACT_CHANGES);
        size_t at = head.n + 1, end = at + relation.n;
        if (!head.n || !relation.n || end + 1 >= text.n || !sv_starts(text, head) ||
            text.p[head.n] != ' ' || text.p[end] != ' ' ||
            !sv_eq(sv_from_to(text, at, end), relation))
            continue;
        buf_sv(&e->say, stance);
        struct sv tail = sv_from_to(text, end + 1, text.n);
        if (!value_say(&e->say, head, relation, tail, of))
            fact_say(&e->say, head, relation, tail);
        return;
    }
    buf_sv(&e->say, e->text);
    if (!sv_ends(e->text, SV(".")))
        buf_char(&e->say, '.');
}

/* ---- sources ---- */

static bool is_count(double v)
{
    return v >= 0 && v <= 1e9 && v <= floor(v);
}

static void read_parts(struct source *s, jv parts)
{
    size_t n = json_len(parts);
    s->parts = alloc_zero(n, sizeof *s->parts);
    for (size_t i = 0; i < n; i++) {
        jv p = json_at(parts, i);
        double start = json_num(json_get(p, "start")), end = json_num(json_get(p, "end"));
        struct sv chunk = json_sv(json_get(p, "chunk"));
        if (chunk.n && is_count(start) && is_count(end))
            s->parts[s->n_parts++] = (struct source_part){ chunk, (size_t)start, (size_t)end };
    }
}

static int read_sources(struct context *c, jv sources, struct err *err)
{
    size_t n = json_len(sources);
    c->sources = alloc_zero(n, sizeof *c->sources);
    for (size_t i = 0; i < n; i++) {
        jv v = json_at(sources, i);
        struct source *s = &c->sources[i];
        double number = json_num(json_get(v, "n"));
        c->n_sources = i + 1;
        if (!json_is_object(v) || !is_count(number) || number < 1)
            return err_set(err, EXIT_REJECTED,
                           "field \"" F_SOURCES "\": source %zu: field \"n\": expected a count",
                           i + 1);
        s->n = (size_t)number;
        s->paper = json_sv(json_get(v, "paper"));
        s->chunk = json_sv(json_get(v, "chunk"));
        s->doi = json_sv(json_get(v, "doi"));
        s->title = json_sv(json_get(v, "title"));
        s->section = json_sv(json_get(v, "section"));
        s->authors = json_sv(json_get(v, "authors"));
        s->year = json_num(json_get(v, "year"));
        read_parts(s, json_get(v, "chunks"));
    }
    return 0;
}

/* The source of an entry by what sources say of themselves. */
static size_t source_of(const struct context *c, jv sources, const struct entry *e, size_t i)
{
    bool has_keys = false;
    struct sv key = sv_from(e->key);
    for (size_t s = 0; s < c->n_sources; s++) {
        jv v = json_at(sources, s), graph = json_get(v, "graph");
        struct sv vector = json_sv(json_get(v, "vector"));
        has_keys |= vector.n > 0;
        if (e->kind == ENTRY_PASSAGE && vector.n && sv_eq(vector, key))
            return s;
        for (size_t g = 0; e->kind == ENTRY_FACT && g < json_len(graph); g++)
            if (sv_eq(json_sv(json_at(graph, g)), key))
                return s;
    }
    for (size_t s = 0; e->kind == ENTRY_PASSAGE && !has_keys && s < c->n_sources; s++)
        if (c->sources[s].n == i + 1)
            return s;
    return NO_SOURCE;
}

/* No `sources` in the record: one for each entry. */
static void make_sources(struct context *c)
{
    c->sources = alloc_zero(c->n_entries, sizeof *c->sources);
    c->n_sources = c->n_entries;
    for (size_t i = 0; i < c->n_entries; i++) {
        c->sources[i].n = i + 1;
        c->entries[i].source = i;
    }
}

/* ---- entries ---- */

static struct entry *add_entry(struct context *c, enum entry_kind kind, struct sv text)
{
    if (c->n_entries == c->entries_cap) {
        c->entries_cap = alloc_grow(c->entries_cap, c->n_entries + 1);
        c->entries = alloc_resize(c->entries, c->entries_cap, sizeof *c->entries);
    }
    struct entry *e = &c->entries[c->n_entries++];
    *e = (struct entry){ .kind = kind, .text = text, .source = NO_SOURCE };
    return e;
}

/* The texts under "0", "1", …, or of a plain array. */
static int read_entries(struct context *c, jv ctx, const char *field, enum entry_kind kind,
                        struct err *err)
{
    jv texts = json_get(ctx, field);
    if (json_is_null(texts))
        return 0;
    if (!json_is_object(texts) && !json_is_array(texts))
        return err_set(err, EXIT_REJECTED,
                       "field \"" F_CONTEXT "\": field \"%s\": expected object", field);
    for (size_t i = 0;; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        jv text = json_is_array(texts) ? json_at(texts, i) : json_get(texts, key);
        if (json_is_null(text))
            return 0;
        if (!json_is_str(text))
            return err_set(err, EXIT_REJECTED,
                           "field \"" F_CONTEXT
                           "\": field \"%s\": entry \"%s\": expected string",
                           field, key);
        struct entry *e = add_entry(c, kind, json_sv(text));
        memcpy(e->key, key, sizeof e->key);
    }
}

static void add_evidence(struct context *c, jv sources)
{
    for (size_t s = 0; s < json_len(sources); s++) {
        jv list = json_get(json_at(sources, s), "evidence");
        for (size_t i = 0; i < json_len(list); i++)
            if (json_is_str(json_at(list, i)))
                add_entry(c, ENTRY_EVIDENCE, json_sv(json_at(list, i)))->source = s;
    }
}

/* ---- pieces ---- */

struct piece_list {
    struct piece *items;
    size_t n, cap;
};

static void add_piece(struct piece_list *l, size_t entry, size_t from, size_t to)
{
    if (l->n == l->cap) {
        l->cap = alloc_grow(l->cap, l->n + 1);
        l->items = alloc_resize(l->items, l->cap, sizeof *l->items);
    }
    l->items[l->n++] = (struct piece){ entry, from, to };
}

/* Where the next line or gap ends at or after `from`; *next is where the text goes on. */
static size_t run_end_at(struct sv text, size_t from, size_t *next)
{
    size_t line = sv_find(text, SV("\n"), from), gap = sv_find(text, SV(GAP), from);
    if (gap < line) {
        *next = gap + sizeof GAP - 1;
        return gap;
    }
    *next = line == SIZE_MAX ? text.n : line + 1;
    return line == SIZE_MAX ? text.n : line;
}

static void cut_entry(struct piece_list *l, const struct context *c, size_t i,
                      const struct splitter *s)
{
    struct sv text = c->entries[i].text;
    if (c->entries[i].kind != ENTRY_PASSAGE) {
        add_piece(l, i, 0, text.n);
        return;
    }
    for (size_t from = 0, next = 0; from < text.n; from = next) {
        struct sv run = sv_from_to(text, from, run_end_at(text, from, &next));
        size_t pos = 0;
        for (struct sentence x; sentence_next(s, run, &pos, &x);)
            add_piece(l, i, from + x.start, from + x.end);
    }
}

int context_read(struct context *c, const struct rec *r, const struct splitter *s,
                 struct err *err)
{
    jv ctx, sources = jv_null();
    memset(c, 0, sizeof *c);
    if (json_need_object(r->v, F_CONTEXT, &ctx, err) < 0)
        return -1;
    int has_sources = json_opt_array(r->v, F_SOURCES, &sources, err);
    if (has_sources < 0 || read_entries(c, ctx, F_VECTOR_CONTEXT, ENTRY_PASSAGE, err) < 0)
        return -1;
    size_t n_passages = c->n_entries;
    if (read_entries(c, ctx, F_GRAPH_CONTEXT, ENTRY_FACT, err) < 0)
        return -1;
    if (has_sources) {
        if (read_sources(c, sources, err) < 0)
            return -1;
        for (size_t i = 0; i < c->n_entries; i++)
            c->entries[i].source = source_of(c, sources, &c->entries[i], i);
        add_evidence(c, sources);
    } else {
        make_sources(c);
    }
    struct piece_list l = { NULL, 0, 0 };
    for (size_t i = 0; i < c->n_entries; i++) {
        if (i >= n_passages && c->entries[i].kind == ENTRY_FACT)
            say_fact(&c->entries[i], r);
        cut_entry(&l, c, i, s);
    }
    c->pieces = l.items;
    c->n_pieces = l.n;
    return 0;
}

void context_release(struct context *c)
{
    for (size_t i = 0; i < c->n_sources; i++)
        free(c->sources[i].parts);
    for (size_t i = 0; i < c->n_entries; i++)
        buf_release(&c->entries[i].say);
    free(c->sources);
    free(c->entries);
    free(c->pieces);
    memset(c, 0, sizeof *c);
}

struct sv piece_text(const struct context *c, const struct piece *p)
{
    const struct entry *e = &c->entries[p->entry];
    return e->kind == ENTRY_FACT ? buf_view(&e->say) : sv_from_to(e->text, p->from, p->to);
}
