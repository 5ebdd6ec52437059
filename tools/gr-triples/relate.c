// SPDX-License-Identifier: MIT
/*
 * relate.c — cue phrases between two names
 */
#include "relate.h"

#include <math.h>

#include "memo.h"

#define LIST_MAX 12
#define W_CONTENT_LINK (unsigned)(W_CONTENT | W_LINK)

/* ---- shared
 * ---------------------------------------------------------------------------------- */

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

bool relate_is_name(const struct pass *p, const struct entity *e, struct sv types)
{
    if (memo_allows(p->memo, types, e->type))
        return true;
    return e->entry != VOCAB_NONE && strcmp(e->type, "oxide") == 0 &&
           memo_allows(p->memo, types, "mineral") && relate_is_phase(p->lore->vocab, e->entry);
}

struct node relate_node(const struct pass *p, size_t i)
{
    const struct entity *e = clause_name(p->clause, i);
    struct node n = { .type = e->type, .name = entity_name(p->lore->vocab, e) };
    if (p->anaphor.n && p->clause->items[i].start == p->anaphor_start)
        n.said = p->anaphor;
    return n;
}

/* start: where the statement begins when its subject is of the one before, or SIZE_MAX. */
static void add_one(struct pass *p, size_t head, const char *relation, size_t tail,
                    double confidence, size_t start)
{
    const struct clause *c = p->clause;
    confidence = relate_weigh(p, start == SIZE_MAX ? head : start, tail, confidence);
    if (relate_is_taken_back(c, head) || relate_is_taken_back(c, tail))
        confidence = -fabs(confidence);
    struct fact f = {
        .head = relate_node(p, head),
        .tail = relate_node(p, tail),
        .relation = relation,
        .confidence = fabs(confidence),
        .is_negative = confidence < 0,
        .extractor = p->extractor,
        .start = c->start,
        .end = c->end,
        .experiment = p->experiment,
    };
    sink_add(p->sink, &f);
}

void relate_add(struct pass *p, size_t head, const char *relation, size_t tail,
                double confidence)
{
    add_one(p, head, relation, tail, confidence, SIZE_MAX);
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

/* "pyrite, bornite and gold": an element written as a word among minerals. */
static bool is_native(const struct entity *element, const struct entity *mineral)
{
    return strcmp(element->type, "element") == 0 && element->chem == CHEM_NONE &&
           strcmp(mineral->type, "mineral") == 0;
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
    if (step > 0)
        return next & W_AUX || (next & W_HAVE && !(next & W_PREP));
    while (left > 0 && (clause_class(c, left - 1) & W_DET || clause_name(c, left - 1)))
        left--;
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
        if (next == SIZE_MAX || (step < 0 && n == 1 && !has_and))
            break;
        if (ends_clause(p->clause, members[n - 1], next, step))
            break;
        /* a list is of one kind: minerals, or elements and oxides */
        const struct entity *e = clause_name(p->clause, next);
        bool is_alike = strcmp(e->type, first->type) == 0 || is_native(first, e) ||
                        is_native(e, first) ||
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

bool relate_is_carrier(const struct pass *p, size_t i)
{
    return rules_is_carrier(p->lore->rules, clause_text(p->clause, i));
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
           !relate_is_carrier(p, i - 2);
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
        if (class & W_BREAK || clause_is_mark(c, i, ';') || clause_is_mark(c, i, ':'))
            return best;
        if (class & W_NOT && best == SIZE_MAX && i + 3 > q->from)
            continue; /* "does not contain": relate_weigh sees it again */
        if (class & W_NOT)
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
        if (class & (W_BREAK | W_WHICH | W_AND))
            return SIZE_MAX;
        if (class & W_NOT && i == q->to)
            continue; /* "contains no olivine", "contain neither" */
        if (class & W_NOT)
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

/* What the types alone do not tell. */
static bool ends_agree(const struct pass *p, const struct cue *q, size_t left, size_t right,
                       const char *relation)
{
    const char *head = clause_name(p->clause, left)->type;
    const char *tail = clause_name(p->clause, right)->type;
    bool same = strcmp(head, tail) == 0;
    if (strcmp(relation, "Is A") == 0)
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

/* "The gabbro contains olivine but lacks quartz", "is depleted in Nb and enriched in Ba": a
 * verb behind a joint has the subject of the verb before. That verb's item, or the cue's own.
 * *start: the first item of the cue's own statement, behind the joint, or SIZE_MAX. */
static size_t verb_of(const struct pass *p, const struct cue *q, size_t *start)
{
    const struct clause *c = p->clause;
    size_t i = q->from;
    *start = SIZE_MAX;
    while (i > 0 &&
           (clause_class(c, i - 1) & (W_AUX | W_NOT) || clause_is_word(c, i - 1, "also")))
        i--;
    bool is_joint =
        i > 1 && (clause_is_word(c, i - 1, "but") || clause_is_word(c, i - 1, "and"));
    bool is_verb = i < q->from || clause_class(c, i) & (W_HAVE | W_NOT) ||
                   sv_ends(clause_text(c, i), SV("ed"));
    for (size_t k = i - 1; is_joint && is_verb && k-- > 0;) {
        unsigned class = clause_class(c, k);
        if (class & (W_BREAK | W_WHICH) || clause_is_mark(c, k, ';'))
            break;
        bool is_lack = clause_is_word(c, k, "lacks") || clause_is_word(c, k, "lack");
        if (is_lack || (class & (W_AUX | W_HAVE) && !(class & W_PREP))) {
            *start = i;
            return k;
        }
    }
    return q->from;
}

/* "contains hornblende but no biotite", "biotite rather than hornblende": the name behind item
 * i that the text sets against the list before, or SIZE_MAX. */
static size_t contrast(const struct pass *p, size_t i, struct sv types)
{
    const struct clause *c = p->clause;
    i += clause_is_mark(c, i, ',');
    bool is_not = clause_is_word(c, i, "without") ||
                  (clause_is_word(c, i, "rather") && clause_is_word(c, i + 1, "than")) ||
                  (clause_is_word(c, i, "but") && clause_class(c, i + 1) & W_NOT);
    if (!is_not)
        return SIZE_MAX;
    for (i += clause_is_word(c, i, "without") ? 1 : 2; i < c->n; i++) {
        if (clause_name(c, i))
            return compound_head(p, i, types);
        if (!(clause_class(c, i) & W_DET))
            break;
    }
    return SIZE_MAX;
}

/* Every pair of two lists; nothing when an end is missing. */
static bool add_pairs(struct pass *p, const struct cue *q, bool inverse, const char *relation)
{
    struct sv left_types = inverse ? q->tail : q->head;
    struct sv right_types = inverse ? q->head : q->tail;
    struct cue subject = *q;
    size_t start;
    subject.from = verb_of(p, q, &start);
    size_t left = find_left(p, &subject, left_types);
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
    confidence -= 0.02 * (double)((subject.from - left - 1) + (right - q->to));
    bool is_ordered = false; /* "A and B contain C and D, respectively" */
    for (size_t i = right; m > 1 && n > 1 && i < p->clause->n; i++)
        is_ordered |= (clause_class(p->clause, i) & W_PAIRED) != 0;
    if (is_ordered && n != m)
        return true; /* which is whose? */
    for (size_t i = n; i-- > 0;)
        for (size_t k = is_ordered ? n - 1 - i : 0; k < (is_ordered ? n - i : m); k++)
            add_one(p, inverse ? rights[k] : lefts[i], relation, inverse ? lefts[i] : rights[k],
                    confidence, start);
    size_t other = inverse ? SIZE_MAX : contrast(p, rights[m - 1] + 1, right_types);
    for (size_t i = n; other != SIZE_MAX && i-- > 0;)
        add_one(p, lefts[i], relation, other, confidence, start);
    return true;
}

/* The items a phrase covers; false when it cuts through a name. */
static bool cue_items(const struct clause *c, size_t start, size_t end, struct cue *q)
{
    size_t i = 0, hi = c->n;
    while (i < hi) { /* a sentence may be a whole text, with a cue in every line */
        size_t mid = i + (hi - i) / 2;
        if (c->items[mid].end <= start)
            i = mid + 1;
        else
            hi = mid;
    }
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

/* One phrase, offsets from byte `base` of the text, as each relation it stands for until one
 * fits. */
static void read_cue(struct pass *p, size_t file, size_t base, const struct entity *e)
{
    const struct clause *c = p->clause;
    const struct rules *rules = p->lore->rules;
    struct cue q;
    if (!cue_items(c, base + e->start, base + e->end, &q))
        return;
    /* "garnet-bearing" is a compound */
    if (c->items[q.from].start > c->start && c->text.p[c->items[q.from].start - 1] == '-')
        return;
    uint32_t entry, at = 0;
    while ((entry = vocab_same(rules_cues(rules, file), e, &at)) != VOCAB_NONE) {
        const struct rule *r = rules_of(rules, file, entry);
        if (r->has_values || rules_lists(r->silent, q.text))
            continue;
        q.head = r->head;
        q.tail = r->tail;
        q.is_loose = r->is_vague || rules_lists(r->loose, q.text);
        if (add_pairs(p, &q, rules_lists(r->inverse, q.text), r->relation))
            return;
    }
}

void relate_cues(struct pass *p)
{
    const struct clause *c = p->clause;
    size_t first = 0, last = c->n - 1;
    if (c->n_names < 2)
        return;
    while (!clause_name(c, first))
        first++;
    while (!clause_name(c, last))
        last--;
    /* a cue stands between two names */
    size_t from = c->items[first].start, to = c->items[last].end;
    for (size_t file = 0; file < rules_files(p->lore->rules); file++) {
        vocab_scan_names(rules_cues(p->lore->rules, file), sv_from_to(c->text, from, to),
                         p->cues);
        for (size_t i = 0; i < p->cues->n; i++)
            read_cue(p, file, from, &p->cues->items[i]);
    }
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
