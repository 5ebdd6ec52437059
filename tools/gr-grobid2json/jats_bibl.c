// SPDX-License-Identifier: MIT
/*
 * jats_bibl.c — JATS: dates, ids and the reference list
 */
#include "publisher.h"

/* ---- dates ---- */

static int month_of(struct sv s)
{
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    int64_t m = 0;
    if (sv_to_i64(s, &m))
        return m >= 1 && m <= 12 ? (int)m : 0;
    for (int i = 0; s.n >= 3 && i < 12; i++)
        if (sv_ieq(sv_from_to(s, 0, 3),
                   sv_from_to(sv_from(months), 3 * (size_t)i, 3 * (size_t)i + 3)))
            return i + 1;
    return 0;
}

static void date_text(const xmlNode *from, struct buf *to)
{
    struct sv year = publisher_leaf(from, "year");
    int month = month_of(publisher_leaf(from, "month"));
    int64_t day = 0;
    buf_sv(to, year.n ? year : publisher_leaf(from, "string-date"));
    if (!year.n || !month)
        return;
    buf_printf(to, "-%02d", month);
    if (sv_to_i64(publisher_leaf(from, "day"), &day) && day >= 1 && day <= 31)
        buf_printf(to, "-%02d", (int)day);
}

void jats_date(xmlNode *parent, const xmlNode *from)
{
    struct buf b = BUF_INIT;
    struct sv iso = xml_attr(from, "iso-8601-date");
    date_text(from, &b);
    if (!b.len)
        buf_sv(&b, iso.n ? iso : xml_attr(xml_child(from, "year"), "iso-8601-date"));
    if (b.len)
        publisher_set(publisher_add(parent, "date", SV_NONE), "when", buf_view(&b));
    buf_release(&b);
}

/* ---- references ---- */

static const char *idno_type(struct sv type)
{
    static const struct {
        const char *jats, *tei;
    } kinds[] = { { "doi", "DOI" },     { "pmid", "PMID" },   { "pmc", "PMCID" },
                  { "pmcid", "PMCID" }, { "arxiv", "arXiv" }, { "pii", "PII" },
                  { "isbn", "ISBN" },   { "issn", "ISSN" } };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (sv_ieq(type, sv_from(kinds[i].jats)))
            return kinds[i].tei;
    return NULL;
}

void jats_idnos(xmlNode *to, const xmlNode *from, const char *element_name)
{
    for (const xmlNode *n = xml_child(from, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "comment"))
            jats_idnos(to, n, element_name);
        const char *type =
            xml_is(n, element_name) ? idno_type(xml_attr(n, "pub-id-type")) : NULL;
        struct sv text = publisher_leaf(n, NULL);
        if (!type)
            continue;
        bool is_bare = strcmp(type, "PMCID") == 0 && text.n && text.p[0] <= '9';
        struct buf b = BUF_INIT;
        buf_printf(&b, "%s%.*s", is_bare ? "PMC" : "", SV_ARG(text));
        publisher_idno(to, type, buf_view(&b));
        buf_release(&b);
    }
}

static void people(xmlNode *to, xmlNode *from, const char *role)
{
    static const char *const names[] = { "name", "string-name", "collab", "anonymous", NULL };
    for (xmlNode *n = xml_child(from, NULL); n; n = xml_next(n, NULL)) {
        bool is_editor = xml_has(n, "person-group-type", "editor");
        if (publisher_is_any(n, names))
            (void)publisher_person(to, role, n);
        else if (xml_is(n, "name-alternatives"))
            (void)publisher_person(to, role, jats_name_of(n));
        else if (xml_is(n, "person-group"))
            people(to, n, is_editor ? "editor" : role);
    }
}

xmlNode *jats_first_of(const xmlNode *node, const char *const names[])
{
    xmlNode *n = NULL;
    for (; *names && !n; names++)
        n = xml_child(node, *names);
    return n;
}

void jats_meeting(xmlNode *book, const xmlNode *from)
{
    const xmlNode *name = publisher_find(from, "conf-name");
    xmlNode *meeting = publisher_put_text(book, "meeting", name);
    const xmlNode *place = meeting ? publisher_find(from, "conf-loc") : NULL;
    if (place)
        publisher_put_text(publisher_add(meeting, "address", SV_NONE), "addrLine", place);
}

static void imprint(struct publisher_entry *e, const xmlNode *c)
{
    static const char *const pages[] = { "fpage", "page-range", "elocation-id", NULL };
    static const struct {
        const char *jats, *tei;
    } texts[] = { { "publisher-name", "publisher" }, { "publisher-loc", "pubPlace" } };
    publisher_scope(e->imprint, "volume", publisher_leaf(xml_child(c, "volume"), NULL),
                    SV_NONE);
    publisher_scope(e->imprint, "issue", publisher_leaf(xml_child(c, "issue"), NULL), SV_NONE);
    publisher_scope(e->imprint, "page", publisher_leaf(jats_first_of(c, pages), NULL),
                    publisher_leaf(xml_child(c, "lpage"), NULL));
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        publisher_put_text(e->imprint, texts[i].tei, publisher_find(c, texts[i].jats));
    jats_date(e->imprint, c);
    jats_meeting(e->book, c);
    publisher_put_text(e->book, "edition", xml_child(c, "edition"));
    publisher_idno(e->book, "ISBN", publisher_leaf(xml_child(c, "isbn"), NULL));
    publisher_idno(e->book, "ISSN", publisher_leaf(xml_child(c, "issn"), NULL));
    jats_idnos(e->bibl, c, "pub-id");
}

static void citation(struct publisher *p, const xmlNode *ref, xmlNode *c, size_t k)
{
    static const char *const titles[] = { "article-title", "chapter-title", "part-title",
                                          "data-title",    "trans-title",   NULL };
    xmlNode *fields = c; /* of several forms the one in parts */
    if (xml_is(c, "citation-alternatives")) {
        fields = xml_child(c, "element-citation");
        fields = fields ? fields : xml_child(c, NULL);
    }
    xmlNode *title = jats_first_of(fields, titles), *source = xml_child(fields, "source");
    struct publisher_entry e = publisher_entry(p, ref, c, k, title != NULL);
    struct sv type = xml_attr(fields, "publication-type");
    type = type.n ? type : xml_attr(fields, "citation-type");
    bool is_journal = sv_is(type, "journal") || (!type.n && title);
    imprint(&e, fields);
    publisher_entry_links(&e, c);
    people(e.article ? e.article : e.book, fields, "author");
    if (title) {
        publisher_title(p, e.article, title, "a");
        publisher_subtitle(e.article, xml_child(fields, "subtitle"));
    }
    publisher_title(p, e.book, source, is_journal ? "j" : "m");
}

void jats_references(struct publisher *p, xmlNode *list)
{
    for (xmlNode *ref = xml_child(list, NULL); ref; ref = xml_next(ref, NULL)) {
        size_t k = 0;
        if (xml_is(ref, "ref-list")) {
            jats_references(p, ref);
            continue;
        }
        for (xmlNode *c = xml_child(ref, NULL); c && xml_is(ref, "ref"); c = xml_next(c, NULL))
            if (publisher_is_citation(c))
                citation(p, ref, c, k++);
        if (xml_is(ref, "ref") && k == 0 && (xml_attr(ref, "id").n || !publisher_is_blank(ref)))
            (void)publisher_entry(p, ref, ref, 0, false); /* a note, or what a marker names */
    }
}
