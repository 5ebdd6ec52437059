// SPDX-License-Identifier: MIT
/*
 * people.c — authors and editors: names, ids, affiliations with their addresses
 */
#include "tei_impl.h"

static void join(struct tei *t, struct buf *to, const xmlNode *node, const char *separator)
{
    struct sv s = tei_text(t, node);
    if (to->len && s.n)
        buf_str(to, separator);
    buf_sv(to, s);
}

/* All elements of that name (and type, unless NULL) as one string. */
static void put_joined(struct tei *t, struct buf *out, const char *key, const xmlNode *parent,
                       const char *name, const char *type)
{
    struct buf all = BUF_INIT;
    for (const xmlNode *n = xml_child(parent, name); n; n = xml_next(n, name))
        if (!type || xml_has(n, "type", type))
            join(t, &all, n, type && xml_is(n, "orgName") ? ", " : " ");
    tei_put(out, key, buf_view(&all));
    buf_release(&all);
}

/* What part of a name the element is; NAME_PARTS: none. */
static int name_part(const xmlNode *n)
{
    static const char *const names[NAME_PARTS] = { "forename", "", "surname", "genName",
                                                   "roleName" };
    for (int i = 0; i < NAME_PARTS; i++)
        if (xml_is(n, names[i]))
            return i;
    return NAME_PARTS;
}

static void put_name(struct tei *t, struct buf *out, const xmlNode *person)
{
    static const char *const keys[NAME_PARTS] = { "given", "middle", "family", "suffix",
                                                  "title" };
    for (int i = 0; i < NAME_PARTS; i++)
        buf_reset(&t->name[i]);
    for (const xmlNode *n = xml_child(person, NULL); n; n = xml_next(n, NULL)) {
        int part = name_part(n);
        if (part == NAME_PARTS)
            continue;
        join(t, &t->name[part], n, " ");
        if (part == NAME_GIVEN && xml_has(n, "type", "middle"))
            join(t, &t->name[NAME_MIDDLE], n, " ");
    }
    if (!t->name[NAME_GIVEN].len && !t->name[NAME_FAMILY].len) {
        tei_put_text(t, out, "family", person);
        return;
    }
    for (int i = 0; i < NAME_PARTS; i++)
        tei_put(out, keys[i], buf_view(&t->name[i]));
}

/* ---- affiliations ---- */

/* The names in an author or editor: as a rule one, but GROBID puts the editors of a book into
 * one element. */
static const xmlNode *next_name(const xmlNode *n)
{
    while (n && !xml_is(n, "persName") && !xml_is(n, "orgName"))
        n = xml_next(n, NULL);
    return n;
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

static void put_orgs(struct tei *t, struct buf *out, const xmlNode *aff)
{
    static const char *const types[] = { "department", "laboratory", "institution",
                                         "collaboration", "consortium" };
    const xmlNode *first = xml_child(aff, "orgName");
    for (size_t i = 0; first && i < ARRAY_LEN(types); i++)
        put_joined(t, out, types[i], aff, "orgName", types[i]);
    struct buf other = BUF_INIT;
    for (const xmlNode *n = first; n; n = xml_next(n, "orgName")) {
        bool is_known = false;
        for (size_t i = 0; i < ARRAY_LEN(types); i++)
            is_known = is_known || xml_has(n, "type", types[i]);
        if (!is_known)
            join(t, &other, n, ", ");
    }
    tei_put(out, "organisation", buf_view(&other));
    buf_release(&other);
}

static void put_affiliation(struct tei *t, struct buf *out, const xmlNode *aff)
{
    static const char *const parts[][2] = {
        { "addrLine", "address" },   { "settlement", "settlement" }, { "region", "region" },
        { "postCode", "post_code" }, { "postBox", "post_box" },      { "country", "country" },
    };
    const xmlNode *address = xml_child(aff, "address");
    json_open(out, '{');
    tei_put(out, "key", xml_attr(aff, "key"));
    put_orgs(t, out, aff);
    for (size_t i = 0; address && i < ARRAY_LEN(parts); i++)
        put_joined(t, out, parts[i][1], address, parts[i][0], NULL);
    tei_put(out, "country_code", xml_attr(xml_child(address, "country"), "key"));
    const xmlNode *raw = xml_child(aff, "note");
    while (raw && !xml_has(raw, "type", "raw_affiliation"))
        raw = xml_next(raw, "note");
    bool is_text = !raw && !address && !xml_child(aff, "orgName");
    tei_put_text(t, out, "raw", is_text ? aff : raw);
    tei_put_coords(t, out, "coords", aff);
    json_close(out, '}');
}

static void put_affiliations(struct tei *t, struct buf *out, const xmlNode *author)
{
    const xmlNode *first = xml_child(author, "affiliation");
    struct buf all = BUF_INIT;
    for (const xmlNode *n = first; n; n = xml_next(n, "affiliation"))
        add_affiliation(t, &all, n);
    tei_put(out, "affiliation", buf_view(&all));
    buf_release(&all);
    if (!first)
        return;
    json_key(out, "affiliations");
    json_open(out, '[');
    for (const xmlNode *n = first; n; n = xml_next(n, "affiliation"))
        put_affiliation(t, out, n);
    json_close(out, ']');
}

void tei_put_loose(struct tei *t, struct buf *out, const xmlNode *parent)
{
    bool has_any = false;
    for (const xmlNode *a = xml_child(parent, "author"); a; a = xml_next(a, "author")) {
        if (next_name(xml_child(a, NULL)))
            continue;
        for (const xmlNode *n = xml_child(a, "affiliation"); n;
             n = xml_next(n, "affiliation")) {
            if (!has_any) {
                json_key(out, "affiliations");
                json_open(out, '[');
            }
            has_any = true;
            put_affiliation(t, out, n);
        }
    }
    if (has_any)
        json_close(out, ']');
}

/* ---- a person ---- */

static void put_orcid(struct buf *out, const xmlNode *author)
{
    for (const xmlNode *n = xml_child(author, "idno"); n; n = xml_next(n, "idno")) {
        struct sv s = tei_leaf(n);
        if (!xml_has(n, "type", "ORCID") || s.n < 19)
            continue;
        tei_put(out, "orcid", sv_from_to(s, s.n - 19, s.n)); /* without https://orcid.org/ */
        return;
    }
}

/* The first as email; all of them as emails when there are several. */
static void put_emails(struct tei *t, struct buf *out, const xmlNode *author)
{
    const xmlNode *first = xml_child(author, "email");
    tei_put_text(t, out, "email", first);
    if (!xml_next(first, "email"))
        return;
    json_key(out, "emails");
    json_open(out, '[');
    for (const xmlNode *n = first; n; n = xml_next(n, "email"))
        json_put_str(out, tei_text(t, n));
    json_close(out, ']');
}

/* What is said of the author is told once, with the first name in it. */
static void put_person(struct tei *t, struct buf *out, const xmlNode *a, const xmlNode *name,
                       bool is_first)
{
    struct sv role = is_first ? xml_attr(a, "role") : SV_NONE;
    json_open(out, '{');
    put_name(t, out, name ? name : a);
    if (sv_ieq(role, SV("corresp"))) {
        json_key(out, "corresponding");
        json_put_bool(out, true);
    } else {
        tei_put(out, "role", role);
    }
    if (is_first) {
        put_orcid(out, a);
        put_emails(t, out, a);
        put_affiliations(t, out, a);
    }
    tei_put_coords(t, out, "coords", name);
    json_close(out, '}');
}

/* Is there any text below the element? It stops at the first. */
static bool has_text(const xmlNode *node)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        if (n->type == XML_TEXT_NODE && sv_trim(sv_from((const char *)n->content)).n)
            return true;
        if (n->type == XML_ELEMENT_NODE && has_text(n))
            return true;
    }
    return false;
}

bool tei_put_people(struct tei *t, struct buf *out, const char *key, const xmlNode *parent,
                    const char *name)
{
    size_t n = 0;
    for (const xmlNode *a = xml_child(parent, name); a; a = xml_next(a, name)) {
        const xmlNode *person = xml_child(a, "persName");
        person = person ? person : next_name(xml_child(a, NULL));
        if (!person && (xml_child(a, NULL) || !tei_text(t, a).n))
            continue; /* an affiliation that nobody was found for */
        bool is_first = true;
        do {
            const xmlNode *next = person ? next_name(xml_next(person, NULL)) : NULL;
            if (!person || has_text(person)) {
                if (n++ == 0) {
                    json_key(out, key);
                    json_open(out, '[');
                }
                put_person(t, out, a, person, is_first);
                is_first = false;
            }
            person = next;
        } while (person);
    }
    if (n)
        json_close(out, ']');
    return n > 0;
}
