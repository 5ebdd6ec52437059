// SPDX-License-Identifier: MIT
/*
 * folder.h — a model folder in Hugging Face layout: everything but the weights' numbers
 *
 * Read: modules.json (transformer, pooling, normalisation), config.json, the tokenizer
 * (tokenizer.h), 1_Pooling/config.json (mean, cls), sentence_bert_config.json (max_seq_length),
 * tokenizer_config.json (model_max_length), config_sentence_transformers.json (prompts). What
 * is not supported is refused by name; truncation and padding in tokenizer.json do not count.
 */
#ifndef GR_FOLDER_H
#define GR_FOLDER_H

#include <jv.h>

#include "bert.h"
#include "buf.h"
#include "err.h"
#include "gr.h"
#include "tokenizer.h"

enum pooling { POOL_MEAN, POOL_CLS };

struct folder {
    struct buf root;   /* where config.json and the weights are: the folder or one below it */
    struct buf config; /* the bytes of config.json */
    struct bert_config bert;
    struct tokenizer tokenizer;
    enum pooling pooling; /* mean when the folder does not say */
    bool is_normalised;
    size_t max_len;     /* tokens of one forward pass, [CLS] and [SEP] included */
    char *query, *text; /* prompts of queries and of other texts; NULL: none */
    size_t n_labels;    /* of a sequence classifier; 0: the folder is none */
    bool is_logit;      /* its scores are the bare logits, not passed through a sigmoid */
};

/* -1 and err (EXIT_FATAL, with the file's path) when a file is missing or damaged, or something
 * is not supported. Release it in both cases. */
int folder_read(struct folder *f, const char *dir, struct err *err);
void folder_release(struct folder *f);

/* A JSON file of a folder: 1 read (the caller frees *v), 0 absent, -1. `text` is working
 * memory and holds the file's bytes. */
int folder_json(const char *dir, const char *name, jv *v, struct buf *text, struct err *err);

/* A true/false field that may be absent or null. */
bool folder_flag(jv object, const char *field, bool if_absent);

#endif
