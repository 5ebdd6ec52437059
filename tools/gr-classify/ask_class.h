// SPDX-License-Identifier: MIT
/*
 * ask_class.h — the class of a question, as a chat model judges it
 */
#ifndef ASK_CLASS_H
#define ASK_CLASS_H

#include "llm_task.h"

extern const struct llm_task_form ask_class_form;

/* llm_task_read with a size_t, the class (< MODEL_CLASSES): {"class": "…"}, in any case,
 * with blanks or hyphens for "_". */
int ask_class_read(void *ctx, jv reply, struct err *err);

#endif
