// SPDX-License-Identifier: MIT
/*
 * chunk.c — chunk records
 */
#include "chunk.h"

#include "alloc.h"
#include "chunk_impl.h"
#include "fold.h"
#include "schema.h"
#include "utf8.h"

struct chunker *chunker_new(const struct chunk_cfg *cfg)
{
    struct chunker *c = alloc_zero(1, sizeof *c);
    c->cfg = cfg;
    if (cfg->analyzer)
        c->terms = terms_new(cfg->analyzer);
    c->known = c->clean.paper = paper_new(cfg->vocab);
    return c;
}

void chunker_free(struct chunker *c)
{
    if (!c)
        return;
    clean_release(&c->clean);
    refs_release(&c->refs);
    windows_release(&c->windows);
    terms_free(c->terms);
    buf_release(&c->meta);
    buf_release(&c->heads);
    buf_release(&c->table_text);
    buf_release(&c->table_json);
    buf_release(&c->embed);
    buf_release(&c->folded);
    buf_release(&c->map);
    paper_free(c->known);
    free(c);
}

const uint64_t *chunker_repairs(const struct chunker *c)
{
    return c->clean.counts;
}

void chunker_mark(struct chunker *c)
{
    memcpy(c->before, c->clean.counts, sizeof c->before);
}

/* ---- one chunk ---- */

static void put_or_null(struct buf *out, const char *key, struct sv s)
{
    json_key(out, key);
    if (s.n)
        json_put_str(out, s);
    else
        json_put_null(out);
}

static void put_position(struct buf *out, const char *key, size_t n)
{
    json_key(out, key);
    json_put_int(out, (int64_t)n);
}

static void put_terms(struct chunker *c, struct buf *out, struct sv text)
{
    json_key(out, "terms");
    json_open(out, '[');
    struct term t;
    terms_start(c->terms, text);
    while (terms_next(c->terms, &t))
        json_put_str(out, t.text);
    json_close(out, ']');
}

/* What a model embeds: the lines asked for, then the text. */
static void put_embed(struct chunker *c, struct buf *out, const struct piece *p)
{
    struct sv title = c->cfg->prefix & PREFIX_TITLE ? c->title : SV_NONE;
    struct sv section = c->cfg->prefix & PREFIX_SECTION ? p->section : SV_NONE;
    buf_reset(&c->embed);
    buf_sv(&c->embed, title);
    buf_str(&c->embed, title.n ? "\n" : "");
    buf_sv(&c->embed, section);
    buf_str(&c->embed, section.n ? "\n" : "");
    buf_sv(&c->embed, p->text);
    json_key(out, "embed_text");
    json_put_str(out, buf_view(&c->embed));
}

static void put_folded(struct chunker *c, struct buf *out, struct sv text)
{
    buf_reset(&c->folded);
    buf_reset(&c->map);
    fold_text(&c->folded, &c->map, text);
    json_key(out, "folded");
    json_open(out, '{');
    json_key(out, "text");
    json_put_str(out, buf_view(&c->folded));
    json_key(out, "map");
    json_put_raw(out, buf_view(&c->map));
    json_close(out, '}');
}

/* The repairs of the part a chunk is from, those made at all. */
static void put_trace(struct chunker *c, struct buf *out)
{
    struct sv names = SV(CLEAN_NAMES), name;
    json_key(out, "trace");
    json_open(out, '[');
    for (size_t i = 0; i < json_len(c->trace); i++)
        json_put_jv(out, json_at(c->trace, i));
    json_open(out, '{');
    json_key(out, "tool");
    json_put_str(out, SV("gr-chunk"));
    json_key(out, "repairs");
    json_open(out, '{');
    for (size_t i = 0; sv_cut(&names, '|', &name); i++) {
        if (c->clean.counts[i] == c->before[i])
            continue;
        json_key_sv(out, name);
        json_put_int(out, (int64_t)(c->clean.counts[i] - c->before[i]));
    }
    json_close(out, '}');
    json_close(out, '}');
    json_close(out, ']');
}

void chunk_emit(struct chunker *c, const struct piece *p, struct buf *out)
{
    buf_char(out, '{');
    struct buf id = BUF_INIT;
    buf_sv(&id, c->paper);
    buf_printf(&id, "#%04zu", c->n);
    json_key(out, F_ID);
    json_put_str(out, buf_view(&id));
    buf_release(&id);
    json_key(out, F_PAPER);
    json_put_str(out, c->paper);
    put_position(out, "n", c->n++);
    json_key(out, "kind");
    json_put_str(out, sv_from(p->kind));
    put_or_null(out, "section", p->section);
    put_or_null(out, "section_n", p->section_n);
    if (p->section_id.n)
        put_or_null(out, "section_id", p->section_id);
    if (p->is_slice) {
        put_position(out, "start", p->start);
        put_position(out, "end", p->end);
        put_position(out, "source_start", p->source_start);
        put_position(out, "source_end", p->source_end);
        if (p->overlap_before)
            put_position(out, "overlap_before", p->overlap_before);
        if (p->overlap_after)
            put_position(out, "overlap_after", p->overlap_after);
    }
    put_position(out, "n_tokens", p->n_tokens);
    json_key(out, F_TEXT);
    json_put_str(out, p->text);
    if (p->table.n) {
        json_key(out, "table");
        json_put_raw(out, p->table);
    }
    json_key(out, "refs");
    refs_put(&c->refs, p->start, p->is_slice ? p->end : 0, out);
    if (c->terms)
        put_terms(c, out, p->text);
    if (c->cfg->prefix)
        put_embed(c, out, p);
    if (c->cfg->has_folded)
        put_folded(c, out, p->text);
    if (c->cfg->has_trace)
        put_trace(c, out);
    if (c->meta.len)
        json_put_raw(out, buf_view(&c->meta));
    buf_str(out, "}\n");
}

/* ---- one part of a paper ---- */

/* A heading on one clean line; valid until the next call. */
static struct sv heading(struct chunker *c, struct sv head)
{
    clean_run(&c->clean, head, c->cfg->clean & ~(unsigned)CLEAN_LINES);
    buf_reset(&c->heads);
    for (size_t i = 0; i < c->clean.text.len; i++) {
        char ch = c->clean.text.data[i];
        buf_char(&c->heads, ch == '\n' ? ' ' : ch);
    }
    return sv_trim(buf_view(&c->heads));
}

/* Code points of the text that two neighbouring windows share. */
static size_t shared(struct sv text, const struct window *one, const struct window *next)
{
    return one->to > next->from ? utf8_count(sv_from_to(text, next->from, one->to)) : 0;
}

/* Windows of one text. p says what they are. */
static void chunk_text(struct chunker *c, struct piece *p, struct sv text, struct buf *out)
{
    chunker_mark(c);
    clean_run(&c->clean, text, c->cfg->clean);
    struct sv clean = buf_view(&c->clean.text);
    refs_place(&c->refs, p->refs, &c->clean);
    windows_make(&c->windows, &c->cfg->window, clean);
    size_t byte = 0, chars = 0; /* the same place, counted twice */
    p->is_slice = true;
    for (size_t i = 0; i < c->windows.n; i++) {
        struct window *w = &c->windows.items[i];
        chars += utf8_count(sv_from_to(clean, byte, w->from));
        byte = w->from;
        p->text = sv_from_to(clean, w->from, w->to);
        p->start = chars;
        p->end = chars + utf8_count(p->text);
        p->source_start = clean_source(&c->clean, p->start);
        p->source_end = clean_source(&c->clean, p->end);
        p->overlap_before = i ? p->overlap_after : 0; /* of the window before */
        p->overlap_after = i + 1 < c->windows.n ? shared(clean, w, w + 1) : 0;
        p->n_tokens = w->n_tokens;
        chunk_emit(c, p, out);
    }
}

/* References in a text that is not a section's: of a member "…_spans". */
static jv refs_of(jv owner, const char *spans)
{
    return json_get(json_get(owner, spans), "refs");
}

static int chunk_section(struct chunker *c, jv section, struct buf *out, struct err *err)
{
    struct piece p = { .kind = "body", .refs = jv_null() };
    struct sv text = SV_NONE, head = SV_NONE;
    if (!json_is_object(section))
        return err_set(err, EXIT_REJECTED, "field \"sections\": expected objects");
    if (json_opt_str(section, "text", &text, err) < 0 ||
        json_opt_str(section, "head", &head, err) < 0 ||
        json_opt_str(section, "id", &p.section_id, err) < 0 ||
        json_opt_array(section, "refs", &p.refs, err) < 0)
        return -1;
    p.section_n = json_sv(json_get(section, "n"));
    p.section = heading(c, head);
    chunk_text(c, &p, text, out);
    return 0;
}

static int chunk_sections(struct chunker *c, const struct rec *paper, struct buf *out,
                          struct err *err)
{
    jv sections;
    int rc = json_opt_array(paper->v, "sections", &sections, err);
    for (size_t i = 0; rc == 1 && i < json_len(sections); i++)
        if (chunk_section(c, json_at(sections, i), out, err) < 0)
            return -1;
    struct sv text;
    if (rc == 0 && (rc = json_opt_str(paper->v, F_TEXT, &text, err)) == 1) {
        struct piece p = { .kind = "body", .refs = json_get(paper->v, "refs") };
        chunk_text(c, &p, text, out);
    }
    return rc < 0 ? -1 : 0;
}

static int chunk_abstract(struct chunker *c, const struct rec *paper, struct buf *out,
                          struct err *err)
{
    struct sv text;
    int rc = json_opt_str(paper->v, "abstract", &text, err);
    if (rc == 1) {
        struct piece p = { .kind = "abstract", .section = SV("Abstract") };
        p.refs = refs_of(paper->v, "abstract_spans");
        chunk_text(c, &p, text, out);
    }
    return rc < 0 ? -1 : 0;
}

static int chunk_tables(struct chunker *c, const struct rec *paper, struct buf *out,
                        struct err *err)
{
    jv tables;
    int rc = json_opt_array(paper->v, "tables", &tables, err);
    for (size_t i = 0; rc == 1 && i < json_len(tables); i++)
        if (chunk_table(c, json_at(tables, i), out, err) < 0)
            return -1;
    return rc < 0 ? -1 : 0;
}

static int chunk_captions(struct chunker *c, const struct rec *paper, struct buf *out,
                          struct err *err)
{
    jv figures;
    int rc = json_opt_array(paper->v, "figures", &figures, err);
    for (size_t i = 0; rc == 1 && i < json_len(figures); i++) {
        jv f = json_at(figures, i);
        struct sv caption = SV_NONE, head = SV_NONE;
        struct piece p = { .kind = "caption", .refs = refs_of(f, "caption_spans") };
        if (json_opt_str(f, "caption", &caption, err) < 0 ||
            json_opt_str(f, "head", &head, err) < 0 ||
            json_opt_str(f, "id", &p.section_id, err) < 0)
            return -1;
        p.section = heading(c, head);
        chunk_text(c, &p, caption, out);
    }
    return rc < 0 ? -1 : 0;
}

static int chunk_notes(struct chunker *c, const struct rec *paper, struct buf *out,
                       struct err *err)
{
    jv notes;
    int rc = json_opt_array(paper->v, "footnotes", &notes, err);
    for (size_t i = 0; rc == 1 && i < json_len(notes); i++) {
        jv note = json_at(notes, i);
        struct piece p = { .kind = "note", .section = SV("Footnotes") };
        p.refs = json_get(note, "refs");
        chunk_text(c, &p, json_sv(json_is_object(note) ? json_get(note, "text") : note), out);
    }
    return rc < 0 ? -1 : 0;
}

static int chunk_back(struct chunker *c, const struct rec *paper, struct buf *out,
                      struct err *err)
{
    jv back, value, spans = json_get(paper->v, "back_spans");
    struct sv key;
    int rc = json_opt_object(paper->v, "back", &back, err);
    for (size_t i = 0; rc == 1 && json_each(back, &i, &key, &value);) {
        struct piece p = { .kind = "back", .section = key };
        p.refs = json_get(json_get(spans, key.p), "refs"); /* libjq's strings end in NUL */
        if (!sv_is(key, "references"))                     /* a list, no text */
            chunk_text(c, &p, json_sv(value), out);
    }
    return rc < 0 ? -1 : 0;
}

/* ---- metadata ---- */

/* "Smith", "Smith & Jones", "Smith et al." */
static void put_short_authors(struct buf *b, jv authors)
{
    size_t n = json_len(authors);
    struct buf text = BUF_INIT;
    for (size_t i = 0; i < n && i < (n > 2 ? 1 : 2); i++) {
        jv a = json_at(authors, i);
        struct sv family = json_sv(json_is_object(a) ? json_get(a, "family") : a);
        if (!family.n)
            family = json_sv(json_get(a, "given"));
        buf_str(&text, text.len && family.n ? " & " : "");
        buf_sv(&text, family);
    }
    if (n > 2 && text.len)
        buf_str(&text, " et al.");
    json_key(b, "authors");
    if (text.len)
        json_put_str(b, buf_view(&text));
    else
        json_put_null(b);
    buf_release(&text);
}

/* Members of a paper that this tool uses up, sorted; all others are copied to every chunk. */
static const char *const used[] = {
    "abstract",     "abstract_spans", "abstracts",
    "affiliations", "authors",        "back",
    "back_spans",   "book",           "chapter",
    "columns",      "coords",         "date",
    "date_text",    "dates",          "doi",
    "edition",      "editors",        "eissn",
    "figures",      "footnotes",      "formulas",
    "funders",      "grants",         "id",
    "ids",          "institution",    "issn",
    "issue",        "journal",        "journal_abbrev",
    "keywords",     "language",       "licence",
    "meeting",      "meeting_place",  "note",
    "page_sizes",   "pages",          "part",
    "place",        "publisher",      "raw",
    "references",   "refs",           "report_type",
    "rights",       "sections",       "series",
    "source",       "submission",     "tables",
    "text",         "title",          "title_coords",
    "title_spans",  "titles",         "trace",
    "urls",         "volume",         "year",
};

/* Is there a member that is not in `used`? */
static bool has_more(const struct rec *paper)
{
    jv v = paper->v;
    bool more = false;
    for (int i = jv_object_iter(v); jv_object_iter_valid(v, i) && !more;
         i = jv_object_iter_next(v, i)) {
        jv key = jv_object_iter_key(v, i);
        more = true;
        for (size_t k = 0; k < ARRAY_LEN(used) && more; k++)
            more = !sv_is(json_sv(key), used[k]);
        jv_free(key);
    }
    return more;
}

static void make_meta(struct chunker *c, const struct rec *paper)
{
    static const char *const copied[] = { "title", "doi", "year", "journal", "trace" };
    size_t n = ARRAY_LEN(copied) - c->cfg->has_trace; /* put_trace adds to the last one */
    buf_reset(&c->meta);
    for (size_t i = 0; i < n; i++) {
        if (!jv_object_has(jv_copy(paper->v), jv_string(copied[i])))
            continue;
        json_key(&c->meta, copied[i]);
        json_put_jv(&c->meta, json_get(paper->v, copied[i]));
    }
    put_short_authors(&c->meta, json_get(paper->v, "authors"));
    if (!has_more(paper))
        return;
    struct buf rest = BUF_INIT;
    rec_begin(&rest, paper, used, ARRAY_LEN(used));
    if (rest.len > 1)
        json_put_raw(&c->meta, sv_from_to(buf_view(&rest), 1, rest.len));
    buf_release(&rest);
}

/* Texts that tell of each other while they are cleaned. */
static void know_texts(struct chunker *c, const struct rec *paper)
{
    static const char *const lists[] = { "sections", "footnotes" };
    paper_reset(c->known);
    paper_add(c->known, json_sv(json_get(paper->v, "abstract")));
    paper_add(c->known, json_sv(json_get(paper->v, F_TEXT)));
    for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
        jv list = json_get(paper->v, lists[k]);
        for (size_t i = 0; i < json_len(list); i++) {
            jv part = json_at(list, i);
            if (json_is_object(part))
                paper_add(c->known, json_sv(json_get(part, "text")));
        }
    }
}

int chunk_paper(struct chunker *c, const struct rec *paper, struct buf *out, struct err *err)
{
    if (json_need_str(paper->v, F_ID, &c->paper, err) < 0)
        return -1;
    if (!c->paper.n)
        return err_set(err, EXIT_REJECTED, "field \"id\": empty");
    c->n = 0;
    c->title = json_sv(json_get(paper->v, "title"));
    c->trace = json_get(paper->v, "trace");
    know_texts(c, paper);
    make_meta(c, paper);
    const struct chunk_cfg *cfg = c->cfg;
    if (chunk_abstract(c, paper, out, err) < 0 || chunk_sections(c, paper, out, err) < 0 ||
        (!cfg->no_tables && chunk_tables(c, paper, out, err) < 0) ||
        (!cfg->no_captions && chunk_captions(c, paper, out, err) < 0) ||
        chunk_notes(c, paper, out, err) < 0 ||
        (cfg->has_back && chunk_back(c, paper, out, err) < 0))
        return -1;
    if (c->n)
        return 0;
    rec_warn(paper, "no text to chunk");
    return 1;
}
