// SPDX-License-Identifier: MIT
/*
 * biblio.c — bibliographic elements: titles, dates, ids, imprints; the reference list
 */
#include "alloc.h"
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

struct sv tei_leaf(const xmlNode *node)
{
    const xmlNode *c = node ? node->children : NULL;
    return c && c->type == XML_TEXT_NODE && c->content
               ? sv_trim(sv_from((const char *)c->content))
               : SV_NONE;
}

bool tei_find_doi(const xmlNode *bibl, struct buf *doi)
{
    for (const xmlNode *n = xml_child(bibl, "idno"); n; n = xml_next(n, "idno"))
        if (xml_has(n, "type", "DOI") && tei_doi(tei_leaf(n), doi))
            return true;
    for (const xmlNode *n = xml_child(bibl, NULL); n; n = xml_next(n, NULL))
        for (const xmlNode *i = xml_child(n, "idno"); i; i = xml_next(i, "idno"))
            if (xml_has(i, "type", "DOI") && tei_doi(tei_leaf(i), doi))
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

static void put_dates(struct tei *t, struct buf *out, const xmlNode *const dates[], size_t n)
{
    struct buf date = BUF_INIT;
    bool has_any = false;
    for (size_t i = 0; i < n; i++)
        for (const xmlNode *d = dates[i]; d; d = xml_next(d, "date")) {
            struct sv type = xml_attr(d, "type");
            buf_reset(&date);
            if (!type.n || sv_ieq(type, SV("published")) ||
                !(tei_date(xml_attr(d, "when"), &date) || tei_date(tei_text(t, d), &date)))
                continue;
            if (!has_any) {
                json_key(out, "dates");
                json_open(out, '[');
            }
            has_any = true;
            json_open(out, '{');
            tei_put(out, "type", type);
            tei_put(out, "date", buf_view(&date));
            json_close(out, '}');
        }
    if (has_any)
        json_close(out, ']');
    buf_release(&date);
}

/* May it be the date of publication? */
static bool is_publication(const xmlNode *date)
{
    static const char *const others[] = { "accessed", "access",  "received",  "accepted",
                                          "revised",  "created", "submitted", "firstEdition" };
    struct sv type = xml_attr(date, "type");
    for (size_t i = 0; type.n && i < ARRAY_LEN(others); i++)
        if (sv_ieq(type, sv_from(others[i])))
            return false;
    return true;
}

void tei_put_date(struct tei *t, struct buf *out, const xmlNode *const dates[], size_t n)
{
    struct buf date = BUF_INIT;
    const xmlNode *said = NULL;
    int year = 0;
    for (size_t i = 0; i < n; i++)
        for (const xmlNode *d = dates[i]; d && !year; d = xml_next(d, "date")) {
            if (!is_publication(d))
                continue;
            year = tei_date(xml_attr(d, "when"), &date);
            if (!year)
                year = tei_date(tei_text(t, d), &date);
            if (!said && tei_text(t, d).n && !sv_is(tei_text(t, d), "null"))
                said = d;
        }
    tei_put(out, "date", buf_view(&date));
    if (year) {
        json_key(out, "year");
        json_put_int(out, year);
    } else {
        tei_put_text(t, out, "date_text", said);
    }
    put_dates(t, out, dates, n);
    buf_release(&date);
}

/* ---- ids ---- */

struct id {
    size_t key, n; /* in ids.keys */
    size_t ordinal;
    struct sv value;
    const char *base; /* ids.keys.data, for comparing */
};

struct ids {
    struct buf keys;
    struct id *all;
    size_t n, cap;
    struct sv doi, issn, eissn; /* with members of their own */
};

/* A type as a key: "arXiv" → "arxiv", "istexId" → "istexid", none → "other". */
static void add_key(struct buf *keys, struct sv type)
{
    size_t from = keys->len;
    for (size_t i = 0; i < type.n && i < 64; i++) {
        char c = type.p[i];
        c = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-')
            buf_char(keys, c);
    }
    if (keys->len == from)
        buf_str(keys, "other");
}

static bool is_one_of(struct sv s, const char *a, const char *b, const char *c)
{
    return sv_ieq(s, sv_from(a)) || sv_ieq(s, sv_from(b)) || sv_ieq(s, sv_from(c));
}

static void add_id(struct ids *ids, const xmlNode *idno)
{
    struct sv type = xml_attr(idno, "type"), value = tei_leaf(idno);
    if (sv_ieq(type, SV("arXiv")) && sv_ieq(sv_from_to(value, 0, 6), SV("arXiv:")))
        value = sv_trim(sv_from_to(value, 6, value.n));
    if (!value.n)
        return;
    struct sv *own = NULL;
    if (is_one_of(type, "ISSN", "pISSN", "ISSNp"))
        own = &ids->issn;
    else if (is_one_of(type, "eISSN", "ISSNe", "e-ISSN"))
        own = &ids->eissn;
    if (own && !own->n) {
        *own = value;
        return;
    }
    if (own && sv_eq(*own, value))
        return;
    struct buf doi = BUF_INIT;
    bool is_the_doi =
        sv_ieq(type, SV("DOI")) && tei_doi(value, &doi) && sv_eq(buf_view(&doi), ids->doi);
    buf_release(&doi);
    if (is_the_doi)
        return;
    if (ids->n == ids->cap) {
        ids->cap = alloc_grow(ids->cap, ids->n + 1);
        ids->all = alloc_resize(ids->all, ids->cap, sizeof *ids->all);
    }
    size_t key = ids->keys.len;
    add_key(&ids->keys, type);
    ids->all[ids->n] =
        (struct id){ .key = key, .n = ids->keys.len - key, .ordinal = ids->n, .value = value };
    ids->n++;
}

static struct sv key_of(const struct id *id)
{
    return (struct sv){ id->base + id->key, id->n };
}

static int compare_ids(const void *a, const void *b)
{
    const struct id *x = a, *y = b;
    int c = sv_cmp(key_of(x), key_of(y));
    return c ? c : (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static void put_id_lists(struct buf *out, struct ids *ids)
{
    if (!ids->n)
        return;
    for (size_t i = 0; i < ids->n; i++)
        ids->all[i].base = ids->keys.data;
    qsort(ids->all, ids->n, sizeof *ids->all, compare_ids);
    json_key(out, "ids");
    json_open(out, '{');
    for (size_t i = 0; i < ids->n; i++) {
        const struct id *id = &ids->all[i], *before = i ? id - 1 : NULL;
        bool is_same = before && sv_eq(key_of(before), key_of(id));
        if (!is_same) {
            if (before)
                json_close(out, ']');
            json_key_sv(out, key_of(id));
            json_open(out, '[');
        }
        if (!is_same || !sv_eq(before->value, id->value))
            json_put_str(out, id->value);
    }
    json_close(out, ']');
    json_close(out, '}');
}

void tei_put_ids(struct buf *out, const xmlNode *bibl, const xmlNode *other, struct sv doi)
{
    struct ids ids = { .doi = doi };
    const xmlNode *roots[] = { bibl, other };
    for (size_t r = 0; r < ARRAY_LEN(roots); r++)
        for (const xmlNode *n = xml_child(roots[r], NULL); n; n = xml_next(n, NULL)) {
            if (xml_is(n, "idno"))
                add_id(&ids, n);
            else if (!xml_is(n, "author") && !xml_is(n, "note"))
                for (const xmlNode *i = xml_child(n, "idno"); i; i = xml_next(i, "idno"))
                    add_id(&ids, i);
        }
    tei_put(out, "issn", ids.issn);
    tei_put(out, "eissn", ids.eissn);
    put_id_lists(out, &ids);
    buf_release(&ids.keys);
    free(ids.all);
}

/* ---- imprints ---- */

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

/* Volume, issue, pages … of an imprint, or beside it. */
static void put_scopes(struct tei *t, struct buf *out, const xmlNode *book)
{
    static const char *const scopes[][2] = {
        { "volume", "volume" },  { "issue", "issue" },     { "page", "pages" },
        { "column", "columns" }, { "chapter", "chapter" }, { "part", "part" },
    };
    const xmlNode *first = xml_path(book, "imprint/biblScope");
    first = first ? first : xml_child(book, "biblScope");
    for (size_t i = 0; first && i < ARRAY_LEN(scopes); i++) {
        const xmlNode *n = first;
        while (n && !xml_has(n, "unit", scopes[i][0]))
            n = xml_next(n, "biblScope");
        if (n)
            put_scope(t, out, scopes[i][1], n);
    }
}

static const xmlNode *of_type(const xmlNode *parent, const char *name, const char *type)
{
    const xmlNode *n = xml_child(parent, name);
    while (n && !xml_has(n, "type", type))
        n = xml_next(n, name);
    return n;
}

/* "Name of the meeting" and where it was. */
static void put_meeting(struct tei *t, struct buf *out, const xmlNode *meeting)
{
    if (!meeting)
        return;
    struct flow f = { 0 };
    struct buf place = BUF_INIT;
    for (const xmlNode *n = meeting->children; n; n = n->next)
        if (n->type == XML_TEXT_NODE)
            flow_text(&f, sv_from((const char *)n->content));
        else if (n->type == XML_ELEMENT_NODE && !xml_is(n, "address") && !xml_is(n, "date"))
            flow_text(&f, tei_text(t, n));
    flow_finish(&f);
    const xmlNode *address = xml_child(meeting, "address");
    for (const xmlNode *n = xml_child(address, NULL); n; n = xml_next(n, NULL)) {
        struct sv s = tei_text(t, n);
        if (place.len && s.n)
            buf_str(&place, ", ");
        buf_sv(&place, s);
    }
    tei_put(out, "meeting", buf_view(&f.text));
    tei_put(out, "meeting_place", buf_view(&place));
    flow_release(&f);
    buf_release(&place);
}

void tei_put_container(struct tei *t, struct buf *out, const xmlNode *bibl, bool has_article)
{
    const xmlNode *book = xml_child(bibl, "monogr"), *imprint = xml_child(book, "imprint");
    const xmlNode *journal = tei_title(book, "j"),
                  *in = has_article ? tei_title(book, "m") : NULL;
    const xmlNode *series = tei_title(book, "s");
    if (!series)
        series = tei_title(xml_child(bibl, "series"), "sjmu");
    /* What an article is in: a journal, or a book, or proceedings. */
    const xmlNode *fallback = in ? in : has_article ? series : NULL;
    tei_put_title_text(t, out, "journal", journal ? journal : fallback);
    tei_put_text(t, out, "journal_abbrev", of_type(book, "title", "abbrev"));
    tei_put_title_text(t, out, "book", in);
    tei_put_title_text(t, out, "series", series);
    if (!tei_put_people(t, out, "editors", book, "editor"))
        tei_put_people(t, out, "editors", xml_child(bibl, "analytic"), "editor");
    put_scopes(t, out, book);
    tei_put_text(t, out, "edition", xml_child(book, "edition"));
    tei_put_text(t, out, "place", xml_child(imprint, "pubPlace"));
    put_meeting(t, out, xml_child(book, "meeting"));
    tei_put_text(t, out, "institution", xml_path(book, "respStmt/orgName"));
}

/* ---- notes and addresses ---- */

/* Notes of no type that has a member of its own, a line each. */
static void put_notes(struct tei *t, struct buf *out, const xmlNode *bibl)
{
    static const char *const types[][2] = { { "report_type", "report_type" },
                                            { "submission", "submission" },
                                            { "raw_reference", "raw" } };
    struct buf other = BUF_INIT;
    if (!xml_child(bibl, "note"))
        return;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        tei_put_text(t, out, types[i][1], of_type(bibl, "note", types[i][0]));
    for (const xmlNode *n = xml_child(bibl, "note"); n; n = xml_next(n, "note")) {
        bool is_known = false;
        for (size_t i = 0; i < ARRAY_LEN(types); i++)
            is_known = is_known || xml_has(n, "type", types[i][0]);
        struct sv s = is_known ? SV_NONE : tei_text(t, n);
        if (other.len && s.n)
            buf_char(&other, '\n');
        buf_sv(&other, s);
    }
    tei_put(out, "note", buf_view(&other));
    buf_release(&other);
}

static void put_urls(struct buf *out, const xmlNode *bibl)
{
    const xmlNode *parents[] = { xml_child(bibl, "analytic"), xml_child(bibl, "monogr"), bibl };
    struct sv last = SV_NONE;
    for (size_t i = 0; i < ARRAY_LEN(parents); i++)
        for (const xmlNode *n = xml_child(parents[i], "ptr"); n; n = xml_next(n, "ptr")) {
            struct sv s = xml_attr(n, "target");
            if (!s.n || sv_eq(s, last))
                continue;
            if (!last.n) {
                json_key(out, "urls");
                json_open(out, '[');
            }
            json_put_str(out, s);
            last = s;
        }
    if (last.n)
        json_close(out, ']');
}

void tei_put_rest(struct tei *t, struct buf *out, const xmlNode *bibl)
{
    put_urls(out, bibl);
    put_notes(t, out, bibl);
    tei_put_coords(t, out, "coords", bibl);
}

/* ---- the reference list ---- */

static void put_reference(struct tei *t, const xmlNode *bibl)
{
    struct buf *out = &t->references, doi = BUF_INIT;
    const xmlNode *article = xml_child(bibl, "analytic"), *book = xml_child(bibl, "monogr");
    const xmlNode *imprint = xml_child(book, "imprint");
    const xmlNode *title = tei_title(article, "amu");
    json_open(out, '{');
    tei_put_id(out, bibl, "b", t->n_references++);
    tei_put_title(t, out, title ? title : tei_title(book, "mua"), NULL, "amu");
    if (!tei_put_people(t, out, "authors", article, "author"))
        tei_put_people(t, out, "authors", book, "author");
    const xmlNode *dates[] = { xml_child(imprint, "date"), xml_child(book, "date"),
                               xml_path(book, "meeting/date") };
    tei_put_date(t, out, dates, ARRAY_LEN(dates));
    tei_put_container(t, out, bibl, title != NULL);
    tei_put_text(t, out, "publisher", xml_child(imprint, "publisher"));
    if (tei_find_doi(bibl, &doi))
        tei_put(out, "doi", buf_view(&doi));
    tei_put_ids(out, bibl, NULL, buf_view(&doi));
    tei_put_rest(t, out, bibl);
    json_close(out, '}');
    buf_release(&doi);
}

/* A reference as printed, not taken apart. */
static void put_printed(struct tei *t, const xmlNode *bibl)
{
    struct buf *out = &t->references;
    if (!tei_text(t, bibl).n && !xml_attr(bibl, "id").n)
        return;
    json_open(out, '{');
    tei_put_id(out, bibl, "b", t->n_references++);
    tei_put_text(t, out, "raw", bibl);
    json_close(out, '}');
}

void tei_references(struct tei *t, const xmlNode *list)
{
    struct flow *rest = &t->back[BACK_REFERENCES];
    if (xml_is(list, "biblStruct")) {
        put_reference(t, list);
        return;
    }
    flow_gap(rest, FLOW_PARA);
    for (const xmlNode *n = list->children; n; n = n->next) {
        if (xml_is(n, "biblStruct"))
            put_reference(t, n);
        else if (xml_is(n, "bibl"))
            put_printed(t, n);
        else if (xml_is(n, "lb"))
            flow_gap(rest, FLOW_LINE);
        else if (n->type == XML_TEXT_NODE)
            flow_text(rest, sv_from((const char *)n->content));
        else if (n->type == XML_ELEMENT_NODE && !xml_is(n, "head"))
            flow_text(rest, tei_text(t, n));
    }
}
