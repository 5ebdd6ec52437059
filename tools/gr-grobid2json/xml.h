// SPDX-License-Identifier: MIT
/*
 * xml.h — an XML file as a libxml2 tree, read with suspicion, and views into that tree
 *
 * Nothing is fetched, no entity of the file's own is expanded, elements may nest 256 deep
 * (libxml2's own limit). Names of characters (&delta;) are known without their DTD. Views
 * (struct sv) point into the tree and live until xml_close.
 */
#ifndef XML_H
#define XML_H

#include <libxml/tree.h>

#include "arena.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct xml_doc {
    xmlDocPtr doc;     /* what was read up to the first error; NULL: nothing */
    uint64_t line;     /* of the first error, from 1; 0: the file is well-formed */
    char message[256]; /* what libxml2 said there */
    bool is_cut;       /* the error is that the file ends too early */
    bool has_entities; /* it declares entities of its own: a reason to refuse it */
    char unknown[256]; /* names of entities that nothing is known about, a blank between */
    bool is_too_large; /* the tree would take more than max_bytes: it ends where it would */
    bool is_overfull;  /* an element has more than XML_MAX_ATTRIBUTES: nothing was read */
    size_t max_bytes;
    xmlDict *names;      /* holds the names of the tree */
    struct arena memory; /* holds the tree of a TEI file */
};

/* No tree of n bytes of XML takes more: 46 times n for "a<b/>a<b/>a<b/>…", 55 in libxml2's own
 * trees, and what the last block leaves free. */
#define XML_MOST_BYTES(n) (((size_t)5 << 20) + 64 * (n))

#define XML_MAX_ATTRIBUTES 1000

/* Call once before the first thread starts. */
void xml_setup(void);

/* Parse. Never fails: look at the fields. bytes must stay until the call returns. The tree may
 * take max bytes (0: no limit), by count for a TEI file, by a guess from above for others.
 * O(n).
 */
void xml_open_within(struct xml_doc *d, struct sv bytes, size_t max);
void xml_open(struct xml_doc *d, struct sv bytes); /* without limit */
void xml_close(struct xml_doc *d);

/* Is node an element of this local name? NULL is none. Most names differ in their first
 * letter. */
static inline bool xml_is(const xmlNode *node, const char *name)
{
    return node && node->type == XML_ELEMENT_NODE && (char)node->name[0] == name[0] &&
           strcmp((const char *)node->name, name) == 0;
}

/* First child element of that name (any, when name is NULL), or NULL; next sibling likewise. */
xmlNode *xml_child(const xmlNode *node, const char *name);
xmlNode *xml_next(const xmlNode *node, const char *name);

/* Follow a path of names ("fileDesc/titleStmt/title"), the first of each; NULL when broken. */
xmlNode *xml_path(const xmlNode *node, const char *path);

/* Value of an attribute by local name ("id" finds xml:id), trimmed; "" when absent. */
struct sv xml_attr(const xmlNode *node, const char *name);

/* Does the attribute hold this value, ASCII letters without case? */
bool xml_has(const xmlNode *node, const char *attr, const char *value);

#endif
