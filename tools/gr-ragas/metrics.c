// SPDX-License-Identifier: MIT
/*
 * metrics.c — one table of all metrics
 */
#include "metrics.h"

#include <math.h>

#include "alloc.h"
#include "map.h"
#include "overlap.h"
#include "similar.h"
#include "utf8.h"

/* RAGAS' threshold of string similarity for contexts. */
#define ALIKE 0.5

struct scorer {
    struct scorer_cfg cfg;
    struct overlap *overlap;
    struct similar *similar;
    struct semantic *semantic;
    struct judge *judge, *passages;
    struct sample *sample;
    bool is_judged; /* judge_read was called for the record */
    bool is_ranked; /* gains by texts are filled */
    double *alike;  /* (contexts, reference contexts) string similarity; NULL: not yet */
    bool is_alike_too_long;
};

typedef const char *(*metric_fn)(struct scorer *s, const struct metric *m, double *value);

struct metric_def {
    const char *name;
    metric_fn fn;
    bool has_cutoff, is_lower_better;
    const char *defaults; /* NULL: only when asked for; else the cut-offs, or "" */
    const char *summary;
};

/* ---- response against reference ---- */

static const char *lacks_texts(const struct scorer *s)
{
    if (!s->sample->has_reference)
        return "no_reference";
    return s->sample->has_response ? NULL : "no_response";
}

/* Each of these begins so. */
#define NEED_TEXTS(s)                                                                          \
    const char *why = lacks_texts(s);                                                          \
    if (why)                                                                                   \
        return why;                                                                            \
    struct sv response = (s)->sample->response, reference = (s)->sample->reference;            \
    (void)m

static const char *exact_match(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    *value = sv_eq(response, reference);
    return NULL;
}

static const char *string_presence(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    *value = sv_find(response, reference, 0) != SIZE_MAX;
    return NULL;
}

static const char *bleu(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    struct bleu b = { 0 };
    overlap_bleu_add(s->overlap, response, reference, &b);
    *value = bleu_score(&b, true);
    return NULL;
}

static const char *chrf(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    *value = overlap_chrf(s->overlap, response, reference);
    return NULL;
}

/* rouge_1, rouge_2, rouge_l, with _precision, _recall or nothing behind. */
static const char *rouge(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    struct prf r = { 0, 0, 0 };
    struct sv name = sv_from(m->name);
    char which = m->name[strlen("rouge_")];
    if (which != 'l')
        r = overlap_rouge_n(s->overlap, response, reference, (unsigned)(which - '0'));
    else if (!overlap_rouge_l(s->overlap, response, reference, &r))
        return "too_long";
    *value = sv_ends(name, SV("_precision")) ? r.precision
             : sv_ends(name, SV("_recall"))  ? r.recall
                                             : r.f;
    return NULL;
}

static const char *token_f1(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    *value = overlap_tokens(s->overlap, response, reference).f;
    return NULL;
}

static const char *string_similarity(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    *value = similar_ratio(s->similar, response, reference);
    return *value < 0 ? "too_long" : NULL;
}

static const char *semantic(struct scorer *s, const struct metric *m, double *value)
{
    NEED_TEXTS(s);
    if (!s->cfg.encoder)
        return "no_model";
    if (!s->semantic)
        s->semantic = semantic_new(s->cfg.encoder);
    *value = semantic_similarity(s->semantic, response, reference);
    return isfinite(*value) ? NULL : "no_model";
}

/* ---- contexts against reference contexts ---- */

/* Is one text more than twice as long as the other, in code points? */
static bool differ_in_length(struct sv a, struct sv b)
{
    size_t n = utf8_count(a), m = utf8_count(b);
    return n > 2 * m || m > 2 * n;
}

/* Fill the table of similarities. */
static const char *compare_contexts(struct scorer *s)
{
    const struct texts *got = &s->sample->contexts, *want = &s->sample->reference_contexts;
    if (!want->n)
        return "no_reference_contexts";
    if (!got->is_given)
        return "no_contexts";
    if (s->alike || s->is_alike_too_long)
        return s->alike ? NULL : "too_long";
    double bytes_got = 0, bytes_want = 0;
    for (size_t i = 0; i < got->n; i++)
        bytes_got += (double)got->items[i].n;
    for (size_t i = 0; i < want->n; i++)
        bytes_want += (double)want->items[i].n;
    s->is_alike_too_long = bytes_got * bytes_want > SIMILAR_MAX_CELLS;
    if (s->is_alike_too_long)
        return "too_long";
    s->alike = alloc_array(got->n * want->n, sizeof *s->alike);
    for (size_t i = 0; i < got->n * want->n; i++) {
        struct sv a = got->items[i / want->n], b = want->items[i % want->n];
        /* Texts of which one is twice as long as the other are less alike than ALIKE: no need
         * to know how much. Characters have one to four bytes. */
        bool is_far = a.n > 8 * b.n || b.n > 8 * a.n || differ_in_length(a, b);
        s->alike[i] = is_far ? 0 : similar_ratio(s->similar, a, b);
    }
    return NULL;
}

static const char *similar_precision(struct scorer *s, const struct metric *m, double *value)
{
    (void)m;
    const char *why = compare_contexts(s);
    size_t n = s->sample->reference_contexts.n, useful = 0;
    double sum = 0;
    for (size_t i = 0; !why && i < s->sample->contexts.n; i++)
        for (size_t k = 0; k < n; k++)
            if (s->alike[i * n + k] >= ALIKE) {
                sum += (double)++useful / (double)(i + 1);
                break;
            }
    *value = useful ? sum / (double)useful : 0;
    return why;
}

/* RAGAS asks for more than the threshold here, and at least the threshold above. */
static const char *similar_recall(struct scorer *s, const struct metric *m, double *value)
{
    (void)m;
    const char *why = compare_contexts(s);
    size_t n = s->sample->reference_contexts.n, found = 0;
    for (size_t k = 0; !why && k < n; k++)
        for (size_t i = 0; i < s->sample->contexts.n; i++)
            if (s->alike[i * n + k] > ALIKE) {
                found++;
                break;
            }
    *value = why ? 0 : (double)found / (double)n;
    return why;
}

/* ---- rankings ---- */

/* The first text that holds a reference context is relevant. One that holds two counts once,
 * and so do the two. */
static void rank_texts(struct scorer *s)
{
    struct ranking *r = &s->sample->ranking;
    const struct texts *want = &s->sample->reference_contexts;
    free(r->ideal);
    r->ideal = alloc_array(want->n, sizeof *r->ideal);
    r->n_relevant = 0;
    for (size_t k = 0; k < want->n; k++) {
        size_t i = 0;
        judge_wants(s->passages, want->items[k]);
        while (i < r->n && !judge_finds(s->passages, r->items[i].text))
            i++;
        if (i < r->n && r->items[i].gain > 0)
            continue;
        r->ideal[r->n_relevant++] = 1;
        if (i < r->n) {
            r->items[i].gain = 1;
            s->sample->n_shared++;
        }
    }
    s->is_ranked = true;
}

static const char *lacks_ranking(struct scorer *s)
{
    if (!s->sample->relevance)
        return "no_reference_ids";
    if (!s->sample->has_ranking)
        return "no_retrieved_ids";
    if (s->sample->relevance == RELEVANCE_CONTEXTS && !s->is_ranked)
        rank_texts(s);
    return s->sample->ranking.n_relevant ? NULL : "no_reference_ids";
}

static const char *id_precision(struct scorer *s, const struct metric *m, double *value)
{
    (void)m;
    const char *why = lacks_ranking(s);
    if (!why && !s->sample->ranking.n)
        why = "no_retrieved_ids";
    if (!why)
        *value = (double)s->sample->n_shared / (double)s->sample->ranking.n;
    return why;
}

static const char *id_recall(struct scorer *s, const struct metric *m, double *value)
{
    (void)m;
    const char *why = lacks_ranking(s);
    if (!why)
        *value = (double)s->sample->n_shared / (double)s->sample->ranking.n_relevant;
    return why;
}

#define RANK_METRIC(name, call)                                                                \
    static const char *name(struct scorer *s, const struct metric *m, double *value)           \
    {                                                                                          \
        const char *why = lacks_ranking(s);                                                    \
        const struct ranking *r = &s->sample->ranking;                                         \
        (void)m;                                                                               \
        if (!why)                                                                              \
            *value = call;                                                                     \
        return why;                                                                            \
    }
RANK_METRIC(rank_hit, ranking_hit(r, m->k))
RANK_METRIC(rank_precision, ranking_precision(r, m->k))
RANK_METRIC(rank_recall, ranking_recall(r, m->k))
RANK_METRIC(rank_ndcg, ranking_ndcg(r, m->k))
RANK_METRIC(rank_mrr, ranking_mrr(r))
RANK_METRIC(rank_map, ranking_map(r))

/* ---- the lexical judge ---- */

static const struct judge *judged(struct scorer *s)
{
    if (!s->is_judged)
        judge_read(s->judge, s->sample);
    s->is_judged = true;
    return s->judge;
}

#define JUDGE_METRIC(name)                                                                     \
    static const char *name(struct scorer *s, const struct metric *m, double *value)           \
    {                                                                                          \
        (void)m;                                                                               \
        return judge_##name(judged(s), value);                                                 \
    }
JUDGE_METRIC(faithfulness)
JUDGE_METRIC(answer_relevancy)
JUDGE_METRIC(context_precision)
JUDGE_METRIC(context_recall)
JUDGE_METRIC(answer_correctness)
JUDGE_METRIC(noise_sensitivity)

/* Put the ids of what is named in text into ids; with `seen` only mark those that are there. */
static void find_entities(const struct vocab *v, struct sv text, struct map *ids, bool *seen)
{
    struct entities list = { 0 };
    struct buf nfc = BUF_INIT, id = BUF_INIT;
    utf8_nfc(&nfc, text);
    vocab_scan(v, buf_view(&nfc), &list);
    for (size_t i = 0; i < list.n; i++) {
        if (list.items[i].weak)
            continue;
        buf_reset(&id);
        entity_id(v, &list.items[i], &id);
        size_t ord = seen ? map_get(ids, buf_view(&id)) : map_put(ids, buf_view(&id), NULL);
        if (seen && ord != MAP_NONE)
            seen[ord] = true;
    }
    buf_release(&nfc);
    buf_release(&id);
    entities_release(&list);
}

static const char *entity_recall(struct scorer *s, const struct metric *m, double *value)
{
    (void)m;
    if (!s->sample->has_reference)
        return "no_reference";
    if (!s->sample->contexts.is_given)
        return "no_contexts";
    if (!s->cfg.vocab)
        return "no_vocabulary";
    struct map *ids = map_new();
    find_entities(s->cfg.vocab, s->sample->reference, ids, NULL);
    size_t n = map_count(ids), found = 0;
    bool *seen = alloc_zero(n + 1, sizeof *seen);
    for (size_t i = 0; n && i < s->sample->contexts.n; i++)
        find_entities(s->cfg.vocab, s->sample->contexts.items[i], ids, seen);
    for (size_t i = 0; i < n; i++)
        found += seen[i];
    free(seen);
    map_free(ids);
    *value = n ? (double)found / (double)n : 0;
    return n ? NULL : "no_entities";
}

/* ---- the table ---- */

static const struct metric_def defs[] = {
    { "exact_match", exact_match, false, false, "", "the response is the reference" },
    { "string_presence", string_presence, false, false, "",
      "the reference is in the response" },
    { "bleu", bleu, false, false, "", "sentence BLEU-4 (sacrebleu)" },
    { "rouge_1", rouge, false, false, NULL, "ROUGE-1 F (rouge-score)" },
    { "rouge_1_precision", rouge, false, false, NULL, "its precision" },
    { "rouge_1_recall", rouge, false, false, NULL, "its recall" },
    { "rouge_2", rouge, false, false, NULL, "ROUGE-2 F" },
    { "rouge_2_precision", rouge, false, false, NULL, "its precision" },
    { "rouge_2_recall", rouge, false, false, NULL, "its recall" },
    { "rouge_l", rouge, false, false, "", "ROUGE-L F" },
    { "rouge_l_precision", rouge, false, false, NULL, "its precision" },
    { "rouge_l_recall", rouge, false, false, NULL, "its recall" },
    { "chrf", chrf, false, false, "", "chrF2 (sacrebleu)" },
    { "token_f1", token_f1, false, false, "", "words in common (SQuAD)" },
    { "non_llm_string_similarity", string_similarity, false, false, "", "1 - edit distance" },
    { "semantic_similarity", semantic, false, false, "", "cosine of the embeddings" },
    { "lexical_faithfulness", faithfulness, false, false, "",
      "statements of the response that a context supports" },
    { "lexical_answer_relevancy", answer_relevancy, false, false, "",
      "terms of the question in the response" },
    { "lexical_context_precision", context_precision, false, false, "",
      "useful contexts come first" },
    { "lexical_context_recall", context_recall, false, false, "",
      "statements of the reference that a context supports" },
    { "lexical_context_entity_recall", entity_recall, false, false, "",
      "things named in the reference that contexts name" },
    { "lexical_answer_correctness", answer_correctness, false, false, "",
      "statements that response and reference share" },
    { "lexical_noise_sensitivity", noise_sensitivity, false, true, "",
      "wrong statements that a useful context supports" },
    { "non_llm_context_precision", similar_precision, false, false, "",
      "contexts alike a reference context come first" },
    { "non_llm_context_recall", similar_recall, false, false, "",
      "reference contexts alike a context" },
    { "id_based_context_precision", id_precision, false, false, "", "relevant / retrieved" },
    { "id_based_context_recall", id_recall, false, false, "", "retrieved / relevant" },
    { "hit", rank_hit, true, false, "5", "a relevant one among the first K" },
    { "precision", rank_precision, true, false, NULL, "relevant ones among the first K / K" },
    { "recall", rank_recall, true, false, "5", "relevant ones among the first K / all" },
    { "mrr", rank_mrr, false, false, "", "1 / rank of the first relevant one" },
    { "ndcg", rank_ndcg, true, false, "10", "discounted gain of the first K / the best" },
    { "map", rank_map, false, false, "", "mean precision at the relevant ones" },
};

static bool add(struct metric_list *list, const struct metric_def *def, size_t k)
{
    struct metric m = { .def = def, .k = k };
    if (def->has_cutoff)
        snprintf(m.name, sizeof m.name, "%s_%zu", def->name, k);
    else
        snprintf(m.name, sizeof m.name, "%s", def->name);
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].name, m.name) == 0)
            return false;
    list->items = alloc_resize(list->items, list->n + 1, sizeof *list->items);
    list->items[list->n++] = m;
    return true;
}

static void add_group(struct metric_list *list, bool all)
{
    static const size_t cutoffs[] = { 1, 5, 10 };
    for (size_t i = 0; i < ARRAY_LEN(defs); i++) {
        const struct metric_def *def = &defs[i];
        if (all && def->has_cutoff) {
            for (size_t k = 0; k < ARRAY_LEN(cutoffs); k++)
                add(list, def, cutoffs[k]);
        } else if (all || def->defaults) {
            int64_t k = 0;
            sv_to_i64(sv_from(def->defaults), &k);
            add(list, def, (size_t)k);
        }
    }
}

/* The metric of a name; *k its cut-off. NULL: none. */
static const struct metric_def *find(struct sv name, size_t *k)
{
    *k = 0;
    for (size_t i = 0; i < ARRAY_LEN(defs); i++) {
        struct sv own = sv_from(defs[i].name);
        if (!defs[i].has_cutoff) {
            if (sv_eq(name, own))
                return &defs[i];
            continue;
        }
        int64_t n;
        if (sv_starts(name, own) && name.n > own.n + 1 && name.p[own.n] == '_' &&
            name.p[own.n + 1] != '0' && name.p[own.n + 1] != '+' &&
            sv_to_i64(sv_from_to(name, own.n + 1, name.n), &n) && n > 0 &&
            n <= METRIC_MAX_CUTOFF) {
            *k = (size_t)n;
            return &defs[i];
        }
    }
    return NULL;
}

static int unknown(struct sv name, struct err *err)
{
    struct similar *s = similar_new();
    double best = 0;
    const struct metric_def *near = &defs[0];
    for (size_t i = 0; i < ARRAY_LEN(defs); i++) {
        double alike = similar_ratio(s, name, sv_from(defs[i].name));
        if (alike > best) {
            best = alike;
            near = &defs[i];
        }
    }
    similar_free(s);
    return err_set(err, EXIT_USAGE, "--metrics: \"%.*s\" is none; is it %s%s? (man gr-ragas)",
                   (int)(name.n < 60 ? name.n : 60), name.p, near->name,
                   near->has_cutoff ? "_10" : "");
}

int metric_list_parse(struct metric_list *list, const char *names, struct err *err)
{
    struct sv rest = sv_from(names), one;
    *list = (struct metric_list){ 0 };
    while (sv_cut(&rest, ',', &one)) {
        one = sv_trim(one);
        size_t k;
        const struct metric_def *def = find(one, &k);
        if (def)
            add(list, def, k);
        else if (sv_is(one, "all") || sv_is(one, "default"))
            add_group(list, sv_is(one, "all"));
        else if (one.n)
            return unknown(one, err);
    }
    return list->n ? 0 : err_set(err, EXIT_USAGE, "--metrics: names none");
}

void metric_list_release(struct metric_list *list)
{
    free(list->items);
    *list = (struct metric_list){ 0 };
}

size_t metric_place(struct sv name)
{
    size_t k;
    const struct metric_def *def = find(name, &k);
    return def ? (size_t)(def - defs) : SIZE_MAX;
}

bool metric_is_lower_better(struct sv name)
{
    size_t k;
    const struct metric_def *def = find(name, &k);
    return def && def->is_lower_better;
}

const char *metric_known(size_t n, const char **summary)
{
    if (n >= ARRAY_LEN(defs))
        return NULL;
    *summary = defs[n].summary;
    return defs[n].name;
}

static bool has_fn(const struct metric_list *list, metric_fn fn)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].def->fn == fn)
            return true;
    return false;
}

bool metric_list_needs_model(const struct metric_list *list)
{
    return has_fn(list, semantic);
}

bool metric_list_needs_vocab(const struct metric_list *list)
{
    return has_fn(list, entity_recall);
}

/* ---- scorer ---- */

struct scorer *scorer_new(const struct scorer_cfg *cfg)
{
    struct scorer *s = alloc_zero(1, sizeof *s);
    s->cfg = *cfg;
    s->overlap = overlap_new();
    s->similar = similar_new();
    s->judge = judge_new(&cfg->judge);
    s->passages = judge_new(&cfg->judge);
    return s;
}

void scorer_free(struct scorer *s)
{
    if (!s)
        return;
    overlap_free(s->overlap);
    similar_free(s->similar);
    semantic_free(s->semantic);
    judge_free(s->judge);
    judge_free(s->passages);
    free(s->alike);
    free(s);
}

void scorer_start(struct scorer *s, struct sample *sample)
{
    s->sample = sample;
    s->is_judged = s->is_ranked = s->is_alike_too_long = false;
    free(s->alike);
    s->alike = NULL;
}

const char *scorer_value(struct scorer *s, const struct metric *m, double *value)
{
    return m->def->fn(s, m, value);
}
