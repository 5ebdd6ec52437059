// SPDX-License-Identifier: MIT
/*
 * broader.c — what the vocabularies, and the names themselves, say a name is a kind of
 */
#include "scratch.h"

static void add_is_a(struct scratch *w, struct node head, struct node tail)
{
    struct fact f = {
        .head = head,
        .tail = tail,
        .relation = "Is A",
        .confidence = 0.95,
        .is_general = true,
        .extractor = "pattern",
        .start = w->clause.start,
        .end = w->clause.end,
    };
    sink_add(&w->sink, &f);
}

/* The noun of a name that no list has: "basalt" of "porphyritic basalt". */
static uint32_t noun_of(const struct vocab *v, const struct entity *e)
{
    struct sv name = sv_from(e->notation);
    for (size_t i = 1; i < name.n; i++) {
        if (name.p[i - 1] != ' ' && name.p[i - 1] != '-')
            continue;
        uint32_t entry = vocab_find(v, sv_from_to(name, i, name.n), e->type);
        if (entry != VOCAB_NONE)
            return entry;
    }
    return VOCAB_NONE;
}

void broader_add(const struct vocab *v, struct scratch *w)
{
    const struct clause *c = &w->clause;
    for (size_t i = 0; i < c->n; i++) {
        const struct entity *e = clause_name(c, i);
        uint32_t entry = e ? e->entry : VOCAB_NONE;
        struct sv broader = SV_NONE;
        bool is_made = e && entry == VOCAB_NONE && !e->chem &&
                       (strcmp(e->type, "rock") == 0 || strcmp(e->type, "mineral") == 0);
        if (is_made && (entry = noun_of(v, e)) != VOCAB_NONE)
            add_is_a(w, (struct node){ e->type, entity_name(v, e) },
                     (struct node){ e->type, vocab_name(v, entry) });
        for (unsigned n = 0;
             n < 8 && entry != VOCAB_NONE && vocab_attr(v, entry, "broader", &broader); n++) {
            uint32_t above = vocab_find(v, broader, vocab_type(v, entry));
            if (above == VOCAB_NONE)
                break;
            add_is_a(w, (struct node){ vocab_type(v, entry), vocab_name(v, entry) },
                     (struct node){ vocab_type(v, above), vocab_name(v, above) });
            entry = above;
        }
    }
}
