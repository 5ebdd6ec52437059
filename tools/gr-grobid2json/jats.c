// SPDX-License-Identifier: MIT
/*
 * jats.c — JATS (NLM) articles → TEI: ANSI/NISO Z39.96 and its fathers (NLM 2 and 3), as
 * journals, PubMed Central and CERMINE write it
 */
#include "publisher.h"

/* ---- people ---- */

static bool is_affiliation(const xmlNode *n)
{
    return xml_is(n, "aff") || xml_is(n, "aff-alternatives");
}

xmlNode *jats_name_of(xmlNode *contrib)
{
    static const char *const names[] = { "name", "string-name", "collab", "collab-name",
                                         "anonymous" };
    static const char *const wraps[] = { "name-alternatives", "collab-alternatives" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        xmlNode *n = xml_child(contrib, names[i]);
        for (size_t w = 0; w < ARRAY_LEN(wraps) && !n; w++)
            n = xml_child(xml_child(contrib, wraps[w]), names[i]);
        if (n)
            return n;
    }
    return NULL;
}

/* Of one note; more are no people. */
#define MAX_EMAILS 64

/* The address that notes of correspondence keep apart: the only one, or the one in which the
 * name stands ("rlopez@…"). */
static void email_of_note(xmlNode *author, const xmlNode *note)
{
    struct sv family = publisher_leaf(author, "surname"), first = SV_NONE;
    size_t n = 0;
    const xmlNode *e = publisher_find(note, "email");
    for (; e && n < MAX_EMAILS; e = xml_next(e, "email"), n++) {
        struct sv address = publisher_leaf(e, NULL);
        first = n ? first : address;
        for (size_t at = 0; family.n > 2 && at + family.n <= address.n; at++)
            if (sv_ieq(sv_from_to(address, at, at + family.n), family)) {
                publisher_put(author, "email", address);
                return;
            }
    }
    if (n == 1)
        publisher_put(author, "email", first);
}

static void follow_marks(struct publisher *p, xmlNode *author, xmlNode *contrib)
{
    for (xmlNode *x = xml_child(contrib, "xref"); x; x = xml_next(x, "xref")) {
        struct sv rids = xml_attr(x, "rid"), rid;
        while (sv_cut(&rids, ' ', &rid)) {
            const struct publisher_id *id = publisher_id(p, rid);
            if (!id || !id->person)
                continue;
            if (xml_is(id->person, "corresp") && !xml_child(author, "email"))
                email_of_note(author, id->person);
            else if (!xml_is(id->person, "corresp"))
                publisher_affiliation(p, author, id->person);
        }
    }
}

static void identify(xmlNode *author, xmlNode *contrib)
{
    static const char *const names[] = { "contrib-id", "uri", "ext-link", NULL };
    static const char *const attrs[] = { "contrib-id-type", "content-type", "ext-link-type" };
    for (xmlNode *n = xml_child(contrib, NULL); n; n = xml_next(n, NULL)) {
        struct sv type = SV_NONE;
        for (size_t i = 0; i < ARRAY_LEN(attrs) && publisher_is_any(n, names); i++)
            type = type.n ? type : xml_attr(n, attrs[i]);
        if (!sv_ieq(type, SV("orcid")))
            continue;
        publisher_orcid(author, publisher_leaf(n, NULL));
        if (!xml_child(author, "idno"))
            publisher_orcid(author, xml_attr(n, "href"));
    }
}

static bool is_author(const xmlNode *group, const xmlNode *contrib)
{
    static const char *const others[] = { "editor",  "reviewer",    "translator",
                                          "referee", "illustrator", "collaborator" };
    struct sv type = xml_attr(contrib, "contrib-type");
    type = type.n ? type : xml_attr(group, "content-type");
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (sv_find(type, sv_from(others[i]), 0) != SIZE_MAX ||
            sv_ieq(type, sv_from(others[i])))
            return false;
    return true;
}

static void add_role(struct buf *roles, const xmlNode *author, const xmlNode *role)
{
    struct buf name = BUF_INIT, text = BUF_INIT;
    publisher_text(role, &text);
    publisher_text(xml_path(author, "persName/forename"), &name);
    buf_str(&name, name.len ? " " : "");
    publisher_text(xml_path(author, "persName/surname"), &name);
    const xmlNode *before = role->prev;
    while (before && before->type != XML_ELEMENT_NODE)
        before = before->prev;
    if (xml_is(before, "role"))
        buf_printf(roles, ", %s", buf_cstr(&text));
    else if (text.len)
        buf_printf(roles, "%s%s: %s", roles->len ? "; " : "", buf_cstr(&name), text.data);
    buf_release(&name);
    buf_release(&text);
}

static void contributor(struct publisher *p, xmlNode *group, xmlNode *c, struct buf *roles)
{
    xmlNode *name = jats_name_of(c);
    if (!name || !is_author(group, c))
        return;
    xmlNode *author = publisher_person(p->analytic, "author", name);
    if (xml_is(name, "anonymous"))
        publisher_put(xml_child(author, "persName"), "surname", SV("Anonymous"));
    publisher_put(author, "email", publisher_leaf(c, "email"));
    identify(author, c);
    for (xmlNode *a = xml_child(c, NULL); a; a = xml_next(a, NULL))
        if (is_affiliation(a))
            publisher_affiliation(p, author, a);
    follow_marks(p, author, c);
    for (xmlNode *r = xml_child(c, "role"); r; r = xml_next(r, "role"))
        if (sv_find(xml_attr(r, "content-type"), SV("credit"), 0) != SIZE_MAX ||
            sv_ieq(xml_attr(r, "vocab"), SV("credit")))
            add_role(roles, author, r);
}

/* In a group without marks its affiliations are everybody's. */
static void share_affiliations(struct publisher *p, xmlNode *group, xmlNode *author)
{
    xmlNode *first = xml_child(group, NULL);
    while (first && !is_affiliation(first))
        first = xml_next(first, NULL);
    bool has_marks = false;
    for (xmlNode *c = xml_child(group, "contrib"); first && c; c = xml_next(c, "contrib"))
        has_marks = has_marks || xml_child(c, "xref");
    for (; author && first && !has_marks; author = xml_next(author, "author"))
        for (xmlNode *a = xml_child(author, "affiliation") ? NULL : first; a && p->budget;
             a = xml_next(a, NULL))
            if (is_affiliation(a))
                publisher_affiliation(p, author, a);
}

static void authors(struct publisher *p, xmlNode *meta)
{
    struct buf roles = BUF_INIT;
    xmlNode *group = xml_child(meta, "contrib-group");
    for (; group; group = xml_next(group, "contrib-group")) {
        xmlNode *before = p->analytic->last;
        for (xmlNode *c = xml_child(group, "contrib"); c; c = xml_next(c, "contrib"))
            contributor(p, group, c, &roles);
        share_affiliations(p, group, before ? before->next : p->analytic->children);
    }
    publisher_statement_text(p, "contribution", buf_view(&roles));
    buf_release(&roles);
    /* One affiliation beside the groups and nobody has any: everybody's. */
    xmlNode *only = xml_child(meta, "aff"), *first = xml_child(p->analytic, "author");
    bool has_any = only && xml_next(only, "aff");
    for (xmlNode *a = first; a; a = xml_next(a, "author"))
        has_any = has_any || xml_child(a, "affiliation");
    for (xmlNode *a = only && !has_any ? first : NULL; a; a = xml_next(a, "author"))
        publisher_affiliation(p, a, only);
}

/* ---- date of publication ---- */

/* Of the dates of publication: online before print before the volume's, and of the same kind
 * and year the one that says most. Dates of deposits are the last resort. */
static int rank(const xmlNode *n)
{
    static const struct {
        const char *type;
        int rank;
    } ranks[] = {
        { "epub", 6 },       { "electronic", 6 },  { "epub-ppub", 6 },      { "epreprint", 2 },
        { "pub", 5 },        { "ppub", 4 },        { "print", 4 },          { "collection", 3 },
        { "ecorrected", 2 }, { "pmc-release", 1 }, { "nihms-submitted", 1 }
    };
    struct sv type = xml_attr(n, "pub-type");
    type = type.n ? type : xml_attr(n, "date-type");
    int found = type.n ? 2 : 4;
    for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
        if (sv_is(type, ranks[i].type))
            found = ranks[i].rank;
    if (found == 5 && sv_is(xml_attr(n, "publication-format"), "electronic"))
        found = 6;
    return found;
}

static void publication_date(struct publisher *p, xmlNode *meta)
{
    xmlNode *best = NULL;
    for (xmlNode *n = xml_child(meta, "pub-date"); n; n = xml_next(n, "pub-date")) {
        if (!publisher_leaf(n, "year").n && !xml_attr(n, "iso-8601-date").n &&
            !xml_child(n, "string-date"))
            continue;
        bool is_same_year =
            best && sv_eq(publisher_leaf(n, "year"), publisher_leaf(best, "year"));
        bool says_more =
            rank(n) > 1 && is_same_year && !xml_child(best, "month") && xml_child(n, "month");
        bool says_less = is_same_year && xml_child(best, "month") && !xml_child(n, "month");
        if (!best || says_more || (rank(n) > rank(best) && !says_less))
            best = n;
    }
    if (best)
        jats_date(p->publication, best);
}

/* ---- front matter ---- */

static void journal(struct publisher *p, xmlNode *meta)
{
    xmlNode *title = publisher_find(meta, "journal-title");
    title = title ? title : publisher_find(meta, "abbrev-journal-title");
    publisher_title(p, p->monogr, title, "j");
    for (xmlNode *n = xml_child(meta, "issn"); n; n = xml_next(n, "issn")) {
        struct sv type = xml_attr(n, "pub-type");
        type = type.n ? type : xml_attr(n, "publication-format");
        bool is_online =
            sv_is(type, "epub") || sv_is(type, "electronic") || sv_is(type, "online");
        publisher_idno(p->monogr, is_online ? "eISSN" : "ISSN", publisher_leaf(n, NULL));
    }
    publisher_put_text(p->publication, "publisher", publisher_find(meta, "publisher-name"));
}

static void imprint_of_article(struct publisher *p, xmlNode *meta)
{
    struct sv first = publisher_leaf(xml_child(meta, "fpage"), NULL);
    struct sv number = publisher_leaf(xml_child(meta, "elocation-id"), NULL);
    publisher_scope(p->imprint, "volume", publisher_leaf(xml_child(meta, "volume"), NULL),
                    SV_NONE);
    publisher_scope(p->imprint, "issue", publisher_leaf(xml_child(meta, "issue"), NULL),
                    SV_NONE);
    publisher_scope(p->imprint, "page", first.n ? first : number,
                    publisher_leaf(xml_child(meta, "lpage"), NULL));
    publication_date(p, meta);
    jats_meeting(p->monogr, xml_child(meta, "conference"));
    jats_idnos(p->bibl, meta, "article-id");
}

static void licence(struct publisher *p, xmlNode *permissions)
{
    xmlNode *from = xml_child(permissions, "license");
    if (!from)
        return;
    xmlNode *to = publisher_add(publisher_add(p->publication, "availability", SV_NONE),
                                "licence", SV_NONE);
    struct sv href = xml_attr(from, "href");
    href = href.n ? href : publisher_leaf(from, "license_ref");
    href = href.n ? href : publisher_leaf(permissions, "license_ref");
    href = href.n ? href : xml_attr(publisher_find(from, "ext-link"), "href");
    publisher_set(to, "target", href);
    publisher_put_text(to, "p", from);
}

static void abbreviations(struct publisher *p, const xmlNode *group)
{
    struct buf b = BUF_INIT;
    for (const xmlNode *k = xml_child(group, "kwd"); k; k = xml_next(k, "kwd")) {
        buf_str(&b, b.len ? "; " : "");
        publisher_text(k, &b);
    }
    publisher_statement_text(p, "annex", buf_view(&b));
    buf_release(&b);
}

static void keywords(struct publisher *p, xmlNode *meta)
{
    for (xmlNode *g = xml_child(meta, "kwd-group"); g; g = xml_next(g, "kwd-group")) {
        if (sv_starts(xml_attr(g, "kwd-group-type"), SV("abbr"))) {
            abbreviations(p, g);
            continue;
        }
        for (xmlNode *k = xml_child(g, NULL), *next; k; k = next) {
            next = xml_next(k, NULL);
            if (!xml_is(k, "kwd") && !xml_is(k, "compound-kwd"))
                continue;
            for (xmlNode *part = xml_child(k, NULL); part; part = xml_next(part, NULL))
                if (xml_is(part, "compound-kwd-part") && xml_next(part, NULL))
                    publisher_append(part, SV(" "));
            publisher_move(k, p->keywords);
            publisher_rename(k, "term");
        }
    }
    publisher_walk(p, p->keywords);
    xmlNode *free_text = publisher_find(meta, "unstructured-kwd-group");
    if (free_text && !xml_child(p->keywords, "term"))
        publisher_move_all(free_text, p->keywords);
}

/* The paper's own: the first of no special type, else the first that is text in full. */
static xmlNode *main_abstract(const xmlNode *meta)
{
    static const char *const others[] = { "graphical",  "toc",   "teaser",     "highlights",
                                          "key-points", "video", "web-summary" };
    xmlNode *full = NULL, *n = xml_child(meta, "abstract");
    for (; n && xml_attr(n, "abstract-type").n; n = xml_next(n, "abstract")) {
        bool is_other = false;
        for (size_t i = 0; i < ARRAY_LEN(others); i++)
            is_other = is_other || xml_has(n, "abstract-type", others[i]);
        full = full || is_other ? full : n;
    }
    return n ? n : full;
}

/* Further ones say their type and language. */
static void abstracts(struct publisher *p, xmlNode *meta)
{
    xmlNode *main = main_abstract(meta);
    xmlNode *first = publisher_add(p->profile, "abstract", SV_NONE);
    for (xmlNode *a = xml_child(meta, NULL), *next; a; a = next) {
        next = xml_next(a, NULL);
        bool is_other = xml_is(a, "trans-abstract");
        if (!is_other && !xml_is(a, "abstract"))
            continue;
        struct sv type = xml_attr(a, "abstract-type");
        xmlNode *to = a == main ? first : publisher_add(p->profile, "abstract", SV_NONE);
        if (a != main) {
            publisher_set(to, "type",
                          type.n     ? type
                          : is_other ? SV("translated")
                                     : SV("other"));
            publisher_set(to, "lang", xml_attr(a, "lang"));
        }
        xmlNode *head = a == main ? publisher_near(a, "title") : NULL; /* "Abstract" */
        if (head)
            publisher_drop(head);
        publisher_move(a, to);
        publisher_rename(a, "div");
        publisher_walk(p, a);
    }
}

/* Who paid, and under which numbers: <funder ref="#id">, <listOrg> of grants. */
static void award(xmlNode *statement, xmlNode *grants, const xmlNode *group, size_t *n)
{
    struct buf id = BUF_INIT, all = BUF_INIT;
    xmlNode *funder = publisher_add(statement, "funder", SV_NONE);
    publisher_name_text(publisher_find(group, "funding-source"), &all);
    publisher_put(funder, "orgName", buf_view(&all));
    publisher_idno(funder, "DOI", publisher_leaf(group, "institution-id"));
    buf_reset(&all);
    for (const xmlNode *i = xml_child(group, "award-id"); i; i = xml_next(i, "award-id")) {
        struct sv own = xml_attr(i, "id");
        own = own.n || all.len ? own : xml_attr(group, "id");
        buf_reset(&id);
        if (own.n)
            buf_sv(&id, own);
        else
            buf_printf(&id, "grant_x%zu", *n);
        ++*n;
        xmlNode *org = publisher_add(grants, "org", SV_NONE);
        publisher_set(org, "id", buf_view(&id));
        xmlNode *number = publisher_put_text(org, "idno", i);
        if (number)
            publisher_set(number, "type", SV("grant-number"));
        buf_printf(&all, "%s#%s", all.len ? " " : "", buf_cstr(&id));
    }
    publisher_set(funder, "ref", buf_view(&all));
    buf_release(&id);
    buf_release(&all);
}

/* The same in words, for files that say nothing themselves. */
static void awards_text(struct publisher *p, xmlNode *group)
{
    struct buf b = BUF_INIT;
    for (xmlNode *a = xml_child(group, "award-group"); a; a = xml_next(a, "award-group")) {
        buf_str(&b, b.len ? "; " : "");
        publisher_name_text(publisher_find(a, "funding-source"), &b);
        for (xmlNode *i = xml_child(a, "award-id"); i; i = xml_next(i, "award-id")) {
            buf_char(&b, ' ');
            publisher_text(i, &b);
        }
    }
    publisher_statement_text(p, "funding", buf_view(&b));
    buf_release(&b);
}

static void funding(struct publisher *p, xmlNode *meta)
{
    xmlNode *group = xml_child(meta, "funding-group"), *statement = NULL, *grants = NULL;
    size_t n = 0;
    for (; group; group = xml_next(group, "funding-group")) {
        xmlNode *said = xml_child(group, "funding-statement");
        for (xmlNode *a = xml_child(group, "award-group"); a; a = xml_next(a, "award-group")) {
            if (!statement) {
                statement = publisher_add(p->publication->parent, "titleStmt", SV_NONE);
                grants = publisher_add(p->back, "listOrg", SV_NONE);
                publisher_set(grants, "type", SV("funding"));
            }
            award(statement, grants, a, &n);
        }
        if (!said)
            awards_text(p, group);
        for (xmlNode *next; said; said = next) {
            next = xml_next(said, "funding-statement");
            publisher_statement(p, said, "funding");
        }
    }
}

static void notes_of_front(struct publisher *p, xmlNode *meta)
{
    funding(p, meta);
    xmlNode *notes = xml_child(meta, "author-notes");
    for (xmlNode *n = xml_child(notes, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        const char *type = xml_is(n, "fn") ? publisher_statement_type(n) : NULL;
        if (type || xml_is(n, "p"))
            publisher_statement(p, n, type);
        else if (xml_is(n, "fn"))
            publisher_move(n, p->back); /* a footnote */
    }
    for (xmlNode *n = xml_child(meta, "supplementary-material"), *next; n; n = next) {
        next = xml_next(n, "supplementary-material");
        publisher_move(n, p->back);
    }
    xmlNode *custom = xml_path(meta, "custom-meta-group/custom-meta");
    for (; custom; custom = xml_next(custom, "custom-meta"))
        if (sv_find(publisher_leaf(custom, "meta-name"), SV("Availability"), 0) != SIZE_MAX)
            publisher_statement(p, xml_child(custom, "meta-value"), "availability");
}

static void front(struct publisher *p, xmlNode *start, xmlNode *meta)
{
    static const char *const others[] = { "alt-title", "trans-title", NULL };
    authors(p, meta); /* first: what ids lead to is still there */
    xmlNode *group = xml_child(meta, "title-group");
    group = group ? group : meta;
    xmlNode *title = xml_child(group, "article-title");
    if (!title || publisher_is_blank(title))
        title = jats_first_of(group, others);
    publisher_title(p, p->analytic, title, "a");
    publisher_subtitle(p->analytic, xml_child(group, "subtitle"));
    journal(p, xml_child(start, "journal-meta"));
    imprint_of_article(p, meta);
    licence(p, xml_child(meta, "permissions"));
    keywords(p, meta);
    abstracts(p, meta);
    notes_of_front(p, meta);
}

/* ---- back matter ---- */

static void back_matter(struct publisher *p, xmlNode *back);

static void back_part(struct publisher *p, xmlNode *n)
{
    const char *type = xml_is(n, "ack") ? "acknowledgement" : publisher_statement_type(n);
    bool has_parts = xml_child(n, "sec") || xml_child(n, "notes");
    if (xml_is(n, "ref-list"))
        jats_references(p, n);
    else if (xml_is(n, "fn") && !type)
        publisher_move(n, p->back);
    else if (xml_is(n, "fn-group") || (!type && has_parts && !xml_is(n, "app-group")))
        back_matter(p, n);
    else if (!xml_is(n, "label"))
        publisher_statement(p, n, type);
}

static void back_matter(struct publisher *p, xmlNode *back)
{
    for (xmlNode *n = xml_child(back, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        bool is_title = xml_is(n, "title") && !xml_is(back, "app");
        if (!is_title)
            back_part(p, n);
    }
}

void jats_to_tei(struct publisher *p)
{
    p->read_list = jats_references;
    xmlNode *start = xml_child(p->old, "front");
    xmlNode *meta = start ? xml_child(start, "article-meta") : xml_child(p->old, "front-stub");
    if (meta)
        front(p, start, meta);
    publisher_move_all(xml_child(p->old, "body"), p->body);
    publisher_statements_of_body(p);
    publisher_move_all(xml_child(p->old, "floats-group"), p->body);
    publisher_move_all(xml_child(p->old, "floats-wrap"), p->body); /* NLM 2 */
    for (xmlNode *n = xml_child(start, "notes"), *next; n; n = next) {
        next = xml_next(n, "notes");
        back_part(p, n);
    }
    back_matter(p, xml_child(p->old, "back"));
    publisher_walk(p, p->body);
    publisher_walk(p, p->back);
}
