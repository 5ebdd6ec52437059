// SPDX-License-Identifier: MIT
/*
 * xml_build.h — libxml2's parser events → the tree of a TEI file, in an arena
 *
 * The nodes are libxml2's structs, linked as libxml2 links them, with what readers of the tree
 * look at: elements (name, attributes, children, line), texts, and, without content, what
 * stands between two texts (comments, instructions, unknown entities). There are no namespaces,
 * and an attribute's value is in psvi instead of a child. Nothing of it may be given to
 * functions of libxml2 that free or grow nodes. A root element other than TEI is left to
 * libxml2's own builder, whose trees may be changed.
 */
#ifndef XML_BUILD_H
#define XML_BUILD_H

#include <libxml/parser.h>

#include "xml.h"

struct xml_build {
    struct xml_doc *doc;
    xmlNode *at;      /* the open element of our tree; NULL: none */
    xmlNode *text;    /* its last child, when that is a text: it may grow */
    size_t n_text;    /* bytes of it */
    bool is_libxml2s; /* the root is not TEI */
    size_t n_guessed; /* bytes of that tree */
};

/* Make c report to b; c->_private is b from then on. */
void xml_build_start(struct xml_build *b, struct xml_doc *doc, xmlParserCtxt *c);

/* Is some element open? */
bool xml_build_is_inside(const xmlParserCtxt *c);

#endif
