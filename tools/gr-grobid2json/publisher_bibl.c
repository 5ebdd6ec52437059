// SPDX-License-Identifier: MIT
/*
 * publisher_bibl.c — people and where they work, entries of the reference list, statements
 */
#include "publisher.h"

#include "utf8.h"

/* ---- people ---- */

/* "Ana M. de la Cruz": the last word and the particles before it are the family. */
static size_t family_at(struct sv s)
{
    static const char *const particles[] = { "van", "von", "de",  "der", "den", "del", "della",
                                             "di",  "da",  "dos", "la",  "le",  "ter", "ten" };
    size_t at = s.n;
    while (at && s.p[at - 1] != ' ')
        at--;
    for (bool is_more = true; is_more && at > 1;) {
        size_t from = at - 1;
        while (from && s.p[from - 1] != ' ')
            from--;
        is_more = false;
        for (size_t i = 0; i < ARRAY_LEN(particles); i++)
            is_more |= sv_is(sv_from_to(s, from, at - 1), particles[i]);
        at = is_more && from ? from : at;
        is_more = is_more && from;
    }
    return at;
}

/* A name that comes as one text: "Lopez, Ana" or, for people, "Ana Lopez". */
static void split_name(xmlNode *person, struct sv s, bool is_group)
{
    size_t comma = sv_find(s, SV(", "), 0), n_blanks = 0;
    for (size_t i = 0; i < s.n; i++)
        n_blanks += s.p[i] == ' ';
    size_t at = is_group || n_blanks == 0 || n_blanks > 4 ? 0 : family_at(s);
    if (comma != SIZE_MAX && !is_group && n_blanks <= 4) {
        publisher_put(person, "forename", sv_trim(sv_from_to(s, comma + 1, s.n)));
        publisher_put(person, "surname", sv_trim(sv_from_to(s, 0, comma)));
        return;
    }
    publisher_put(person, "forename", sv_trim(sv_from_to(s, 0, at)));
    publisher_put(person, "surname", sv_from_to(s, at, s.n));
}

xmlNode *publisher_person(xmlNode *parent, const char *name, const xmlNode *from)
{
    xmlNode *given = xml_child(from, "given-names"), *family = xml_child(from, "surname");
    given = given ? given : xml_child(from, "given-name");
    xmlNode *author = publisher_add(parent, name, SV_NONE);
    xmlNode *person = publisher_add(author, "persName", SV_NONE);
    if (given || family) {
        publisher_put_text(person, "forename", given);
        publisher_put_text(person, "surname", family);
        publisher_put_text(person, "genName", xml_child(from, "suffix"));
        return author;
    }
    struct buf b = BUF_INIT;
    publisher_name_text(from, &b);
    split_name(person, buf_view(&b), !xml_is(from, "string-name") && !xml_is(from, "name"));
    buf_release(&b);
    return author;
}

void publisher_orcid(xmlNode *author, struct sv s)
{
    for (size_t i = 0; i + 19 <= s.n; i++) {
        size_t n = 0;
        while (n < 19 && (n % 5 == 4 ? s.p[i + n] == '-'
                                     : (s.p[i + n] >= '0' && s.p[i + n] <= '9') ||
                                           (n == 18 && (s.p[i + n] | 32) == 'x')))
            n++;
        if (n == 19) {
            publisher_idno(author, "ORCID", sv_from_to(s, i, i + 19));
            return;
        }
    }
}

/* ---- affiliations ---- */

/* Is there text beside the parts that is more than punctuation? */
static bool has_loose_text(const xmlNode *aff)
{
    for (const xmlNode *n = aff->children; n; n = n->next) {
        struct sv s = n->type == XML_TEXT_NODE ? sv_from((const char *)n->content) : SV_NONE;
        for (size_t pos = 0; pos < s.n;) {
            uint32_t cp = utf8_next(s, &pos);
            if (utf8_is_letter(cp) || utf8_is_digit(cp))
                return true;
        }
    }
    return false;
}

static void add_part(xmlNode *to, xmlNode **address, const xmlNode *n)
{
    static const char *const skipped[] = { "label",       "institution-id", "email", "phone",
                                           "fax",         "ext-link",       "uri",   "sup",
                                           "source-text", "textfn",         NULL };
    static const struct {
        const char *name, *tei;
    } places[] = { { "country", "country" },
                   { "postal-code", "postCode" },
                   { "state", "region" },
                   { "addr-line", "addrLine" },
                   { "address-line", "addrLine" } };
    struct buf b = BUF_INIT;
    const char *place = "settlement";
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (xml_is(n, places[i].name))
            place = places[i].tei;
    publisher_name_text(n, &b);
    if (!b.len || publisher_is_any(n, skipped)) {
        buf_release(&b);
        return;
    }
    if (xml_is(n, "institution") || xml_is(n, "organization")) {
        publisher_set(publisher_add(to, "orgName", buf_view(&b)), "type", SV("institution"));
    } else {
        if (!*address)
            *address = publisher_add(to, "address", SV_NONE);
        publisher_add(*address, place, buf_view(&b));
    }
    buf_release(&b);
}

static void add_parts(xmlNode *to, xmlNode **address, const xmlNode *parts)
{
    for (const xmlNode *n = xml_child(parts, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "institution-wrap"))
            add_parts(to, address, n);
        else
            add_part(to, address, n);
    }
}

/* The text without a raised mark in front. */
static void affiliation_text(const xmlNode *aff, struct buf *to)
{
    struct buf mark = BUF_INIT;
    const xmlNode *first = aff->children;
    while (first && publisher_is_blank(first))
        first = first->next;
    if (xml_is(first, "sup"))
        publisher_text(first, &mark);
    publisher_name_text(aff, to);
    struct sv s = buf_view(to);
    if (mark.len && sv_starts(s, buf_view(&mark))) {
        struct buf rest = BUF_INIT;
        buf_sv(&rest, sv_trim(sv_from_to(s, mark.len, s.n)));
        buf_reset(to);
        buf_sv(to, buf_view(&rest));
        buf_release(&rest);
    }
    while (to->len && strchr(" ,;", to->data[to->len - 1]))
        buf_cut(to, to->len - 1);
    buf_release(&mark);
}

void publisher_affiliation(struct publisher *p, xmlNode *author, const xmlNode *aff)
{
    if (!publisher_spend(p, 16)) /* before the text is collected: many may share a long one */
        return;
    if (xml_is(aff, "aff-alternatives"))
        aff = xml_child(aff, "aff");
    const xmlNode *parts = xml_child(aff, "affiliation"); /* inside Elsevier's */
    const xmlNode *text = parts ? NULL : xml_child(aff, "textfn");
    parts = parts ? parts : aff;
    struct buf b = BUF_INIT;
    if (aff)
        affiliation_text(text ? text : parts, &b);
    if (b.len && publisher_spend(p, 2 * b.len + 256)) {
        xmlNode *to = publisher_add(author, "affiliation", SV_NONE), *address = NULL;
        if (!text && !has_loose_text(parts))
            add_parts(to, &address, parts);
        if (!to->children) {
            publisher_append(to, buf_view(&b));
            publisher_set(publisher_add(to, "note", buf_view(&b)), "type",
                          SV("raw_affiliation"));
        }
    }
    buf_release(&b);
}

/* ---- entries of the reference list ---- */

/* Between parts without text of their own around them: ", ", or as names and pages need it. */
static void space_out(xmlNode *node)
{
    static const char *const close[] = {
        "name", "string-name", "author", "editor", "date", NULL
    };
    for (const xmlNode *n = node->children; n; n = n->next)
        if (n->type == XML_TEXT_NODE && !publisher_is_blank(n))
            return;
    for (xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        space_out(n);
        xmlNode *after = xml_next(n, NULL);
        bool is_range = xml_is(after, "lpage") || xml_is(after, "last-page");
        if (after && !publisher_is_blank(n) && !publisher_is_blank(after))
            publisher_append(n, is_range                        ? SV("–")
                                : publisher_is_any(node, close) ? SV(" ")
                                                                : SV(", "));
    }
}

static void drop_all(xmlNode *node, const char *name)
{
    for (xmlNode *n = xml_child(node, name), *next; n; n = next) {
        next = xml_next(n, name);
        publisher_drop(n);
    }
}

/* Names that would set text apart. */
static void rename_inside(xmlNode *node)
{
    for (xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "title") || xml_is(n, "note"))
            publisher_rename(n, "span");
        rename_inside(n);
    }
}

/* The citation as it is printed; of one that is parts alone, the parts in their order. */
static void raw_text(struct publisher *p, xmlNode *bibl, xmlNode *citation)
{
    xmlNode *from =
        xml_child(citation, "mixed-citation");  /* of several forms the printed one */
    xmlNode *source = xml_next(citation, NULL); /* behind it, in some files */
    source = xml_is(source, "source-text") ? source : xml_child(citation, "source-text");
    from = from ? from : source ? source : citation;
    xmlNode *copy = xmlDocCopyNode(from, p->doc, 1);
    if (!copy)
        return;
    xmlAddChild(bibl, copy);
    publisher_rename(copy, "note");
    drop_all(copy, "label");
    drop_all(copy, "source-text");
    rename_inside(copy);
    space_out(copy);
    publisher_walk(p, copy);
    if (publisher_is_blank(copy))
        publisher_drop(copy);
    else
        publisher_set(copy, "type", SV("raw_reference"));
}

struct publisher_entry publisher_entry(struct publisher *p, const xmlNode *entry,
                                       xmlNode *citation, size_t k, bool has_article)
{
    struct buf id = BUF_INIT;
    struct publisher_entry e = { .bibl = publisher_add(p->list, "biblStruct", SV_NONE) };
    publisher_part_id(entry, citation, k, &id);
    publisher_set(e.bibl, "id", buf_view(&id));
    e.article = has_article ? publisher_add(e.bibl, "analytic", SV_NONE) : NULL;
    e.book = publisher_add(e.bibl, "monogr", SV_NONE);
    e.imprint = publisher_add(e.book, "imprint", SV_NONE);
    raw_text(p, e.bibl, citation);
    buf_release(&id);
    return e;
}

static bool has_idno(const xmlNode *bibl, const char *type)
{
    for (const xmlNode *n = xml_child(bibl, "idno"); n; n = xml_next(n, "idno"))
        if (xml_has(n, "type", type))
            return true;
    return false;
}

/* A DOI in running text, behind its name: "doi:10.1/x", "https://doi.org/10.1/x". */
static struct sv doi_in(struct sv s)
{
    static const char *const names[] = { "doi", "DOI", "Doi" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        for (size_t at = 0; (at = sv_find(s, sv_from(names[i]), at)) != SIZE_MAX; at++) {
            size_t from = sv_find(sv_from_to(s, at, at + 16), SV("10."), 0);
            if (from == SIZE_MAX)
                continue;
            from += at;
            size_t end = from;
            while (end < s.n && !strchr(" ,;<>\"", s.p[end]))
                end++;
            if (sv_find(sv_from_to(s, from, end), SV("/"), 0) != SIZE_MAX)
                return sv_from_to(s, from, end);
        }
    return SV_NONE;
}

static void links(const struct publisher_entry *e, const xmlNode *node)
{
    static const char *const names[] = { "ext-link", "uri", "inter-ref", "self-uri", NULL };
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        struct sv href = publisher_is_any(n, names) ? xml_attr(n, "href") : SV_NONE;
        if (sv_find(href, SV("doi.org/"), 0) != SIZE_MAX || sv_starts(href, SV("doi:")) ||
            sv_starts(href, SV("info:doi/"))) {
            if (!has_idno(e->bibl, "DOI"))
                publisher_idno(e->bibl, "DOI", href);
        } else if (sv_starts(href, SV("http")) && !xml_child(e->bibl, "ptr")) {
            publisher_set(publisher_add(e->bibl, "ptr", SV_NONE), "target", href);
        }
        links(e, n);
    }
}

void publisher_entry_links(const struct publisher_entry *e, const xmlNode *citation)
{
    links(e, citation);
    if (has_idno(e->bibl, "DOI"))
        return;
    struct buf b = BUF_INIT;
    publisher_text(xml_child(e->bibl, "note"), &b);
    publisher_idno(e->bibl, "DOI", doi_in(buf_view(&b)));
    buf_release(&b);
}

/* ---- statements ---- */

static void add_lower(struct buf *to, struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_char(to, (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + 32 : s.p[i]));
}

/* What a type attribute or a title has inside, in small letters, says the kind. */
static const char *statement_by(struct sv text, bool is_title)
{
    static const struct {
        const char *inside, *type;
        bool in_title;
    } marks[] = { { "acknowledg", "acknowledgement", true },
                  { "data availability", "availability", true },
                  { "code availability", "availability", true },
                  { "availability of data", "availability", true },
                  { "availability of supporting", "availability", true },
                  { "availability statement", "availability", true },
                  { "data access", "availability", true },
                  { "open research", "availability", true },
                  { "availability", "availability", false },
                  { "conflict of", "conflict", true },
                  { "conflicts of", "conflict", true },
                  { "competing interest", "conflict", true },
                  { "competing financial", "conflict", true },
                  { "declaration of interest", "conflict", true },
                  { "conflict", "conflict", false },
                  { "competing", "conflict", false },
                  { "coi-statement", "conflict", false },
                  { "author contribution", "contribution", true },
                  { "authors' contribution", "contribution", true },
                  { "authors’ contribution", "contribution", true },
                  { "credit author", "contribution", true },
                  { "contribution", "contribution", false },
                  { "funding", "funding", true },
                  { "financial support", "funding", true },
                  { "financial disclosure", "funding", true },
                  { "financial-disclosure", "funding", false },
                  { "supported-by", "funding", false } };
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if ((marks[i].in_title || !is_title) &&
            sv_find(text, sv_from(marks[i].inside), 0) != SIZE_MAX)
            return marks[i].type;
    return NULL;
}

const char *publisher_statement_type(const xmlNode *n)
{
    static const char *const attrs[] = { "sec-type", "notes-type", "fn-type", "content-type",
                                         "role" };
    const char *type = NULL;
    struct buf b = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(attrs) && !type; i++) {
        buf_reset(&b);
        add_lower(&b, xml_attr(n, attrs[i]));
        type = statement_by(buf_view(&b), false);
        if (sv_is(buf_view(&b), "con"))
            type = "contribution";
    }
    const xmlNode *title = publisher_near(n, "title");
    title = title ? title : publisher_near(n, "section-title");
    if (!type && title) {
        struct buf words = BUF_INIT;
        publisher_text(title, &words);
        buf_reset(&b);
        add_lower(&b, buf_view(&words));
        if (b.len <= 80)
            type = statement_by(buf_view(&b), true);
        buf_release(&words);
    }
    buf_release(&b);
    return type;
}

void publisher_statement(struct publisher *p, xmlNode *n, const char *type)
{
    static const char *const blocks[] = {
        "p",     "para",       "simple-para", "note-para",     "sec",        "section",
        "title", "list",       "app",         "section-title", "def-list",   "glossary-sec",
        "fn",    "display",    "ref-list",    "table",         "table-wrap", "figure",
        "fig",   "boxed-text", NULL
    };
    if (!n)
        return;
    bool has_blocks = false;
    for (xmlNode *c = xml_child(n, NULL); c && !has_blocks; c = xml_next(c, NULL))
        has_blocks = publisher_is_any(c, blocks);
    xmlNode *div = has_blocks ? n : publisher_add(p->back, "div", SV_NONE);
    publisher_move(n, has_blocks ? p->back : div);
    publisher_rename(n, has_blocks ? "div" : "p");
    publisher_set(div, "type", sv_from(type ? type : "annex"));
}

void publisher_statement_text(struct publisher *p, const char *type, struct sv text)
{
    if (!text.n)
        return;
    xmlNode *div = publisher_add(p->back, "div", SV_NONE);
    publisher_set(div, "type", sv_from(type));
    publisher_add(div, "p", text);
}

void publisher_statements_of_body(struct publisher *p)
{
    for (xmlNode *n = p->body->last, *prev; n; n = prev) {
        prev = n->prev;
        if (n->type != XML_ELEMENT_NODE || publisher_is_blank(n))
            continue;
        bool is_section = xml_is(n, "sec") || xml_is(n, "section");
        const char *type = is_section && !xml_child(n, "sec") && !xml_child(n, "section")
                               ? publisher_statement_type(n)
                               : NULL;
        bool is_float = xml_is(n, "fig") || xml_is(n, "figure") || xml_is(n, "table") ||
                        xml_is(n, "table-wrap");
        if (!type && !is_float)
            break; /* what stands before is the paper's own text */
        if (!type)
            continue;
        xmlUnlinkNode(n);
        if (p->back->children)
            xmlAddPrevSibling(p->back->children, n);
        else
            xmlAddChild(p->back, n);
        publisher_rename(n, "div");
        publisher_set(n, "type", sv_from(type));
    }
}
