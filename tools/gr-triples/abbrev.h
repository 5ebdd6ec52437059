// SPDX-License-Identifier: MIT
/*
 * abbrev.h — short forms that a paper makes for its own use: "Bushveld granite (BGR)"
 *
 * Learnt, from all texts of a paper before any of them is read:
 *
 *   long form (SF)            also "(SFs)", "(SF; …)", "(hereafter SF)", "(referred to as SF)"
 *   SF (long form)
 *   SF = long form            of legends; ":" and dashes too, where a known name follows
 *
 * What a short form means is what its long form is: the name of the vocabulary that it is or
 * that ends it ("Lachlan granite": granite), a place where a head word says so ("Karoo
 * Supergroup"), else nothing: then it is at least not read as the element or mineral that is
 * spelled alike ("contact (CO)", "inclusions (In)").
 *
 * The alignment is that of Schwartz and Hearst (PSB 2003): the letters of the short form stand
 * in the long one in their order, the first at the start of a word. Before it a stricter one is
 * tried, where each word gives its first letters: only that overrules a name of the vocabulary
 * ("Pleistocene (Pl)"), and never one whose element is in what the long form means ("zircon
 * (Zr)").
 */
#ifndef ABBREV_H
#define ABBREV_H

#include "notation.h"
#include "sv.h"
#include "vocab.h"

#define ABBREV_MAX 12 /* bytes of a short form with its NUL */

struct abbrevs {
    struct abbrev {
        char text[CHEM_MAX];  /* the short form; a long form that no vocabulary knows */
        size_t n;             /* bytes of text */
        struct entity entity; /* what it stands for; start and end mean nothing; type NULL: no
                               * name */
        size_t record;        /* where: number of the record, and in that */
        uint64_t at;
        bool is_strict; /* overrules the vocabulary */
    } * items;
    size_t n, cap;
    size_t n_records;           /* learnt from */
    size_t n_before;            /* the caller's: records of parts before */
    struct notations notations; /* isotopes that the records name */
    uint16_t first[257];        /* items that begin with byte b: [first[b], first[b + 1]) */
    bool begins[256];           /* does one begin with that byte? */
};
void abbrevs_release(struct abbrevs *list);

/* Empty, and ready for abbrevs_find. */
void abbrevs_reset(struct abbrevs *list);

/* Learn what text number `section` of record number list->n_records defines; at most some
 * hundred forms a list. The caller counts records on. text: valid UTF-8 in normal form C.
 * abbrevs_sort must follow the last. */
void abbrevs_learn(struct abbrevs *list, const struct vocab *v, struct sv text, size_t section);
void abbrevs_sort(struct abbrevs *list);

/* Append what `from`, not sorted or sorted, has; its records count as well. */
void abbrevs_copy(struct abbrevs *list, const struct abbrevs *from);

/*
 * Put the places of a text of that record and section where a short form stands alone among
 * names, which are in order and stay so. Of several meanings the last before a place counts, or
 * else the first.
 */
void abbrevs_find(const struct abbrevs *list, size_t record, struct sv text, size_t section,
                  struct entities *names);

/* ---- abbrev_form.c: what is defined as what ---- */

struct definition {
    struct sv form; /* without a plural's s */
    struct sv name; /* the long form; "": none was found ("hereafter BG") */
    bool is_strict; /* each word gives its first letters */
    bool is_legend; /* "SF = name": only a name of the vocabulary will do */
};

/* A definition whose bracket or sign stands at byte pos of text. */
bool definition_at(struct sv text, size_t pos, struct definition *d);

/* Is the word that ends a long form one of places and bodies of rock ("Formation", "belt")? */
bool definition_is_place(struct sv name);

#endif
