// SPDX-License-Identifier: MIT
/*
 * chem.h — chemical notation in running text: isotopes, ratios, δ and ε values, formulas, ions
 *
 * One thing is written in many ways: with real superscripts (⁸⁷Sr), flattened (87Sr), torn by a
 * PDF converter (87 Sr), in TeX (^{87}Sr), in words (strontium-87). Here each gets one display
 * form and one key. The reading is conservative: what may as well be plain English is left
 * alone, or marked weak.
 */
#ifndef GR_CHEM_H
#define GR_CHEM_H

#include "gr.h"
#include "sv.h"

/*
 *   kind           display form            also written
 *   element        Sr, U                   one of the 118 symbols
 *   isotope        87Sr                    ⁸⁷Sr, "87 Sr", ^{87}Sr, Sr-87, strontium-87
 *   ratio          87Sr/86Sr               of isotopes; ⁸⁷Sr/⁸⁶Sr, "87 Sr/ 86 Sr"
 *   element ratio  Sr/Ca, Eu/Eu*, FeO/MgO  of elements, formulas or ions
 *   system         U-Pb, Sm-Nd, 40Ar-39Ar  joined by a hyphen or dash; (U-Th)/He
 *   delta          δ18O, Δ14C, δD, Δ47     d18O, "δ 18 O", "delta 18O", δ^{18}O
 *   epsilon        εNd, ε182W, γOs, μ142Nd eNd, "ε Nd", "epsilon Nd", \epsilon_{Nd}
 *   formula        SiO2, CaSO4·2H2O        SiO₂, "SiO 2", SiO_2, (Mg,Fe)2SiO4
 *   ion            Fe3+, SO42-             Fe³⁺, Fe(III), Fe^{3+}, SO₄²⁻
 */
enum chem_kind {
    CHEM_NONE,
    CHEM_ELEMENT,
    CHEM_ISOTOPE,
    CHEM_RATIO,
    CHEM_ELEMENT_RATIO,
    CHEM_SYSTEM,
    CHEM_DELTA,
    CHEM_EPSILON,
    CHEM_FORMULA,
    CHEM_ION,
};

/* Bytes of a display form or key with its NUL; longer notation is no match. */
#define CHEM_MAX 96
#define CHEM_PARTS 6

/* A range of bytes of a display form. */
struct chem_part {
    unsigned char from, to;
};

struct chem {
    enum chem_kind kind;
    size_t start, end;   /* bytes [start, end) of the text */
    char text[CHEM_MAX]; /* display form, NUL-terminated UTF-8: ASCII digits, no gaps */
    size_t n;            /* its length */
    /* Members of a ratio or system, in order, as ranges of `text`: "87Sr" and "86Sr". For δ and
     * ε with a mass: the isotope ("18O"). Otherwise none. */
    struct chem_part parts[CHEM_PARTS];
    unsigned n_parts;
    /* Right only if the context agrees: a one-letter symbol, a symbol that is also an English
     * word, an isotope with a gap. Triple extraction should ask for more evidence. */
    bool weak;
};

/*
 * Is there chemical notation that starts exactly at byte pos? The longest reading wins: at the
 * "8" of "87Sr/86Sr" the ratio, not the isotope. A match never starts inside a word or number,
 * and never ends inside one, save that a glued label may follow δ, ε and isotopes (δ18Osw,
 * δ13CVPDB, 87Sr/86Sri: `end` is before the label).
 * Not matched: In, At, No, I outside a list of symbols; As, He, Be, Am at a sentence start; a
 * number before a formula ("2 H2O"); "40 K" and other gaps that may be a quantity with a unit.
 * Fills *out (kind CHEM_NONE when nothing is there) and returns whether there is a match.
 * text: valid UTF-8. O(length of the match), no allocation.
 */
bool chem_match(struct sv text, size_t pos, struct chem *out);

/* The first match that starts at or after *pos; moves *pos to its end. False, and *pos ==
 * text.n, when there is none left. Matches do not overlap. */
bool chem_next(struct sv text, size_t *pos, struct chem *out);

/*
 * The key of a match: its display form in lower case ("87sr/86sr", "δ18o", "sio2", "fe3+"), so
 * that fe3+ and fe2+, δ18o and δ17o stay apart. Case is kept where it carries meaning: Δ14C
 * gives "Δ14c"; a formula that reads as an element symbol in lower case keeps its case after a
 * "=": CO, NO, HF give "=CO", "=NO", "=HF" (Co, No, Hf give "co", "no", "hf").
 * δD gives "δ2h". Writes at most CHEM_MAX bytes with the NUL; returns the length.
 */
size_t chem_key(const struct chem *c, char key[CHEM_MAX]);

/* The same for one part of a match (i < n_parts). */
size_t chem_part_key(const struct chem *c, unsigned i, char key[CHEM_MAX]);

/* Atomic number 1–118 of an element symbol ("Sr") or its English name ("strontium", any case;
 * also aluminum, sulphur, cesium), or 0. */
int chem_symbol(struct sv symbol);
int chem_name(struct sv name);

/* Symbol and English name (lower case) of atomic number 1–118; NULL for any other number. */
const char *chem_symbol_of(int z);
const char *chem_name_of(int z);

/* Is "kind" printed: "element", "isotope", "ratio", "element_ratio", "system", "delta",
 * "epsilon", "formula", "ion" or "none". */
const char *chem_kind_name(enum chem_kind kind);

#endif
