// SPDX-License-Identifier: MIT
/*
 * vocab_widen.c — names whose words no list has in full: "Late Devensian", "quartz-feldspar
 * porphyry", "Ti-chromite", and those that share a word with the next, "Middle and Late
 * Triassic"
 */
#include "vocab_impl.h"

static size_t floor_of(const struct entities *list)
{
    return list->n ? list->items[list->n - 1].end : 0;
}

size_t vocab_widen(const struct vocab *v, struct sv text, struct entities *list,
                   struct entity *e, struct entity parts[VOCAB_PARTS])
{
    if (vocab_type_is(e->type, "geologic_time")) {
        vocab_widen_time(text, floor_of(list), e);
        return vocab_shared_time(v, text, floor_of(list), e, parts);
    }
    if (vocab_type_is(e->type, "rock")) {
        size_t floor = floor_of(list); /* what the rock takes in may be the unit's, too */
        vocab_widen_rock(v, text, list, e);
        if (vocab_take_unit(text, floor, e))
            return 0;
        return vocab_shared_rock(v, text, floor_of(list), e, parts, VOCAB_PARTS);
    }
    if (vocab_type_is(e->type, "mineral")) {
        vocab_widen_mineral(v, text, list, e);
        vocab_widen_dolomite(v, text, list, e);
    }
    return 0;
}
