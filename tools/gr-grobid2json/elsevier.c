// SPDX-License-Identifier: MIT
/*
 * elsevier.c — Elsevier's full-text articles (ja, ce, sb, sa name spaces) → TEI
 */
#include "alloc.h"
#include "map.h"
#include "publisher.h"

/* ---- tables: CALS columns have names ---- */

struct columns {
    struct sv names[64];
    size_t n;
};

static size_t column(const struct columns *c, struct sv name)
{
    size_t i = 0;
    while (i < c->n && !sv_eq(c->names[i], name))
        i++;
    return i;
}

static void cell(const struct columns *c, xmlNode *entry)
{
    struct sv first = xml_attr(entry, "namest"), last = xml_attr(entry, "nameend");
    size_t from = column(c, first), to = column(c, last);
    int64_t more = 0;
    char number[24];
    if (first.n && to < c->n && to > from) {
        snprintf(number, sizeof number, "%zu", to - from + 1);
        publisher_set(entry, "cols", sv_from(number));
    }
    if (sv_to_i64(xml_attr(entry, "morerows"), &more) && more > 0 && more < 1000) {
        snprintf(number, sizeof number, "%d", (int)more + 1);
        publisher_set(entry, "rows", sv_from(number));
    }
    publisher_rename(entry, "cell");
}

static void group(xmlNode *tgroup)
{
    struct columns c = { .n = 0 };
    for (xmlNode *n = xml_child(tgroup, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "colspec") && c.n < ARRAY_LEN(c.names))
            c.names[c.n++] = xml_attr(n, "colname");
        for (xmlNode *r = xml_child(n, "row"); r; r = xml_next(r, "row"))
            for (xmlNode *e = xml_child(r, "entry"); e; e = xml_next(e, "entry"))
                cell(&c, e);
    }
    publisher_rename(tgroup, "table");
}

/* ---- running text ---- */

/* What a reference points at tells its kind. */
struct kinds {
    struct map *ids;
    const char **types; /* by the id's ordinal */
    size_t cap;
};

static void add_kind(struct kinds *k, struct sv id, const char *type)
{
    size_t at = map_put(k->ids, id, NULL);
    if (at >= k->cap) {
        k->cap = alloc_grow(k->cap, at + 1);
        k->types = alloc_resize(k->types, k->cap, sizeof *k->types);
    }
    k->types[at] = type;
}

static void collect_ids(const xmlNode *node, struct kinds *kinds)
{
    static const struct {
        const char *name, *type;
    } types[] = {
        { "bib-reference", "bibr" }, { "figure", "figure" }, { "table", "table" },
        { "formula", "formula" },    { "footnote", "foot" }, { "section", "section" }
    };
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        struct sv id = xml_attr(n, "id");
        for (size_t i = 0; id.n && i < ARRAY_LEN(types); i++)
            if (xml_is(n, types[i].name))
                add_kind(kinds, id, types[i].type);
        collect_ids(n, kinds);
    }
}

static void reference(xmlNode *n, const struct kinds *kinds)
{
    struct sv rids = xml_attr(n, "refid"), rid;
    struct buf target = BUF_INIT;
    const char *type = NULL;
    while (sv_cut(&rids, ' ', &rid)) {
        if (!rid.n)
            continue;
        size_t at = map_get(kinds->ids, rid);
        if (!type && at != SIZE_MAX)
            type = kinds->types[at];
        buf_printf(&target, "%s#%.*s", target.len ? " " : "", SV_ARG(rid));
    }
    publisher_rename(n, "ref");
    publisher_set(n, "type", sv_from(type ? type : "other"));
    publisher_set(n, "target", buf_view(&target));
    buf_release(&target);
}

static void walk(xmlNode *node, const struct kinds *kinds);

/* A section's label is its number; an item's stands before it. */
static void label(xmlNode *n)
{
    xmlNode *parent = n->parent;
    if (!publisher_is_first_label(n))
        return;
    if (xml_is(parent, "div")) {
        xmlNode *head = publisher_near(parent, "section-title");
        if (head)
            publisher_set(head, "n", publisher_leaf(n, NULL));
        publisher_drop(n);
    } else if (xml_is(parent, "figure")) {
        publisher_float_label(n);
    } else if (xml_is(parent, "item")) {
        xmlUnlinkNode(n);
        xmlAddPrevSibling(parent, n);
    } else if (xml_is(parent, "note") && !xml_is(parent->parent, "figure")) {
        publisher_set(parent, "n", publisher_leaf(n, NULL));
        publisher_drop(n);
    }
}

static void tei_name(xmlNode *n)
{
    static const struct {
        const char *old, *tei;
    } names[] = {
        { "section", "div" },
        { "abstract-sec", "div" },
        { "section-title", "head" },
        { "para", "p" },
        { "simple-para", "p" },
        { "inf", "sub" },
        { "display-quote", "quote" },
        { "list-item", "item" },
        { "footnote", "note" },
        { "caption", "figDesc" },
        { "legend", "note" },
        { "table-footnote", "note" },
        { "br", "lb" },
        { "note-para", "p" },
        { "text", "p" },
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (xml_is(n, names[i].old)) {
            publisher_rename(n, names[i].tei);
            return;
        }
}

/* May drop n or move it away, and adds nothing after it: the walk goes on at its next. */
static void element(xmlNode *n, const struct kinds *kinds)
{
    if (xml_is(n, "float-anchor") || xml_is(n, "e-component") || xml_is(n, "link") ||
        xml_is(n, "alt-text")) {
        publisher_drop(n);
        return;
    }
    if (xml_is(n, "hsp") || xml_is(n, "vsp")) {
        publisher_rename(n, "lb");
        return;
    }
    if (xml_is(n, "cross-ref") || xml_is(n, "cross-refs")) {
        reference(n, kinds);
    } else if (xml_is(n, "tgroup")) {
        group(n);
    } else if (xml_is(n, "formula") && xml_is(n->parent, "display")) {
        publisher_set(n, "rend", SV("display"));
    } else if (xml_is(n, "table") && xml_child(n, "tgroup")) {
        publisher_rename(n, "figure");
        publisher_set(n, "type", SV("table"));
    } else {
        tei_name(n);
    }
    walk(n, kinds);
    if (xml_is(n, "label"))
        label(n);
}

static void walk(xmlNode *node, const struct kinds *kinds)
{
    for (xmlNode *n = node->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_ELEMENT_NODE)
            element(n, kinds);
    }
}

/* ---- people, references ---- */

static void title_of(xmlNode *to, xmlNode *from, const char *level, const struct kinds *kinds)
{
    xmlNode *title = publisher_title(to, from, level);
    if (title)
        walk(title, kinds);
}

static void affiliation(struct publisher *p, xmlNode *author, xmlNode *aff)
{
    struct buf b = BUF_INIT;
    if (!p->budget) /* before the text is collected: many authors may share a long one */
        return;
    publisher_text(aff, &b);
    if (!publisher_spend(p, 2 * b.len + 256)) {
        buf_release(&b);
        return;
    }
    xmlNode *to = publisher_add(author, "affiliation", SV_NONE);
    xmlNode *parts = xml_child(aff, "affiliation"), *address = NULL;
    for (xmlNode *n = xml_child(parts, NULL); n; n = xml_next(n, NULL)) {
        buf_reset(&b);
        publisher_text(n, &b);
        if (xml_is(n, "organization")) {
            xmlNode *org = publisher_put(to, "orgName", buf_view(&b));
            if (org)
                publisher_set(org, "type", SV("institution"));
            continue;
        }
        if (!address)
            address = publisher_add(to, "address", SV_NONE);
        publisher_put(address,
                      xml_is(n, "country")       ? "country"
                      : xml_is(n, "postal-code") ? "postCode"
                                                 : "settlement",
                      buf_view(&b));
    }
    if (!parts) {
        buf_reset(&b);
        publisher_text(xml_child(aff, "textfn"), &b);
        if (b.len)
            xmlAddChild(to, xmlNewDocTextLen(to->doc, BAD_CAST b.data, (int)b.len));
    }
    buf_release(&b);
}

/* All affiliations of a group are an author's when his name points at none. */
static void group_of_authors(struct publisher *p, xmlNode *set)
{
    xmlNode *of_all = xml_child(set, "affiliation");
    for (xmlNode *a = xml_child(set, "author"); a; a = xml_next(a, "author")) {
        xmlNode *author =
            publisher_author(p->analytic, xml_child(a, "given-name"), xml_child(a, "surname"));
        publisher_put(author, "email", publisher_leaf(a, "e-address"));
        publisher_idno(author, "ORCID", xml_attr(a, "orcid"));
        bool has_marks = false;
        for (xmlNode *x = xml_child(a, "cross-ref"); x; x = xml_next(x, "cross-ref")) {
            xmlNode *f = publisher_affiliation(p, xml_attr(x, "refid"));
            has_marks |= f != NULL;
            if (f)
                affiliation(p, author, f);
        }
        xmlNode *f = has_marks ? NULL : of_all;
        for (; f && p->budget; f = xml_next(f, "affiliation"))
            affiliation(p, author, f);
    }
}

static void people(xmlNode *to, xmlNode *authors)
{
    for (xmlNode *a = xml_child(authors, NULL); a; a = xml_next(a, NULL))
        if (xml_is(a, "author"))
            (void)publisher_author(to, xml_child(a, "given-name"), xml_child(a, "surname"));
        else if (xml_is(a, "collaboration"))
            (void)publisher_author(to, NULL, a);
}

static void citation(xmlNode *list, xmlNode *entry, const struct kinds *kinds)
{
    xmlNode *bibl = publisher_add(list, "biblStruct", SV_NONE);
    publisher_set(bibl, "id", xml_attr(entry, "id"));
    xmlNode *ref = xml_child(entry, "reference"), *host = xml_child(ref, "host");
    host = host ? host : xml_child(ref, "e-host");
    xmlNode *part = xml_child(ref, "contribution");
    xmlNode *article = part ? publisher_add(bibl, "analytic", SV_NONE) : NULL;
    xmlNode *book = publisher_add(bibl, "monogr", SV_NONE);
    xmlNode *imprint = publisher_add(book, "imprint", SV_NONE);
    if (part) {
        title_of(article, xml_child(part, "title"), "a", kinds);
        people(article, xml_child(part, "authors"));
    }
    xmlNode *issue = xml_child(host, "issue"), *in = xml_child(host, "edited-book");
    in = in ? in : xml_child(host, "book");
    title_of(book, issue ? xml_path(issue, "series/title") : xml_child(in, "title"),
             issue ? "j" : "m", kinds);
    publisher_scope(imprint, "volume", publisher_leaf(host, "volume-nr"), SV_NONE);
    publisher_scope(imprint, "issue", publisher_leaf(host, "issue-nr"), SV_NONE);
    publisher_scope(imprint, "page", publisher_leaf(host, "first-page"),
                    publisher_leaf(host, "last-page"));
    publisher_put(imprint, "publisher", publisher_leaf(xml_child(in, "publisher"), "name"));
    struct sv when = publisher_leaf(host, "date");
    if (when.n)
        publisher_set(publisher_add(imprint, "date", SV_NONE), "when", when);
    publisher_idno(bibl, "DOI", publisher_leaf(host, "doi"));
    struct buf raw = BUF_INIT;
    publisher_text(xml_path(entry, "other-ref/textref"), &raw);
    if (raw.len)
        publisher_set(publisher_add(bibl, "note", buf_view(&raw)), "type", SV("raw_reference"));
    buf_release(&raw);
}

/* ---- all ---- */

static void front(struct publisher *p, xmlNode *article, const struct kinds *kinds)
{
    xmlNode *meta = xml_child(p->old, "meta"), *info = xml_child(article, "item-info");
    xmlNode *head = xml_child(article, "head");
    title_of(p->analytic, xml_child(head, "title"), "a", kinds);
    publisher_index(p, head, "affiliation");
    for (xmlNode *g = xml_child(head, "author-group"); g; g = xml_next(g, "author-group"))
        group_of_authors(p, g);
    title_of(p->monogr, xml_child(meta, "srctitle"), "j", kinds);
    publisher_idno(p->monogr, "ISSN", publisher_leaf(meta, "issn-primary-formatted"));
    publisher_scope(p->imprint, "volume", publisher_leaf(meta, "vol-first"), SV_NONE);
    publisher_scope(p->imprint, "issue", publisher_leaf(meta, "iss-first"), SV_NONE);
    publisher_scope(p->imprint, "page", publisher_leaf(meta, "first-page"),
                    publisher_leaf(meta, "last-page"));
    publisher_put(p->publication, "publisher", SV("Elsevier"));
    struct sv when = publisher_leaf(meta, "cover-date-start");
    if (!when.n)
        when = xml_attr(xml_child(info, "copyright"), "year");
    if (when.n)
        publisher_set(publisher_add(p->publication, "date", SV_NONE), "when", when);
    publisher_idno(p->bibl, "DOI", publisher_leaf(info, "doi"));
    publisher_idno(p->bibl, "PII", publisher_leaf(info, "pii"));
    for (xmlNode *g = xml_child(head, "keywords"); g; g = xml_next(g, "keywords"))
        for (xmlNode *k = xml_child(g, "keyword"); k; k = xml_next(k, "keyword")) {
            xmlNode *term = xml_child(k, "text");
            publisher_move(term, p->keywords);
            if (term)
                publisher_rename(term, "term");
        }
    walk(p->keywords, kinds);
    for (xmlNode *a = xml_child(head, "abstract"); a; a = xml_next(a, "abstract"))
        if (!xml_attr(a, "class").n || sv_is(xml_attr(a, "class"), "author"))
            for (xmlNode *s = xml_child(a, "abstract-sec"), *next; s; s = next) {
                next = xml_next(s, "abstract-sec");
                publisher_move(s, p->abstract);
                publisher_rename(s, "div");
            }
    walk(p->abstract, kinds);
}

static void statement(struct publisher *p, xmlNode *n, const char *type)
{
    if (!n)
        return;
    publisher_move(n, p->back);
    publisher_rename(n, "div");
    publisher_set(n, "type", sv_from(type));
}

static void move_all(xmlNode *from, xmlNode *to)
{
    while (from && from->children)
        publisher_move(from->children, to);
}

void elsevier_to_tei(struct publisher *p)
{
    xmlNode *article = publisher_find(p->old, "item-info")->parent;
    struct kinds kinds = { .ids = map_new() };
    collect_ids(article, &kinds);
    front(p, article, &kinds);
    xmlNode *body = xml_child(article, "body"), *tail = xml_child(article, "tail");
    tail = tail ? tail : xml_child(article, "back");
    publisher_set(p->body->parent, "lang", xml_attr(article, "lang"));
    move_all(xml_child(body, "sections"), p->body);
    move_all(xml_child(article, "floats"), p->body);
    statement(p, xml_child(body, "acknowledgment"), "acknowledgement");
    statement(p, xml_child(body, "appendices"), "annex");
    move_all(body, p->body);
    for (xmlNode *b = xml_child(tail, "bibliography"); b; b = xml_next(b, "bibliography"))
        for (xmlNode *s = xml_child(b, "bibliography-sec"); s;
             s = xml_next(s, "bibliography-sec"))
            for (xmlNode *r = xml_child(s, "bib-reference"); r;
                 r = xml_next(r, "bib-reference"))
                citation(p->list, r, &kinds);
    walk(p->body, &kinds);
    walk(p->back, &kinds);
    map_free(kinds.ids);
    free(kinds.types);
}
