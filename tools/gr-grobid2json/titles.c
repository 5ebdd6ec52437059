// SPDX-License-Identifier: MIT
/*
 * titles.c — the title of a work with its subtitles, and what else it is called
 */
#include "map.h"
#include "tei_impl.h"

static bool is_of_level(const xmlNode *title, const char *levels)
{
    struct sv level = xml_attr(title, "level");
    return title->children && (!level.n || strchr(levels, level.p[0]));
}

const xmlNode *tei_title(const xmlNode *parent, const char *levels)
{
    const xmlNode *first = NULL;
    for (const xmlNode *n = xml_child(parent, "title"); n; n = xml_next(n, "title")) {
        if (!is_of_level(n, levels))
            continue;
        if (xml_has(n, "type", "main"))
            return n;
        if (!first || (xml_attr(first, "type").n && !xml_attr(n, "type").n))
            first = n;
    }
    return first;
}

const xmlNode *tei_subtitle(const xmlNode *title, const xmlNode *before)
{
    const xmlNode *n = before  ? xml_next(before, "title")
                       : title ? xml_child(title->parent, "title")
                               : NULL;
    for (; n; n = xml_next(n, "title")) {
        struct sv level = xml_attr(n, "level"), above = xml_attr(title, "level");
        if (n != title && xml_has(n, "type", "sub") &&
            (!level.n || !above.n || sv_eq(level, above)))
            return n;
    }
    return NULL;
}

/* "Title: subtitle" */
static void add_title(struct tei *t, struct flow *f, const xmlNode *title)
{
    bool was_plain = t->is_plain;
    t->is_plain = true;
    tei_inline(t, f, title);
    for (const xmlNode *n = NULL; (n = tei_subtitle(title, n));) {
        if (!tei_text(t, n).n)
            continue;
        if (f->text.len && !strchr(".:?!", f->text.data[f->text.len - 1]))
            flow_text(f, SV(":"));
        flow_gap(f, FLOW_SPACE);
        tei_inline(t, f, n);
    }
    t->is_plain = was_plain;
}

/* Those beside a title whose text is not known yet. */
static void add_others(struct tei *t, struct buf *all, struct map *known, const xmlNode *title,
                       const char *levels)
{
    const xmlNode *n = title ? xml_child(title->parent, "title") : NULL;
    for (; n; n = xml_next(n, "title")) {
        bool is_new = false;
        if (n == title || !is_of_level(n, levels) || xml_has(n, "type", "sub"))
            continue;
        struct sv text = tei_text(t, n);
        if (text.n)
            map_put(known, text, &is_new);
        if (!is_new)
            continue;
        json_open(all, '{');
        tei_put(all, "type", xml_attr(n, "type"));
        tei_put(all, "language", xml_attr(n, "lang"));
        tei_put(all, "text", text);
        json_close(all, '}');
    }
}

/* A short form, another language's, a running head. */
static void put_others(struct tei *t, struct buf *out, const xmlNode *title,
                       const xmlNode *other, const char *levels)
{
    struct buf all = BUF_INIT;
    struct map *known = map_new();
    map_put(known, tei_text(t, title), NULL);
    add_others(t, &all, known, title, levels);
    add_others(t, &all, known, other, levels);
    if (all.len) {
        json_key(out, "titles");
        json_open(out, '[');
        json_put_raw(out, buf_view(&all));
        json_close(out, ']');
    }
    map_free(known);
    buf_release(&all);
}

void tei_put_title(struct tei *t, struct buf *out, const xmlNode *title, const xmlNode *other,
                   const char *levels)
{
    if (!title)
        return;
    if (tei_subtitle(title, NULL)) {
        struct flow f = { 0 };
        add_title(t, &f, title);
        tei_put_flow(t, out, "title", &f);
        flow_release(&f);
    } else {
        tei_put_marked(t, out, "title", title);
    }
    put_others(t, out, title, other, levels);
}

void tei_put_title_text(struct tei *t, struct buf *out, const char *key, const xmlNode *title)
{
    if (!tei_subtitle(title, NULL)) {
        tei_put_text(t, out, key, title);
        return;
    }
    struct flow f = { 0 };
    add_title(t, &f, title);
    flow_finish(&f);
    tei_put(out, key, buf_view(&f.text));
    flow_release(&f);
}
