// SPDX-License-Identifier: MIT
/*
 * model_fact.c — a statement held against the text it is said to stand in
 */
#include <math.h>

#include "alloc.h"
#include "model.h"
#include "utf8.h"

#define CONFIDENCE 0.8     /* of a model that gives none */
#define CONFIDENCE_MAX 0.9 /* no more than a pattern's */
#define CONFIDENCE_UNSUPPORTED 0.3

/* Text as it is compared: lower case, without blanks, one dash, plain digits and quotes; and
 * where each byte came from. */
struct plain {
    struct buf text;
    size_t *at; /* (text.len + 1) */
    size_t cap;
};

struct grounds {
    const struct lore *lore;
    const struct splitter *splitter;
    const struct entities *names;
    struct sv text; /* the source's */
    struct plain plain;
    struct buf word;              /* a name as it is compared */
    struct buf normal[3];         /* head, tail and evidence of a statement */
    struct entities own;          /* names in a name */
    struct quantities quantities; /* of a tail */
};

static uint32_t plain_of(uint32_t cp)
{
    int digit = utf8_digit_value(cp);
    if (digit >= 0)
        return '0' + (uint32_t)digit;
    if (cp == 0x2018 || cp == 0x2019 || cp == 0x201a || cp == 0x2032)
        return '\'';
    if ((cp >= 0x201c && cp <= 0x201e) || cp == 0xab || cp == 0xbb || cp == 0x2033)
        return '"';
    if ((cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212 || cp == 0x207b || cp == 0x208b)
        return '-';
    if (cp == 0xb5)
        return 0x3bc; /* micro is mu */
    return utf8_lower(cp);
}

/* Signs that are not seen: soft hyphens, zero-width blanks and joiners. */
static bool is_unseen(uint32_t cp)
{
    return cp == 0xad || (cp >= 0x200b && cp <= 0x200d) || cp == 0x2060 || cp == 0xfeff;
}

/* Append s to out; at, when not NULL, gets the source of each byte. */
static void put_plain(struct sv s, struct buf *out, struct plain *map)
{
    for (size_t pos = 0; pos < s.n;) {
        size_t from = pos, len = out->len;
        uint32_t cp = utf8_next(s, &pos);
        bool is_torn = cp == '-' && pos < s.n && s.p[pos] == '\n';
        if (utf8_is_space(cp) || is_unseen(cp) || is_torn)
            continue;
        utf8_put(out, plain_of(cp));
        if (!map)
            continue;
        if (out->len + 1 > map->cap) {
            map->cap = alloc_grow(map->cap, out->len + 1);
            map->at = alloc_resize(map->at, map->cap, sizeof *map->at);
        }
        for (; len < out->len; len++)
            map->at[len] = from;
    }
}

struct grounds *grounds_new(const struct lore *lore, const struct splitter *splitter,
                            const struct sink *sink, const struct entities *names)
{
    struct grounds *g = alloc_zero(1, sizeof *g);
    g->lore = lore;
    g->splitter = splitter;
    g->names = names;
    g->text = sink->source.text;
    g->plain.cap = g->text.n + 1;
    g->plain.at = alloc_array(g->plain.cap, sizeof *g->plain.at);
    put_plain(g->text, &g->plain.text, &g->plain);
    return g;
}

void grounds_free(struct grounds *g)
{
    if (!g)
        return;
    buf_release(&g->plain.text);
    free(g->plain.at);
    buf_release(&g->word);
    for (size_t i = 0; i < ARRAY_LEN(g->normal); i++)
        buf_release(&g->normal[i]);
    entities_release(&g->own);
    quantities_release(&g->quantities);
    free(g);
}

/* ---- places ---- */

static bool is_inside_word(struct sv text, size_t at)
{
    if (at == 0 || at >= text.n)
        return false;
    size_t next = at;
    uint32_t before = utf8_before(text, at), after = utf8_next(text, &next);
    return (utf8_is_letter(before) && utf8_is_letter(after)) ||
           (utf8_is_digit(before) && utf8_is_digit(after));
}

/* Bytes [*start, *end) of the text that say the same as `what`, from *start on. */
static bool find_span(struct grounds *g, struct sv what, size_t *start, size_t *end)
{
    struct sv all = buf_view(&g->plain.text);
    buf_reset(&g->word);
    put_plain(what, &g->word, NULL);
    struct sv word = buf_view(&g->word);
    for (size_t at = 0; word.n && (at = sv_find(all, word, at)) != SIZE_MAX; at++) {
        size_t from = g->plain.at[at], to = g->plain.at[at + word.n - 1];
        utf8_next(g->text, &to);
        if (from < *start || is_inside_word(g->text, from) || is_inside_word(g->text, to))
            continue;
        *start = from;
        *end = to;
        return true;
    }
    return false;
}

/* Widen a span to whole sentences, as evidence of patterns is. */
static void to_sentences(const struct grounds *g, size_t *start, size_t *end)
{
    struct sentence s;
    size_t from = *start, to = *end;
    for (size_t pos = 0; sentence_next(g->splitter, g->text, &pos, &s) && s.start < *end;) {
        if (s.end <= *start)
            continue;
        from = s.start < from ? s.start : from;
        to = s.end > to ? s.end : to;
    }
    *start = from;
    *end = to;
}

/* What models put around a quotation: quotes, a stop or dots of their own, blanks between. */
static bool is_around(uint32_t cp)
{
    uint32_t plain = plain_of(cp);
    return plain == '"' || plain == '\'' || cp == '`' || cp == '.' || cp == 0x2026 ||
           utf8_is_space(cp);
}

/* Where the evidence stands. */
static bool find_evidence(struct grounds *g, struct sv evidence, size_t *start, size_t *end)
{
    *start = 0;
    for (size_t next = 0; next < evidence.n && is_around(utf8_next(evidence, &next));) {
        evidence = sv_from_to(evidence, next, evidence.n);
        next = 0;
    }
    if (find_span(g, evidence, start, end))
        return true;
    while (evidence.n && is_around(utf8_before(evidence, evidence.n)))
        evidence.n = utf8_floor(evidence, evidence.n - 1);
    return find_span(g, evidence, start, end);
}

/* ---- ends ---- */

/* Is the type one that the vocabulary has, or "sample"? */
static const char *known_type(const struct vocab *v, struct sv type)
{
    for (uint32_t i = 0; i < vocab_count(v); i++)
        if (sv_ieq(type, sv_from(vocab_type(v, i))))
            return vocab_type(v, i);
    return sv_ieq(type, SV("sample")) ? "sample" : "other";
}

/* The one name that is the whole of `name`. */
static const struct entity *whole_name(struct grounds *g, struct sv name)
{
    vocab_scan(g->lore->vocab, name, &g->own);
    bool is_whole =
        g->own.n == 1 && g->own.items[0].start == 0 && g->own.items[0].end == name.n;
    return is_whole ? &g->own.items[0] : NULL;
}

/* What the text calls `name`, as patterns read it there: a short form, a sample; or NULL. */
static const struct entity *name_here(const struct grounds *g, struct sv name)
{
    for (size_t i = 0; i < g->names->n; i++) {
        const struct entity *e = &g->names->items[i];
        if (!e->weak && sv_eq(sv_from_to(g->text, e->start, e->end), name))
            return e;
    }
    return NULL;
}

/* Canonical where the vocabulary or chemical notation knows it. notation: kept there, as the
 * next name overwrites what is in g. */
static struct node node_of(struct grounds *g, struct sv name, struct sv type,
                           char notation[CHEM_MAX])
{
    const struct vocab *v = g->lore->vocab;
    const struct entity *e = name_here(g, name);
    if (!e)
        e = whole_name(g, name);
    if (e && e->entry != VOCAB_NONE)
        return (struct node){ e->type, vocab_name(v, e->entry) };
    if (e && e->notation[0]) {
        memcpy(notation, e->notation, CHEM_MAX);
        return (struct node){ e->type, sv_from(notation) };
    }
    uint32_t entry = vocab_find(v, name, NULL);
    if (entry != VOCAB_NONE)
        return (struct node){ vocab_type(v, entry), vocab_name(v, entry) };
    return (struct node){ known_type(v, type), name };
}

/* Does the name stand in the text, as it is or in another spelling of the same thing? */
static bool stands_here(struct grounds *g, struct sv name, const struct node *node)
{
    size_t start = 0, end;
    if (find_span(g, name, &start, &end))
        return true;
    for (size_t i = 0; i < g->names->n; i++)
        if (sv_eq(entity_name(g->lore->vocab, &g->names->items[i]), node->name))
            return true;
    return false;
}

/* The quantity that is the whole of the tail, or NULL. */
static const struct quantity *quantity_of(struct grounds *g, struct sv tail)
{
    static const struct entities none = { NULL, 0, 0 };
    quantity_scan(g->lore->units, tail, &none, &g->quantities);
    if (g->quantities.n != 1)
        return NULL;
    const struct quantity *q = &g->quantities.items[0];
    bool is_all = sv_trim(sv_from_to(tail, 0, q->start)).n <= 1 &&
                  !sv_trim(sv_from_to(tail, q->end, tail.n)).n;
    return is_all && !q->is_vague ? q : NULL; /* "10 -7 mol/L" stays words */
}

/* "HAS_AGE", "hasAge" as words. */
static void put_words(struct buf *out, struct sv said)
{
    for (size_t i = 0; i < said.n; i++) {
        char c = said.p[i], before = i ? said.p[i - 1] : ' ';
        if (c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z')
            buf_char(out, ' ');
        buf_char(out, c == '_' ? ' ' : c);
    }
}

/* The canonical name of a relation, however it is written or by a cue phrase of it; NULL: none
 * that the tables of relations have. */
static const char *relation_of(struct grounds *g, struct sv said)
{
    const struct rules *rules = g->lore->rules;
    buf_reset(&g->word);
    put_words(&g->word, said);
    struct sv words = buf_view(&g->word);
    for (size_t i = 0; i < rules_files(rules); i++)
        for (uint32_t e = 0; e < vocab_count(rules_cues(rules, i)); e++)
            if (sv_ieq(words, sv_from(rules_of(rules, i, e)->relation)))
                return rules_of(rules, i, e)->relation;
    for (size_t i = 0; i < rules_files(rules); i++) {
        uint32_t e = vocab_find(rules_cues(rules, i), words, NULL);
        if (e != VOCAB_NONE)
            return rules_of(rules, i, e)->relation;
    }
    return NULL;
}

/* The text is in normal form C, so must be what is looked for in it. */
static struct sv normal(struct buf *b, struct sv s)
{
    buf_reset(b);
    utf8_nfc(b, s);
    return buf_view(b);
}

bool model_fact(struct grounds *g, const struct statement *said, bool drops_unsupported,
                struct sink *sink)
{
    struct statement of_text = *said, *s = &of_text;
    s->head = normal(&g->normal[0], said->head);
    s->tail = normal(&g->normal[1], said->tail);
    s->evidence = normal(&g->normal[2], said->evidence);
    char head_notation[CHEM_MAX], tail_notation[CHEM_MAX];
    const char *relation = relation_of(g, s->relation);
    struct fact f = { .relation = relation, .extractor = "llm", .is_negative = s->is_negated };
    if (!relation)
        return false;
    bool is_found = find_evidence(g, s->evidence, &f.start, &f.end);
    f.head = node_of(g, s->head, s->head_type, head_notation);
    bool has_head = stands_here(g, s->head, &f.head);
    bool has_tail;
    if ((f.value = quantity_of(g, s->tail)) != NULL) {
        size_t start = 0, end;
        f.tail = (struct node){ "value", SV_NONE };
        has_tail = find_span(g, s->tail, &start, &end);
    } else {
        f.tail = node_of(g, s->tail, s->tail_type, tail_notation);
        has_tail = stands_here(g, s->tail, &f.tail);
    }
    if (is_found)
        to_sentences(g, &f.start, &f.end);
    else
        f.start = f.end = 0;
    f.is_unsupported = !is_found || !has_head || !has_tail;
    f.confidence = isnan(s->confidence) ? CONFIDENCE : fmin(s->confidence, CONFIDENCE_MAX);
    if (f.is_unsupported)
        f.confidence = fmin(f.confidence, CONFIDENCE_UNSUPPORTED);
    if (f.is_unsupported && !is_found)
        f.claim = s->evidence;
    if (!f.is_unsupported || !drops_unsupported)
        sink_add(sink, &f);
    return true;
}
