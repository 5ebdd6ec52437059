// SPDX-License-Identifier: MIT
/*
 * answer.c — writing an answer as a record and as text
 */
#include "answer.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "utf8.h"

/* Code points before byte n. */
static size_t chars(struct sv text, size_t n)
{
    return utf8_count(sv_from_to(text, 0, n));
}

/* ---- citations ---- */

/* The chunk that byte `at` of the entry's text came from. */
static struct sv chunk_at(const struct source *s, const struct entry *e, size_t at)
{
    size_t pos = chars(e->text, at);
    for (size_t i = 0; e->kind == ENTRY_PASSAGE && i < s->n_parts; i++)
        if (pos >= s->parts[i].start && pos < s->parts[i].end)
            return s->parts[i].chunk;
    return s->chunk;
}

static void put_quote(const struct answer *a, const struct claim *claim, const struct quote *q,
                      struct buf *out)
{
    const struct source *s = &a->ctx.sources[q->source];
    struct sv response = buf_view(&a->text);
    json_open(out, '{');
    json_add_size(out, "n", s->n);
    if (q->piece.entry != NO_SOURCE) {
        const struct entry *e = &a->ctx.entries[q->piece.entry];
        json_add_str(out, "chunk", chunk_at(s, e, q->piece.from));
        json_add_str(out, F_PAPER, s->paper);
        json_add_str(out, "doi", s->doi);
        json_add_str(out, "quote", sv_from_to(e->text, q->piece.from, q->piece.to));
        json_add_str(out, "of",
                     sv_from(e->kind == ENTRY_PASSAGE ? "vector"
                             : e->kind == ENTRY_FACT  ? "graph"
                                                      : "evidence"));
        json_add_str(out, "key", sv_from(e->key));
        json_add_size(out, "start", chars(e->text, q->piece.from));
        json_add_size(out, "end", chars(e->text, q->piece.to));
    } else {
        json_add_str(out, "chunk", s->chunk);
        json_add_str(out, F_PAPER, s->paper);
        json_add_str(out, "doi", s->doi);
    }
    json_add_size(out, "response_start", chars(response, claim->from));
    json_add_size(out, "response_end", chars(response, claim->to));
    json_add_str(out, "verdict", sv_from(verdict_name(claim->verdict)));
    json_close(out, '}');
}

static void put_citations(const struct answer *a, struct buf *out)
{
    json_key(out, F_CITATIONS);
    json_open(out, '[');
    for (size_t i = 0; i < a->claims.n; i++)
        for (size_t k = 0; k < a->claims.items[i].n_quotes; k++)
            put_quote(a, &a->claims.items[i], &a->claims.items[i].quotes[k], out);
    json_close(out, ']');
}

static bool is_bad(const struct claim *c)
{
    return c->verdict != VERDICT_SUPPORTED && c->verdict != VERDICT_PLAIN;
}

static void put_bad(const struct answer *a, const struct claim *claim, struct buf *out)
{
    struct sv response = buf_view(&a->text);
    json_open(out, '{');
    json_add_str(out, "status", sv_from(verdict_name(claim->verdict)));
    json_add_str(out, "sentence", sv_from_to(response, claim->from, claim->to));
    json_add_size(out, "start", chars(response, claim->from));
    json_add_size(out, "end", chars(response, claim->to));
    json_key(out, "cited");
    json_open(out, '[');
    for (size_t i = 0; i < claim->n_quotes; i++)
        json_put_int(out, (int64_t)a->ctx.sources[claim->quotes[i].source].n);
    for (size_t i = 0; i < claim->n_unknown; i++)
        json_put_int(out, (int64_t)claim->unknown[i]);
    json_close(out, ']');
    if (claim->found_in != NO_SOURCE)
        json_add_size(out, "found_in", a->ctx.sources[claim->found_in].n);
    json_add_str(out, "why", buf_view(&claim->why));
    json_close(out, '}');
}

static void put_unsupported(const struct answer *a, struct buf *out)
{
    json_key(out, "unsupported");
    json_open(out, '[');
    for (size_t i = 0; i < a->claims.n && !a->is_refused; i++)
        if (is_bad(&a->claims.items[i]))
            put_bad(a, &a->claims.items[i], out);
    json_close(out, ']');
}

/* ---- usage and trace ---- */

static void put_usage(const struct answer *a, struct buf *out)
{
    double in = a->is_from_model ? a->reply.llm.n_prompt : 0,
           answer = a->is_from_model ? a->reply.llm.n_answer : 0;
    json_key(out, "usage");
    json_open(out, '{');
    if (isfinite(in) && isfinite(answer)) {
        json_key(out, "prompt_tokens");
        json_put_num(out, in);
        json_key(out, "completion_tokens");
        json_put_num(out, answer);
        json_key(out, "total_tokens");
        json_put_num(out, in + answer);
    }
    json_close(out, '}');
}

static void put_trace(const struct answer *a, struct buf *out)
{
    struct buf e = BUF_INIT;
    size_t n_bad = 0, n_supported = 0;
    for (size_t i = 0; i < a->claims.n; i++) {
        n_bad += !a->is_refused && is_bad(&a->claims.items[i]);
        n_supported += a->claims.items[i].verdict == VERDICT_SUPPORTED;
    }
    json_open(&e, '{');
    json_add_str(&e, "tool", SV("gr-generate"));
    json_add_str(&e, "generator", buf_view(&a->generator));
    if (a->is_from_model) {
        json_add_str(&e, "finish_reason", sv_from(a->reply.llm.finish));
    } else {
        json_key(&e, "support");
        json_put_num(&e, round(a->extract.support * 1000) / 1000);
        json_add_size(&e, "sentences", a->extract.n_sentences);
    }
    json_add_size(&e, "supported", n_supported);
    json_add_size(&e, "unsupported", n_bad);
    if (a->is_refused && !a->ctx.n_entries)
        json_add_str(&e, "why", SV("the context is empty"));
    else if (a->is_refused && !a->is_from_model) {
        struct buf why = BUF_INIT;
        buf_printf(&why, "no source has --min-support=%g of the question's words",
                   a->min_support);
        json_add_str(&e, "why", buf_view(&why));
        buf_release(&why);
    }
    json_close(&e, '}');
    rec_trace(out, a->rec, buf_view(&e));
    buf_release(&e);
}

void answer_json(const struct answer *a, struct buf *out)
{
    static const char *const drop[] = { F_RESPONSE, F_CITATIONS, "unsupported", "generator",
                                        "usage",    "refused",   F_TRACE };
    rec_begin(out, a->rec, drop, ARRAY_LEN(drop));
    json_key(out, F_RESPONSE);
    json_put_str(out, buf_view(&a->text));
    put_citations(a, out);
    put_unsupported(a, out);
    if (a->is_refused) {
        json_key(out, "refused");
        json_put_bool(out, true);
    }
    json_add_str(out, "generator", buf_view(&a->generator));
    put_usage(a, out);
    put_trace(a, out);
    rec_end(out);
}

/* ---- for people ---- */

/* One line, whatever the text holds: a source cannot draw on the terminal. */
static void put_line(struct buf *out, struct sv text)
{
    for (size_t pos = 0; pos < text.n;) {
        uint32_t cp = utf8_next(text, &pos);
        if (cp < 0x20 || utf8_is_trick(cp))
            buf_char(out, ' ');
        else
            utf8_put(out, cp);
    }
}

static bool is_cited(const struct answer *a, size_t source)
{
    for (size_t i = 0; i < a->claims.n; i++)
        for (size_t k = 0; k < a->claims.items[i].n_quotes; k++)
            if (a->claims.items[i].quotes[k].source == source)
                return true;
    return false;
}

static void put_source_line(const struct source *s, struct buf *out)
{
    const struct sv parts[] = { s->title, s->section };
    buf_printf(out, "  [%zu]", s->n);
    if (s->authors.n) {
        buf_char(out, ' ');
        put_line(out, s->authors);
    }
    if (s->year >= 1 && s->year <= 9999)
        buf_printf(out, " (%.0f)", s->year);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (!parts[i].n)
            continue;
        struct sv part = parts[i];
        while (part.n && strchr(" .", part.p[part.n - 1])) /* GROBID's "Table 1 ." */
            part.n--;
        buf_char(out, ' ');
        put_line(out, part);
        buf_char(out, '.');
    }
    if (s->doi.n) {
        buf_str(out, " doi:");
        put_line(out, s->doi);
    } else if (s->paper.n) {
        buf_char(out, ' ');
        put_line(out, s->paper);
    }
    if (s->chunk.n) {
        buf_str(out, " (");
        put_line(out, s->chunk);
        buf_char(out, ')');
    }
    buf_char(out, '\n');
}

/* A source of facts alone shows the sentences that they were read in. */
static void put_evidence(const struct context *c, size_t source, struct buf *out)
{
    for (size_t i = 0; i < c->n_entries; i++) {
        if (c->entries[i].kind != ENTRY_EVIDENCE || c->entries[i].source != source)
            continue;
        buf_str(out, "      read in: ");
        put_line(out, c->entries[i].text);
        buf_char(out, '\n');
    }
}

void answer_text(const struct answer *a, struct buf *out)
{
    bool has_head = false;
    put_line(out, json_sv(json_get(a->rec->v, F_QUERY)));
    buf_str(out, "\n\n");
    struct sv rest = buf_view(&a->text), line;
    while (sv_cut(&rest, '\n', &line)) {
        put_line(out, line);
        buf_char(out, '\n');
    }
    for (size_t s = 0; s < a->ctx.n_sources; s++) {
        if (!is_cited(a, s))
            continue;
        buf_str(out, has_head ? "" : "\nSources\n");
        has_head = true;
        put_source_line(&a->ctx.sources[s], out);
        put_evidence(&a->ctx, s, out);
    }
    has_head = false;
    for (size_t i = 0; i < a->claims.n && !a->is_refused; i++) {
        const struct claim *c = &a->claims.items[i];
        if (!is_bad(c))
            continue;
        buf_str(out, has_head ? "" : "\nNot supported by the sources\n");
        has_head = true;
        buf_printf(out, "  %s: ", verdict_name(c->verdict));
        put_line(out, sv_from_to(buf_view(&a->text), c->from, c->to));
        buf_str(out, " (");
        put_line(out, buf_view(&c->why));
        buf_str(out, ")\n");
    }
    buf_char(out, '\n');
}
