// SPDX-License-Identifier: MIT
/*
 * biblio.c — bibliographic elements: people, titles, dates, DOIs; the reference list
 */
#include "tei_impl.h"
#include "utf8.h"

/* ---- DOI ---- */

bool tei_doi(struct sv s, struct buf *doi)
{
    s = sv_trim(s);
    size_t at = 0;
    /* Whatever stands in front: https://doi.org/, http://dx.doi.org/, doi:, "DOI ". */
    while (at < s.n && !sv_starts(sv_from_to(s, at, s.n), SV("10.")))
        at++;
    s = sv_from_to(s, at, s.n);
    if (at > 64 || s.n < 7 || sv_find(s, SV("/"), 4) == SIZE_MAX)
        return false;
    /* Marks that the sentence around it left: "10.1/x).", "10.1/x[2". */
    size_t open = sv_find(s, SV("["), 0);
    if (open != SIZE_MAX && sv_find(s, SV("]"), open) == SIZE_MAX)
        s.n = open;
    bool is_open = sv_find(s, SV("("), 0) != SIZE_MAX;
    while (s.n && (strchr(".,;", s.p[s.n - 1]) || (!is_open && s.p[s.n - 1] == ')')))
        s.n--;
    if (s.n < 7)
        return false;
    size_t start = doi->len;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c <= ' ') { /* a DOI has no blanks: this is something else, or was torn */
            buf_cut(doi, start);
            return false;
        }
        buf_char(doi, (char)(c >= 'A' && c <= 'Z' ? c + 32 : c));
    }
    return true;
}

/* Text of a leaf, as the file has it. */
static struct sv leaf(const xmlNode *node)
{
    const xmlNode *c = node ? node->children : NULL;
    return c && c->type == XML_TEXT_NODE && c->content
               ? sv_trim(sv_from((const char *)c->content))
               : SV_NONE;
}

bool tei_find_doi(const xmlNode *bibl, struct buf *doi)
{
    for (const xmlNode *n = xml_child(bibl, "idno"); n; n = xml_next(n, "idno"))
        if (xml_has(n, "type", "DOI") && tei_doi(leaf(n), doi))
            return true;
    for (const xmlNode *n = xml_child(bibl, NULL); n; n = xml_next(n, NULL))
        for (const xmlNode *i = xml_child(n, "idno"); i; i = xml_next(i, "idno"))
            if (xml_has(i, "type", "DOI") && tei_doi(leaf(i), doi))
                return true;
    return false;
}

/* ---- dates ---- */

static bool is_digit(struct sv s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

static int two_digits(struct sv s, size_t at)
{
    return is_digit(s, at) && is_digit(s, at + 1) && !is_digit(s, at + 2)
               ? (s.p[at] - '0') * 10 + s.p[at + 1] - '0'
               : 0;
}

static int year_at(struct sv s, size_t at)
{
    int year = 0;
    for (size_t i = 0; i < 4; i++) {
        if (!is_digit(s, at + i))
            return 0;
        year = year * 10 + s.p[at + i] - '0';
    }
    bool is_inside = is_digit(s, at + 4) || (at && is_digit(s, at - 1));
    return !is_inside && year >= 1500 && year <= 2099 ? year : 0;
}

int tei_date(struct sv s, struct buf *date)
{
    s = sv_trim(s);
    int year = 0;
    size_t at = 0;
    while (at < s.n && !(year = year_at(s, at)))
        at++;
    if (!year)
        return 0;
    size_t n = 4;
    if (at == 0 && s.n > 4 && s.p[4] == '-') {
        int month = two_digits(s, 5), day = s.n > 7 && s.p[7] == '-' ? two_digits(s, 8) : 0;
        if (month >= 1 && month <= 12)
            n = day >= 1 && day <= 31 ? 10 : 7;
    }
    buf_add(date, s.p + at, n);
    return year;
}

void tei_put_date(struct tei *t, struct buf *out, const xmlNode *const dates[], size_t n,
                  bool has_date)
{
    struct buf date = BUF_INIT;
    int year = 0;
    for (size_t i = 0; i < n && !year; i++) {
        year = tei_date(xml_attr(dates[i], "when"), &date);
        if (!year)
            year = tei_date(tei_text(t, dates[i]), &date);
    }
    if (year && has_date)
        tei_put(out, "date", buf_view(&date));
    if (year) {
        json_key(out, "year");
        json_put_int(out, year);
    }
    buf_release(&date);
}

/* ---- people ---- */

static void join(struct tei *t, struct buf *to, const xmlNode *node, const char *separator)
{
    struct sv s = tei_text(t, node);
    if (to->len && s.n)
        buf_str(to, separator);
    buf_sv(to, s);
}

static void put_name(struct tei *t, struct buf *out, const xmlNode *person)
{
    struct buf given = BUF_INIT, family = BUF_INIT;
    for (const xmlNode *n = xml_child(person, "forename"); n; n = xml_next(n, "forename"))
        join(t, &given, n, " ");
    for (const xmlNode *n = xml_child(person, "surname"); n; n = xml_next(n, "surname"))
        join(t, &family, n, " ");
    join(t, &family, xml_child(person, "genName"), " ");
    if (!given.len && !family.len)
        buf_sv(&family, tei_text(t, person));
    tei_put(out, "given", buf_view(&given));
    tei_put(out, "family", buf_view(&family));
    buf_release(&given);
    buf_release(&family);
}

/* "Laboratory, Institution, Town, Country" */
static void add_affiliation(struct tei *t, struct buf *to, const xmlNode *aff)
{
    struct buf one = BUF_INIT;
    for (const xmlNode *n = xml_child(aff, "orgName"); n; n = xml_next(n, "orgName"))
        join(t, &one, n, ", ");
    const xmlNode *address = xml_child(aff, "address");
    for (const xmlNode *n = xml_child(address, NULL); n; n = xml_next(n, NULL))
        if (!xml_is(n, "postCode") && !xml_is(n, "postBox"))
            join(t, &one, n, ", ");
    if (!one.len)
        join(t, &one, aff, ", ");
    if (to->len && one.len)
        buf_str(to, "; ");
    buf_sv(to, buf_view(&one));
    buf_release(&one);
}

static void put_orcid(struct buf *out, const xmlNode *author)
{
    for (const xmlNode *n = xml_child(author, "idno"); n; n = xml_next(n, "idno")) {
        struct sv s = leaf(n);
        if (!xml_has(n, "type", "ORCID") || s.n < 19)
            continue;
        tei_put(out, "orcid", sv_from_to(s, s.n - 19, s.n)); /* without https://orcid.org/ */
        return;
    }
}

bool tei_put_authors(struct tei *t, struct buf *out, const xmlNode *parent)
{
    size_t n = 0;
    for (const xmlNode *a = xml_child(parent, "author"); a; a = xml_next(a, "author")) {
        const xmlNode *person = xml_child(a, "persName");
        const xmlNode *name = person ? person : xml_child(a, "orgName");
        if (!tei_text(t, name ? name : (xml_child(a, NULL) ? NULL : a)).n)
            continue; /* an affiliation that nobody was found for */
        if (n++ == 0) {
            json_key(out, "authors");
            json_open(out, '[');
        }
        json_open(out, '{');
        put_name(t, out, name ? name : a);
        put_orcid(out, a);
        tei_put_text(t, out, "email", xml_child(a, "email"));
        struct buf all = BUF_INIT;
        for (const xmlNode *f = xml_child(a, "affiliation"); f; f = xml_next(f, "affiliation"))
            add_affiliation(t, &all, f);
        tei_put(out, "affiliation", buf_view(&all));
        buf_release(&all);
        json_close(out, '}');
    }
    if (n)
        json_close(out, ']');
    return n > 0;
}

/* ---- titles and imprints ---- */

const xmlNode *tei_title(const xmlNode *parent, const char *levels)
{
    const xmlNode *first = NULL;
    for (const xmlNode *n = xml_child(parent, "title"); n; n = xml_next(n, "title")) {
        struct sv level = xml_attr(n, "level");
        if ((level.n && !strchr(levels, level.p[0])) || !n->children)
            continue;
        if (xml_has(n, "type", "main"))
            return n;
        if (!first)
            first = n;
    }
    return first;
}

static void put_scope(struct tei *t, struct buf *out, const char *key, const xmlNode *scope)
{
    struct sv from = xml_attr(scope, "from"), to = xml_attr(scope, "to");
    if (!from.n) {
        tei_put_text(t, out, key, scope);
        return;
    }
    struct buf b = BUF_INIT;
    buf_sv(&b, from);
    if (to.n && !sv_eq(from, to)) {
        buf_char(&b, '-');
        buf_sv(&b, to);
    }
    tei_put(out, key, buf_view(&b));
    buf_release(&b);
}

void tei_put_imprint(struct tei *t, struct buf *out, const xmlNode *imprint, bool has_issue)
{
    static const struct {
        const char *unit, *key;
    } scopes[] = { { "volume", "volume" }, { "issue", "issue" }, { "page", "pages" } };
    for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
        const xmlNode *n = xml_child(imprint, "biblScope");
        while (n && !xml_has(n, "unit", scopes[i].unit))
            n = xml_next(n, "biblScope");
        if (n && (has_issue || i != 1))
            put_scope(t, out, scopes[i].key, n);
    }
}

/* ---- the reference list ---- */

static const xmlNode *raw_reference(const xmlNode *bibl)
{
    const xmlNode *n = xml_child(bibl, "note");
    while (n && !xml_has(n, "type", "raw_reference"))
        n = xml_next(n, "note");
    return n;
}

static void put_reference(struct tei *t, const xmlNode *bibl)
{
    struct buf *out = &t->references, doi = BUF_INIT;
    const xmlNode *article = xml_child(bibl, "analytic"), *book = xml_child(bibl, "monogr");
    const xmlNode *imprint = xml_child(book, "imprint");
    const xmlNode *title = tei_title(article, "amu");
    json_open(out, '{');
    tei_put_id(out, bibl, "b", t->n_references++);
    tei_put_text(t, out, "title", title ? title : tei_title(book, "mua"));
    if (!tei_put_authors(t, out, article))
        tei_put_authors(t, out, book);
    const xmlNode *dates[] = { xml_child(imprint, "date"), xml_child(book, "date"),
                               xml_path(book, "meeting/date") };
    tei_put_date(t, out, dates, ARRAY_LEN(dates), false);
    /* What an article is in: a journal, or a book, or proceedings. */
    const xmlNode *journal = tei_title(book, "j");
    tei_put_text(t, out, "journal", journal ? journal : title ? tei_title(book, "ms") : NULL);
    tei_put_imprint(t, out, imprint, false);
    if (tei_find_doi(bibl, &doi))
        tei_put(out, "doi", buf_view(&doi));
    tei_put_text(t, out, "raw", raw_reference(bibl));
    json_close(out, '}');
    buf_release(&doi);
}

void tei_references(struct tei *t, const xmlNode *list)
{
    for (const xmlNode *n = xml_child(list, "biblStruct"); n; n = xml_next(n, "biblStruct"))
        put_reference(t, n);
}
