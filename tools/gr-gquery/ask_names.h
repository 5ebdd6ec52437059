// SPDX-License-Identifier: MIT
/*
 * ask_names.h — what a question names, as a chat model sees it
 *
 * The model is held to {"names": ["…"]} by a schema; its reply is read in any dress (llm_json).
 * It is one more voice: the names it gives are looked up in the graph like any others, those
 * that no node has are nothing, and without a usable reply the question is read as without it.
 */
#ifndef ASK_NAMES_H
#define ASK_NAMES_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "llm.h"
#include "sv.h"

#define ASK_NAMES_MAX 20 /* names of one reply that count */

struct ask_names; /* opaque; shared by all workers, each with a number of its own */

/* cfg is borrowed; its schema is set. NULL with err as llm_new. */
struct ask_names *ask_names_new(struct llm_cfg *cfg, unsigned n_workers, struct err *err);
void ask_names_free(struct ask_names *a); /* NULL is fine */

/* Put the names of a question into *names, one a line. -1 with err when the model gave no
 * usable reply; EXIT_SERVICE: it is down, and is not asked again. */
int ask_names(struct ask_names *a, unsigned worker, struct sv question, struct buf *names,
              struct err *err);

#endif
