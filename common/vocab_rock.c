// SPDX-License-Identifier: MIT
/*
 * vocab_rock.c — the whole name of a rock: what stands before the noun and says which rock it
 * is
 *
 * "felsic volcaniclastic rock", "quartz-feldspar porphyry", "high-Mg andesite": composition,
 * minerals and texture make a kind of rock, which no list of names can have in full. Colour,
 * grain size, freshness and age ("grey", "coarse", "altered", "Permian") do not.
 */
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

/* Adjectives that make a kind of rock, in order. */
static const char *const kinds[] = {
    "acid",
    "acidic",
    "aeolian",
    "algal",
    "alkali",
    "alkalic",
    "alkaline",
    "alluvial",
    "aluminous",
    "amygdular",
    "arkosic",
    "banded",
    "basaltic",
    "basic",
    "bimodal",
    "bioclast",
    "biogenic",
    "bituminous",
    "bryozoan",
    "calc", /* "calc-alkaline" */
    "calcalkaline",
    "calcareous",
    "calcic",
    "calcsilicate",
    "cannely",
    "chalky",
    "cherty",
    "clastic",
    "clayey",
    "coaly",
    "colluvial",
    "concretionary",
    "conglomeratic",
    "coral",
    "coralline",
    "crinoid",
    "crystal",
    "crystalline",
    "deltaic",
    "diamictic",
    "diatom",
    "eolian",
    "equigranular",
    "estuarine",
    "exhalative",
    "extrusive",
    "eye",
    "feldspathic",
    "felsic",
    "felspathic",
    "ferroan",
    "ferruginous",
    "flinty",
    "fluvial",
    "fluviatile",
    "fluvioglacial",
    "foraminiferal",
    "fragmental",
    "gabbroic",
    "glacial",
    "glaciofluvial",
    "glaciogenic",
    "glaciolacustrine",
    "glaciomarine",
    "glassy",
    "gneissic",
    "gneissoid",
    "gneissose",
    "gossanous",
    "granitoid",
    "granoblastic",
    "gravelly",
    "gritty",
    "hemipelagic",
    "hornfelsic",
    "hypabyssal",
    "inequigranular",
    "interflow",
    "intergranular",
    "intermediate",
    "interpillow",
    "intersertal",
    "intraformational",
    "intrusive",
    "lacustrine",
    "layered",
    "leucocratic",
    "lithic",
    "mafic",
    "magmatic",
    "marine",
    "marly",
    "megacrystic",
    "melanocratic",
    "mesocratic",
    "metaigneous",
    "metaluminous",
    "metamorphic",
    "metasedimentary",
    "metasomatic",
    "metavolcanic",
    "microbial",
    "minettic",
    "molluscan",
    "monomict",
    "monomictic",
    "muddy",
    "nannofossil",
    "nodular",
    "oligomictic",
    "oncoid",
    "ooid",
    "ooidal",
    "opaline",
    "orbicular",
    "peaty",
    "pebbly",
    "pelagic",
    "peloid",
    "peralkaline",
    "peraluminous",
    "phosphatic",
    "phyric", /* "plagioclase-phyric" */
    "picrobasaltic",
    "pillow",
    "pillowed",
    "pisoid",
    "plutonic",
    "polymict",
    "polymictic",
    "potassic",
    "pumiceous",
    "quartzo",
    "quartzofeldspathic",
    "quartzofelspathic",
    "quartzose",
    "radiolarian",
    "sandy",
    "sapropelic",
    "schistose",
    "seriate",
    "shaly",
    "shell",
    "shelly",
    "siliceous",
    "silicic",
    "silty",
    "skarnoid",
    "skeletal",
    "slaty",
    "sodic",
    "subalkaline",
    "subarkosic",
    "subvolcanic",
    "sulfidic",
    "sulphidic",
    "talcose",
    "terrigenous",
    "trachytic",
    "transitional",
    "tufaceous",
    "ultrabasic",
    "ultramafic",
    "ultrapotassic",
    "vesicular",
    "vitric",
    "volcanic",
    "volcanogenic",
    "volcanosedimentary",
    "welded",
    "xenolithic",
};

/* The word before byte pos and what joins it; start == pos: none. */
struct left {
    size_t start, end;
    bool is_hyphen;
};

static struct left word_left(struct sv text, size_t pos)
{
    struct left w = { pos, pos, false };
    if (pos < 2)
        return w;
    size_t end = pos - 1;
    if (pos > 3 && !memcmp(text.p + pos - 3, "\xE2\x80", 2)) /* any dash */
        end = pos - 3;
    else if (text.p[pos - 1] != ' ' && text.p[pos - 1] != '\n' && text.p[pos - 1] != '-' &&
             text.p[pos - 1] != '/')
        return w;
    size_t start = end;
    while (start > 0 && (unsigned char)((text.p[start - 1] | 32) - 'a') < 26)
        start--;
    if (start == end)
        return w;
    return (struct left){ start, end, text.p[end] != ' ' && text.p[end] != '\n' };
}

static bool is_kind(struct sv word)
{
    if (word.n > 8 && vocab_word_is(sv_from_to(word, 0, 4), "meta") && word.p[4] != 'l' &&
        word.p[4] != 's') /* "metapelitic" */
        word = sv_from_to(word, 4, word.n);
    /* "dioritic", "carbonaceous", "fossiliferous", "amygdaloidal" … */
    static const char *const ends[] = { "itic",   "aceous", "iferous", "clastic",
                                        "phyric", "oidal",  "gneissic" };
    for (size_t i = 0; word.n > 6 && i < ARRAY_LEN(ends); i++)
        if (sv_ends(word, sv_from(ends[i])))
            return true;
    char first = (char)(word.n ? word.p[0] | 32 : 0);
    for (size_t i = 0; i < ARRAY_LEN(kinds) && kinds[i][0] <= first; i++)
        if (kinds[i][0] == first && vocab_word_is(word, kinds[i]))
            return true;
    return false;
}

/* Start of "high-Mg", "low-Ti", "I-type", when such a word ends with w, or w.start. */
static size_t hyphened(struct sv text, const struct left *w)
{
    struct left first = word_left(text, w->start);
    struct sv word = sv_from_to(text, w->start, w->end),
              head = sv_from_to(text, first.start, first.end);
    if (!first.is_hyphen || !head.n || text.p[first.end] == '/')
        return w->start;
    bool is_grade = vocab_word_is(head, "high") || vocab_word_is(head, "low") ||
                    vocab_word_is(head, "medium");
    bool is_symbol = word.n <= 4 && word.p[0] >= 'A' && word.p[0] <= 'Z';
    if (is_grade &&
        (is_symbol || vocab_word_is(word, "alumina") || vocab_word_is(word, "silica")))
        return first.start;
    bool is_letter = head.n == 1 && strchr("AIMS", head.p[0]);
    return is_letter && vocab_word_is(word, "type") ? first.start : w->start;
}

/* Heads that are no kind of rock, only its role or place. */
static bool is_role(const struct vocab *v, const struct entity *e)
{
    static const char *const roles[] = { "country rock", "whole rock",    "bedrock",
                                         "xenolith",     "basement rock", "ore" };
    struct sv name = e->entry == VOCAB_NONE ? SV_NONE : vocab_name(v, e->entry);
    return sv_in(name, roles, ARRAY_LEN(roles));
}

/* May the name o, which ends where w does, belong to the rock behind it? */
static bool is_modifier(const struct vocab *v, const struct entity *o, const struct left *w,
                        bool after_hyphen, bool after_rock)
{
    if (o->end != w->end || o->weak || o->chem)
        return false;
    if (strcmp(o->type, "mineral") == 0) /* more of them only in a chain: "quartz-feldspar" */
        return w->is_hyphen || !after_hyphen;
    /* "rhyolite-trachyte tuff", but "granite-greenstone" */
    return strcmp(o->type, "rock") == 0 && (!w->is_hyphen || after_rock) && !is_role(v, o);
}

/* Where the name begins that ends with the rock *e; *n: how many names of the list stand before
 * it. */
static size_t find_start(const struct vocab *v, struct sv text, const struct entities *list,
                         const struct entity *e, size_t *n)
{
    size_t start = e->start;
    bool has_name = false, has_rock = false;
    for (*n = list->n;;) {
        struct left w = word_left(text, start);
        const struct entity *last = *n ? &list->items[*n - 1] : NULL;
        if (w.start == start)
            return start;
        if (last && is_modifier(v, last, &w, has_name, has_rock)) {
            has_name = true;
            has_rock = last->type[0] == 'r';
            start = last->start;
            --*n;
            continue;
        }
        struct sv word = sv_from_to(text, w.start, w.end);
        /* "two-pyroxene granulite" */
        bool is_two = has_name && w.is_hyphen && vocab_word_is(word, "two");
        size_t from = is_two || is_kind(word) ? w.start : hyphened(text, &w);
        bool is_word = is_two || from != w.start || is_kind(word);
        size_t left_of = *n;
        while (left_of && list->items[left_of - 1].start >= from)
            left_of--; /* names inside of the word: "mafic", "Mg" */
        bool is_time = left_of < *n && strcmp(list->items[left_of].type, "geologic_time") == 0;
        if (!is_word || is_time || (left_of && list->items[left_of - 1].end > from))
            return start; /* "Carboniferous limestone" */
        start = from;
        *n = left_of;
    }
}

bool vocab_name_widened(const struct vocab *v, struct sv text, size_t start, struct entity *e)
{
    char name[CHEM_MAX] = "";
    struct sv head = entity_name(v, e);
    size_t n = 0;
    for (size_t i = start; i < e->start && n < CHEM_MAX; i++) {
        bool is_dash = i + 3 <= e->start && !memcmp(text.p + i, "\xE2\x80", 2);
        name[n++] = is_dash ? '-' : text.p[i] == '\n' ? ' ' : text.p[i];
        i += is_dash ? 2 : 0;
    }
    if (n + head.n >= CHEM_MAX)
        return false;
    bool is_plain =
        n > 2 && name[1] >= 'a' && name[1] <= 'z' && name[2] >= 'a' && name[2] <= 'z';
    name[0] = (char)(is_plain && name[0] >= 'A' && name[0] <= 'Z' ? name[0] + 32 : name[0]);
    memcpy(name + n, head.p, head.n);
    name[n + head.n] = '\0';
    memcpy(e->notation, name, n + head.n + 1);
    e->start = start;
    e->entry = e->match = VOCAB_NONE;
    return true;
}

void vocab_widen_rock(const struct vocab *v, struct sv text, struct entities *list,
                      struct entity *e)
{
    size_t n = list->n;
    bool is_bare = vocab_is_bare_rock(v, e);
    if ((e->weak && !e->is_field && !is_bare) || e->chem || is_role(v, e))
        return;
    size_t start = find_start(v, text, list, e, &n);
    if (start == e->start || !vocab_name_widened(v, text, start, e))
        return;
    list->n = n;
    if (is_bare)
        e->weak = false;
}

bool vocab_is_bare_rock(const struct vocab *v, const struct entity *e)
{
    return e->weak && e->type[0] == 'r' && e->entry != VOCAB_NONE &&
           sv_is(vocab_name(v, e->entry), "rock");
}

/* Byte behind the word that "and", "to", "or" or a dash joins to what starts at pos; a comma
 * will do before the next of them. SIZE_MAX: none. */
static size_t joined_end(struct sv text, size_t pos, bool has_more)
{
    static const char *const joins[] = { ", and ", ", or ",        " and ", " to ",
                                         " or ",   "\xE2\x80\x93", ", " };
    struct sv left = { text.p, pos };
    for (size_t i = 0; i < ARRAY_LEN(joins) - !has_more; i++)
        if (sv_ends(left, sv_from(joins[i])))
            return pos - strlen(joins[i]);
    return SIZE_MAX;
}

static bool is_class(struct sv word)
{
    return is_kind(word) || vocab_word_is(word, "sedimentary") ||
           vocab_word_is(word, "igneous");
}

size_t vocab_shared_rock(const struct vocab *v, struct sv text, size_t floor,
                         const struct entity *e, struct entity *parts, size_t max)
{
    struct sv first = sv_from_to(text, e->start, vocab_skip_word(text, e->start)), rest;
    struct sv name = entity_name(v, e);
    const char *blank = memchr(name.p, ' ', name.n);
    size_t n = 0, pos = e->start;
    if (e->weak || e->chem || !blank || !is_class(first))
        return 0;
    rest = sv_from_to(name, (size_t)(blank - name.p), name.n);
    while (n < max) {
        size_t end = joined_end(text, pos, n > 0), start = end;
        if (end == SIZE_MAX)
            break;
        while (start > floor && (unsigned char)((text.p[start - 1] | 32) - 'a') < 26)
            start--;
        struct sv word = sv_from_to(text, start, end);
        if (start < floor || word.n < 4 || word.n + rest.n >= CHEM_MAX || !is_class(word) ||
            (start > 0 && text.p[start - 1] == '-'))
            break;
        struct entity *part = &parts[n++];
        *part = (struct entity){
            .start = start, .end = end, .type = "rock", .entry = VOCAB_NONE, .match = VOCAB_NONE
        };
        memcpy(part->notation, word.p, word.n);
        part->notation[0] = (char)(part->notation[0] | 32);
        memcpy(part->notation + word.n, rest.p, rest.n);
        part->notation[word.n + rest.n] = '\0';
        part->entry = vocab_find(v, sv_from(part->notation), "rock");
        pos = start;
    }
    return n;
}

void vocab_widen_dolomite(const struct vocab *v, struct sv text, struct entities *list,
                          struct entity *e)
{
    struct sv name = e->entry == VOCAB_NONE ? SV_NONE : vocab_name(v, e->entry);
    struct left w = word_left(text, e->start);
    if (!sv_is(name, "dolomite") || w.is_hyphen || !is_kind(sv_from_to(text, w.start, w.end)))
        return;
    e->type = "rock";
    vocab_widen_rock(v, text, list, e);
}

size_t vocab_inner_rock(const struct vocab *v, struct sv text, const struct entity *e,
                        struct entity *inner, size_t max)
{
    size_t n = 0;
    for (size_t pos = e->start, end; n < max; pos = end) {
        end = vocab_skip_word(text, pos);
        if (end >= e->end || (pos > e->start && e->entry != VOCAB_NONE))
            break; /* the noun itself; of a listed name only the first word */
        uint32_t entry =
            end - pos > 2 ? vocab_find(v, sv_from_to(text, pos, end), "mineral") : VOCAB_NONE;
        if (entry != VOCAB_NONE)
            inner[n++] = (struct entity){
                .start = pos, .end = end, .type = "mineral", .entry = entry, .match = VOCAB_NONE
            };
        else if (end - pos <= 2 && pos > e->start && text.p[pos - 1] == '-')
            n += vocab_set_element(v, text, pos, end, &inner[n]);
        end += end == pos;
        while (end < e->end && ((unsigned char)text.p[end] >= 0x80 ||
                                vocab_class_of((unsigned char)text.p[end]) != VC_WORD))
            end++;
    }
    return n;
}
