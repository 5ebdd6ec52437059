// SPDX-License-Identifier: MIT
/*
 * publisher.h — publishers' own full-text XML, turned into the TEI that the converter reads
 *
 * JATS (NLM, ANSI/NISO Z39.96) and Elsevier's article DTDs. The tree is rebuilt in place: a new
 * root <TEI> with a header made from the front matter, the body and the reference list with
 * TEI's names for the same things. Elements without a like in TEI keep their text. The tree
 * stays one tree of the same document: views into it stay valid.
 *
 *   publisher.c        which articles a file holds; the new tree; ids
 *   publisher_tree.c   small steps that build and change a tree
 *   publisher_text.c   running text: elements of both kinds → TEI's
 *   publisher_ref.c    references in the text
 *   publisher_float.c  figures, tables (HTML and CALS), boxes
 *   publisher_bibl.c   people, affiliations, entries of the reference list, statements
 *   jats.c elsevier.c  where each kind keeps front matter, references, back matter
 *   jats_bibl.c        of JATS: dates, ids, references
 *   mathml.c           formulas
 */
#ifndef PUBLISHER_H
#define PUBLISHER_H

#include "buf.h"
#include "map.h"
#include "xml.h"

/* Which kind of article does the file hold: the root itself, or the first one inside a wrapper
 * (pmc-articleset, OAI-PMH, full-text-retrieval-response …)? NULL: none. Static text: "JATS",
 * "Elsevier". */
const char *publisher_of(const xmlNode *root);

/* The body of the first such article; NULL: not there, or not there yet where the file was cut.
 */
const xmlNode *publisher_body(const xmlNode *root);

/* Replace the document's root by <TEI>, or by <teiCorpus> with one <TEI> for each of several
 * articles. The document holds some. O(n). */
void publisher_to_tei(struct xml_doc *d);

/* ---- shared by the parts ---- */

/* What stands behind an id of the file. */
struct publisher_id {
    const char *type; /* TEI's type of a reference to it; NULL: nothing is known */
    xmlNode *person;  /* affiliation or address of correspondence; NULL: something else */
    size_t order;     /* in the reference list, from 1; 0: not there */
    size_t same;      /* ordinal of the id to use instead */
    size_t part,
        more; /* further citations of this entry: .more of publisher.parts, from .part */
};

/* The parts of the new tree that are to be filled. */
struct publisher {
    xmlDocPtr doc;
    xmlNode *old; /* the article as it was */
    xmlNode *root, *analytic, *monogr, *imprint, *bibl, *publication, *keywords, *profile;
    xmlNode *body, *back, *list;
    void (*read_list)(struct publisher *p,
                      xmlNode *list); /* of references, found in the text */
    struct map *ids;
    struct publisher_id *id; /* by the id's ordinal */
    size_t *order, *parts;   /* ordinals: of the entries of the list; of further citations */
    size_t cap_ids, n_order, cap_order, n_parts, cap_parts;
    /* One affiliation may stand at many authors, one mark for many references: what all of them
     * may still take, in bytes. */
    size_t budget;
    int in_cell, in_float; /* how deep the walk is inside such */
};

void jats_to_tei(struct publisher *p);
void elsevier_to_tei(struct publisher *p);

/* ---- jats.c, jats_bibl.c ---- */

/* The name among the forms of one that a person or group has. */
xmlNode *jats_name_of(xmlNode *contrib);

/* First child of the first of the names, which end with NULL, that there is. */
xmlNode *jats_first_of(const xmlNode *node, const char *const names[]);

/* <date when="2019-04-07"> as far as year, month and day below from go. */
void jats_date(xmlNode *parent, const xmlNode *from);

/* <idno> for each child of that name with an id of a known type. */
void jats_idnos(xmlNode *to, const xmlNode *from, const char *name);

/* <meeting> with the name and place of a conference below from, when it has a name. */
void jats_meeting(xmlNode *book, const xmlNode *from);

void jats_references(struct publisher *p, xmlNode *list);

/* ---- publisher.c ---- */

/* Note the ids of all elements below node. */
void publisher_index(struct publisher *p, xmlNode *node);

/* The id's entry, or NULL. */
const struct publisher_id *publisher_id(const struct publisher *p, struct sv id);

/* May n more bytes be taken from the budget? Then they are. */
bool publisher_spend(struct publisher *p, size_t n);

/* Is n one citation of an entry of the reference list? */
bool publisher_is_citation(const xmlNode *n);

/* Append the id of the k-th citation (from 0) of an entry. */
void publisher_part_id(const xmlNode *entry, const xmlNode *citation, size_t k, struct buf *to);

/* ---- publisher_tree.c ---- */

/* A new last child, with text unless that is empty. */
xmlNode *publisher_add(xmlNode *parent, const char *name, struct sv text);
/* The same, but nothing (NULL) when the text is empty. */
xmlNode *publisher_put(xmlNode *parent, const char *name, struct sv text);
/* The same with the text below a node. */
xmlNode *publisher_put_text(xmlNode *parent, const char *name, const xmlNode *from);
void publisher_set(xmlNode *node, const char *attr, struct sv value);
/* <idno type="type">, unless text is empty. */
void publisher_idno(xmlNode *parent, const char *type, struct sv text);
/* <biblScope unit="unit"> with from and to, or text when to is empty. */
void publisher_scope(xmlNode *imprint, const char *unit, struct sv from, struct sv to);
void publisher_rename(xmlNode *node, const char *name);
/* Take from its place and make it the last child of another; NULL is nothing. */
void publisher_move(xmlNode *node, xmlNode *parent);
void publisher_move_all(xmlNode *from, xmlNode *to);
void publisher_drop(xmlNode *node);
/* Its children take its place. */
void publisher_unwrap(xmlNode *node);
/* Its children are replaced by text. */
void publisher_retext(xmlNode *node, struct sv text);
/* Text in front of the first, or after the last of its children. */
void publisher_prepend(xmlNode *node, struct sv text);
void publisher_append(xmlNode *node, struct sv text);
/* Is there any visible text below node, or in it? */
bool publisher_is_blank(const xmlNode *node);
/* Text below a node, blanks collapsed, appended. */
void publisher_text(const xmlNode *node, struct buf *to);
/* The same without what is no part of a name or address: labels, ids, e-mail, links. */
void publisher_name_text(const xmlNode *node, struct buf *to);
/* First element of that name at any depth below node, in order of reading. */
xmlNode *publisher_find(const xmlNode *node, const char *name);
/* Text of publisher_find, or of the node itself for name NULL; valid as long as the tree. */
struct sv publisher_leaf(const xmlNode *node, const char *name);
/* First child of that name of the node or one of those around it. */
xmlNode *publisher_around(const xmlNode *node, const char *name);
/* The child of that name among the first few: that keeps a file of nothing but labels cheap. */
xmlNode *publisher_near(const xmlNode *node, const char *name);
/* Is it one of the names, which end with NULL? */
bool publisher_is_any(const xmlNode *node, const char *const names[]);

/* ---- publisher_text.c ---- */

/* Give everything below node, or the node itself, TEI's names. An element that has its new name
 * already is left alone. */
void publisher_walk(struct publisher *p, xmlNode *node);
void publisher_walk_self(struct publisher *p, xmlNode *node);

/* Move a title (NULL: none) into a part of the new tree and name it as TEI does; marks of notes
 * in it are dropped. */
void publisher_title(struct publisher *p, xmlNode *parent, xmlNode *title, const char *level);

/* Add a subtitle to the title that was made last in parent: "Title: subtitle". */
void publisher_subtitle(xmlNode *parent, const xmlNode *subtitle);

/* ---- publisher_ref.c ---- */

void publisher_reference(struct publisher *p, xmlNode *n);
void publisher_link(xmlNode *n);

/* Children that are numbers with a dash between ("3–7") become one reference to all of them. */
void publisher_ranges(struct publisher *p, xmlNode *node);

/* ---- publisher_float.c ---- */

/* A float's label ("Table 2.") becomes its head, with its last word as number in front. */
void publisher_float_label(xmlNode *label);
/* Order what is in a <figure>: caption, tables, notes; floats inside it follow it. */
void publisher_figure(xmlNode *figure, bool is_table);
/* <tgroup> of CALS → <table> with spans in numbers. */
void publisher_cals(struct publisher *p, xmlNode *tgroup);
/* <table> of HTML: feet to the end; inside a cell it becomes text. */
void publisher_grid(struct publisher *p, xmlNode *table);
/* Boxed text becomes paragraphs of where it stands; a section, when it stands alone. */
void publisher_box(struct publisher *p, xmlNode *box);

/* ---- publisher_bibl.c ---- */

/* A new <author> or <editor> from an element with given name and surname, or text. */
xmlNode *publisher_person(xmlNode *parent, const char *name, const xmlNode *from);
/* The affiliation's text and parts to an author, as far as the budget goes. */
void publisher_affiliation(struct publisher *p, xmlNode *author, const xmlNode *aff);
/* ORCID in any form: 19 characters of it. */
void publisher_orcid(xmlNode *author, struct sv s);

struct publisher_entry {
    xmlNode *bibl, *article, *book, *imprint; /* article NULL: none */
};

/* The k-th citation of an entry of the reference list, with its text as note. Call it before
 * parts are taken out of the citation. */
struct publisher_entry publisher_entry(struct publisher *p, const xmlNode *entry,
                                       xmlNode *citation, size_t k, bool has_article);
/* DOI and address out of links and text, where no idno gave one. */
void publisher_entry_links(const struct publisher_entry *e, const xmlNode *citation);

/* TEI's type of a statement of the back matter (acknowledgement, funding …), by the element's
 * own type, then by its title; NULL: none of them. */
const char *publisher_statement_type(const xmlNode *n);
/* Move to the back matter as a <div> of that type (NULL: annex); n NULL is nothing. */
void publisher_statement(struct publisher *p, xmlNode *n, const char *type);
/* The same with the text of a new paragraph. */
void publisher_statement_text(struct publisher *p, const char *type, struct sv text);
/* Move the statements among the last sections of the body to the back matter. */
void publisher_statements_of_body(struct publisher *p);

#endif
