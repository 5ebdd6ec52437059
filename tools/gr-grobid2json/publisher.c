// SPDX-License-Identifier: MIT
/*
 * publisher.c — which articles a file holds, the frame of the new tree, ids
 */
#include "publisher.h"

#include "alloc.h"

/* What repeated affiliations and references of a file may take: more than any
 * collaboration of real people needs. */
#define REPEATED_BYTES ((size_t)4 << 20)

/* Citations of one entry of a reference list. */
#define MAX_PARTS 100

/* ---- what a file holds ---- */

static bool is_jats(const xmlNode *n)
{
    if (!xml_is(n, "article"))
        return false;
    const xmlNode *body = xml_child(n, "body");
    return xml_child(n, "front") || xml_child(n, "front-stub") || xml_child(body, "sec") ||
           xml_child(body, "p");
}

/* An answer of the article service without the full text: an abstract, or text from a scan. */
static bool is_bare_answer(const xmlNode *n)
{
    return xml_is(n, "full-text-retrieval-response") && !publisher_find(n, "item-info") &&
           (xml_path(n, "coredata/title") || publisher_find(n, "rawtext"));
}

static const char *kind_of(const xmlNode *n)
{
    if (xml_child(n, "item-info") || is_bare_answer(n))
        return "Elsevier";
    return is_jats(n) ? "JATS" : NULL;
}

struct articles {
    xmlNode **all;
    size_t n, cap, max;
};

/* The articles below node, which is one or wraps some: max of them at most. */
static void find_articles(xmlNode *node, struct articles *found)
{
    static const char *const wrappers[] = { "pmc-articleset",
                                            "article-set",
                                            "articles",
                                            "OAI-PMH",
                                            "GetRecord",
                                            "ListRecords",
                                            "record",
                                            "metadata",
                                            "originalText",
                                            "doc",
                                            "serial-item",
                                            "nonserial-item",
                                            "full-text-retrieval-response",
                                            NULL };
    if (kind_of(node)) {
        if (found->n == found->cap) {
            found->cap = alloc_grow(found->cap, found->n + 1);
            found->all = alloc_resize(found->all, found->cap, sizeof(*found->all));
        }
        found->all[found->n++] = node;
    } else if (publisher_is_any(node, wrappers)) {
        for (xmlNode *c = xml_child(node, NULL); c && found->n < found->max;
             c = xml_next(c, NULL))
            find_articles(c, found);
    }
}

static xmlNode *first_article(const xmlNode *root)
{
    struct articles found = { .max = 1 };
    if (root)
        find_articles((xmlNode *)(uintptr_t)root, &found); /* looks only */
    xmlNode *first = found.n ? found.all[0] : NULL;
    free(found.all);
    return first;
}

const char *publisher_of(const xmlNode *root)
{
    const xmlNode *article = first_article(root);
    return article ? kind_of(article) : NULL;
}

const xmlNode *publisher_body(const xmlNode *root)
{
    return xml_child(first_article(root), "body");
}

/* ---- ids ---- */

bool publisher_is_citation(const xmlNode *n)
{
    static const char *const names[] = {
        "element-citation",      "mixed-citation", "nlm-citation", "citation",
        "citation-alternatives", "reference",      "other-ref",    NULL
    };
    return publisher_is_any(n, names);
}

void publisher_part_id(const xmlNode *entry, const xmlNode *citation, size_t k, struct buf *to)
{
    struct sv own = xml_attr(citation, "id"), id = xml_attr(entry, "id");
    if (k && !own.n && id.n)
        buf_printf(to, "%.*s.%zu", SV_ARG(id), k + 1);
    else
        buf_sv(to, !k && id.n ? id : own);
}

static size_t note_id(struct publisher *p, struct sv id)
{
    bool is_new;
    size_t at = map_put(p->ids, id, &is_new);
    if (at >= p->cap_ids) {
        p->cap_ids = alloc_grow(p->cap_ids, at + 1);
        p->id = alloc_resize(p->id, p->cap_ids, sizeof *p->id);
    }
    if (is_new)
        p->id[at] = (struct publisher_id){ .same = at };
    return at;
}

static void push(size_t **list, size_t *n, size_t *cap, size_t value)
{
    if (*n == *cap) {
        *cap = alloc_grow(*cap, *n + 1);
        *list = alloc_resize(*list, *cap, sizeof **list);
    }
    (*list)[(*n)++] = value;
}

/* An entry of the reference list: its place, and the ids of its further citations. */
static void note_entry(struct publisher *p, size_t at, const xmlNode *entry)
{
    struct buf id = BUF_INIT;
    push(&p->order, &p->n_order, &p->cap_order, at);
    p->id[at].order = p->n_order;
    p->id[at].part = p->n_parts;
    size_t k = 0;
    for (const xmlNode *c = xml_child(entry, NULL); c && k < MAX_PARTS; c = xml_next(c, NULL)) {
        if (!publisher_is_citation(c))
            continue;
        buf_reset(&id);
        publisher_part_id(entry, c, k, &id);
        if (k == 0 && xml_attr(c, "id").n) {
            size_t other = note_id(p, xml_attr(c, "id"));
            p->id[other].same = at;
        } else if (k) {
            size_t part = note_id(p, buf_view(&id));
            p->id[part].type = "bibr";
            push(&p->parts, &p->n_parts, &p->cap_parts, part);
            p->id[at].more++;
        }
        k++;
    }
    buf_release(&id);
}

static const char *type_of(const xmlNode *n)
{
    static const struct {
        const char *name, *type;
    } types[] = { { "ref", "bibr" },
                  { "bib-reference", "bibr" },
                  { "fig", "figure" },
                  { "figure", "figure" },
                  { "fig-group", "figure" },
                  { "chem-struct-wrap", "figure" },
                  { "table-wrap", "table" },
                  { "table", "table" },
                  { "disp-formula", "formula" },
                  { "formula", "formula" },
                  { "inline-formula", "formula" },
                  { "fn", "foot" },
                  { "footnote", "foot" },
                  { "table-footnote", "foot" },
                  { "sec", "section" },
                  { "section", "section" },
                  { "app", "section" } };
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (xml_is(n, types[i].name))
            return types[i].type;
    return NULL;
}

void publisher_index(struct publisher *p, xmlNode *node)
{
    static const char *const people[] = { "aff", "aff-alternatives", "affiliation", "corresp",
                                          NULL };
    static const char *const others[] = { "sub-article", "response", NULL };
    for (xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (publisher_is_any(n, others))
            continue;
        struct sv id = xml_attr(n, "id");
        const char *type = id.n ? type_of(n) : NULL;
        bool is_person = id.n && publisher_is_any(n, people);
        if (type || is_person) {
            size_t at = note_id(p, id);
            if (!p->id[at].type && !p->id[at].person) { /* the first of that id counts */
                p->id[at].type = type;
                p->id[at].person = is_person ? n : NULL;
                if (type && strcmp(type, "bibr") == 0)
                    note_entry(p, at, n);
            }
        }
        publisher_index(p, n);
    }
}

const struct publisher_id *publisher_id(const struct publisher *p, struct sv id)
{
    size_t at = id.n ? map_get(p->ids, id) : SIZE_MAX;
    return at == SIZE_MAX ? NULL : &p->id[p->id[at].same];
}

bool publisher_spend(struct publisher *p, size_t n)
{
    bool is_enough = n <= p->budget;
    p->budget = is_enough ? p->budget - n : 0;
    return is_enough;
}

/* ---- the new tree ---- */

static xmlNode *frame(struct publisher *p)
{
    p->root = xmlNewDocNode(p->doc, NULL, BAD_CAST "TEI", NULL);
    xmlNode *header = publisher_add(p->root, "teiHeader", SV_NONE);
    xmlNode *file = publisher_add(header, "fileDesc", SV_NONE);
    p->publication = publisher_add(file, "publicationStmt", SV_NONE);
    p->bibl = publisher_add(publisher_add(file, "sourceDesc", SV_NONE), "biblStruct", SV_NONE);
    p->analytic = publisher_add(p->bibl, "analytic", SV_NONE);
    p->monogr = publisher_add(p->bibl, "monogr", SV_NONE);
    p->imprint = publisher_add(p->monogr, "imprint", SV_NONE);
    p->profile = publisher_add(header, "profileDesc", SV_NONE);
    p->keywords =
        publisher_add(publisher_add(p->profile, "textClass", SV_NONE), "keywords", SV_NONE);
    xmlNode *text = publisher_add(p->root, "text", SV_NONE);
    publisher_set(text, "lang", xml_attr(p->old, "lang"));
    p->body = publisher_add(text, "body", SV_NONE);
    p->back = publisher_add(text, "back", SV_NONE);
    p->list = publisher_add(text, "listBibl", SV_NONE);
    return p->root;
}

/* Letters of referees, answers, translations: papers of their own, or none. */
static void note_sub_articles(xmlNode *root, const xmlNode *article)
{
    int n = 0;
    for (const xmlNode *c = xml_child(article, NULL); c; c = xml_next(c, NULL))
        n += xml_is(c, "sub-article") || xml_is(c, "response");
    char number[24];
    snprintf(number, sizeof number, "%d", n);
    if (n)
        publisher_set(root, "sub-articles", sv_from(number));
}

static xmlNode *convert(xmlDocPtr doc, xmlNode *article, size_t *budget)
{
    struct publisher p = { .doc = doc, .old = article, .ids = map_new(), .budget = *budget };
    xmlNode *root = frame(&p);
    publisher_index(&p, article);
    if (strcmp(kind_of(article), "JATS") == 0)
        jats_to_tei(&p);
    else
        elsevier_to_tei(&p);
    note_sub_articles(root, article);
    *budget = p.budget;
    map_free(p.ids);
    free(p.id);
    free(p.order);
    free(p.parts);
    return root;
}

void publisher_to_tei(struct xml_doc *d)
{
    xmlNode *old = xmlDocGetRootElement(d->doc), *root;
    struct articles found = { .max = SIZE_MAX };
    size_t budget = REPEATED_BYTES;
    find_articles(old, &found);
    if (found.n == 1) {
        root = convert(d->doc, found.all[0], &budget);
    } else {
        root = xmlNewDocNode(d->doc, NULL, BAD_CAST "teiCorpus", NULL);
        for (size_t i = 0; i < found.n; i++)
            xmlAddChild(root, convert(d->doc, found.all[i], &budget));
    }
    xmlDocSetRootElement(d->doc, root);
    xmlFreeNode(old);
    free(found.all);
}
