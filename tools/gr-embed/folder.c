// SPDX-License-Identifier: MIT
/*
 * folder.c — the configuration files of a model folder
 */
#include "folder.h"

#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "json.h"

#define CONFIG_MAX ((size_t)4 << 20) /* bytes of a configuration file */

int folder_json(const char *dir, const char *name, jv *v, struct buf *text, struct err *err)
{
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/%s", dir, name);
    buf_reset(text);
    int rc = 0;
    if (access(buf_cstr(&path), F_OK) == 0) {
        rc = file_read(text, buf_cstr(&path), CONFIG_MAX, err);
        if (rc == 0) {
            rc = json_parse(v, sv_trim(buf_view(text)), err);
            if (rc == 0 && !json_is_object(*v) && !json_is_array(*v)) {
                json_free(*v);
                rc = err_set(err, EXIT_FATAL, "expected an object");
            }
            if (rc < 0)
                err_prefix(err, "%s", buf_cstr(&path));
        }
        if (rc == 0)
            rc = 1;
    }
    if (rc < 0)
        err->code = EXIT_FATAL;
    buf_release(&path);
    return rc;
}

/* json_get, of anything. */
static jv member(jv v, const char *field)
{
    return json_is_object(v) ? json_get(v, field) : jv_null();
}

bool folder_flag(jv object, const char *field, bool if_absent)
{
    jv v = member(object, field);
    return json_is_null(v) ? if_absent : json_is_true(v);
}

static char *copy_str(jv v)
{
    struct sv s = json_sv(v);
    return json_is_str(v) && s.n ? alloc_text(s.p, s.n) : NULL;
}

/* ---- lengths ---- */

/* max_seq_length, else the tokenizer's model_max_length, never more than there are positions.
 */
static int read_length(struct folder *f, const char *dir, bool *is_lowered, struct err *err)
{
    static const struct {
        const char *file, *field;
    } places[] = { { "sentence_bert_config.json", "max_seq_length" },
                   { "tokenizer_config.json", "model_max_length" } };
    struct buf text = BUF_INIT;
    bool is_found = false;
    int rc = 0;
    jv v;
    f->max_len = f->bert.max_positions;
    for (size_t i = 0; rc >= 0 && i < ARRAY_LEN(places); i++) {
        rc = folder_json(i ? buf_cstr(&f->root) : dir, places[i].file, &v, &text, err);
        if (rc != 1)
            continue;
        double n = json_num(member(v, places[i].field));
        if (!is_found && n >= 3) {
            is_found = true;
            if (n < (double)f->max_len)
                f->max_len = (size_t)n;
        }
        if (i == 0)
            *is_lowered = folder_flag(v, "do_lower_case", false);
        json_free(v);
    }
    buf_release(&text);
    if (rc >= 0 && f->max_len < 3)
        rc = err_set(err, EXIT_FATAL, "%s: the model reads no text", dir);
    return rc < 0 ? -1 : 0;
}

/* ---- modules ---- */

static int read_pooling(struct folder *f, const char *dir, const char *path, struct err *err)
{
    static const char *const modes[] = { "max_tokens", "mean_sqrt_len_tokens",
                                         "weightedmean_tokens", "lasttoken" };
    struct buf text = BUF_INIT, name = BUF_INIT;
    const char *other = NULL;
    jv v;
    buf_printf(&name, "%s/config.json", path);
    int rc = folder_json(dir, buf_cstr(&name), &v, &text, err);
    if (rc == 1) {
        struct sv mode = json_sv(member(v, "pooling_mode"));
        bool is_cls = folder_flag(v, "pooling_mode_cls_token", sv_is(mode, "cls"));
        bool is_mean = folder_flag(v, "pooling_mode_mean_tokens", sv_is(mode, "mean"));
        for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
            char field[64];
            snprintf(field, sizeof field, "pooling_mode_%s", modes[i]);
            if (folder_flag(v, field, false))
                other = modes[i];
        }
        f->pooling = is_cls ? POOL_CLS : POOL_MEAN;
        if (is_cls == is_mean || other)
            rc = err_set(err, EXIT_FATAL,
                         "%s/%s: pooling \"%s\": only mean or cls pooling is supported", dir,
                         buf_cstr(&name),
                         other    ? other
                         : is_cls ? "cls and mean"
                                  : "none");
        else if (!folder_flag(v, "include_prompt", true))
            rc = err_set(err, EXIT_FATAL, "%s/%s: include_prompt false is not supported", dir,
                         buf_cstr(&name));
        json_free(v);
    }
    buf_release(&name);
    buf_release(&text);
    return rc < 0 ? -1 : 0;
}

/* One entry of modules.json. Types are Python class paths; the class name counts. */
static int take_module(struct folder *f, const char *dir, jv module, struct err *err)
{
    struct sv type, path = SV_NONE;
    if (!json_is_object(module) || json_need_str(module, "type", &type, err) < 0 ||
        json_opt_str(module, "path", &path, err) < 0)
        return err_set(err, EXIT_FATAL, "%s/modules.json: expected objects with a type", dir);
    if (sv_ends(type, SV(".Normalize"))) {
        f->is_normalised = true;
        return 0;
    }
    bool is_model = sv_ends(type, SV(".Transformer"));
    if (!is_model && !sv_ends(type, SV(".Pooling")))
        return err_set(err, EXIT_FATAL, "%s/modules.json: module \"%.*s\" is not supported",
                       dir, SV_ARG(type));
    char *name = alloc_text(path.p, path.n);
    int rc = 0;
    if (strstr(name, "..") || strchr(name, '/'))
        rc = err_set(err, EXIT_FATAL, "%s/modules.json: path leaves the folder", dir);
    else if (!is_model)
        rc = read_pooling(f, dir, name, err);
    else if (*name)
        buf_printf(&f->root, "/%s", name);
    free(name);
    return rc;
}

static int read_modules(struct folder *f, const char *dir, struct err *err)
{
    struct buf text = BUF_INIT;
    jv v;
    int rc = folder_json(dir, "modules.json", &v, &text, err);
    if (rc == 1) {
        for (size_t i = 0; i < json_len(v) && rc >= 0; i++)
            rc = take_module(f, dir, json_at(v, i), err);
        json_free(v);
    }
    buf_release(&text);
    return rc < 0 ? -1 : 0;
}

/* ---- prompts ---- */

static int read_prompts(struct folder *f, const char *dir, struct err *err)
{
    static const char *const of_texts[] = { "document", "passage", "corpus" };
    struct buf text = BUF_INIT;
    jv v;
    int rc = folder_json(dir, "config_sentence_transformers.json", &v, &text, err);
    if (rc == 1) {
        jv prompts = member(v, "prompts");
        char *by_default = copy_str(member(v, "default_prompt_name"));
        f->query = copy_str(member(prompts, "query"));
        for (size_t i = 0; i < ARRAY_LEN(of_texts) && !f->text; i++)
            f->text = copy_str(member(prompts, of_texts[i]));
        if (by_default && !f->query)
            f->query = copy_str(member(prompts, by_default));
        if (by_default && !f->text && strcmp(by_default, "query") != 0)
            f->text = copy_str(member(prompts, by_default));
        free(by_default);
        json_free(v);
    }
    buf_release(&text);
    return rc < 0 ? -1 : 0;
}

/* ---- config.json ---- */

/* A sequence classifier's number of scores, and what is done to them: sentence-transformers
 * takes a sigmoid for one score unless the folder names the identity. */
static void read_labels(struct folder *f, jv v)
{
    jv kinds = member(v, "architectures"), own = member(v, "sentence_transformers");
    jv labels = member(v, "id2label");
    struct sv act = json_sv(member(own, "activation_fn"));
    if (!act.n)
        act = json_sv(member(v, "sbert_ce_default_activation_function"));
    f->is_logit = sv_ends(act, SV(".Identity"));
    for (size_t i = 0; i < json_len(kinds); i++)
        if (sv_is(json_sv(json_at(kinds, i)), "BertForSequenceClassification")) {
            double n = json_num(member(v, "num_labels"));
            struct sv key;
            jv value;
            f->n_labels = n >= 1 && n < 1000 ? (size_t)n : 2;
            if (json_is_object(labels))
                for (size_t k = f->n_labels = 0; json_each(labels, &k, &key, &value);)
                    f->n_labels++;
        }
}

static int read_config(struct folder *f, struct err *err)
{
    struct buf path = BUF_INIT;
    jv v;
    buf_printf(&path, "%s/config.json", buf_cstr(&f->root));
    int rc = file_read(&f->config, buf_cstr(&path), CONFIG_MAX, err);
    if (rc == 0 && (rc = bert_config_parse(&f->bert, sv_trim(buf_view(&f->config)), err)) < 0)
        err_prefix(err, "%s", buf_cstr(&path));
    if (rc == 0 && json_parse(&v, sv_trim(buf_view(&f->config)), err) == 0) {
        read_labels(f, v);
        json_free(v);
    }
    buf_release(&path);
    return rc;
}

int folder_read(struct folder *f, const char *dir, struct err *err)
{
    bool is_lowered = false;
    *f = (struct folder){ 0 };
    buf_str(&f->root, dir);
    if (read_modules(f, dir, err) < 0 || read_config(f, err) < 0 ||
        read_length(f, dir, &is_lowered, err) < 0 || read_prompts(f, dir, err) < 0)
        return -1;
    return tokenizer_read(&f->tokenizer, buf_cstr(&f->root), is_lowered, err);
}

void folder_release(struct folder *f)
{
    buf_release(&f->root);
    buf_release(&f->config);
    tokenizer_release(&f->tokenizer);
    free(f->query);
    free(f->text);
    *f = (struct folder){ 0 };
}
