// SPDX-License-Identifier: MIT
/*
 * anaphora.c — the subject of the sentences before
 */
#include "anaphora.h"

/* Types of what may be spoken of again, bits. */
enum {
    K_ROCK = 1 << 0,
    K_MINERAL = 1 << 1,
    K_ELEMENT = 1 << 2,
    K_PLACE = 1 << 3,
    K_SAMPLE = 1 << 4,
    K_OXIDE = 1 << 5,
    K_ISOTOPE = 1 << 6,
    K_DEPOSIT = 1 << 7,
    K_RATIO = 1 << 8,
};

#define K_THINGS (K_ROCK | K_MINERAL | K_SAMPLE | K_DEPOSIT | K_ELEMENT | K_PLACE)
#define K_ANY (K_THINGS | K_OXIDE | K_ISOTOPE)
#define AGE_MAX 2 /* sentences a subject is remembered without being named */

static const struct {
    const char *noun;
    unsigned kinds;
} nouns[] = {
    { "rock", K_ROCK | K_SAMPLE },
    { "rocks", K_ROCK | K_SAMPLE },
    { "lava", K_ROCK | K_SAMPLE },
    { "lavas", K_ROCK | K_SAMPLE },
    { "unit", K_ROCK | K_SAMPLE | K_PLACE },
    { "units", K_ROCK | K_SAMPLE | K_PLACE },
    { "intrusion", K_ROCK | K_PLACE },
    { "intrusions", K_ROCK | K_PLACE },
    { "pluton", K_ROCK | K_PLACE },
    { "plutons", K_ROCK | K_PLACE },
    { "formation", K_PLACE | K_ROCK },
    { "complex", K_PLACE | K_ROCK },
    { "massif", K_PLACE },
    { "batholith", K_PLACE | K_ROCK },
    { "suite", K_PLACE | K_ROCK },
    { "terrane", K_PLACE },
    { "volcano", K_PLACE },
    { "basin", K_PLACE },
    { "magma", K_ROCK },
    { "magmas", K_ROCK },
    { "melts", K_ROCK },
    { "sediments", K_ROCK },
    { "sediment", K_ROCK },
    { "dykes", K_ROCK },
    { "dikes", K_ROCK },
    { "flows", K_ROCK | K_SAMPLE },
    { "lithology", K_ROCK },
    { "lithologies", K_ROCK },
    { "xenoliths", K_ROCK | K_SAMPLE },
    { "mineral", K_MINERAL },
    { "minerals", K_MINERAL },
    { "grains", K_MINERAL },
    { "crystals", K_MINERAL },
    { "phase", K_MINERAL },
    { "phases", K_MINERAL },
    { "phenocrysts", K_MINERAL },
    { "sample", K_SAMPLE | K_ROCK },
    { "samples", K_SAMPLE | K_ROCK },
    { "target", K_SAMPLE },
    { "targets", K_SAMPLE },
    { "specimen", K_SAMPLE },
    { "specimens", K_SAMPLE },
    { "deposit", K_DEPOSIT },
    { "deposits", K_DEPOSIT },
    { "ore", K_DEPOSIT },
    { "meteorite", K_SAMPLE | K_ROCK },
    { "outcrop", K_SAMPLE | K_ROCK },
    { "element", K_ELEMENT },
    { "elements", K_ELEMENT },
    { "oxides", K_OXIDE },
    { "isotopes", K_ISOTOPE },
    { "ratios", K_RATIO },
};

/* The bit of an entity's type; 0: of those that nothing points to. */
static unsigned kind_of(const struct entity *e)
{
    static const struct {
        const char *type;
        unsigned kind;
    } types[] = {
        ['r' & 31] = { "rock", K_ROCK },
        ['m' & 31] = { "mineral", K_MINERAL },
        ['e' & 31] = { "element", K_ELEMENT },
        ['l' & 31] = { "location", K_PLACE },
        ['s' & 31] = { "sample", K_SAMPLE },
        ['o' & 31] = { "oxide", K_OXIDE },
        ['i' & 31] = { "isotope", K_ISOTOPE },
        ['d' & 31] = { "deposit", K_DEPOSIT },
        [31] = { NULL, 0 },
    };
    size_t first = e->type[0] & 31;
    if (types[first].type && strcmp(e->type, types[first].type) == 0)
        return types[first].kind;
    bool is_ratio =
        strcmp(e->type, "isotope_ratio") == 0 || strcmp(e->type, "element_ratio") == 0;
    return is_ratio ? K_RATIO : 0;
}

/* Is the entity of one of the kinds? */
static bool is_any_of(const struct entity *e, unsigned kinds)
{
    return kind_of(e) & kinds;
}

static size_t number_of(const struct clause *c, size_t i)
{
    return clause_is_word(c, i, "both") || clause_is_word(c, i, "two") ? 2
           : clause_is_word(c, i, "three")                             ? 3
           : clause_is_word(c, i, "four")                              ? 4
                                                                       : 0;
}

static bool is_plural_sample(const struct clause *c, size_t i)
{
    return clause_is_word(c, i, "samples") || clause_is_word(c, i, "targets") ||
           clause_is_word(c, i, "specimens") || clause_is_word(c, i, "meteorites");
}

static void group_add(struct group *g, const struct entity *e)
{
    for (size_t i = 0; i < g->n && i < GROUP_MAX; i++)
        if (entity_is_same(&g->items[i], e))
            return;
    if (g->n < GROUP_MAX)
        g->items[g->n] = *e;
    g->n += g->n <= GROUP_MAX;
}

/* "the latter contains" and not "the latter case" */
static bool is_verb_like(struct sv word)
{
    static const char *const verbs[] = { "contains", "contain",  "yields",   "yielded",
                                         "shows",    "show",     "hosts",    "host",
                                         "gave",     "forms",    "consists", "comprises",
                                         "exhibits", "displays", "with" };
    return vocab_word_in(word, verbs, ARRAY_LEN(verbs));
}

/* "It is likely that", "it follows that", "it was found to": nobody. */
static bool is_empty_it(const struct clause *c, size_t i)
{
    if (!clause_is_word(c, i, "it"))
        return false;
    for (size_t k = i + 1; k < c->n && k <= i + 5; k++)
        if (clause_is_word(c, k, "that") || clause_is_word(c, k, "to") ||
            clause_is_word(c, k, "whether"))
            return true;
    return false;
}

static bool is_pronoun(const struct clause *c, size_t i)
{
    return clause_is_word(c, i, "it") || clause_is_word(c, i, "its") ||
           clause_is_word(c, i, "they") || clause_is_word(c, i, "their");
}

/* Where the subject starts: behind "However," and "In particular,". */
static size_t opening(const struct clause *c)
{
    for (size_t i = 0; i < c->n && i <= 4; i++) {
        if (clause_is_mark(c, i, ','))
            return i + 1;
        if (c->items[i].kind != ITEM_WORD)
            break;
    }
    return 0;
}

/* Kinds that the noun at item i may stand for; 0: none. */
static unsigned kinds_of(const struct clause *c, size_t i)
{
    struct sv noun = clause_text(c, i);
    for (size_t k = 0; i < c->n && k < ARRAY_LEN(nouns); k++)
        if (vocab_word_is(noun, nouns[k].noun))
            return nouns[k].kinds;
    return 0;
}

static bool is_plural(struct sv word)
{
    return word.n > 1 && word.p[word.n - 1] == 's';
}

/* Those of the group that may be meant, placed at items first … last. */
static size_t place_all(const struct clause *c, const struct group *g, unsigned kinds,
                        size_t first, size_t last, struct entity *found)
{
    size_t n = 0;
    for (size_t k = 0; k < g->n && k < GROUP_MAX; k++) {
        if (!is_any_of(&g->items[k], kinds))
            continue;
        found[n] = g->items[k];
        found[n].start = c->items[first].start;
        found[n].end = c->items[last].end;
        found[n++].weak = false;
    }
    return n;
}

/* The last thing spoken of, or all that the sentence was about, when several are meant. */
static size_t place_last(const struct clause *c, const struct topic *topic, unsigned kinds,
                         bool are_many, size_t first, size_t last, struct entity *found)
{
    struct group one = { .items = { topic->last }, .n = 1 };
    bool has_many = topic->subject.n > 1;
    struct entity of_kind[GROUP_MAX];
    size_t n_of_kind = topic->named.n > GROUP_MAX
                           ? 0
                           : place_all(c, &topic->named, kinds, first, last, of_kind);
    if (last > first && !is_any_of(&topic->last, kinds) &&
        (n_of_kind == 1 || (n_of_kind && are_many))) {
        memcpy(found, of_kind, n_of_kind * sizeof *found);
        return n_of_kind; /* "the gabbro contains olivine": "these crystals" */
    }
    if (!topic->last.type || !is_any_of(&topic->last, kinds) || topic->subject.n > GROUP_MAX ||
        (has_many && !are_many) || (topic->has_rival && !are_many))
        return 0;
    return place_all(c, has_many ? &topic->subject : &one, kinds, first, last, found);
}

/* "These young lavas", at item i: the noun's item, or 0. */
static size_t noun_behind(const struct clause *c, size_t i)
{
    size_t noun = kinds_of(c, i + 1) ? i + 1 : i + 2;
    bool has_more = clause_is_word(c, noun + 1, "of") || clause_name(c, noun + 1) ||
                    clause_is_mark(c, noun + 1, '-');
    if (has_more)
        return 0;
    bool is_near = noun == i + 1 || (c->n > i + 2 && c->items[i + 1].kind == ITEM_WORD &&
                                     !clause_class(c, i + 1) && kinds_of(c, noun));
    return is_near ? noun : 0;
}

static size_t find_opening(const struct clause *c, const struct topic *topic,
                           struct entity *found)
{
    if (!topic->last.type || c->n < 3 || opening(c) + 2 >= c->n)
        return 0;
    size_t first = opening(c);
    if (is_pronoun(c, first) && !is_empty_it(c, first)) {
        bool are_many = clause_is_word(c, first, "they") || clause_is_word(c, first, "their");
        return place_last(c, topic, K_THINGS, are_many, first, first, found);
    }
    bool is_the = clause_is_word(c, first, "the");
    if (!is_the && !clause_is_word(c, first, "this") && !clause_is_word(c, first, "these") &&
        !clause_is_word(c, first, "such"))
        return 0;
    size_t noun = noun_behind(c, first);
    /* "the rock" may be any, "the phase of"; "these rocks" is not */
    if (!noun || (is_the && (noun > first + 1 || c->items[noun].kind != ITEM_WORD)))
        return 0;
    return place_last(c, topic, kinds_of(c, noun), is_plural(clause_text(c, noun)), first, noun,
                      found);
}

/* "In these lavas", "compositions of this unit": where nothing of the kind was named before. */
static size_t find_inside(const struct clause *c, const struct topic *topic,
                          struct entity *found)
{
    if (!topic->last.type || !(c->classes & W_PREP))
        return 0;
    for (size_t i = 1; i + 1 < c->n; i++) {
        if (clause_name(c, i - 1) &&
            is_any_of(clause_name(c, i - 1), K_ROCK | K_SAMPLE | K_MINERAL))
            return 0;
        bool is_prep = clause_class(c, i - 1) & W_PREP;
        if (!is_prep || !(clause_class(c, i) & W_DET) ||
            (!clause_is_word(c, i, "this") && !clause_is_word(c, i, "these")))
            continue;
        size_t noun = noun_behind(c, i);
        return !noun ? 0
                     : place_last(c, topic, kinds_of(c, noun), is_plural(clause_text(c, noun)),
                                  i, noun, found);
    }
    return 0;
}

/* ---- the former, the latter, both ---- */

/* The two of one kind in the group ("xenoliths of harzburgite and dunite from Lanzarote");
 * false when no kind, or more than one, has two. */
static bool pick_two(const struct group *g, struct entity pair[2])
{
    size_t found = 0;
    if (g->n > GROUP_MAX)
        return false; /* not all of them are kept */
    for (size_t i = 0; i < g->n; i++) {
        size_t same = 0, first = i;
        for (size_t k = 0; k < g->n; k++)
            if (strcmp(g->items[k].type, g->items[i].type) == 0) {
                first = k < first ? k : first;
                same++;
            }
        if (same == 2 && first < i) {
            pair[0] = g->items[first];
            pair[1] = g->items[i];
            found++;
        }
        found += same > 2;
    }
    return found == 1;
}

/* The two things of one kind that were named; false when there are more, or fewer. */
static bool find_two(const struct clause *c, size_t end, const struct topic *topic,
                     struct entity pair[2])
{
    struct group here = { .n = 0 };
    for (size_t i = 0; i < end; i++)
        if (clause_name(c, i) && is_any_of(clause_name(c, i), K_ANY))
            group_add(&here, clause_name(c, i));
    const struct group *g = here.n                  ? &here
                            : topic->subject.n == 2 ? &topic->subject
                                                    : &topic->named;
    return pick_two(g, pair);
}

static size_t find_former(const struct clause *c, const struct topic *topic,
                          struct entity *found)
{
    struct entity pair[2];
    size_t n = 0, first = c->n;
    for (size_t i = 1; i < c->n && n < 2; i++) {
        bool is_former = clause_is_word(c, i, "former"),
             is_latter = clause_is_word(c, i, "latter");
        if ((!is_former && !is_latter) || !clause_is_word(c, i - 1, "the"))
            continue;
        /* "the latter case", "the former study": of another noun */
        bool is_noun =
            i + 1 < c->n && c->items[i + 1].kind == ITEM_WORD && !clause_class(c, i + 1);
        first = first < c->n ? first : i - 1;
        if ((is_noun && !kinds_of(c, i + 1) && !is_verb_like(clause_text(c, i + 1))) ||
            !find_two(c, first, topic, pair))
            return n;
        found[n] = pair[is_latter];
        found[n].start = c->items[i - 1].start;
        found[n].end = c->items[i].end;
        found[n++].weak = false;
    }
    return n;
}

/* "both minerals", "the two lavas" */
static size_t find_both(const struct clause *c, const struct topic *topic, struct entity *found)
{
    for (size_t i = 0; i + 1 < c->n; i++) {
        if (!(clause_class(c, i) & W_GROUP) || number_of(c, i) == 0 ||
            is_plural_sample(c, i + 1))
            continue;
        unsigned kinds = kinds_of(c, i + 1);
        if (!kinds || clause_name(c, i + 2))
            continue;
        size_t n = 0, of = number_of(c, i);
        for (size_t k = 0; k < topic->named.n && k < GROUP_MAX; k++)
            n += is_any_of(&topic->named.items[k], kinds);
        if (n == of && topic->named.n <= GROUP_MAX)
            return place_all(c, &topic->named, kinds, i, i + 1, found);
        return 0;
    }
    return 0;
}

/* "Other phases present include", "The mineralogy is dominated by": of the sample spoken of. */
static size_t find_part(const struct clause *c, const struct topic *topic, struct entity *e)
{
    WORDS(openers, "the", "other", "minor", "additional", "major");
    static const char *const parts[] = { "phases",      "minerals",   "mineralogy",
                                         "composition", "assemblage", "compositions" };
    bool opens = false, is_part = false;
    if (!topic->last.type || strcmp(topic->last.type, "sample") != 0)
        return 0;
    opens |= clause_word_in(c, 0, &openers);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        is_part |= clause_is_word(c, 1, parts[i]) ||
                   (!clause_name(c, 1) && clause_is_word(c, 2, parts[i]) &&
                    c->items[1].kind == ITEM_WORD);
    if (!opens || !is_part)
        return 0;
    for (size_t i = 0; i < c->n; i++)
        if (clause_name(c, i) && strcmp(clause_name(c, i)->type, "sample") == 0)
            return 0; /* another one is named */
    *e = topic->last;
    e->start = c->items[0].start;
    e->end = c->items[0].end;
    e->weak = false;
    return 1;
}

/* "these targets", "both drill samples" */
static size_t find_group(const struct clause *c, const struct topic *topic,
                         struct entity *found)
{
    for (size_t i = 0; c->classes & W_GROUP && i + 1 < c->n; i++) {
        if (!(clause_class(c, i) & W_GROUP))
            continue;
        size_t n = number_of(c, i);
        bool is_these = clause_is_word(c, i, "these") && number_of(c, i + 1) == 0;
        if (!n && !is_these)
            continue;
        size_t noun = is_plural_sample(c, i + 1) ? i + 1 : i + 2;
        bool is_noun = is_plural_sample(c, noun) && c->items[i + 1].kind == ITEM_WORD &&
                       !clause_name(c, noun + 1);
        const struct group *g = is_these ? &topic->before : &topic->all;
        if (!is_noun || g->n > GROUP_MAX || (is_these ? g->n < 2 : g->n != n))
            continue;
        for (size_t k = 0; k < g->n; k++) {
            found[k] = g->items[k];
            found[k].start = c->items[i].start;
            found[k].end = c->items[noun].end;
            found[k].weak = false;
        }
        return g->n;
    }
    return 0;
}

size_t anaphora_find(const struct clause *c, const struct topic *topic, struct entity *found)
{
    size_t n = find_group(c, topic, found);
    if (n == 0 && c->classes & W_GROUP)
        n = find_former(c, topic, found);
    if (n == 0 && c->classes & W_GROUP)
        n = find_both(c, topic, found);
    if (n == 0)
        n = find_opening(c, topic, found);
    if (n == 0)
        n = find_part(c, topic, found);
    if (n == 0)
        n = find_inside(c, topic, found);
    return n;
}

void topic_start(struct topic *topic)
{
    topic->last.type = NULL;
    topic->age = 0;
    topic->before.n = topic->all.n = topic->subject.n = topic->named.n = 0;
    topic->has_rival = false;
}

void topic_break(struct topic *topic)
{
    topic->last.type = NULL;
    topic->before.n = topic->subject.n = topic->named.n = 0;
    topic->has_rival = false;
}

/* What c names; samples only where it names them itself. */
static void update_groups(struct topic *topic, const struct clause *c,
                          const struct entity *resolved, size_t n)
{
    topic->before.n = topic->named.n = 0;
    for (size_t k = 0; k < n; k++)
        group_add(&topic->named, &resolved[k]);
    for (size_t i = 0; i < c->n_names; i++) {
        const struct entity *e = clause_name(c, c->named[i]);
        unsigned kind = kind_of(e);
        bool is_meant =
            n && (e->start == resolved[0].start || e->start == resolved[n - 1].start);
        if (is_meant)
            continue;
        if (kind & K_ANY)
            group_add(&topic->named, e);
        if (kind != K_SAMPLE)
            continue;
        group_add(&topic->before, e);
        group_add(&topic->all, e);
    }
}

/* Is the name at item i behind a preposition? */
static bool hangs_on(const struct clause *c, size_t i)
{
    i = clause_phrase_start(c, i);
    return i > 0 && clause_class(c, i - 1) & W_PREP;
}

/* "Basalt, andesite and dacite": what is listed with the subject at item i; and is there
 * another of its kind behind, which "it" may mean as well? */
static void update_subject(struct topic *topic, const struct clause *c, size_t i)
{
    const struct entity *e = clause_name(c, i);
    bool is_list = true;
    topic->subject.n = 0;
    topic->has_rival = false;
    group_add(&topic->subject, e);
    for (size_t k = i + 1; k < c->n; k++) {
        const struct entity *next = clause_name(c, k);
        bool is_kind = next && next->type[0] == e->type[0] &&
                       strcmp(next->type, e->type) == 0 && !clause_is_mark(c, k + 1, '-');
        is_list = is_list && (is_kind || clause_is_mark(c, k, ',') ||
                              clause_class(c, k) & (W_AND | W_DET));
        if (is_kind && is_list)
            group_add(&topic->subject, next);
        else if (is_kind && !hangs_on(c, k) && !entity_is_same(next, e))
            topic->has_rival = true;
    }
}

void topic_update(struct topic *topic, const struct clause *c, const struct entity *resolved,
                  size_t n_resolved)
{
    const struct entity *best = NULL;
    size_t at = 0;
    update_groups(topic, c, resolved, n_resolved);
    bool has_verb = false;
    for (size_t i = 0; i < c->n && !n_resolved; i++) {
        const struct entity *e = clause_name(c, i);
        has_verb |= (clause_class(c, i) & (W_AUX | W_HAVE) && !(clause_class(c, i) & W_PREP));
        if (has_verb && best)
            break; /* what comes behind the verb is said of the subject */
        if (!best && i > 0 && clause_is_word(c, i, "they"))
            break; /* "it is likely that they": still of the same */
        unsigned kind = e ? kind_of(e) : 0;
        if (!(kind & K_THINGS) || (kind == K_PLACE && hangs_on(c, i)))
            continue;
        /* the head of a compound: "garnet peridotite" is about the peridotite */
        while (clause_name(c, i + 1) &&
               is_any_of(clause_name(c, i + 1), K_ROCK | K_MINERAL | K_SAMPLE))
            e = clause_name(c, ++i);
        bool hangs = hangs_on(c, i);
        if (clause_is_mark(c, i + 1, '-') || (hangs && best))
            continue;
        best = e;
        at = i;
        if (!hangs)
            break;
    }
    if (best) {
        topic->last = *best;
        topic->age = 0;
        update_subject(topic, c, at);
    } else if (n_resolved) {
        topic->age = 0;
        topic->has_rival = false;
        topic->last = resolved[0];
        topic->subject.n = 0;
        for (size_t k = 0; k < n_resolved; k++)
            group_add(&topic->subject, &resolved[k]);
    } else if (topic->last.type && ++topic->age > AGE_MAX) {
        topic->last.type = NULL;
    }
}
