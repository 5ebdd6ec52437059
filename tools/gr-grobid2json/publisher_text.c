// SPDX-License-Identifier: MIT
/*
 * publisher_text.c — running text of JATS and Elsevier: one walk, one table for both
 *
 * The names of the two hardly meet; where they do (table, label, title), what is inside or
 * around an element decides. An element gets its new name before its children are walked, so
 * that a label or title sees what it belongs to.
 */
#include "publisher.h"

#include <stdlib.h>

#include "mathml.h"

enum act {
    NAME, /* the new name is all */
    DROP,
    UNWRAP,
    ALTERNATIVES,
    BOX,
    CAPTION,
    CELL,
    EXTRA, /* supplementary material: a paragraph */
    FIGURE,
    FORMULA,
    GLYPH,
    GROUP, /* of floats */
    LABEL,
    LINK,
    LIST,
    MATH,
    NOTE,
    REFERENCE,
    REFERENCES, /* a list of them */
    TABLE,
    TEX,
    TITLE,
};

struct rule {
    const char *name, *tei; /* tei NULL: keeps its name */
    enum act act;
};

/* In the order of the names' bytes. */
static const struct rule rules[] = {
    { "abstract-sec", "div", NAME },
    { "alt-text", NULL, DROP },
    { "alternatives", NULL, ALTERNATIVES },
    { "annotation", NULL, DROP },
    { "annotation-xml", NULL, DROP },
    { "app", "div", NAME },
    { "app-group", "div", NAME },
    { "attrib", "p", NAME },
    { "bibliography", NULL, REFERENCES },
    { "bottom-border", NULL, DROP },
    { "boxed-text", NULL, BOX },
    { "br", "lb", NAME },
    { "break", "lb", NAME },
    { "caption", "figDesc", CAPTION },
    { "chem-struct-wrap", "figure", FIGURE },
    { "col", NULL, DROP },
    { "colgroup", NULL, DROP },
    { "cross-ref", NULL, REFERENCE },
    { "cross-refs", NULL, REFERENCE },
    { "def-description", "item", NAME },
    { "def-item", "item", NAME },
    { "def-list", "list", NAME },
    { "def-term", "label", NAME },
    { "disp-formula", "formula", FORMULA },
    { "disp-formula-group", NULL, UNWRAP },
    { "disp-quote", "quote", NAME },
    { "display", NULL, UNWRAP },
    { "display-quote", "quote", NAME },
    { "displayed-quote", "quote", NAME },
    { "e-component", "p", EXTRA },
    { "entry", NULL, CELL },
    { "enunciation", NULL, BOX },
    { "ext-link", NULL, LINK },
    { "fig", "figure", FIGURE },
    { "fig-group", "figure", GROUP },
    { "figure", "figure", FIGURE },
    { "float-anchor", NULL, DROP },
    { "fn", "note", NOTE },
    { "fn-group", NULL, UNWRAP },
    { "footnote", "note", NOTE },
    { "formula", "formula", FORMULA },
    { "further-reading", NULL, REFERENCES },
    { "glossary", "div", NAME },
    { "glossary-def", "s", NAME },
    { "glossary-entry", "p", NAME },
    { "glossary-heading", "s", NAME },
    { "glossary-sec", "div", NAME },
    { "glyph", NULL, GLYPH },
    { "hsp", "lb", NAME },
    { "index-flag", NULL, DROP },
    { "index-flags", NULL, DROP },
    { "index-term", NULL, DROP },
    { "inf", "sub", NAME },
    { "inline-figure", NULL, DROP },
    { "inline-formula", NULL, FORMULA },
    { "inline-graphic", NULL, DROP },
    { "inline-supplementary-material", NULL, LINK },
    { "inter-ref", NULL, LINK },
    { "intra-ref", NULL, LINK },
    { "label", NULL, LABEL },
    { "left-border", NULL, DROP },
    { "legend", NULL, NAME },
    { "link", NULL, DROP },
    { "list", NULL, LIST },
    { "list-item", "item", NAME },
    { "long-desc", NULL, DROP },
    { "math", NULL, MATH },
    { "media", "p", EXTRA },
    { "note-para", "p", NAME },
    { "object-id", NULL, DROP },
    { "para", "p", NAME },
    { "permissions", NULL, DROP },
    { "preformat", "p", NAME },
    { "private-char", NULL, DROP },
    { "ref-list", NULL, REFERENCES },
    { "right-border", NULL, DROP },
    { "sec", "div", NAME },
    { "sec-meta", NULL, DROP },
    { "section", "div", NAME },
    { "section-title", NULL, TITLE },
    { "sections", NULL, UNWRAP },
    { "simple-para", "p", NAME },
    { "statement", NULL, BOX },
    { "sub-article", NULL, DROP },
    { "supplementary-material", "p", EXTRA },
    { "table", NULL, TABLE },
    { "table-footnote", "note", NOTE },
    { "table-wrap", "figure", TABLE },
    { "table-wrap-foot", NULL, UNWRAP },
    { "table-wrap-group", "figure", GROUP },
    { "td", NULL, CELL },
    { "tex-math", NULL, TEX },
    { "textbox", NULL, BOX },
    { "textual-form", NULL, UNWRAP },
    { "th", NULL, CELL },
    { "title", NULL, TITLE },
    { "top-border", NULL, DROP },
    { "uri", NULL, LINK },
    { "verbatim", "p", NAME },
    { "verse-group", "quote", NAME },
    { "verse-line", "p", NAME },
    { "vsp", "lb", NAME },
    { "xref", NULL, REFERENCE },
};

static int compare(const void *key, const void *row)
{
    return strcmp(key, ((const struct rule *)row)->name);
}

/* ---- labels and titles ---- */

/* Of the first few children only one is the label; others are text. */
static bool is_first_label(const xmlNode *label)
{
    return publisher_near(label->parent, "label") == label;
}

static bool is_in_back(const struct publisher *p, const xmlNode *n)
{
    while (n && n != p->back && n != p->body)
        n = n->parent;
    return n == p->back;
}

/* A section's label is its number; in back matter, which has no sections, part of its title. */
static void section_label(struct publisher *p, xmlNode *n)
{
    xmlNode *head = publisher_near(n->parent, "title");
    head = head ? head : publisher_near(n->parent, "section-title");
    head = head ? head : publisher_near(n->parent, "head");
    if (!head) {
        publisher_rename(n, "head");
        return;
    }
    struct buf b = BUF_INIT;
    publisher_text(n, &b);
    if (b.len && is_in_back(p, n)) {
        buf_str(&b, strchr(".:", b.data[b.len - 1]) ? " " : ". ");
        publisher_prepend(head, buf_view(&b));
    } else {
        publisher_set(head, "n", buf_view(&b));
    }
    buf_release(&b);
    publisher_drop(n);
}

/* A float's is its head, with the number apart; an item's stands before it; a note's is its
 * number, but part of the text where notes are text: in floats. */
static void label(struct publisher *p, xmlNode *n)
{
    xmlNode *parent = n->parent;
    if (!is_first_label(n))
        return;
    if (xml_is(parent, "div")) {
        section_label(p, n);
    } else if (xml_is(parent, "figure")) {
        publisher_float_label(n);
    } else if (xml_is(parent, "note") && !p->in_float) {
        struct buf b = BUF_INIT;
        publisher_text(n, &b);
        publisher_set(parent, "n", buf_view(&b));
        buf_release(&b);
        publisher_drop(n);
    } else if (xml_is(parent, "item")) {
        xmlUnlinkNode(n);
        xmlAddPrevSibling(parent, n);
    } else if (xml_is(parent, "p") && !publisher_is_blank(n)) {
        struct buf b = BUF_INIT; /* of supplementary material */
        publisher_text(n, &b);
        if (!strchr(".:", b.data[b.len - 1]))
            publisher_append(n, SV("."));
        buf_release(&b);
        publisher_rename(n, "s");
    }
}

/* A caption's title is a sentence of its own. */
static void end_sentence(xmlNode *n)
{
    struct buf b = BUF_INIT;
    xmlNode *after = xml_next(n, NULL);
    publisher_text(n, &b);
    if (b.len && after && !publisher_is_blank(after) && !strchr(".:;?!,", b.data[b.len - 1]))
        publisher_append(n, SV("."));
    buf_release(&b);
}

static void caption(xmlNode *n)
{
    for (xmlNode *c = xml_child(n, "s"); c; c = xml_next(c, "s"))
        end_sentence(c);
}

static void title_marks(xmlNode *node)
{
    static const char *const marks[] = { "xref",     "fn",         "cross-ref", "cross-refs",
                                         "footnote", "index-term", NULL };
    for (xmlNode *n = xml_child(node, NULL), *next; n; n = next) {
        next = xml_next(n, NULL);
        if (!publisher_is_any(n, marks))
            title_marks(n);
        if (publisher_is_any(n, marks) || publisher_is_blank(n))
            publisher_drop(n);
    }
}

void publisher_title(struct publisher *p, xmlNode *parent, xmlNode *title, const char *level)
{
    if (!title)
        return;
    publisher_move(title, parent);
    publisher_rename(title, "span"); /* not "title", which is a section's */
    title_marks(title);
    publisher_walk(p, title);
    publisher_rename(title, "title");
    publisher_set(title, "level", sv_from(level));
}

void publisher_subtitle(xmlNode *parent, const xmlNode *subtitle)
{
    xmlNode *title = xml_child(parent, "title");
    struct buf b = BUF_INIT, main = BUF_INIT;
    if (title && subtitle && !publisher_is_blank(subtitle)) {
        publisher_text(title, &main);
        bool has_mark = main.len && strchr(".:?!", main.data[main.len - 1]);
        buf_str(&b, !main.len ? "" : has_mark ? " " : ": ");
        publisher_text(subtitle, &b);
        publisher_append(title, buf_view(&b));
    }
    buf_release(&b);
    buf_release(&main);
}

/* ---- formulas ---- */

static void math(xmlNode *n)
{
    const xmlNode *tex = xml_has(n->parent, "rend", "display") ? mathml_annotation(n) : NULL;
    struct buf b = BUF_INIT;
    if (tex) {
        struct buf raw = BUF_INIT;
        publisher_text(tex, &raw);
        mathml_tex(buf_view(&raw), &b);
        buf_release(&raw);
    } else {
        mathml_text(n, &b);
    }
    publisher_rename(n, "span");
    publisher_retext(n, buf_view(&b));
    buf_release(&b);
}

static void tex(xmlNode *n)
{
    struct buf b = BUF_INIT, raw = BUF_INIT;
    publisher_text(n, &raw);
    mathml_tex(buf_view(&raw), &b);
    publisher_rename(n, "span");
    publisher_retext(n, buf_view(&b));
    buf_release(&b);
    buf_release(&raw);
}

/* Of several forms of one thing the best stays: TeX of what stands apart, readable signs of
 * what stands in the text. */
static void keep_best(xmlNode *n, bool is_display)
{
    static const char *const apart[] = { "table", "tex-math", "math", "textual-form", NULL };
    static const char *const inside[] = { "table", "math", "textual-form", "tex-math", NULL };
    const char *const *forms = is_display ? apart : inside;
    xmlNode *best = NULL;
    for (; *forms && !best; forms++)
        best = xml_child(n, *forms);
    for (xmlNode *c = xml_child(n, NULL), *next; best && c; c = next) {
        next = xml_next(c, NULL);
        if (c != best && !xml_is(c, "label"))
            publisher_drop(c);
    }
}

static bool is_display(const xmlNode *n)
{
    return xml_has(n, "rend", "display");
}

static void begin_formula(xmlNode *n)
{
    if (xml_is(n, "disp-formula") || xml_is(n->parent, "display"))
        publisher_set(n, "rend", SV("display"));
    bool has_both = xml_child(n, "math") && xml_child(n, "tex-math");
    if (has_both)
        keep_best(n, is_display(n));
}

static void glyph(xmlNode *n)
{
    static const struct {
        const char *name, *text;
    } glyphs[] = {
        { "sbnd", "–" }, { "dbnd", "=" }, { "tbnd", "≡" }, { "hbar", "ħ" }, { "rad", "√" }
    };
    const char *text = "\xEF\xBF\xBD"; /* a sign that no code point stands for */
    for (size_t i = 0; i < ARRAY_LEN(glyphs); i++)
        if (sv_is(xml_attr(n, "name"), glyphs[i].name))
            text = glyphs[i].text;
    publisher_rename(n, "span");
    publisher_retext(n, sv_from(text));
}

/* ---- lists ---- */

/* Items of a lettered list that carry no label get theirs, since the text speaks of "(a)". */
static void list(xmlNode *n)
{
    struct sv type = xml_attr(n, "list-type");
    if (!type.n)
        return;
    if (sv_starts(type, SV("order")) || sv_is(type, "number") || sv_starts(type, SV("roman")))
        publisher_set(n, "type", SV("ordered"));
    if (!sv_starts(type, SV("alpha")))
        return;
    char mark[] = "a.";
    for (xmlNode *c = xml_child(n, "list-item"); c && mark[0] <= 'z'; c = xml_next(c, NULL)) {
        if (!xml_is(c, "list-item") || publisher_near(c, "label"))
            continue;
        xmlNode *made = publisher_add(c, "label", SV(""));
        publisher_append(made, sv_from(mark));
        if (c->children != made) {
            xmlUnlinkNode(made);
            xmlAddPrevSibling(c->children, made);
        }
        mark[0]++;
    }
}

/* ---- the walk ---- */

/* A JATS <table> is the grid, an Elsevier one the float around it. */
static bool is_float(const xmlNode *table)
{
    return xml_child(table, "label") || xml_child(table, "caption") ||
           (xml_child(table, "tgroup") && !xml_is(table->parent, "figure"));
}

/* Before the children. */
static void begin(struct publisher *p, xmlNode *n, enum act act)
{
    if (act == ALTERNATIVES)
        keep_best(n, is_display(n->parent));
    if (act == FORMULA)
        begin_formula(n);
    if (act == LIST)
        list(n);
    if (act == TABLE && is_float(n))
        publisher_rename(n, "figure");
    p->in_cell += act == CELL;
    p->in_float += act == FIGURE || act == GROUP || act == TABLE;
}

/* Of its kind by now: <figure> around, or <table>. */
static void table(struct publisher *p, xmlNode *n)
{
    bool has_cals = xml_child(n, "tgroup") != NULL;
    for (xmlNode *g = xml_child(n, "tgroup"), *next; g; g = next) {
        next = xml_next(g, "tgroup");
        publisher_cals(p, g);
    }
    if (xml_is(n, "figure")) {
        publisher_set(n, "type", SV("table"));
        publisher_figure(n, true);
    } else if (has_cals) {
        publisher_unwrap(n);
    } else {
        publisher_grid(p, n);
    }
}

static void group(xmlNode *n)
{
    bool is_table =
        !publisher_find(n, "figure") || xml_has(publisher_find(n, "figure"), "type", "table");
    if (!xml_child(n, "figDesc") && !xml_child(n, "head")) {
        publisher_unwrap(n);
        return;
    }
    if (is_table)
        publisher_set(n, "type", SV("table"));
    publisher_figure(n, is_table);
}

/* After the children. May drop n or move it away; what it adds behind n is walked already. */
static void end(struct publisher *p, xmlNode *n, enum act act)
{
    if (act == LABEL)
        label(p, n);
    else if (act == TITLE)
        publisher_rename(n, xml_is(n->parent, "div") ? "head" : "s");
    else if (act == REFERENCE)
        publisher_reference(p, n);
    else if (act == LINK)
        publisher_link(n);
    else if (act == CAPTION)
        caption(n);
    else if (act == FIGURE)
        publisher_figure(n, false);
    else if (act == TABLE)
        table(p, n);
    else if (act == GROUP)
        group(n);
    else if (act == GLYPH)
        glyph(n);
    else if (act == BOX)
        publisher_box(p, n);
    else if (act == EXTRA && publisher_is_blank(n))
        publisher_drop(n);
    else if (act == UNWRAP || act == ALTERNATIVES)
        publisher_unwrap(n);
    else if (act == FORMULA && is_display(n) && publisher_is_blank(n))
        publisher_drop(n); /* a picture */
}

void publisher_walk_self(struct publisher *p, xmlNode *n)
{
    const struct rule *r = bsearch(n->name, rules, ARRAY_LEN(rules), sizeof *rules, compare);
    enum act act = r ? r->act : NAME;
    if (act == DROP) {
        publisher_drop(n);
    } else if (act == MATH) {
        math(n);
    } else if (act == TEX) {
        tex(n);
    } else if (act == REFERENCES) {
        p->read_list(p, n);
        publisher_drop(n);
    } else {
        begin(p, n, act);
        if (r && r->tei)
            publisher_rename(n, r->tei);
        publisher_walk(p, n);
        p->in_cell -= act == CELL;
        p->in_float -= act == FIGURE || act == GROUP || act == TABLE;
        end(p, n, act);
    }
}

void publisher_walk(struct publisher *p, xmlNode *node)
{
    for (xmlNode *n = node->children, *next; n; n = next) {
        next = n->next;
        if (n->type == XML_ELEMENT_NODE)
            publisher_walk_self(p, n);
    }
    publisher_ranges(p, node);
}
