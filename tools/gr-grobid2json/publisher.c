// SPDX-License-Identifier: MIT
/*
 * publisher.c — the frame of the new tree, and the small steps that build it
 */
#include "publisher.h"

#include "alloc.h"

/* What all affiliations of a file may take: more than any collaboration of real people needs.
 */
#define AFFILIATION_BYTES ((size_t)4 << 20)

/* How many children are looked at for a label or title that heads them. */
#define NEAR 8

const char *publisher_of(const xmlNode *root)
{
    bool is_article = xml_is(root, "article");
    if (is_article && (xml_child(root, "front") || xml_child(root, "front-stub")))
        return "JATS";
    if ((is_article || xml_is(root, "doc") || xml_is(root, "full-text-retrieval-response") ||
         xml_is(root, "converted-article")) &&
        publisher_find(root, "item-info"))
        return "Elsevier";
    return NULL;
}

const xmlNode *publisher_body(const xmlNode *root)
{
    const xmlNode *info = publisher_find(root, "item-info");
    return xml_child(info ? info->parent : root, "body");
}

void publisher_to_tei(struct xml_doc *d)
{
    struct publisher p = { .doc = d->doc,
                           .old = xmlDocGetRootElement(d->doc),
                           .ids = map_new(),
                           .budget = AFFILIATION_BYTES };
    bool is_jats = strcmp(publisher_of(p.old), "JATS") == 0;
    p.root = xmlNewDocNode(d->doc, NULL, BAD_CAST "TEI", NULL);
    xmlNode *header = publisher_add(p.root, "teiHeader", SV_NONE);
    xmlNode *file = publisher_add(header, "fileDesc", SV_NONE);
    p.publication = publisher_add(file, "publicationStmt", SV_NONE);
    p.bibl = publisher_add(publisher_add(file, "sourceDesc", SV_NONE), "biblStruct", SV_NONE);
    p.analytic = publisher_add(p.bibl, "analytic", SV_NONE);
    p.monogr = publisher_add(p.bibl, "monogr", SV_NONE);
    p.imprint = publisher_add(p.monogr, "imprint", SV_NONE);
    xmlNode *profile = publisher_add(header, "profileDesc", SV_NONE);
    p.keywords =
        publisher_add(publisher_add(profile, "textClass", SV_NONE), "keywords", SV_NONE);
    p.abstract = publisher_add(profile, "abstract", SV_NONE);
    xmlNode *text = publisher_add(p.root, "text", SV_NONE);
    publisher_set(text, "lang", xml_attr(p.old, "lang"));
    p.body = publisher_add(text, "body", SV_NONE);
    p.back = publisher_add(text, "back", SV_NONE);
    p.list = publisher_add(text, "listBibl", SV_NONE);
    if (is_jats)
        jats_to_tei(&p);
    else
        elsevier_to_tei(&p);
    xmlDocSetRootElement(d->doc, p.root);
    xmlFreeNode(p.old);
    map_free(p.ids);
    free(p.affs);
}

/* ---- steps ---- */

xmlNode *publisher_add(xmlNode *parent, const char *name, struct sv text)
{
    xmlNode *n = xmlNewDocNode(parent->doc, NULL, BAD_CAST name, NULL);
    if (text.n)
        xmlAddChild(n, xmlNewDocTextLen(parent->doc, BAD_CAST text.p, (int)text.n));
    return xmlAddChild(parent, n);
}

xmlNode *publisher_put(xmlNode *parent, const char *name, struct sv text)
{
    return text.n ? publisher_add(parent, name, text) : NULL;
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

void publisher_drop(xmlNode *node)
{
    xmlUnlinkNode(node);
    xmlFreeNode(node);
}

static void add_text(const xmlNode *node, struct buf *to, bool *has_gap)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (n->type == XML_ELEMENT_NODE)
            add_text(n, to, has_gap);
        if (n->type != XML_TEXT_NODE)
            continue;
        for (const char *s = (const char *)n->content; *s; s++) {
            if (strchr(" \t\r\n", *s)) {
                *has_gap = true;
                continue;
            }
            if (*has_gap && to->len)
                buf_char(to, ' ');
            *has_gap = false;
            buf_char(to, *s);
        }
    }
}

void publisher_text(const xmlNode *node, struct buf *to)
{
    bool has_gap = false;
    if (node)
        add_text(node, to, &has_gap);
}

static void put_name(xmlNode *person, const char *name, const xmlNode *from)
{
    struct buf b = BUF_INIT;
    publisher_text(from, &b);
    publisher_put(person, name, buf_view(&b));
    buf_release(&b);
}

xmlNode *publisher_author(xmlNode *parent, const xmlNode *given, const xmlNode *family)
{
    xmlNode *author = publisher_add(parent, "author", SV_NONE);
    xmlNode *person = publisher_add(author, "persName", SV_NONE);
    put_name(person, "forename", given);
    put_name(person, "surname", family);
    return author;
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

xmlNode *publisher_title(xmlNode *parent, xmlNode *title, const char *level)
{
    if (!title)
        return NULL;
    publisher_move(title, parent);
    publisher_rename(title, "title");
    publisher_set(title, "level", sv_from(level));
    for (xmlNode *n = xml_child(title, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (xml_is(n, "xref") || xml_is(n, "fn") || xml_is(n, "cross-ref") ||
            xml_is(n, "footnote"))
            publisher_drop(n);
    }
    return title;
}

/* ---- labels ---- */

xmlNode *publisher_near(const xmlNode *node, const char *name)
{
    xmlNode *n = xml_child(node, NULL);
    for (int i = 0; n && i < NEAR; i++, n = xml_next(n, NULL))
        if (xml_is(n, name))
            return n;
    return NULL;
}

bool publisher_is_first_label(const xmlNode *label)
{
    return publisher_near(label->parent, "label") == label;
}

void publisher_float_label(xmlNode *label)
{
    struct sv text = publisher_leaf(label, NULL);
    size_t at = text.n;
    while (at && !strchr(" \t\r\n", text.p[at - 1]))
        at--;
    struct sv number = sv_from_to(text, at, text.n);
    while (number.n && strchr(".:", number.p[number.n - 1]))
        number.n--;
    publisher_rename(label, "head");
    xmlNode *added = publisher_put(label->parent, "label", number);
    if (added) { /* in front: the walk that stands at the head shall not meet it */
        xmlUnlinkNode(added);
        xmlAddPrevSibling(label, added);
    }
}

/* ---- affiliations ---- */

void publisher_index(struct publisher *p, xmlNode *node, const char *name)
{
    for (xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        struct sv id = xml_is(n, name) ? xml_attr(n, "id") : SV_NONE;
        if (!id.n) {
            publisher_index(p, n, name);
            continue;
        }
        size_t at = map_put(p->ids, id, NULL);
        if (at >= p->cap_affs) {
            p->cap_affs = alloc_grow(p->cap_affs, at + 1);
            p->affs = alloc_resize(p->affs, p->cap_affs, sizeof(*p->affs));
        }
        p->affs[at] = n;
    }
}

xmlNode *publisher_affiliation(const struct publisher *p, struct sv id)
{
    size_t at = id.n ? map_get(p->ids, id) : SIZE_MAX;
    return at == SIZE_MAX ? NULL : p->affs[at];
}

bool publisher_spend(struct publisher *p, size_t n)
{
    bool is_enough = n <= p->budget;
    p->budget = is_enough ? p->budget - n : 0;
    return is_enough;
}
