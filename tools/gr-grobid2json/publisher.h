// SPDX-License-Identifier: MIT
/*
 * publisher.h — publishers' own full-text XML, turned into the TEI that the converter reads
 *
 * The tree is rebuilt in place: a new root <TEI> with a header made from the front matter, the
 * body and the reference list with TEI's names for the same things. Elements without a like in
 * TEI keep their text. The tree stays one tree of the same document: views into it stay valid.
 */
#ifndef PUBLISHER_H
#define PUBLISHER_H

#include "buf.h"
#include "map.h"
#include "xml.h"

/* Which kind of article is it? NULL: none of the two. Static text: "JATS", "Elsevier". */
const char *publisher_of(const xmlNode *root);

/* The body of such an article; NULL: not there, or not there yet where the file was cut. */
const xmlNode *publisher_body(const xmlNode *root);

/* Replace the document's root. The document is of that kind. O(n). */
void publisher_to_tei(struct xml_doc *d);

/* ---- shared by jats.c and elsevier.c ---- */

/* The parts of the new tree that are to be filled. */
struct publisher {
    xmlDocPtr doc;
    xmlNode *old; /* the root that was */
    xmlNode *root, *analytic, *monogr, *imprint, *bibl, *publication, *keywords, *abstract;
    xmlNode *body, *back, *list;
    /* Affiliations by their id. One may stand at many authors: budget is what all of them may
     * still take, in bytes. */
    struct map *ids;
    xmlNode **affs; /* by the id's ordinal */
    size_t cap_affs, budget;
};

void jats_to_tei(struct publisher *p);
void elsevier_to_tei(struct publisher *p);

/* A new last child, with text unless that is empty. */
xmlNode *publisher_add(xmlNode *parent, const char *name, struct sv text);
/* The same, but nothing (NULL) when the text is empty. */
xmlNode *publisher_put(xmlNode *parent, const char *name, struct sv text);
void publisher_set(xmlNode *node, const char *attr, struct sv value);
/* <idno type="type">, unless text is empty. */
void publisher_idno(xmlNode *parent, const char *type, struct sv text);
/* <biblScope unit="unit"> with from and to, or text when to is empty. */
void publisher_scope(xmlNode *imprint, const char *unit, struct sv from, struct sv to);
void publisher_rename(xmlNode *node, const char *name);
/* Take from its place and make it the last child of another; NULL is nothing. */
void publisher_move(xmlNode *node, xmlNode *parent);
void publisher_drop(xmlNode *node);
/* Text below a node, blanks collapsed, appended. */
void publisher_text(const xmlNode *node, struct buf *to);
/* A new <author> with the text of the two. */
xmlNode *publisher_author(xmlNode *parent, const xmlNode *given, const xmlNode *family);
/* Move a title (NULL: none) into a part of the new tree and name it as TEI does; marks of notes
 * in it are dropped. Returns it. */
xmlNode *publisher_title(xmlNode *parent, xmlNode *title, const char *level);
/* The label that stands at the head of its element: the same for the first few children alone,
 * so that a file of nothing but labels costs no more than its length. */
xmlNode *publisher_near(const xmlNode *node, const char *name);
bool publisher_is_first_label(const xmlNode *label);
/* Note the ids of all elements of that name below node; the affiliation of an id, or NULL. */
void publisher_index(struct publisher *p, xmlNode *node, const char *name);
xmlNode *publisher_affiliation(const struct publisher *p, struct sv id);
/* May n more bytes be taken from the budget? Then they are. */
bool publisher_spend(struct publisher *p, size_t n);
/* A float's label ("Table 2.") becomes its head, with its last word as number in front. */
void publisher_float_label(xmlNode *label);
/* First element of that name at any depth below node, in order of reading. */
xmlNode *publisher_find(const xmlNode *node, const char *name);
/* Text of publisher_find, or of the node itself for name NULL; valid as long as the tree. */
struct sv publisher_leaf(const xmlNode *node, const char *name);

#endif
