// SPDX-License-Identifier: MIT
/*
 * tei_impl.h — what the parts of the converter share: the state of one file, its small helpers
 *
 *   header.c  people, dates, keywords, abstract, funding     biblio.c  the same for references
 *   body.c    sections, notes, back matter                   people.c  authors, affiliations
 *   floats.c  tables, figures, formulas                      spans.c   marks in texts
 *   titles.c  titles and subtitles
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
    BACK_REFERENCES, /* what is in a list of references but in no reference */
    BACK_KINDS,
};

enum { NAME_GIVEN, NAME_MIDDLE, NAME_FAMILY, NAME_SUFFIX, NAME_TITLE, NAME_PARTS };

struct tei {
    const struct tei_cfg *cfg;
    const struct rec *rec;       /* for warnings */
    const char *publisher;       /* publisher_of the file; NULL: TEI */
    size_t number;               /* of the article in its file, from 1 */
    struct flow scratch;         /* of tei_text */
    struct buf name[NAME_PARTS]; /* of the person at hand */
    /* Elements of JSON arrays, without the brackets. */
    struct buf sections, tables, figures, formulas, footnotes, references;
    struct buf section_formulas; /* ids in the section at hand */
    struct flow back[BACK_KINDS];
    size_t n_sections, n_tables, n_figures, n_formulas, n_footnotes, n_references;
    const enum flow_script *script; /* inside raised or lowered text that has such forms */
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

/* Write the boxes as member key when the configuration asks for it and there are any. */
void tei_put_boxes(const struct tei *t, struct buf *out, const char *key,
                   const struct buf *boxes);

/* The same for the element's own coords; NULL: nothing. */
void tei_put_coords(const struct tei *t, struct buf *out, const char *key, const xmlNode *node);

/* ---- spans.c ---- */

/* Open a span with n as its node; SIZE_MAX, which tei_close takes, in tei_text. */
size_t tei_open(const struct tei *t, struct flow *f, const xmlNode *n, struct flow_span span);
void tei_close(struct flow *f, size_t span);

/* Text below n into the flow, as a span with n as its node. */
void tei_marked(struct tei *t, struct flow *f, const xmlNode *n, struct flow_span span);

/* Is it an element that says what its text is: <rs>, <measure>, <num>, <date> …? */
bool tei_is_annotation(const xmlNode *n);

/* Members refs (always), marks, annotations, blocks, sections (when there are any) of a
 * finished flow. */
void tei_put_spans(struct tei *t, struct buf *out, const struct flow *f);

/* The same as members of an object, which is left out when it is empty. shift: code points that
 * the text has lost at its beginning. */
void tei_put_spans_of(struct tei *t, struct buf *out, const char *key, const struct flow *f,
                      size_t shift);

/* Members key, and key_spans when there are any, of the text below node (NULL: nothing). Notes
 * and floats in it are skipped. */
void tei_put_marked(struct tei *t, struct buf *out, const char *key, const xmlNode *node);

/* Finish the flow and write its text and spans as these two members. */
void tei_put_flow(struct tei *t, struct buf *out, const char *key, struct flow *f);

/* ---- titles.c ---- */

/* First title of the levels in `levels` ("aj"), those of type main first, then those of no
 * type; NULL: none. */
const xmlNode *tei_title(const xmlNode *parent, const char *levels);

/* The subtitle of a title that comes next after before (NULL: the first); NULL: no more. */
const xmlNode *tei_subtitle(const xmlNode *title, const xmlNode *before);

/* Members title, title_spans: "Title: subtitle"; titles: what else of the levels stands beside
 * it, or beside other, another title of the work (may be NULL). title NULL: nothing. */
void tei_put_title(struct tei *t, struct buf *out, const xmlNode *title, const xmlNode *other,
                   const char *levels);

/* Member key: "Title: subtitle", without spans. */
void tei_put_title_text(struct tei *t, struct buf *out, const char *key, const xmlNode *title);

/* ---- people.c ---- */

/* Member authors (or editors) from the author (editor) children of parent, which must be
 * `name`; nothing when there are none. */
bool tei_put_people(struct tei *t, struct buf *out, const char *key, const xmlNode *parent,
                    const char *name);

/* Member affiliations of authors of parent that have no name: nobody was found for them. */
void tei_put_loose(struct tei *t, struct buf *out, const xmlNode *parent);

/* ---- biblio.c ---- */

/* A DOI in lower case without resolver or "doi:" in front; false when it is none. */
bool tei_doi(struct sv s, struct buf *doi);

/* The DOI of a biblStruct (or another element that holds idno at some depth <= 2). */
bool tei_find_doi(const xmlNode *bibl, struct buf *doi);

/* Members issn, eissn and ids of all idno of a biblStruct and, for the paper itself, of its
 * publicationStmt (NULL: none); doi is the one that has a member of its own. */
void tei_put_ids(struct buf *out, const xmlNode *bibl, const xmlNode *other, struct sv doi);

/* Text of a leaf, as the file has it; "" for NULL. */
struct sv tei_leaf(const xmlNode *node);

/* "2015", "2015-03" or "2015-03-17" out of a date: its valid beginning when it starts with a
 * year, else the first year 1500–2099 in it; 0 when there is none. */
int tei_date(struct sv s, struct buf *date);

/* Members date, year of the first of the dates and their next siblings that holds one; else
 * date_text with what is said instead ("in press"). Then dates when they are of several types.
 */
void tei_put_date(struct tei *t, struct buf *out, const xmlNode *const dates[], size_t n);

/* Members journal to institution: what a work appeared in. */
void tei_put_container(struct tei *t, struct buf *out, const xmlNode *bibl, bool has_article);

/* Members urls, raw, note, coords …: what a biblStruct says beside the work's own parts. */
void tei_put_rest(struct tei *t, struct buf *out, const xmlNode *bibl);

/* The references of a listBibl, or a biblStruct itself, into t->references. */
void tei_references(struct tei *t, const xmlNode *list);

/* ---- header.c ---- */

/* Members title … abstract. */
void tei_header(struct tei *t, struct buf *out, const xmlNode *root, struct sv doi);

/* GROBID's version; "" when the file does not name GROBID. */
struct sv tei_grobid(const xmlNode *root);

/* ---- body.c ---- */

/* Text, references and floats below node into a flow. */
void tei_inline(struct tei *t, struct flow *f, const xmlNode *node);

/* The same for an element itself, which may be a reference, raised, a note … */
void tei_element(struct tei *t, struct flow *f, const xmlNode *node);

/* The same for a sentence or paragraph, which may have a place on the page and a type. */
void tei_passage(struct tei *t, struct flow *f, const xmlNode *node);

/* Paragraphs, lists, quotes … below node into a flow; heads are paragraphs. */
void tei_blocks(struct tei *t, struct flow *f, const xmlNode *node);

void tei_body(struct tei *t, const xmlNode *body);
void tei_back(struct tei *t, const xmlNode *back);

/* Nothing more goes into t->back. */
void tei_finish_back(struct tei *t);

/* Members n, head, level of the head (NULL: none) of a division that lies depth deep. */
void tei_put_head(struct tei *t, struct buf *out, const xmlNode *head, int depth);

/* Cut the number off a head ("2.1. Methods" → "2.1", "Methods"); false when it has none. */
bool tei_head_number(struct sv head, struct sv *number, struct sv *rest);

/* ---- floats.c ---- */

void tei_figure(struct tei *t, const xmlNode *figure); /* also a table */
void tei_bare_table(struct tei *t, const xmlNode *table);

/* Its text goes into the flow too, but for a display formula when it shall stand apart. */
void tei_formula(struct tei *t, struct flow *f, const xmlNode *formula, bool is_display);
void tei_note(struct tei *t, const xmlNode *note);

/* Notes, figures and tables below an element whose text is read without them: a head, a
 * caption, a cell. */
void tei_apart_below(struct tei *t, const xmlNode *node);

#endif
