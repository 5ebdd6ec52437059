// SPDX-License-Identifier: MIT
/*
 * elsevier.c — Elsevier's articles (name spaces ja, ce, sb, sa, xocs) → TEI: article,
 * simple-article, converted-article and their kin, and what their service wraps around them
 */
#include "publisher.h"

/* ---- people ---- */

static void email(xmlNode *author, const xmlNode *from)
{
    const xmlNode *n = xml_child(from, "e-address");
    while (n && xml_has(n, "type", "url"))
        n = xml_next(n, "e-address");
    publisher_put(author, "email", publisher_leaf(n, NULL));
}

static void author_of_group(struct publisher *p, xmlNode *a, xmlNode *of_all)
{
    xmlNode *text = xml_is(a, "collaboration") ? xml_child(a, "text") : NULL;
    xmlNode *author = publisher_person(p->analytic, "author", text ? text : a);
    email(author, a);
    publisher_orcid(author, xml_attr(a, "orcid"));
    bool has_marks = false;
    for (xmlNode *x = xml_child(a, NULL); x; x = xml_next(x, NULL)) {
        struct sv rids = xml_is(x, "cross-ref") || xml_is(x, "cross-refs")
                             ? xml_attr(x, "refid")
                             : SV_NONE,
                  rid;
        while (sv_cut(&rids, ' ', &rid)) {
            const struct publisher_id *id = publisher_id(p, rid);
            if (!id || !xml_is(id->person, "affiliation"))
                continue;
            has_marks = true;
            publisher_affiliation(p, author, id->person);
        }
    }
    /* All affiliations of a group are an author's whose name points at none. */
    for (xmlNode *f = has_marks ? NULL : of_all; f && p->budget; f = xml_next(f, "affiliation"))
        publisher_affiliation(p, author, f);
}

static void groups(struct publisher *p, xmlNode *head)
{
    for (xmlNode *g = xml_child(head, "author-group"); g; g = xml_next(g, "author-group"))
        for (xmlNode *a = xml_child(g, NULL); a; a = xml_next(a, NULL))
            if (xml_is(a, "author") || xml_is(a, "collaboration"))
                author_of_group(p, a, xml_child(g, "affiliation"));
}

static void people(xmlNode *to, xmlNode *list, const char *role)
{
    for (xmlNode *a = xml_child(list, NULL); a; a = xml_next(a, NULL))
        if (xml_is(a, "author") || xml_is(a, "editor") || xml_is(a, "collaboration"))
            (void)publisher_person(to, role, a);
}

/* ---- references ---- */

/* <title><maintitle>…<subtitle>… */
static void title_of(struct publisher *p, xmlNode *to, xmlNode *title, const char *level)
{
    xmlNode *main = xml_child(title, "maintitle"), *sub = xml_child(title, "subtitle");
    publisher_title(p, to, main ? main : title, level);
    if (main)
        publisher_subtitle(to, sub);
}

static void host(struct publisher *p, struct publisher_entry *e, xmlNode *h)
{
    xmlNode *issue = xml_child(h, "issue"), *in = xml_child(h, "edited-book");
    in = in ? in : xml_child(h, "book");
    struct sv first = publisher_leaf(h, "first-page");
    publisher_scope(e->imprint, "volume", publisher_leaf(h, "volume-nr"), SV_NONE);
    publisher_scope(e->imprint, "issue", publisher_leaf(h, "issue-nr"), SV_NONE);
    publisher_scope(e->imprint, "page", first.n ? first : publisher_leaf(h, "article-number"),
                    publisher_leaf(h, "last-page"));
    publisher_put_text(e->imprint, "publisher", xml_path(in, "publisher/name"));
    publisher_put_text(e->imprint, "pubPlace", xml_path(in, "publisher/location"));
    publisher_put_text(e->book, "edition", xml_child(in, "edition"));
    people(e->book, xml_child(in, "editors"), "editor");
    struct sv when = publisher_leaf(h, "date");
    if (when.n && !xml_child(e->imprint, "date"))
        publisher_set(publisher_add(e->imprint, "date", SV_NONE), "when", when);
    publisher_idno(e->bibl, "DOI", publisher_leaf(h, "doi"));
    publisher_idno(e->bibl, "PII", publisher_leaf(h, "pii"));
    publisher_idno(e->book, "ISBN", publisher_leaf(h, "isbn"));
    publisher_idno(e->book, "ISSN", publisher_leaf(h, "issn"));
    xmlNode *series = xml_path(in, "book-series/series/title");
    if (issue)
        title_of(p, e->book, xml_path(issue, "series/title"), "j");
    else if (in)
        title_of(p, e->book, xml_child(in, "title"), "m");
    if (series)
        title_of(p, e->book, series, "s");
}

static void reference(struct publisher *p, const xmlNode *entry, xmlNode *ref, size_t k)
{
    xmlNode *part = xml_child(ref, "contribution");
    xmlNode *title = xml_child(part, "title");
    title = title ? title : xml_child(part, "translated-title");
    struct publisher_entry e = publisher_entry(p, entry, ref, k, title != NULL);
    publisher_entry_links(&e, ref);
    people(title ? e.article : e.book, xml_child(part, "authors"), "author");
    people(e.book, xml_child(part, "editors"), "editor");
    title_of(p, e.article, title, "a");
    static const char *const hosts[] = { "host", "e-host" };
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
        for (xmlNode *h = xml_child(ref, hosts[i]), *next; h; h = next) {
            next = xml_next(h, hosts[i]);
            host(p, &e, h);
        }
}

static void entry(struct publisher *p, xmlNode *n)
{
    size_t k = 0;
    for (xmlNode *c = xml_child(n, NULL); c; c = xml_next(c, NULL)) {
        if (xml_is(c, "reference"))
            reference(p, n, c, k++);
        else if (xml_is(c, "other-ref")) {
            struct publisher_entry e = publisher_entry(p, n, c, k++, false);
            publisher_entry_links(&e, c);
        }
    }
    if (!k)
        (void)publisher_entry(p, n, n, 0, false); /* its label at least keeps its id */
}

static void references(struct publisher *p, xmlNode *list)
{
    for (xmlNode *n = xml_child(list, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "bib-reference"))
            entry(p, n);
        else
            references(p, n);
    }
}

/* ---- front matter ---- */

/* Of a cover that says "January 2014" the first of January is only how it is filed. */
static struct sv cover_date(const xmlNode *meta)
{
    struct sv when = publisher_leaf(meta, "cover-date-start"), part;
    struct sv text = publisher_leaf(meta, "cover-date-text");
    size_t n_words = 0;
    while (sv_cut(&text, ' ', &part))
        n_words += part.n > 0;
    size_t n = n_words == 1 ? 4 : n_words == 2 ? 7 : when.n;
    return sv_from_to(when, 0, n);
}

static void imprint(struct publisher *p, const xmlNode *meta, const xmlNode *core,
                    const xmlNode *info)
{
    static const struct {
        const char *unit, *meta, *core;
    } scopes[] = { { "volume", "vol-first", "volume" },
                   { "issue", "iss-first", "issueIdentifier" } };
    for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
        struct sv s = publisher_leaf(meta, scopes[i].meta);
        publisher_scope(p->imprint, scopes[i].unit,
                        s.n ? s : publisher_leaf(core, scopes[i].core), SV_NONE);
    }
    struct sv first = publisher_leaf(meta, "first-page"),
              last = publisher_leaf(meta, "last-page");
    if (!first.n) {
        first = publisher_leaf(core, "startingPage");
        last = publisher_leaf(core, "endingPage");
    }
    if (!first.n)
        first = publisher_leaf(info, "article-number");
    publisher_scope(p->imprint, "page", first, last);
    struct sv when = cover_date(meta);
    when = when.n ? when : publisher_leaf(core, "coverDate");
    when = when.n ? when : xml_attr(xml_child(info, "copyright"), "year");
    if (when.n)
        publisher_set(publisher_add(p->publication, "date", SV_NONE), "when", when);
}

static void journal(struct publisher *p, xmlNode *meta, xmlNode *core)
{
    xmlNode *name = publisher_find(meta, "srctitle");
    publisher_title(p, p->monogr, name ? name : xml_child(core, "publicationName"), "j");
    struct sv issn = publisher_leaf(meta, "issn-primary-formatted");
    issn = issn.n ? issn : publisher_leaf(core, "issn");
    struct buf b = BUF_INIT;
    buf_sv(&b, issn);
    if (b.len == 8) { /* as coredata has it */
        buf_reset(&b);
        buf_printf(&b, "%.4s-%.4s", issn.p, issn.p + 4);
    }
    publisher_idno(p->monogr, "ISSN", buf_view(&b));
    buf_release(&b);
    struct sv publisher = publisher_leaf(core, "publisher");
    publisher_put(p->publication, "publisher", publisher.n ? publisher : SV("Elsevier"));
    struct sv licence = publisher_leaf(meta, "oa-user-license");
    licence = licence.n ? licence : publisher_leaf(core, "openaccessUserLicense");
    if (licence.n)
        publisher_set(publisher_add(publisher_add(p->publication, "availability", SV_NONE),
                                    "licence", SV_NONE),
                      "target", licence);
}

/* Abbreviations come as a group of keywords, each with what it is short for. */
static void abbreviations(struct publisher *p, xmlNode *group)
{
    xmlNode *div = publisher_add(p->back, "div", SV_NONE);
    publisher_set(div, "type", SV("annex"));
    publisher_move_all(group, div);
    for (xmlNode *k = xml_child(div, "keyword"); k; k = xml_next(k, "keyword")) {
        for (xmlNode *t = xml_child(k, NULL); t; t = xml_next(t, NULL))
            publisher_rename(t, "s");
        publisher_rename(k, "p");
    }
}

static void keywords(struct publisher *p, xmlNode *head)
{
    for (xmlNode *g = xml_child(head, "keywords"); g; g = xml_next(g, "keywords")) {
        if (sv_starts(xml_attr(g, "class"), SV("abr"))) {
            abbreviations(p, g);
            continue;
        }
        for (xmlNode *k = xml_child(g, "keyword"); k; k = xml_next(k, "keyword")) {
            xmlNode *term = xml_child(k, "text");
            publisher_move(term, p->keywords);
            if (term)
                publisher_rename(term, "term");
        }
    }
    publisher_walk(p, p->keywords);
}

static void abstracts(struct publisher *p, xmlNode *head, xmlNode *core)
{
    xmlNode *main = NULL, *first = publisher_add(p->profile, "abstract", SV_NONE);
    for (xmlNode *a = xml_child(head, "abstract"); a; a = xml_next(a, "abstract")) {
        struct sv class = xml_attr(a, "class");
        bool is_main = !main && (!class.n || sv_is(class, "author") || sv_is(class, "editor"));
        xmlNode *to = is_main ? first : publisher_add(p->profile, "abstract", SV_NONE);
        main = is_main ? a : main;
        if (!is_main) {
            publisher_set(to, "type",
                          class.n && !sv_is(class, "author") ? class : SV("translated"));
            publisher_set(to, "lang", xml_attr(a, "lang"));
        }
        xmlNode *section = xml_child(a, "section-title"); /* "Abstract", "Highlights" */
        if (section)
            publisher_drop(section);
        publisher_move_all(a, to);
        publisher_walk(p, to);
    }
    xmlNode *described = main ? NULL : xml_child(core, "description");
    if (described)
        (void)publisher_put_text(first, "p", described);
}

/* Notes on the title, present addresses, dedications: footnotes. */
static void notes_of_front(struct publisher *p, xmlNode *head)
{
    static const char *const names[] = { "article-footnote", "footnote", "dedication",
                                         "presented", NULL };
    for (xmlNode *n = xml_child(head, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (xml_is(n, "author-group"))
            notes_of_front(p, n);
        else if (publisher_is_any(n, names)) {
            publisher_rename(n, "footnote");
            publisher_move(n, p->back);
        }
    }
}

static xmlNode *head_of(const xmlNode *article)
{
    static const char *const names[] = { "head", "simple-head", "book-review-head",
                                         "exam-head" };
    xmlNode *n = NULL;
    for (size_t i = 0; i < ARRAY_LEN(names) && !n; i++)
        n = xml_child(article, names[i]);
    return n;
}

/* The service's own words stand in where the article has none. */
static void front(struct publisher *p, xmlNode *article)
{
    xmlNode *meta = publisher_around(article, "meta"), *info = xml_child(article, "item-info");
    xmlNode *core = publisher_around(article, "coredata"), *head = head_of(article);
    groups(p, head); /* first: what ids lead to is still there */
    for (xmlNode *c = head ? NULL : xml_child(core, "creator"); c; c = xml_next(c, "creator")) {
        publisher_rename(c, "string-name");
        (void)publisher_person(p->analytic, "author", c);
    }
    xmlNode *title = xml_child(head, "title");
    title = title ? title : xml_child(head, "alt-title");
    publisher_title(p, p->analytic, title ? title : xml_child(core, "title"), "a");
    publisher_subtitle(p->analytic, xml_child(head, "subtitle"));
    journal(p, meta, core);
    imprint(p, meta, core, info);
    struct sv doi = publisher_leaf(info, "doi"), pii = publisher_leaf(info, "pii");
    publisher_idno(p->bibl, "DOI", doi.n ? doi : publisher_leaf(core, "doi"));
    publisher_idno(p->bibl, "PII", pii.n ? pii : publisher_leaf(core, "pii"));
    publisher_idno(p->bibl, "PMID", publisher_leaf(p->old, "pubmed-id"));
    keywords(p, head);
    for (xmlNode *s = head ? NULL : xml_child(core, "subject"); s; s = xml_next(s, "subject"))
        (void)publisher_put_text(p->keywords, "term", s);
    abstracts(p, head, core);
    notes_of_front(p, head);
}

/* ---- body and tail ---- */

static const char *part_type(const xmlNode *n)
{
    static const struct {
        const char *name, *type;
    } types[] = { { "acknowledgment", "acknowledgement" },
                  { "data-availability", "availability" },
                  { "conflict-of-interest", "conflict" },
                  { "appendices", "annex" },
                  { "glossary", "annex" },
                  { "nomenclature", "annex" },
                  { "biography", "annex" } };
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (xml_is(n, types[i].name))
            return types[i].type;
    return NULL;
}

static void parts(struct publisher *p, xmlNode *node)
{
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        const char *type = part_type(n);
        if (xml_is(n, "sections"))
            publisher_move_all(n, p->body);
        else if (xml_is(n, "bibliography") || xml_is(n, "further-reading"))
            references(p, n);
        else if (type)
            publisher_statement(p, n, type);
    }
}

/* Text from a scan, as the service gives it for old articles. */
static void raw_text(struct publisher *p, xmlNode *article)
{
    xmlNode *raw = publisher_find(article, "rawtext");
    if (raw && !xml_child(p->body, NULL)) {
        publisher_move(raw, p->body);
        publisher_rename(raw, "p");
    }
}

void elsevier_to_tei(struct publisher *p)
{
    static const char *const tails[] = { "tail", "simple-tail", "back", "book-review-tail" };
    p->read_list = references;
    xmlNode *article = p->old, *body = xml_child(article, "body");
    if (xml_attr(article, "lang").n)
        publisher_set(p->body->parent, "lang", xml_attr(article, "lang"));
    front(p, article);
    parts(p, body);
    publisher_move_all(body, p->body);
    publisher_statements_of_body(p);
    publisher_move_all(xml_child(article, "floats"), p->body);
    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        xmlNode *tail = xml_child(article, tails[i]);
        parts(p, tail);
        for (xmlNode *n = xml_child(tail, "footnote"), *next; n; n = next) {
            next = xml_next(n, "footnote");
            publisher_move(n, p->back);
        }
    }
    raw_text(p, article);
    publisher_walk(p, p->body);
    publisher_walk(p, p->back);
}
