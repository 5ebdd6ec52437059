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

#include "entities.h"
#include "xml_build.h"

static struct xml_doc *doc_of(const xmlParserCtxt *c)
{
    return ((const struct xml_build *)c->_private)->doc;
}

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
    struct xml_doc *d = doc_of(c);
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
    struct xml_doc *d = doc_of(c);
    d->has_entities = true;
}

/* ---- characters by name (&delta;), defined in a DTD that is not fetched ---- */

static void note_unknown(struct xml_doc *d, struct sv name)
{
    struct sv rest = sv_from(d->unknown), one;
    while (sv_cut(&rest, ' ', &one))
        if (sv_eq(one, name))
            return;
    size_t used = strlen(d->unknown);
    if (used + name.n + 2 < sizeof d->unknown)
        snprintf(d->unknown + used, sizeof d->unknown - used, "%s%.*s", used ? " " : "",
                 SV_ARG(name));
}

/* The answer looks like one of XML's own, which libxml2 puts into the text as it stands. Of
 * such a one it copies the first byte alone into an attribute: those take ASCII only. */
static xmlEntityPtr find_entity(void *user, const xmlChar *name)
{
    static _Thread_local xmlEntity found;
    xmlParserCtxt *c = user;
    struct xml_doc *d = doc_of(c);
    xmlEntityPtr own = xmlGetPredefinedEntity(name);
    const char *text = own ? NULL : entity_text((const char *)name);
    bool is_attr = c->instate == XML_PARSER_ATTRIBUTE_VALUE;
    if (own || (text && is_attr && ((unsigned char)text[0] >= 0x80 || text[1])))
        text = NULL;
    if (!text) {
        if (!own && is_attr)
            note_unknown(d, sv_from((const char *)name));
        return own;
    }
    found = (xmlEntity){ .type = XML_ENTITY_DECL,
                         .name = name,
                         .etype = XML_INTERNAL_PREDEFINED_ENTITY,
                         .content = BAD_CAST text,
                         .length = (int)strlen(text) };
    return &found;
}

/* A name that nothing is known about stays in the text as it is written. */
static void on_reference(void *user, const xmlChar *name)
{
    xmlParserCtxt *c = user;
    struct sv s = sv_from((const char *)name);
    if (s.n && s.p[0] != '#')
        note_unknown(doc_of(c), s);
    if (c->instate == XML_PARSER_ATTRIBUTE_VALUE)
        return;
    c->sax->characters(user, BAD_CAST "&", 1);
    c->sax->characters(user, name, (int)s.n);
    c->sax->characters(user, BAD_CAST ";", 1);
}

/* ---- attributes ---- */

#define BLOCK 4096 /* bytes; more than the tags of any paper */

/* Has the tag that begins at s more attributes than we take? */
static bool is_overfull(struct sv s)
{
    size_t n = 0;
    char quote = 0;
    if (s.n < 2 || s.p[1] == '!' || s.p[1] == '?')
        return false;
    for (size_t i = 1; i < s.n && s.p[i] != '<' && (quote || s.p[i] != '>'); i++) {
        bool is_mark = s.p[i] == '"' || s.p[i] == '\'';
        if (is_mark && !quote) {
            quote = s.p[i];
            n++;
        } else if (s.p[i] == quote) {
            quote = 0;
        }
    }
    return n > XML_MAX_ATTRIBUTES;
}

/* libxml2 compares each attribute of an element with all others: a million would take an hour.
 * A tag of two blocks holds a whole one without "<", as only long texts do besides. */
static bool has_overfull_tag(struct sv s)
{
    bool was_open = false;
    for (size_t at = 0; at + BLOCK <= s.n; at += BLOCK) {
        bool is_open = !memchr(s.p + at, '<', BLOCK);
        size_t tag = at;
        while (is_open && !was_open && tag > 0 && s.p[tag] != '<')
            tag--;
        if (is_open && !was_open && is_overfull(sv_from_to(s, tag, s.n)))
            return true;
        was_open = is_open;
    }
    return false;
}

void xml_open_within(struct xml_doc *d, struct sv bytes, size_t max)
{
    *d = (struct xml_doc){ 0 };
    if (bytes.n == 0 || bytes.n > INT32_MAX)
        return;
    d->is_overfull = has_overfull_tag(bytes);
    if (d->is_overfull)
        return;
    xmlParserCtxt *c = xmlCreateMemoryParserCtxt(bytes.p, (int)bytes.n);
    if (!c)
        return;
    d->memory.max = max;
    struct xml_build build;
    xml_build_start(&build, d, c);
    c->sax->serror = on_error;
    c->sax->entityDecl = on_entity;
    c->sax->getEntity = find_entity;
    c->sax->reference = on_reference;
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
