// SPDX-License-Identifier: MIT
/*
 * tei.c — from the bytes of a file to the line of its record
 */
#include "tei_impl.h"

#include <libxml/xmlversion.h>

#include "hash.h"
#include "publisher.h"
#include "utf8.h"

/* What spans of table cells may add to the record of n bytes: far more than in any real table,
 * little enough that a hostile one stays small. */
#define FILL_BYTES(n) ((n) < ((size_t)1 << 19) ? ((size_t)64 << 10) + 8 * (n) : (size_t)4 << 20)

void tei_setup(void)
{
    xml_setup();
}

const char *tei_libs(void)
{
    return "libxml2 " LIBXML_DOTTED_VERSION;
}

/* ---- helpers of all parts ---- */

/* Is the text already as tei_text would give it: ASCII, single blanks, none at the ends? */
static bool is_tidy(struct sv s)
{
    bool was_blank = true;
    for (size_t i = 0; i < s.n; i++) {
        bool is_blank = s.p[i] == ' ';
        if (s.p[i] < ' ' || s.p[i] > '~' || (is_blank && was_blank)) /* char may be signed */
            return false;
        was_blank = is_blank;
    }
    return !was_blank;
}

struct sv tei_text(struct tei *t, const xmlNode *node)
{
    const xmlNode *leaf = node ? node->children : NULL;
    if (leaf && !leaf->next && leaf->type == XML_TEXT_NODE) {
        struct sv s = sv_from((const char *)leaf->content);
        if (is_tidy(s))
            return s;
    }
    bool was_plain = t->is_plain;
    flow_reset(&t->scratch);
    t->is_plain = true;
    if (node)
        tei_inline(t, &t->scratch, node);
    t->is_plain = was_plain;
    flow_finish(&t->scratch);
    return buf_view(&t->scratch.text);
}

void tei_put(struct buf *out, const char *key, struct sv value)
{
    if (!value.n)
        return;
    json_key(out, key);
    json_put_str(out, value);
}

void tei_put_text(struct tei *t, struct buf *out, const char *key, const xmlNode *node)
{
    tei_put(out, key, tei_text(t, node));
}

void tei_put_id(struct buf *out, const xmlNode *node, const char *prefix, size_t number)
{
    struct sv id = xml_attr(node, "id");
    struct buf made = BUF_INIT;
    if (!id.n) {
        buf_printf(&made, "%sx%zu", prefix, number); /* "fig_x0": no id GROBID gives */
        id = buf_view(&made);
    }
    tei_put(out, "id", id);
    buf_release(&made);
}

void tei_boxes(struct buf *boxes, struct sv coords)
{
    static const char *const keys[] = { "page", "x", "y", "w", "h" };
    struct sv box, number;
    while (sv_cut(&coords, ';', &box)) {
        double v[5];
        size_t n = 0;
        while (n < 5 && sv_cut(&box, ',', &number) && sv_to_double(sv_trim(number), &v[n]))
            n++;
        if (n < 5 || box.p)
            continue;
        json_open(boxes, '{');
        for (size_t i = 0; i < 5; i++) {
            json_key(boxes, keys[i]);
            json_put_num(boxes, v[i]);
        }
        json_close(boxes, '}');
    }
}

void tei_put_boxes(const struct tei *t, struct buf *out, const char *key,
                   const struct buf *boxes)
{
    if (!t->cfg->has_coords || !boxes->len)
        return;
    json_key(out, key);
    json_open(out, '[');
    json_put_raw(out, buf_view(boxes));
    json_close(out, ']');
}

void tei_put_coords(const struct tei *t, struct buf *out, const char *key, const xmlNode *node)
{
    if (!t->cfg->has_coords || !node)
        return;
    struct buf boxes = BUF_INIT;
    struct sv coords = xml_attr(node, "coords");
    tei_boxes(&boxes, coords.n ? coords : xml_attr(node, "coord")); /* titles of GROBID 0.8.0 */
    tei_put_boxes(t, out, key, &boxes);
    buf_release(&boxes);
}

/* ---- the record ---- */

static void put_array(struct buf *out, const char *key, const struct buf *elements)
{
    json_key(out, key);
    json_open(out, '[');
    if (elements->len)
        json_put_raw(out, buf_view(elements));
    json_close(out, ']');
}

static void put_back(struct tei *t, struct buf *out)
{
    static const char *const keys[BACK_KINDS] = { "acknowledgement", "funding",  "availability",
                                                  "contribution",    "conflict", "annex",
                                                  "references" };
    json_key(out, "back");
    json_open(out, '{');
    for (size_t i = 0; i < BACK_KINDS; i++)
        tei_put(out, keys[i], buf_view(&t->back[i].text));
    json_close(out, '}');
    bool has_spans = false;
    for (size_t i = 0; i < BACK_KINDS; i++)
        has_spans = has_spans || t->back[i].n_spans;
    if (!has_spans)
        return;
    json_key(out, "back_spans");
    json_open(out, '{');
    for (size_t i = 0; i < BACK_KINDS; i++)
        tei_put_spans_of(t, out, keys[i], &t->back[i], 0);
    json_close(out, '}');
}

/* A file name is bytes; a record is UTF-8. */
static void put_file(struct buf *out, struct sv s)
{
    struct buf name = BUF_INIT;
    for (size_t pos = 0; pos < s.n;)
        utf8_put(&name, utf8_next(s, &pos));
    json_key(out, "file");
    json_put_str(out, buf_view(&name));
    buf_release(&name);
}

/* What GROBID answers to a citation alone, and a list of such answers. */
static bool is_bibl(const xmlNode *root)
{
    return xml_is(root, "biblStruct") ||
           (xml_is(root, "listBibl") && xml_child(root, "biblStruct"));
}

static void put_record(struct tei *t, struct buf *out, const xmlNode *root, const char *hex,
                       bool is_partial)
{
    struct buf doi = BUF_INIT;
    bool has_doi =
        tei_find_doi(xml_path(root, "teiHeader/fileDesc/sourceDesc/biblStruct"), &doi) ||
        tei_find_doi(xml_path(root, "teiHeader/fileDesc/publicationStmt"), &doi);
    json_open(out, '{');
    json_key(out, "id");
    if (!has_doi && t->number > 1)
        buf_printf(out, "\"sha256:%.16s-%zu\"", hex, t->number);
    else if (!has_doi)
        buf_printf(out, "\"sha256:%.16s\"", hex);
    else
        json_put_str(out, buf_view(&doi));
    tei_put(out, "doi", buf_view(&doi));
    tei_header(t, out, root, buf_view(&doi));
    const xmlNode *text = xml_child(root, "text");
    const xmlNode *body = xml_child(text, "body");
    for (const xmlNode *n = body; n; n = xml_next(n, "body"))
        tei_body(t, n);
    if (!body) /* training files have none */
        tei_body(t, text);
    tei_back(t, xml_child(text, "back"));
    for (const xmlNode *n = xml_child(text, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "note") && body)
            tei_note(t, n);
        else if (xml_is(n, "listBibl"))
            tei_references(t, n);
    }
    const xmlNode *apart = xml_path(root, "standOff/listBibl");
    for (; apart; apart = xml_next(apart, "listBibl"))
        tei_references(t, apart);
    if (is_bibl(root))
        tei_references(t, root);
    tei_finish_back(t);
    put_array(out, "sections", &t->sections);
    put_array(out, "tables", &t->tables);
    put_array(out, "figures", &t->figures);
    put_array(out, "formulas", &t->formulas);
    put_array(out, "footnotes", &t->footnotes);
    put_back(t, out);
    put_array(out, "references", &t->references);
    json_key(out, "source");
    json_open(out, '{');
    put_file(out, t->rec->line);
    tei_put(out, "grobid", tei_grobid(root));
    tei_put(out, "format", t->publisher ? sv_from(t->publisher) : SV_NONE);
    tei_put(out, "sha256", sv_from(hex));
    if (is_partial) {
        json_key(out, "partial");
        json_put_bool(out, true);
    }
    int64_t n_left = 0;
    if (sv_to_i64(xml_attr(root, "sub-articles"), &n_left) && t->publisher) {
        json_key(out, "sub_articles");
        json_put_int(out, n_left);
    }
    json_close(out, '}');
    rec_end(out);
    buf_release(&doi);
}

static void tei_release(struct tei *t)
{
    flow_release(&t->scratch);
    for (size_t i = 0; i < NAME_PARTS; i++)
        buf_release(&t->name[i]);
    struct buf *all[] = { &t->sections,  &t->tables,     &t->figures,         &t->formulas,
                          &t->footnotes, &t->references, &t->section_formulas };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        buf_release(all[i]);
    for (size_t i = 0; i < BACK_KINDS; i++)
        flow_release(&t->back[i]);
}

/* ---- what is refused ---- */

/* GROBID's training files, and those of grobid-quantities, have <tei> in small letters. */
static bool is_tei(const xmlNode *root)
{
    return xml_is(root, "TEI") || (xml_is(root, "tei") && xml_child(root, "teiHeader"));
}

static int check(const struct tei_cfg *cfg, struct rec *r, const struct xml_doc *d,
                 struct err *err)
{
    const xmlNode *root = d->doc ? xmlDocGetRootElement(d->doc) : NULL;
    if (d->has_entities)
        return err_set(err, EXIT_REJECTED, "declares entities of its own: not read");
    if (d->is_overfull)
        return err_set(err, EXIT_REJECTED, "an element has more than %d attributes: not read",
                       XML_MAX_ATTRIBUTES);
    if (d->is_too_large)
        return err_set(err, EXIT_REJECTED,
                       "its elements would take more memory than %zu MiB: raise --max-size",
                       cfg->budget->total >> 20);
    if (d->unknown[0])
        rec_warn(r, "unknown names of characters, kept as written: %s", d->unknown);
    bool is_publisher = root && publisher_of(root);
    if (root && !is_tei(root) && !is_bibl(root) && !is_publisher)
        return err_set(err, EXIT_REJECTED, "not GROBID TEI: root element <%s>", root->name);
    if (d->line) {
        r->number = d->line;
        const xmlNode *body = is_publisher ? publisher_body(root) : xml_path(root, "text/body");
        bool is_begun = xml_child(body, NULL) != NULL;
        if (!d->is_cut)
            return err_set(err, EXIT_REJECTED, "not well-formed: %s", d->message);
        if (!is_begun || cfg->is_strict)
            return err_set(err, EXIT_REJECTED, "file ends too early%s: %s",
                           is_begun ? "" : ", before its body", d->message);
        rec_warn(r, "file ends too early (%s): kept what came before", d->message);
    }
    if (!root)
        return err_set(err, EXIT_REJECTED, "not XML");
    if (is_tei(root) && !xml_child(root, "teiHeader") && !xml_child(root, "text"))
        return err_set(err, EXIT_REJECTED, "not GROBID TEI: no <teiHeader>, no <text>");
    if (cfg->is_strict && !is_publisher && !tei_grobid(root).n)
        return err_set(err, EXIT_REJECTED, "not GROBID TEI: the header does not name GROBID");
    return 0;
}

/* A publisher's file may hold several articles; what a cut left out is of the last one. */
static void put_records(const struct tei_cfg *cfg, const struct rec *r, struct xml_doc *d,
                        size_t n_bytes, const char *hex, struct buf *out)
{
    const char *publisher = publisher_of(xmlDocGetRootElement(d->doc));
    if (publisher)
        publisher_to_tei(d);
    const xmlNode *root = xmlDocGetRootElement(d->doc);
    bool is_corpus = publisher && xml_is(root, "teiCorpus");
    size_t budget = FILL_BYTES(n_bytes), n = 0;
    for (const xmlNode *one = is_corpus ? xml_child(root, "TEI") : root, *next; one;
         one = next) {
        next = is_corpus ? xml_next(one, "TEI") : NULL;
        struct tei t = {
            .cfg = cfg, .rec = r, .publisher = publisher, .number = ++n, .fill_budget = budget
        };
        put_record(&t, out, one, hex, d->line != 0 && !next);
        budget = t.fill_budget;
        tei_release(&t);
    }
}

int tei_convert(const struct tei_cfg *cfg, struct rec *r, struct sv bytes, struct buf *out,
                struct err *err)
{
    char hex[65];
    hash_sha256(bytes, hex);
    return tei_convert_as(cfg, r, bytes, hex, out, err);
}

int tei_convert_as(const struct tei_cfg *cfg, struct rec *r, struct sv bytes, const char *hex,
                   struct buf *out, struct err *err)
{
    if (sv_trim(bytes).n == 0)
        return err_set(err, EXIT_REJECTED, "empty file");
    size_t share = cfg->budget ? budget_take(cfg->budget, XML_MOST_BYTES(bytes.n)) : 0;
    struct xml_doc d;
    xml_open_within(&d, bytes, share);
    int rc = check(cfg, r, &d, err);
    if (rc == 0)
        put_records(cfg, r, &d, bytes.n, hex, out);
    xml_close(&d);
    if (share)
        budget_give(cfg->budget, share);
    return rc;
}
