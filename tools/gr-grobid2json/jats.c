// SPDX-License-Identifier: MIT
/*
 * jats.c — JATS (NLM) articles → TEI: ANSI/NISO Z39.96, as journals and CERMINE write it
 */
#include "publisher.h"

/* ---- running text ---- */

static const struct {
    const char *jats, *tei;
} names[] = {
    { "sec", "div" },           { "app", "div" },
    { "glossary", "div" },      { "fig", "figure" },
    { "table-wrap", "figure" }, { "disp-formula", "formula" },
    { "list-item", "item" },    { "disp-quote", "quote" },
    { "fn", "note" },           { "table-wrap-foot", "note" },
    { "def-list", "list" },     { "def-item", "item" },
    { "break", "lb" },          { "boxed-text", "div" },
};

static void reference(xmlNode *n)
{
    static const struct {
        const char *jats, *tei;
    } kinds[] = { { "fig", "figure" }, { "table", "table" },   { "disp-formula", "formula" },
                  { "fn", "foot" },    { "table-fn", "foot" }, { "sec", "section" },
                  { "bibr", "bibr" } };
    struct sv kind = xml_attr(n, "ref-type"), rids = xml_attr(n, "rid"), rid;
    const char *type = "other";
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (sv_is(kind, kinds[i].jats))
            type = kinds[i].tei;
    struct buf target = BUF_INIT;
    while (sv_cut(&rids, ' ', &rid))
        if (rid.n)
            buf_printf(&target, "%s#%.*s", target.len ? " " : "", SV_ARG(rid));
    publisher_rename(n, "ref");
    publisher_set(n, "type", sv_from(type));
    publisher_set(n, "target", buf_view(&target));
    buf_release(&target);
}

/* A section's label is its number; a float's is its head, with the number apart; an item's
 * stands before it. */
static void label(xmlNode *n)
{
    xmlNode *parent = n->parent;
    if (!publisher_is_first_label(n))
        return;
    if (xml_is(parent, "div")) {
        xmlNode *head = publisher_near(parent, "title");
        if (head)
            publisher_set(head, "n", publisher_leaf(n, NULL));
        publisher_drop(n);
    } else if (xml_is(parent, "figure")) {
        publisher_float_label(n);
    } else if (xml_is(parent, "note")) {
        publisher_set(parent, "n", publisher_leaf(n, NULL));
        publisher_drop(n);
    } else if (xml_is(parent, "item")) {
        xmlUnlinkNode(n);
        xmlAddPrevSibling(parent, n);
    }
}

static void rename_all(xmlNode *node);

/* Several forms of one thing: the best stays. */
static void alternatives(xmlNode *n)
{
    static const char *const forms[] = { "table", "math", "tex-math" };
    xmlNode *best = NULL;
    for (size_t i = 0; i < ARRAY_LEN(forms) && !best; i++)
        best = xml_child(n, forms[i]);
    for (xmlNode *c = xml_child(n, NULL), *next; best && c; c = next) {
        next = xml_next(c, NULL);
        if (c != best)
            publisher_drop(c);
    }
    if (xml_is(best, "table")) { /* a table is a child of its float */
        xmlUnlinkNode(best);
        xmlAddNextSibling(n, best);
        rename_all(best);
        publisher_drop(n);
    } else {
        rename_all(n);
    }
}

static bool is_dropped(const xmlNode *n)
{
    static const char *const dropped[] = { "object-id", "colgroup",       "col",
                                           "alt-text",  "long-desc",      "annotation",
                                           "sec-meta",  "annotation-xml", "permissions" };
    for (size_t i = 0; i < ARRAY_LEN(dropped); i++)
        if (xml_is(n, dropped[i]))
            return true;
    return false;
}

/* May drop n or move it away, and adds nothing after it: the walk goes on at its next. */
static void element(xmlNode *n)
{
    if (is_dropped(n)) {
        publisher_drop(n);
        return;
    }
    if (xml_is(n, "alternatives")) {
        alternatives(n);
        return;
    }
    if (xml_is(n, "table-wrap"))
        publisher_set(n, "type", SV("table"));
    if (xml_is(n, "disp-formula"))
        publisher_set(n, "rend", SV("display"));
    if (xml_is(n, "list") && sv_is(xml_attr(n, "list-type"), "order"))
        publisher_set(n, "type", SV("ordered"));
    if (xml_is(n, "fn") && xml_is(n->parent, "note")) /* of a table: part of its notes */
        publisher_rename(n, "p");
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (xml_is(n, names[i].jats)) {
            publisher_rename(n, names[i].tei);
            break;
        }
    rename_all(n);
    if (xml_is(n, "xref"))
        reference(n);
    else if (xml_is(n, "label"))
        label(n);
    else if (xml_is(n, "caption"))
        publisher_rename(n, "figDesc");
    else if (xml_is(n, "title"))
        publisher_rename(n, xml_is(n->parent, "div") ? "head" : "s");
}

static void rename_all(xmlNode *node)
{
    for (xmlNode *n = node->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_ELEMENT_NODE)
            element(n);
    }
}

/* ---- people and dates ---- */

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
    xmlNode *address = NULL;
    for (xmlNode *n = xml_child(aff, NULL); n; n = xml_next(n, NULL)) {
        bool is_wrap = xml_is(n, "institution-wrap");
        xmlNode *name = is_wrap ? xml_child(n, "institution") : n;
        bool is_country = xml_is(n, "country");
        buf_reset(&b);
        publisher_text(name, &b);
        if (is_wrap || xml_is(n, "institution")) {
            xmlNode *org = publisher_put(to, "orgName", buf_view(&b));
            if (org)
                publisher_set(org, "type", SV("institution"));
        } else if (is_country || xml_is(n, "addr-line") || xml_is(n, "city")) {
            if (!address)
                address = publisher_add(to, "address", SV_NONE);
            publisher_put(address, is_country ? "country" : "settlement", buf_view(&b));
        }
    }
    if (!to->children) {
        xmlNode *mark = publisher_near(aff, "label");
        mark = mark ? mark : publisher_near(aff, "sup");
        if (mark)
            publisher_drop(mark);
        buf_reset(&b);
        publisher_text(aff, &b);
        if (b.len)
            xmlAddChild(to, xmlNewDocTextLen(to->doc, BAD_CAST b.data, (int)b.len));
    }
    buf_release(&b);
}

static xmlNode *person(xmlNode *parent, const xmlNode *name)
{
    const xmlNode *family = xml_child(name, "surname");
    return publisher_author(parent, xml_child(name, "given-names"), family ? family : name);
}

static void author(struct publisher *p, xmlNode *c)
{
    xmlNode *name = xml_child(c, "name");
    name = name ? name : publisher_find(c, "string-name");
    name = name ? name : publisher_find(c, "name");
    name = name ? name : xml_child(c, "collab");
    struct sv kind = xml_attr(c, "contrib-type");
    if (!name || (kind.n && !sv_is(kind, "author")))
        return;
    xmlNode *made = person(p->analytic, name);
    publisher_put(made, "email", publisher_leaf(c, "email"));
    for (xmlNode *n = xml_child(c, "contrib-id"); n; n = xml_next(n, "contrib-id"))
        if (xml_has(n, "contrib-id-type", "orcid"))
            publisher_idno(made, "ORCID", publisher_leaf(n, NULL));
    for (xmlNode *a = xml_child(c, "aff"); a; a = xml_next(a, "aff"))
        affiliation(p, made, a);
    for (xmlNode *x = xml_child(c, "xref"); x; x = xml_next(x, "xref")) {
        struct sv rids = xml_attr(x, "rid"), rid;
        while (sv_is(xml_attr(x, "ref-type"), "aff") && sv_cut(&rids, ' ', &rid)) {
            xmlNode *aff = publisher_affiliation(p, rid);
            if (aff)
                affiliation(p, made, aff);
        }
    }
}

static void authors(struct publisher *p, xmlNode *meta)
{
    publisher_index(p, meta, "aff");
    xmlNode *group = xml_child(meta, "contrib-group");
    for (; group; group = xml_next(group, "contrib-group"))
        for (xmlNode *c = xml_child(group, "contrib"); c; c = xml_next(c, "contrib"))
            author(p, c);
}

static void date(xmlNode *parent, const xmlNode *from)
{
    struct sv year = publisher_leaf(from, "year"), month = publisher_leaf(from, "month");
    struct sv day = publisher_leaf(from, "day");
    int64_t m = 0, d = 0;
    struct buf b = BUF_INIT;
    buf_sv(&b, year);
    if (year.n && sv_to_i64(month, &m) && m >= 1 && m <= 12) {
        buf_printf(&b, "-%02d", (int)m);
        if (sv_to_i64(day, &d) && d >= 1 && d <= 31)
            buf_printf(&b, "-%02d", (int)d);
    }
    if (b.len)
        publisher_set(publisher_add(parent, "date", SV_NONE), "when", buf_view(&b));
    buf_release(&b);
}

/* ---- references ---- */

static void idnos(xmlNode *to, xmlNode *from, const char *element_name, const char *attr)
{
    static const struct {
        const char *jats, *tei;
    } kinds[] = { { "doi", "DOI" },     { "pmid", "PMID" },   { "pmc", "PMCID" },
                  { "pmcid", "PMCID" }, { "arxiv", "arXiv" }, { "pii", "PII" } };
    for (xmlNode *n = xml_child(from, element_name); n; n = xml_next(n, element_name))
        for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
            if (xml_has(n, attr, kinds[i].jats))
                publisher_idno(to, kinds[i].tei, publisher_leaf(n, NULL));
}

static void people(xmlNode *to, xmlNode *from)
{
    for (xmlNode *n = xml_child(from, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "name") || xml_is(n, "string-name") || xml_is(n, "collab"))
            person(to, n);
        else if (xml_is(n, "person-group") &&
                 !sv_is(xml_attr(n, "person-group-type"), "editor"))
            people(to, n);
    }
}

static void title_of(xmlNode *to, xmlNode *from, const char *level)
{
    xmlNode *title = publisher_title(to, from, level);
    if (title)
        rename_all(title);
}

static void citation(struct publisher *p, xmlNode *ref, xmlNode *c)
{
    struct sv id = xml_attr(ref, "id");
    xmlNode *bibl = publisher_add(p->list, "biblStruct", SV_NONE);
    publisher_set(bibl, "id", id.n ? id : xml_attr(c, "id"));
    struct buf raw = BUF_INIT; /* before its parts are taken out */
    if (!xml_is(c, "element-citation"))
        publisher_text(c, &raw);
    xmlNode *title = xml_child(c, "article-title");
    title = title ? title : xml_child(c, "chapter-title");
    xmlNode *article = title ? publisher_add(bibl, "analytic", SV_NONE) : NULL;
    xmlNode *book = publisher_add(bibl, "monogr", SV_NONE);
    xmlNode *imprint = publisher_add(book, "imprint", SV_NONE);
    if (title)
        title_of(article, title, "a");
    people(article ? article : book, c);
    bool is_journal = sv_is(xml_attr(c, "publication-type"), "journal");
    title_of(book, xml_child(c, "source"), is_journal ? "j" : "m");
    publisher_scope(imprint, "volume", publisher_leaf(c, "volume"), SV_NONE);
    publisher_scope(imprint, "issue", publisher_leaf(c, "issue"), SV_NONE);
    publisher_scope(imprint, "page", publisher_leaf(c, "fpage"), publisher_leaf(c, "lpage"));
    publisher_put(imprint, "publisher", publisher_leaf(c, "publisher-name"));
    date(imprint, c);
    idnos(bibl, c, "pub-id", "pub-id-type");
    for (xmlNode *n = publisher_find(c, "ext-link"); n; n = xml_next(n, "ext-link"))
        if (sv_find(xml_attr(n, "href"), SV("doi.org/"), 0) != SIZE_MAX)
            publisher_idno(bibl, "DOI", xml_attr(n, "href"));
    if (raw.len)
        publisher_set(publisher_add(bibl, "note", buf_view(&raw)), "type", SV("raw_reference"));
    buf_release(&raw);
}

static void references(struct publisher *p, xmlNode *list)
{
    static const char *const kinds[] = { "element-citation", "mixed-citation", "citation",
                                         "nlm-citation" };
    for (xmlNode *ref = xml_child(list, NULL); ref; ref = xml_next(ref, NULL)) {
        xmlNode *c = NULL;
        for (size_t i = 0; i < ARRAY_LEN(kinds) && !c && xml_is(ref, "ref"); i++)
            c = publisher_find(ref, kinds[i]);
        if (c)
            citation(p, ref, c);
        else if (xml_is(ref, "ref-list"))
            references(p, ref);
    }
}

/* ---- all ---- */

static void front(struct publisher *p, xmlNode *journal, xmlNode *meta)
{
    title_of(p->analytic, xml_path(meta, "title-group/article-title"), "a");
    authors(p, meta);
    title_of(p->monogr, publisher_find(journal, "journal-title"), "j");
    publisher_idno(p->monogr, "ISSN", publisher_leaf(journal, "issn"));
    publisher_put(p->publication, "publisher", publisher_leaf(journal, "publisher-name"));
    struct sv first = publisher_leaf(xml_child(meta, "fpage"), NULL);
    struct sv number = publisher_leaf(xml_child(meta, "elocation-id"), NULL);
    publisher_scope(p->imprint, "volume", publisher_leaf(xml_child(meta, "volume"), NULL),
                    SV_NONE);
    publisher_scope(p->imprint, "issue", publisher_leaf(xml_child(meta, "issue"), NULL),
                    SV_NONE);
    publisher_scope(p->imprint, "page", first.n ? first : number,
                    publisher_leaf(xml_child(meta, "lpage"), NULL));
    xmlNode *when = xml_child(meta, "pub-date"), *first_date = when;
    while (when && !xml_child(when, "month"))
        when = xml_next(when, "pub-date");
    date(p->publication, when ? when : first_date);
    idnos(p->bibl, meta, "article-id", "pub-id-type");
    for (xmlNode *g = xml_child(meta, "kwd-group"); g; g = xml_next(g, "kwd-group"))
        for (xmlNode *k = xml_child(g, "kwd"), *next; k; k = next) {
            next = xml_next(k, "kwd");
            publisher_move(k, p->keywords);
            publisher_rename(k, "term");
        }
    rename_all(p->keywords);
    xmlNode *abstract = xml_child(meta, "abstract");
    while (abstract && xml_attr(abstract, "abstract-type").n)
        abstract = xml_next(abstract, "abstract");
    if (abstract) {
        xmlNode *head = publisher_near(abstract, "title"); /* "Abstract" */
        if (head)
            publisher_drop(head);
        publisher_move(abstract, p->abstract);
        publisher_rename(abstract, "div");
    }
    rename_all(p->abstract);
}

static void statement(struct publisher *p, xmlNode *n, const char *type)
{
    if (!n)
        return;
    publisher_move(n, p->back);
    publisher_rename(n, "div");
    publisher_set(n, "type", sv_from(type));
}

static void back_matter(struct publisher *p, xmlNode *back)
{
    for (xmlNode *n = xml_child(back, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (xml_is(n, "ref-list"))
            references(p, n);
        else if (xml_is(n, "ack"))
            statement(p, n, "acknowledgement");
        else if (sv_find(xml_attr(n, "sec-type"), SV("availability"), 0) != SIZE_MAX)
            statement(p, n, "availability");
        else
            statement(p, n, "annex");
    }
}

void jats_to_tei(struct publisher *p)
{
    xmlNode *start = xml_child(p->old, "front");
    xmlNode *meta = start ? xml_child(start, "article-meta") : xml_child(p->old, "front-stub");
    if (meta) {
        front(p, xml_child(start, "journal-meta"), meta);
        statement(p, publisher_find(xml_child(meta, "funding-group"), "funding-statement"),
                  "funding");
        xmlNode *note = xml_path(meta, "author-notes/fn");
        for (; note; note = xml_next(note, "fn"))
            if (sv_is(xml_attr(note, "fn-type"), "conflict")) {
                statement(p, note, "conflict");
                break;
            }
    }
    xmlNode *body = xml_child(p->old, "body"), *floats = xml_child(p->old, "floats-group");
    while (body && body->children)
        publisher_move(body->children, p->body);
    while (floats && floats->children)
        publisher_move(floats->children, p->body);
    back_matter(p, xml_child(p->old, "back"));
    rename_all(p->body);
    rename_all(p->back);
}
