// SPDX-License-Identifier: MIT
/*
 * model.h — facts read by a chat model, checked against the text they are said to stand in
 *
 * The model gets one passage at a time, the relations and the kinds of names there are, and is
 * held to JSON by a schema. Nothing it says is believed as it is: a fact whose evidence is no
 * span of the passage, or whose head or tail does not stand there, is marked "unsupported".
 * Names, units and relations are brought to the same canonical forms as those that patterns
 * find, so that a fact which both find is one fact.
 */
#ifndef MODEL_H
#define MODEL_H

#include "err.h"
#include "json.h"
#include "llm.h"
#include "relate.h"
#include "sentence.h"
#include "triple.h"

#define MODEL_GLEANINGS_MAX 5

struct model_cfg {
    struct llm_cfg llm;        /* its schema is the model's own */
    bool is_on;                /* --api or --dry-run */
    bool is_dry;               /* count what would be asked */
    bool drops_unsupported;    /* instead of marking them */
    long gleanings;            /* further requests for what was missed */
    const char *system, *user; /* files of prompts, NULL: the installed ones */
};

struct model; /* const once made, but for what belongs to a worker */

/* cfg and lore are borrowed. NULL with err: EXIT_USAGE without an address, EXIT_FATAL. */
struct model *model_new(const struct model_cfg *cfg, const struct lore *lore,
                        const struct splitter *splitter, const char *data_dir,
                        unsigned n_workers, struct err *err);
void model_free(struct model *m); /* NULL is fine */

/*
 * Ask about the sink's present text and add what is found to the sink. names: what stands in
 * the text. r: warnings and the raw reply of a request that failed go there. -1 with err:
 * EXIT_REJECTED when the reply is none or holds no JSON of the form asked for, twice ("parse
 * error": not the same as a reply that says there is nothing); as http_post otherwise.
 */
int model_read(struct model *m, unsigned worker, const struct rec *r, struct sink *sink,
               const struct entities *names, struct err *err);

/* What a dry run would ask for, all workers together. */
struct model_dry {
    uint64_t n_requests, n_texts, n_cached, n_tokens;
    bool is_exact; /* tokens of cl100k_base; else a third of the bytes */
};
struct model_dry model_dry(const struct model *m);

/* ---- model_reply.c: the form of replies ---- */

/* One statement as the model put it; texts are borrowed from the reply. */
struct statement {
    struct sv head, head_type, relation, tail, tail_type, evidence;
    double confidence; /* NaN: none given */
    bool is_negated;
};

/*
 * The statements of a reply. Read too, as models write it: a fence or words around, a bare
 * array, one bare object, other keys (subject, predicate, object; source, target; facts), ends
 * as objects {name,type}, triples as arrays of three. 0 with *v, to be freed by json_free, and
 * *list, its items by free; or -1 with err (EXIT_REJECTED). *n_odd: elements that are no
 * statement.
 */
struct statements {
    struct statement *items;
    size_t n, cap, n_odd;
    bool is_cut; /* the reply broke off; these are whole */
};
int model_parse(struct sv text, jv *v, struct statements *list, struct err *err);

/* ---- model_fact.c: statements to facts ---- */

struct grounds; /* what statements are held against: the text and what was found in it */
struct grounds *grounds_new(const struct lore *lore, const struct splitter *splitter,
                            const struct sink *sink, const struct entities *names);
void grounds_free(struct grounds *g);

/* Add a statement to the sink, as a fact with the sentence it stands in. False: its relation is
 * none of the tables, or an end is empty. */
bool model_fact(struct grounds *g, const struct statement *s, bool drops_unsupported,
                struct sink *sink);

#endif
