// SPDX-License-Identifier: MIT
/*
 * safetensors.h — read-only view of a model's weights file
 *
 * Format: 8 bytes of header length (little-endian), a JSON header {"name":{"dtype","shape",
 * "data_offsets":[begin,end]}}, then the data the offsets count from. The file is hostile until
 * checked: header size, every dtype, shape product and offset, and that no two tensors overlap.
 */
#ifndef GR_SAFETENSORS_H
#define GR_SAFETENSORS_H

#include "err.h"
#include "gr.h"
#include "sv.h"

#define TENSOR_MAX_RANK 8

enum tensor_type {
    TENSOR_OTHER, /* known size, but not readable as float (integers, float64, float8) */
    TENSOR_F32,
    TENSOR_F16,
    TENSOR_BF16,
};

struct tensor {
    char *name;
    enum tensor_type type;
    size_t rank;
    size_t shape[TENSOR_MAX_RANK]; /* (rank) row-major */
    size_t n;                      /* elements: product of the shape */
    const unsigned char *data;     /* little-endian, not aligned; valid as long as the file */
    size_t bytes;
};

struct safetensors; /* opaque, const after opening: any number of threads may read it */

/* Map a file. NULL and err (EXIT_FATAL, the path in front) when it cannot be read or fails a
 * check. Free with safetensors_free, which ends the life of every pointer into it. */
struct safetensors *safetensors_open(const char *path, struct err *err);

/* The weights of a model folder: model.safetensors, or the shards that
 * model.safetensors.index.json names, as if they were one file. */
struct safetensors *safetensors_open_folder(const char *dir, struct err *err);

/* The same over bytes in memory, borrowed: they must outlive the result. */
struct safetensors *safetensors_parse(struct sv bytes, struct err *err);

void safetensors_free(struct safetensors *st); /* NULL is fine */

size_t safetensors_count(const struct safetensors *st);
const struct tensor *safetensors_at(const struct safetensors *st, size_t i);

/* The tensor of this name, or NULL. O(count). */
const struct tensor *safetensors_find(const struct safetensors *st, const char *name);

/* The JSON header's bytes (of all shards): names, shapes and offsets, a cheap fingerprint. */
struct sv safetensors_header(const struct safetensors *st);

/* Convert elements from … from+n-1 to float. The tensor must not be TENSOR_OTHER and the range
 * must lie inside it. */
void tensor_read(const struct tensor *t, size_t from, size_t n, float *out);

/* Elements from `from` on where they lie in the file; NULL when they are not float32 there or
 * not aligned. */
const float *tensor_floats(const struct tensor *t, size_t from);

#endif
