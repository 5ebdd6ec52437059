// SPDX-License-Identifier: MIT
/*
 * vocab_mineral.c — varieties of minerals named after what is in them: "Ti-chromite", "Fe/Mg-
 * smectite", "Cr-Ti spinel", "ferroan dolomite"
 */
#include "utf8.h"
#include "vocab.h"
#include "vocab_impl.h"

static bool is_variety(struct sv word)
{
    static const char *const words[] = {
        "aluminian",    "aluminous",     "argentian",     "argentiferous", "arsenian",
        "barian",       "calcian",       "calcic",        "chromian",      "chromiferous",
        "cobaltian",    "cobaltiferous", "cuprian",       "cupriferous",   "ferrian",
        "ferroan",      "fluorian",      "lithian",       "magnesian",     "manganiferous",
        "manganoan",    "niccolian",     "nickeliferous", "nickeloan",     "potassian",
        "potassic",     "sodian",        "sodic",         "strontian",     "titanian",
        "titaniferous", "vanadian",      "vanadiferous",  "zincian",       "zinciferous",
        "zirconian",
    };
    return VOCAB_AMONG(word, words);
}

/* May the symbol *o stand for what makes the variety? "Au-quartz" and "S-diamond" are none. */
static bool is_part(const struct entity *o)
{
    if (o->chem == CHEM_ELEMENT_RATIO)
        return true;
    if (o->chem != CHEM_ELEMENT || strcmp(o->notation, "Au") == 0 ||
        strcmp(o->notation, "Ag") == 0)
        return false;
    return strlen(o->notation) == 2 || strchr("KFV", o->notation[0]) != NULL;
}

/* Start of the symbols before the mineral at `start`; *n: names of the list before them. */
static size_t symbols_start(struct sv text, const struct entities *list, size_t start,
                            size_t *n)
{
    size_t first = start;
    unsigned joined = 0;
    bool is_close = start > 0 && text.p[start - 1] == '-';
    while (*n > 0) {
        const struct entity *o = &list->items[*n - 1];
        bool is_joined = first > 0 && o->end == first - 1 && is_part(o) &&
                         (text.p[o->end] == '-' || (joined && text.p[o->end] == '/') ||
                          (!joined && text.p[o->end] == ' '));
        if (!is_joined)
            break;
        first = o->start;
        joined++;
        --*n;
    }
    /* behind a blank only a pair: "Cr-Ti spinel", not "Cr spinel" */
    if (joined == 0 || (!is_close && joined < 2)) {
        *n = list->n;
        return start;
    }
    return first;
}

void vocab_widen_mineral(const struct vocab *v, struct sv text, struct entities *list,
                         struct entity *e)
{
    size_t n = list->n, from = e->start;
    if (e->weak || e->chem || e->start < 3 || e->end - e->start < 4)
        return;
    size_t start = symbols_start(text, list, e->start, &n);
    if (start == e->start && text.p[start - 1] == ' ') {
        from = start - 1;
        while (from > 0 && (unsigned char)((text.p[from - 1] | 32) - 'a') < 26)
            from--;
        bool is_free = n == 0 || list->items[n - 1].end <= from;
        if (is_free && is_variety(sv_from_to(text, from, start - 1)))
            start = from;
    }
    if (start == e->start || !vocab_name_widened(v, text, start, e))
        return;
    list->n = n;
}
