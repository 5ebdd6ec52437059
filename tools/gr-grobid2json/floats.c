// SPDX-License-Identifier: MIT
/*
 * floats.c — what stands apart from the running text: tables, figures, formulas, footnotes
 */
#include "table.h"
#include "tei_impl.h"

/* ---- tables ---- */

static size_t span(const xmlNode *cell, const char *attr)
{
    int64_t n = 1;
    return sv_to_i64(xml_attr(cell, attr), &n) && n > 1 ? (size_t)n : 1;
}

/* What has a member of its own, and marks without text. */
static bool is_table_part(const xmlNode *n)
{
    static const char *const names[] = { "row",     "tr",   "thead", "tbody",    "head",
                                         "figDesc", "note", "label", "colgroup", "col" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (xml_is(n, names[i]))
            return true;
    return false;
}

/* A grid, and what is marked in its cells. */
struct grid {
    struct table table;
    struct buf spans; /* {"row","col",…}, one for each cell that has any */
};

void tei_apart_below(struct tei *t, const xmlNode *node)
{
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "note"))
            tei_note(t, n);
        else if (xml_is(n, "figure"))
            tei_figure(t, n);
        else if (xml_is(n, "table"))
            tei_bare_table(t, n);
        else
            tei_apart_below(t, n);
    }
}

/* A cell with elements in it: its spans are told with the first of its places. */
static void add_marked(struct tei *t, struct grid *g, const xmlNode *cell, size_t cols,
                       size_t rows)
{
    struct flow f = { 0 };
    bool was_plain = t->is_plain;
    t->is_plain = true;
    tei_inline(t, &f, cell);
    t->is_plain = was_plain;
    flow_finish(&f);
    tei_apart_below(t, cell);
    table_cell(&g->table, buf_view(&f.text), cols, rows);
    size_t row = g->table.n_rows - 1, n = g->table.n_cells - g->table.rows[row];
    if (f.n_spans && !g->table.is_cut && n >= cols) {
        json_open(&g->spans, '{');
        json_key(&g->spans, "row");
        json_put_int(&g->spans, (int64_t)row);
        json_key(&g->spans, "col");
        json_put_int(&g->spans, (int64_t)(n - cols));
        tei_put_spans(t, &g->spans, &f);
        json_close(&g->spans, '}');
    }
    flow_release(&f);
}

static void add_cell(struct tei *t, struct grid *g, const xmlNode *c)
{
    size_t cols = xml_is(c, "cell") ? span(c, "cols") : span(c, "colspan");
    size_t rows = xml_is(c, "cell") ? span(c, "rows") : span(c, "rowspan");
    if (xml_child(c, NULL))
        add_marked(t, g, c, cols, rows);
    else
        table_cell(&g->table, tei_text(t, c), cols, rows);
}

static void add_rows(struct tei *t, struct grid *g, const xmlNode *node, bool is_label)
{
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "thead") || xml_is(n, "tbody")) {
            add_rows(t, g, n, xml_is(n, "thead"));
            continue;
        }
        if (!xml_is(n, "row") && !xml_is(n, "tr"))
            continue;
        const xmlNode *first = xml_child(n, NULL);
        table_row(&g->table,
                  is_label || xml_has(n, "role", "label") || xml_has(first, "role", "label"));
        for (const xmlNode *c = first; c; c = xml_next(c, NULL))
            add_cell(t, g, c);
    }
}

/* A line each of what stands in a table beside its rows: old versions of GROBID write tables
 * that they could not cut into cells so. */
static void put_table_text(struct tei *t, struct buf *out, const xmlNode *table)
{
    struct flow f = { 0 };
    bool was_plain = t->is_plain;
    t->is_plain = true;
    for (const xmlNode *n = table ? table->children : NULL; n; n = n->next) {
        struct sv line,
            rest = n->type == XML_TEXT_NODE ? sv_from((const char *)n->content) : SV_NONE;
        while (sv_cut(&rest, '\n', &line)) {
            flow_text(&f, line);
            flow_gap(&f, rest.p ? FLOW_LINE : FLOW_NONE);
        }
        if (n->type != XML_ELEMENT_NODE || is_table_part(n))
            continue;
        flow_gap(&f, xml_is(n, "p") ? FLOW_LINE : FLOW_NONE);
        tei_element(t, &f, n);
        flow_gap(&f, xml_is(n, "p") ? FLOW_LINE : FLOW_NONE);
    }
    t->is_plain = was_plain;
    flow_finish(&f);
    tei_put(out, "text", buf_view(&f.text));
    if (f.text.len)
        tei_put_spans_of(t, out, "text_spans", &f, 0);
    flow_release(&f);
}

static void put_grid(struct tei *t, struct buf *out, const xmlNode *table)
{
    struct grid g = { .table = { .budget = t->fill_budget } };
    if (table)
        add_rows(t, &g, table, false);
    table_finish(&g.table);
    t->fill_budget = g.table.budget;
    json_key(out, "rows");
    table_put_rows(&g.table, out);
    json_key(out, "header_rows");
    json_put_int(out, (int64_t)table_header_rows(&g.table));
    if (g.spans.len) {
        json_key(out, "cell_spans");
        json_open(out, '[');
        json_put_raw(out, buf_view(&g.spans));
        json_close(out, ']');
    }
    if (g.table.is_cut)
        rec_warn(t->rec, "table at line %ld: its spans are too large: cut",
                 xmlGetLineNo(table));
    buf_release(&g.spans);
    table_release(&g.table);
}

static void put_notes(struct tei *t, struct buf *out, const xmlNode *figure)
{
    struct flow f = { 0 };
    for (const xmlNode *n = xml_child(figure, "note"); n; n = xml_next(n, "note")) {
        flow_gap(&f, FLOW_LINE);
        tei_inline(t, &f, n);
    }
    flow_finish(&f);
    tei_put(out, "notes", buf_view(&f.text));
    tei_put_spans_of(t, out, "notes_spans", &f, 0);
    flow_release(&f);
}

static void put_float_boxes(struct tei *t, struct buf *out, const xmlNode *n)
{
    if (!t->cfg->has_coords)
        return;
    struct buf boxes = BUF_INIT;
    tei_boxes(&boxes, xml_attr(n, "coords"));
    for (const xmlNode *c = xml_child(n, NULL); c && !boxes.len; c = xml_next(c, NULL))
        if (xml_is(c, "table") || xml_is(c, "graphic"))
            tei_boxes(&boxes, xml_attr(c, "coords"));
    tei_put_boxes(t, out, "coords", &boxes);
    buf_release(&boxes);
}

/* DOIs of parts of a paper, files of pictures: publishers' rather than GROBID's. */
static void put_links(struct buf *out, const xmlNode *n)
{
    struct buf doi = BUF_INIT;
    if (tei_find_doi(n, &doi))
        tei_put(out, "doi", buf_view(&doi));
    tei_put(out, "graphic", xml_attr(xml_child(n, "graphic"), "url"));
    buf_release(&doi);
}

/* Further heads lead the caption: Pub2TEI writes the label as one and the title as another. */
static void put_caption(struct tei *t, struct buf *out, const xmlNode *figure)
{
    const xmlNode *title = xml_next(xml_child(figure, "head"), "head");
    const xmlNode *desc = xml_child(figure, "figDesc");
    tei_apart_below(t, xml_child(figure, "head"));
    tei_apart_below(t, desc);
    if (!title && !xml_next(desc, "figDesc")) {
        tei_put_marked(t, out, "caption", desc);
        return;
    }
    struct flow f = { 0 };
    bool was_plain = t->is_plain;
    t->is_plain = true;
    for (; title; title = xml_next(title, "head")) {
        tei_inline(t, &f, title);
        flow_gap(&f, FLOW_SPACE);
    }
    for (; desc; desc = xml_next(desc, "figDesc")) {
        tei_inline(t, &f, desc);
        flow_gap(&f, FLOW_SPACE);
    }
    t->is_plain = was_plain;
    flow_finish(&f);
    tei_put(out, "caption", buf_view(&f.text));
    if (f.text.len)
        tei_put_spans_of(t, out, "caption_spans", &f, 0);
    flow_release(&f);
}

/* Floats do not nest in GROBID's files; where they do, the inner one is written after the outer
 * because each is made in a buffer of its own. */
static void put_table(struct tei *t, const xmlNode *figure, const xmlNode *table)
{
    struct buf one = BUF_INIT;
    json_open(&one, '{');
    tei_put_id(&one, figure, "tab_", t->n_tables++);
    tei_put_text(t, &one, "label", xml_child(figure, "label"));
    tei_put_marked(t, &one, "head", xml_child(figure, "head"));
    put_caption(t, &one, figure);
    put_grid(t, &one, table);
    put_table_text(t, &one, table);
    put_notes(t, &one, figure);
    put_links(&one, figure);
    put_float_boxes(t, &one, figure);
    json_close(&one, '}');
    json_put_raw(&t->tables, buf_view(&one));
    buf_release(&one);
}

void tei_bare_table(struct tei *t, const xmlNode *table)
{
    put_table(t, table, table);
}

void tei_figure(struct tei *t, const xmlNode *figure)
{
    const xmlNode *table = xml_child(figure, "table");
    if (table || xml_has(figure, "type", "table")) {
        put_table(t, figure, table);
        /* Further ones have neither head nor caption of their own, nor its id. */
        for (table = xml_next(table, "table"); table; table = xml_next(table, "table"))
            tei_bare_table(t, table);
        return;
    }
    struct buf one = BUF_INIT;
    json_open(&one, '{');
    tei_put_id(&one, figure, "fig_", t->n_figures++);
    tei_put_text(t, &one, "label", xml_child(figure, "label"));
    tei_put_marked(t, &one, "head", xml_child(figure, "head"));
    put_caption(t, &one, figure);
    put_links(&one, figure);
    put_float_boxes(t, &one, figure);
    json_close(&one, '}');
    json_put_raw(&t->figures, buf_view(&one));
    buf_release(&one);
}

/* ---- formulas ---- */

static void formula_text(struct tei *t, struct flow *f, const xmlNode *formula)
{
    bool was_plain = t->is_plain;
    t->is_plain = true; /* a formula inside a formula is part of it */
    for (const xmlNode *n = formula->children; n; n = n->next) {
        if (n->type == XML_TEXT_NODE)
            flow_text(f, sv_from((const char *)n->content));
        else if (n->type == XML_ELEMENT_NODE && !xml_is(n, "label"))
            tei_inline(t, f, n);
    }
    t->is_plain = was_plain;
}

void tei_formula(struct tei *t, struct flow *f, const xmlNode *formula, bool is_display)
{
    struct flow own = { 0 };
    formula_text(t, &own, formula);
    flow_finish(&own);
    struct sv text = buf_view(&own.text);
    struct buf one = BUF_INIT;
    json_open(&one, '{');
    size_t at = one.len;
    tei_put_id(&one, formula, "formula_", t->n_formulas++);
    struct sv id = sv_from_to(buf_view(&one), at + strlen("\"id\":"), one.len);
    json_put_raw(&t->section_formulas, id);
    tei_put_text(t, &one, "label", xml_child(formula, "label"));
    json_key(&one, "text");
    json_put_str(&one, text);
    put_float_boxes(t, &one, formula);
    json_close(&one, '}');
    json_put_raw(&t->formulas, buf_view(&one));
    if (!is_display || t->cfg->formulas == TEI_FORMULAS_TEXT)
        flow_text(f, text);
    buf_release(&one);
    flow_release(&own);
}

/* ---- footnotes ---- */

void tei_note(struct tei *t, const xmlNode *note)
{
    struct flow f = { 0 };
    tei_inline(t, &f, note);
    flow_finish(&f);
    if (f.text.len) {
        struct buf *out = &t->footnotes;
        json_open(out, '{');
        tei_put_id(out, note, "foot_", t->n_footnotes++);
        tei_put(out, "n", xml_attr(note, "n"));
        tei_put(out, "kind", xml_attr(note, "type"));
        tei_put(out, "text", buf_view(&f.text));
        tei_put_spans(t, out, &f);
        tei_put_coords(t, out, "coords", note);
        json_close(out, '}');
    }
    flow_release(&f);
}
