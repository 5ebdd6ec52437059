// SPDX-License-Identifier: MIT
/*
 * cue.c — a cue phrase between its two ends
 */
#include "cue.h"

#include <math.h>

/* "Komatiite is an ultramafic rock", "feldspars such as albite": the ends next to the phrase,
 * of one type. "The lava is a basalt" says nothing of lavas, "are typical of basalts" neither.
 */
static bool is_kind(const struct pass *p, const struct cue *q, size_t left, size_t right)
{
    const struct clause *c = p->clause;
    const char *head = clause_name(c, left)->type, *tail = clause_name(c, right)->type;
    bool same = strcmp(head, tail) == 0;
    bool is_list = cue_is_in(q, q->rule->inverse) || vocab_word_is(q->text, "and other") ||
                   vocab_word_is(q->text, "or other");
    bool has_comma = clause_is_mark(c, left + 1, ',');
    if (right > q->to + 2)
        return false;
    if (sv_eq(entity_name(p->lore->vocab, clause_name(c, left)),
              entity_name(p->lore->vocab, clause_name(c, right))))
        return false;
    for (size_t i = q->to; i < right; i++)
        if (!clause_name(c, i) && clause_class(c, i) & ~(unsigned)(W_DET | W_NOT))
            return false;
    for (size_t i = left + 1; i < q->from; i++) /* "dunite is a variety of peridotite" */
        if (!(clause_class(c, i) & (W_DET | W_AUX | W_NOT)) && !(has_comma && i == left + 1))
            return false;
    size_t start = left;
    while (start > 0 && clause_name(c, start - 1))
        start--;
    bool is_one = start > 0 && clause_class(c, start - 1) & W_DET;
    if (is_list)
        return same;
    bool is_sample = strcmp(head, "sample") == 0 && /* "sample GX-01 is a basalt" */
                     (strcmp(tail, "rock") == 0 || strcmp(tail, "mineral") == 0);
    return (same && !is_one) || strcmp(tail, "element_group") == 0 || is_sample ||
           strcmp(head, "location") == 0;
}

static bool is_order(const char *relation)
{
    return strcmp(relation, "Older Than") == 0 || strcmp(relation, "Younger Than") == 0;
}

bool cue_is_layer(const struct clause *c, size_t i)
{
    static const char *const nouns[] = { "Formation", "Group",    "Member", "Supergroup",
                                         "Beds",      "Subgroup", "Fm",     "Suite" };
    struct sv said = clause_text(c, i);
    if (!clause_name(c, i) || strcmp(clause_name(c, i)->type, "location") != 0)
        return false;
    for (size_t k = 0; k < ARRAY_LEN(nouns); k++)
        if (sv_ends(said, sv_from(nouns[k])))
            return true;
    return false;
}

/* May the name at item i be older or younger than another? Layers may, regions may not. */
static bool has_order(const struct pass *p, size_t i)
{
    return strcmp(clause_name(p->clause, i)->type, "location") != 0 ||
           cue_is_layer(p->clause, i);
}

/* What the types alone do not tell. */
static bool ends_agree(const struct pass *p, const struct cue *q, size_t left, size_t right)
{
    const char *relation = q->rule->relation;
    if (!clause_name(p->clause, left) || !clause_name(p->clause, right))
        return true;
    const char *head = clause_name(p->clause, left)->type;
    const char *tail = clause_name(p->clause, right)->type;
    if (strcmp(relation, "Is A") == 0)
        return is_kind(p, q, left, right);
    if (strcmp(relation, "Part Of") == 0) {
        size_t next = left + 1; /* "the Tithonian is the last stage of" */
        while (next < q->from && clause_class(p->clause, next) & (W_AUX | W_DET | W_NOT))
            next++;
        return next + 1 >= q->from;
    }
    /* a deposit's own name is a place: it is hosted, no other place is */
    if (strcmp(relation, "Occurs In") == 0 && strcmp(head, "location") == 0)
        return sv_starts(q->text, SV("hosted")) && strcmp(tail, "location") != 0 &&
               strcmp(tail, "geologic_time") != 0;
    if (is_order(relation) && (strcmp(head, "location") == 0 || strcmp(tail, "location") == 0))
        return has_order(p, left) && has_order(p, right);
    if (strcmp(relation, "Located In") == 0) /* "from the river" */
        return !(q->is_loose && strcmp(tail, "setting") == 0);
    if (strcmp(relation, "Contains") == 0 || strcmp(relation, "Enriched In") == 0 ||
        strcmp(relation, "Depleted In") == 0)
        return relate_is_matter(p, left) && relate_is_matter(p, right);
    if (strcmp(relation, "Used For") == 0)
        return strcmp(tail, "process") == 0 || strcmp(tail, "method") == 0;
    if (strcmp(relation, "Formed During") == 0 && vocab_word_is(q->text, "during the"))
        return strcmp(head, "process") == 0;
    if (strcmp(relation, "Measured By") == 0) {
        const struct entity *e = clause_name(p->clause, right);
        return !sv_is(entity_kind(p->lore->vocab, e), "preparation");
    }
    if (strcmp(relation, "Indicates") == 0)
        return strcmp(head, "geologic_time") != 0 && strcmp(head, "process") != 0 &&
               strcmp(head, "location") != 0 && strcmp(head, "setting") != 0;
    return true;
}

/* "A is a B and C is a D": a name with a verb before it is no subject of the next, and what is
 * said to be something is followed by no verb. */
static bool is_of_other(const struct clause *c, const struct cue *q, size_t member, int step)
{
    if (strcmp(q->rule->relation, "Is A") != 0 || cue_is_in(q, q->rule->inverse))
        return false;
    if (step > 0)
        return (clause_class(c, member + 1) & W_AUX) != 0;
    member = clause_phrase_start(c, member);
    return member > 0 && clause_class(c, member - 1) & W_AUX;
}

/* "A decays to B and C decays to D": a member with the phrase on its far side as well belongs
 * to the other statement. How many members are this one's. */
static size_t own_members(const struct pass *p, const struct cue *q, const size_t *members,
                          size_t n, int step)
{
    const struct clause *c = p->clause;
    size_t k = 1, length = q->to - q->from;
    bool is_high = strcmp(q->rule->relation, "Enriched In") == 0;
    bool is_low = strcmp(q->rule->relation, "Depleted In") == 0;
    for (; k < n; k++) {
        /* "high Sr and low Y" */
        if (members[k] && ((is_high && clause_is_word(c, members[k] - 1, "low")) ||
                           (is_low && clause_is_word(c, members[k] - 1, "high"))))
            break;
        if (is_of_other(c, q, members[k], step))
            break;
        size_t at = step > 0 ? members[k] + 1 : members[k] - length;
        while (step > 0 && clause_class(c, at) & W_AUX && !(clause_class(c, q->from) & W_AUX))
            at++; /* "… and gabbros are derived from" */
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

/* Does the statement at item k of a clause begin there? */
static bool is_start(const struct clause *c, size_t k)
{
    return clause_class(c, k) & (W_BREAK | W_WHICH) || clause_is_mark(c, k, ';');
}

/* "have lower Zr/Nb than MORB and are poorer in": no clause begins with these. */
static bool is_degree(const struct clause *c, size_t i)
{
    return clause_is_word(c, i, "lower") || clause_is_word(c, i, "higher") ||
           clause_is_word(c, i, "than");
}

#define CLAUSE_MAX 100 /* items of a clause that are looked at */

/* The verb nearest left of item `to` in its clause, or a cue phrase there ("cut the gneiss and
 * are overlain by", "derived from peridotite and contain"); SIZE_MAX: none. */
static size_t verb_before(const struct pass *p, size_t to)
{
    const struct clause *c = p->clause;
    size_t from = to;
    while (from > 0 && from + CLAUSE_MAX > to &&
           (!is_start(c, from - 1) || is_degree(c, from - 1)))
        from--;
    for (size_t k = to; k-- > from;) {
        unsigned class = clause_class(c, k);
        bool is_lack = clause_is_word(c, k, "lacks") || clause_is_word(c, k, "lack");
        if (is_lack || (class & (W_AUX | W_HAVE) && !(class & W_PREP)))
            return k;
    }
    if (from == to)
        return SIZE_MAX;
    size_t last = c->items[to - 1].start; /* those count that end by then */
    size_t n = last >= p->cues_start ? entities_behind(p->cues, last - p->cues_start) : 0;
    for (size_t i = n; i-- > 0;) {
        size_t start = p->cues->items[i].start + p->cues_start, k = from;
        if (start < c->items[from].start)
            break;
        while (k < to && c->items[k].start < start)
            k++;
        if (k > from && k < to && !(clause_class(c, k) & (W_PREP | W_DET | W_AND | W_WHICH)))
            return k;
    }
    return SIZE_MAX;
}

/* Does the verb at item `verb` say what something holds? "are composed of", "contain" */
static bool is_holding(const struct clause *c, size_t verb, size_t to)
{
    static const char *const words[] = { "composed", "consist",   "consists", "consisted",
                                         "comprise", "comprises", "made" };
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (clause_is_word(c, verb, words[k]) || clause_is_word(c, verb + 1, words[k]))
            return true;
    return clause_has(c, verb, to, W_HAVE);
}

/* "predates", "occurs in": does the cue begin with a verb in -s, and no noun ("results of")? */
static bool is_finite(const struct clause *c, const struct cue *q)
{
    struct sv first = clause_text(c, q->from);
    bool is_noun =
        sv_ends(first, SV("ions")) || sv_ends(first, SV("ents")) || sv_ends(first, SV("ss")) ||
        sv_ends(first, SV("ies")) ||
        (clause_is_word(c, q->to - 1, "of") && !clause_is_word(c, q->from, "consists"));
    return first.n > 3 && sv_ends(first, SV("s")) && !is_noun && !clause_class(c, q->from);
}

/* "The gabbro contains olivine but lacks quartz", "is depleted in Nb and enriched in Ba",
 * "contains olivine with minor pyrite": a phrase behind a joint has the subject of the verb
 * before. That verb's item, or the cue's own. *start: the first item of the cue's own
 * statement, behind the joint, or SIZE_MAX. */
static size_t verb_of(const struct pass *p, const struct cue *q, size_t *start)
{
    const struct clause *c = p->clause;
    size_t i = q->from;
    *start = SIZE_MAX;
    while (i > 0 &&
           (clause_class(c, i - 1) & (W_AUX | W_NOT) || clause_is_word(c, i - 1, "also") ||
            sv_ends(clause_text(c, i - 1), SV("ly"))))
        i--;
    bool is_joint =
        i > 1 && (clause_is_word(c, i - 1, "but") || clause_is_word(c, i - 1, "and"));
    bool is_joined = cue_is_in(q, q->rule->joined);
    bool is_with = clause_is_word(c, i, "with");
    bool is_verb = i < q->from || is_finite(c, q) || clause_class(c, i) & (W_HAVE | W_NOT) ||
                   is_joined || sv_ends(clause_text(c, i), SV("ed"));
    size_t verb = (is_joint && is_verb) || is_with ? verb_before(p, i - is_joint) : SIZE_MAX;
    if (is_with && verb != SIZE_MAX && !is_holding(c, verb, i))
        return q->from; /* "a basalt with olivine was erupted" */
    if (verb == SIZE_MAX)
        return q->from;
    *start = i;
    return verb;
}

/* "contains hornblende but no biotite", "biotite rather than hornblende", "not garnet but
 * staurolite": the name behind item i that the text sets against the list before, or SIZE_MAX.
 * *is_other: it holds although the list is denied. */
static size_t contrast(const struct pass *p, size_t i, struct sv types, bool is_denied,
                       bool *is_other)
{
    const struct clause *c = p->clause;
    i += clause_is_mark(c, i, ',');
    bool is_but = clause_is_word(c, i, "but");
    bool is_plain = clause_is_word(c, i, "not") && clause_is_mark(c, i - (i > 0), ',');
    bool is_not = clause_is_word(c, i, "without") || is_plain ||
                  (clause_is_word(c, i, "rather") && clause_is_word(c, i + 1, "than")) ||
                  (is_but && clause_class(c, i + 1) & W_NOT);
    *is_other = is_but && !is_not && is_denied;
    if (!is_not && !*is_other)
        return SIZE_MAX;
    bool is_short = clause_is_word(c, i, "without") || *is_other || is_plain;
    for (i += is_short ? 1 : 2; i < c->n; i++) {
        size_t state = state_from(p, i, types);
        if (state != SIZE_MAX)
            return state;
        if (clause_name(c, i))
            return cue_compound(p, i, types);
        if (!(clause_class(c, i) & (W_DET | W_USING | W_PREP)) && !clause_is_word(c, i, "as"))
            break;
    }
    return SIZE_MAX;
}

size_t cue_members(const struct pass *p, size_t end, int step, struct sv types, size_t *members,
                   size_t max)
{
    const struct clause *c = p->clause;
    if (clause_name(c, end))
        return relate_list(p, end, step, types, members, max);
    size_t n = 1;
    members[0] = end;
    for (size_t i = end + 1; step > 0 && i < c->n && n < max; i++) {
        if (clause_class(c, i) & (W_AND | W_DET | W_PREP) || clause_is_mark(c, i, ','))
            continue;
        size_t next = state_from(p, i, types);
        if (next == SIZE_MAX)
            break;
        members[n++] = i = next;
    }
    return n;
}

void cue_add(struct pass *p, const struct cue *q, size_t head, size_t tail, double confidence)
{
    relate_add_of(p, head, q->rule->relation, tail, confidence,
                  &(struct saying){ .start = SIZE_MAX, .is_denial = q->is_denial });
}

/* One side of a cue. */
struct side {
    size_t end, members[LIST_MAX], n;
};

/* What is left and right of q, as lists; false when an end is missing or they do not agree.
 * *verb: where the phrase begins that the left end is the subject of. */
static bool find_sides(const struct pass *p, const struct cue *q, bool inverse,
                       struct side *left, struct side *right, size_t *start, size_t *verb)
{
    struct sv left_types = inverse ? q->tail : q->head;
    struct sv right_types = inverse ? q->head : q->tail;
    struct cue subject = *q;
    *verb = subject.from = verb_of(p, q, start);
    right->end = cue_right(p, q, right_types); /* the nearer one, and found sooner */
    left->end = right->end == SIZE_MAX ? SIZE_MAX : cue_left(p, &subject, left_types);
    if (left->end == SIZE_MAX)
        return false;
    /* "REE and other elements such as Zr": only the last is named by what follows */
    size_t most = vocab_word_is(q->text, "such as") ? 1 : LIST_MAX;
    left->n = cue_members(p, left->end, -1, left_types, left->members, most);
    right->n = cue_members(p, right->end, 1, right_types, right->members, LIST_MAX);
    if (!ends_agree(p, q, left->end, right->end))
        return false;
    left->n = own_members(p, q, left->members, left->n, -1);
    right->n = own_members(p, q, right->members, right->n, 1);
    if (!inverse)
        right->n = cue_more(p, q, right_types, right->members, right->n, LIST_MAX);
    return true;
}

/* Every pair of two lists; nothing when an end is missing. */
static bool add_pairs(struct pass *p, const struct cue *q, bool inverse)
{
    struct side left, right;
    size_t start, verb;
    if (!find_sides(p, q, inverse, &left, &right, &start, &verb))
        return false;
    size_t n = left.n, m = right.n, *lefts = left.members, *rights = right.members;
    double confidence = q->is_loose ? FAIR : SURE;
    if (relate_hangs(p, lefts[n - 1]))
        confidence -= 0.15;
    size_t before = verb > left.end ? verb - left.end - 1 : 0; /* "; it contains" */
    confidence -= 0.02 * (double)((before < 8 ? before : 8) + (right.end - q->to));
    bool is_ordered = false; /* "A and B contain C and D, respectively" */
    for (size_t i = right.end; m > 1 && n > 1 && i < p->clause->n; i++)
        is_ordered |= (clause_class(p->clause, i) & W_PAIRED) != 0;
    if (is_ordered && n != m)
        return true; /* which is whose? */
    struct saying saying = { .start = start, .is_denial = q->is_denial };
    bool is_denied = false, is_other;
    for (size_t i = n; i-- > 0;)
        for (size_t k = is_ordered ? n - 1 - i : 0; k < (is_ordered ? n - i : m); k++)
            is_denied = relate_add_of(p, inverse ? rights[k] : lefts[i], q->rule->relation,
                                      inverse ? lefts[i] : rights[k], confidence, &saying);
    if (!inverse)
        cue_not_so(p, q, q->head, rights, m, is_denied);
    struct sv types = inverse ? q->head : q->tail;
    size_t other = contrast(p, rights[m - 1] + 1, types, is_denied, &is_other);
    saying.is_assertion = is_other;
    saying.is_denial ^= !is_other && q->is_denial;
    for (size_t i = n; other != SIZE_MAX && i-- > 0;)
        relate_add_of(p, inverse ? other : lefts[i], q->rule->relation,
                      inverse ? lefts[i] : other, confidence, &saying);
    return true;
}

/* The items a phrase covers; false when it cuts through a name. A process may be part of it
 * ("alteration of"). */
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
        const struct entity *e = clause_name(c, i);
        bool is_inside = e && c->items[i].start >= start && c->items[i].end <= end &&
                         strcmp(e->type, "process") == 0;
        if (c->items[i].kind == ITEM_QUANTITY || (e && !is_inside))
            return false;
        i++;
    }
    q->to = i;
    return q->from < q->to;
}

/* The phrase as relation r. Did it give facts? */
static bool read_as(struct pass *p, struct cue *q, const struct rule *r)
{
    if (r->has_values)
        return false;
    q->rule = r;
    q->head = r->head;
    q->tail = cue_is_in(q, r->only_cues) ? rules_tail(r, q->text) : r->tail;
    q->is_loose = r->is_vague || cue_is_in(q, r->loose);
    q->is_denial = cue_is_in(q, r->denial);
    state_find(p, r);
    size_t start;
    if (cue_is_in(q, r->joined) && verb_of(p, q, &start) == q->from)
        return false;
    if (cue_is_in(q, r->behind))
        return order_behind(p, q);
    if (cue_is_in(q, r->fronted))
        return order_fronted(p, q);
    if (cue_is_in(q, r->ahead_cues) && order_ahead(p, q))
        return true;
    if (cue_is_in(q, r->silent))
        return false;
    if (add_pairs(p, q, cue_is_in(q, r->inverse)))
        return true;
    return cue_is_in(q, r->either) && add_pairs(p, q, true);
}

/* The phrase as the table has it: white space is one blank, a word torn over two lines is one
 * ("pres- ence of"). Longer ones than the buffer stay as they are. */
static struct sv plain_text(struct sv said, char *text, size_t size)
{
    size_t n = 0;
    if (said.n > size)
        return said;
    for (size_t i = 0; i < said.n; i++) {
        bool is_space = said.p[i] == ' ' || said.p[i] == '\n' || said.p[i] == '\t';
        if (is_space && n && text[n - 1] == '-')
            n--;
        else if (!is_space)
            text[n++] = said.p[i];
        else if (n && text[n - 1] != ' ' && !(i && said.p[i - 1] == '\n'))
            text[n++] = ' ';
    }
    return (struct sv){ text, n };
}

/* One phrase `said`, offsets from byte `base` of the text, as each relation it stands for until
 * one fits. */
static void read_cue(struct pass *p, size_t file, const struct entity *e, size_t base,
                     struct sv said)
{
    const struct clause *c = p->clause;
    const struct rules *rules = p->lore->rules;
    struct cue q;
    if (!cue_items(c, base + e->start, base + e->end, &q))
        return;
    char text[64];
    q.text = plain_text(said, text, sizeof text);
    q.fold = words_fold(words_key(q.text.p, q.text.n));
    /* "garnet-bearing" is a compound */
    if (c->items[q.from].start > c->start && c->text.p[c->items[q.from].start - 1] == '-')
        return;
    uint32_t entry, at = 0;
    while ((entry = vocab_same(rules_cues(rules, file), e, &at)) != VOCAB_NONE)
        if (read_as(p, &q, rules_of(rules, file, entry)))
            return;
}

#define WINDOW 4 /* items of a phrase on either side of an adverb */

/* Phrases with an adverb inside ("adsorbs strongly to"): read without it, in items [first,
 * last].
 */
static void read_wide(struct pass *p, size_t file, size_t first, size_t last)
{
    const struct clause *c = p->clause;
    for (size_t i = first + 1; i < last; i++) {
        const struct item *item = &c->items[i];
        unsigned before = clause_class(c, i - 1);
        bool may_be = item->kind == ITEM_WORD && !item->word && item->end - item->start >= 4 &&
                      memcmp(c->text.p + item->end - 2, "ly", 2) == 0;
        /* phrases begin behind "is" and "of" */
        if (!may_be || item[-1].kind != ITEM_WORD || item[1].kind != ITEM_WORD ||
            (before & (W_AUX | W_DET | W_PREP | W_AND) && !(before & W_HAVE)) ||
            clause_is_word(c, i, "negatively") || clause_is_word(c, i, "inversely"))
            continue;
        size_t from = c->items[i > first + WINDOW ? i - WINDOW : first].start;
        size_t to = c->items[i + WINDOW < last ? i + WINDOW : last].end;
        size_t cut = item->start - from, length = item[1].start - item->start;
        buf_reset(p->plain);
        buf_sv(p->plain, sv_from_to(c->text, from, item->start));
        buf_sv(p->plain, sv_from_to(c->text, item[1].start, to));
        vocab_scan_names(rules_cues(p->lore->rules, file), buf_view(p->plain), p->wide);
        for (size_t k = 0; k < p->wide->n; k++) {
            struct entity e = p->wide->items[k];
            struct sv said = sv_from_to(buf_view(p->plain), e.start, e.end);
            if (e.start >= cut || e.end <= cut)
                continue;
            e.end += length;
            read_cue(p, file, &e, from, said);
        }
    }
}

#define REACH 6 /* items between a phrase and the nearest of its ends */

void relate_cues(struct pass *p)
{
    const struct clause *c = p->clause;
    size_t first = 0, last = c->n - 1;
    p->has_states = false;
    if (c->n_names == 0)
        return;
    while (!clause_name(c, first))
        first++;
    while (!clause_name(c, last))
        last--;
    first -= first < REACH ? first : REACH;
    last = last + REACH < c->n ? last + REACH : c->n - 1;
    p->cues_start = c->items[first].start;
    struct sv text = sv_from_to(c->text, p->cues_start, c->items[last].end);
    for (size_t file = 0; file < rules_files(p->lore->rules); file++) {
        vocab_scan_names(rules_cues(p->lore->rules, file), text, p->cues);
        for (size_t i = 0; i < p->cues->n; i++) {
            const struct entity *e = &p->cues->items[i];
            read_cue(p, file, e, p->cues_start, sv_from_to(text, e->start, e->end));
        }
        read_wide(p, file, first, last);
    }
}
