// SPDX-License-Identifier: MIT
/*
 * postings.h — the documents of a term in bytes: blocks that can be found, skipped and bounded
 *
 * A short list is pairs of variable-length integers (7 bits a byte, least first, high bit: more
 * follows): distance to the document before (first: document + 1), and tf.
 *
 * A list of POST_BLOCKED documents or more begins with a zero byte, which no short list does:
 *     0, documents (varint), a head for each block, then the blocks one after the other
 * A head is POST_HEAD bytes: the block's last document (u32), where the block begins, counted
 * from the end of the heads (u32), and POST_TOPS pairs (tf u8, length u16) such that each of
 * the block's documents has a pair with as large a tf and as small a length. A score of BM25
 * grows with tf and falls with length, so that the best of the pairs bounds the block's scores
 * whatever k1, b, the mean length and the number of documents are. tf 255: that or more.
 *
 * A block of POST_BLOCK documents is its distances less 1 and then its tfs less 1, each as
 *     bits, exceptions, POST_BLOCK · bits / 8 bytes, (place, varint) for each exception
 * in 4 lanes of 32-bit words (Lemire & Boytsov 2015), what does not fit into the bits in the
 * exceptions (Zukowski et al. 2006). A last block of fewer documents is pairs as in a short
 * list.
 */
#ifndef POSTINGS_H
#define POSTINGS_H

#include "buf.h"
#include "gr.h"

#define POST_BLOCK 128
#define POST_BLOCKED 256
#define POST_TOPS 3
#define POST_HEAD (8 + 3 * POST_TOPS)

/* ---- reading: nothing in the bytes is trusted ---- */

/* A list, opened. */
struct postings {
    const unsigned char *heads, *data, *end; /* heads NULL: a short list */
    size_t n_docs;                           /* of the collection */
    size_t n, n_blocks;                      /* of a list in blocks; else 0 */
};

/* False when the bytes are no list. */
bool postings_open(struct postings *l, const unsigned char *from, const unsigned char *end,
                   size_t n_docs);

struct post_top {
    uint32_t tf, len; /* tf UINT32_MAX: any */
};
struct post_head {
    uint32_t last;
    struct post_top tops[POST_TOPS];
};

/* The head of block i < n_blocks. */
void postings_head(const struct postings *l, size_t i, struct post_head *h);

/* Some documents, ascending, all < n_docs. */
struct post_block {
    uint32_t doc[POST_BLOCK], tf[POST_BLOCK];
    size_t n;
    const unsigned char *tfs; /* where tf is decoded from; NULL: it is */
};

/* Decode the documents of block i < n_blocks, and then, when they are needed, its tfs: those of
 * few blocks are. False when the block is damaged. */
bool postings_docs(const struct postings *l, size_t i, struct post_block *b);
bool postings_tfs(const struct postings *l, struct post_block *b);

/* All documents of a list of either form, block by block. */
struct post_walk {
    struct postings list;
    const unsigned char *at; /* of a short list */
    size_t next;             /* of a list in blocks */
    uint64_t doc;            /* the last document + 1 */
    struct post_block block;
};
void post_walk_start(struct post_walk *w, const struct postings *l);
/* 1 and the next block, 0 at the end, -1 when the bytes are damaged. */
int post_walk_next(struct post_walk *w);

/* ---- writing ---- */

void postings_put_pair(struct buf *b, uint32_t gap, uint32_t tf);

/* Append a list of n documents: as it is while it is short. lens: length of each document of
 * the collection, mean: their mean, by which pairs are chosen when there are too many. */
void postings_put(struct buf *out, const uint32_t *doc, const uint32_t *tf, size_t n,
                  const uint32_t *lens, double mean);

#endif
