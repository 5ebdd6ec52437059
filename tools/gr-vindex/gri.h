// SPDX-License-Identifier: MIT
/*
 * gri.h — a segment of a .gri: records, vectors and postings in one mapped file
 *
 * A .gri is one segment or several behind a root (root.h, store.h). A segment is whole in
 * itself: a sectioned file (secfile.h) of these sections; n records, v of them with a vector of
 * d floats, t terms. Offsets are ascending and end at the size of what they point into.
 *   meta       JSON text {model,dim,records,vectors,terms,texts,length,analyzer,fields}
 *   ids        the ids one after the other      ids_at    offsets (n + 1)
 *   sorted     u32 (n) records in byte order of their ids
 *   rank       u32 (n) the inverse: place of each record in `sorted`
 *   raw        the records, without `embedding` and `embedding_model`   raw_at  offsets (n + 1)
 *   vec        f32 (v, d) row-major, length 1, or with meta's store "int8":
 *   vec_i8     i8 (v, d) row-major, standing for vectors of length 1 (i8.h)
 *   vec_doc    u32 (v) record of each row, ascending; absent when every record has a vector
 *   term       the terms in byte order          term_at   u64 (t + 1)
 *   post       postings (sparse.h)              post_at   u64 (t + 1)
 *   df         u32 (t)                          lens      u32 (n)
 * and those of approximate search, with l lists (ivf.h; width w: d and up to 7 zeros):
 *   ivf        JSON text {lists,bits,copies,target,recall,recall_far,border,levels}
 *   ivf_cent   u8 (l, w) centroids in blocks    ivf_list  f32 (3, l) scale, spread, |c|²
 *   ivf_at     u32 (l + 1) first place of each list
 *   ivf_row    u32 (copies · v) by place        ivf_code  blocks of codes (code.h)
 * and the scalar members of the records, by member (columns.h):
 *   columns    JSON text                        col       values and codes
 *
 * Offsets are u32 when what they point into is smaller than 4 GiB, else u64. The sections term
 * … lens are absent when the index was built without sparse search (then meta's analyzer is
 * ""), those of approximate search when meta has no `ivf`. No times or names of files: the same
 * input gives the same bytes.
 */
#ifndef GRI_H
#define GRI_H

#include "columns.h"
#include "dense.h"
#include "err.h"
#include "gr.h"
#include "ivf.h"
#include "secfile.h"
#include "sparse.h"
#include "sv.h"

#define GRI_MAGIC "GRVINDX1"
#define GRI_SEGMENT_MAGIC "GRVISEG1"
#define GRI_VERSION 2
#define GRI_MAX_DIM 65536

/* How vectors are kept. */
enum gri_store { STORE_FLOAT, STORE_INT8 };
#define STORE_NAMES "float|int8"

/* What meta says; texts borrowed from whoever made it. */
struct gri_meta {
    struct sv model;    /* embedding_model, "" when no record states one */
    struct sv analyzer; /* analyzer_name, "": no postings */
    struct sv fields;   /* "title,section,text": what was analysed */
    size_t dim, n_docs, n_rows, n_terms;
    uint64_t n_with_terms, total_len;
    int store;          /* enum gri_store */
    bool has_ivf;       /* there is approximate search */
    struct ivf_cfg ivf; /* how it is made when the index is written again */
};

/* Offsets as the file has them, n + 1 of either width. */
struct offsets {
    const uint32_t *narrow; /* NULL: wide */
    const uint64_t *wide;
};

static inline uint64_t offsets_at(const struct offsets *o, size_t i)
{
    return o->narrow ? o->narrow[i] : o->wide[i];
}

/* An open segment; const, shared by all threads. */
struct gri {
    struct secfile file;
    unsigned char *dead; /* (n_docs) != 0: deleted or replaced; NULL: none is; owned */
    size_t n_dead, n_dead_rows;
    struct gri_meta meta;
    struct buf names; /* holds meta's texts */
    const char *ids, *raw;
    struct offsets ids_at, raw_at; /* (n + 1) */
    size_t ids_size, raw_size;
    const uint32_t *sorted, *rank;
    struct dense dense;
    struct sparse sparse; /* all zero when there are no postings */
    struct ivf ivf;       /* all zero when meta.has_ivf is false */
    struct columns columns;
};

/* Open the n bytes of a segment, mapped until gri_close: checks that the sections fit together;
 * milliseconds. EXIT_FATAL with the reason. */
int gri_open(struct gri *g, const char *path, const char *p, size_t n, struct err *err);
void gri_close(struct gri *g);

/* Note that a record (doc < n) is dead; false when it was. */
bool gri_kill(struct gri *g, size_t doc);

static inline bool gri_is_dead(const struct gri *g, size_t doc)
{
    return g->dead && g->dead[doc];
}

/* Records and vectors that are not dead. */
static inline size_t gri_live(const struct gri *g)
{
    return g->meta.n_docs - g->n_dead;
}
static inline size_t gri_live_rows(const struct gri *g)
{
    return g->meta.n_rows - g->n_dead_rows;
}

/* Views of one record (doc < n); EXIT_FATAL when its place lies outside the file. */
int gri_id(const struct gri *g, size_t doc, struct sv *id, struct err *err);
int gri_raw(const struct gri *g, size_t doc, struct sv *raw, struct err *err);

/* Record of an id, dead or not, or SIZE_MAX. O(log n). */
int gri_find(const struct gri *g, struct sv id, size_t *doc, struct err *err);

/* The vector of a record, or NULL: a view, or made in `to` (dim) of what is kept. O(log v). */
const float *gri_vector(const struct gri *g, size_t doc, float *to);
bool gri_has_vector(const struct gri *g, size_t doc);

/* Read everything: checksums, every offset, order of ids and terms, unit length of every
 * vector, every posting, every record. EXIT_FATAL names the first fault. */
int gri_verify(const struct gri *g, struct err *err);

/* Append meta's JSON text. */
void gri_put_meta(struct buf *b, const struct gri_meta *m);

#endif
