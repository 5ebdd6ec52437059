// SPDX-License-Identifier: MIT
/*
 * walk.h — files and folders named on a command line → the files to convert, one by one
 *
 * A folder gives the *.xml and *.tei files below it, in the order of their names' bytes, a
 * folder's own entries before the next; names that start with a dot are passed over. A folder
 * that was seen already (links, loops, an operand given twice) is not entered again.
 */
#ifndef WALK_H
#define WALK_H

#include "buf.h"
#include "err.h"
#include "gr.h"

struct walk; /* opaque; holds the paths it has given */

/* operands: (n) borrowed; none is standard input, "-". NULL with err (EXIT_FATAL) when an
 * operand does not exist or cannot be read: asked before any work starts. */
struct walk *walk_new(const char *const *operands, size_t n, struct err *err);
void walk_free(struct walk *w);

/*
 * The next file: its path into *item, and in *file for messages (valid until walk_free).
 * Returns 1; 0 at the end; -1 with err (EXIT_REJECTED) and the folder's path when a folder
 * cannot be read, after which the walk goes on. The signature is run_item_fn's.
 */
int walk_next(void *walk, struct buf *item, const char **file, struct err *err);

/* Folders among the operands that held no file to convert; i < the count walk_n_empty gives. */
size_t walk_n_empty(const struct walk *w);
const char *walk_empty(const struct walk *w, size_t i);

#endif
