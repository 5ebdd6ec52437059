// SPDX-License-Identifier: MIT
/*
 * model.c — prompts, requests, further requests
 */
#include "model.h"

#include "alloc.h"
#include "bpe.h"
#include "map.h"

#define MESSAGES_MAX (6 + 2 * MODEL_GLEANINGS_MAX)

enum prompt { PROMPT_SYSTEM, PROMPT_USER, PROMPT_MORE, PROMPT_AGAIN, N_PROMPTS };

struct model_worker {
    struct buf request, raw;
    struct model_dry dry;
};

struct model {
    const struct model_cfg *cfg;
    const struct lore *lore;
    const struct splitter *splitter;
    struct llm_cfg llm_cfg;
    struct llm *llm; /* NULL: a dry run without an address */
    struct bpe *ranks;
    struct buf prompts[N_PROMPTS], schema, relations, names, types;
    struct model_worker *workers; /* (n_workers) */
    unsigned n_workers;
};

/* ---- what the model is told ---- */

/* The types of the vocabulary, and "sample" and "value", each once. */
static void list_types(struct model *m)
{
    struct map *seen = map_new();
    for (uint32_t i = 0; i < vocab_count(m->lore->vocab); i++) {
        bool is_new;
        map_put(seen, sv_from(vocab_type(m->lore->vocab, i)), &is_new);
    }
    for (size_t i = 0; i < map_count(seen); i++)
        buf_printf(&m->types, "%.*s, ", SV_ARG(map_key(seen, i)));
    buf_str(&m->types, "sample, value, other");
    map_free(seen);
}

/* Every relation once, as "Name: head types -> tail types" and as an array of names. */
static void list_relations(struct model *m)
{
    const struct rules *rules = m->lore->rules;
    struct map *seen = map_new();
    json_open(&m->names, '[');
    for (size_t i = 0; i < rules_files(rules); i++)
        for (uint32_t e = 0; e < vocab_count(rules_cues(rules, i)); e++) {
            const struct rule *r = rules_of(rules, i, e);
            bool is_new;
            map_put(seen, sv_from(r->relation), &is_new);
            if (!is_new)
                continue;
            buf_printf(&m->relations, "%s: %.*s -> %.*s\n", r->relation, SV_ARG(r->head),
                       SV_ARG(r->tail));
            json_put_str(&m->names, sv_from(r->relation));
        }
    json_close(&m->names, ']');
    map_free(seen);
}

static void put_type(struct buf *b, const char *name, const char *type)
{
    json_key(b, name);
    json_open(b, '{');
    json_key(b, "type");
    json_put_str(b, sv_from(type));
    json_close(b, '}');
}

/* {"type":"object","properties":{…},"required":[…],"additionalProperties":false} around what
 * was put into `properties`; names: a JSON array. */
static void put_object(struct buf *b, struct sv properties, const char *names)
{
    json_open(b, '{');
    json_key(b, "type");
    json_put_str(b, SV("object"));
    json_key(b, "properties");
    json_put_raw(b, properties);
    json_key(b, "required");
    json_put_raw(b, sv_from(names));
    json_key(b, "additionalProperties");
    json_put_bool(b, false);
    json_close(b, '}');
}

static void make_schema(struct model *m)
{
    struct buf item = BUF_INIT, list = BUF_INIT;
    json_open(&item, '{');
    put_type(&item, "head", "string");
    put_type(&item, "head_type", "string");
    json_key(&item, "relation");
    json_open(&item, '{');
    json_key(&item, "type");
    json_put_str(&item, SV("string"));
    json_key(&item, "enum");
    json_put_raw(&item, buf_view(&m->names));
    json_close(&item, '}');
    put_type(&item, "tail", "string");
    put_type(&item, "tail_type", "string");
    put_type(&item, "evidence", "string");
    put_type(&item, "negated", "boolean");
    put_type(&item, "confidence", "number");
    json_close(&item, '}');
    json_open(&list, '{');
    json_key(&list, "triples");
    json_open(&list, '{');
    json_key(&list, "type");
    json_put_str(&list, SV("array"));
    json_key(&list, "items");
    put_object(&list, buf_view(&item),
               "[\"head\",\"head_type\",\"relation\",\"tail\",\"tail_type\",\"evidence\","
               "\"negated\",\"confidence\"]");
    json_close(&list, '}');
    json_close(&list, '}');
    put_object(&m->schema, buf_view(&list), "[\"triples\"]");
    buf_release(&item);
    buf_release(&list);
}

static int read_prompts(struct model *m, const char *data_dir, struct err *err)
{
    static const char *const names[N_PROMPTS] = { "prompts/triples-system.txt",
                                                  "prompts/triples-user.txt",
                                                  "prompts/triples-more.txt",
                                                  "prompts/triples-again.txt" };
    const char *files[N_PROMPTS] = { m->cfg->system, m->cfg->user };
    for (int i = 0; i < N_PROMPTS; i++)
        if (llm_prompt_read(&m->prompts[i], files[i], data_dir, names[i], err) < 0)
            return -1;
    if (sv_find(buf_view(&m->prompts[PROMPT_USER]), SV("{{text}}"), 0) == SIZE_MAX)
        return err_set(err, EXIT_FATAL, "the prompt has no {{text}}");
    return 0;
}

/* ---- set-up ---- */

struct model *model_new(const struct model_cfg *cfg, const struct lore *lore,
                        const struct splitter *splitter, const char *data_dir,
                        unsigned n_workers, struct err *err)
{
    struct model *m = alloc_zero(1, sizeof *m);
    m->cfg = cfg;
    m->lore = lore;
    m->splitter = splitter;
    m->workers = alloc_zero(n_workers, sizeof *m->workers);
    m->n_workers = n_workers;
    if (read_prompts(m, data_dir, err) < 0)
        goto fail;
    list_types(m);
    list_relations(m);
    make_schema(m);
    m->llm_cfg = cfg->llm;
    m->llm_cfg.schema_name = "triples";
    m->llm_cfg.schema = buf_view(&m->schema);
    if (!cfg->is_dry || cfg->llm.api)
        m->llm = llm_new(&m->llm_cfg, n_workers, err);
    if (!m->llm && (!cfg->is_dry || cfg->llm.api))
        goto fail;
    if (cfg->is_dry)
        m->ranks = bpe_installed(data_dir);
    return m;
fail:
    model_free(m);
    return NULL;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->n_workers; i++) {
        buf_release(&m->workers[i].request);
        buf_release(&m->workers[i].raw);
    }
    free(m->workers);
    for (int i = 0; i < N_PROMPTS; i++)
        buf_release(&m->prompts[i]);
    buf_release(&m->schema);
    buf_release(&m->relations);
    buf_release(&m->names);
    buf_release(&m->types);
    llm_free(m->llm);
    bpe_free(m->ranks);
    free(m);
}

struct model_dry model_dry(const struct model *m)
{
    struct model_dry all = { .is_exact = m->ranks != NULL };
    for (unsigned i = 0; i < m->n_workers; i++) {
        all.n_requests += m->workers[i].dry.n_requests;
        all.n_texts += m->workers[i].dry.n_texts;
        all.n_cached += m->workers[i].dry.n_cached;
        all.n_tokens += m->workers[i].dry.n_tokens;
    }
    return all;
}

/* ---- a conversation about one text ---- */

struct talk {
    struct model *m;
    unsigned worker;
    const struct rec *rec;
    struct sink *sink;
    struct grounds *grounds;
    struct llm_message messages[MESSAGES_MAX];
    struct buf said[MESSAGES_MAX]; /* texts of the messages */
    size_t n;
    uint64_t n_left_out; /* statements that became no facts */
};

static struct buf *add_message(struct talk *t, const char *role)
{
    t->messages[t->n].role = role;
    return &t->said[t->n++];
}

static void say(struct talk *t, const char *role, struct sv text)
{
    buf_sv(add_message(t, role), sv_trim(text));
}

static void begin(struct talk *t)
{
    struct model *m = t->m;
    struct buf text = BUF_INIT;
    llm_fence(&text, "TEXT", t->sink->source.text);
    struct llm_slot slots[] = { { "text", buf_view(&text) },
                                { "relations", sv_trim(buf_view(&m->relations)) },
                                { "types", buf_view(&m->types) } };
    llm_fill(add_message(t, "system"), sv_trim(buf_view(&m->prompts[PROMPT_SYSTEM])), slots,
             ARRAY_LEN(slots));
    llm_fill(add_message(t, "user"), sv_trim(buf_view(&m->prompts[PROMPT_USER])), slots,
             ARRAY_LEN(slots));
    buf_release(&text);
}

static void end(struct talk *t)
{
    for (size_t i = 0; i < t->n; i++)
        buf_release(&t->said[i]);
    grounds_free(t->grounds);
}

static struct sv request_of(struct talk *t)
{
    struct buf *request = &t->m->workers[t->worker].request;
    for (size_t i = 0; i < t->n; i++)
        t->messages[i].content = buf_view(&t->said[i]);
    buf_reset(request);
    llm_request(request, &t->m->llm_cfg, t->messages, t->n);
    return buf_view(request);
}

static void take_statements(struct talk *t, const struct statements *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (!model_fact(t->grounds, &list->items[i], t->m->cfg->drops_unsupported, t->sink))
            t->n_left_out++;
    t->n_left_out += list->n_odd;
    if (list->is_cut)
        rec_warn(t->rec, "the model's reply was cut off at --max-tokens=%ld: facts may lack",
                 t->m->cfg->llm.max_tokens);
}

/* One request. 1: statements were taken; 0: the model says there are none; -1 with err. What
 * was said joins the talk. */
static int ask(struct talk *t, struct err *err)
{
    struct model *m = t->m;
    struct buf *raw = &m->workers[t->worker].raw;
    struct llm_reply reply;
    struct statements list = { 0 };
    jv v;
    struct sv request = request_of(t);
    buf_reset(raw);
    llm_reply_init(&reply);
    int rc = llm_ask(m->llm, t->worker, request, &reply, raw, err);
    if (t->rec->reply) {
        buf_reset(t->rec->reply);
        buf_sv(t->rec->reply, reply.text.len ? buf_view(&reply.text) : buf_view(raw));
    }
    if (rc == 0) {
        say(t, "assistant", buf_view(&reply.text));
        rc = model_parse(buf_view(&reply.text), &v, &list, err);
    }
    if (rc == 0) {
        take_statements(t, &list);
        rc = llm_keep(m->llm, request, buf_view(raw), err);
        if (rc == 0)
            rc = list.n > 0;
        free(list.items);
        json_free(v);
    }
    llm_reply_release(&reply);
    return rc;
}

/* A reply that is no JSON gets one more chance. */
static int ask_twice(struct talk *t, struct err *err)
{
    size_t n = t->n;
    int rc = ask(t, err);
    if (rc >= 0 || err->code != EXIT_REJECTED || t->n == n)
        return rc;
    say(t, "user", buf_view(&t->m->prompts[PROMPT_AGAIN]));
    return ask(t, err);
}

static int glean(struct talk *t, struct err *err)
{
    int rc = 1;
    for (long i = 0; i < t->m->cfg->gleanings && rc > 0; i++) {
        say(t, "user", buf_view(&t->m->prompts[PROMPT_MORE]));
        rc = ask(t, err);
    }
    if (rc >= 0 || err->code != EXIT_REJECTED)
        return rc;
    rec_warn(t->rec, "a further request gave nothing: %s", err->msg);
    return 0;
}

static void count(struct talk *t)
{
    struct model_dry *dry = &t->m->workers[t->worker].dry;
    struct sv request = request_of(t);
    dry->n_texts++;
    if (t->m->llm && llm_has(t->m->llm, request)) {
        dry->n_cached++;
        return;
    }
    dry->n_requests++;
    for (size_t i = 0; i < t->n; i++)
        dry->n_tokens +=
            t->m->ranks ? bpe_count(t->m->ranks, buf_view(&t->said[i])) : t->said[i].len / 3;
}

int model_read(struct model *m, unsigned worker, const struct rec *r, struct sink *sink,
               const struct entities *names, struct err *err)
{
    struct talk t = { .m = m, .worker = worker, .rec = r, .sink = sink };
    int rc = 0;
    if (!sv_trim(sink->source.text).n)
        return 0;
    begin(&t);
    if (m->cfg->is_dry) {
        count(&t);
    } else {
        t.grounds = grounds_new(m->lore, m->splitter, sink, names);
        rc = ask_twice(&t, err);
        if (rc > 0)
            rc = glean(&t, err);
        if (rc >= 0 && t.n_left_out)
            rec_warn(r,
                     "%llu of the model's statements became no facts: relations that are "
                     "not in relation.tsv, or no statements",
                     (unsigned long long)t.n_left_out);
    }
    end(&t);
    return rc < 0 ? -1 : 0;
}
