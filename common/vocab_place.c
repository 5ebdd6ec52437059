// SPDX-License-Identifier: MIT
/*
 * vocab_place.c — places by how they are named: "Huwan shear zone", "Golden Ridge gold
 * deposit", "Jiangbasitao Formation", "Lake Baikal"
 *
 * No list has them all. A formation that is named after its rock ("Otago Schist") is one too. A
 * place is one or more capitalised words that are no names of the
 * field, what kind of place it is, and the noun; or a noun that comes first ("Mount Erebus").
 * Words that only look like a name ("Archean craton", "UHP terrane", "Volcanic arc") make none.
 */
#include "scan.h"
#include "vocab.h"
#include "vocab_impl.h"

#define WORDS_MAX 4 /* capitalised words of one name */
#define KINDS_MAX 2 /* words between them and the noun */

/* A noun; capital: only with one ("Grampian Group"); kind: only behind a word of kinds. */
struct place {
    const char *noun;
    bool capital, kind;
};

/* In order. */
static const struct place nouns[] = {
    { "anticline", false, false }, { "arc", false, false },
    { "arch", true, false },       { "archipelago", false, false },
    { "band", true, false },       { "basin", false, false },
    { "batholith", false, false }, { "bay", true, false },
    { "bed", true, false },        { "beds", true, false },
    { "belt", false, false },      { "belts", false, false },
    { "block", true, false },      { "bluff", true, false },
    { "bore", true, false },       { "brook", true, false },
    { "butte", true, false },      { "caldera", false, false },
    { "canyon", false, false },    { "coast", true, false },
    { "complex", false, true },    { "complex", true, false },
    { "county", true, false },     { "cove", true, false },
    { "crater", false, false },    { "craton", false, false },
    { "cratons", false, false },   { "creek", true, false },
    { "delta", true, false },      { "deposit", false, false },
    { "desert", true, false },     { "district", false, false },
    { "domain", true, false },     { "dome", true, false },
    { "dyke", true, false },       { "estuary", false, false },
    { "falls", true, false },      { "fault", false, false },
    { "field", false, true },      { "fjord", true, false },
    { "flags", true, false },      { "fm", true, false },
    { "formation", true, false },  { "formations", true, false },
    { "glacier", false, false },   { "goldfield", false, false },
    { "goldfields", true, false }, { "gorge", true, false },
    { "graben", false, false },    { "group", true, false },
    { "groups", true, false },     { "gulch", true, false },
    { "gulf", true, false },       { "gully", true, false },
    { "harbor", true, false },     { "harbour", true, false },
    { "highlands", true, false },  { "hill", true, false },
    { "hills", true, false },      { "inlier", false, false },
    { "intrusion", false, false }, { "intrusions", true, false },
    { "island", true, false },     { "islands", true, false },
    { "laccolith", true, false },  { "lagoon", true, false },
    { "lake", true, false },       { "lineament", false, false },
    { "lode", true, false },       { "massif", false, false },
    { "member", true, false },     { "members", true, false },
    { "mesa", true, false },       { "metamorphics", true, false },
    { "mine", false, false },      { "mountain", true, false },
    { "mountains", true, false },  { "musselband", true, false },
    { "nappe", false, false },     { "ocean", true, false },
    { "ophiolite", false, false }, { "orogen", false, false },
    { "outlier", true, false },    { "peak", true, false },
    { "peninsula", false, false }, { "pipe", false, false },
    { "plateau", true, false },    { "plug", true, false },
    { "pluton", false, false },    { "prospect", false, false },
    { "province", false, false },  { "quadrangle", false, false },
    { "range", true, false },      { "reef", true, false },
    { "ridge", true, false },      { "rift", false, false },
    { "river", true, false },      { "sea", true, false },
    { "seam", true, false },       { "seamount", false, false },
    { "seamounts", false, false }, { "shelf", true, false },
    { "shield", true, false },     { "shire", true, false },
    { "sill", true, false },       { "springs", true, false },
    { "stock", true, false },      { "strait", true, false },
    { "subgroup", true, false },   { "subprovince", false, false },
    { "suite", true, false },      { "supergroup", true, false },
    { "supersuite", true, false }, { "superterrane", false, false },
    { "syncline", false, false },  { "tableland", true, false },
    { "terrane", false, false },   { "terranes", false, false },
    { "territory", true, false },  { "thrust", true, false },
    { "township", true, false },   { "trench", false, false },
    { "trough", true, false },     { "valley", true, false },
    { "vent", true, false },       { "volcanics", true, false },
    { "volcano", false, false },   { "zone", false, true },
};

static const char *const kinds[] = {
    "alkaline",
    "antimony",
    "back-arc",
    "base-metal",
    "carbonatite",
    "coal",
    "copper",
    "diamond",
    "dyke",
    "epithermal",
    "fault",
    "fold",
    "fold-and-thrust",
    "foreland",
    "fracture",
    "geothermal",
    "gneiss",
    "gold",
    "granitic",
    "granulite",
    "greenstone",
    "hydrothermal",
    "igneous",
    "impact",
    "intrusive",
    "iron",
    "iron-ore",
    "island",
    "khondalite",
    "kimberlite",
    "lava",
    "layered",
    "lead-zinc",
    "lithium",
    "mafic",
    "magmatic",
    "manganese",
    "metallogenic",
    "metamorphic",
    "mineral",
    "mining",
    "mobile",
    "molybdenum",
    "nickel",
    "oil",
    "ophiolitic",
    "ore",
    "orogenic",
    "pegmatite",
    "plutonic",
    "polymetallic",
    "porphyry",
    "rift",
    "schist",
    "sedimentary",
    "shear",
    "silver",
    "skarn",
    "suture",
    "tectonic",
    "thrust",
    "tin",
    "tungsten",
    "uranium",
    "vent",
    "volcanic",
    "zinc",
};

/* What land and towns are called: "Coal Creek". */
static const char *const features[] = {
    "bar",      "bay",    "beach",   "bluff",     "bluffs",  "bore",     "brook",     "butte",
    "canyon",   "cape",   "city",    "cliffs",    "county",  "cove",     "crag",      "creek",
    "crossing", "falls",  "flat",    "flats",     "fork",    "gap",      "gorge",     "gulch",
    "gully",    "harbor", "harbour", "head",      "hill",    "hills",    "island",    "islands",
    "knob",     "lagoon", "lake",    "lakes",     "mesa",    "mountain", "mountains", "park",
    "pass",     "peak",   "peaks",   "peninsula", "point",   "pool",     "range",     "ranges",
    "ridge",    "river",  "road",    "spring",    "springs", "station",  "township",  "valley",
    "village",  "well",   "wells",
};

/* Capitalised words that name nothing by themselves. */
static const char *const plain[] = {
    "the",          "within",
    "without",      "why",
    "when",         "where",
    "how",          "while",
    "although",     "though",
    "since",        "near",
    "under",        "beneath",
    "across",       "along",
    "during",       "between",
    "some",         "many",
    "most",         "each",
    "that",         "unlike",
    "like",         "see",
    "only",         "later",
    "early",        "late",
    "recent",       "modern",
    "ancient",      "present",
    "two",          "three",
    "four",         "several",
    "other",        "such",
    "by",           "with",
    "to",           "and",
    "of",           "as",
    "if",           "after",
    "before",       "here",
    "no",           "not",
    "however",      "thus",
    "one",          "this",
    "these",        "a",
    "an",           "in",
    "on",           "at",
    "for",          "from",
    "our",          "its",
    "all",          "both",
    "large",        "deep",
    "major",        "main",
    "old",          "small",
    "young",        "continental",
    "oceanic",      "mid-ocean",
    "subduction",   "research",
    "working",      "study",
    "science",      "control",
    "age",          "focus",
    "user",         "team",
    "north",        "south",
    "east",         "west",
    "northern",     "southern",
    "eastern",      "western",
    "central",      "upper",
    "lower",        "middle",
    "inner",        "outer",
    "first",        "second",
    "figure",       "fig",
    "table",        "section",
    "sample",       "site",
    "core",         "hole",
    "unit",         "type",
    "stage",        "phase",
    "geology",      "chemistry",
    "geochemistry", "mineralogy",
    "petrology",    "international",
    "national",     "resources",
    "management",   "physics",
    "earth",        "survey",
    "space",        "data",
    "review",       "red",
    "grey",         "gray",
    "black",        "white",
    "green",        "brown",
    "yellow",       "pink",
    "massive",      "laminated",
    "stratified",   "cross-stratified",
    "fine",         "coarse",
    "thin",         "thick",
    "soft",         "hard",
    "fresh",        "altered",
    "weathered",    "bulk",
    "results",      "discussion",
    "methods",      "conclusions",
    "introduction", "background",
    "high",         "low",
    "new",
};

/* For each letter, bit n: a word of n letters of the list begins with it. */
static void sum_up(const char *const list[], size_t n, uint32_t lengths[26])
{
    for (size_t i = 0; i < n; i++)
        lengths[list[i][0] - 'a'] |= 1U << strlen(list[i]);
}

/* Is there a word of its first letter and length in the list that `lengths` sums up? */
static bool may_be(struct sv word, const uint32_t lengths[26])
{
    unsigned letter = word.n ? (unsigned)((word.p[0] | 32) - 'a') : 26;
    return letter < 26 && word.n < 32 && (lengths[letter] >> word.n & 1);
}

/* The word at pos with the parts that hyphens join ("fold-and-thrust", "Tepla-Barrandian"). */
static struct sv word_at(struct sv text, size_t pos)
{
    size_t end = vocab_skip_word(text, pos);
    while (end > pos && end + 1 < text.n && text.p[end] == '-' &&
           (unsigned char)((text.p[end + 1] | 32) - 'a') < 26)
        end = vocab_skip_word(text, end + 1);
    return sv_from_to(text, pos, end);
}

bool vocab_may_be_place(const struct vocab *v, struct sv text, size_t end)
{
    unsigned char c = end < text.n ? (unsigned char)text.p[end] : '.';
    if (c != ' ' || end + 1 >= text.n)
        return c == '-' || c >= 0x80;
    struct sv second = { text.p + end + 1, vocab_run_at(text, end + 1).n };
    if (!second.n)
        return false;
    c = end + 1 + second.n < text.n ? (unsigned char)second.p[second.n] : '.';
    return scan_is_upper(second.p[0]) || c == '-' || c >= 0x80 || scan_is_digit((char)c) ||
           may_be(second, v->place_nouns) || may_be(second, v->place_kinds) ||
           sv_is(second, "of");
}

/* The word one blank behind `word`, or an empty one. */
static struct sv next_word(struct sv text, struct sv word)
{
    size_t at = (size_t)(word.p - text.p) + word.n;
    return at + 1 < text.n && text.p[at] == ' ' ? word_at(text, at + 1) : SV_NONE;
}

/* "Huwan": a capital, then small letters; no acronym, no single letter. */
static bool is_capitalised(struct sv word)
{
    return word.n >= 3 && scan_is_upper(word.p[0]) &&
           ((unsigned char)(word.p[1] - 'a') < 26 || (unsigned char)word.p[1] >= 0x80);
}

/* The "Fe" of "Santa Fe". */
static bool is_short(struct sv word)
{
    return word.n == 2 && scan_is_upper(word.p[0]) && scan_is_lower(word.p[1]);
}

bool vocab_is_no_place(struct sv word)
{
    return VOCAB_AMONG(word, plain);
}

void vocab_place_init(struct vocab *v)
{
    for (size_t i = ARRAY_LEN(nouns); i-- > 0;) {
        v->place_nouns[nouns[i].noun[0] - 'a'] |= 1U << strlen(nouns[i].noun);
        v->place_first[nouns[i].noun[0] - 'a'] = (unsigned char)i;
    }
    sum_up(kinds, ARRAY_LEN(kinds), v->place_kinds);
}

static bool is_kind(struct sv word)
{
    return VOCAB_AMONG(word, kinds);
}

bool vocab_is_place_noun(struct sv word)
{
    for (size_t i = 0; i < ARRAY_LEN(nouns); i++)
        if (vocab_word_is(word, nouns[i].noun))
            return true;
    return false;
}

/* Does the word end a place here: "Basin", "basin"? */
static bool is_noun(const struct vocab *v, struct sv word, bool has_kind)
{
    if (!may_be(word, v->place_nouns))
        return false;
    char first = (char)(word.p[0] | 32);
    for (size_t i = v->place_first[first - 'a'];
         i < ARRAY_LEN(nouns) && nouns[i].noun[0] == first; i++)
        if (vocab_word_is(word, nouns[i].noun) && (!nouns[i].kind || has_kind) &&
            (scan_is_upper(word.p[0]) || !nouns[i].capital))
            return true;
    return false;
}

/* Can the word be the own name of a place? Names of other things and plain words cannot. */
static bool is_own_name(const struct vocab *v, struct sv word)
{
    if (vocab_is_no_place(word) || is_kind(word))
        return false;
    uint32_t entry = vocab_find(v, word, NULL);
    struct sv flag; /* "Wenlock Limestone" */
    return entry == VOCAB_NONE || strcmp(vocab_type(v, entry), "location") == 0 ||
           (strcmp(vocab_type(v, entry), "geologic_time") == 0 &&
            vocab_attr(v, entry, "ambiguous", &flag));
}

/* The "Schist" of "Otago Schist": a formation of that rock, which is written small otherwise.
 */
static bool is_rock(const struct vocab *v, struct sv word)
{
    static const char *const evaporites[] = { "halite", "anhydrite", "gypsum", "dolomite" };
    if (VOCAB_AMONG(word, evaporites)) /* "Northwich Halite" */
        return true;
    uint32_t entry = word.p[word.n - 1] == 's' ? VOCAB_NONE : vocab_find(v, word, "rock");
    return entry != VOCAB_NONE && sv_ieq(vocab_name(v, entry), word);
}

static bool opens_sentence(struct sv text, size_t pos)
{
    while (pos > 0 && text.p[pos - 1] == ' ')
        pos--;
    return pos == 0 || strchr(".!?:;\n", text.p[pos - 1]) != NULL;
}

/* "Huwan", "East Kounrad", "Silver Crag"; but not "northern Tarim", "Jurassic Tarrel". */
static bool may_begin(const struct vocab *v, struct sv text, struct sv first)
{
    static const char *const sides[] = { "north", "south", "east", "west", "new" };
    /* where no sentence begins: "the Eastern Goldfields Province", "the Red River Formation" */
    static const char *const colours[] = { "red", "black", "white", "green", "grey", "yellow" };
    static const char *const parts[] = { "northern", "southern", "eastern", "western",
                                         "central",  "red",      "black",   "white",
                                         "green",    "grey",     "yellow",  "upper",
                                         "lower",    "great",    "old",     "little" };
    struct sv second = next_word(text, first);
    if (is_own_name(v, first))
        return true;
    if (!is_capitalised(second))
        return false;
    if (sv_is(first, "St"))
        return true;
    if (VOCAB_AMONG(first, colours) && VOCAB_AMONG(second, features))
        return !opens_sentence(text, (size_t)(first.p - text.p));
    if (!is_own_name(v, second))
        return false;
    if (vocab_is_no_place(first))
        return VOCAB_AMONG(first, sides) ||
               (VOCAB_AMONG(first, parts) && !opens_sentence(text, (size_t)(first.p - text.p)));
    uint32_t entry = vocab_find(v, first, NULL);
    const char *type = entry == VOCAB_NONE ? "" : vocab_type(v, entry);
    if (strcmp(type, "element") == 0)
        return true;
    bool is_matter = strcmp(type, "rock") == 0 || strcmp(type, "mineral") == 0;
    return is_matter && is_capitalised(next_word(text, second)); /* "Serpentine Hill Complex" */
}

/* The end of the place whose capitalised words begin with `first`, or 0. */
static size_t end_of(const struct vocab *v, struct sv text, struct sv first)
{
    struct sv word = first, last = SV_NONE;
    size_t n = 0, n_kinds = 0;
    bool has_kind = false;
    for (; n <= WORDS_MAX &&
           (is_capitalised(word) || ((n || sv_is(word, "St")) && is_short(word)));
         word = next_word(text, word), n++) {
        if (n && (is_noun(v, word, has_kind) || is_rock(v, word)))
            last = word;
        has_kind = is_kind(word);
    }
    for (; word.n && n_kinds <= KINDS_MAX; word = next_word(text, word), n_kinds++) {
        if (is_noun(v, word, has_kind) &&
            (n > 1 || !opens_sentence(text, (size_t)(first.p - text.p))))
            last = word;
        has_kind = is_kind(word);
        if (!has_kind)
            break;
    }
    if (!last.n || !may_begin(v, text, first))
        return 0;
    return (size_t)(last.p - text.p) + last.n;
}

/* "Mount Erebus", "Lake Baikal", "Gulf of Mexico": the end of the name, or 0. */
static size_t end_behind(const struct vocab *v, struct sv text, struct sv first)
{
    static const char *const before[] = { "mount",  "mt",     "mt.",  "lake",  "cerro",
                                          "nevado", "sierra", "isla", "cape",  "loch",
                                          "rio",    "port",   "fort", "punta", "salar",
                                          "jebel",  "wadi",   "gulf", "bay",   "strait" };
    struct sv name = next_word(text, first);
    bool has_of = vocab_word_is(name, "of");
    if ((!has_of && !is_capitalised(name)) || !VOCAB_AMONG(first, before))
        return 0;
    if (has_of)
        name = next_word(text, name);
    else if (vocab_word_in(first, before + ARRAY_LEN(before) - 3, 3))
        return 0;
    if (!is_capitalised(name) || !is_own_name(v, name))
        return 0;
    return (size_t)(name.p - text.p) + name.n;
}

/* "Marble Bar", "Granite Island", "Coal Creek": the end of a place that is named after a rock
 * or a mineral, or 0. */
static size_t end_of_feature(const struct vocab *v, struct sv text, struct sv first,
                             struct sv second)
{
    if (!scan_is_upper(second.p[0]) || !VOCAB_AMONG(second, features))
        return 0;
    uint32_t entry = vocab_find(v, first, NULL);
    const char *type = entry == VOCAB_NONE ? "" : vocab_type(v, entry);
    bool is_matter = strcmp(type, "rock") == 0 || strcmp(type, "element") == 0;
    return is_matter ? (size_t)(second.p - text.p) + second.n : 0;
}

bool vocab_match_place(const struct vocab *v, struct sv text, size_t pos, size_t longer,
                       struct entity *e)
{
    if (!is_capitalised(sv_from_to(text, pos, pos + 3)))
        return false;
    struct sv first = word_at(text, pos), second;
    bool is_mount = sv_is(first, "Mt") || sv_is(first, "St");
    first.n += is_mount && pos + 2 < text.n && text.p[pos + 2] == '.';
    second = next_word(text, first);
    bool may_go_on =
        second.n && (scan_is_upper(second.p[0]) || may_be(second, v->place_nouns) ||
                     may_be(second, v->place_kinds) || sv_is(second, "of"));
    if (!may_go_on || !(is_mount || is_capitalised(first)))
        return false;
    size_t end = end_of(v, text, first), behind = end_behind(v, text, first);
    end = end > behind ? end : behind;
    behind = second.n ? end_of_feature(v, text, first, second) : 0;
    end = end > behind ? end : behind;
    if (end <= longer || end - pos >= CHEM_MAX)
        return false;
    *e = (struct entity){
        .start = pos, .end = end, .type = "location", .entry = VOCAB_NONE, .match = VOCAB_NONE
    };
    memcpy(e->notation, text.p + pos, end - pos);
    return true;
}
