// SPDX-License-Identifier: MIT
/*
 * xml_build.c — nodes from an arena, one after the other as the file has them
 *
 * libxml2's own builder takes three blocks of the heap for an attribute and two for a text, and
 * gives them back one by one: half the time of reading a file.
 */
#include "xml_build.h"

#include <libxml/SAX2.h>
#include <libxml/parserInternals.h>

/* What libxml2 hands over for each attribute. */
struct attribute {
    const xmlChar *name, *prefix, *uri, *value, *end;
};

static void *take(xmlParserCtxt *c, size_t n)
{
    struct xml_build *b = c->_private;
    void *p = arena_alloc(&b->doc->memory, n);
    if (!p) {
        b->doc->is_too_large = true;
        xmlStopParser(c);
    }
    return p;
}

/* A new last child of the open element. */
static xmlNode *add_node(xmlParserCtxt *c, xmlElementType type)
{
    struct xml_build *b = c->_private;
    xmlNode *n = take(c, sizeof *n);
    if (!n)
        return NULL;
    *n = (xmlNode){ .type = type, .doc = c->myDoc, .parent = b->at };
    n->line = c->input->line < 65535 ? (unsigned short)c->input->line : 65535;
    if (b->at && b->at->last) {
        n->prev = b->at->last;
        n->prev->next = n;
    } else if (b->at) {
        b->at->children = n;
    }
    if (b->at)
        b->at->last = n;
    b->text = NULL;
    return n;
}

/* The root, besides a DTD that may be there. */
static void add_root(xmlDoc *doc, xmlNode *root)
{
    root->parent = (xmlNode *)doc;
    root->prev = doc->last;
    if (doc->last)
        doc->last->next = root;
    else
        doc->children = root;
    doc->last = root;
}

/* "prefix:name" where no namespace was declared for the prefix. */
static const xmlChar *full_name(const xmlParserCtxt *c, const xmlChar *name,
                                const xmlChar *prefix, const xmlChar *uri)
{
    const xmlChar *full = prefix && !uri ? xmlDictQLookup(c->dict, prefix, name) : NULL;
    return full ? full : name;
}

static const char *copy(xmlParserCtxt *c, const xmlChar *s, size_t n)
{
    char *to = take(c, n + 1);
    if (!to)
        return NULL;
    memcpy(to, s, n);
    to[n] = '\0';
    return to;
}

/* A value that libxml2 points into the file is as it stands there. Else it may hold references,
 * which libxml2 resolves: the text before the first one it does not know is the value. */
static const char *value_of(xmlParserCtxt *c, const struct attribute *a)
{
    size_t n = (size_t)(a->end - a->value);
    if (*a->end)
        return copy(c, a->value, n);
    xmlNode *list = xmlStringLenGetNodeList(c->myDoc, a->value, (int)n);
    const char *value = NULL;
    if (list && list->type == XML_TEXT_NODE && list->content)
        value = copy(c, list->content, strlen((const char *)list->content));
    xmlFreeNodeList(list);
    return value;
}

static void add_attributes(xmlParserCtxt *c, xmlNode *element, const struct attribute *all,
                           int n)
{
    xmlAttr **link = &element->properties, *before = NULL;
    for (int i = 0; i < n; i++) {
        xmlAttr *a = take(c, sizeof *a);
        if (!a)
            return;
        *a = (xmlAttr){ .type = XML_ATTRIBUTE_NODE,
                        .name = full_name(c, all[i].name, all[i].prefix, all[i].uri),
                        .parent = element,
                        .prev = before,
                        .doc = c->myDoc };
        a->psvi = (void *)(uintptr_t)value_of(c, &all[i]);
        *link = before = a;
        link = &a->next;
    }
}

/* ---- events ---- */

static void on_text(void *user, const xmlChar *s, int length)
{
    xmlParserCtxt *c = user;
    struct xml_build *b = c->_private;
    size_t n = (size_t)length;
    if (!b->at)
        return;
    if (b->text) {
        char *old = (char *)b->text->content;
        char *to = arena_extend(&b->doc->memory, old, b->n_text, b->n_text + n + 1);
        if (!to) {
            b->doc->is_too_large = true;
            xmlStopParser(c);
            return;
        }
        memcpy(to + b->n_text, s, n);
        b->n_text += n;
        to[b->n_text] = '\0';
        b->text->content = (xmlChar *)to;
        return;
    }
    xmlNode *text = add_node(c, XML_TEXT_NODE);
    if (!text)
        return;
    text->name = xmlStringText;
    if (text->line == 65535) /* where xmlGetLineNo looks for more */
        text->psvi = (void *)(intptr_t)c->input->line;
    text->content = (xmlChar *)(uintptr_t)copy(c, s, n);
    b->text = text->content ? text : NULL;
    b->n_text = n;
}

/* What parts two texts. */
static void add_mark(xmlParserCtxt *c, xmlElementType type)
{
    const struct xml_build *b = c->_private;
    if (b->at)
        (void)add_node(c, type);
}

static void on_comment(void *user, const xmlChar *value)
{
    (void)value;
    add_mark(user, XML_COMMENT_NODE);
}

static void on_instruction(void *user, const xmlChar *target, const xmlChar *data)
{
    (void)target, (void)data;
    add_mark(user, XML_PI_NODE);
}

static void on_reference(void *user, const xmlChar *name)
{
    (void)name;
    add_mark(user, XML_ENTITY_REF_NODE);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    xmlParserCtxt *c = user;
    struct xml_build *b = c->_private;
    (void)name, (void)prefix, (void)uri;
    b->text = NULL;
    if (b->at)
        b->at = b->at->parent && b->at->parent->type == XML_ELEMENT_NODE ? b->at->parent : NULL;
}

/* ---- libxml2's tree: the same events, counted ---- */

#define HEAP_BYTES 16 /* what malloc adds, and rounds up to */

static bool may_take(xmlParserCtxt *c, size_t n)
{
    struct xml_build *b = c->_private;
    size_t max = b->doc->memory.max;
    b->n_guessed += n;
    if (!max || b->n_guessed <= max)
        return true;
    b->doc->is_too_large = true;
    xmlStopParser(c);
    return false;
}

static void on_libxml2s_start(void *user, const xmlChar *name, const xmlChar *prefix,
                              const xmlChar *uri, int n_spaces, const xmlChar **spaces,
                              int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    const struct attribute *all = (const struct attribute *)(const void *)attributes;
    size_t n = sizeof(xmlNode) + HEAP_BYTES + (size_t)n_spaces * (sizeof(xmlNs) + HEAP_BYTES);
    for (int i = 0; i < n_attributes; i++)
        n += sizeof(xmlAttr) + sizeof(xmlNode) + 3 * HEAP_BYTES +
             (size_t)(all[i].end - all[i].value);
    if (may_take(user, n))
        xmlSAX2StartElementNs(user, name, prefix, uri, n_spaces, spaces, n_attributes,
                              n_defaulted, attributes);
}

static void on_libxml2s_text(void *user, const xmlChar *s, int n)
{
    const xmlParserCtxt *c = user;
    bool is_more = c->node && c->node->last && c->node->last->type == XML_TEXT_NODE;
    size_t most = (size_t)n * 2 + (is_more ? 0 : sizeof(xmlNode) + 2 * HEAP_BYTES);
    if (may_take(user, most))
        xmlSAX2Characters(user, s, n);
}

static void on_libxml2s_comment(void *user, const xmlChar *value)
{
    if (may_take(user, sizeof(xmlNode) + 2 * HEAP_BYTES + strlen((const char *)value)))
        xmlSAX2Comment(user, value);
}

static void on_libxml2s_instruction(void *user, const xmlChar *target, const xmlChar *data)
{
    size_t n = data ? strlen((const char *)data) : 0;
    if (may_take(user, sizeof(xmlNode) + 2 * HEAP_BYTES + n))
        xmlSAX2ProcessingInstruction(user, target, data);
}

static void on_libxml2s_reference(void *user, const xmlChar *name)
{
    if (may_take(user, sizeof(xmlNode) + 2 * HEAP_BYTES))
        xmlSAX2Reference(user, name);
}

static void leave_to_libxml2(xmlParserCtxt *c)
{
    struct xml_build *b = c->_private;
    b->is_libxml2s = true;
    c->sax->startElementNs = on_libxml2s_start;
    c->sax->endElementNs = xmlSAX2EndElementNs;
    c->sax->characters = c->sax->ignorableWhitespace = on_libxml2s_text;
    c->sax->comment = on_libxml2s_comment;
    c->sax->processingInstruction = on_libxml2s_instruction;
    c->sax->reference = on_libxml2s_reference;
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int n_spaces, const xmlChar **spaces, int n_attributes, int n_defaulted,
                     const xmlChar **attributes)
{
    xmlParserCtxt *c = user;
    struct xml_build *b = c->_private;
    const xmlChar *full = full_name(c, name, prefix, uri);
    bool is_root = !b->at;
    if (is_root && strcmp((const char *)full, "TEI") != 0) {
        leave_to_libxml2(c);
        on_libxml2s_start(user, name, prefix, uri, n_spaces, spaces, n_attributes, n_defaulted,
                          attributes);
        return;
    }
    xmlNode *n = add_node(c, XML_ELEMENT_NODE);
    if (!n)
        return;
    n->name = full;
    if (is_root)
        add_root(c->myDoc, n);
    b->at = n;
    n_attributes -= n_defaulted; /* a DTD's own: they come last */
    if (n_attributes > 0)
        add_attributes(c, n, (const struct attribute *)(const void *)attributes, n_attributes);
}

void xml_build_start(struct xml_build *b, struct xml_doc *doc, xmlParserCtxt *c)
{
    *b = (struct xml_build){ .doc = doc };
    c->_private = b;
    c->sax->startElementNs = on_start;
    c->sax->endElementNs = on_end;
    c->sax->characters = c->sax->ignorableWhitespace = on_text;
    c->sax->cdataBlock = NULL; /* as other text */
    c->sax->comment = on_comment;
    c->sax->processingInstruction = on_instruction;
    c->sax->reference = on_reference;
}

bool xml_build_is_inside(const xmlParserCtxt *c)
{
    const struct xml_build *b = c->_private;
    return b->is_libxml2s ? c->nodeNr > 0 : b->at != NULL;
}
