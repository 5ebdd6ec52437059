// SPDX-License-Identifier: MIT
/*
 * header.c — the paper about itself: title, authors, dates, journal, keywords, abstract
 */
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

static void put_issn(struct tei *t, struct buf *out, const xmlNode *monogr)
{
    static const char *const types[] = { "ISSN", "ISSNp", "pISSN", "eISSN", "ISSNe" };
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        for (const xmlNode *n = xml_child(monogr, "idno"); n; n = xml_next(n, "idno"))
            if (xml_has(n, "type", types[i]) && tei_text(t, n).n) {
                tei_put_text(t, out, "issn", n);
                return;
            }
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

static void put_keyword(struct buf *out, struct sv s)
{
    s = sv_trim(s);
    while (s.n && strchr(".,;:", s.p[s.n - 1]))
        s = sv_trim((struct sv){ s.p, s.n - 1 });
    if (s.n)
        json_put_str(out, s);
}

/* Terms come one by one, or several in one text. Commas part them only in free text: a term may
 * hold one ("isotopes, stable"). */
static void split_keywords(struct buf *out, struct sv s, bool is_comma)
{
    static const char *const heads[] = { "Keywords", "KEYWORDS", "Key words", "Index Terms" };
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        if (sv_starts(s, sv_from(heads[i])))
            s = sv_from_to(s, strlen(heads[i]), s.n);
    while (s.n && strchr(":-. ", s.p[0]))
        s = sv_from_to(s, 1, s.n);
    size_t from = 0, i = 0;
    while (i < s.n) {
        size_t n = separator_at(sv_from_to(s, i, s.n), is_comma);
        if (n)
            put_keyword(out, sv_from_to(s, from, i));
        i += n ? n : 1;
        from = n ? i : from;
    }
    put_keyword(out, sv_from_to(s, from, s.n));
}

static void put_keywords(struct tei *t, struct buf *out, const xmlNode *header)
{
    const xmlNode *k = xml_path(header, "profileDesc/textClass/keywords");
    struct buf list = BUF_INIT;
    for (; k; k = xml_next(k, "keywords")) {
        const xmlNode *in = xml_child(k, "list") ? xml_child(k, "list") : k;
        const char *name = xml_child(in, "term") ? "term" : "item";
        const xmlNode *term = xml_child(in, name);
        if (!term)
            split_keywords(&list, tei_text(t, k), true);
        for (; term; term = xml_next(term, name))
            split_keywords(&list, tei_text(t, term), false);
    }
    json_key(out, "keywords");
    json_open(out, '[');
    if (list.len)
        json_put_raw(out, buf_view(&list));
    json_close(out, ']');
    buf_release(&list);
}

/* ---- abstract ---- */

/* A head inside an abstract ("Methods") leads its paragraph: "Methods: …". */
static void add_abstract(struct tei *t, struct flow *f, const xmlNode *node)
{
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
                tei_inline(t, f, n);
            flow_gap(f, FLOW_SPACE);
        }
    }
}

static void put_abstract(struct tei *t, struct buf *out, const xmlNode *header)
{
    struct flow f = { 0 };
    const xmlNode *a = xml_path(header, "profileDesc/abstract");
    for (; a; a = xml_next(a, "abstract")) {
        flow_gap(&f, FLOW_PARA);
        add_abstract(t, &f, a);
    }
    flow_finish(&f);
    tei_put(out, "abstract", buf_view(&f.text));
    flow_release(&f);
}

/* ---- all ---- */

void tei_header(struct tei *t, struct buf *out, const xmlNode *root)
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
    tei_put_text(t, out, "title", titles[i]);
    if (!tei_put_authors(t, out, article) && !tei_put_authors(t, out, book))
        tei_put_authors(t, out, title_stmt);
    const xmlNode *dates[] = { xml_child(publication, "date"), xml_child(imprint, "date") };
    tei_put_date(t, out, dates, ARRAY_LEN(dates), true);
    tei_put_text(t, out, "journal", tei_title(book, "j"));
    tei_put_imprint(t, out, imprint, true);
    const xmlNode *publisher = xml_child(publication, "publisher");
    if (!tei_text(t, publisher).n)
        publisher = xml_child(imprint, "publisher");
    tei_put_text(t, out, "publisher", publisher);
    put_issn(t, out, book);
    put_language(out, root);
    put_keywords(t, out, header);
    put_abstract(t, out, header);
}
