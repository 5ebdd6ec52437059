// SPDX-License-Identifier: MIT
/*
 * publisher_float.c — what stands apart in publishers' files: figures, tables, boxes
 */
#include "publisher.h"

#include "alloc.h"
#include "table.h"

void publisher_float_label(xmlNode *label)
{
    struct buf b = BUF_INIT;
    publisher_text(label, &b);
    struct sv text = buf_view(&b);
    size_t at = text.n;
    while (at && text.p[at - 1] != ' ')
        at--;
    struct sv number = sv_from_to(text, at, text.n);
    while (number.n && strchr(".:", number.p[number.n - 1]))
        number.n--;
    publisher_rename(label, "head");
    xmlNode *added = publisher_put(label->parent, "label", number);
    if (added) { /* in front: the walk that stands at the head shall not meet it */
        xmlUnlinkNode(added);
        xmlAddPrevSibling(label, added);
    }
    buf_release(&b);
}

/* ---- figures ---- */

/* Floats inside a float follow it, in their order; *last is what the next one follows. */
static void hoist(xmlNode *node, xmlNode **last)
{
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (!xml_is(n, "figure")) {
            hoist(n, last);
            continue;
        }
        xmlUnlinkNode(n);
        xmlAddNextSibling(*last, n);
        *last = n;
    }
}

/* Notes inside a caption or a cell: of a table they become its notes, of a figure the end of
 * its caption, which to is. */
static void settle_notes(xmlNode *node, xmlNode *to, bool is_table)
{
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (!xml_is(n, "note")) {
            settle_notes(n, to, is_table);
            continue;
        }
        publisher_move(n, to);
        if (!is_table)
            publisher_rename(n, "s");
    }
}

/* The caption, made when there is none. */
static xmlNode *need(xmlNode *figure, xmlNode **desc)
{
    if (!*desc)
        *desc = publisher_add(figure, "figDesc", SV_NONE);
    return *desc;
}

/* One caption; legends, sources and the like are part of a figure's, notes of a table. */
void publisher_figure(xmlNode *figure, bool is_table)
{
    static const char *const kept[] = { "head", "label", "graphic", "table", NULL };
    xmlNode *last = figure, *desc = xml_child(figure, "figDesc");
    hoist(figure, &last);
    for (xmlNode *n = xml_child(figure, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (n == desc || publisher_is_any(n, kept))
            continue;
        if (xml_is(n, "figDesc")) { /* in another language, say */
            publisher_append(desc, SV(" "));
            publisher_move_all(n, desc);
            publisher_drop(n);
        } else if (publisher_is_blank(n)) {
            publisher_drop(n);
        } else if (is_table) {
            publisher_rename(n, "note");
        } else {
            if (xml_is(n, "note") || xml_is(n, "legend"))
                publisher_rename(n, "s");
            publisher_move(n, need(figure, &desc));
            publisher_append(desc, SV(" "));
        }
    }
    for (xmlNode *n = xml_child(figure, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (xml_is(n, "figDesc") || xml_is(n, "table"))
            settle_notes(n, is_table ? figure : need(figure, &desc), is_table);
    }
}

/* ---- tables: CALS, whose columns have names ---- */

/* What an empty cell that stands for a column passed over costs. */
#define CELL_BYTES 128

struct columns {
    struct sv name[TABLE_MAX_COLS];
    int64_t below[TABLE_MAX_COLS]; /* rows that a cell above still covers */
    struct {
        struct sv name, first, last;
    } span[64];
    size_t n, n_spans, width;
};

/* A column's place by its name; n when there is none of that name. */
static size_t column(const struct columns *c, struct sv name)
{
    size_t i = 0;
    while (i < c->n && !(name.n && sv_eq(c->name[i], name)))
        i++;
    return i;
}

static void read_columns(struct columns *c, const xmlNode *group)
{
    for (const xmlNode *n = xml_child(group, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "colspec") && c->n < TABLE_MAX_COLS)
            c->name[c->n++] = xml_attr(n, "colname");
        if (xml_is(n, "spanspec") && c->n_spans < ARRAY_LEN(c->span)) {
            c->span[c->n_spans].name = xml_attr(n, "spanname");
            c->span[c->n_spans].first = xml_attr(n, "namest");
            c->span[c->n_spans++].last = xml_attr(n, "nameend");
        }
    }
}

static void set_span(xmlNode *entry, const char *attr, size_t n)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", n);
    if (n > 1)
        publisher_set(entry, attr, sv_from(number));
}

/* The columns that an entry names: false when it names none that exist. */
static bool named(const struct columns *c, const xmlNode *entry, size_t *from, size_t *to)
{
    struct sv first = xml_attr(entry, "namest"), last = xml_attr(entry, "nameend");
    struct sv name = xml_attr(entry, "spanname"), only = xml_attr(entry, "colname");
    for (size_t i = 0; name.n && i < c->n_spans; i++)
        if (sv_eq(c->span[i].name, name)) {
            first = c->span[i].first;
            last = c->span[i].last;
        }
    first = first.n ? first : only;
    *from = column(c, first);
    *to = column(c, last);
    if (*to >= c->n || *to < *from)
        *to = *from;
    return *from < c->n;
}

/* An empty cell for each free column before the one that an entry names. */
static size_t fill(struct publisher *p, struct columns *c, xmlNode *entry, size_t at,
                   size_t from)
{
    for (; at < from; at++) {
        if (c->below[at] > 0 || !publisher_spend(p, CELL_BYTES))
            continue;
        xmlNode *empty = xmlNewDocNode(entry->doc, NULL, BAD_CAST "cell", NULL);
        xmlAddPrevSibling(entry, empty);
    }
    return at;
}

static void row(struct publisher *p, struct columns *c, xmlNode *r)
{
    size_t at = 0;
    bool is_new[TABLE_MAX_COLS] = { false };
    for (xmlNode *e = xml_child(r, NULL); e; e = xml_next(e, NULL)) {
        while (at < TABLE_MAX_COLS && c->below[at] > 0)
            at++;
        size_t from = at, to = at;
        if (named(c, e, &from, &to) && from > at)
            at = fill(p, c, e, at, from);
        size_t width = to >= from ? to - from + 1 : 1;
        int64_t more = 0;
        if (!sv_to_i64(xml_attr(e, "morerows"), &more) || more < 0 || more >= 1000)
            more = 0;
        set_span(e, "cols", width);
        set_span(e, "rows", (size_t)more + 1);
        publisher_rename(e, "cell");
        for (size_t i = 0; i < width && at < TABLE_MAX_COLS; i++, at++) {
            c->below[at] = more;
            is_new[at] = true;
        }
        c->width = at > c->width ? at : c->width;
    }
    for (size_t i = 0; i < c->width; i++)
        if (!is_new[i] && c->below[i] > 0)
            c->below[i]--;
}

static void feet_last(xmlNode *table)
{
    for (xmlNode *n = xml_child(table, "tfoot"), *next; n; n = next) {
        next = xml_next(n, "tfoot");
        publisher_rename(n, "tbody");
        publisher_move(n, table);
    }
}

void publisher_cals(struct publisher *p, xmlNode *tgroup)
{
    struct columns *c = alloc_zero(1, sizeof *c);
    read_columns(c, tgroup);
    for (xmlNode *n = xml_child(tgroup, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        memset(c->below, 0, c->width * sizeof c->below[0]);
        if (xml_is(n, "colspec") || xml_is(n, "spanspec"))
            continue;
        for (xmlNode *r = xml_child(n, "row"); r; r = xml_next(r, "row"))
            row(p, c, r);
    }
    feet_last(tgroup);
    publisher_rename(tgroup, "table");
    free(c);
}

/* ---- tables: HTML ---- */

static bool is_in_cell(const xmlNode *n)
{
    static const char *const cells[] = { "td", "th", "entry", NULL };
    while (n && !publisher_is_any(n, cells))
        n = n->parent;
    return n != NULL;
}

/* Rows and cells of a table inside a cell: text with blanks between. */
static void melt(xmlNode *node)
{
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        melt(n);
        if (xml_is(n, "td") || xml_is(n, "th"))
            publisher_rename(n, "s");
    }
    publisher_rename(node, xml_is(node, "td") || xml_is(node, "th") ? "s" : "span");
}

void publisher_grid(struct publisher *p, xmlNode *table)
{
    (void)p;
    if (is_in_cell(table->parent)) {
        for (xmlNode *n = xml_child(table, NULL), *next; n; n = next) {
            next = xml_next(n, NULL);
            melt(n);
        }
        publisher_rename(table, "span");
        return;
    }
    feet_last(table);
}

/* ---- boxes ---- */

/* Divisions inside go, heads are paragraphs. */
static void flatten(xmlNode *node)
{
    static const char *const heads[] = { "head", "title", "subtitle", "s", "label", NULL };
    static const char *const wraps[] = { "div",          "figDesc",
                                         "caption",      "textbox-head",
                                         "textbox-body", "textbox-tail",
                                         "sections",     NULL };
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (publisher_is_any(n, heads)) {
            struct sv number = xml_attr(n, "n");
            if (number.n) {
                struct buf b = BUF_INIT;
                buf_printf(&b, "%.*s ", SV_ARG(number));
                publisher_prepend(n, buf_view(&b));
                buf_release(&b);
            }
            publisher_rename(n, "p");
        } else if (publisher_is_any(n, wraps)) {
            flatten(n);
            publisher_unwrap(n);
        }
    }
}

/* What stands before n in its paragraph becomes a paragraph of its own, so that n can stand
 * between the two. Each node moves once. */
static void split_paragraph(struct publisher *p, xmlNode *n)
{
    xmlNode *old = n->parent, *before = xmlNewDocNode(n->doc, NULL, BAD_CAST "p", NULL);
    xmlAddPrevSibling(old, before);
    while (old->children != n)
        publisher_move(old->children, before);
    publisher_ranges(p, before);
    if (publisher_is_blank(before))
        publisher_drop(before);
    xmlUnlinkNode(n);
    xmlAddPrevSibling(old, n);
}

/* "Box 1" and its title, or first words, are one line. */
static void join_label(xmlNode *box)
{
    xmlNode *label = publisher_near(box, "label"), *title = publisher_near(box, "s");
    title = title ? title : publisher_find(xml_child(box, "figDesc"), "s");
    title = title ? title : publisher_find(xml_child(box, "textbox-head"), "s");
    title = title ? title : publisher_near(box, "p");
    if (!label || !title)
        return;
    struct buf b = BUF_INIT;
    publisher_text(label, &b);
    if (b.len)
        buf_str(&b, strchr(".:", b.data[b.len - 1]) ? " " : ". ");
    publisher_prepend(title, buf_view(&b));
    publisher_drop(label);
    buf_release(&b);
}

void publisher_box(struct publisher *p, xmlNode *box)
{
    join_label(box);
    flatten(box);
    if (box->parent == p->body) { /* among the floats: a section */
        xmlNode *first = xml_child(box, NULL);
        publisher_rename(box, "div");
        if (xml_is(first, "p") && xml_next(first, "p"))
            publisher_rename(first, "head");
        return;
    }
    if (xml_is(box->parent, "p"))
        split_paragraph(p, box);
    publisher_unwrap(box);
}
