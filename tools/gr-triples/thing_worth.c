// SPDX-License-Identifier: MIT
/*
 * thing_worth.c — how much a value read right is worth as a fact
 *
 * "225 samples", "a 20 m sequence", "a distance of 2 m" are read right and tell nothing about
 * matter: they keep out of the way below the confidence that is asked for by default, and come
 * out for who asks for less.
 */
#include "thing_impl.h"

/* Nouns that name no one thing: another one in every sentence. */
static bool is_generic(struct sv name)
{
    WORDS(words, "band", "bands", "bed", "beds", "belt", "body", "channel", "conditions",
          "core", "cores", "deposits", "device", "devices", "event", "field", "film", "films",
          "images", "layer", "layers", "line", "location", "material", "materials", "object",
          "objects", "particles", "peak", "peaks", "point", "points", "region", "regions",
          "scale", "section", "sections", "sequence", "series", "specimen", "specimens",
          "strata", "succession", "surface", "surfaces", "system", "unit", "units");
    return words_have(&words, name);
}

static struct sv last_word(struct sv name)
{
    size_t k = name.n;
    while (k > 0 && name.p[k - 1] != ' ')
        k--;
    return sv_from_to(name, k, name.n);
}

/* Properties of the set-up and not of matter. */
static bool is_set_up(struct sv property)
{
    WORDS(words, "albedo", "angle", "coefficient", "collection", "count", "distance", "energy",
          "exposure", "frequency", "intensity", "pixel", "power", "pulse", "separation",
          "setting", "signal", "slope", "spacing", "speed", "standoff", "view", "wavelength",
          "wavelengths");
    return words_have(&words, last_word(property));
}

/* A state that means something though nobody says of what: "a peak metamorphic temperature",
 * "the median salinity". */
static bool is_state(const struct tie *t)
{
    WORDS(words, "fugacity", "precipitation", "rainfall", "salinities", "salinity");
    return t->units & (P_HEAT | P_FORCE) || words_have(&words, last_word(t->head.name));
}

/* A number without a property; "Has Value" does not say which. */
static bool is_untold(const struct tie *t, const struct node *property, const char *relation)
{
    bool is_share = t->units & P_SHARE && strcmp(t->head.type, "thing") != 0;
    return !property->type && strcmp(relation, "Has Value") == 0 && !is_share;
}

double thing_worth(const struct tie *t, const struct node *property, const char *relation)
{
    bool is_told = property->type && !is_set_up(property->name);
    if (strcmp(t->head.type, "property") == 0)
        return is_told ? FAIR - 0.1 : is_state(t) ? 0.5 : WEAK;
    if (is_untold(t, property, relation) || (property->type && is_set_up(property->name)))
        return WEAK;
    bool is_ratio_age =
        strcmp(relation, "Has Age") == 0 && strncmp(t->head.type, "isotope", 7) == 0;
    if (is_ratio_age) /* whose age is not said */
        return WEAK;
    bool is_time = strcmp(t->head.type, "geologic_time") == 0;
    if (is_time && strcmp(relation, "Has Age") != 0)
        return WEAK; /* "1 km thick Carboniferous strata" */
    bool is_thing = strcmp(t->head.type, "thing") == 0;
    bool is_kept = strcmp(relation, "Has Concentration") == 0;
    is_kept |= strcmp(relation, "Has Age") == 0;
    if (is_thing && !is_kept && is_generic(t->head.name))
        return WEAK;
    if (is_thing && property->type && strcmp(property->type, "property") == 0 &&
        is_generic(last_word(t->head.name)))
        return FAIR - 0.1;
    return 1;
}
