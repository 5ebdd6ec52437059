// SPDX-License-Identifier: MIT
/*
 * sample_names.c — capitalised words that the text presents as samples
 */
#include "alloc.h"
#include "clause.h"
#include "sample.h"

#define NAMES_MAX 64   /* of a text; lists of the corpus have thirty */
#define PHRASE_WORDS 4 /* "Carnivore Canyon Alexander Hill" */
#define CHECKS_MAX 400 /* of a text: hostile ones may present thousands of names */
#define GROUP_MAX 60   /* bytes of a bracket inside a list: "(sol 43, 12 points)" */

/* A run of capitalised words. */
struct phrase {
    size_t start, end;
    unsigned n_words;
    bool opens;     /* first word of a sentence: its capital says nothing */
    bool is_sample; /* the place says so */
    bool is_sure;   /* ... so clearly that the opening of a sentence will do */
    bool has_joint; /* glued by underscores, "Square_Top": nobody writes prose like that */
};

struct phrases {
    struct phrase *items;
    size_t n, cap;
};

struct names {
    struct sv spelling[NAMES_MAX], name[NAMES_MAX];
    size_t n;
    unsigned checks; /* times the whole text was gone through for one word */
};

/* ---- words ---- */

/* Nouns in front of a sample's name. */
static bool is_noun_before(struct sv word)
{
    static const char *const nouns[] = { "sample",   "samples",   "specimen", "specimens",
                                         "target",   "targets",   "rock",     "rocks",
                                         "boulder",  "boulders",  "borehole", "drillhole",
                                         "hole",     "meteorite", "core",     "cores",
                                         "outcrops", "outcrop",   "block",    "xenolith" };
    return VOCAB_AMONG(word, nouns);
}

/* Nouns behind one. "Isua rocks" is a place: rocks and outcrops are not among them. */
static bool is_noun_after(struct sv word)
{
    static const char *const nouns[] = { "sample",    "specimen",   "target", "drill",
                                         "drillhole", "borehole",   "dump",   "tailings",
                                         "meteorite", "mini-drill", "targets" };
    return VOCAB_AMONG(word, nouns);
}

/* Capitalised words that are no names: parts of documents and of calendars. */
static bool is_stop(struct sv word)
{
    static const char *const stops[] = {
        "supplementary", "table",    "sites",     "fig",      "figure",   "figures",
        "tables",        "section",  "sol",       "sols",     "unit",     "site",
        "station",       "leg",      "eq",        "equation", "january",  "february",
        "march",         "april",    "june",      "july",     "august",   "october",
        "november",      "december", "september", "targets",  "target",   "samples",
        "sample",        "rock",     "rocks",     "drill",    "bedrock",  "member",
        "formation",     "other",    "several",   "such",     "two",      "three",
        "four",          "five",     "here",      "there",    "only",     "new",
        "north",         "south",    "east",      "west",     "northern", "southern",
        "group",         "note",     "data",      "results",
    };
    return VOCAB_AMONG(word, stops);
}

/* "Martian", "Hawaiian": of a place. */
static bool is_adjective(struct sv word)
{
    return sv_ends(word, SV("ian")) || sv_ends(word, SV("ean")) || sv_ends(word, SV("ese"));
}

/* Letters, digits, "_", letters with accents (quotes and dashes are 0xE2 …): a word's bytes. */
static bool is_word_byte(char c)
{
    static const unsigned long long ascii[2] = { 0x03ff000000000000, 0x07fffffe87fffffe };
    unsigned char u = (unsigned char)c;
    return u < 0x80 ? (ascii[u >> 6] >> (u & 63)) & 1 : u >= 0xC3;
}

static bool is_quote(struct sv text, size_t pos, size_t *width)
{
    struct sv rest = sv_from_to(text, pos, text.n);
    *width = 1;
    if (rest.n && (rest.p[0] == '"' || rest.p[0] == '\''))
        return true;
    *width = 3;
    return sv_starts(rest, SV("\xe2\x80\x9c")) || sv_starts(rest, SV("\xe2\x80\x9d")) ||
           sv_starts(rest, SV("\xe2\x80\x98")) || sv_starts(rest, SV("\xe2\x80\x99"));
}

/* The word that ends before pos, over one blank, quotes and an opening bracket. *from: its
 * start. "" when something else stands there. */
static struct sv word_before(struct sv text, size_t pos, size_t *from)
{
    size_t width;
    for (;;) {
        if (pos > 0 && strchr(" (\"'\n", text.p[pos - 1]))
            pos--;
        else if (pos > 2 && is_quote(text, pos - 3, &width) && width == 3)
            pos -= 3;
        else
            break;
    }
    size_t end = pos;
    while (pos > 0 && (is_word_byte(text.p[pos - 1]) || text.p[pos - 1] == '.'))
        pos--;
    *from = pos;
    return sv_from_to(text, pos, end);
}

/* The word after pos, over one blank and quotes. *end: after it. */
static struct sv word_after(struct sv text, size_t pos, size_t *end)
{
    size_t width;
    for (;;) {
        if (pos < text.n && (text.p[pos] == ' ' || text.p[pos] == '\n'))
            pos++;
        else if (pos < text.n && is_quote(text, pos, &width))
            pos += width;
        else
            break;
    }
    size_t start = pos;
    while (pos < text.n && (is_word_byte(text.p[pos]) || (text.p[pos] == '-' && pos > start)))
        pos++;
    *end = pos;
    return sv_from_to(text, start, pos);
}

/* ---- phrases ---- */

/* Does a name of the vocabulary that counts stand over the word [pos, end)? The place in
 * "Indus-10" does not. */
static bool is_known(const struct entities *names, size_t *at, size_t pos, size_t end)
{
    while (*at < names->n && names->items[*at].end <= pos)
        ++*at;
    return *at < names->n && names->items[*at].start <= pos &&
           !sample_may_replace(&names->items[*at]) &&
           (names->items[*at].end >= end || strcmp(names->items[*at].type, "location") != 0);
}

static bool opens_sentence(struct sv text, size_t pos)
{
    while (pos > 0 && strchr(" \n\t\"(", text.p[pos - 1]))
        pos--;
    return pos == 0 || strchr(".!?:;", text.p[pos - 1]) != NULL;
}

/* A word with its number: "Frome_Rock-5", "Jake-M". */
static size_t word_end(struct sv text, size_t pos)
{
    while (pos < text.n && is_word_byte(text.p[pos]))
        pos++;
    if (pos + 1 < text.n && text.p[pos] == '-') {
        char c = text.p[pos + 1];
        bool is_number = c >= '0' && c <= '9';
        bool is_letter =
            c >= 'A' && c <= 'Z' && (pos + 2 == text.n || !is_word_byte(text.p[pos + 2]));
        for (pos += is_number || is_letter;
             pos < text.n && (is_number || is_letter) && is_word_byte(text.p[pos]);)
            pos++;
    }
    return pos;
}

/* One capital, then a small letter: no acronym ("BTs"), no instrument ("ChemCam"). */
static bool is_capitalised(struct sv word)
{
    bool has_joint = memchr(word.p, '_', word.n) != NULL;
    if (word.n < 3 || word.p[0] < 'A' || word.p[0] > 'Z' || word.p[1] < 'a')
        return false;
    for (size_t i = 2; i < word.n && !has_joint; i++)
        if (word.p[i] >= 'A' && word.p[i] <= 'Z' && word.p[i - 1] >= 'a')
            return false;
    return true;
}

static bool can_open(struct sv word)
{
    return is_capitalised(word) && !word_class(word) && !is_stop(word);
}

static void push_phrase(struct phrases *list, const struct phrase *p)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    list->items[list->n++] = *p;
}

/* The first capital of ASCII at or behind pos, or text.n. */
static size_t next_capital(struct sv text, size_t pos)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (; pos + 8 <= text.n; pos += 8) {
        uint64_t x;
        memcpy(&x, text.p + pos, 8);
        uint64_t low = x & ones * 0x7f;
        if ((low + ones * (0x80 - 'A')) & ~(low + ones * (0x7f - 'Z')) & ~x & ones * 0x80)
            break;
    }
    while (pos < text.n && (text.p[pos] < 'A' || text.p[pos] > 'Z'))
        pos++;
    return pos;
}

static void find_phrases(struct sv text, const struct entities *names, struct phrases *list)
{
    size_t at = 0;
    for (size_t pos = 0; (pos = next_capital(text, pos)) < text.n;) {
        bool is_inside = pos > 0 && is_word_byte(text.p[pos - 1]);
        size_t end = is_inside ? pos + 1 : word_end(text, pos);
        struct sv word = sv_from_to(text, pos, end);
        if (is_inside || is_known(names, &at, pos, end) || !can_open(word)) {
            pos = end;
            continue;
        }
        struct phrase p = { .start = pos, .end = end, .n_words = 1 };
        p.opens = opens_sentence(text, pos);
        const char *joint = memchr(word.p, '_', word.n);
        p.has_joint =
            joint && joint + 1 < word.p + word.n && joint[1] >= 'A' && joint[1] <= 'Z';
        while (p.n_words < PHRASE_WORDS && p.end + 1 < text.n && text.p[p.end] == ' ') {
            size_t next = word_end(text, p.end + 1);
            struct sv more = sv_from_to(text, p.end + 1, next);
            if (!is_capitalised(more) || word_class(more))
                break;
            p.end = next;
            p.n_words++;
        }
        pos = p.end;
        push_phrase(list, &p);
    }
}

/* ---- what presents a sample ---- */

/* "rocks such as X", "a site named X", "targets (e.g. X": a noun a few words before. */
static bool is_introduced(struct sv text, size_t pos)
{
    static const char *const openers[] = { "as", "named", "called", "e.g.", "dubbed", "like" };
    size_t from;
    struct sv word = word_before(text, pos, &from);
    if (vocab_word_is(word, "the")) {
        pos = from;
        word = word_before(text, pos, &from);
    }
    if (is_noun_before(word))
        return true;
    if (!VOCAB_AMONG(word, openers))
        return false;
    for (int i = 0; i < 3 && word.n; i++) {
        word = word_before(text, from, &from);
        if (is_noun_before(word) || is_noun_after(word))
            return true;
    }
    return false;
}

/* "(sol 830)", ", hole 5", "on sol 12": a name with its number. */
static bool has_number(struct sv text, size_t pos)
{
    static const char *const units[] = { "sol", "sols", "hole", "core", "sample", "spot" };
    static const char *const joints[] = { " (", ", ", " on ", " " };
    struct sv rest = sv_from_to(text, pos, pos + 4);
    size_t skip = 0, end;
    for (size_t i = 0; i < ARRAY_LEN(joints) && !skip; i++)
        if (sv_starts(rest, sv_from(joints[i])))
            skip = strlen(joints[i]);
    if (!skip || pos + skip >= text.n || text.p[pos + skip] == ' ')
        return false;
    struct sv word = word_after(text, pos + skip, &end);
    if (!VOCAB_AMONG(word, units) || end + 1 >= text.n)
        return false;
    return text.p[end] == ' ' && text.p[end + 1] >= '0' && text.p[end + 1] <= '9';
}

/* "Windjana drill hole", "the Yarrada rock target" */
static bool is_followed(struct sv text, size_t pos)
{
    static const char *const kinds[] = {
        "rock", "bedrock", "float", "soil", "outcrop", "vein"
    };
    static const char *const drilled[] = { "hole", "holes", "sample", "tailings", "fines",
                                           "site", "core",  "target", "powder",   "cuttings" };
    size_t end;
    struct sv word = word_after(text, pos, &end);
    if (is_noun_after(word))
        return true;
    if (vocab_word_is(word, "drill") || vocab_word_is(word, "mini-drill"))
        return VOCAB_AMONG(word_after(text, end, &end), drilled);
    if (!VOCAB_AMONG(word, kinds))
        return false;
    word = word_after(text, end, &end);
    return vocab_word_is(word, "target") || vocab_word_is(word, "sample") ||
           vocab_word_is(word, "targets");
}

/* "Smith et al.", "Smith (1998)" */
static bool is_author(struct sv text, size_t pos)
{
    struct sv rest = sv_from_to(text, pos, pos + 8);
    return sv_starts(rest, SV(" et al")) || sv_starts(rest, SV(" (19")) ||
           sv_starts(rest, SV(" (20")) || sv_starts(rest, SV(", 19")) ||
           sv_starts(rest, SV(", 20"));
}

static bool is_quoted(struct sv text, const struct phrase *p)
{
    size_t width;
    bool opens = (p->start > 0 && is_quote(text, p->start - 1, &width) && width == 1) ||
                 (p->start > 2 && is_quote(text, p->start - 3, &width) && width == 3);
    return opens && is_quote(text, p->end, &width);
}

/* "Whale Rock" unit, the "Mammoth" feature: a name in quotes and a noun of the field behind. */
static bool is_quoted_thing(struct sv text, const struct phrase *p)
{
    static const char *const nouns[] = { "unit",   "units",   "section", "sections", "layer",
                                         "layers", "outcrop", "feature", "vein",     "veins",
                                         "rock",   "boulder", "block",   "area" };
    size_t end;
    return is_quoted(text, p) && VOCAB_AMONG(word_after(text, p->end, &end), nouns);
}

/* "the other target, Orrocopia, contains" */
static bool is_apposed(struct sv text, const struct phrase *p)
{
    size_t from;
    return p->start > 2 && sv_is(sv_from_to(text, p->start - 2, p->start), ", ") &&
           p->end < text.n && strchr(",(", text.p[p->end]) &&
           is_noun_before(word_before(text, p->start - 2, &from)) &&
           text.p[p->start - 3] != 's';
}

/* "Gale Crater", "Morrison Formation": a place, a body of rock. Not all nouns of places are
 * here (vocab_is_place_noun): samples are named after hills, blocks and fields as well. */
static bool is_place(struct sv name)
{
    static const char *const ends[] = { " Crater",   " Basin",  " Formation", " Group",
                                        " Province", " Craton", " Member",    " Supergroup",
                                        " Valley",   " Bay",    " Lake",      " River",
                                        " Sea",      " Ocean",  " Desert",    " Plateau" };
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (sv_ends(name, sv_from(ends[i])))
            return true;
    return false;
}

/* "Mastcam images", "the Curiosity rover": a tool. */
static bool is_tool(struct sv text, size_t pos)
{
    static const char *const nouns[] = { "instrument", "images",  "image",        "mosaic",
                                         "rover",      "team",    "spectrometer", "camera",
                                         "laser",      "mission", "software",     "data" };
    size_t end;
    return VOCAB_AMONG(word_after(text, pos, &end), nouns);
}

static bool presents(struct sv text, struct phrase *p)
{
    p->is_sure = has_number(text, p->end);
    struct sv name = sv_from_to(text, p->start, p->end);
    if (p->has_joint)
        return (p->end == text.n || text.p[p->end] != '@') && !is_place(name);
    if (is_author(text, p->end) || (p->n_words == 1 && is_adjective(name)))
        return false;
    bool is_presented = is_introduced(text, p->start) || p->is_sure ||
                        is_followed(text, p->end) || is_quoted_thing(text, p) ||
                        is_apposed(text, p);
    return is_presented && !is_place(name);
}

/* Between two members of a list: commas, "and", quotes, one bracket. */
static bool joins(struct sv gap)
{
    bool has_joint = false;
    for (size_t i = 0; i < gap.n;) {
        size_t width;
        struct sv rest = sv_from_to(gap, i, gap.n);
        if (gap.p[i] == '(') {
            size_t close = sv_find(gap, SV(")"), i);
            if (close == SIZE_MAX || close - i > GROUP_MAX)
                return false;
            i = close + 1;
        } else if (sv_starts(rest, SV("and ")) || sv_starts(rest, SV("or "))) {
            has_joint = true;
            i += gap.p[i] == 'a' ? 4 : 3;
        } else if (is_quote(gap, i, &width)) {
            i += width;
        } else if (gap.p[i] == ',' || gap.p[i] == ' ' || gap.p[i] == '&' || gap.p[i] == '\n') {
            has_joint |= gap.p[i] == ',' || gap.p[i] == '&';
            i++;
        } else {
            return false;
        }
    }
    return has_joint;
}

static void mark_lists(struct sv text, struct phrases *list)
{
    /* "Pink Cliffs", "Chinle" and "San Gabriel": a list of quoted names names things */
    for (size_t i = 1; i < list->n; i++) {
        struct phrase *a = &list->items[i - 1], *b = &list->items[i];
        if (is_quoted(text, a) && is_quoted(text, b) &&
            joins(sv_from_to(text, a->end, b->start)))
            a->is_sample = b->is_sample = true;
    }
    for (size_t i = 1; i < list->n; i++) {
        struct phrase *a = &list->items[i - 1], *b = &list->items[i];
        if (a->is_sample && !b->is_sample && joins(sv_from_to(text, a->end, b->start)))
            b->is_sample = !is_author(text, b->end);
    }
    for (size_t i = list->n; i-- > 1;) {
        struct phrase *a = &list->items[i - 1], *b = &list->items[i];
        if (b->is_sample && !a->is_sample && joins(sv_from_to(text, a->end, b->start)))
            a->is_sample = !is_author(text, a->end);
    }
}

/* ---- names ---- */

/* The next place of `word` as a whole word at or after pos, or SIZE_MAX. */
static size_t find_word(struct sv text, struct sv word, size_t pos)
{
    for (; (pos = sv_find(text, word, pos)) != SIZE_MAX; pos++) {
        size_t end = pos + word.n;
        bool is_whole = (pos == 0 || !is_word_byte(text.p[pos - 1])) &&
                        (end == text.n || !is_word_byte(text.p[end]));
        if (is_whole)
            return pos;
    }
    return SIZE_MAX;
}

/* One capitalised word is a name when it never stands in lower case and, at least once, does
 * not open a sentence. */
static bool is_name(struct sv text, struct sv word, bool is_sure)
{
    char lower[CHEM_MAX];
    if (word.n >= sizeof lower)
        return false;
    for (size_t i = 0; i < word.n; i++)
        lower[i] = word.p[i] >= 'A' && word.p[i] <= 'Z' ? (char)(word.p[i] | 32) : word.p[i];
    if (find_word(text, (struct sv){ lower, word.n }, 0) != SIZE_MAX)
        return false;
    bool is_found = is_sure;
    for (size_t pos = 0; (pos = find_word(text, word, pos)) != SIZE_MAX; pos++) {
        if (is_tool(text, pos + word.n))
            return false;
        is_found |= !opens_sentence(text, pos);
    }
    return is_found;
}

static void add_name(struct names *list, struct sv spelling, struct sv name)
{
    if (list->n < NAMES_MAX && spelling.n < CHEM_MAX && name.n < CHEM_MAX) {
        list->spelling[list->n] = spelling;
        list->name[list->n++] = name;
    }
}

/* "Confidence Hills (CH)": the short form behind a name at `end`. */
static struct sv short_form(struct sv text, struct sv name, size_t end)
{
    if (end + 4 >= text.n || text.p[end] != ' ' || text.p[end + 1] != '(')
        return SV("");
    size_t from = end + 2, at = from;
    for (size_t i = 0; i < name.n; i++) {
        bool is_initial = i == 0 || name.p[i - 1] == ' ' || name.p[i - 1] == '_';
        if (is_initial && (at >= text.n || text.p[at++] != name.p[i]))
            return SV("");
    }
    return at > from + 1 && at < text.n && text.p[at] == ')' ? sv_from_to(text, from, at)
                                                             : SV("");
}

/* "Confidence Hills (CH)" where the text speaks of "the CH sample". */
static bool has_short_sample(struct sv text, const struct phrase *p, struct names *list)
{
    struct sv word = short_form(text, sv_from_to(text, p->start, p->end), p->end);
    size_t end;
    if (word.n == 0 || list->checks++ >= CHECKS_MAX)
        return false;
    for (size_t pos = 0; (pos = find_word(text, word, pos)) != SIZE_MAX; pos++)
        if (is_noun_after(word_after(text, pos + word.n, &end)))
            return true;
    return false;
}

static bool has_name(const struct names *list, struct sv spelling)
{
    for (size_t i = 0; i < list->n; i++)
        if (sv_eq(list->spelling[i], spelling))
            return true;
    return false;
}

static void collect(struct sv text, const struct phrases *phrases, struct names *list)
{
    for (size_t i = 0; i < phrases->n; i++) {
        const struct phrase *p = &phrases->items[i];
        struct sv name = sv_from_to(text, p->start, p->end);
        if (!p->is_sample || list->n == NAMES_MAX || has_name(list, name) ||
            list->checks++ >= CHECKS_MAX ||
            (p->n_words == 1 && !p->has_joint && !is_name(text, name, p->is_sure)))
            continue;
        add_name(list, name, name);
        struct sv abbreviation = short_form(text, name, p->end);
        if (abbreviation.n && !has_name(list, abbreviation))
            add_name(list, abbreviation, name);
    }
}

/* Every place of a name found already; were there any new ones? */
static bool mark_names(struct sv text, struct phrases *phrases, const struct names *list)
{
    bool is_changed = false;
    for (size_t i = 0; i < phrases->n && list->n; i++) {
        struct phrase *p = &phrases->items[i];
        struct sv word = sv_from_to(text, p->start, p->end);
        for (size_t k = 0; k < list->n && !p->is_sample; k++)
            is_changed |= p->is_sample = sv_eq(list->spelling[k], word);
    }
    return is_changed;
}

/* Is there a name at [start, end) that is longer, or a sample already? */
static bool is_taken(const struct entities *names, size_t start, size_t end)
{
    for (size_t i = entities_behind(names, start); i < names->n && names->items[i].start < end;
         i++) {
        const struct entity *e = &names->items[i];
        if (!sample_may_replace(e) && e->end - e->start >= end - start)
            return true;
    }
    return false;
}

void samples_find_names(struct sv text, struct entities *names)
{
    struct phrases phrases = { 0 };
    struct names list = { .n = 0, .checks = 0 };
    find_phrases(text, names, &phrases);
    bool has_any = false;
    for (size_t i = 0; i < phrases.n; i++)
        has_any |= phrases.items[i].is_sample =
            presents(text, &phrases.items[i]) ||
            has_short_sample(text, &phrases.items[i], &list);
    if (has_any || sv_find(text, SV("\""), 0) != SIZE_MAX ||
        sv_find(text, SV("\xe2\x80\x9c"), 0) != SIZE_MAX) {
        mark_lists(text, &phrases);
        collect(text, &phrases, &list);
        /* what is a sample in one place makes samples of what is listed with it in another */
        if (mark_names(text, &phrases, &list)) {
            mark_lists(text, &phrases);
            collect(text, &phrases, &list);
        }
    }
    free(phrases.items);
    struct entities found = { 0 };
    for (size_t i = 0; i < list.n; i++) {
        struct sv word = list.spelling[i];
        for (size_t pos = 0; (pos = find_word(text, word, pos)) != SIZE_MAX; pos += word.n)
            if (!is_taken(names, pos, pos + word.n))
                sample_push(&found, pos, pos + word.n, list.name[i]);
    }
    samples_merge(names, &found);
    entities_release(&found);
}
