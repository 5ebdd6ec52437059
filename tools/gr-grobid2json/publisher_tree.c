// SPDX-License-Identifier: MIT
/*
 * publisher_tree.c — the small steps that build and change a tree
 */
#include "publisher.h"

/* How many children are looked at for a label or title that heads them. */
#define NEAR 8

static xmlNode *text_node(xmlDocPtr doc, struct sv text)
{
    return xmlNewDocTextLen(doc, BAD_CAST text.p, (int)text.n);
}

xmlNode *publisher_add(xmlNode *parent, const char *name, struct sv text)
{
    xmlNode *n = xmlNewDocNode(parent->doc, NULL, BAD_CAST name, NULL);
    if (text.n)
        xmlAddChild(n, text_node(parent->doc, text));
    return xmlAddChild(parent, n);
}

xmlNode *publisher_put(xmlNode *parent, const char *name, struct sv text)
{
    return text.n ? publisher_add(parent, name, text) : NULL;
}

xmlNode *publisher_put_text(xmlNode *parent, const char *name, const xmlNode *from)
{
    struct buf b = BUF_INIT;
    publisher_text(from, &b);
    xmlNode *n = publisher_put(parent, name, buf_view(&b));
    buf_release(&b);
    return n;
}

void publisher_set(xmlNode *node, const char *attr, struct sv value)
{
    if (!value.n)
        return;
    xmlChar *copy = xmlStrndup(BAD_CAST value.p, (int)value.n);
    /* Readers go by local names: xlink:type would hide type. */
    for (xmlAttr *a = node->properties, *next; a; a = next) {
        next = a->next;
        if (a->ns && strcmp((const char *)a->name, attr) == 0)
            xmlRemoveProp(a);
    }
    xmlSetProp(node, BAD_CAST attr, copy);
    xmlFree(copy);
}

void publisher_idno(xmlNode *parent, const char *type, struct sv text)
{
    xmlNode *n = publisher_put(parent, "idno", text);
    if (n)
        publisher_set(n, "type", sv_from(type));
}

void publisher_scope(xmlNode *imprint, const char *unit, struct sv from, struct sv to)
{
    if (!from.n)
        return;
    xmlNode *n = publisher_add(imprint, "biblScope", to.n ? SV_NONE : from);
    publisher_set(n, "unit", sv_from(unit));
    if (to.n) {
        publisher_set(n, "from", from);
        publisher_set(n, "to", to);
    }
}

void publisher_rename(xmlNode *node, const char *name)
{
    xmlNodeSetName(node, BAD_CAST name);
}

void publisher_move(xmlNode *node, xmlNode *parent)
{
    if (!node)
        return;
    xmlUnlinkNode(node);
    xmlAddChild(parent, node);
}

void publisher_move_all(xmlNode *from, xmlNode *to)
{
    while (from && from->children)
        publisher_move(from->children, to);
}

void publisher_drop(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

void publisher_unwrap(xmlNode *node)
{
    while (node->children) {
        xmlNode *c = node->children;
        xmlUnlinkNode(c);
        xmlAddPrevSibling(node, c);
    }
    publisher_drop(node);
}

void publisher_retext(xmlNode *node, struct sv text)
{
    while (node->children)
        publisher_drop(node->children);
    publisher_append(node, text);
}

void publisher_prepend(xmlNode *node, struct sv text)
{
    if (!node->children)
        publisher_append(node, text);
    else if (text.n)
        xmlAddPrevSibling(node->children, text_node(node->doc, text));
}

void publisher_append(xmlNode *node, struct sv text)
{
    if (text.n)
        xmlAddChild(node, text_node(node->doc, text));
}

/* ---- text ---- */

bool publisher_is_blank(const xmlNode *node)
{
    if (node->type == XML_TEXT_NODE)
        return sv_trim(sv_from((const char *)node->content)).n == 0;
    if (node->type != XML_ELEMENT_NODE)
        return true;
    for (const xmlNode *n = node->children; n; n = n->next)
        if (!publisher_is_blank(n))
            return false;
    return true;
}

static void add_text(const xmlNode *node, const char *const skipped[], struct buf *to,
                     bool *has_gap)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (n->type == XML_ELEMENT_NODE && !(skipped && publisher_is_any(n, skipped)))
            add_text(n, skipped, to, has_gap);
        if (n->type != XML_TEXT_NODE)
            continue;
        for (const char *s = (const char *)n->content; *s;) {
            size_t n_blanks = strspn(s, " \t\r\n"), n_seen = strcspn(s + n_blanks, " \t\r\n");
            *has_gap = *has_gap || n_blanks;
            if (n_seen && *has_gap && to->len)
                buf_char(to, ' ');
            *has_gap = *has_gap && !n_seen;
            buf_add(to, s + n_blanks, n_seen);
            s += n_blanks + n_seen;
        }
    }
}

void publisher_text(const xmlNode *node, struct buf *to)
{
    bool has_gap = false;
    if (node)
        add_text(node, NULL, to, &has_gap);
}

void publisher_name_text(const xmlNode *node, struct buf *to)
{
    static const char *const skipped[] = {
        "label",         "institution-id", "email",     "phone",       "fax", "ext-link",
        "uri",           "xref",           "cross-ref", "source-text", "fn",  "e-address",
        "contrib-group", "author-group",   NULL
    };
    bool has_gap = false;
    if (node)
        add_text(node, skipped, to, &has_gap);
}

/* ---- finding ---- */

bool publisher_is_any(const xmlNode *node, const char *const names[])
{
    while (*names && !xml_is(node, *names))
        names++;
    return *names != NULL;
}

xmlNode *publisher_find(const xmlNode *node, const char *name)
{
    for (xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        xmlNode *found = xml_is(n, name) ? n : publisher_find(n, name);
        if (found)
            return found;
    }
    return NULL;
}

struct sv publisher_leaf(const xmlNode *node, const char *name)
{
    const xmlNode *n = name ? publisher_find(node, name) : node;
    for (const xmlNode *c = n ? n->children : NULL; c; c = c->next)
        if (c->type == XML_TEXT_NODE && sv_trim(sv_from((const char *)c->content)).n)
            return sv_trim(sv_from((const char *)c->content));
        else if (c->type == XML_ELEMENT_NODE)
            return publisher_leaf(c, NULL);
    return SV_NONE;
}

xmlNode *publisher_around(const xmlNode *node, const char *name)
{
    xmlNode *found = NULL;
    for (; node && !found; node = node->parent)
        found = xml_child(node, name);
    return found;
}

xmlNode *publisher_near(const xmlNode *node, const char *name)
{
    xmlNode *n = xml_child(node, NULL);
    for (int i = 0; n && i < NEAR; i++, n = xml_next(n, NULL))
        if (xml_is(n, name))
            return n;
    return NULL;
}
