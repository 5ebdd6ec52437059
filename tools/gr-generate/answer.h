// SPDX-License-Identifier: MIT
/*
 * answer.h — an answer with all that is known about it, and its two written forms
 */
#ifndef ANSWER_H
#define ANSWER_H

#include "chat.h"
#include "check.h"
#include "extract.h"

struct answer {
    const struct rec *rec;
    struct context ctx;
    struct buf text;
    struct claims claims;
    bool is_refused;
    bool is_from_model;
    struct extract_result extract; /* when not from a model */
    struct chat_reply reply;       /* when from a model */
    struct buf generator;          /* "extractive", or the model's name */
    double min_support;
};

/* The record with response, citations, unsupported, generator, usage, refused and trace. */
void answer_json(const struct answer *a, struct buf *out);

/* For people: question, answer, the sources it cites, and what the check found. */
void answer_text(const struct answer *a, struct buf *out);

#endif
