// SPDX-License-Identifier: MIT
/*
 * table.c — tables as chunks: each row as "column: value; …", caption and heads repeated
 *
 * A table that does not fit into one chunk is cut between rows. The `table` member carries the
 * caption, the header rows and the rows of this chunk as they were, for readers of cells;
 * behind a cut also what stands above and still holds: the row that heads these rows, and the
 * texts of cells that are blank at the start of the first one.
 */
#include "chunk_impl.h"

#include "alloc.h"
#include "scan.h"
#include "utf8.h"

#define ABOVE_MAX 3     /* leading columns whose cells may be blank for "as above" */
#define ABOVE_BYTES 200 /* longer texts are no names, and would come again with each piece */

/* What rows above say of those below: the text of the row that heads them, and the last text of
 * the first columns since. */
struct above {
    struct sv section, cells[ABOVE_MAX];
};

struct table {
    struct sv id, label, head, caption, notes;
    jv rows;           /* array of arrays of strings */
    size_t n_header;   /* header rows at the top */
    struct buf intro;  /* "Table 2. Caption" */
    struct buf *names; /* (n_names) heading of each column */
    size_t n_names;
    struct above above; /* the rows before those that the next piece begins with */
};

static int read_table(struct table *t, jv v, struct err *err)
{
    *t = (struct table){ .rows = jv_null() };
    if (!json_is_object(v))
        return err_set(err, EXIT_REJECTED, "field \"tables\": expected objects");
    double n_header = 0;
    if (json_opt_str(v, "id", &t->id, err) < 0 ||
        json_opt_str(v, "label", &t->label, err) < 0 ||
        json_opt_str(v, "head", &t->head, err) < 0 ||
        json_opt_str(v, "caption", &t->caption, err) < 0 ||
        json_opt_array(v, "rows", &t->rows, err) < 0 ||
        json_opt_num(v, "header_rows", &n_header, err) < 0)
        return -1;
    t->notes = json_sv(json_get(v, "notes"));
    for (size_t i = 0; i < json_len(t->rows); i++)
        if (!json_is_array(json_at(t->rows, i)))
            return err_set(err, EXIT_REJECTED, "field \"tables\": row %zu is no array", i);
    if (n_header > 0)
        t->n_header = (size_t)n_header;
    if (t->n_header > json_len(t->rows))
        t->n_header = json_len(t->rows);
    return 0;
}

/* Visible ASCII without a tag: no step of cleaning that is asked for here has work in it. */
static bool is_plain(struct sv text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || (unsigned char)text.p[i] >= 0x7F ||
            text.p[i] == '<')
            return false;
    return true;
}

/* A piece of text on one line, cleaned. */
static void add_clean(struct chunker *c, struct buf *to, struct sv text, const char *before)
{
    struct sv clean = text;
    if (!is_plain(text)) {
        clean_run(&c->clean, text, c->cfg->clean & ~(unsigned)CLEAN_LINES);
        clean = buf_view(&c->clean.text);
    }
    if (!clean.n)
        return;
    if (to->len && *before == '.') /* "Table 1 ." has its stop already */
        while (to->len && (to->data[to->len - 1] == '.' || to->data[to->len - 1] == ' '))
            buf_cut(to, to->len - 1);
    if (to->len)
        buf_str(to, before);
    size_t from = to->len;
    buf_sv(to, clean);
    for (size_t i = from; i < to->len; i++)
        if (to->data[i] == '\n')
            to->data[i] = ' ';
}

static void make_intro(struct chunker *c, struct table *t)
{
    bool has_label = t->label.n && sv_find(t->head, t->label, 0) == SIZE_MAX;
    if (has_label) {
        buf_str(&t->intro, "Table ");
        add_clean(c, &t->intro, t->label, "");
    }
    add_clean(c, &t->intro, t->head, ". ");
    if (!sv_eq(t->caption, t->head))
        add_clean(c, &t->intro, t->caption, ". ");
}

/* The heading of column j: its header cells joined, repeats of spans left out. */
static void column_name(struct chunker *c, const struct table *t, size_t j, struct buf *name)
{
    buf_reset(name);
    struct sv before = SV_NONE;
    for (size_t i = 0; i < t->n_header; i++) {
        struct sv cell = json_sv(json_at(json_at(t->rows, i), j));
        if (cell.n && !sv_eq(cell, before))
            add_clean(c, name, cell, " ");
        before = cell;
    }
}

static void name_columns(struct chunker *c, struct table *t)
{
    size_t n = 0, rows = json_len(t->rows);
    for (size_t i = 0; i < rows; i++)
        n = json_len(json_at(t->rows, i)) > n ? json_len(json_at(t->rows, i)) : n;
    t->n_names = n;
    t->names = alloc_zero(n, sizeof *t->names);
    for (size_t j = 0; j < n; j++)
        column_name(c, t, j, &t->names[j]);
}

static void release(struct table *t)
{
    for (size_t j = 0; j < t->n_names; j++)
        buf_release(&t->names[j]);
    free(t->names);
    buf_release(&t->intro);
}

static void put_row(struct chunker *c, const struct table *t, size_t i, struct buf *line)
{
    jv row = json_at(t->rows, i);
    size_t n = json_len(row);
    buf_reset(line);
    for (size_t j = 0; j < n; j++) {
        struct sv cell = sv_trim(json_sv(json_at(row, j)));
        if (!cell.n)
            continue;
        buf_str(line, line->len ? "; " : "");
        buf_sv(line, buf_view(&t->names[j]));
        buf_str(line, t->names[j].len ? ": " : "");
        add_clean(c, line, cell, "");
    }
}

static void put_optional(struct buf *b, const char *key, struct sv s)
{
    if (!s.n)
        return;
    json_key(b, key);
    json_put_str(b, s);
}

/* A row of one text, alone or in all its cells: it heads the rows below. */
static bool is_section(jv row, struct sv *text)
{
    size_t filled = 0, n = json_len(row);
    *text = sv_trim(json_sv(json_at(row, 0)));
    for (size_t j = 0; j < n; j++) {
        struct sv cell = sv_trim(json_sv(json_at(row, j)));
        if (cell.n && !sv_eq(cell, *text))
            return false;
        filled += cell.n > 0;
    }
    bool has_letter = false;
    for (size_t i = 0; i < text->n; i++)
        has_letter |= scan_is_letter(text->p[i]);
    return has_letter && n > 1 && text->n <= ABOVE_BYTES && (filled == 1 || filled == n);
}

/* What holds above a row, kept as the rows go by. */
static void note_above(struct above *a, jv row)
{
    struct sv text;
    if (is_section(row, &text)) {
        *a = (struct above){ .section = text };
        return;
    }
    for (size_t j = 0; j < ABOVE_MAX; j++) {
        text = sv_trim(json_sv(json_at(row, j)));
        if (text.n)
            a->cells[j] = text.n <= ABOVE_BYTES ? text : SV_NONE;
    }
}

static void put_above(struct buf *b, const struct above *a, jv row)
{
    struct sv text;
    if (is_section(row, &text))
        return;
    put_optional(b, "section", a->section);
    size_t blank = 0;
    while (blank < ABOVE_MAX && !sv_trim(json_sv(json_at(row, blank))).n)
        blank++;
    if (!blank || blank >= json_len(row))
        return;
    json_key(b, "above");
    json_open(b, '[');
    for (size_t j = 0; j < blank; j++)
        json_put_str(b, a->cells[j]);
    json_close(b, ']');
}

/* The `table` member with header rows and rows [first, last). */
static void make_json(struct chunker *c, const struct table *t, size_t first, size_t last)
{
    struct buf *b = &c->table_json;
    buf_reset(b);
    json_open(b, '{');
    put_optional(b, "id", t->id);
    put_optional(b, "label", t->label);
    put_optional(b, "head", t->head);
    put_optional(b, "caption", t->caption);
    put_optional(b, "notes", t->notes);
    json_key(b, "header_rows");
    json_put_int(b, (int64_t)t->n_header);
    json_key(b, "first_row");
    json_put_int(b, (int64_t)first);
    if (first > t->n_header && first < last)
        put_above(b, &t->above, json_at(t->rows, first));
    json_key(b, "rows");
    json_open(b, '[');
    for (size_t i = 0; i < t->n_header; i++)
        json_put_jv(b, json_at(t->rows, i));
    for (size_t i = first; i < last; i++)
        json_put_jv(b, json_at(t->rows, i));
    json_close(b, ']');
    json_close(b, '}');
}

/* used: tokens of the lines, one by one. */
static void flush_rows(struct chunker *c, const struct table *t, size_t first, size_t last,
                       size_t used, struct buf *out)
{
    const struct window_cfg *cfg = &c->cfg->window;
    make_json(c, t, first, last);
    struct piece p = { .kind = "table", .section_id = t->id, .refs = jv_null() };
    p.section = sv_trim(buf_view(&c->heads));
    p.text = buf_view(&c->table_text);
    p.n_tokens = cfg->bpe || cfg->wordpiece ? windows_count(&c->windows, cfg, p.text) : used;
    p.table = buf_view(&c->table_json);
    if (p.n_tokens <= cfg->size) {
        chunk_emit(c, &p, out);
        return;
    }
    struct window_cfg by_token = *cfg; /* one row, or a caption, too long by itself */
    by_token.by = WINDOW_TOKEN;
    windows_make(&c->windows, &by_token, p.text);
    for (size_t i = 0; i < c->windows.n; i++) {
        const struct window *w = &c->windows.items[i];
        p.text = sv_from_to(buf_view(&c->table_text), w->from, w->to);
        p.n_tokens = w->n_tokens;
        chunk_emit(c, &p, out);
        p.table = SV_NONE; /* once: a row of many cells would come again with each piece */
    }
}

static void start_text(struct chunker *c, struct sv lead)
{
    buf_reset(&c->table_text);
    buf_sv(&c->table_text, lead);
}

/* What the text of each part begins with: the caption and notes; where these would fill more
 * than half a chunk they get chunks of their own, and the parts begin with the head at most. */
static struct sv lead_of(struct chunker *c, const struct table *t, size_t *tokens,
                         struct buf *out)
{
    const struct window_cfg *cfg = &c->cfg->window;
    struct sv lead = buf_view(&t->intro);
    *tokens = windows_count(&c->windows, cfg, lead);
    if (*tokens <= cfg->size / 2 || json_len(t->rows) == t->n_header)
        return lead;
    start_text(c, lead);
    flush_rows(c, t, t->n_header, t->n_header, *tokens, out);
    lead = sv_trim(buf_view(&c->heads));
    *tokens = windows_count(&c->windows, cfg, lead);
    if (*tokens <= cfg->size / 2)
        return lead;
    *tokens = 0;
    return SV_NONE;
}

/* Rows to chunks: a row is added while it fits. */
static void pack_rows(struct chunker *c, struct table *t, struct buf *out)
{
    struct buf line = BUF_INIT;
    size_t size = c->cfg->window.size, n = json_len(t->rows), first = t->n_header, tokens;
    struct sv lead = lead_of(c, t, &tokens, out);
    start_text(c, lead);
    size_t used = tokens;
    for (size_t i = t->n_header; i < n; i++) {
        put_row(c, t, i, &line);
        size_t more = windows_count(&c->windows, &c->cfg->window, buf_view(&line));
        if (i > first && used + more > size) {
            flush_rows(c, t, first, i, used, out);
            for (; first < i; first++)
                note_above(&t->above, json_at(t->rows, first));
            start_text(c, lead);
            used = tokens;
        }
        if (c->table_text.len && line.len)
            buf_char(&c->table_text, '\n');
        buf_sv(&c->table_text, buf_view(&line));
        used += more;
    }
    if (c->table_text.len)
        flush_rows(c, t, first, n, used, out);
    buf_release(&line);
}

int chunk_table(struct chunker *c, jv v, struct buf *out, struct err *err)
{
    struct table t;
    if (read_table(&t, v, err) < 0)
        return -1;
    chunker_mark(c);
    make_intro(c, &t);
    add_clean(c, &t.intro, t.notes, ". ");
    if (!json_len(t.rows)) /* a table that was not cut into cells */
        add_clean(c, &t.intro, json_sv(json_get(v, "text")), "\n");
    buf_reset(&c->heads);
    add_clean(c, &c->heads, t.head.n ? t.head : t.label, "");
    name_columns(c, &t);
    pack_rows(c, &t, out);
    release(&t);
    return 0;
}
