// SPDX-License-Identifier: MIT
/*
 * abbrev.h — short forms that a paper makes for its own use: "Bushveld granite (BGR)"
 */
#ifndef ABBREV_H
#define ABBREV_H

#include "sv.h"
#include "vocab.h"

#define ABBREV_MAX 12 /* bytes of a short form with its NUL */

struct abbrevs {
    struct abbrev {
        char text[ABBREV_MAX];
        struct entity entity; /* what it stands for; start and end mean nothing */
    } * items;
    size_t n, cap;
};
void abbrevs_release(struct abbrevs *list);

/*
 * Learn from the names of text: a name with "(SF)" behind it, where the letters of SF stand in
 * the name in that order, the first at its start, two of them capitals. What names has already
 * (the vocabulary knows "MORB") is left alone. The first meaning stays.
 */
void abbrevs_learn(struct abbrevs *list, struct sv text, const struct entities *names);

/* Add to names, in order, the places of text where a short form of the list stands alone and no
 * name is yet. */
void abbrevs_find(const struct abbrevs *list, struct sv text, struct entities *names);

#endif
