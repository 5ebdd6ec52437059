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

static void add_rows(struct tei *t, struct table *grid, const xmlNode *node, bool is_label)
{
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "thead") || xml_is(n, "tbody")) {
            add_rows(t, grid, n, xml_is(n, "thead"));
            continue;
        }
        if (!xml_is(n, "row") && !xml_is(n, "tr"))
            continue;
        const xmlNode *first = xml_child(n, NULL);
        table_row(grid,
                  is_label || xml_has(n, "role", "label") || xml_has(first, "role", "label"));
        for (const xmlNode *c = first; c; c = xml_next(c, NULL)) {
            size_t cols = xml_is(c, "cell") ? span(c, "cols") : span(c, "colspan");
            size_t rows = xml_is(c, "cell") ? span(c, "rows") : span(c, "rowspan");
            table_cell(grid, tei_text(t, c), cols, rows);
        }
    }
}

static void put_grid(struct tei *t, struct buf *out, const xmlNode *table)
{
    struct table grid = { .budget = t->fill_budget };
    if (table)
        add_rows(t, &grid, table, false);
    table_finish(&grid);
    t->fill_budget = grid.budget;
    json_key(out, "rows");
    table_put_rows(&grid, out);
    json_key(out, "header_rows");
    json_put_int(out, (int64_t)table_header_rows(&grid));
    if (grid.is_cut)
        rec_warn(t->rec, "table at line %ld: its spans are too large: cut",
                 xmlGetLineNo(table));
    table_release(&grid);
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
    tei_put_boxes(t, out, &boxes);
    buf_release(&boxes);
}

/* Floats do not nest in GROBID's files; where they do, the inner one is written after the outer
 * because each is made in a buffer of its own. */
static void put_table(struct tei *t, const xmlNode *figure, const xmlNode *table)
{
    struct buf one = BUF_INIT;
    json_open(&one, '{');
    tei_put_id(&one, figure, "tab_", t->n_tables++);
    tei_put_text(t, &one, "label", xml_child(figure, "label"));
    tei_put_text(t, &one, "head", xml_child(figure, "head"));
    tei_put_text(t, &one, "caption", xml_child(figure, "figDesc"));
    put_grid(t, &one, table);
    put_notes(t, &one, figure);
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
    tei_put_text(t, &one, "head", xml_child(figure, "head"));
    tei_put_text(t, &one, "caption", xml_child(figure, "figDesc"));
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
        tei_put(out, "text", buf_view(&f.text));
        json_close(out, '}');
    }
    flow_release(&f);
}
