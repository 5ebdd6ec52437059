// SPDX-License-Identifier: MIT
/*
 * suggest.h — queries and keywords for a question, as a chat model suggests them
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "expand.h"
#include "llm_task.h"

#define SUGGEST_MAX 64        /* queries, and keywords, of one reply that count */
#define SUGGEST_MAX_BYTES 500 /* of one; a longer one is no search query */

extern const struct llm_task_form suggest_form;

/* llm_task_read with a struct expansion: {"queries": […], "keywords": […]}, or an array of
 * queries alone; each a string. Line breaks and other controls become blanks. */
int suggest_read(void *ctx, jv reply, struct err *err);

#endif
