// SPDX-License-Identifier: MIT
/*
 * tei.h — one TEI file as GROBID writes it → one paper record
 *
 * Reads what GROBID 0.4 to 0.8 produce (full text, header only, references only, one
 * <biblStruct> alone). The record is the paper of gr-records(5): id, doi, title, authors, date,
 * year, journal, …, sections with in-text references, tables, figures, formulas, footnotes,
 * back, references, source.
 */
#ifndef TEI_H
#define TEI_H

#include "budget.h"
#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"

enum tei_formulas { TEI_FORMULAS_TEXT, TEI_FORMULAS_APART };

struct tei_cfg {
    bool is_strict;  /* refuse cut files and TEI that does not name GROBID; publishers' files
                        pass */
    bool has_coords; /* page and box of sections, tables, figures, formulas */
    int formulas;    /* enum tei_formulas: display formulas in the section's text too, or not */
    struct budget *budget; /* for the trees of all files at hand; NULL: no limit */
};

/*
 * Append the record of the file's bytes as one line; a publisher's file of several articles
 * gives one for each. r: line is the path that source.file gets,
 * file the name for messages; number is set to the XML line that a message or warning is about;
 * warnings go to r->warnings. EXIT_REJECTED: empty, not well-formed, cut before its body began,
 * entities of its own, a root element that is neither TEI nor publisher_of's, a tree larger
 * than the whole budget. O(n) time; the tree takes some eight times n, and waits until the
 * budget has room for the largest it could be. Thread-safe after tei_setup.
 */
int tei_convert(const struct tei_cfg *cfg, struct rec *r, struct sv bytes, struct buf *out,
                struct err *err);

/* The same where the bytes were made of another file: hex is the SHA-256 of that, for `source`
 * and, without a DOI, for `id`. GROBID's TEI holds the time of its making; the PDF stays. */
int tei_convert_as(const struct tei_cfg *cfg, struct rec *r, struct sv bytes, const char *hex,
                   struct buf *out, struct err *err);

/* Call once before threads start. */
void tei_setup(void);

/* Version of libxml2 for --version; static text. */
const char *tei_libs(void);

#endif
