// SPDX-License-Identifier: MIT
/*
 * relate.c — cue phrases between two names
 */
#include "cue.h"
#include "phrase.h"

#include <math.h>

/* ---- shared ---- */

bool relate_allows(struct sv types, const char *type)
{
    size_t n = strlen(type);
    bool is_ratio = n == 13 && memcmp(type, "element_ratio", 13) == 0;
    const char *end = types.p + types.n;
    for (const char *one = types.p; one < end;) {
        const char *comma = memchr(one, ',', (size_t)(end - one));
        size_t length = (size_t)((comma ? comma : end) - one);
        if ((length == n && memcmp(one, type, n) == 0) ||
            (length == 3 && memcmp(one, "any", 3) == 0) ||
            (is_ratio && length == 5 && memcmp(one, "oxide", 5) == 0))
            return true;
        one += length + 1;
    }
    return false;
}

bool relate_is_phase(const struct vocab *v, uint32_t entry)
{
    struct sv kind;
    return vocab_attr(v, entry, "kind", &kind) && sv_is(kind, "group");
}

struct node relate_node(const struct pass *p, size_t i)
{
    const struct entity *e = clause_name(p->clause, i);
    if (!e) /* conditions end at a word */
        return state_node(p, i);
    struct node n = { .type = e->type, .name = entity_name(p->lore->vocab, e) };
    if (p->anaphor.n && p->clause->items[i].start == p->anaphor_start)
        n.said = p->anaphor;
    if (p->latter.n && p->clause->items[i].start == p->latter_start)
        n.said = p->latter;
    return n;
}

bool relate_add_of(struct pass *p, size_t head, const char *relation, size_t tail,
                   double confidence, const struct saying *saying)
{
    const struct clause *c = p->clause;
    size_t start = saying->start == SIZE_MAX ? head : saying->start;
    confidence = relate_weigh(p, start, tail, confidence);
    if (relate_is_taken_back(c, head) || relate_is_taken_back(c, tail))
        confidence = -fabs(confidence);
    if (saying->is_denial)
        confidence = -confidence;
    if (saying->is_assertion)
        confidence = fabs(confidence);
    struct fact f = relate_value(p, fabs(confidence));
    f.head = relate_node(p, head);
    f.tail = relate_node(p, tail);
    f.relation = relation;
    f.is_negative = confidence < 0;
    sink_add(p->sink, &f);
    return f.is_negative;
}

void relate_add(struct pass *p, size_t head, const char *relation, size_t tail,
                double confidence)
{
    relate_add_of(p, head, relation, tail, confidence, &(struct saying){ .start = SIZE_MAX });
}

/* "postdates pyrite and predates bornite": is the word behind "and", at item k, a verb in -s?
 */
static bool is_next_verb(const struct clause *c, size_t k)
{
    WORDS(nouns, "minerals", "phases", "elements", "rocks", "species");
    struct sv word = clause_text(c, k);
    bool is_behind = k > 0 && clause_class(c, k - 1) & W_AND;
    bool is_before = clause_name(c, k + 1) || clause_class(c, k + 1) & W_DET;
    return is_behind && is_before && c->items[k].kind == ITEM_WORD && !clause_class(c, k) &&
           word.n > 3 && sv_ends(word, SV("s")) && !sv_ends(word, SV("us")) &&
           !sv_ends(word, SV("ss")) && !clause_word_in(c, k, &nouns);
}

/* From list member i one step over comma, "and", article or adjective to the next member, or
 * SIZE_MAX. *has_and: more than a comma joins the two. */
static size_t next_member(const struct pass *p, size_t i, int step, struct sv types,
                          bool *has_and)
{
    const struct clause *c = p->clause;
    bool has_joint = *has_and = false;
    unsigned plain = 0;
    for (size_t k = i + (size_t)step; k < c->n; k += (size_t)step) {
        const struct entity *e = clause_name(c, k);
        if (e)
            return has_joint && relate_has_type(p, e, types) ? k : SIZE_MAX;
        bool is_end = step > 0 ? clause_is_mark(c, k, '(') : clause_is_mark(c, k, ')');
        if (is_end) {
            k = clause_bracket(c, k);
            if (k == SIZE_MAX)
                return SIZE_MAX;
            continue;
        }
        bool is_as_well_as = clause_is_word(c, k, "well") && clause_is_word(c, k + 1, "as") &&
                             k > 0 && clause_is_word(c, k - 1, "as");
        bool is_and = is_as_well_as || (clause_class(c, k) & W_AND) ||
                      clause_is_mark(c, k, '/') || clause_is_mark(c, k, '+') ||
                      clause_is_word(c, k, "plus");
        if (is_and || clause_is_mark(c, k, ',')) {
            has_joint = true;
            *has_and |= is_and;
            continue;
        }
        if (clause_class(c, k) & W_DET || clause_quantity(c, k))
            continue;
        if (is_next_verb(c, k) || phrase_is_verb(p, k))
            return SIZE_MAX;
        if (c->items[k].kind != ITEM_WORD || (clause_class(c, k) & ~(unsigned)W_LINK) ||
            ++plain > 2 || clause_class(c, k) & W_AUX)
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* "pyrite, bornite and gold": an element written as a word among minerals. */
static bool is_native(const struct entity *element, const struct entity *mineral)
{
    return strcmp(element->type, "element") == 0 && element->chem == CHEM_NONE &&
           strcmp(mineral->type, "mineral") == 0;
}

/* May the two be of one list? Minerals, or elements, their groups and oxides; layers of
 * magnetite and chert. */
static bool is_alike(const struct entity *a, const struct entity *b, int step)
{
    bool is_matter = (a->chem || strncmp(a->type, "element", 7) == 0) &&
                     (b->chem || strncmp(b->type, "element", 7) == 0);
    bool is_body =
        step > 0 && ((strcmp(a->type, "mineral") == 0 && strcmp(b->type, "rock") == 0) ||
                     (strcmp(a->type, "rock") == 0 && strcmp(b->type, "mineral") == 0));
    return strcmp(a->type, b->type) == 0 || is_native(a, b) || is_native(b, a) || is_matter ||
           is_body;
}

/* "… by hematite, and the plagioclase is altered": is the comma before "and", between the
 * names at items a and b, the end of a statement? Then a verb follows the one on its right, or
 * a preposition or verb stands before the one on its left. */
static bool ends_clause(const struct clause *c, size_t a, size_t b, int step)
{
    size_t left = step > 0 ? a : b, right = step > 0 ? b : a;
    bool has_comma = false, has_and = false;
    for (size_t i = left + 1; i < right; i++) {
        has_and |= has_comma && clause_class(c, i) & W_AND;
        has_comma |= clause_is_mark(c, i, ',');
    }
    if (!has_comma || !has_and)
        return false;
    unsigned next = clause_class(c, right + 1);
    bool is_trend = clause_is_word(c, right + 1, "increases") ||
                    clause_is_word(c, right + 1, "decreases") ||
                    clause_is_word(c, right + 1, "increase") ||
                    clause_is_word(c, right + 1, "decrease");
    bool is_finite =
        sv_ends(clause_text(c, right + 1), SV("ed")) && /* "and siderite replaced" */
        (clause_name(c, right + 2) || clause_class(c, right + 2) & W_DET);
    if (step > 0)
        return is_trend || is_finite || next & W_AUX || (next & W_HAVE && !(next & W_PREP));
    left = clause_phrase_start(c, left);
    unsigned before = clause_class(c, left - (left > 0));
    return left > 0 && before & (W_PREP | W_HAVE);
}

size_t relate_list(const struct pass *p, size_t i, int step, struct sv types, size_t *members,
                   size_t max)
{
    size_t n = 0;
    bool has_and = false, is_closed = false;
    const struct entity *first = clause_name(p->clause, i);
    members[n++] = i;
    while (n < max) {
        size_t next = next_member(p, members[n - 1], step, types, &has_and);
        /* "A, B contain": a comma alone before the last member makes no list */
        if (next == SIZE_MAX || (step < 0 && n == 1 && !has_and)) {
            is_closed |= has_and; /* "quartz, feldspar and rock fragments" */
            break;
        }
        if (ends_clause(p->clause, members[n - 1], next, step))
            break;
        /* a list is of one kind: minerals, or elements and oxides */
        const struct entity *e = clause_name(p->clause, next);
        if (!is_alike(first, e, step))
            break;
        members[n++] = next;
        is_closed = has_and;
        if (step > 0 && has_and)
            break;
    }
    return step > 0 && !is_closed ? 1 : n;
}

bool relate_is_carrier(const struct pass *p, size_t i)
{
    struct words *carriers = rules_carriers(p->lore->rules);
    return clause_word_in(p->clause, i, carriers) ||
           (clause_name(p->clause, i) && words_have(carriers, clause_text(p->clause, i)));
}

/* "Pore waters of sediments contain": the name at i hangs on a noun nobody knows. */
bool relate_hangs(const struct pass *p, size_t i)
{
    const struct clause *c = p->clause;
    while (i > 0 && (clause_class(c, i - 1) & W_DET || clause_name(c, i - 1) ||
                     (c->items[i - 1].kind == ITEM_WORD && !clause_class(c, i - 1) && i > 1 &&
                      clause_is_word(c, i - 2, "of"))))
        i--;
    if (i < 2 || !(clause_class(c, i - 1) & W_PREP) || clause_is_word(c, i - 1, "by"))
        return false;
    bool is_verb = i > 2 && clause_class(c, i - 3) & W_AUX && /* "are enriched in sphalerite" */
                   sv_ends(clause_text(c, i - 2), SV("ed"));
    return c->items[i - 2].kind == ITEM_WORD && !clause_class(c, i - 2) && !is_verb &&
           !relate_is_carrier(p, i - 2);
}

/* Names of a sentence: more are an index or a word list, and pairs of them say nothing. */
#define COOCCURRENCE_MAX 50

void relate_cooccurrence(struct pass *p)
{
    const struct clause *c = p->clause;
    const char *extractor = p->extractor;
    if (c->n_names > COOCCURRENCE_MAX)
        return;
    p->extractor = "cooccurrence";
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = i + 1; k < c->n; k++)
            if (clause_name(c, i) && clause_name(c, k))
                relate_add(p, i, "Associated With", k, 0.2);
    p->extractor = extractor;
}
