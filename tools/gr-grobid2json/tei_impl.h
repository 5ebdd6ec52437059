// SPDX-License-Identifier: MIT
/*
 * tei_impl.h — what the parts of the converter share: the state of one file, its small helpers
 *
 *   header.c  titles, people, dates, keywords, abstract      biblio.c  the same for references
 *   body.c    sections, notes, back matter                   floats.c  tables, figures,
 * formulas
 */
#ifndef TEI_IMPL_H
#define TEI_IMPL_H

#include "flow.h"
#include "tei.h"
#include "xml.h"

enum tei_back {
    BACK_ACKNOWLEDGEMENT,
    BACK_FUNDING,
    BACK_AVAILABILITY,
    BACK_CONTRIBUTION,
    BACK_CONFLICT,
    BACK_ANNEX,
    BACK_KINDS,
};

struct tei {
    const struct tei_cfg *cfg;
    const struct rec *rec; /* for warnings */
    const char *publisher; /* publisher_of the file; NULL: TEI */
    struct flow scratch;   /* of tei_text */
    /* Elements of JSON arrays, without the brackets. */
    struct buf sections, tables, figures, formulas, footnotes, references;
    struct buf section_formulas; /* ids in the section at hand */
    struct buf back[BACK_KINDS]; /* texts */
    size_t n_sections, n_tables, n_figures, n_formulas, n_footnotes, n_references;
    bool is_plain; /* inside tei_text: nothing is collected, notes and floats are skipped */
    size_t fill_budget; /* bytes that table filling may still add in this file */
};

/* ---- tei.c ---- */

/* All text below node, collapsed, NFC; valid until the next call. NULL gives "". */
struct sv tei_text(struct tei *t, const xmlNode *node);

/* Write a member unless its value is empty. */
void tei_put(struct buf *out, const char *key, struct sv value);
void tei_put_text(struct tei *t, struct buf *out, const char *key, const xmlNode *node);

/* Write "id": the element's xml:id, else prefix, "x" and number. */
void tei_put_id(struct buf *out, const xmlNode *node, const char *prefix, size_t number);

/* Append the boxes of a coords attribute ("page,x,y,w,h;…") as JSON objects; what is no box is
 * left out. */
void tei_boxes(struct buf *boxes, struct sv coords);

/* Write "coords":[boxes] when the configuration asks for it and there are any. */
void tei_put_boxes(const struct tei *t, struct buf *out, const struct buf *boxes);

/* ---- biblio.c ---- */

/* A DOI in lower case without resolver or "doi:" in front; false when it is none. */
bool tei_doi(struct sv s, struct buf *doi);

/* The DOI of a biblStruct (or another element that holds idno at some depth <= 2). */
bool tei_find_doi(const xmlNode *bibl, struct buf *doi);

/* "2015", "2015-03" or "2015-03-17" out of a date: its valid beginning when it starts with a
 * year, else the first year 1500–2099 in it; 0 when there is none. */
int tei_date(struct sv s, struct buf *date);

/* Members date (when asked for) and year of the first dates that hold one. */
void tei_put_date(struct tei *t, struct buf *out, const xmlNode *const dates[], size_t n,
                  bool has_date);

/* Member authors from the author children of parent; nothing when there are none. */
bool tei_put_authors(struct tei *t, struct buf *out, const xmlNode *parent);

/* Members volume, issue, pages of an imprint; issue when asked for. */
void tei_put_imprint(struct tei *t, struct buf *out, const xmlNode *imprint, bool has_issue);

/* First title of the levels in `levels` ("aj"), those of type main first; NULL: none. */
const xmlNode *tei_title(const xmlNode *parent, const char *levels);

/* The references of a listBibl into t->references. */
void tei_references(struct tei *t, const xmlNode *list);

/* ---- header.c ---- */

/* Members title … abstract. */
void tei_header(struct tei *t, struct buf *out, const xmlNode *root);

/* GROBID's version; "" when the file does not name GROBID. */
struct sv tei_grobid(const xmlNode *root);

/* ---- body.c ---- */

/* Text, references and floats below node into a flow. */
void tei_inline(struct tei *t, struct flow *f, const xmlNode *node);

/* Paragraphs, lists, quotes … below node into a flow; heads are paragraphs. */
void tei_blocks(struct tei *t, struct flow *f, const xmlNode *node);

void tei_body(struct tei *t, const xmlNode *body);
void tei_back(struct tei *t, const xmlNode *back);

/* Cut the number off a head ("2.1. Methods" → "2.1", "Methods"); false when it has none. */
bool tei_head_number(struct sv head, struct sv *number, struct sv *rest);

/* ---- floats.c ---- */

void tei_figure(struct tei *t, const xmlNode *figure); /* also a table */
void tei_bare_table(struct tei *t, const xmlNode *table);

/* Its text goes into the flow too, but for a display formula when it shall stand apart. */
void tei_formula(struct tei *t, struct flow *f, const xmlNode *formula, bool is_display);
void tei_note(struct tei *t, const xmlNode *note);

#endif
