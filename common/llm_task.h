// SPDX-License-Identifier: MIT
/*
 * llm_task.h — one short task for a chat model, set for each text of many: JSON comes back
 *
 * The model is held to a JSON schema where the service can do that; its reply is read in any
 * dress (llm_json). The text is fenced, so that what it says stays data. Replies are kept when
 * there is a cache and the caller could use them. A service that is down is not asked again:
 * the callers go on without it.
 */
#ifndef GR_LLM_TASK_H
#define GR_LLM_TASK_H

#include "err.h"
#include "gr.h"
#include "json.h"
#include "llm.h"
#include "opts.h"
#include "run.h"
#include "sv.h"

/* The options of such tasks. cfg: a struct llm_cfg of static storage; what: help of --api. */
#define LLM_TASK_OPTIONS(cfg, what)                                                            \
    { "Chat model", 0, OPT_GROUP },                                                            \
        { "api", 0, OPT_STRING, "URL", NULL, what, &(cfg).api }, { "api-model",                \
                                                                   0,                          \
                                                                   OPT_STRING,                 \
                                                                   "NAME",                     \
                                                                   "gpt-4o-mini",              \
                                                                   "model to ask for",         \
                                                                   &(cfg).model },             \
        { "api-key-file", 0, OPT_STRING, "FILE", NULL, "key; else from OPENAI_API_KEY",        \
          &(cfg).key_file },                                                                   \
        { "form",      0,                                                                      \
          OPT_ENUM,    "HOW",                                                                  \
          "schema",    "what holds the model to JSON",                                         \
          &(cfg).form, .choices = LLM_FORMS },                                                 \
    {                                                                                          \
        "cache", 0, OPT_STRING, "DIR", NULL,                                                   \
            "keep replies in this folder, and take them from it", &(cfg).cache                 \
    }
/* The two that tools have whose service of another kind does not bring them. */
#define LLM_PATIENCE_OPTIONS(cfg)                                                               \
    {                                                                                           \
        "timeout", 0, OPT_LONG, "S", "120", "seconds for a request", &(cfg).timeout_s, 1, 86400 \
    },                                                                                          \
    {                                                                                           \
        "tries", 0, OPT_LONG, "N", "6", "requests before a service counts as down",             \
            &(cfg).tries, 1, 100                                                                \
    }

/* Check and complete what the options filled: the seed is that of the run, and a cache keeps
 * replies of --api. 0, or EXIT_USAGE, said. */
int llm_task_check(struct run *run, struct llm_cfg *cfg);

struct llm_task_form {
    const char *name;   /* of the schema: letters, digits, _ */
    const char *schema; /* JSON schema of the reply */
    const char *prompt; /* what is to be done, for the system message */
    const char *label;  /* of the fence around the text */
};

struct llm_task; /* shared by all workers, each with a number of its own */

/* form and cfg are borrowed; the schema of cfg is set. NULL with err as llm_new. */
struct llm_task *llm_task_new(const struct llm_task_form *form, struct llm_cfg *cfg,
                              unsigned n_workers, struct err *err);
/* Say for how many records llm_task_warn had nothing new to say. NULL is fine. */
void llm_task_free(struct llm_task *t);

/* Take what the caller can use of a reply. -1 with err (EXIT_REJECTED): it is of no use. */
typedef int (*llm_task_read)(void *ctx, jv reply, struct err *err);

/* Set the task for a text. -1 with err when no usable reply came; EXIT_SERVICE: the service is
 * down, and is not asked again; EXIT_FATAL: nor is it when every request would fail alike. */
int llm_task_run(struct llm_task *t, unsigned worker, struct sv text, llm_task_read read,
                 void *ctx, struct err *err);

/* Warn of a record that is worked on without the model, why is what llm_task_run said; `how`
 * ends in "without the model". That the service is down is said of the first one only. */
void llm_task_warn(struct llm_task *t, const struct rec *r, const char *how,
                   const struct err *why);

#endif
