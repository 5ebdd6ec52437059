// SPDX-License-Identifier: MIT
/*
 * emit.c — context, numbered sources, the trace entry, and the explanation
 */
#include "fuse_impl.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "utf8.h"

/* A source that only facts come from. */
struct fact_source {
    struct sv chunk, paper;
};

struct numbers {
    struct map *chunks; /* chunk id, or "\n" and a paper id, → source_n[ordinal] */
    size_t *n;          /* source numbers, from 1 */
    size_t cap, next;
    struct fact_source *extra; /* (n_extra) sources next - n_extra … next - 1 */
    size_t n_extra;
};

static const char *const gone_names[GONE_COUNT] = { "",          "repeated",   "empty",
                                                    "same_text", "merged",     "unused",
                                                    "over_top",  "over_budget" };

/* ---- numbering ---- */

static size_t *number_of(struct numbers *m, struct sv key, bool *is_new)
{
    size_t ord = map_put(m->chunks, key, is_new);
    if (ord >= m->cap) {
        m->cap = alloc_grow(m->cap, ord + 1);
        m->n = alloc_resize(m->n, m->cap, sizeof *m->n);
    }
    return &m->n[ord];
}

static void number_chunk(struct numbers *m, struct sv chunk, size_t n)
{
    bool is_new;
    size_t *at = number_of(m, chunk, &is_new);
    if (is_new)
        *at = n;
}

/* A fact's j-th source: its number, made when it is new. 0: the fact names no source. */
static size_t number_fact(struct numbers *m, const struct fact *f, size_t j)
{
    struct buf key = BUF_INIT;
    bool is_new;
    if (j < f->n_chunks)
        buf_sv(&key, f->chunks[j]);
    else if (f->paper.n)
        buf_printf(&key, "\n%.*s", SV_ARG(f->paper));
    else
        return 0;
    size_t *at = number_of(m, buf_view(&key), &is_new);
    if (is_new) {
        *at = m->next++;
        m->extra = alloc_resize(m->extra, m->n_extra + 1, sizeof *m->extra);
        m->extra[m->n_extra++] =
            (struct fact_source){ j < f->n_chunks ? f->chunks[j] : SV_NONE, f->paper };
    }
    buf_release(&key);
    return *at;
}

static size_t n_sources_of(const struct fact *f)
{
    return f->n_chunks ? f->n_chunks : 1;
}

static void numbers_make(const struct fusion *u, struct numbers *m)
{
    m->chunks = map_new();
    m->next = 1;
    for (size_t i = 0; i < u->n_passages; i++) {
        const struct passage *p = &u->passages[i];
        if (p->gone != GONE_NOT)
            continue;
        for (size_t j = 0; j < p->n_parts; j++)
            number_chunk(m, p->parts[j].chunk, m->next);
        for (size_t j = 0; j < p->n_also; j++)
            number_chunk(m, p->also[j], m->next);
        m->next++;
    }
    for (size_t i = 0; i < u->n_facts; i++)
        for (size_t j = 0; u->facts[i].gone == GONE_NOT && j < n_sources_of(&u->facts[i]); j++)
            number_fact(m, &u->facts[i], j);
}

/* ---- context ---- */

static void put_entry(struct buf *out, size_t i, struct sv text)
{
    char key[32];
    snprintf(key, sizeof key, "%zu", i);
    json_key(out, key);
    json_put_str(out, text);
}

static void put_context(const struct fusion *u, struct buf *out)
{
    size_t n = 0;
    json_key(out, F_CONTEXT);
    json_open(out, '{');
    json_key(out, F_VECTOR_CONTEXT);
    json_open(out, '{');
    for (size_t i = 0; i < u->n_passages; i++)
        if (u->passages[i].gone == GONE_NOT)
            put_entry(out, n++, buf_view(&u->passages[i].text));
    json_close(out, '}');
    json_key(out, F_GRAPH_CONTEXT);
    json_open(out, '{');
    n = 0;
    for (size_t i = 0; i < u->n_facts; i++)
        if (u->facts[i].gone == GONE_NOT)
            put_entry(out, n++, buf_view(&u->facts[i].text));
    json_close(out, '}');
    json_close(out, '}');
}

/* ---- sources ---- */

static void put_key(struct buf *out, size_t i)
{
    char key[32];
    snprintf(key, sizeof key, "%zu", i);
    json_put_str(out, sv_from(key));
}

static struct sv doi_of(struct sv doi, struct sv paper)
{
    return doi.n || !sv_starts(paper, SV("10.")) ? doi : paper;
}

/* "graph": keys of the facts that come from source n; and, for a source that has no passage,
 * "evidence": the sentences they were read in. */
static void put_facts(const struct fusion *u, struct numbers *m, size_t n, bool has_passage,
                      struct buf *out)
{
    struct buf keys = BUF_INIT, evidence = BUF_INIT;
    struct map *seen = map_new();
    size_t key = 0;
    for (size_t i = 0; i < u->n_facts; i++) {
        const struct fact *f = &u->facts[i];
        bool is_here = false, is_new = false;
        if (f->gone != GONE_NOT)
            continue;
        for (size_t j = 0; j < n_sources_of(f); j++)
            is_here |= number_fact(m, f, j) == n;
        if (is_here) {
            put_key(&keys, key);
            if (f->evidence.n && !has_passage && number_fact(m, f, 0) == n)
                map_put(seen, f->evidence, &is_new);
            if (is_new)
                json_put_str(&evidence, f->evidence);
        }
        key++;
    }
    if (keys.len) {
        json_key(out, "graph");
        buf_printf(out, "[%s]", buf_cstr(&keys));
    }
    if (evidence.len) {
        json_key(out, "evidence");
        buf_printf(out, "[%s]", buf_cstr(&evidence));
    }
    map_free(seen);
    buf_release(&keys);
    buf_release(&evidence);
}

static void put_parts(const struct passage *p, struct buf *out)
{
    struct sv text = buf_view(&p->text);
    json_key(out, "chunks");
    json_open(out, '[');
    for (size_t i = 0; i < p->n_parts; i++) {
        json_open(out, '{');
        json_add_str(out, "chunk", p->parts[i].chunk);
        json_add_size(out, "start", utf8_count(sv_from_to(text, 0, p->parts[i].from)));
        json_add_size(out, "end", utf8_count(sv_from_to(text, 0, p->parts[i].to)));
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void put_passage_source(const struct passage *p, size_t n, struct buf *out)
{
    json_add_size(out, "n", n);
    json_add_str(out, F_PAPER, p->paper);
    json_add_str(out, "chunk", p->id);
    json_add_str(out, "doi", doi_of(p->doi, p->paper));
    json_add_str(out, "title", p->title);
    json_add_str(out, "authors", p->authors);
    json_add_str(out, "section", p->section);
    json_add_num(out, "year", p->year);
    json_key(out, "vector");
    put_key(out, n - 1);
    if (p->has_span) {
        json_add_size(out, "start", p->start);
        json_add_size(out, "end", p->end);
    }
    if (p->n_parts > 1)
        put_parts(p, out);
    if (p->n_also) {
        json_key(out, "also");
        json_open(out, '[');
        for (size_t i = 0; i < p->n_also; i++)
            json_put_str(out, p->also[i]);
        json_close(out, ']');
    }
}

/* What the passages know of a paper, for a source that only has its id. */
static const struct passage *passage_of(const struct fusion *u, struct sv paper)
{
    for (size_t i = 0; i < u->n_passages && paper.n; i++)
        if (sv_eq(u->passages[i].paper, paper))
            return &u->passages[i];
    return NULL;
}

static void put_sources(const struct fusion *u, struct numbers *m, struct buf *out)
{
    size_t n = 0;
    json_key(out, F_SOURCES);
    json_open(out, '[');
    for (size_t i = 0; i < u->n_passages; i++) {
        if (u->passages[i].gone != GONE_NOT)
            continue;
        json_open(out, '{');
        put_passage_source(&u->passages[i], ++n, out);
        put_facts(u, m, n, true, out);
        json_close(out, '}');
    }
    for (size_t i = 0; i < m->n_extra; i++) {
        const struct passage *p = passage_of(u, m->extra[i].paper);
        json_open(out, '{');
        json_add_size(out, "n", ++n);
        json_add_str(out, F_PAPER, m->extra[i].paper);
        json_add_str(out, "chunk", m->extra[i].chunk);
        json_add_str(out, "doi", doi_of(p ? p->doi : SV_NONE, m->extra[i].paper));
        json_add_str(out, "title", p ? p->title : SV_NONE);
        json_add_str(out, "authors", p ? p->authors : SV_NONE);
        json_add_num(out, "year", p ? p->year : NAN);
        put_facts(u, m, n, false, out);
        json_close(out, '}');
    }
    json_close(out, ']');
}

/* ---- trace and explanation ---- */

struct tally {
    size_t gone[GONE_COUNT], tokens, compressed, cut;
};

static void put_tally(const struct tally *t, size_t read, struct buf *out)
{
    json_add_size(out, "read", read);
    json_add_size(out, "kept", t->gone[GONE_NOT]);
    json_add_size(out, "tokens", t->tokens);
    for (int i = 1; i < GONE_COUNT; i++)
        if (t->gone[i])
            json_add_size(out, gone_names[i], t->gone[i]);
    if (t->compressed) {
        json_add_size(out, "compressed", t->compressed);
        json_add_size(out, "sentences_cut", t->cut);
    }
}

static void put_why(const struct fusion *u, struct buf *out)
{
    struct buf why = BUF_INIT;
    if (u->cfg->compress != FUSE_COMPRESS_AUTO)
        buf_printf(&why, "--compress=%s",
                   u->cfg->compress == FUSE_COMPRESS_ALWAYS ? "always" : "never");
    else
        buf_printf(&why, "strategy %s",
                   u->is_compressed ? "expand_compress" : "keeps whole passages");
    if (u->cfg->is_baseline)
        buf_str(&why, "; --baseline: no facts");
    json_key(out, "why");
    json_put_str(out, buf_view(&why));
    buf_release(&why);
}

static void put_trace(const struct fusion *u, struct buf *out)
{
    struct buf entry = BUF_INIT;
    struct tally v = { .tokens = 0 }, g = { .tokens = 0 };
    for (size_t i = 0; i < u->n_passages; i++) {
        const struct passage *p = &u->passages[i];
        v.gone[p->gone]++;
        if (p->gone != GONE_NOT)
            continue;
        v.tokens += p->n_tokens;
        v.compressed += p->n_cut > 0;
        v.cut += p->n_cut;
    }
    for (size_t i = 0; i < u->n_facts; i++) {
        g.gone[u->facts[i].gone]++;
        g.tokens += u->facts[i].gone == GONE_NOT ? u->facts[i].n_tokens : 0;
    }
    json_open(&entry, '{');
    json_key(&entry, "tool");
    json_put_str(&entry, SV("gr-fuse"));
    json_add_size(&entry, "budget", (size_t)u->cfg->budget);
    json_key(&entry, "compress");
    json_put_bool(&entry, u->is_compressed);
    put_why(u, &entry);
    json_key(&entry, "vector");
    json_open(&entry, '{');
    put_tally(&v, u->n_passages, &entry);
    json_close(&entry, '}');
    json_key(&entry, "graph");
    json_open(&entry, '{');
    put_tally(&g, u->n_facts, &entry);
    json_close(&entry, '}');
    if (u->n_beyond)
        json_add_size(&entry, "not_read", u->n_beyond);
    json_close(&entry, '}');
    rec_trace(out, u->rec, buf_view(&entry));
    buf_release(&entry);
}

static void put_ranks(struct buf *out, size_t vector, size_t graph, double fused)
{
    if (vector)
        json_add_size(out, "vector_rank", vector);
    if (graph)
        json_add_size(out, "graph_rank", graph);
    if (fused >= 0)
        json_add_num(out, "fused", fused);
}

static void explain_passage(const struct passage *p, size_t key, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "of");
    json_put_str(out, SV("vector"));
    if (p->gone == GONE_NOT) {
        json_key(out, "key");
        put_key(out, key);
    }
    json_add_str(out, F_ID, p->id);
    json_add_str(out, "via", p->via);
    put_ranks(out, p->rank, p->graph_rank, p->fused);
    json_add_num(out, "score", p->score);
    if (p->n_tokens)
        json_add_size(out, "tokens", p->n_tokens);
    if (p->n_cut)
        json_add_size(out, "sentences_cut", p->n_cut);
    json_add_str(out, "gone", sv_from(gone_names[p->gone]));
    json_close(out, '}');
}

static void explain_fact(const struct fact *f, size_t key, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "of");
    json_put_str(out, SV("graph"));
    if (f->gone == GONE_NOT) {
        json_key(out, "key");
        put_key(out, key);
    }
    json_add_str(out, "fact", buf_view(&f->text));
    json_add_str(out, "chunk", f->n_chunks ? f->chunks[0] : SV_NONE);
    put_ranks(out, f->vector_rank, f->rank, f->fused);
    json_add_num(out, "score", f->score);
    json_add_num(out, "hops", f->hops);
    json_add_size(out, "tokens", f->n_tokens);
    json_add_str(out, "gone", sv_from(gone_names[f->gone]));
    json_close(out, '}');
}

static void put_explain(const struct fusion *u, struct buf *out)
{
    size_t key = 0;
    json_key(out, "fusion");
    json_open(out, '[');
    for (size_t i = 0; i < u->n_passages; i++) {
        explain_passage(&u->passages[i], key, out);
        key += u->passages[i].gone == GONE_NOT;
    }
    key = 0;
    for (size_t i = 0; i < u->n_facts; i++) {
        explain_fact(&u->facts[i], key, out);
        key += u->facts[i].gone == GONE_NOT;
    }
    json_close(out, ']');
}

void emit_record(struct fusion *u, struct buf *out)
{
    static const char *const drop[] = { F_CONTEXT, F_SOURCES, F_TRACE, "fusion" };
    struct numbers m = { NULL, NULL, 0, 0, NULL, 0 };
    numbers_make(u, &m);
    rec_begin(out, u->rec, drop, ARRAY_LEN(drop));
    put_context(u, out);
    put_sources(u, &m, out);
    if (u->cfg->wants_explain)
        put_explain(u, out);
    put_trace(u, out);
    rec_end(out);
    map_free(m.chunks);
    free(m.n);
    free(m.extra);
}
