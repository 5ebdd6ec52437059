// SPDX-License-Identifier: MIT
/*
 * judge.c — statements, their terms, and which texts hold those
 */
#include "judge.h"

#include <math.h>

#include "alloc.h"
#include "map.h"

#define FOUND_SHARE 0.8

/* A term of a statement; the same one once. */
struct unit {
    uint32_t id; /* ordinal in judge.ids */
    uint8_t weight;
    bool is_number;
};

struct statement {
    size_t from, to; /* units [from, to) */
    unsigned weight; /* of all */
};

struct statements {
    struct statement *items;
    size_t n, cap;
    bool is_cut; /* there were more */
};

struct judge {
    struct judge_cfg cfg;
    struct terms *terms;
    struct map *ids; /* of the terms of all statements of the record */
    struct unit *units;
    size_t n_units, units_cap;
    uint32_t *stamp; /* (stamp_cap) by id: the last text that has the term */
    size_t stamp_cap;
    uint32_t epoch;
    struct buf clean;

    const struct sample *sample;
    bool is_noncommittal;
    struct statements response, reference, question;
    size_t n_contexts;
    bool *in_context[2];   /* (statements, n_contexts) of response, of reference */
    bool *response_in_ref; /* (response.n) */
    bool *ref_in_response; /* (reference.n) */
    double question_share; /* of the question's terms, in the response */
    double cosine;         /* of response and reference */
};

struct judge *judge_new(const struct judge_cfg *cfg)
{
    struct judge *j = alloc_zero(1, sizeof *j);
    j->cfg = *cfg;
    j->terms = terms_new(cfg->analyzer);
    return j;
}

/* Forget the last record. */
static void clear(struct judge *j)
{
    for (int i = 0; i < 2; i++) {
        free(j->in_context[i]);
        j->in_context[i] = NULL;
    }
    free(j->response_in_ref);
    free(j->ref_in_response);
    j->response_in_ref = j->ref_in_response = NULL;
    map_free(j->ids);
    j->ids = NULL;
    j->n_units = 0;
    j->response.n = j->reference.n = j->question.n = 0;
    j->response.is_cut = j->reference.is_cut = j->question.is_cut = false;
    j->sample = NULL;
}

void judge_free(struct judge *j)
{
    if (!j)
        return;
    clear(j);
    terms_free(j->terms);
    free(j->units);
    free(j->stamp);
    free(j->response.items);
    free(j->reference.items);
    free(j->question.items);
    buf_release(&j->clean);
    free(j);
}

/* ---- statements ---- */

/* End of "[3]", "[1, 2]", "[2–4]" that starts at `at`, or `at`. */
static size_t skip_citation(struct sv s, size_t at)
{
    size_t i = at + 1;
    bool has_digit = false;
    for (; i < s.n && s.p[i] != ']'; i++) {
        bool is_digit = s.p[i] >= '0' && s.p[i] <= '9';
        has_digit |= is_digit;
        if (!is_digit && !strchr(" ,;-\xE2\x80\x93", s.p[i]))
            return at;
    }
    return i < s.n && has_digit ? i + 1 : at;
}

static struct sv without_citations(struct judge *j, struct sv s)
{
    buf_reset(&j->clean);
    for (size_t i = 0; i < s.n;) {
        size_t end = s.p[i] == '[' ? skip_citation(s, i) : i;
        if (end == i)
            buf_char(&j->clean, s.p[i++]);
        i = end > i ? end : i;
    }
    return buf_view(&j->clean);
}

/* A new stamp, for a text or a statement of its own. */
static void next_epoch(struct judge *j)
{
    if (++j->epoch == 0) {
        memset(j->stamp, 0, j->stamp_cap * sizeof *j->stamp);
        j->epoch = 1;
    }
}

/* Put the stamp on a term; false when it was there. */
static bool stamp(struct judge *j, size_t id)
{
    if (id >= j->stamp_cap) {
        size_t was = j->stamp_cap;
        j->stamp_cap = alloc_grow(was, id + 1);
        j->stamp = alloc_resize(j->stamp, j->stamp_cap, sizeof *j->stamp);
        memset(j->stamp + was, 0, (j->stamp_cap - was) * sizeof *j->stamp);
    }
    bool is_new = j->stamp[id] != j->epoch;
    j->stamp[id] = j->epoch;
    return is_new;
}

static void add_unit(struct judge *j, struct statement *s, const struct term *t)
{
    size_t id = map_put(j->ids, t->text, NULL);
    if (!stamp(j, id))
        return;
    if (j->n_units == j->units_cap) {
        j->units_cap = alloc_grow(j->units_cap, j->n_units + 1);
        j->units = alloc_resize(j->units, j->units_cap, sizeof *j->units);
    }
    uint8_t weight = t->kind == TERM_WORD ? 1 : 2;
    j->units[j->n_units++] = (struct unit){ (uint32_t)id, weight, t->kind == TERM_NUMBER };
    s->weight += weight;
    s->to = j->n_units;
}

static void add_statement(struct judge *j, struct statements *list, struct sv text)
{
    struct term t;
    if (list->n == JUDGE_MAX_STATEMENTS) {
        list->is_cut = true;
        return;
    }
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    struct statement *s = &list->items[list->n];
    *s = (struct statement){ j->n_units, j->n_units, 0 };
    next_epoch(j);
    terms_start(j->terms, text);
    while (terms_next(j->terms, &t))
        if (!t.same)
            add_unit(j, s, &t);
    list->n += s->weight > 0;
}

static void split(struct judge *j, struct statements *list, struct sv text)
{
    struct sentence one;
    struct sv clean = without_citations(j, text);
    for (size_t pos = 0; sentence_next(j->cfg.splitter, clean, &pos, &one);)
        add_statement(j, list, sv_from_to(clean, one.start, one.end));
}

/* ---- support ---- */

/* Stamp the terms of a text; then asks about it are cheap. */
static void open_text(struct judge *j, struct sv text)
{
    struct term t;
    next_epoch(j);
    terms_start(j->terms, text);
    while (terms_next(j->terms, &t)) {
        size_t id = map_get(j->ids, t.text);
        if (id != MAP_NONE)
            stamp(j, id);
    }
}

/* Share of a statement's weight that the open text has; *numbers: all its numbers too. */
static double share_of(const struct judge *j, const struct statement *s, bool *numbers)
{
    unsigned weight = 0;
    *numbers = true;
    for (size_t i = s->from; i < s->to; i++) {
        const struct unit *u = &j->units[i];
        bool is_there = u->id < j->stamp_cap && j->stamp[u->id] == j->epoch;
        weight += is_there ? u->weight : 0;
        *numbers &= is_there || !u->is_number;
    }
    return (double)weight / (double)s->weight;
}

static bool supports(const struct judge *j, const struct statement *s)
{
    bool numbers;
    return share_of(j, s, &numbers) >= j->cfg.support - 1e-12 && numbers;
}

static bool *support_all(struct judge *j, const struct statements *list)
{
    bool *is = alloc_array(list->n, sizeof *is);
    for (size_t i = 0; i < list->n; i++)
        is[i] = supports(j, &list->items[i]);
    return is;
}

static void read_contexts(struct judge *j)
{
    const struct statements *lists[2] = { &j->response, &j->reference };
    j->n_contexts = j->sample->contexts.n;
    for (int i = 0; i < 2; i++)
        j->in_context[i] = alloc_zero(lists[i]->n * j->n_contexts + 1, sizeof(bool));
    for (size_t c = 0; c < j->n_contexts; c++) {
        open_text(j, j->sample->contexts.items[c]);
        for (int i = 0; i < 2; i++)
            for (size_t s = 0; s < lists[i]->n; s++)
                j->in_context[i][s * j->n_contexts + c] = supports(j, &lists[i]->items[s]);
    }
}

/* Cosine of how often each term stands in the statements of two texts (once in a statement). */
static double cosine_of(const struct judge *j)
{
    size_t n = map_count(j->ids);
    double *count[2], dot = 0, norm[2] = { 0, 0 };
    const struct statements *lists[2] = { &j->response, &j->reference };
    for (int i = 0; i < 2; i++) {
        count[i] = alloc_zero(n + 1, sizeof(double));
        for (size_t s = 0; s < lists[i]->n; s++)
            for (size_t u = lists[i]->items[s].from; u < lists[i]->items[s].to; u++)
                count[i][j->units[u].id] += j->units[u].weight;
    }
    for (size_t t = 0; t < n; t++) {
        dot += count[0][t] * count[1][t];
        norm[0] += count[0][t] * count[0][t];
        norm[1] += count[1][t] * count[1][t];
    }
    free(count[0]);
    free(count[1]);
    return dot > 0 ? dot / sqrt(norm[0] * norm[1]) : 0;
}

bool judge_is_noncommittal(struct sv response)
{
    static const char *const says[] = {
        "i cannot answer",
        "i can't answer",
        "i can not answer",
        "cannot be answered",
        "i do not know",
        "i don't know",
        "i am not sure",
        "i'm not sure",
        "unable to answer",
        "not enough information",
        "insufficient information",
        "no relevant information",
        "the context does not",
        "the contexts do not",
        "the provided context does not",
        "the sources do not",
        "the sources given do not",
        "the passages do not",
    };
    char head[201]; /* the beginning, folded, with straight quotes */
    size_t n = 0;
    response = sv_trim(response);
    for (size_t i = 0; i < response.n && n < sizeof head - 1; i++) {
        char c = response.p[i];
        if (response.n - i >= 3 && memcmp(response.p + i, "\xE2\x80\x99", 3) == 0) {
            c = '\'';
            i += 2;
        }
        head[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    head[n] = '\0';
    struct sv all = { head, n }, first = all;
    size_t stop = sv_find(all, SV(". "), 0);
    if (stop != SIZE_MAX)
        first.n = stop;
    for (size_t i = 0; i < ARRAY_LEN(says); i++)
        if (sv_find(first, sv_from(says[i]), 0) != SIZE_MAX)
            return true;
    return false;
}

void judge_read(struct judge *j, const struct sample *s)
{
    clear(j);
    j->sample = s;
    j->ids = map_new();
    j->is_noncommittal = s->is_refused || judge_is_noncommittal(s->response);
    if (s->has_response)
        split(j, &j->response, s->response);
    if (s->has_reference)
        split(j, &j->reference, s->reference);
    if (s->has_question)
        add_statement(j, &j->question, s->question);
    open_text(j, s->reference);
    j->response_in_ref = support_all(j, &j->response);
    open_text(j, without_citations(j, s->response));
    j->ref_in_response = support_all(j, &j->reference);
    bool numbers;
    j->question_share = j->question.n ? share_of(j, j->question.items, &numbers) : 0;
    j->cosine = cosine_of(j);
    read_contexts(j);
}

/* ---- scores ---- */

static bool has(const struct judge *j, int list, size_t statement, size_t context)
{
    return j->in_context[list][statement * j->n_contexts + context];
}

/* Share of the statements of a list (0 response, 1 reference) that some context supports. */
static double supported_share(const struct judge *j, int list, size_t n)
{
    size_t found = 0;
    for (size_t s = 0; s < n; s++)
        for (size_t c = 0; c < j->n_contexts; c++)
            if (has(j, list, s, c)) {
                found++;
                break;
            }
    return (double)found / (double)n;
}

/* Is there a list of statements to judge by? NULL: yes. */
static const char *lacks(const struct statements *list, bool is_given, const char *absent)
{
    if (!is_given)
        return absent;
    if (!list->n)
        return "no_statements";
    return list->is_cut ? "too_long" : NULL;
}

static const char *lacks_response(const struct judge *j)
{
    return lacks(&j->response, j->sample->has_response, "no_response");
}

static const char *lacks_reference(const struct judge *j)
{
    return lacks(&j->reference, j->sample->has_reference, "no_reference");
}

static const char *lacks_contexts(const struct judge *j)
{
    return j->sample->contexts.is_given ? NULL : "no_contexts";
}

const char *judge_faithfulness(const struct judge *j, double *value)
{
    const char *why = lacks_response(j);
    if (!why && j->is_noncommittal)
        why = "noncommittal"; /* it claims nothing */
    if (!why)
        why = lacks_contexts(j);
    if (!why)
        *value = supported_share(j, 0, j->response.n);
    return why;
}

const char *judge_answer_relevancy(const struct judge *j, double *value)
{
    if (!j->sample->has_question)
        return "no_question";
    if (!j->question.n)
        return "no_terms";
    if (!j->sample->has_response)
        return "no_response";
    *value = j->is_noncommittal ? 0 : j->question_share;
    return NULL;
}

const char *judge_context_precision(const struct judge *j, double *value)
{
    int list = j->sample->has_reference; /* RAGAS' variant without a reference: the response */
    const char *why = list ? lacks_reference(j) : lacks_response(j);
    size_t n = list ? j->reference.n : j->response.n, useful = 0;
    double sum = 0;
    if (why)
        return !list && !j->sample->has_response ? "no_reference" : why;
    if ((why = lacks_contexts(j)))
        return why;
    for (size_t c = 0; c < j->n_contexts; c++)
        for (size_t s = 0; s < n; s++)
            if (has(j, list, s, c)) {
                sum += (double)++useful / (double)(c + 1);
                break;
            }
    *value = useful ? sum / (double)useful : 0;
    return NULL;
}

const char *judge_context_recall(const struct judge *j, double *value)
{
    const char *why = lacks_reference(j);
    if (!why)
        why = lacks_contexts(j);
    if (!why)
        *value = supported_share(j, 1, j->reference.n);
    return why;
}

/* An answer without statements is wrong, not unknown. */
const char *judge_answer_correctness(const struct judge *j, double *value)
{
    const char *why = lacks_reference(j);
    if (why)
        return why;
    if (!j->sample->has_response || j->response.is_cut)
        return j->sample->has_response ? "too_long" : "no_response";
    size_t right = 0, missed = 0;
    for (size_t i = 0; i < j->response.n; i++)
        right += j->response_in_ref[i];
    for (size_t i = 0; i < j->reference.n; i++)
        missed += !j->ref_in_response[i];
    size_t wrong = j->response.n - right;
    double f = right ? 2 * (double)right / (double)(2 * right + wrong + missed) : 0;
    *value = 0.75 * f + 0.25 * j->cosine;
    return NULL;
}

const char *judge_noise_sensitivity(const struct judge *j, double *value)
{
    const char *why = lacks_reference(j);
    if (why || (why = lacks_response(j)) || (why = lacks_contexts(j)))
        return why;
    bool *relevant = alloc_zero(j->n_contexts + 1, sizeof *relevant);
    size_t noisy = 0;
    for (size_t c = 0; c < j->n_contexts; c++)
        for (size_t s = 0; s < j->reference.n && !relevant[c]; s++)
            relevant[c] = has(j, 1, s, c);
    for (size_t s = 0; s < j->response.n; s++)
        for (size_t c = 0; c < j->n_contexts && !j->response_in_ref[s]; c++)
            if (relevant[c] && has(j, 0, s, c)) {
                noisy++;
                break;
            }
    free(relevant);
    *value = (double)noisy / (double)j->response.n;
    return NULL;
}

/* ---- passages ---- */

void judge_wants(struct judge *j, struct sv reference)
{
    clear(j);
    j->ids = map_new();
    add_statement(j, &j->reference, reference);
}

bool judge_finds(struct judge *j, struct sv text)
{
    bool numbers;
    if (!j->reference.n)
        return false;
    open_text(j, text);
    return share_of(j, j->reference.items, &numbers) >= FOUND_SHARE;
}
