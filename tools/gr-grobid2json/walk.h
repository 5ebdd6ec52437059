// SPDX-License-Identifier: MIT
/*
 * walk.h — files and folders named on a command line → the files to convert, one by one
 *
 * A folder gives the files below it whose names end in …xml or .tei (or .pdf, when asked for),
 * compressed or not, and the members of tar archives that do, in the order of their names'
 * bytes, a folder's own entries before the next; an archive keeps its own order. Names that
 * start with a dot are passed over. A folder that was seen already (links, loops, an operand
 * given twice) is not entered again: of each folder two numbers are kept, of a file nothing.
 */
#ifndef WALK_H
#define WALK_H

#include "buf.h"
#include "err.h"
#include "file.h"
#include "gr.h"

struct walk; /* opaque */

struct walk_cfg {
    const char *const *operands; /* (n_operands) borrowed; with no list either: "-" */
    size_t n_operands;
    const char *files_from; /* a file of further operands, one a line; "-"; NULL: none */
    bool is_null;           /* they end with NUL, not with a line end */
    bool has_pdf;           /* folders and archives give PDF files too */
    const char *kept;       /* a folder that is not entered: what is made here; NULL: none */
    size_t max_bytes;       /* of a member of an archive */
};

/* NULL with err (EXIT_FATAL) when an operand of the command line does not exist or cannot be
 * read: asked before any work starts. What a list names is looked at when its turn comes.
 * EXIT_USAGE when an operand is the folder `kept`. */
struct walk *walk_new(const struct walk_cfg *cfg, struct err *err);
void walk_free(struct walk *w);

/*
 * The next file into *item: its path, and, when its bytes are at hand already (a member of an
 * archive, standard input), a NUL and the bytes. *file is set for standard input, else left.
 * Returns 1; 0 at the end; -1 with err (EXIT_REJECTED) and the path when a folder or archive
 * cannot be read, after which the walk goes on. The signature is run_item_fn's.
 */
int walk_next(void *walk, struct buf *item, const char **file, struct err *err);

/* Folders among the operands that held no file to convert; i < the count walk_n_empty gives. */
size_t walk_n_empty(const struct walk *w);
const char *walk_empty(const struct walk *w, size_t i);

/* PDF files that folders and archives held and that were passed over, without has_pdf. */
size_t walk_n_pdf(const struct walk *w);

#endif
