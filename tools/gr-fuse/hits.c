// SPDX-License-Identifier: MIT
/*
 * hits.c — vector_hits and graph_hits of a query record, best rank first, repeats marked
 */
#include "fuse_impl.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "text.h"
#include "utf8.h"

/* One hit's place in its array and its rank: what hits are sorted by. */
struct place {
    size_t at;
    double rank;
};

static int place_cmp(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->rank < y->rank || x->rank > y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Places of the hits of an array in the order of their ranks. Caller frees. */
static struct place *places_of(jv hits, size_t n)
{
    struct place *places = alloc_array(n, sizeof *places);
    for (size_t i = 0; i < n; i++) {
        double rank = json_num(json_get(json_at(hits, i), "rank"));
        places[i] = (struct place){ i, isfinite(rank) ? rank : (double)(i + 1) };
    }
    qsort(places, n, sizeof *places, place_cmp);
    return places;
}

/* "PAPER#0007" is of PAPER. */
static struct sv paper_of(struct sv chunk)
{
    for (size_t i = chunk.n; i > 0; i--)
        if (chunk.p[i - 1] == '#')
            return (struct sv){ chunk.p, i - 1 };
    return SV_NONE;
}

static bool is_offset(double v)
{
    return v >= 0 && v <= 1e12;
}

/* Chunks that the search left out for this one, or put into it: facts from them are its own. */
static void read_also(jv hit, const char *field, struct passage *p)
{
    jv ids = json_get(hit, field);
    size_t n = json_is_array(ids) ? json_len(ids) : 0;
    p->also = alloc_resize(p->also, p->n_also + n + 1, sizeof *p->also);
    for (size_t i = 0; i < n; i++) {
        struct sv id = json_sv(json_at(ids, i));
        if (id.n && !sv_eq(id, p->id))
            p->also[p->n_also++] = id;
    }
}

static int read_passage(jv hit, struct passage *p, struct err *err)
{
    struct sv text = SV_NONE;
    if (!json_is_object(hit))
        return err_set(err, EXIT_REJECTED, "expected object");
    if (json_need_str(hit, F_ID, &p->id, err) < 0 ||
        json_need_str(hit, F_TEXT, &text, err) < 0 ||
        json_opt_str(hit, F_PAPER, &p->paper, err) < 0)
        return -1;
    p->section = json_sv(json_get(hit, "section"));
    p->title = json_sv(json_get(hit, "title"));
    p->authors = json_sv(json_get(hit, "authors"));
    p->doi = json_sv(json_get(hit, "doi"));
    p->via = json_sv(json_get(hit, "via"));
    p->section_n = json_sv(json_get(hit, "section_n"));
    p->year = json_num(json_get(hit, "year"));
    p->score = json_num(json_get(hit, "score"));
    if (!p->paper.n)
        p->paper = paper_of(p->id);
    buf_sv(&p->text, sv_trim(text));
    double start = json_num(json_get(hit, "start")), end = json_num(json_get(hit, "end"));
    if (is_offset(start) && is_offset(end) && text.n == p->text.len) {
        p->start = (size_t)start;
        p->end = (size_t)end;
        p->has_span = p->end >= p->start && p->end - p->start == utf8_count(text);
    }
    p->parts = alloc_array(1, sizeof *p->parts);
    p->parts[0] = (struct part){ p->id, 0, p->text.len };
    p->n_parts = 1;
    read_also(hit, "same", p);
    read_also(hit, "ids", p);
    return 0;
}

/* A chunk that the graph walk reached, at place `rank` of graph_chunks: the passage of that id
 * rises; one that no passage has becomes one when its text is at hand. */
static int read_offer(struct fusion *u, struct map *seen, jv hit, size_t rank, struct err *err)
{
    struct sv id = SV_NONE;
    bool is_new;
    if (!json_is_object(hit) || json_need_str(hit, F_ID, &id, err) < 0)
        return err_set(err, EXIT_REJECTED,
                       "field \"" F_GRAPH_CHUNKS "\": hit %zu: expected an object with id",
                       rank);
    map_put(seen, id, &is_new);
    for (size_t i = 0; i < u->n_passages && !is_new; i++)
        if (sv_eq(u->passages[i].id, id) && u->passages[i].gone != GONE_REPEAT &&
            is_better(rank, u->passages[i].graph_rank))
            u->passages[i].graph_rank = rank;
    if (!is_new || !json_sv(json_get(hit, F_TEXT)).n)
        return 0;
    struct passage *p = &u->passages[u->n_passages++];
    if (read_passage(hit, p, err) < 0)
        return err_prefix(err, "field \"" F_GRAPH_CHUNKS "\": hit %zu", rank);
    p->via = SV("graph");
    p->graph_rank = rank;
    p->gone = p->text.len ? GONE_NOT : GONE_EMPTY;
    return 0;
}

static int read_passages(struct fusion *u, jv hits, jv more, struct err *err)
{
    size_t all = json_len(hits), n = all < FUSE_MAX_HITS ? all : FUSE_MAX_HITS;
    size_t n_more = json_len(more) < FUSE_MAX_HITS ? json_len(more) : FUSE_MAX_HITS;
    struct place *places = places_of(hits, all);
    struct map *seen = map_new();
    u->passages = alloc_zero(n + n_more, sizeof *u->passages);
    u->n_beyond += all - n;
    int rc = 0;
    for (size_t i = 0, rank = 0; i < n && rc == 0; i++) {
        struct passage *p = &u->passages[u->n_passages++];
        rc = read_passage(json_at(hits, places[i].at), p, err);
        if (rc < 0) {
            err_prefix(err, "field \"" F_VECTOR_HITS "\": hit %zu", places[i].at + 1);
            break;
        }
        bool is_new;
        map_put(seen, p->id, &is_new);
        p->gone = !is_new ? GONE_REPEAT : p->text.len ? GONE_NOT : GONE_EMPTY;
        p->rank = is_new ? ++rank : 0;
    }
    for (size_t i = 0; i < n_more && rc == 0; i++)
        rc = read_offer(u, seen, json_at(more, i), i + 1, err);
    map_free(seen);
    free(places);
    return rc;
}

/* ---- facts ---- */

/* A node is its name, or {name,type,id}. */
static int read_node(jv hit, const char *field, struct sv *name, struct err *err)
{
    jv v = json_get(hit, field);
    if (json_is_object(v))
        v = json_get(v, "name");
    *name = sv_trim(json_sv(v));
    if (!name->n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected a name or {\"name\":…}",
                       field);
    return 0;
}

/* 22.1 ± 0.3 Ma; 35–70 wt.% */
static void value_text(jv value, struct buf *b)
{
    double number = json_num(json_get(value, "number"));
    double high = json_num(json_get(value, "high"));
    double error = json_num(json_get(value, "error"));
    double low = json_num(json_get(value, "error_low"));
    struct sv unit = json_sv(json_get(value, "unit"));
    if (!isfinite(number))
        return;
    struct buf num = BUF_INIT;
    json_put_num(&num, number);
    if (isfinite(high)) {
        buf_str(&num, "–");
        buf_sv(b, buf_view(&num));
        buf_reset(&num);
        json_put_num(&num, high);
    }
    if (isfinite(error)) {
        buf_sv(b, buf_view(&num));
        buf_str(b, isfinite(low) ? " +" : " ± ");
        buf_reset(&num);
        json_put_num(&num, error);
    }
    if (isfinite(low)) {
        buf_sv(b, buf_view(&num));
        buf_str(b, "/−");
        buf_reset(&num);
        json_put_num(&num, fabs(low));
    }
    buf_sv(b, buf_view(&num));
    buf_release(&num);
    if (unit.n) {
        if (!sv_is(unit, "‰") && !sv_is(unit, "%"))
            buf_char(b, ' ');
        buf_sv(b, unit);
    }
}

/* The tail's text, with the measurement in it when there is one and it lacks it. */
static void tail_text(jv hit, struct sv name, struct buf *b)
{
    jv value = json_get(hit, "value");
    struct buf number = BUF_INIT, said = BUF_INIT;
    if (json_is_object(value) && isfinite(json_num(json_get(value, "number")))) {
        json_put_num(&number, json_num(json_get(value, "number")));
        value_text(value, &said);
    }
    buf_sv(b, name);
    /* "22.1 ± 0.3 Ma" as a tail says it itself; so does "−0.39" with a minus sign. */
    struct sv digits = buf_view(&number);
    if (digits.n && digits.p[0] == '-')
        digits = sv_from_to(digits, 1, digits.n);
    if (said.len && sv_find(name, digits, 0) == SIZE_MAX) {
        buf_char(b, ' ');
        buf_sv(b, buf_view(&said));
    }
    buf_release(&number);
    buf_release(&said);
}

/* Before a fact that is not plainly said: nobody may take it for one that is. */
static const char *stance_words(jv hit)
{
    bool denied = sv_ieq(json_sv(json_get(hit, "polarity")), SV("negative"));
    bool unsupported = json_is_true(json_get(hit, "unsupported"));
    return denied && unsupported ? FACT_BOTH
           : denied              ? FACT_DENIED
           : unsupported         ? FACT_UNSUPPORTED
                                 : "";
}

/* "δ13C Has Value 2.1‰" is wrong where 2.1 ‰ is by how much it changes. */
static struct sv relation_text(jv hit, struct sv relation, struct sv tail)
{
    bool is_change = json_is_true(json_get(json_get(hit, "value"), "change")) &&
                     !text_has_word(tail, SV(FACT_CHANGE_WORDS));
    return is_change ? SV(FACT_CHANGES) : sv_trim(relation);
}

static int read_fact(jv hit, struct fact *f, struct buf *key, struct err *err)
{
    struct sv head = SV_NONE, relation = SV_NONE, tail = SV_NONE, chunk = SV_NONE;
    struct buf b = BUF_INIT;
    if (!json_is_object(hit))
        return err_set(err, EXIT_REJECTED, "expected object");
    if (read_node(hit, "head", &head, err) < 0 ||
        json_need_str(hit, "relation", &relation, err) < 0 ||
        read_node(hit, "tail", &tail, err) < 0 || json_opt_str(hit, "chunk", &chunk, err) < 0 ||
        json_opt_str(hit, F_PAPER, &f->paper, err) < 0)
        return -1;
    tail_text(hit, tail, &b);
    relation = relation_text(hit, relation, tail);
    buf_str(&f->text, stance_words(hit));
    buf_sv(&f->text, head);
    buf_char(&f->text, ' ');
    buf_sv(&f->text, relation);
    buf_char(&f->text, ' ');
    buf_sv(&f->text, buf_view(&b));
    f->evidence = sv_trim(json_sv(json_get(hit, "evidence")));
    f->score = json_num(json_get(hit, "score"));
    f->hops = json_num(json_get(hit, "hops"));
    if (chunk.n)
        f->chunks[f->n_chunks++] = chunk;
    if (!f->paper.n)
        f->paper = paper_of(chunk);
    f->n_tokens = word_count(buf_view(&f->text));
    buf_str(key, stance_words(hit));
    text_key(head, TEXT_KEY_PLAIN, key);
    buf_char(key, '\n');
    text_key(relation, TEXT_KEY_PLAIN, key);
    buf_char(key, '\n');
    text_key(buf_view(&b), TEXT_KEY_PLAIN, key);
    buf_release(&b);
    return 0;
}

/* A fact said again elsewhere: the first one gets that chunk too. */
static void add_chunk(struct fact *f, const struct fact *again)
{
    if (!again->n_chunks || f->n_chunks == FACT_CHUNKS)
        return;
    for (size_t i = 0; i < f->n_chunks; i++)
        if (sv_eq(f->chunks[i], again->chunks[0]))
            return;
    f->chunks[f->n_chunks++] = again->chunks[0];
}

static int read_facts(struct fusion *u, jv hits, struct err *err)
{
    size_t all = json_len(hits), n = all < FUSE_MAX_HITS ? all : FUSE_MAX_HITS;
    struct place *places = places_of(hits, all);
    struct map *seen = map_new();
    size_t *first = alloc_zero(n, sizeof *first), rank = 0;
    struct buf key = BUF_INIT;
    u->facts = alloc_zero(n, sizeof *u->facts);
    u->n_beyond += all - n;
    int rc = 0;
    for (size_t i = 0; i < n; i++) {
        struct fact *f = &u->facts[u->n_facts++];
        buf_reset(&key);
        rc = read_fact(json_at(hits, places[i].at), f, &key, err);
        if (rc < 0) {
            err_prefix(err, "field \"" F_GRAPH_HITS "\": hit %zu", places[i].at + 1);
            break;
        }
        bool is_new;
        size_t ord = map_put(seen, buf_view(&key), &is_new);
        if (is_new) {
            first[ord] = i;
            f->rank = ++rank;
        } else {
            f->gone = GONE_REPEAT;
            add_chunk(&u->facts[first[ord]], f);
        }
    }
    buf_release(&key);
    free(first);
    map_free(seen);
    free(places);
    return rc;
}

int hits_read(struct fusion *u, struct err *err)
{
    jv vector = jv_null(), graph = jv_null(), offers = jv_null();
    int has_vector = json_opt_array(u->rec->v, F_VECTOR_HITS, &vector, err);
    int has_graph = has_vector < 0 ? -1 : json_opt_array(u->rec->v, F_GRAPH_HITS, &graph, err);
    if (has_vector < 0 || has_graph < 0)
        return -1;
    if (!has_vector && !has_graph)
        return err_set(err, EXIT_REJECTED,
                       "neither \"" F_VECTOR_HITS "\" nor \"" F_GRAPH_HITS
                       "\": search before you fuse");
    if (json_opt_array(u->rec->v, F_GRAPH_CHUNKS, &offers, err) < 0)
        return -1;
    if (u->cfg->is_baseline || u->cfg->weight_graph <= 0)
        offers = jv_null();
    if (read_passages(u, vector, offers, err) < 0)
        return -1;
    return read_facts(u, graph, err);
}

void hits_release(struct fusion *u)
{
    for (size_t i = 0; i < u->n_passages; i++) {
        buf_release(&u->passages[i].text);
        free(u->passages[i].parts);
        free(u->passages[i].also);
    }
    for (size_t i = 0; i < u->n_facts; i++)
        buf_release(&u->facts[i].text);
    free(u->passages);
    free(u->facts);
}
