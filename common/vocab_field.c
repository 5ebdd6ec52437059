// SPDX-License-Identifier: MIT
/*
 * vocab_field.c — is the text of the field at all? Names that other fields use for other things
 *
 * "diffusion", "FC" or "shelf" are processes and settings among rocks, isotopes and oxides, and
 * something else in a text that names none of those; the same goes for the symbols of elements
 * in longer texts. Authors' names and text torn into single letters hold no names at all.
 */
#include "scan.h"
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

#define ENOUGH 2 /* evidence that a text is of the field */
#define LONG_TEXT                                                                              \
    200 /* bytes from which a symbol alone is doubted: no table head, no question */

static bool is_number(char c)
{
    return c >= '0' && c <= '9';
}

/* Rocks and phases that anyone speaks of. */
static bool is_everyday(const struct vocab *v, const struct entity *e)
{
    static const char *const words[] = { "soil", "sand",    "clay",   "mud", "coal",  "gravel",
                                         "peat", "silt",    "ice",    "H2O", "glass", "ore",
                                         "loam", "diamond", "quartz", "CO2", "salt" };
    struct sv name = entity_name(v, e);
    return sv_in(name, words, ARRAY_LEN(words));
}

/* A symbol, or a formula of capitals alone: CO, HF, COS. */
static bool is_letters(const struct entity *e)
{
    if (e->chem == CHEM_ELEMENT)
        return true;
    size_t n = strlen(e->notation);
    for (size_t i = 0; i < n; i++)
        if (!scan_is_upper(e->notation[i]))
            return false;
    return e->chem == CHEM_FORMULA && n <= 3;
}

/* "Li Wei", "Po Valley": a symbol before a word with a capital. */
static bool is_before_name(struct sv text, const struct entity *e)
{
    struct sv rest = sv_from_to(text, e->end, text.n);
    return e->chem == CHEM_ELEMENT && rest.n > 3 && rest.p[0] == ' ' &&
           scan_is_upper(rest.p[1]) && scan_is_lower(rest.p[2]) && scan_is_lower(rest.p[3]);
}

static unsigned evidence_of(const struct vocab *v, struct sv text, const struct entity *e)
{
    static const char *const strong[] = { "mineral",       "rock",          "isotope",
                                          "isotope_ratio", "isotope_delta", "isotope_system",
                                          "geologic_time", "element_group", "deposit" };
    bool is_bare = is_letters(e) && (e->chem == CHEM_FORMULA || strlen(e->notation) < 2);
    if (e->weak || e->is_field || is_bare || is_everyday(v, e) || is_before_name(text, e))
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(strong); i++)
        if (vocab_type_is(e->type, strong[i]))
            return ENOUGH;
    if (vocab_type_is(e->type, "location")) /* of no list: "Hawkesbury Sandstone" */
        return e->entry == VOCAB_NONE ? ENOUGH : 0;
    return !vocab_type_is(e->type, "method");
}

/* Evidence of different names, up to ENOUGH + 1: one name may be the one in doubt. */
static unsigned evidence_of_text(const struct vocab *v, struct sv text,
                                 const struct entities *list)
{
    uint32_t seen[ENOUGH + 1];
    unsigned n = 0, sum = 0;
    for (size_t i = 0; i < list->n && sum <= ENOUGH; i++) {
        const struct entity *e = &list->items[i];
        unsigned evidence = evidence_of(v, text, e);
        bool is_new = evidence > 0;
        for (unsigned k = 0; k < n; k++)
            is_new &= e->entry == VOCAB_NONE || seen[k] != e->entry;
        if (!is_new)
            continue;
        if (n < ARRAY_LEN(seen))
            seen[n++] = e->entry;
        sum += evidence;
    }
    return sum;
}

static bool is_year(struct sv s)
{
    return s.n >= 4 && (sv_starts(s, SV("19")) || sv_starts(s, SV("20"))) &&
           (unsigned char)(s.p[2] - '0') < 10 && (unsigned char)(s.p[3] - '0') < 10;
}

/* "Clay (2004)", "(Stone, 1998)", "; Flint, 2001a)" */
static bool has_year(struct sv text, const struct entity *e)
{
    struct sv rest = sv_from_to(text, e->end, text.n), left = { text.p, e->start };
    if (e->chem || rest.n < 7 || !(scan_is_lower(text.p[e->start + 1])))
        return false;
    char behind = rest.p[6];
    if (!is_year(sv_from_to(rest, 2, rest.n)) || is_number(behind) || behind == ' ')
        return false;
    return sv_starts(rest, SV(" (")) ||
           (sv_starts(rest, SV(", ")) && (sv_ends(left, SV("(")) || sv_ends(left, SV("; "))));
}

/* Behind a surname: "Lake et al.", "Lu and Yin 2021", "Ba, 2014". */
static bool is_author(struct sv text, const struct entity *e)
{
    struct sv rest = sv_from_to(text, e->end, text.n);
    size_t n = e->end - e->start, i = 0;
    if (!scan_is_upper(text.p[e->start]) || n > 12 || memchr(text.p + e->start, ' ', n))
        return false;
    if (sv_starts(rest, SV(" et al")) || has_year(text, e))
        return true;
    size_t at = e->start; /* "H. Ni," */
    if (at >= 3 && text.p[at - 1] == ' ' && text.p[at - 2] == '.' &&
        scan_is_upper(text.p[at - 3]) && (at == 3 || text.p[at - 4] == ' ') &&
        (!rest.n || strchr(".,;)", rest.p[0])))
        return true;
    if (sv_starts(rest, SV(", and ")) || sv_starts(rest, SV(", & ")))
        rest = sv_from_to(rest, 1, rest.n);
    bool has_other = sv_starts(rest, SV(" and ")) || sv_starts(rest, SV(" & "));
    bool is_second = sv_ends(sv_from_to(text, 0, e->start), SV("& "));
    if (has_other) {
        i = rest.p[1] == '&' ? 3 : 5;
        size_t from = i;
        while (i < rest.n && ((unsigned char)((rest.p[i] | 32) - 'a') < 26 || rest.p[i] == '-'))
            i++;
        if (i < from + 2 || !scan_is_upper(rest.p[from]))
            return false;
    } else if (!is_second) {
        return false;
    }
    while (i < rest.n && strchr(" ,(", rest.p[i]))
        i++;
    return is_year(sv_from_to(rest, i, rest.n));
}

/* Single letters all around, as of an image's code or a torn formula: "x S B Q q N a F". */
static bool is_shredded(struct sv text, const struct entity *e)
{
    unsigned single = 0;
    if (e->end - e->start > 3)
        return false;
    size_t pos = e->start;
    for (int k = 0; k < 3 && pos >= 2; k++, pos -= 2)
        if (text.p[pos - 1] == ' ' && text.p[pos - 2] > ' ' &&
            (pos == 2 || text.p[pos - 3] == ' ') && text.p[pos - 2] != ',')
            single++;
        else
            break;
    pos = e->end;
    for (int k = 0; k < 3 && pos + 2 < text.n; k++, pos += 2)
        if (text.p[pos] == ' ' && text.p[pos + 1] > ' ' && text.p[pos + 2] == ' ')
            single++;
        else
            break;
    return single >= 5;
}

/* "gold standard", "Silicon Valley", "glass slide", "Al-Zubidy", "& Co. Ltd". */
static bool is_idiom(const struct vocab *v, struct sv text, const struct entity *e)
{
    static const char *const element[] = { "standard", "standards", "label", "labels", "medal",
                                           "medals",   "valley",    "rush",  "xeon" };
    static const char *const vessel[] = { "slide",     "slides", "beaker", "beakers", "vial",
                                          "vials",     "tube",   "tubes",  "bottle",  "bottles",
                                          "fibre",     "fiber",  "wool",   "plate",   "plates",
                                          "capillary", "frit",   "window", "ware" };
    struct sv rest = sv_from_to(text, e->end, text.n);
    if (e->chem == CHEM_ELEMENT && sv_is(sv_from(e->notation), "Co") &&
        (sv_starts(rest, SV(". Ltd")) || sv_starts(rest, SV("., ")) ||
         sv_starts(rest, SV(" Ltd"))))
        return true;
    bool is_glass = sv_is(entity_name(v, e), "glass");
    if (rest.n < 4 || (rest.p[0] != ' ' && rest.p[0] != '-') ||
        (!is_glass && !vocab_type_is(e->type, "element")))
        return false;
    struct sv word = sv_from_to(rest, 1, vocab_skip_word(rest, 1));
    const char *const *list = is_glass ? vessel : element;
    size_t n = is_glass ? ARRAY_LEN(vessel) : ARRAY_LEN(element);
    for (size_t i = 0; (is_glass || !e->chem) && i < n; i++)
        if (vocab_word_is(word, list[i]))
            return true;
    return e->chem == CHEM_ELEMENT && sv_is(sv_from(e->notation), "Al") && rest.p[0] == '-' &&
           word.n > 3 && scan_is_upper(word.p[0]) && scan_is_lower(word.p[1]) &&
           scan_is_lower(word.p[2]) &&
           !strchr("BRSO", word.p[0]); /* Bearing, Rich, Silicate, Oxide in titles */
}

/* Is it more likely something else where nothing speaks for chemistry? Table heads and
 * questions are short. */
static bool is_doubtful(struct sv text, const struct entity *e)
{
    return text.n >= LONG_TEXT || (e->chem == CHEM_FORMULA && text.n >= LONG_TEXT / 4) ||
           is_before_name(text, e);
}

/* "H2" among H1 and H3, "COS-7", "Ca. 1900": a label, a cell line, about. */
static bool is_label(struct sv text, const struct entity *e)
{
    struct sv rest = sv_from_to(text, e->end, text.n);
    if (e->chem == CHEM_ELEMENT)
        return strcmp(e->notation, "Ca") == 0 && rest.n > 2 && rest.p[0] == '.' &&
               rest.p[1] == ' ' && is_number(rest.p[2]);
    if (e->chem != CHEM_FORMULA || strlen(e->notation) > 3)
        return false;
    if (rest.n > 1 && rest.p[0] == '-' && is_number(rest.p[1]))
        return true;
    if (e->end - e->start != 2 || !is_number(e->notation[1]))
        return false;
    static const char digits[] = "013";
    for (size_t i = 0; i < sizeof digits - 1; i++) {
        char label[2] = { e->notation[0], digits[i] };
        size_t at = sv_find(text, (struct sv){ label, 2 }, 0);
        if (at != SIZE_MAX && (at == 0 || strchr(" (,", text.p[at - 1])) &&
            (at + 2 == text.n || strchr(" ),.:;", text.p[at + 2])))
            return true;
    }
    return false;
}

void vocab_weigh_field(const struct vocab *v, struct sv text, struct entities *list)
{
    bool has_field = false, has_letters = false;
    for (size_t i = 0; i < list->n; i++) {
        struct entity *e = &list->items[i];
        if (is_label(text, e) || is_author(text, e) || is_shredded(text, e) ||
            is_idiom(v, text, e)) {
            e->weak = true;
            e->is_field = false;
        }
        has_field |= e->is_field && e->weak;
        has_letters |= !e->weak && is_letters(e);
    }
    if (!has_field && !has_letters)
        return;
    unsigned evidence = evidence_of_text(v, text, list);
    unsigned enough = text.n < LONG_TEXT ? 1 : ENOUGH; /* a sentence has few names */
    for (size_t i = 0; i < list->n; i++) {
        struct entity *e = &list->items[i];
        if (e->is_field && e->weak && evidence >= enough)
            e->weak = false;
        else if (evidence < ENOUGH && is_letters(e) && is_doubtful(text, e))
            e->weak = true;
    }
}
