// SPDX-License-Identifier: MIT
/*
 * score.c — the scores of one record as JSON
 */
#include "score.h"

#include <math.h>
#include <time.h>

#include "schema.h"

static bool is_wanted(const struct score_cfg *cfg, struct sv name)
{
    for (size_t i = 0; i < cfg->metrics->n; i++)
        if (sv_is(name, cfg->metrics->items[i].name))
            return true;
    return false;
}

/* Members of an object that the record brought and that are not made anew. */
static void keep_others(const struct score_cfg *cfg, const struct rec *r, const char *field,
                        struct buf *out)
{
    size_t i = 0;
    struct sv name;
    jv value, old = json_get(r->v, field);
    while (cfg->keeps_others && json_is_object(old) && json_each(old, &i, &name, &value))
        if (!is_wanted(cfg, name)) {
            json_key_sv(out, name);
            json_put_jv(out, value);
        }
}

static int put_scores(struct scorer *s, const struct score_cfg *cfg, struct buf *out,
                      struct buf *why, size_t *n_failed, struct err *err)
{
    for (size_t i = 0; i < cfg->metrics->n; i++) {
        const struct metric *m = &cfg->metrics->items[i];
        double value = 0;
        const char *reason = scorer_value(s, m, &value);
        json_key(out, m->name);
        if (!reason) {
            json_put_num(out, round(value * 1e6) / 1e6 + 0.0);
            continue;
        }
        if (cfg->is_strict)
            return err_set(err, EXIT_REJECTED, "%s: %s", m->name, reason);
        json_put_null(out);
        json_key(why, m->name);
        json_put_str(why, sv_from(reason));
        ++*n_failed;
    }
    return 0;
}

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void put_trace(const struct score_cfg *cfg, const struct sample *x, size_t n_failed,
                      double start, const struct rec *r, struct buf *out)
{
    static const char *const contexts[] = { "all", "vector", "graph" };
    static const char *const rankings[] = { "hits", "sources" };
    struct buf entry = BUF_INIT;
    json_open(&entry, '{');
    json_key(&entry, "tool");
    json_put_str(&entry, SV("gr-ragas"));
    json_key(&entry, "judge");
    json_put_str(&entry, SV("lexical"));
    json_key(&entry, "support");
    json_put_num(&entry, cfg->support);
    json_key(&entry, "contexts");
    json_put_str(&entry, sv_from(contexts[cfg->sample.contexts]));
    json_key(&entry, "relevance");
    json_put_str(&entry, sv_from(sample_relevance_name(x->relevance)));
    json_key(&entry, "ranking");
    json_put_str(&entry, sv_from(rankings[cfg->sample.ranking]));
    json_key(&entry, "ties");
    json_put_str(&entry, cfg->sample.keeps_order ? SV("order") : SV("trec_eval"));
    if (cfg->model) {
        json_key(&entry, "model");
        json_put_str(&entry, sv_from(cfg->model));
    }
    json_key(&entry, "n_failed");
    json_put_int(&entry, (int64_t)n_failed);
    if (cfg->has_timings) {
        json_key(&entry, "ms");
        json_put_num(&entry, round((milliseconds() - start) * 1e3) / 1e3);
    }
    json_close(&entry, '}');
    rec_append(out, r, F_TRACE, buf_view(&entry));
    buf_release(&entry);
}

int score_record(struct scorer *s, const struct score_cfg *cfg, const struct rec *r,
                 struct buf *out, struct err *err)
{
    static const char *const drop[] = { "scores", "why", F_TRACE };
    struct sample sample;
    struct buf why = BUF_INIT;
    size_t n_failed = 0;
    double start = cfg->has_timings ? milliseconds() : 0;
    int rc = sample_read(&sample, &cfg->sample, r, err);
    if (rc < 0)
        goto done;
    scorer_start(s, &sample);
    rec_begin(out, r, drop, ARRAY_LEN(drop));
    json_key(out, "scores");
    json_open(out, '{');
    keep_others(cfg, r, "scores", out);
    json_open(&why, '{');
    keep_others(cfg, r, "why", &why);
    rc = put_scores(s, cfg, out, &why, &n_failed, err);
    json_close(out, '}');
    json_close(&why, '}');
    json_key(out, "why");
    json_put_raw(out, buf_view(&why));
    put_trace(cfg, &sample, n_failed, start, r, out);
    rec_end(out);
done:
    buf_release(&why);
    sample_release(&sample);
    return rc;
}
