// SPDX-License-Identifier: MIT
/*
 * vocab_none.c — what is spelled like a name and is none: torn words, labels of figures, gases
 * with a torn index, depths of water
 */
#include "vocab.h"
#include "vocab_impl.h"

/* The "Re" of "Re- search", which a line end tore: not "Fe- and Mg-rich", "Fe- bearing", "Ti-
 * magnetite". */
static bool is_torn_word(const struct vocab *v, struct sv text, const struct entity *e)
{
    static const char *const partners[] = {
        "and",       "or",        "to",         "as",         "of",          "with",
        "in",        "bearing",   "rich",       "richer",     "poor",        "free",
        "based",     "like",      "containing", "enriched",   "depleted",    "dominated",
        "doped",     "coated",    "stained",    "normalized", "normalised",  "reducing",
        "oxidizing", "oxidising", "dating",     "series",     "type",        "suite",
        "group",     "isotope",   "isotopes",   "isotopic",   "ion",         "ions",
        "metal",     "metals",    "content",    "contents",   "ratio",       "ratios",
        "line",      "lines",     "peak",       "peaks",      "ages",        "age",
        "system",    "systems",   "phases",     "minerals",   "substituted", "exchanged",
        "saturated",
    };
    size_t at = e->end + 2;
    if (!vocab_type_is(e->type, "element") || e->end - e->start > 2 || at + 2 > text.n ||
        text.p[e->end] != '-' || (text.p[at - 1] != ' ' && text.p[at - 1] != '\n'))
        return false;
    struct sv rest = sv_from_to(text, at, vocab_skip_word(text, at));
    if (rest.n < 2 || rest.p[0] < 'a' || rest.p[0] > 'z' || VOCAB_AMONG(rest, partners))
        return false;
    return vocab_find(v, rest, NULL) == VOCAB_NONE;
}

/* The "12C" of "Fig. 12C". */
static bool is_label(struct sv text, const struct entity *e)
{
    static const char *const labels[] = { "fig",  "figs",     "figure",  "figures", "table",
                                          "tab",  "panel",    "panels",  "plate",   "section",
                                          "sect", "sections", "appendix" };
    size_t end = e->start;
    if (!vocab_type_is(e->type, "isotope") || (unsigned char)(text.p[e->start] - '0') > 9)
        return false;
    while (end > 0 && (text.p[end - 1] == ' ' || text.p[end - 1] == '.'))
        end--;
    size_t start = end;
    while (start > 0 && (unsigned char)((text.p[start - 1] | 32) - 'a') < 26)
        start--;
    return end < e->start && VOCAB_AMONG(sv_from_to(text, start, end), labels);
}

/* "H 2", "H ₂", "H 1", "C 12": a gas, a hypothesis, a chain of carbon; isotopes are H-2, C-12.
 */
static bool is_index(struct sv text, const struct entity *e)
{
    struct sv s = sv_from_to(text, e->start, e->end);
    if (!vocab_type_is(e->type, "isotope") || s.n < 3 || s.p[1] != ' ')
        return false;
    return sv_starts(sv_from_to(s, 2, s.n), SV("\xe2\x82")) || (s.p[0] == 'H' && s.n == 3) ||
           (s.p[0] == 'C' && s.n == 4 && s.p[3] != '4');
}

/* "water depth", "water table": where, not what. */
static bool is_depth(struct sv text, const struct entity *e)
{
    static const char *const behind[] = { "depth",  "depths", "table", "level",
                                          "levels", "column", "mass",  "masses" };
    if (!vocab_type_is(e->type, "oxide") || e->end + 2 > text.n || text.p[e->end] != ' ' ||
        !vocab_word_is(sv_from_to(text, e->start, e->end), "water"))
        return false;
    size_t at = e->end + 1;
    return VOCAB_AMONG(sv_from_to(text, at, vocab_skip_word(text, at)), behind);
}

/* "7.9 (1H, s)", "2H polytypes": how many atoms shine there, layers that repeat. */
static bool is_spectral(struct sv text, const struct entity *e)
{
    static const char *const peaks[] = { "s",  "d",  "t",  "q",   "m",  "br",
                                         "dd", "dt", "td", "brs", "bs", "quint" };
    static const char *const stacks[] = { "polytype", "polytypes", "stacking" };
    size_t at = e->end;
    if (!vocab_type_is(e->type, "isotope") || at < e->start + 2 || at + 3 > text.n ||
        text.p[at - 1] != 'H' || (unsigned char)text.p[at - 2] >= 0x80)
        return false;
    bool is_comma = text.p[at] == ',';
    at += is_comma;
    if (text.p[at] != ' ')
        return false;
    struct sv word = sv_from_to(text, at + 1, vocab_skip_word(text, at + 1));
    return is_comma ? VOCAB_AMONG(word, peaks) : VOCAB_AMONG(word, stacks);
}

bool vocab_is_none(const struct vocab *v, struct sv text, const struct entity *e)
{
    switch (e->type[0]) {
    case 'e': /* element */
        return is_torn_word(v, text, e);
    case 'i': /* isotope */
        return is_label(text, e) || is_index(text, e) || is_spectral(text, e);
    case 'o': /* oxide */
        return is_depth(text, e);
    default:
        return false;
    }
}
