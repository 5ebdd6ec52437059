// SPDX-License-Identifier: MIT
/*
 * render.h — nodes and facts as JSON, thousands of them at a time
 *
 * The same bytes as json.h and query_put_fact write, several times as fast: room is made once a
 * thing, members are copied without asking where commas go, and what repeats from fact to fact
 * (a head with many tails, a confidence) is written out once. What is in the file is not
 * trusted: text is looked at while it is copied.
 */
#ifndef RENDER_H
#define RENDER_H

#include "buf.h"
#include "gr.h"
#include "grg.h"

/* Append ",{"name":…,"type":…,"node":…}" for each node, without the first comma. */
void render_nodes(struct buf *out, const struct grg *g, const uint32_t *nodes, size_t n);

/* The same of edges, as query_put_fact writes them with the first triple of each. */
void render_facts(struct buf *out, const struct grg *g, const uint32_t *edges, size_t n);

/* Append the members that tell an edge's stance; nothing for a plain fact. */
void render_stance(struct buf *out, const struct grg *g, uint32_t edge);

#endif
