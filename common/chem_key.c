// SPDX-License-Identifier: MIT
/*
 * chem_key.c — display forms to keys; names of the kinds
 */
#include "chem.h"

/* Lower case, save what chem.h says. */
static size_t fold(struct sv form, char key[CHEM_MAX])
{
    static const char *const kept[] = { "CO", "NO", "HF" };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (sv_is(form, kept[i]))
            key[n++] = '=';
    bool keeps_case = n > 0;
    for (size_t i = 0; i < form.n && n + 1 < CHEM_MAX; i++) {
        char c = form.p[i];
        key[n++] = c >= 'A' && c <= 'Z' && !keeps_case ? (char)(c + 32) : c;
    }
    key[n] = '\0';
    return n;
}

size_t chem_key(const struct chem *c, char key[CHEM_MAX])
{
    struct sv form = { c->text, c->n };
    return fold(sv_is(form, "\xCE\xB4"
                            "D")
                    ? SV("\xCE\xB4"
                         "2H")
                    : form,
                key);
}

size_t chem_part_key(const struct chem *c, unsigned i, char key[CHEM_MAX])
{
    return fold(
        (struct sv){ c->text + c->parts[i].from, (size_t)(c->parts[i].to - c->parts[i].from) },
        key);
}

const char *chem_kind_name(enum chem_kind kind)
{
    static const char *const names[] = { "none",          "element", "isotope", "ratio",
                                         "element_ratio", "system",  "delta",   "epsilon",
                                         "formula",       "ion" };
    return names[kind];
}
