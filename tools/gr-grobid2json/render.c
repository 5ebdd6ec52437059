// SPDX-License-Identifier: MIT
/*
 * render.c — the members of a paper record in the order a reader wants them
 */
#include "render.h"

#include "json.h"

struct render {
    struct buf *out;
    bool is_markdown;
};

static struct sv text_of(jv object, const char *field)
{
    return json_sv(json_get(object, field));
}

/* A paragraph of its own, unless it is empty. */
static void paragraph(struct render *r, struct sv s)
{
    if (!s.n)
        return;
    buf_sv(r->out, s);
    buf_str(r->out, "\n\n");
}

/* The same as a quotation: each line has the mark, those between paragraphs too. */
static void quotation(struct render *r, struct sv s)
{
    struct sv line;
    if (!r->is_markdown || !s.n) {
        paragraph(r, s);
        return;
    }
    while (sv_cut(&s, '\n', &line)) {
        buf_str(r->out, line.n ? "> " : ">");
        buf_sv(r->out, line);
        buf_char(r->out, '\n');
    }
    buf_char(r->out, '\n');
}

static void title(struct render *r, int level, struct sv n, struct sv head)
{
    if (!n.n && !head.n)
        return;
    for (int i = 0; r->is_markdown && i < level && i < 6; i++)
        buf_char(r->out, '#');
    buf_printf(r->out, "%s%.*s%s%.*s\n\n", r->is_markdown ? " " : "", SV_ARG(n),
               n.n && head.n ? " " : "", SV_ARG(head));
}

/* ---- front matter ---- */

static void yaml(struct render *r, const char *key, struct sv value)
{
    if (!value.n)
        return;
    buf_printf(r->out, "%s: ", key);
    struct buf quoted = BUF_INIT;
    json_put_str(&quoted, value);
    buf_sv(r->out, buf_view(&quoted));
    buf_release(&quoted);
    buf_char(r->out, '\n');
}

static void names(jv people, struct buf *to)
{
    for (size_t i = 0; i < json_len(people); i++) {
        static const char *const parts[] = { "given", "family", "suffix" };
        buf_str(to, i ? ", " : "");
        const char *gap = "";
        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            struct sv part = text_of(json_at(people, i), parts[k]);
            if (!part.n)
                continue;
            buf_printf(to, "%s%.*s", gap, SV_ARG(part));
            gap = " ";
        }
    }
}

static void front(struct render *r, jv paper)
{
    static const char *const keys[] = { "id",     "doi",   "title", "date",    "journal",
                                        "volume", "issue", "pages", "language" };
    struct buf people = BUF_INIT, words = BUF_INIT;
    names(json_get(paper, "authors"), &people);
    jv keywords = json_get(paper, "keywords");
    for (size_t i = 0; i < json_len(keywords); i++)
        buf_printf(&words, "%s%.*s", i ? "; " : "", SV_ARG(json_sv(json_at(keywords, i))));
    if (r->is_markdown) {
        buf_str(r->out, "---\n");
        for (size_t i = 0; i < ARRAY_LEN(keys); i++)
            yaml(r, keys[i], text_of(paper, keys[i]));
        yaml(r, "authors", buf_view(&people));
        yaml(r, "keywords", buf_view(&words));
        buf_str(r->out, "---\n\n");
    }
    title(r, 1, SV_NONE, text_of(paper, "title"));
    paragraph(r, buf_view(&people));
    buf_release(&people);
    buf_release(&words);
}

/* ---- tables ---- */

/* A cell holds neither line ends nor the mark that parts cells. */
static void cell(struct render *r, struct sv s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (r->is_markdown && s.p[i] == '|')
            buf_char(r->out, '\\');
        buf_char(r->out, s.p[i] == '\n' || s.p[i] == '\t' ? ' ' : s.p[i]);
    }
}

static void row(struct render *r, jv cells)
{
    size_t n = json_len(cells);
    buf_str(r->out, r->is_markdown ? "| " : "");
    for (size_t i = 0; i < n; i++) {
        buf_str(r->out, i == 0 ? "" : r->is_markdown ? " | " : "\t");
        cell(r, json_sv(json_at(cells, i)));
    }
    buf_str(r->out, r->is_markdown ? " |\n" : "\n");
}

/* "Table 1. Caption" */
static void caption(struct render *r, jv object, const char *fallback)
{
    struct sv head = text_of(object, "head"), says = text_of(object, "caption");
    struct sv label = text_of(object, "label");
    bool has_head = head.n > 0;
    if (!has_head && !label.n && !says.n)
        return;
    if (has_head)
        buf_printf(r->out, r->is_markdown ? "**%.*s**" : "%.*s", SV_ARG(head));
    else
        buf_printf(r->out, r->is_markdown ? "**%s %.*s**" : "%s %.*s", fallback, SV_ARG(label));
    buf_printf(r->out, "%s%.*s\n\n", says.n ? " " : "", SV_ARG(says));
}

static void tables(struct render *r, jv list)
{
    for (size_t i = 0; i < json_len(list); i++) {
        jv table = json_at(list, i), rows = json_get(table, "rows");
        caption(r, table, "Table");
        for (size_t k = 0; k < json_len(rows); k++) {
            row(r, json_at(rows, k));
            if (!r->is_markdown || k)
                continue;
            for (size_t c = 0; c < json_len(json_at(rows, 0)); c++)
                buf_str(r->out, "|---");
            buf_str(r->out, "|\n");
        }
        if (json_len(rows))
            buf_char(r->out, '\n');
        paragraph(r, text_of(table, "text"));
        paragraph(r, text_of(table, "notes"));
    }
}

/* ---- the end of a paper ---- */

static void back(struct render *r, jv matter)
{
    static const struct {
        const char *key, *head;
    } parts[] = {
        { "acknowledgement", "Acknowledgements" }, { "funding", "Funding" },
        { "availability", "Data availability" },   { "contribution", "Author contributions" },
        { "conflict", "Conflict of interest" },    { "annex", "Annex" },
        { "references", "References as printed" }
    };
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        struct sv s = text_of(matter, parts[i].key);
        if (s.n)
            title(r, 2, SV_NONE, sv_from(parts[i].head));
        paragraph(r, s);
    }
}

/* Is the DOI in a reference as printed, in letters of any case? */
static bool names_doi(struct sv raw, struct sv doi)
{
    bool found = false;
    for (size_t at = 0; !found && (at = sv_find(raw, SV("10."), at)) != SIZE_MAX; at++)
        found = sv_ieq(sv_from_to(raw, at, at + doi.n), doi);
    return found;
}

static void reference(struct render *r, jv ref, size_t number)
{
    struct sv raw = text_of(ref, "raw"), doi = text_of(ref, "doi");
    buf_printf(r->out, "%zu. ", number);
    if (raw.n) {
        buf_sv(r->out, raw);
    } else {
        struct sv said = text_of(ref, "title"), in = text_of(ref, "journal");
        double year = json_num(json_get(ref, "year"));
        names(json_get(ref, "authors"), r->out);
        if (year > 0)
            buf_printf(r->out, " (%d)", (int)year);
        buf_printf(r->out, " %.*s", SV_ARG(said));
        if (in.n)
            buf_printf(r->out, ". %.*s", SV_ARG(in));
    }
    if (doi.n && !names_doi(raw, doi))
        buf_printf(r->out, " doi:%.*s", SV_ARG(doi));
    buf_char(r->out, '\n');
}

static void references(struct render *r, jv list)
{
    if (json_len(list))
        title(r, 2, SV_NONE, SV("References"));
    for (size_t i = 0; i < json_len(list); i++)
        reference(r, json_at(list, i), i + 1);
    if (json_len(list))
        buf_char(r->out, '\n');
}

static void body(struct render *r, jv paper)
{
    jv sections = json_get(paper, "sections"), figures = json_get(paper, "figures");
    jv notes = json_get(paper, "footnotes");
    struct sv summary = text_of(paper, "abstract");
    if (summary.n)
        title(r, 2, SV_NONE, SV("Abstract"));
    paragraph(r, summary);
    for (size_t i = 0; i < json_len(sections); i++) {
        jv s = json_at(sections, i);
        double level = json_num(json_get(s, "level"));
        title(r, level >= 1 && level < 5 ? (int)level + 1 : 6, text_of(s, "n"),
              text_of(s, "head"));
        paragraph(r, text_of(s, "text"));
    }
    tables(r, json_get(paper, "tables"));
    for (size_t i = 0; i < json_len(figures); i++)
        caption(r, json_at(figures, i), "Figure");
    for (size_t i = 0; i < json_len(notes); i++)
        quotation(r, text_of(json_at(notes, i), "text"));
}

int render_record(enum render_format format, struct sv record, struct buf *out, struct err *err)
{
    jv paper;
    if (json_parse(&paper, sv_trim(record), err) < 0)
        return -1;
    struct render r = { .out = out, .is_markdown = format == RENDER_MARKDOWN };
    front(&r, paper);
    body(&r, paper);
    back(&r, json_get(paper, "back"));
    references(&r, json_get(paper, "references"));
    if (!r.is_markdown)
        buf_str(out, "\f\n");
    json_free(paper);
    return 0;
}
