// SPDX-License-Identifier: MIT
/*
 * header.c — the paper about itself: title, authors, dates, journal, keywords, abstract
 */
#include "map.h"
#include "tei_impl.h"
#include "utf8.h"

struct sv tei_grobid(const xmlNode *root)
{
    const xmlNode *n = xml_path(root, "teiHeader/encodingDesc/appInfo/application");
    for (; n; n = xml_next(n, "application"))
        if (xml_has(n, "ident", "GROBID")) {
            struct sv v = xml_attr(n, "version");
            return v.n ? v : SV("unknown");
        }
    return SV_NONE;
}

static void put_language(struct buf *out, const xmlNode *root)
{
    struct sv s = xml_attr(xml_child(root, "text"), "lang");
    tei_put(out, "language", s.n ? s : xml_attr(xml_child(root, "teiHeader"), "lang"));
}

/* ---- keywords ---- */

/* A separator of a free list of keywords starts s: its length. */
static size_t separator_at(struct sv s, bool is_comma)
{
    static const char *const marks[] = { ";", "•", "·", "|", "∙" };
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (sv_starts(s, sv_from(marks[i])))
            return strlen(marks[i]);
    return is_comma && sv_starts(s, SV(", ")) ? 2 : 0;
}

/* Those told so far, and what is at hand. */
struct keywords {
    struct buf list;       /* JSON strings */
    struct map *known;     /* in small letters */
    struct buf small;      /* scratch */
    struct flow free_text; /* since the last term */
};

/* What parts two terms in print (", ", "; and ") is none. */
static bool is_word(struct sv s)
{
    for (size_t pos = 0; pos < s.n;) {
        uint32_t cp = utf8_next(s, &pos);
        if (utf8_is_letter(cp) || utf8_is_number(cp))
            return !sv_ieq(s, SV("and"));
    }
    return false;
}

static void put_keyword(struct keywords *k, struct sv s)
{
    bool is_new;
    s = sv_trim(s);
    while (s.n && strchr(".,;:", s.p[s.n - 1]))
        s = sv_trim((struct sv){ s.p, s.n - 1 });
    if (!is_word(s))
        return;
    buf_reset(&k->small);
    for (size_t pos = 0; pos < s.n;)
        utf8_put(&k->small, utf8_lower(utf8_next(s, &pos)));
    map_put(k->known, buf_view(&k->small), &is_new);
    if (is_new)
        json_put_str(&k->list, s);
}

/* Terms come one by one, or several in one text. Commas part them only in free text: a term may
 * hold one ("isotopes, stable"). */
static void split_keywords(struct keywords *k, struct sv s, bool is_comma)
{
    static const char *const heads[] = { "Keywords", "KEYWORDS", "Key words", "Index Terms" };
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        if (sv_starts(s, sv_from(heads[i])))
            s = sv_from_to(s, strlen(heads[i]), s.n);
    while (s.n && strchr(is_comma ? ":-., " : ":-. ", s.p[0]))
        s = sv_from_to(s, 1, s.n);
    size_t from = 0, i = 0;
    while (i < s.n) {
        size_t n = separator_at(sv_from_to(s, i, s.n), is_comma);
        if (n)
            put_keyword(k, sv_from_to(s, from, i));
        i += n ? n : 1;
        from = n ? i : from;
    }
    put_keyword(k, sv_from_to(s, from, s.n));
}

static void end_free_text(struct keywords *k)
{
    flow_finish(&k->free_text);
    split_keywords(k, buf_view(&k->free_text.text), true);
    flow_reset(&k->free_text);
}

/* Terms or items below node, and text between them. */
static void add_keywords(struct tei *t, struct keywords *k, const xmlNode *node)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE) {
            flow_text(&k->free_text, sv_from((const char *)n->content));
        } else if (xml_is(n, "term") || xml_is(n, "item")) {
            end_free_text(k);
            split_keywords(k, tei_text(t, n), false);
        } else if (xml_is(n, "list")) {
            end_free_text(k);
            add_keywords(t, k, n);
        } else if (n->type == XML_ELEMENT_NODE && !xml_is(n, "head")) {
            bool was_plain = t->is_plain;
            t->is_plain = true;
            tei_element(t, &k->free_text, n);
            t->is_plain = was_plain;
        }
    }
    end_free_text(k);
}

static void put_keywords(struct tei *t, struct buf *out, const xmlNode *header)
{
    const xmlNode *node = xml_path(header, "profileDesc/textClass/keywords");
    struct keywords k = { .known = map_new() };
    for (; node; node = xml_next(node, "keywords"))
        add_keywords(t, &k, node);
    json_key(out, "keywords");
    json_open(out, '[');
    if (k.list.len)
        json_put_raw(out, buf_view(&k.list));
    json_close(out, ']');
    map_free(k.known);
    buf_release(&k.list);
    buf_release(&k.small);
    flow_release(&k.free_text);
}

/* ---- abstract ---- */

/* A head inside an abstract ("Methods") leads its paragraph: "Methods: …". */
static void add_abstract(struct tei *t, struct flow *f, const xmlNode *node)
{
    size_t span = SIZE_MAX;
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (xml_is(n, "div")) {
            add_abstract(t, f, n);
        } else if (xml_is(n, "head")) {
            size_t before = f->text.len;
            flow_gap(f, FLOW_PARA);
            tei_inline(t, f, n);
            if (f->text.len > before) {
                if (!strchr(".:?!", f->text.data[f->text.len - 1]))
                    flow_text(f, SV(":"));
                f->gap = FLOW_SPACE;
            }
            tei_close(f, span);
            span = flow_open(f, (struct flow_span){ .what = FLOW_SECTION, .node = n });
        } else if (n->type == XML_TEXT_NODE) {
            flow_text(f, sv_from((const char *)n->content));
        } else if (n->type == XML_ELEMENT_NODE) {
            const xmlNode *before = n->prev;
            while (before && before->type != XML_ELEMENT_NODE)
                before = before->prev;
            if (!xml_is(before, "head"))
                flow_gap(f, FLOW_PARA);
            if (xml_is(n, "list"))
                tei_blocks(t, f, n);
            else
                tei_passage(t, f, n);
            flow_gap(f, FLOW_SPACE);
        }
    }
    tei_close(f, span);
}

/* What an abstract's language is known by: "en" of "en-GB". */
static struct sv primary_language(const xmlNode *n)
{
    struct sv rest = xml_attr(n, "lang"), first = SV_NONE;
    (void)sv_cut(&rest, '-', &first);
    return first;
}

/* The language of the main abstract: the paper's, if there is one in it or one of no language
 * of its own; else the first one's. */
static struct sv abstract_language(const xmlNode *root, const xmlNode *first)
{
    const xmlNode *text = xml_child(root, "text");
    struct sv paper =
        primary_language(xml_attr(text, "lang").n ? text : xml_child(root, "teiHeader"));
    for (const xmlNode *a = first; a; a = xml_next(a, "abstract")) {
        struct sv own = primary_language(a);
        if (!own.n || sv_ieq(own, paper))
            return paper;
    }
    return primary_language(first);
}

/* A publisher's files name what is another one: translated, graphical, for everybody …; in TEI
 * it is in another language. */
static bool is_other_abstract(const struct tei *t, const xmlNode *a, struct sv language)
{
    struct sv own = primary_language(a);
    return t->publisher ? xml_attr(a, "type").n > 0 : own.n && !sv_ieq(own, language);
}

static void put_other_abstracts(struct tei *t, struct buf *out, const xmlNode *first,
                                struct sv language)
{
    struct buf all = BUF_INIT;
    for (const xmlNode *a = first; a; a = xml_next(a, "abstract")) {
        struct flow f = { 0 };
        struct sv type = xml_attr(a, "type");
        if (is_other_abstract(t, a, language))
            add_abstract(t, &f, a);
        flow_finish(&f);
        if (f.text.len) {
            json_open(&all, '{');
            tei_put(&all, "type", type.n ? type : SV("translated"));
            tei_put(&all, "language", xml_attr(a, "lang"));
            tei_put(&all, "text", buf_view(&f.text));
            tei_put_spans_of(t, &all, "text_spans", &f, 0);
            json_close(&all, '}');
        }
        flow_release(&f);
    }
    if (all.len) {
        json_key(out, "abstracts");
        json_open(out, '[');
        json_put_raw(out, buf_view(&all));
        json_close(out, ']');
    }
    buf_release(&all);
}

static void put_abstract(struct tei *t, struct buf *out, const xmlNode *root)
{
    struct flow f = { 0 };
    const xmlNode *first = xml_path(root, "teiHeader/profileDesc/abstract");
    struct sv language = abstract_language(root, first);
    for (const xmlNode *a = first; a; a = xml_next(a, "abstract")) {
        if (is_other_abstract(t, a, language))
            continue;
        flow_gap(&f, FLOW_PARA);
        add_abstract(t, &f, a);
    }
    flow_finish(&f);
    tei_put(out, "abstract", buf_view(&f.text));
    if (f.text.len)
        tei_put_spans_of(t, out, "abstract_spans", &f, 0);
    flow_release(&f);
    put_other_abstracts(t, out, first, language);
}

/* ---- rights and funding ---- */

static void put_licence(struct tei *t, struct buf *out, const xmlNode *publication)
{
    const xmlNode *availability = xml_child(publication, "availability");
    const xmlNode *licence = xml_child(availability, "licence");
    struct sv target = xml_attr(licence, "target");
    tei_put(out, "licence", target.n ? target : tei_text(t, licence));
    struct buf all = BUF_INIT;
    for (const xmlNode *p = xml_child(availability, "p"); p; p = xml_next(p, "p")) {
        struct sv s = tei_text(t, p);
        if (all.len && s.n)
            buf_char(&all, '\n');
        buf_sv(&all, s);
    }
    tei_put(out, "rights", buf_view(&all));
    buf_release(&all);
}

static void put_typed(struct tei *t, struct buf *out, const char *key, const xmlNode *parent,
                      const char *name, const char *type)
{
    const xmlNode *n = xml_child(parent, name);
    while (n && !xml_has(n, "type", type))
        n = xml_next(n, name);
    tei_put_text(t, out, key, n);
}

/* Ids of the grants that a ref="#a #b" names. */
static void put_grant_ids(struct buf *out, struct sv ref)
{
    struct sv id;
    if (!ref.n)
        return;
    json_key(out, "grants");
    json_open(out, '[');
    while (sv_cut(&ref, ' ', &id))
        if (id.n > 1)
            json_put_str(out, sv_from_to(id, id.p[0] == '#', id.n));
    json_close(out, ']');
}

static void put_funder(struct tei *t, struct buf *out, const xmlNode *funder)
{
    struct buf doi = BUF_INIT;
    const xmlNode *name = xml_child(funder, "orgName");
    json_open(out, '{');
    tei_put_text(t, out, "name", name ? name : funder);
    put_typed(t, out, "abbreviation", funder, "orgName", "abbreviated");
    if (tei_find_doi(funder, &doi))
        tei_put(out, "doi", buf_view(&doi));
    tei_put_ids(out, funder, NULL, buf_view(&doi));
    put_grant_ids(out, xml_attr(funder, "ref"));
    json_close(out, '}');
    buf_release(&doi);
}

static void put_grant(struct tei *t, struct buf *out, const xmlNode *org)
{
    json_open(out, '{');
    tei_put(out, "id", xml_attr(org, "id"));
    put_typed(t, out, "number", org, "idno", "grant-number");
    put_typed(t, out, "name", org, "orgName", "grant-name");
    put_typed(t, out, "program", org, "orgName", "program");
    put_typed(t, out, "project", org, "orgName", "project");
    json_close(out, '}');
}

static void put_funding(struct tei *t, struct buf *out, const xmlNode *root)
{
    const xmlNode *funder = xml_path(root, "teiHeader/fileDesc/titleStmt/funder");
    if (funder) {
        json_key(out, "funders");
        json_open(out, '[');
        for (; funder; funder = xml_next(funder, "funder"))
            put_funder(t, out, funder);
        json_close(out, ']');
    }
    const xmlNode *list = xml_path(root, "text/back/listOrg");
    while (list && !xml_has(list, "type", "funding"))
        list = xml_next(list, "listOrg");
    if (!xml_child(list, "org"))
        return;
    json_key(out, "grants");
    json_open(out, '[');
    for (const xmlNode *n = xml_child(list, "org"); n; n = xml_next(n, "org"))
        put_grant(t, out, n);
    json_close(out, ']');
}

/* Size of the pages that coords are measured on. */
static void put_surfaces(struct buf *out, const xmlNode *root)
{
    static const char *const keys[][2] = { { "n", "page" }, { "lrx", "w" }, { "lry", "h" } };
    const xmlNode *n = xml_path(root, "facsimile/surface");
    if (!n)
        return;
    json_key(out, "page_sizes");
    json_open(out, '[');
    for (; n; n = xml_next(n, "surface")) {
        json_open(out, '{');
        for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
            double v;
            if (!sv_to_double(xml_attr(n, keys[i][0]), &v))
                continue;
            json_key(out, keys[i][1]);
            json_put_num(out, v);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
}

/* ---- all ---- */

void tei_header(struct tei *t, struct buf *out, const xmlNode *root, struct sv doi)
{
    const xmlNode *header = xml_child(root, "teiHeader");
    const xmlNode *file = xml_child(header, "fileDesc");
    const xmlNode *title_stmt = xml_child(file, "titleStmt");
    const xmlNode *publication = xml_child(file, "publicationStmt");
    const xmlNode *bibl = xml_path(file, "sourceDesc/biblStruct");
    const xmlNode *article = xml_child(bibl, "analytic"), *book = xml_child(bibl, "monogr");
    const xmlNode *imprint = xml_child(book, "imprint");

    const xmlNode *titles[] = { tei_title(title_stmt, "amu"), tei_title(article, "amu"),
                                tei_title(book, "mua") };
    size_t i = 0;
    while (i + 1 < ARRAY_LEN(titles) && !tei_text(t, titles[i]).n)
        i++;
    if (i == 0 && !tei_subtitle(titles[0], NULL) && tei_subtitle(titles[1], NULL))
        i = 1; /* the same in full */
    tei_put_title(t, out, titles[i], i < 2 ? titles[!i] : NULL, "amu");
    tei_apart_below(t, titles[i]);
    for (const xmlNode *n = NULL; (n = tei_subtitle(titles[i], n));)
        tei_apart_below(t, n);
    tei_put_coords(t, out, "title_coords", titles[i]);
    if (!tei_put_people(t, out, "authors", article, "author") &&
        !tei_put_people(t, out, "authors", book, "author"))
        tei_put_people(t, out, "authors", title_stmt, "author");
    tei_put_loose(t, out, article);
    const xmlNode *dates[] = { xml_child(publication, "date"), xml_child(imprint, "date") };
    tei_put_date(t, out, dates, ARRAY_LEN(dates));
    tei_put_container(t, out, bibl, i < 2 && tei_title(article, "amu"));
    const xmlNode *publisher = xml_child(publication, "publisher");
    if (!tei_text(t, publisher).n)
        publisher = xml_child(imprint, "publisher");
    tei_put_text(t, out, "publisher", publisher);
    tei_put_ids(out, bibl, publication, doi);
    tei_put_rest(t, out, bibl);
    put_licence(t, out, publication);
    put_funding(t, out, root);
    put_language(out, root);
    put_keywords(t, out, header);
    put_abstract(t, out, root);
    if (t->cfg->has_coords)
        put_surfaces(out, root);
}
