// SPDX-License-Identifier: MIT
/*
 * vocab_unit.c — units of time with their parts and ranks, and named units of rock
 */
#include "scan.h"
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

/* The word of ASCII letters that ends at byte pos. */
static struct sv word_to(struct sv text, size_t pos)
{
    size_t start = pos;
    while (start > 0 && (unsigned char)((text.p[start - 1] | 32) - 'a') < 26)
        start--;
    return sv_from_to(text, start, pos);
}

/* The one before byte pos and a blank, hyphen or line end; empty: none. */
static struct sv word_before(struct sv text, size_t pos)
{
    if (pos == 0 || !strchr(" -\n", text.p[pos - 1]))
        return SV_NONE;
    return word_to(text, pos - 1);
}

static struct sv word_behind(struct sv text, size_t pos)
{
    if (pos < text.n && (text.p[pos] == ' ' || text.p[pos] == '-'))
        pos++;
    return sv_from_to(text, pos, vocab_skip_word(text, pos));
}

/* Where the word ends that a hyphen joins to byte pos, or pos. */
static size_t word_behind_end(struct sv text, size_t pos)
{
    bool is_joined = pos + 1 < text.n && text.p[pos] == '-';
    return is_joined ? vocab_skip_word(text, pos + 1) : pos;
}

/* ---- time ---- */

static bool is_part(struct sv word)
{
    static const char *const parts[] = {
        "Early", "Middle",   "Mid",    "Late",      "Lower",
        "Upper", "Earliest", "Latest", "Lowermost", "Uppermost"
    };
    return sv_in(word, parts, ARRAY_LEN(parts));
}

void vocab_widen_time(struct sv text, size_t floor, struct entity *e)
{
    static const char *const ranks[] = { "Era",       "Period",    "Epoch",     "Age",
                                         "Eon",       "Series",    "System",    "Stage",
                                         "Stade",     "Stadial",   "Erathem",   "Eonothem",
                                         "Subperiod", "Subsystem", "Subepoch",  "Subseries",
                                         "Substage",  "Subage",    "Suberathem" };
    struct sv before = word_before(text, e->start), behind = word_behind(text, e->end);
    if (is_part(before) && (size_t)(before.p - text.p) >= floor)
        e->start = (size_t)(before.p - text.p);
    if (!behind.n || !scan_is_upper(behind.p[0]) || behind.p[-1] != ' ')
        return;
    if (sv_is(behind, "Sub")) /* "Sub-age" */
        behind = sv_from_to(text, (size_t)(behind.p - text.p),
                            word_behind_end(text, (size_t)(behind.p + behind.n - text.p)));
    if (!sv_in(behind, ranks, ARRAY_LEN(ranks)) && !sv_starts(behind, SV("Sub-")))
        return;
    e->end = (size_t)(behind.p + behind.n - text.p);
    e->weak = e->is_field = false; /* "the Wenlock Series" */
}

/* Byte behind the word that "and", "to", "or", a dash or a slash joins to what starts at pos;
 * SIZE_MAX: none. */
static size_t joined_end(struct sv text, size_t pos)
{
    static const char *const joins[] = {
        " and ", " to ", " or ", "\xE2\x80\x93", "/", "-", ", "
    };
    struct sv left = { text.p, pos };
    for (size_t i = 0; i < ARRAY_LEN(joins); i++)
        if (sv_ends(left, sv_from(joins[i])))
            return pos - strlen(joins[i]);
    return SIZE_MAX;
}

/* "Middle" of "Middle and Late Triassic", "Meso-" of "Meso- to Neoproterozoic": the words of
 * its own name go to buf; false: there is none. */
static bool shared_name(struct sv text, const struct entity *e, struct entity *part,
                        char buf[CHEM_MAX])
{
    static const char *const eras[] = { "Palaeo", "Paleo", "Meso", "Neo", "Eo" };
    struct sv whole = sv_from_to(text, e->start, e->end);
    size_t end = joined_end(text, e->start), cut = 0;
    if (end == SIZE_MAX)
        return false;
    bool is_prefix = end > 0 && text.p[end - 1] == '-';
    struct sv word = word_to(text, end - is_prefix);
    bool fits = false;
    if (!is_prefix) {
        while (cut < whole.n && whole.p[cut] != ' ' && whole.p[cut] != '-')
            cut++;
        fits = is_part(word) && is_part(sv_from_to(whole, 0, cut));
    }
    for (size_t i = 0; is_prefix && i < ARRAY_LEN(eras) && !fits; i++) {
        if (!vocab_word_is(word, eras[i]))
            continue;
        for (size_t k = 0; k < ARRAY_LEN(eras) && !fits; k++)
            if (sv_starts(whole, sv_from(eras[k]))) {
                cut = strlen(eras[k]);
                fits = true;
            }
    }
    if (!fits || word.n + whole.n - cut >= CHEM_MAX)
        return false;
    memcpy(buf, word.p, word.n);
    memcpy(buf + word.n, whole.p + cut, whole.n - cut);
    buf[word.n + whole.n - cut] = '\0';
    *part = (struct entity){ .start = (size_t)(word.p - text.p),
                             .end = end,
                             .type = e->type,
                             .entry = VOCAB_NONE,
                             .match = VOCAB_NONE };
    return true;
}

bool vocab_shared_time(const struct vocab *v, struct sv text, size_t floor,
                       const struct entity *e, struct entity *part)
{
    char name[CHEM_MAX];
    if (!shared_name(text, e, part, name) || part->start < floor)
        return false;
    part->entry = vocab_find(v, sv_from(name), e->type);
    memcpy(part->notation, name, strlen(name) + 1);
    return true;
}

/* ---- rock units ---- */

/* Group, Formation, … behind byte pos: its end, or 0. */
static size_t rank_end(struct sv text, size_t pos)
{
    static const char *const ranks[] = { "Group",    "Formation", "Member", "Supergroup",
                                         "Subgroup", "Fm",        "Beds",   "Complex",
                                         "Suite",    "Series",    "Belt",   "Terrane" };
    struct sv word = word_behind(text, pos);
    for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
        if (sv_is(word, ranks[i]) && word.p[-1] == ' ')
            return (size_t)(word.p + word.n - text.p);
    return 0;
}

/* A word with one capital, its first, that is no article. */
static bool is_proper(struct sv word)
{
    if (word.n < 3 || !scan_is_upper(word.p[0]) || vocab_is_no_place(word))
        return false;
    for (size_t i = 1; i < word.n; i++)
        if (!scan_is_lower(word.p[i]))
            return false;
    return true;
}

/* "the Byley Mudstones are", "Byley Mudstones were": in running text, not in a title ("The
 * Deccan Basalts: …", "Origin of Deccan Basalts from Plumes"). */
static bool is_running(struct sv text, size_t start, size_t end)
{
    static const char *const verbs[] = { "are",      "is",    "were",     "was",     "have",
                                         "has",      "that",  "which",    "rest",    "overlie",
                                         "underlie", "lie",   "comprise", "consist", "contain",
                                         "include",  "occur", "crop",     "thin",    "pass" };
    struct sv before = word_before(text, start), behind = word_behind(text, end);
    if (VOCAB_AMONG(behind, verbs) && scan_is_lower(behind.p[0]))
        return true;
    bool is_article = sv_is(before, "the") || sv_is(before, "The");
    return is_article && ((behind.n && scan_is_lower(behind.p[0]) && behind.p[-1] == ' ') ||
                          (end < text.n && text.p[end] == ','));
}

/* Capitals before the noun, up to three words: where the name of a unit starts. */
static size_t proper_start(struct sv text, size_t floor, size_t start)
{
    for (unsigned k = 0; k < 3; k++) {
        struct sv word = word_before(text, start);
        if (!is_proper(word) || (size_t)(word.p - text.p) < floor || text.p[start - 1] != ' ')
            break;
        start = (size_t)(word.p - text.p);
    }
    return start;
}

/* Does the last word of *e begin with a capital? */
static bool ends_in_capital(struct sv text, const struct entity *e)
{
    size_t at = e->end;
    while (at > e->start && text.p[at - 1] != ' ' && text.p[at - 1] != '-')
        at--;
    return scan_is_upper(text.p[at]);
}

bool vocab_take_unit(struct sv text, size_t floor, struct entity *e)
{
    size_t n = e->end - e->start, start = e->start, end = rank_end(text, e->end);
    bool is_measures = n == 13 && !memcmp(text.p + start, "Coal Measures", n);
    /* "the Mare basalt" is none: its noun is small */
    if (e->chem || n < 3 || !scan_is_upper(text.p[start]) || !ends_in_capital(text, e) ||
        !scan_is_lower(text.p[start + 1]) || ((e->entry == VOCAB_NONE || e->is_field) && !end))
        return false;
    start = proper_start(text, floor, start);
    struct sv behind = word_behind(text, e->end);
    bool is_title = behind.n && scan_is_upper(behind.p[0]); /* "Origin of Some Basalt Magmas" */
    bool is_plural = text.p[e->end - 1] == 's';
    bool is_unit =
        end || is_measures ||
        (start < e->start && (is_plural ? is_running(text, start, e->end) : !is_title));
    end = end ? end : e->end;
    struct sv part = word_before(text, start); /* "Lower Limestone Formation" */
    if (is_unit && is_part(part) && text.p[start - 1] == ' ' &&
        (size_t)(part.p - text.p) >= floor)
        start = (size_t)(part.p - text.p);
    if (!is_unit || end - start >= CHEM_MAX)
        return false;
    memcpy(e->notation, text.p + start, end - start);
    e->notation[end - start] = '\0';
    e->start = start;
    e->end = end;
    e->type = "location";
    e->entry = e->match = VOCAB_NONE;
    e->weak = e->is_field = false;
    return true;
}
