// SPDX-License-Identifier: MIT
/*
 * pick.h — the sentences of a passage that matter to a question, as a chat model judges
 *
 * The model gets the sentences numbered and gives numbers back, so that what is kept is the
 * paper's own text to the letter, whatever the model says.
 */
#ifndef PICK_H
#define PICK_H

#include "llm_task.h"
#include "sentence.h"

extern const struct llm_task_form pick_form;

/* keep[i]: sentence i of text (n of them) matters. -1 with err when no usable reply came: none
 * of the numbers is one of the sentences, or as llm_task_run. */
int pick_sentences(struct llm_task *t, unsigned worker, struct sv question, struct sv text,
                   const struct sentence *sentences, size_t n, bool *keep, struct err *err);

#endif
