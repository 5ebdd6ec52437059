// SPDX-License-Identifier: MIT
/*
 * relate.c — cue phrases between two names
 */
#include "relate.h"

#include <math.h>

#define LIST_MAX 12
#define W_CONTENT_LINK (unsigned)(W_CONTENT | W_LINK)

/* ---- shared
 * ---------------------------------------------------------------------------------- */

bool relate_allows(struct sv types, const char *type)
{
    struct sv one;
    while (types.n && sv_cut(&types, ',', &one))
        if (sv_is(one, type) || sv_is(one, "any") ||
            (sv_is(one, "oxide") && strcmp(type, "element_ratio") == 0))
            return true;
    return false;
}

bool relate_is_phase(const struct vocab *v, uint32_t entry)
{
    struct sv kind;
    return vocab_attr(v, entry, "kind", &kind) && sv_is(kind, "group");
}

bool relate_is(const struct pass *p, size_t i, const char *types)
{
    const struct entity *e = clause_name(p->clause, i);
    if (!e || relate_allows(sv_from(types), e->type))
        return e != NULL;
    return strcmp(e->type, "oxide") == 0 && e->entry != VOCAB_NONE &&
           relate_is_phase(p->lore->vocab, e->entry) &&
           relate_allows(sv_from(types), "mineral");
}

struct node relate_node(const struct pass *p, size_t i)
{
    const struct entity *e = clause_name(p->clause, i);
    return (struct node){ e->type, entity_name(p->lore->vocab, e) };
}

double relate_weigh(const struct pass *p, size_t from, size_t to, double confidence)
{
    const struct clause *c = p->clause;
    if (from > to) {
        size_t swap = from;
        from = to;
        to = swap;
    }
    if (clause_has(c, from, to + 1, W_NOT))
        return 0;
    for (size_t i = from; i <= to && i < c->n; i++)
        if (clause_is_word(c, i, "below") && clause_is_word(c, i + 1, "detection"))
            return 0;
    /* "no", "not" just before the first end: "no zircon was dated", "neither" */
    for (size_t k = 1; k <= 2 && k <= from; k++)
        if (clause_class(c, from - k) & W_NOT)
            return 0;
    return c->has_hedge ? confidence * 0.7 : confidence;
}

void relate_add(struct pass *p, size_t head, const char *relation, size_t tail,
                double confidence)
{
    const struct clause *c = p->clause;
    confidence = relate_weigh(p, head, tail, confidence);
    if (confidence <= 0)
        return;
    /* "garnet-free", "K-poor" right behind either end takes the fact back */
    for (int k = 0; k < 2; k++) {
        size_t i = k ? tail : head;
        if (clause_is_mark(c, i + 1, '-') &&
            (clause_is_word(c, i + 2, "free") || clause_is_word(c, i + 2, "poor") ||
             clause_is_word(c, i + 2, "absent")))
            return;
    }
    struct fact f = {
        .head = relate_node(p, head),
        .tail = relate_node(p, tail),
        .relation = relation,
        .confidence = confidence,
        .extractor = p->extractor,
        .start = c->start,
        .end = c->end,
        .experiment = p->experiment,
    };
    sink_add(p->sink, &f);
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
            return has_joint && relate_allows(types, e->type) ? k : SIZE_MAX;
        bool is_end = step > 0 ? clause_is_mark(c, k, '(') : clause_is_mark(c, k, ')');
        if (is_end) {
            k = clause_bracket(c, k);
            if (k == SIZE_MAX)
                return SIZE_MAX;
            continue;
        }
        bool is_and = (clause_class(c, k) & W_AND) || clause_is_mark(c, k, '/') ||
                      clause_is_mark(c, k, '+');
        if (is_and || clause_is_mark(c, k, ',')) {
            has_joint = true;
            *has_and |= is_and;
            continue;
        }
        if (clause_class(c, k) & W_DET || clause_quantity(c, k))
            continue;
        if (c->items[k].kind != ITEM_WORD || (clause_class(c, k) & ~(unsigned)W_LINK) ||
            ++plain > 2 || clause_class(c, k) & W_AUX)
            return SIZE_MAX;
    }
    return SIZE_MAX;
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
        if (next == SIZE_MAX || (step < 0 && n == 1 && !has_and))
            break;
        /* a list is of one kind: minerals, or elements and oxides */
        const struct entity *e = clause_name(p->clause, next);
        bool is_alike = strcmp(e->type, first->type) == 0 ||
                        ((e->chem || strcmp(e->type, "element") == 0) &&
                         (first->chem || strcmp(first->type, "element") == 0));
        if (!is_alike)
            break;
        members[n++] = next;
        is_closed = has_and;
        if (step > 0 && has_and)
            break;
    }
    return step > 0 && !is_closed ? 1 : n;
}

/* ---- cues
 * ------------------------------------------------------------------------------------ */

/* One cue phrase as items, and one relation it stands for. */
struct cue {
    size_t from, to; /* items [from, to) */
    struct sv text;
    struct sv head, tail; /* allowed types */
    bool is_loose;
};

/* Phrases that often stand for nothing: they need their ends close by. */
static bool is_loose(struct sv cue)
{
    static const char *const loose[] = {
        "in the",       "near",     "within",     "during the", "due to",      "record",
        "records",      "cut by",   "used to",    "using a",    "host",        "related to",
        "such as",      "is a",     "are a",      "called",     "from the",    "reduction of",
        "oxidation of", "controls", "cause",      "causes",     "carries",     "includes",
        "follows",      "cuts",     "proxy",      "used as",    "result of",   "source of",
        "elevated",     "formula",  "provenance", "versus",     "relative to", "reflects",
        "reflect",      "suggests", "suggest",    "indicate",   "indicates",   "within the",
    };
    for (size_t i = 0; i < ARRAY_LEN(loose); i++)
        if (vocab_word_is(cue, loose[i]))
            return true;
    return false;
}

/* Relations that everyday words stand for: only their own kinds of names, close by. */
static bool is_vague(struct sv relation)
{
    return sv_is(relation, "Indicates") || sv_is(relation, "Causes") ||
           sv_is(relation, "Used For") || sv_is(relation, "Instance Of") ||
           sv_is(relation, "Part Of");
}

/* Nouns whose "of" names what is acted on, not what acts. */
static bool is_unusable(struct sv cue)
{
    static const char *const nouns[] = {
        "reduction of", "oxidation of", "decay of",  "substitution of", "precipitation of",
        "source of",    "reduced to",   "parent of", "decay to",
    };
    for (size_t i = 0; i < ARRAY_LEN(nouns); i++)
        if (vocab_word_is(cue, nouns[i]))
            return true;
    return false;
}

/* A name that only describes another ("basalt-hosted fluids") or is half of a quotient
 * ("kaolinite/illite") is no end of a fact. */
static bool is_eligible(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    const struct entity *e = clause_name(c, i);
    if (!e || !relate_allows(types, e->type))
        return false;
    bool is_mineral = strcmp(e->type, "mineral") == 0 || strcmp(e->type, "rock") == 0;
    if (is_mineral &&
        (clause_is_mark(c, i + 1, '/') || (i > 0 && clause_is_mark(c, i - 1, '/'))))
        return false;
    return !(clause_is_mark(c, i + 1, '-') && i + 2 < c->n &&
             c->items[i + 2].kind != ITEM_MARK && c->items[i + 1].start == e->end &&
             c->items[i + 2].start == c->items[i + 1].end);
}

/* Nouns that carry the name behind their "of". */
bool relate_is_carrier(const struct clause *c, size_t i)
{
    static const char *const carriers[] = {
        "crystals",   "grains",      "phenocrysts", "inclusions", "samples",   "veins",
        "xenoliths",  "crystal",     "grain",       "lavas",      "inclusion", "xenocrysts",
        "megacrysts", "cores",       "rims",        "sample",     "nodules",   "minerals",
        "fragments",  "populations", "layers",      "bodies",     "aliquots",  "fractions",
        "most",       "majority",    "types",       "separates",  "powders",   "specimens",
    };
    for (size_t k = 0; k < ARRAY_LEN(carriers); k++)
        if (clause_is_word(c, i, carriers[k]))
            return true;
    return false;
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
    return c->items[i - 2].kind == ITEM_WORD && !clause_class(c, i - 2) &&
           !relate_is_carrier(c, i - 2);
}

/* The name that ends the phrase left of the cue. Prepositional phrases are skipped to the noun
 * they hang on: "uranium in zircon was measured by" is about uranium. */
static size_t find_left(const struct pass *p, const struct cue *q, struct sv types)
{
    const struct clause *c = p->clause;
    unsigned budget = q->is_loose ? 2 : 8;
    size_t best = SIZE_MAX;
    for (size_t i = q->from; i-- > 0;) {
        const struct entity *e = clause_name(c, i);
        if (e) {
            if (is_eligible(p, i, types))
                best = i;
            /* what does this name hang on? */
            size_t k = i;
            while (k > 0 && (clause_class(c, k - 1) & W_DET || clause_name(c, k - 1)))
                k--;
            if (k > 0 && clause_class(c, k - 1) & W_PREP && !clause_is_word(c, k - 1, "by") &&
                budget > 1) {
                i = k - 1;
                budget -= 2;
                continue;
            }
            if (best != SIZE_MAX || budget < 2)
                return best;
            budget -= 2;
            continue;
        }
        if (clause_is_mark(c, i, ')')) {
            size_t open = clause_bracket(c, i);
            if (open == SIZE_MAX)
                return best;
            i = open;
            continue;
        }
        unsigned class = clause_class(c, i);
        if (best != SIZE_MAX && !(class & (W_DET | W_PREP)) && c->items[i].kind != ITEM_WORD)
            return best;
        if (class & (W_NOT | W_BREAK) || clause_is_mark(c, i, ';') || clause_is_mark(c, i, ':'))
            return best;
        if (class & (W_DET | W_AUX | W_WHICH) || clause_is_mark(c, i, '-'))
            continue;
        size_t opening = clause_apposition(c, i);
        if (opening != i) {
            i = opening;
            continue;
        }
        /* "were separated, mounted, and analysed by" */
        bool is_last_verb = (clause_class(c, i + 1) & W_AND && i + 2 == q->from) ||
                            sv_ends(clause_text(c, i + 1), SV("ed"));
        if (clause_is_mark(c, i, ',') && !(clause_class(c, i + 1) & W_WHICH) && !is_last_verb)
            return best;
        unsigned price = c->items[i].kind == ITEM_QUANTITY ? 3 : 1;
        if (budget < price)
            return best;
        budget -= price;
    }
    return best;
}

size_t relate_subject(const struct pass *p, size_t i, struct sv types)
{
    struct cue verb = { .from = i, .to = i + 1 };
    return find_left(p, &verb, types);
}

/* Last name of a compound that starts at item i: "garnet peridotite" is a peridotite. */
static size_t compound_head(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    size_t best =
        relate_is(p, i, "any") && relate_allows(types, clause_name(c, i)->type) ? i : SIZE_MAX;
    for (size_t k = i + 1; clause_name(c, k); k++)
        if (relate_allows(types, clause_name(c, k)->type))
            best = k;
    return best;
}

static size_t find_right(const struct pass *p, const struct cue *q, struct sv types)
{
    const struct clause *c = p->clause;
    unsigned budget = q->is_loose ? 1 : 4;
    for (size_t i = q->to; i < c->n; i++) {
        unsigned class = clause_class(c, i);
        if (clause_name(c, i)) {
            bool is_modifier = clause_is_mark(c, i + 1, '-') && clause_name(c, i + 2) == NULL &&
                               c->items[i + 1].start == c->items[i].end;
            if (is_modifier) { /* "olivine-bearing basalt" */
                i += 2;
                continue;
            }
            return compound_head(p, i, types);
        }
        if (class & (W_NOT | W_BREAK | W_WHICH | W_AND))
            return SIZE_MAX;
        if (clause_is_mark(c, i, '(')) {
            size_t close = clause_bracket(c, i);
            if (close == SIZE_MAX)
                return SIZE_MAX;
            i = close;
            continue;
        }
        if (class & W_DET || clause_quantity(c, i) || clause_is_mark(c, i, '-'))
            continue;
        if (clause_is_word(c, i, "of") && i > q->to &&
            !(clause_class(c, i - 1) & ~W_CONTENT_LINK))
            continue; /* "contains traces of gold" */
        if (c->items[i].kind == ITEM_MARK || class & (W_PREP | W_AUX) || budget == 0)
            return SIZE_MAX;
        budget--;
    }
    return SIZE_MAX;
}

/* Relations whose tail is a number are for measure.c. */
static bool is_of_values(struct sv relation)
{
    static const char *const names[] = {
        "Has Value",           "Has Concentration", "Has Isotope Composition",
        "Has Formula",         "Has Half-Life",     "Has Depth",
        "Has Pressure",        "Has Temperature",   "Has Fractionation Factor",
        "Has Oxidation State", "Has Isotope",
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (sv_is(relation, names[i]))
            return true;
    return false;
}

static bool is_inverse(const struct vocab *cues, uint32_t entry, struct sv text)
{
    struct sv list = SV_NONE, one;
    if (!vocab_attr(cues, entry, "inverse", &list))
        return false;
    while (list.n && sv_cut(&list, ',', &one))
        if (sv_ieq(one, text))
            return true;
    return false;
}

/* What the types alone do not tell. */
static bool ends_agree(const struct pass *p, const struct cue *q, size_t left, size_t right,
                       const char *relation)
{
    const char *head = clause_name(p->clause, left)->type;
    const char *tail = clause_name(p->clause, right)->type;
    bool same = strcmp(head, tail) == 0;
    if (strcmp(relation, "Instance Of") == 0)
        return left + 1 == q->from && right <= q->to + 2 &&
               (same || strcmp(tail, "element_group") == 0 || strcmp(head, "location") == 0);
    if (strcmp(relation, "Part Of") == 0)
        return left + 1 >= q->from - 1;
    if (strcmp(relation, "Located In") == 0) /* "from the river" */
        return !(q->is_loose && strcmp(tail, "setting") == 0);
    if (strcmp(relation, "Contains") == 0)
        return strcmp(tail, "element_ratio") != 0;
    if (strcmp(relation, "Used For") == 0)
        return strcmp(tail, "process") == 0 || strcmp(tail, "method") == 0;
    if (strcmp(relation, "Formed During") == 0 && vocab_word_is(q->text, "during the"))
        return strcmp(head, "process") == 0;
    if (strcmp(relation, "Measured By") == 0) {
        struct sv kind = SV_NONE;
        const struct entity *e = clause_name(p->clause, right);
        if (e->entry != VOCAB_NONE)
            vocab_attr(p->lore->vocab, e->entry, "kind", &kind);
        return !sv_is(kind, "preparation");
    }
    if (strcmp(relation, "Indicates") == 0)
        return strcmp(head, "geologic_time") != 0 && strcmp(head, "process") != 0 &&
               strcmp(head, "location") != 0 && strcmp(head, "setting") != 0;
    return true;
}

/* "A decays to B and C decays to D": a member with the phrase on its far side as well belongs
 * to the other statement. How many members are this one's. */
static size_t own_members(const struct pass *p, const struct cue *q, const size_t *members,
                          size_t n, int step)
{
    const struct clause *c = p->clause;
    size_t k = 1, length = q->to - q->from;
    for (; k < n; k++) {
        size_t at = step > 0 ? members[k] + 1 : members[k] - length;
        if (step > 0 ? at + length > c->n : members[k] < length)
            continue;
        size_t same = 0;
        while (same < length &&
               sv_ieq(clause_text(c, at + same), clause_text(c, q->from + same)))
            same++;
        if (same == length)
            break;
    }
    return k;
}

/* Every pair of two lists; nothing when an end is missing. */
static bool add_pairs(struct pass *p, const struct cue *q, bool inverse, const char *relation)
{
    struct sv left_types = inverse ? q->tail : q->head;
    struct sv right_types = inverse ? q->head : q->tail;
    size_t left = find_left(p, q, left_types);
    size_t right = left == SIZE_MAX ? SIZE_MAX : find_right(p, q, right_types);
    if (left == SIZE_MAX || right == SIZE_MAX)
        return false;
    size_t lefts[LIST_MAX], rights[LIST_MAX];
    /* "REE and other elements such as Zr": only the last is named by what follows */
    size_t most = vocab_word_is(q->text, "such as") ? 1 : LIST_MAX;
    size_t n = relate_list(p, left, -1, left_types, lefts, most);
    size_t m = relate_list(p, right, 1, right_types, rights, LIST_MAX);
    if (!ends_agree(p, q, left, right, relation))
        return false;
    n = own_members(p, q, lefts, n, -1);
    m = own_members(p, q, rights, m, 1);
    double confidence = q->is_loose ? FAIR : SURE;
    if (relate_hangs(p, n > 1 ? lefts[n - 1] : left))
        confidence -= 0.15;
    confidence -= 0.02 * (double)((q->from - left - 1) + (right - q->to));
    for (size_t i = n; i-- > 0;)
        for (size_t k = 0; k < m; k++)
            relate_add(p, inverse ? rights[k] : lefts[i], relation,
                       inverse ? lefts[i] : rights[k], confidence);
    return true;
}

/* The items a phrase covers; false when it cuts through a name. */
static bool cue_items(const struct clause *c, size_t start, size_t end, struct cue *q)
{
    size_t i = 0;
    while (i < c->n && c->items[i].end <= start)
        i++;
    q->from = i;
    while (i < c->n && c->items[i].start < end) {
        if (c->items[i].kind == ITEM_NAME || c->items[i].kind == ITEM_QUANTITY)
            return false;
        i++;
    }
    q->to = i;
    q->text = sv_from_to(c->text, start, end);
    return q->from < q->to;
}

void relate_cues(struct pass *p)
{
    const struct clause *c = p->clause;
    const struct vocab *cues = p->lore->cues;
    vocab_scan_names(cues, sv_from_to(c->text, c->start, c->end), p->cues);
    struct buf name = BUF_INIT;
    for (size_t i = 0; i < p->cues->n; i++) {
        const struct entity *e = &p->cues->items[i];
        struct cue q;
        if (!cue_items(c, c->start + e->start, c->start + e->end, &q))
            continue;
        if (is_unusable(q.text))
            continue;
        uint32_t entry, at = 0;
        while ((entry = vocab_same(cues, e, &at)) != VOCAB_NONE) {
            struct sv relation = vocab_name(cues, entry);
            if (is_of_values(relation) || !vocab_attr(cues, entry, "head", &q.head) ||
                !vocab_attr(cues, entry, "tail", &q.tail))
                continue;
            /* "garnet-bearing" is a compound */
            if (c->items[q.from].start > c->start &&
                c->text.p[c->items[q.from].start - 1] == '-')
                continue;
            buf_reset(&name);
            buf_sv(&name, relation);
            q.is_loose = is_loose(q.text) || is_vague(relation);
            bool inverse = is_inverse(cues, entry, q.text) || vocab_word_is(q.text, "such as");
            if (add_pairs(p, &q, inverse, buf_cstr(&name)))
                break;
        }
    }
    buf_release(&name);
}

void relate_cooccurrence(struct pass *p)
{
    const struct clause *c = p->clause;
    const char *extractor = p->extractor;
    p->extractor = "cooccurrence";
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = i + 1; k < c->n; k++)
            if (clause_name(c, i) && clause_name(c, k))
                relate_add(p, i, "Associated With", k, 0.2);
    p->extractor = extractor;
}
