// SPDX-License-Identifier: MIT
/*
 * clean.h — repairing text that came through a PDF, keeping the way back to the source
 *
 * One pass from left to right; each step is named and can be left out. The stored form stays
 * NFC: compatibility forms are not folded, since they would turn 10⁻³ into 10-3.
 */
#ifndef CLEAN_H
#define CLEAN_H

#include "buf.h"
#include "err.h"
#include "furniture.h"
#include "gr.h"
#include "sv.h"

/* The steps, as bits; CLEAN_NAMES names them in this order. */
enum clean_step {
    CLEAN_CONTROL = 1 << 0,  /* control, zero-width characters and soft hyphens go */
    CLEAN_LIGATURE = 1 << 1, /* ﬁ → fi, ﬂ → fl, … */
    CLEAN_HYPHEN = 1 << 2,   /* "clinopyrox-⏎ene" joins; "LA-ICP-⏎MS" keeps its hyphen */
    CLEAN_NOTATION = 1 << 3, /* "87 Sr/ 86 Sr" → "87Sr/86Sr", "SiO 2" → "SiO2" */
    CLEAN_SPACE = 1 << 4,  /* a run of white space is one blank, line end or paragraph break */
    CLEAN_MARKUP = 1 << 5, /* stray tags go; <sup>2</sup> and <sub>2</sub> become ² and ₂ */
    CLEAN_PAGE = 1 << 6,   /* running heads and page numbers go; this and the next: see
                            * furniture.h */
    CLEAN_DOWNLOAD = 1 << 7,  /* "Downloaded from …" goes */
    CLEAN_COPYRIGHT = 1 << 8, /* copyright and licence notices go */
    CLEAN_REPEAT = 1 << 9,    /* a block that the paper had before goes */
};
#define CLEAN_NAMES                                                                            \
    "control|ligature|hyphen|notation|space|markup|page|download|copyright|repeat"
#define CLEAN_STEPS 10
#define CLEAN_LINES (CLEAN_PAGE | CLEAN_DOWNLOAD | CLEAN_COPYRIGHT | CLEAN_REPEAT)
#define CLEAN_ALL ((1u << CLEAN_STEPS) - 1)

struct clean {
    struct buf text; /* cleaned, UTF-8, NFC */
    size_t n_chars;  /* code points of text */
    struct clean_off {
        uint32_t at, source; /* code point of text, and of the source */
    } * offs; /* (n_offs) where the two go on in step; first and last: the ends */
    size_t n_offs, cap;
    uint64_t counts[CLEAN_STEPS]; /* repairs made, summed over calls */
    struct buf nfc;               /* scratch */
    struct furniture furniture;   /* scratch */
    struct paper *paper; /* borrowed: what other texts of the paper tell; NULL: nothing */
};

/* Parse "all", "none" or a comma list of step names into bits. EXIT_USAGE on another word. */
int clean_parse(const char *list, unsigned *steps, struct err *err);

/* Clean valid UTF-8 into c->text, with the way back (replacing what they hold). O(n).
 * Zero-initialised c is fine. */
void clean_run(struct clean *c, struct sv original, unsigned steps);

/* Code point of the source, in its NFC form, from which code point i <= n_chars of the text
 * comes; that of the end is the source's end. O(log n). */
size_t clean_source(const struct clean *c, size_t i);

/* The other way: the first code point of the text that comes from `source` or from behind it;
 * n_chars when there is none. O(log n). */
size_t clean_position(const struct clean *c, size_t source);

void clean_release(struct clean *c);

#endif
