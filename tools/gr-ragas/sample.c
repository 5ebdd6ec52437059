// SPDX-License-Identifier: MIT
/*
 * sample.c — reading a record to be scored
 */
#include "sample.h"

#include <math.h>

#include "alloc.h"
#include "map.h"
#include "schema.h"

/* ---- texts ---- */

static int too_many(const char *field, struct err *err)
{
    return err_set(err, EXIT_REJECTED, "field \"%s\": more than %d elements", field,
                   SAMPLE_MAX_LIST);
}

static void texts_push(struct texts *t, struct sv s)
{
    t->items = alloc_resize(t->items, t->n + 1, sizeof *t->items);
    t->items[t->n++] = s;
}

static int read_texts(struct texts *t, const struct rec *r, const char *field, struct err *err)
{
    jv list;
    int rc = json_opt_array(r->v, field, &list, err);
    if (rc <= 0)
        return rc;
    size_t n = json_len(list);
    if (n > SAMPLE_MAX_LIST)
        return too_many(field, err);
    t->is_given = true;
    t->items = alloc_array(n, sizeof *t->items);
    for (size_t i = 0; i < n; i++) {
        if (!json_is_str(json_at(list, i)))
            return err_set(err, EXIT_REJECTED, "field \"%s\": element %zu: expected string",
                           field, i);
        t->items[t->n++] = json_sv(json_at(list, i));
    }
    return 0;
}

/* One of the two members of `context`: string numbers from "0" without a gap. */
static int read_numbered(jv context, const char *member, struct texts *t, struct err *err)
{
    jv part;
    int rc = json_opt_object(context, member, &part, err);
    if (rc < 0)
        return err_prefix(err, "field \"context\"");
    char key[24];
    for (size_t i = 0; rc > 0 && i <= SAMPLE_MAX_LIST; i++) {
        snprintf(key, sizeof key, "%zu", i);
        jv v = json_get(part, key);
        if (json_is_null(v))
            return 0;
        if (!json_is_str(v))
            return err_set(err, EXIT_REJECTED, "field \"context\": %s \"%s\": expected string",
                           member, key);
        if (i == SAMPLE_MAX_LIST)
            return too_many("context", err);
        texts_push(t, json_sv(v));
    }
    return 0;
}

static void join_facts(struct buf *to, const struct texts *facts)
{
    for (size_t i = 0; i < facts->n; i++) {
        struct sv fact = sv_trim(facts->items[i]);
        buf_sv(to, fact);
        buf_str(to, sv_ends(fact, SV(".")) ? "\n\n" : ".\n\n");
    }
}

static int read_context(struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                        struct err *err)
{
    jv context;
    int rc = json_opt_object(r->v, F_CONTEXT, &context, err);
    if (rc <= 0)
        return rc;
    struct texts facts = { 0 };
    s->contexts.is_given = true;
    if (cfg->contexts != CONTEXTS_GRAPH)
        rc = read_numbered(context, F_VECTOR_CONTEXT, &s->contexts, err);
    if (rc >= 0 && cfg->contexts != CONTEXTS_VECTOR)
        rc = read_numbered(context, F_GRAPH_CONTEXT, &facts, err);
    if (rc >= 0 && facts.n) {
        join_facts(&s->facts, &facts);
        texts_push(&s->contexts, buf_view(&s->facts));
    }
    free(facts.items);
    return rc < 0 ? -1 : 0;
}

/* ---- rankings ---- */

/* Intern an id; numbers are taken as RAGAS takes them, by their digits. */
static int put_id(struct sample *s, jv v, const char *field, struct sv *id, struct err *err)
{
    struct buf digits = BUF_INIT;
    double x = json_num(v);
    if (json_is_str(v)) {
        buf_sv(&digits, json_sv(v));
    } else if (fabs(x) < 9e15 && !(fabs(x - floor(x)) > 0)) {
        buf_printf(&digits, "%.0f", x);
    } else {
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected strings or whole numbers",
                       field);
    }
    bool is_new;
    size_t i = map_put(s->ids, buf_view(&digits), &is_new);
    *id = map_key(s->ids, i);
    buf_release(&digits);
    if (i >= s->gains_cap) {
        s->gains_cap = alloc_grow(s->gains_cap, i + 1);
        s->gains = alloc_resize(s->gains, s->gains_cap, sizeof *s->gains);
    }
    if (is_new)
        s->gains[i] = 0;
    return 0;
}

static int put_relevant(struct sample *s, jv id, double gain, const char *field,
                        struct err *err)
{
    struct sv key;
    if (put_id(s, id, field, &key, err) < 0)
        return -1;
    s->gains[map_get(s->ids, key)] = gain;
    return 0;
}

/* What is relevant: an array of ids, or an object of ids and grades. */
static int read_relevant(struct sample *s, const struct rec *r, const char *field,
                         struct err *err)
{
    jv list = json_get(r->v, field), value;
    if (json_is_array(list)) {
        if (json_len(list) > SAMPLE_MAX_LIST)
            return too_many(field, err);
        for (size_t i = 0; i < json_len(list); i++)
            if (put_relevant(s, json_at(list, i), 1, field, err) < 0)
                return -1;
        return 0;
    }
    if (!json_is_object(list))
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected array", field);
    size_t i = 0, n = 0;
    struct sv key;
    while (json_each(list, &i, &key, &value)) {
        if (++n > 1000)
            return err_set(err, EXIT_REJECTED, "field \"%s\": more than 1000 grades", field);
        if (!json_is_num(value) || !(fabs(json_num(value)) < 1e6))
            return err_set(err, EXIT_REJECTED, "field \"%s\": expected numbers as grades",
                           field);
        size_t ord = map_put(s->ids, key, NULL);
        if (ord >= s->gains_cap) {
            s->gains_cap = alloc_grow(s->gains_cap, ord + 1);
            s->gains = alloc_resize(s->gains, s->gains_cap, sizeof *s->gains);
        }
        s->gains[ord] = json_num(value);
    }
    return 0;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void rank_ideal(struct sample *s, size_t n)
{
    s->ranking.ideal = alloc_array(n, sizeof *s->ranking.ideal);
    for (size_t i = 0; i < n; i++)
        if (s->gains[i] > 0)
            s->ranking.ideal[s->ranking.n_relevant++] = s->gains[i];
    if (s->ranking.n_relevant)
        qsort(s->ranking.ideal, s->ranking.n_relevant, sizeof(double), descending);
}

/* The list that is ranked, its field, and which member of an element is the id. */
struct list {
    jv items;
    const char *field, *member; /* member NULL: elements are ids (or texts) themselves */
};

/* 1 when there is one, 0 when not. */
static int find_list(const struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                     struct list *list, struct err *err)
{
    bool by_paper = s->relevance == RELEVANCE_PAPERS;
    list->member = NULL;
    if (!by_paper) {
        list->field =
            s->relevance == RELEVANCE_IDS ? "retrieved_context_ids" : "retrieved_contexts";
        int rc = json_opt_array(r->v, list->field, &list->items, err);
        if (rc != 0)
            return rc;
    }
    list->field = cfg->ranking == RANKING_SOURCES ? F_SOURCES : F_VECTOR_HITS;
    list->member = by_paper ? F_PAPER : cfg->ranking == RANKING_SOURCES ? "chunk" : F_ID;
    return json_opt_array(r->v, list->field, &list->items, err);
}

static int read_item(struct sample *s, const struct list *list, size_t i, struct err *err)
{
    jv v = json_at(list->items, i);
    struct ranked *x = &s->ranking.items[s->ranking.n];
    *x = (struct ranked){ .score = NAN };
    if (list->member) {
        if (!json_is_object(v))
            return err_set(err, EXIT_REJECTED, "field \"%s\": element %zu: expected object",
                           list->field, i);
        x->score = json_num(json_get(v, "score"));
        if (s->relevance == RELEVANCE_CONTEXTS)
            x->text = json_sv(json_get(v, F_TEXT));
        v = json_get(v, list->member);
        if (json_is_null(v)) /* a hit without a paper is a hit all the same */
            v = json_get(json_at(list->items, i), F_ID);
        if (json_is_null(v))
            return 0;
    } else if (s->relevance == RELEVANCE_CONTEXTS) {
        x->text = json_sv(v);
        s->ranking.n++;
        return 0;
    }
    if (put_id(s, v, list->field, &x->id, err) < 0)
        return -1;
    s->ranking.n++;
    return 0;
}

static int read_ranking(struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                        struct err *err)
{
    struct list list;
    size_t n_relevant_ids = map_count(s->ids);
    int rc = find_list(s, cfg, r, &list, err);
    rank_ideal(s, n_relevant_ids);
    if (rc <= 0)
        return rc;
    size_t n = json_len(list.items);
    if (n > SAMPLE_MAX_LIST)
        return too_many(list.field, err);
    s->has_ranking = true;
    s->ranking.items = alloc_array(n, sizeof *s->ranking.items);
    for (size_t i = 0; i < n; i++)
        if (read_item(s, &list, i, err) < 0)
            return -1;
    if (!cfg->keeps_order)
        ranking_sort(s->ranking.items, s->ranking.n);
    if (s->relevance == RELEVANCE_CONTEXTS)
        return 0;
    s->ranking.n = ranking_unique(s->ranking.items, s->ranking.n);
    for (size_t i = 0; i < s->ranking.n; i++) {
        struct ranked *x = &s->ranking.items[i];
        x->gain = s->gains[map_get(s->ids, x->id)];
        s->n_shared += x->gain > 0;
    }
    return 0;
}

static bool has_elements(const struct rec *r, const char *field)
{
    jv v = json_get(r->v, field);
    return !json_is_null(v) && (!json_is_array(v) || json_len(v) > 0);
}

/* What hits are compared by, and with what. */
static int read_relevance(struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                          struct err *err)
{
    static const char *const fields[] = { NULL, "reference_context_ids", "reference_papers",
                                          "reference_contexts" };
    for (int i = RELEVANCE_IDS; i <= RELEVANCE_CONTEXTS && !s->relevance; i++)
        if ((cfg->relevance == RELEVANCE_AUTO || cfg->relevance == i) &&
            has_elements(r, fields[i]))
            s->relevance = i;
    s->ids = map_new();
    if (s->relevance == RELEVANCE_AUTO)
        return 0;
    if (s->relevance != RELEVANCE_CONTEXTS &&
        read_relevant(s, r, fields[s->relevance], err) < 0)
        return -1;
    return read_ranking(s, cfg, r, err);
}

/* ---- a record ---- */

/* 1 present; the second name counts where the first is absent. */
static int read_text(const struct rec *r, const char *name, const char *other, struct sv *out,
                     struct err *err)
{
    int rc = json_opt_str(r->v, name, out, err);
    return rc == 0 && other ? json_opt_str(r->v, other, out, err) : rc;
}

/* Contexts of a record that has not been through fusion: the texts of its hits. */
static int read_hit_texts(struct sample *s, const struct rec *r, struct err *err)
{
    jv hits;
    int rc = json_opt_array(r->v, F_VECTOR_HITS, &hits, err);
    if (rc <= 0)
        return rc;
    size_t n = json_len(hits);
    if (n > SAMPLE_MAX_LIST)
        return too_many(F_VECTOR_HITS, err);
    s->contexts.items = alloc_array(n, sizeof *s->contexts.items);
    for (size_t i = 0; i < n; i++) {
        jv text = json_get(json_at(hits, i), F_TEXT);
        if (json_is_str(text))
            s->contexts.items[s->contexts.n++] = json_sv(text);
    }
    s->contexts.is_given = s->contexts.n > 0 || n == 0;
    return 0;
}

int sample_read(struct sample *s, const struct sample_cfg *cfg, const struct rec *r,
                struct err *err)
{
    *s = (struct sample){ .question = SV_NONE, .response = SV_NONE, .reference = SV_NONE };
    int question = read_text(r, "user_input", F_QUERY, &s->question, err);
    int response = question < 0 ? -1 : read_text(r, F_RESPONSE, NULL, &s->response, err);
    int reference = response < 0 ? -1 : read_text(r, "reference", NULL, &s->reference, err);
    if (reference < 0 || read_texts(&s->contexts, r, "retrieved_contexts", err) < 0 ||
        read_texts(&s->reference_contexts, r, "reference_contexts", err) < 0)
        return -1;
    s->has_question = question && sv_trim(s->question).n;
    s->has_response = response;
    s->is_refused = json_is_true(json_get(r->v, "refused"));
    s->has_reference = reference && sv_trim(s->reference).n;
    if (!s->contexts.is_given && read_context(s, cfg, r, err) < 0)
        return -1;
    if (!s->contexts.is_given && read_hit_texts(s, r, err) < 0)
        return -1;
    return read_relevance(s, cfg, r, err);
}

void sample_release(struct sample *s)
{
    free(s->contexts.items);
    free(s->reference_contexts.items);
    buf_release(&s->facts);
    free(s->ranking.items);
    free(s->ranking.ideal);
    free(s->gains);
    map_free(s->ids);
}

const char *sample_relevance_name(int relevance)
{
    static const char *const names[] = { "none", "ids", "papers", "contexts" };
    return names[relevance];
}
