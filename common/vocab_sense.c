// SPDX-License-Identifier: MIT
/*
 * vocab_sense.c — names of two senses: what they are where they stand
 *
 * "Amphibolite to granulite facies" is a grade, no rock; clay between quartz and illite is a
 * mineral, beside sand a sediment; dolomite between beds of shale is a rock; gold between
 * pyrite and quartz is a mineral; the ore of "ore body" and the sand of "sand-sized" name
 * nothing.
 */
#include "scan.h"
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

#define FACIES_MAX 48 /* bytes from a rock to the "facies" that it shares */

static struct sv word_behind(struct sv text, size_t pos)
{
    if (pos < text.n && (text.p[pos] == ' ' || text.p[pos] == '-'))
        pos++;
    return sv_from_to(text, pos, vocab_skip_word(text, pos));
}

/* The member of a list before (side -1) or behind (1) the name i, or NULL. */
static const struct entity *beside(struct sv text, const struct entities *list, size_t i,
                                   int side)
{
    if ((side < 0 && i == 0) || (side > 0 && i + 1 >= list->n))
        return NULL;
    const struct entity *e = &list->items[i], *o = side < 0 ? e - 1 : e + 1;
    const struct entity *left = side < 0 ? o : e, *right = side < 0 ? e : o;
    if (o->weak || left->end > right->start)
        return NULL;
    return vocab_is_list_gap(sv_from_to(text, left->end, right->start)) ? o : NULL;
}

/* How many of the two neighbours in a list are of the type. */
static unsigned count_beside(struct sv text, const struct entities *list, size_t i,
                             const char *type)
{
    unsigned n = 0;
    for (int side = -1; side <= 1; side += 2) {
        const struct entity *o = beside(text, list, i, side);
        n += o && vocab_type_is(o->type, type);
    }
    return n;
}

/* Make *e the entry of that name, if the vocabulary has one. */
static void become(const struct vocab *v, struct entity *e, struct sv name, const char *type)
{
    uint32_t entry = vocab_find(v, name, type);
    if (entry == VOCAB_NONE)
        return;
    e->entry = entry;
    e->match = VOCAB_NONE;
    e->type = vocab_type(v, entry);
}

/* " to upper granulite " of "amphibolite to upper granulite facies". */
static bool leads_to_facies(struct sv text, size_t pos)
{
    static const char *const joins[] = {
        " to ", "- to ", " and ", "- and ",       " or ",      "/",
        "-",    "- or ", " - ",   "\xE2\x80\x93", "- through "
    };
    struct sv rest =
        sv_from_to(text, pos, pos + FACIES_MAX < text.n ? pos + FACIES_MAX : text.n);
    size_t at = sv_find(rest, SV("facies"), 0);
    if (at == SIZE_MAX || at == 0)
        return false;
    bool is_joined = false;
    for (size_t i = 0; i < ARRAY_LEN(joins) && !is_joined; i++)
        is_joined = sv_starts(rest, sv_from(joins[i]));
    for (size_t i = 0; i < at && is_joined; i++) {
        unsigned char c = (unsigned char)rest.p[i];
        is_joined = c >= 0x80 || c == ' ' || c == '-' || c == '/' || scan_is_letter(c);
    }
    return is_joined && at > 2;
}

static void tell_facies(const struct vocab *v, struct sv text, struct entity *e)
{
    static const char *const grades[] = { "amphibolite", "granulite",  "eclogite",
                                          "greenschist", "blueschist", "hornfels" };
    struct sv name = vocab_name(v, e->entry);
    char facies[32];
    if (!sv_in(name, grades, ARRAY_LEN(grades)) || !leads_to_facies(text, e->end))
        return;
    memcpy(facies, name.p, name.n);
    memcpy(facies + name.n, " facies", 7);
    become(v, e, (struct sv){ facies, name.n + 7 }, "setting");
}

/* "Sand-sized", "clay fraction": how coarse. */
static bool is_size(struct sv text, const struct entity *e)
{
    static const char *const sizes[] = { "size",  "sized",    "sizes",
                                         "grade", "fraction", "fractions" };
    return VOCAB_AMONG(word_behind(text, e->end), sizes);
}

/* "altered to clay" */
static bool is_altered_to(struct sv text, size_t pos)
{
    static const char *const before[] = { "altered to ",   "weathered to ", "replaced by ",
                                          "converted to ", "degraded to ",  "weathers to ",
                                          "alters to " };
    for (size_t i = 0; i < ARRAY_LEN(before); i++)
        if (sv_ends((struct sv){ text.p, pos }, sv_from(before[i])))
            return true;
    return false;
}

static void tell_clay(const struct vocab *v, struct sv text, struct entities *list, size_t i)
{
    static const char *const behind[] = { "alteration", "altered", "mineralogy" };
    struct entity *e = &list->items[i];
    const struct entity *o = beside(text, list, i, -1);
    bool is_pair = o && vocab_type_is(o->type, "mineral") && text.p[o->end] == '-';
    if (is_pair || count_beside(text, list, i, "mineral") == 2 ||
        is_altered_to(text, e->start) || VOCAB_AMONG(word_behind(text, e->end), behind))
        become(v, e, SV("clay minerals"), "mineral");
    else
        e->weak |= is_size(text, e);
}

/* "Ore body", "ore-forming": what is spoken of is the noun behind. */
static bool is_of_ore(struct sv text, const struct entity *e)
{
    static const char *const behind[] = {
        "type",    "types",   "body",     "bodies",   "shoot",     "shoots",    "zone",
        "zones",   "reserve", "reserves", "resource", "resources", "grade",     "grades",
        "forming", "bearing", "hosting",  "genesis",  "potential", "controls",  "control",
        "system",  "systems", "province", "district", "element",   "elements",  "metal",
        "metals",  "deposit", "deposits", "field",    "fields",    "formation",
    };
    return VOCAB_AMONG(word_behind(text, e->end), behind);
}

static void tell_rock(const struct vocab *v, struct sv text, struct entities *list, size_t i)
{
    static const char *const grains[] = { "sand", "silt", "mud", "gravel" };
    struct entity *e = &list->items[i];
    struct sv name = vocab_name(v, e->entry);
    if (sv_is(name, "clay"))
        tell_clay(v, text, list, i);
    else if (sv_is(name, "ore"))
        e->weak |= is_of_ore(text, e);
    else if (sv_in(name, grains, ARRAY_LEN(grains)))
        e->weak |= is_size(text, e);
    else if (name.n >= 8)
        tell_facies(v, text, e);
}

static void tell_dolomite(const struct vocab *v, struct sv text, struct entities *list,
                          size_t i)
{
    static const char *const beds[] = {
        "bed",     "beds",     "unit",    "units",  "sequence",
        "horizon", "horizons", "aquifer", "member", "succession"
    };
    struct entity *e = &list->items[i];
    bool is_among_rocks =
        count_beside(text, list, i, "rock") && !count_beside(text, list, i, "mineral");
    if (is_among_rocks || VOCAB_AMONG(word_behind(text, e->end), beds))
        become(v, e, SV("dolostone"), "rock");
}

/* Minerals next to the name i in its list, to both sides. */
static unsigned count_minerals(struct sv text, const struct entities *list, size_t i)
{
    unsigned n = 0;
    for (int side = -1; side <= 1; side += 2) {
        size_t k = i;
        for (const struct entity *o; (o = beside(text, list, k, side)) != NULL; n++) {
            if (!vocab_type_is(o->type, "mineral"))
                return k == i ? 0 : n; /* of another kind of list */
            k = (size_t)(o - list->items);
        }
    }
    return n;
}

/* "pyrite, gold and galena": the metal itself. Beside one mineral alone, and before "contents",
 * it may be the element. */
static void tell_metal(const struct vocab *v, struct sv text, struct entities *list, size_t i)
{
    struct entity *e = &list->items[i];
    bool is_gold = sv_is(vocab_name(v, e->entry), "gold");
    bool is_hyphened = (e->start > 0 && text.p[e->start - 1] == '-') ||
                       (e->end < text.n && text.p[e->end] == '-');
    if ((is_gold || sv_is(vocab_name(v, e->entry), "silver")) && !is_hyphened &&
        count_minerals(text, list, i) >= 2)
        become(v, e, is_gold ? SV("native gold") : SV("native silver"), "mineral");
}

void vocab_weigh_sense(const struct vocab *v, struct sv text, struct entities *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct entity *e = &list->items[i];
        size_t n = e->end - e->start;
        if (e->weak || e->chem || e->entry == VOCAB_NONE || n > 12)
            continue;
        if (vocab_type_is(e->type, "rock"))
            tell_rock(v, text, list, i);
        else if ((n == 8 || n == 9) && (text.p[e->start] | 32) == 'd' && e->type[0] == 'm' &&
                 sv_is(vocab_name(v, e->entry), "dolomite"))
            tell_dolomite(v, text, list, i);
        else if ((n == 4 || n == 6) && vocab_type_is(e->type, "element"))
            tell_metal(v, text, list, i);
    }
}
