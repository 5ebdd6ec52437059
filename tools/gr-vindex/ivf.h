// SPDX-License-Identifier: MIT
/*
 * ivf.h — approximate search: lists of near rows, short codes, bounds, exact scores
 *
 * Rows are rotated (rotate.h), put into lists around centroids (kmeans.h) and kept there as a
 * code of one or two bits an element (code.h). With one bit each row is in two lists, the
 * second chosen so that the code is good where the first one's is not (SOAR, Sun et al.,
 * NeurIPS 2023). A search
 *   1. takes lists in order of an upper bound of what is in them, <q,c> + reach · spread /
 * √dim, until that is below the k-th best estimate so far;
 *   2. estimates every row of a list from its code, and keeps those whose estimate is no more
 *      than slack · (the code's error) below the k-th best estimate;
 *   3. scores these by their bytes (i8.h), which are made of the row, or kept once there were
 *      many searches (ivf_copy_new), and what may still be among the best k by the float rows
 * of the index (dense.h): written scores are the same bits as those of exact search. What is
 * approximate is which rows are looked at. `reach` and `slack` come in levels whose recall is
 * measured when the index is made (calibrate.h).
 */
#ifndef IVF_H
#define IVF_H

#include "code.h"
#include "dense.h"
#include "err.h"
#include "gr.h"
#include "rotate.h"
#include "secfile.h"

#define IVF_LEVELS 12
#define IVF_MAX_DIM 4096 /* sums of a code's entries fit 16 bits */
#define IVF_SECTIONS 6
#define IVF_K 10 /* recall is measured for so many hits, and for IVF_DEEP_K */

/* Unless told otherwise. With 10,000 rows of 384 elements exact search takes some 1.5 ms. */
#define IVF_TARGET 0.99
#define IVF_MIN_ROWS 10000

/* Fewer rows are always compared with exactly: too few to measure recall by. */
#define IVF_LEAST_ROWS 1024

#define IVF_DEEP_K 100

/* From more hits than this on, and with rows left out, the levels for IVF_DEEP_K hits count:
 * neighbours further off need more effort. */
#define IVF_DEEP 20

struct ivf_bars {
    float reach, slack;
};

struct ivf_level {
    struct ivf_bars bars;
    float recall; /* of the sample */
};

/* Sections as arrays; borrowed unless said otherwise. Const, shared by all threads. */
struct ivf {
    size_t n_rows, dim, width; /* width: dim with zeros after it */
    size_t n_lists;            /* a multiple of 64 */
    unsigned bits;             /* of a code, 1 or 2 */
    unsigned copies;           /* lists that each row is in, 1 or 2 */
    size_t n_places;           /* n_rows · copies */
    const uint8_t *cent;       /* (n_lists / 16) blocks of i8.h */
    const float *scale;        /* (n_lists) of the centroids */
    const float *spread;       /* (n_lists) root mean square of |x - c| */
    const float *norm;         /* (n_lists) |c|² */
    const uint32_t *at;        /* (n_lists + 1) first place of each list */
    const uint8_t *code;       /* blocks of code.h, list by list */
    const uint32_t *row;       /* (n_places) row of each place */
    const int8_t *bytes;       /* (n_rows, stride) of rotated rows; NULL: made when needed */
    const float *scales;       /* (n_rows) of these, i8_unit_scale */
    size_t stride;
    /* Rising; [0][…] for IVF_K hits, [1][…] for IVF_DEEP_K; […][0] for queries like the rows,
     * […][1] for those whose nearest centroid is further off than that of nearly all rows. */
    struct ivf_level levels[2][2][IVF_LEVELS];
    float border;             /* the cosine with the nearest centroid that tells them apart */
    double target;            /* the recall that a search aims at unless told */
    float recall, recall_far; /* measured at the effort for it, see calibrate.h */

    uint32_t *block_at; /* (n_lists + 1) first block of each list; owned */
    struct rotation rotation;
};

/* ---- making ---- */

struct ivf_cfg {
    double target;   /* 0 … 1 */
    size_t min_rows; /* with fewer there is no approximate search; 0: with none */
};

/* What ivf_build made; release it with ivf_built_release. */
struct ivf_built {
    struct ivf view;
    uint8_t *cent, *code;
    float *lists; /* (3, n_lists): scale, spread, norm */
    uint32_t *at, *row;
};

/* Is there to be approximate search for so many rows? */
bool ivf_is_wanted(const struct ivf_cfg *cfg, size_t n_rows, size_t dim);

/* From rows of length 1. Memory beside them: about width · (1 + bits · copies / 8) + 40 bytes a
 * row. The same for any
 * number of jobs. O(n^1.5 · width / 16). */
void ivf_build(struct ivf_built *b, const float *rows, size_t n_rows, size_t dim,
               const struct ivf_cfg *cfg, unsigned jobs);
void ivf_built_release(struct ivf_built *b);

/* ---- the file ---- */

struct buf;

/* The sections to write; head: an empty buffer that holds the first one's text. */
void ivf_sections(const struct ivf_built *b, struct buf *head, struct section *to);

/* Open the sections of an index with so many rows and dimensions: sizes, order of lists, and
 * that all numbers are finite. EXIT_FATAL names the fault. */
int ivf_open(struct ivf *x, const struct secfile *f, size_t n_rows, size_t dim,
             struct err *err);
void ivf_close(struct ivf *x);

/* Read the sections whole: every row is in as many lists as it should be, and has the code that
 * encoding it there gives. d: the index's vectors. */
int ivf_verify(const struct ivf *x, const char *path, const struct dense *d, struct err *err);

/* ---- searching ---- */

/* The same with what searches read at random in huge pages, and with all bytes made: worth it
 * after ivf_lists_to_copy searches. Finds the same. x must stay open. About 1 µs a row. Release
 * with ivf_copy_free. */
struct ivf *ivf_copy_new(const struct ivf *x, const struct dense *d);
size_t ivf_lists_to_copy(const struct ivf *x);
void ivf_copy_free(struct ivf *x); /* NULL is fine */

struct ivf_effort {
    struct ivf_bars bars[2][2]; /* [1][…]: of deep searches; […][1]: of far queries */
    size_t probe;       /* so many lists, whatever the bound says; 0: as the bound says */
    bool is_estimating; /* stop with the k-th best estimate; nothing is offered */
};

/* The effort for a recall, between the levels that were measured; false: none of them reaches
 * it, search exactly. */
bool ivf_effort_for(const struct ivf *x, double recall, struct ivf_effort *e);

/* The same bars for all searches. */
struct ivf_effort ivf_effort_of(struct ivf_bars bars);

/* Scratch of one thread; its counters say what the searches so far have looked at. */
struct ivf_scratch {
    float *q, *cq, *bound, *heap;
    int8_t *q8;
    int32_t *dots;
    uint16_t *bin;
    uint32_t *order;
    uint8_t *lut, *q8_flipped;
    float *row, *rotated;    /* (dim), (width) of a row whose bytes are made */
    int8_t *bytes;           /* (width) */
    unsigned char *is_taken; /* (n_rows) during a search, when copies > 1 */
    struct code_table table; /* of the last query, as are q, cq and kth */
    float kth;               /* the k-th best estimate in the end */
    float nearest;           /* cosine with the nearest centroid */
    struct ivf_candidate *candidates;
    size_t heap_cap, cap;
    uint64_t n_lists, n_rows, n_bytes, n_floats;
};

void ivf_scratch_init(struct ivf_scratch *s, const struct ivf *x);
void ivf_scratch_release(struct ivf_scratch *s);

/*
 * Offer (cosine, rank[doc]) of rows to best, which comes initialised with its k and is not
 * sorted; k rows at least, if there are so many. query: (dim) of length 1. skip: as for
 * dense_search. d: the same index's vectors.
 */
void ivf_search(const struct ivf *x, const struct dense *d, const float *query,
                const struct ivf_effort *e, const unsigned char *skip, struct ivf_scratch *s,
                struct topk *best);

/* The bars with which the last search would have looked at this place of a list. */
struct ivf_bars ivf_bars_needed(const struct ivf *x, const struct ivf_scratch *s, size_t list,
                                size_t place);

/* Fill in what follows from the sections: block_at and rotation. */
void ivf_derive(struct ivf *x);

/* The bytes (width) of a row of length 1, rotated; returns their scale. rotated: (width). */
float ivf_bytes_of(const struct ivf *x, const float *row, float *rotated, int8_t *bytes);

static inline size_t ivf_blocks_of(const struct ivf *x, size_t list)
{
    return x->block_at[list + 1] - x->block_at[list];
}

#endif
