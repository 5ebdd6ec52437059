// SPDX-License-Identifier: MIT
/*
 * ask_names.h — what a question names, as a chat model sees it
 *
 * The model is one more voice: the names it gives are looked up in the graph like any others,
 * those that no node has are nothing, and without a usable reply the question is read as
 * without it.
 */
#ifndef ASK_NAMES_H
#define ASK_NAMES_H

#include "buf.h"
#include "llm_task.h"

#define ASK_NAMES_MAX 20 /* names of one reply that count */

extern const struct llm_task_form ask_names_form;

/* llm_task_read with a struct buf: {"names": […]}, or the array alone; each a string, or an
 * object with name. They are appended, one a line. */
int ask_names_read(void *ctx, jv reply, struct err *err);

#endif
