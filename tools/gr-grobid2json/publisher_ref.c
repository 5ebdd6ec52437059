// SPDX-License-Identifier: MIT
/*
 * publisher_ref.c — references in the text: what they point at, ranges, links
 */
#include "flow.h"
#include "publisher.h"

/* A range of more entries than this is a slip of the pen. */
#define MAX_RANGE 100

/* What one more target costs in the record: its span and its id. */
#define TARGET_BYTES 80

/* ---- targets ---- */

static void add_target(struct buf *to, struct sv id)
{
    buf_printf(to, "%s#%.*s", to->len ? " " : "", SV_ARG(id));
}

static void add_by_ordinal(struct publisher *p, size_t at, struct buf *to)
{
    const struct publisher_id *id = &p->id[at];
    add_target(to, map_key(p->ids, at));
    for (size_t i = 0; i < id->more; i++)
        if (publisher_spend(p, TARGET_BYTES))
            add_target(to, map_key(p->ids, p->parts[id->part + i]));
}

/* "b1 b2" → "#b1 #b2", with all citations of an entry that has several. */
static void targets(struct publisher *p, struct sv rids, struct buf *to)
{
    struct sv rid;
    while (sv_cut(&rids, ' ', &rid)) {
        size_t at = rid.n ? map_get(p->ids, rid) : SIZE_MAX;
        if (at != SIZE_MAX)
            add_by_ordinal(p, p->id[at].same, to);
        else if (rid.n)
            add_target(to, rid);
    }
}

static const char *type_by_name(struct sv kind)
{
    static const struct {
        const char *jats, *tei;
    } kinds[] = { { "bibr", "bibr" },     { "fig", "figure" },
                  { "table", "table" },   { "disp-formula", "formula" },
                  { "fn", "foot" },       { "table-fn", "foot" },
                  { "sec", "section" },   { "app", "section" },
                  { "scheme", "figure" }, { "chem", "figure" },
                  { "plate", "figure" },  { "inline-formula", "formula" } };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (sv_is(kind, kinds[i].jats))
            return kinds[i].tei;
    return NULL;
}

/* By the kind that the file gives it, else by what it points at. */
static const char *type_of(const struct publisher *p, const xmlNode *n, struct sv rids)
{
    const char *type = type_by_name(xml_attr(n, "ref-type"));
    struct sv rid;
    while (!type && sv_cut(&rids, ' ', &rid)) {
        const struct publisher_id *id = publisher_id(p, rid);
        type = id ? id->type : NULL;
    }
    return type ? type : "other";
}

/* ---- blanks around a marker ---- */

static xmlNode *edge(xmlNode *n, bool is_last)
{
    while (n && n->type == XML_ELEMENT_NODE)
        n = is_last ? n->last : n->children;
    return n && n->type == XML_TEXT_NODE ? n : NULL;
}

static bool starts_with(const xmlNode *text, const char *set)
{
    struct sv s = text && text->type == XML_TEXT_NODE
                      ? sv_trim(sv_from((const char *)text->content))
                      : SV_NONE;
    return s.n && strchr(set, s.p[0]);
}

static bool ends_with(const xmlNode *text, const char *set)
{
    struct sv s = text && text->type == XML_TEXT_NODE
                      ? sv_trim(sv_from((const char *)text->content))
                      : SV_NONE;
    return s.n && strchr(set, s.p[s.n - 1]);
}

static void set_content(xmlNode *text, struct sv s)
{
    xmlChar *copy = xmlStrndup(BAD_CAST s.p, (int)s.n);
    xmlNodeSetContent(text, BAD_CAST ""); /* frees what was, wherever it was kept */
    xmlNodeAddContent(text, copy);
    xmlFree(copy);
}

static const char *skip_blanks(const char *s)
{
    while (*s && strchr(" \t\r\n", *s))
        s++;
    return s;
}

/* No blank inside or outside between a marker and the mark that closes it in: "( [1] , [2] )"
 * is "([1], [2])". */
static void tidy(xmlNode *n)
{
    xmlNode *last = edge(n, true), *first = edge(n, false), *after = n->next;
    if (last && starts_with(after, ",.;:)]")) {
        struct sv s = sv_from((const char *)last->content), t = sv_trim(s);
        if (t.n && t.p + t.n != s.p + s.n)
            set_content(last, sv_from_to(s, 0, (size_t)(t.p + t.n - s.p)));
        const char *c = (const char *)after->content;
        if (skip_blanks(c) != c) {
            struct sv rest = sv_from(skip_blanks(c));
            set_content(after, rest);
        }
    }
    if (first && ends_with(n->prev, "([")) {
        struct sv s = sv_from((const char *)first->content);
        struct sv before = sv_from((const char *)n->prev->content), t = sv_trim(before);
        if (sv_trim(s).n && sv_trim(s).p != s.p)
            set_content(first, sv_from(skip_blanks(s.p)));
        if (t.n != before.n)
            set_content(n->prev, sv_from_to(before, 0, (size_t)(t.p + t.n - before.p)));
    }
}

/* In a cell a mark of a note would melt into the number before it: it stays raised. */
static void raise_mark(xmlNode *n, const char *type)
{
    struct buf b = BUF_INIT;
    publisher_text(n, &b);
    bool is_mark = b.len && b.len <= 4;
    bool is_raised = xml_is(n->parent, "sup") || xml_child(n, "sup");
    if (is_mark && strcmp(type, "foot") == 0) {
        struct flow f = { 0 };
        flow_script(&f, buf_view(&b), FLOW_SUPER);
        publisher_retext(n, buf_view(&f.text));
        flow_release(&f);
    } else if (is_mark && is_raised) {
        publisher_prepend(n, SV(" "));
    }
    buf_release(&b);
}

void publisher_reference(struct publisher *p, xmlNode *n)
{
    struct sv rids = xml_attr(n, "rid");
    rids = rids.n ? rids : xml_attr(n, "refid");
    const char *type = type_of(p, n, rids);
    struct buf target = BUF_INIT;
    targets(p, rids, &target);
    if (p->in_cell)
        raise_mark(n, type);
    publisher_rename(n, "ref");
    publisher_set(n, "type", sv_from(type));
    publisher_set(n, "target", buf_view(&target));
    tidy(n);
    buf_release(&target);
}

void publisher_link(xmlNode *n)
{
    struct sv href = xml_attr(n, "href");
    publisher_rename(n, "ref");
    if (publisher_is_blank(n))
        publisher_retext(n, href);
    if (!href.n) {
        struct buf b = BUF_INIT;
        publisher_text(n, &b);
        bool is_address = sv_starts(buf_view(&b), SV("http")) && !strchr(buf_cstr(&b), ' ');
        publisher_set(n, "target", is_address ? buf_view(&b) : SV_NONE);
        buf_release(&b);
    }
    publisher_set(n, "target", href);
    publisher_set(n, "type", SV("url"));
}

/* ---- ranges ---- */

/* The number that a marker is, with or without brackets; -1: it is none. */
static int64_t number_of(const xmlNode *ref)
{
    struct buf b = BUF_INIT;
    int64_t number = -1;
    publisher_text(ref, &b);
    struct sv s = buf_view(&b);
    while (s.n && strchr("[(", s.p[0]))
        s = sv_from_to(s, 1, s.n);
    while (s.n && strchr("])", s.p[s.n - 1]))
        s.n--;
    if (!sv_to_i64(s, &number) || number < 0)
        number = -1;
    buf_release(&b);
    return number;
}

static bool is_dash(const xmlNode *n)
{
    static const char *const dashes[] = { "-", "–", "−", "‐", "‑", "—" };
    struct sv s =
        n && n->type == XML_TEXT_NODE ? sv_trim(sv_from((const char *)n->content)) : SV_NONE;
    for (size_t i = 0; i < ARRAY_LEN(dashes); i++)
        if (sv_is(s, dashes[i]))
            return true;
    return false;
}

static bool is_bibr(const xmlNode *n)
{
    return xml_is(n, "ref") && xml_has(n, "type", "bibr");
}

/* The place in the reference list of what a marker points at, from 1; 0: not one of it. */
static size_t place_of(const struct publisher *p, const xmlNode *ref)
{
    struct sv target = xml_attr(ref, "target"), first;
    (void)sv_cut(&target, ' ', &first);
    const struct publisher_id *id = publisher_id(p, sv_from_to(first, 1, first.n));
    return id ? id->order : 0;
}

/* from – to: the numbers in the text and the places in the list must agree. */
static bool join(struct publisher *p, xmlNode *from, xmlNode *to)
{
    int64_t a = number_of(from), b = number_of(to);
    size_t first = place_of(p, from), last = place_of(p, to);
    if (a < 0 || b <= a + 1 || b - a > MAX_RANGE || !first || last <= first ||
        (int64_t)(last - first) != b - a || !publisher_spend(p, (last - first) * TARGET_BYTES))
        return false;
    struct buf all = BUF_INIT;
    for (size_t i = first; i <= last; i++)
        add_by_ordinal(p, p->order[i - 1], &all);
    xmlNode *dash = from->next;
    publisher_set(from, "target", buf_view(&all));
    publisher_move(dash, from);
    publisher_move_all(to, from);
    publisher_drop(to);
    buf_release(&all);
    return true;
}

/* A marker that is a range in itself and points at its ends alone: "[3–7]". */
static void widen(struct publisher *p, xmlNode *ref)
{
    struct buf b = BUF_INIT, all = BUF_INIT;
    struct sv target = xml_attr(ref, "target"), first, second = SV_NONE;
    publisher_text(ref, &b);
    struct sv s = sv_trim(buf_view(&b));
    bool is_cut = sv_cut(&target, ' ', &first) && sv_cut(&target, ' ', &second);
    size_t dash = sv_find(s, SV("–"), 0), width = strlen("–");
    if (dash == SIZE_MAX) {
        dash = sv_find(s, SV("-"), 0);
        width = 1;
    }
    int64_t from, to;
    if (is_cut && !target.n && dash != SIZE_MAX) {
        struct sv left = sv_from_to(s, 0, dash), right = sv_from_to(s, dash + width, s.n);
        left = sv_from_to(left, left.n && strchr("[(", left.p[0]), left.n);
        right.n -= right.n && strchr("])", right.p[right.n - 1]);
        const struct publisher_id *a = publisher_id(p, sv_from_to(first, 1, first.n));
        const struct publisher_id *z = publisher_id(p, sv_from_to(second, 1, second.n));
        if (sv_to_i64(left, &from) && sv_to_i64(right, &to) && a && z && a->order &&
            to > from + 1 && to - from <= MAX_RANGE && z->order > a->order &&
            (int64_t)(z->order - a->order) == to - from &&
            publisher_spend(p, (z->order - a->order) * TARGET_BYTES)) {
            for (size_t i = a->order; i <= z->order; i++)
                add_by_ordinal(p, p->order[i - 1], &all);
            publisher_set(ref, "target", buf_view(&all));
        }
    }
    buf_release(&b);
    buf_release(&all);
}

void publisher_ranges(struct publisher *p, xmlNode *node)
{
    for (xmlNode *n = xml_child(node, "ref"); n; n = xml_next(n, "ref")) {
        if (!is_bibr(n))
            continue;
        xmlNode *after = is_dash(n->next) ? n->next->next : NULL;
        if (!is_bibr(after) || !join(p, n, after))
            widen(p, n);
    }
}
