// SPDX-License-Identifier: MIT
/*
 * anaphora.c — the subject of the sentences before
 */
#include "anaphora.h"

#define AGE_MAX 2 /* sentences a subject is remembered without being named */

static const struct {
    const char *noun, *types;
} nouns[] = {
    { "rock", "rock,sample" },
    { "rocks", "rock,sample" },
    { "lava", "rock,sample" },
    { "lavas", "rock,sample" },
    { "unit", "rock,sample" },
    { "units", "rock,sample" },
    { "intrusion", "rock" },
    { "intrusions", "rock" },
    { "pluton", "rock" },
    { "plutons", "rock" },
    { "magma", "rock" },
    { "magmas", "rock" },
    { "melts", "rock" },
    { "sediments", "rock" },
    { "mineral", "mineral" },
    { "minerals", "mineral" },
    { "grains", "mineral" },
    { "crystals", "mineral" },
    { "phase", "mineral" },
    { "phases", "mineral" },
    { "phenocrysts", "mineral" },
    { "sample", "sample,rock" },
    { "samples", "sample,rock" },
    { "target", "sample" },
    { "targets", "sample" },
    { "specimen", "sample" },
    { "specimens", "sample" },
    { "deposit", "deposit" },
    { "deposits", "deposit" },
    { "ore", "deposit" },
    { "meteorite", "sample,rock" },
    { "outcrop", "sample,rock" },
    { "element", "element" },
};

static bool allows(const char *types, const char *type)
{
    struct sv rest = sv_from(types), one;
    while (rest.n && sv_cut(&rest, ',', &one))
        if (sv_is(one, type))
            return true;
    return false;
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

static bool find_opening(const struct clause *c, const struct topic *topic, struct entity *e)
{
    static const char any[] = "rock,mineral,sample,deposit,element";
    if (!topic->last.type || c->n < 3 || opening(c) + 2 >= c->n)
        return false;
    size_t first = opening(c), last = first;
    const char *types = NULL;
    if (is_pronoun(c, first) && !is_empty_it(c, first)) {
        types = any;
    } else if (clause_is_word(c, first, "this") || clause_is_word(c, first, "these") ||
               clause_is_word(c, first, "the") || clause_is_word(c, first, "such")) {
        struct sv noun = clause_text(c, first + 1);
        for (size_t i = 0; i < ARRAY_LEN(nouns) && !types; i++)
            if (vocab_word_is(noun, nouns[i].noun))
                types = nouns[i].types;
        /* "the rock" may be any, "the phase of"; "these rocks" is not */
        bool has_more = clause_is_word(c, first + 2, "of") || clause_name(c, first + 2) ||
                        clause_is_mark(c, first + 2, '-');
        bool is_plain =
            c->items[first + 1].kind == ITEM_WORD || !clause_is_word(c, first, "the");
        if (has_more || !is_plain)
            types = NULL;
        last = first + 1;
    }
    if (!types || !allows(types, topic->last.type))
        return false;
    *e = topic->last;
    e->start = c->items[first].start;
    e->end = c->items[last].end;
    e->weak = false;
    return true;
}

/* "Other phases present include", "The mineralogy is dominated by": of the sample spoken of. */
static bool find_part(const struct clause *c, const struct topic *topic, struct entity *e)
{
    static const char *const openers[] = { "the", "other", "minor", "additional", "major" };
    static const char *const parts[] = { "phases",      "minerals",   "mineralogy",
                                         "composition", "assemblage", "compositions" };
    bool opens = false, is_part = false;
    if (!topic->last.type || strcmp(topic->last.type, "sample") != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(openers); i++)
        opens |= clause_is_word(c, 0, openers[i]);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        is_part |= clause_is_word(c, 1, parts[i]) ||
                   (!clause_name(c, 1) && clause_is_word(c, 2, parts[i]) &&
                    c->items[1].kind == ITEM_WORD);
    if (!opens || !is_part)
        return false;
    for (size_t i = 0; i < c->n; i++)
        if (clause_name(c, i) && strcmp(clause_name(c, i)->type, "sample") == 0)
            return false; /* another one is named */
    *e = topic->last;
    e->start = c->items[0].start;
    e->end = c->items[0].end;
    e->weak = false;
    return true;
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
    if (n == 0)
        n = find_opening(c, topic, found) || find_part(c, topic, found);
    return n;
}

static void group_add(struct group *g, const struct entity *e)
{
    for (size_t i = 0; i < g->n && i < GROUP_MAX; i++)
        if (strcmp(g->items[i].notation, e->notation) == 0)
            return;
    if (g->n < GROUP_MAX)
        g->items[g->n] = *e;
    g->n += g->n <= GROUP_MAX;
}

void topic_start(struct topic *topic)
{
    topic->last.type = NULL;
    topic->age = 0;
    topic->before.n = topic->all.n = 0;
}

void topic_break(struct topic *topic)
{
    topic->last.type = NULL;
    topic->before.n = 0;
}

/* The samples that c names itself. */
static void update_groups(struct topic *topic, const struct clause *c,
                          const struct entity *resolved)
{
    topic->before.n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct entity *e = clause_name(c, i);
        if (!e || strcmp(e->type, "sample") != 0 || (resolved && e->start == resolved->start))
            continue;
        group_add(&topic->before, e);
        group_add(&topic->all, e);
    }
}

void topic_update(struct topic *topic, const struct clause *c, const struct entity *resolved)
{
    const struct entity *best = NULL;
    update_groups(topic, c, resolved);
    bool has_verb = false;
    for (size_t i = 0; i < c->n && !resolved; i++) {
        const struct entity *e = clause_name(c, i);
        has_verb |= (clause_class(c, i) & (W_AUX | W_HAVE) && !(clause_class(c, i) & W_PREP));
        if (has_verb && best)
            break; /* what comes behind the verb is said of the subject */
        if (!e || !allows("rock,mineral,sample,deposit,element", e->type))
            continue;
        /* the head of a compound: "garnet peridotite" is about the peridotite */
        while (clause_name(c, i + 1) &&
               allows("rock,mineral,sample", clause_name(c, i + 1)->type))
            e = clause_name(c, ++i);
        size_t k = i;
        while (k > 0 && (clause_class(c, k - 1) & W_DET || clause_name(c, k - 1)))
            k--;
        bool hangs = k > 0 && clause_class(c, k - 1) & W_PREP;
        if (clause_is_mark(c, i + 1, '-') || (hangs && best))
            continue;
        best = e;
        if (!hangs)
            break;
    }
    if (best) {
        topic->last = *best;
        topic->age = 0;
    } else if (resolved) {
        topic->age = 0;
    } else if (topic->last.type && ++topic->age > AGE_MAX) {
        topic->last.type = NULL;
    }
}
