// SPDX-License-Identifier: MIT
/*
 * draw.h — a readable part of a graph, as DOT text or, by Graphviz, as an image
 */
#ifndef DRAW_H
#define DRAW_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "grg.h"
#include "link.h"

/* Append DOT text: the nodes within `depth` hops of the links (none: of the nodes with most
 * edges), at most max_nodes of them, those of most edges first; and all edges among them. */
void draw_dot(const struct grg *g, const struct links *around, long depth, long max_nodes,
              struct buf *out);

/* The name Graphviz has for the form that the ending of path asks for ("svg"), or NULL. */
const char *draw_format(const char *path);

/* Run `dot -Tformat` on DOT text and append what it writes. EXIT_FATAL when there is no dot or
 * it fails. No shell is involved. */
int draw_image(struct sv dot, const char *format, struct buf *image, struct err *err);

#endif
