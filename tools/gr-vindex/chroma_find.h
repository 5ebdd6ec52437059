// SPDX-License-Identifier: MIT
/*
 * chroma_find.h — searching a collection
 *
 * The nearest are Chroma's, with its own approximation; they are fetched with their vectors and
 * searched again here as a small plain index, so that scores, ties, fusion and hits are what
 * they are for a file. Chroma is asked for what the simple part of a filter says; the rest is
 * applied here, and more is asked for until there are enough or no more.
 */
#ifndef CHROMA_FIND_H
#define CHROMA_FIND_H

#include "chroma.h"
#include "filter.h"
#include "search.h"

/* What one thread needs. */
struct chroma_find {
    struct chroma *c;               /* borrowed */
    const struct chroma_info *info; /* borrowed, shared */
    const struct search_cfg *cfg;   /* borrowed */
    const struct where *where;      /* the filter's simple part, NULL: none; borrowed */
    struct filter *filter;          /* made when first needed; chroma_find_release frees it */
    struct buf condition;           /* Chroma's `where`, "": none */
    struct map *selected;           /* all that the filter selects, once that is known */
};

void chroma_find_init(struct chroma_find *f, struct chroma *c, const struct chroma_info *info,
                      const struct search_cfg *cfg, const struct where *where);
void chroma_find_release(struct chroma_find *f);

/* One query record, as search_batch does it. */
int chroma_find_record(struct chroma_find *f, const struct rec *r, struct buf *out,
                       struct err *err);

/* Does the filter select a record? 1, 0, or -1 with err. No filter selects all. */
int chroma_find_test(struct chroma_find *f, struct sv record, struct err *err);

/*
 * Visit every record that Chroma's part of the filter lets pass, page by page in the server's
 * order. with_vectors: record has `embedding` (embedding_model is left to the caller). fn
 * returns 0, or -1 with err to stop.
 */
int chroma_find_all(struct chroma_find *f, bool with_vectors,
                    int (*fn)(void *ctx, struct sv id, struct sv record, const float *vec,
                              size_t dim, struct err *err),
                    void *ctx, struct err *err);

#endif
