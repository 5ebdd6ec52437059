// SPDX-License-Identifier: MIT
/*
 * xml.c — reading XML into a tree and walking it
 *
 * libxml2 stops building at the first error that breaks well-formedness but goes on reading, so
 * the tree holds exactly what came before the break. (Its recovery mode is not used: it guesses
 * which tags were meant.)
 */
#include "xml.h"

#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "xml_build.h"

/* What libxml2 would print where no parser is at hand (a broken conversion to UTF-8, say); the
 * parser's own error follows and is the one that counts. */
static void silence(void *ctx, const char *format, ...)
{
    (void)ctx, (void)format;
}

void xml_setup(void)
{
    xmlInitParser();
    xmlSetGenericErrorFunc(NULL, silence); /* of this thread, then of those to come */
    xmlThrDefSetGenericErrorFunc(NULL, silence);
}

/*
 * The file was cut when its end came inside an element, or when no whole tag follows the place
 * where the parser gave up and the last byte ends none. Bytes still to be converted from
 * another encoding count as "more follows".
 */
static bool is_at_end(const xmlParserCtxt *c, const xmlError *e)
{
    const xmlParserInput *in = c->input;
    if (!in || !in->cur || (in->buf && in->buf->encoder) || !xml_build_is_inside(c))
        return false;
    if (e->code == XML_ERR_TAG_NOT_FINISHED)
        return true;
    struct sv all =
        sv_trim((struct sv){ (const char *)in->base, (size_t)(in->end - in->base) });
    return !memchr(in->cur, '>', (size_t)(in->end - in->cur)) && !sv_ends(all, SV(">"));
}

static void on_error(void *user, xmlErrorPtr e)
{
    xmlParserCtxt *c = user;
    struct xml_doc *d = ((struct xml_build *)c->_private)->doc;
    if (e->level < XML_ERR_FATAL || d->line)
        return;
    d->line = e->line > 0 ? (uint64_t)e->line : 1;
    d->is_cut = is_at_end(c, e);
    const char *m = e->message ? e->message : "not well-formed";
    if (strstr(m, "Excessive depth"))
        m = "elements nested deeper than 256";
    struct sv s = sv_trim(sv_from(m));
    snprintf(d->message, sizeof d->message, "%.*s", SV_ARG(s));
    if (d->message[0] >= 'A' && d->message[0] <= 'Z' && d->message[1] >= 'a')
        d->message[0] = (char)(d->message[0] + 32);
}

/* Instead of libxml2's own: notes the declaration and forgets it. */
static void on_entity(void *user, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    xmlParserCtxt *c = user;
    struct xml_doc *d = ((struct xml_build *)c->_private)->doc;
    d->has_entities = true;
}

void xml_open_within(struct xml_doc *d, struct sv bytes, size_t max)
{
    *d = (struct xml_doc){ 0 };
    if (bytes.n == 0 || bytes.n > INT32_MAX)
        return;
    xmlParserCtxt *c = xmlCreateMemoryParserCtxt(bytes.p, (int)bytes.n);
    if (!c)
        return;
    d->memory.max = max;
    struct xml_build build;
    xml_build_start(&build, d, c);
    c->sax->serror = on_error;
    c->sax->entityDecl = on_entity;
    xmlCtxtUseOptions(c, XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_COMPACT |
                             XML_PARSE_BIG_LINES);
    xmlParseDocument(c);
    d->doc = c->myDoc;
    if (!c->wellFormed && !d->line) {
        d->line = 1;
        snprintf(d->message, sizeof d->message, "not well-formed");
    }
    c->myDoc = NULL;
    d->names = c->dict;
    (void)xmlDictReference(d->names);
    xmlFreeParserCtxt(c);
}

void xml_open(struct xml_doc *d, struct sv bytes)
{
    xml_open_within(d, bytes, 0);
}

void xml_close(struct xml_doc *d)
{
    xmlNode *root = d->doc && d->memory.used ? xmlDocGetRootElement(d->doc) : NULL;
    if (root)
        xmlUnlinkNode(root); /* goes with the arena */
    if (d->doc)
        xmlFreeDoc(d->doc);
    d->doc = NULL;
    if (d->names)
        xmlDictFree(d->names);
    d->names = NULL;
    arena_release(&d->memory);
}

static xmlNode *from(xmlNode *n, const char *name)
{
    while (n && (n->type != XML_ELEMENT_NODE || (name && !xml_is(n, name))))
        n = n->next;
    return n;
}

/* An entity reference has "children" that belong to the entity: only elements are descended. */
xmlNode *xml_child(const xmlNode *node, const char *name)
{
    return node && node->type == XML_ELEMENT_NODE ? from(node->children, name) : NULL;
}

xmlNode *xml_next(const xmlNode *node, const char *name)
{
    return node ? from(node->next, name) : NULL;
}

xmlNode *xml_path(const xmlNode *node, const char *path)
{
    struct sv rest = sv_from(path), part;
    xmlNode *at = NULL;
    while (sv_cut(&rest, '/', &part)) {
        at = xml_child(node, NULL);
        while (at && !sv_is(part, (const char *)at->name))
            at = xml_next(at, NULL);
        if (!at)
            return NULL;
        node = at;
    }
    return at;
}

struct sv xml_attr(const xmlNode *node, const char *name)
{
    if (!node || node->type != XML_ELEMENT_NODE)
        return SV_NONE;
    for (const xmlAttr *a = node->properties; a; a = a->next) {
        if ((char)a->name[0] != name[0] || strcmp((const char *)a->name, name) != 0)
            continue;
        if (a->psvi) /* of our own tree */
            return sv_trim(sv_from(a->psvi));
        if (a->children && a->children->type == XML_TEXT_NODE)
            return sv_trim(sv_from((const char *)a->children->content));
    }
    return SV_NONE;
}

bool xml_has(const xmlNode *node, const char *attr, const char *value)
{
    return sv_ieq(xml_attr(node, attr), sv_from(value));
}
