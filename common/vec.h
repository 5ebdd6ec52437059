// SPDX-License-Identifier: MIT
/*
 * vec.h — float vectors: arithmetic in a fixed order, and their two forms in records
 */
#ifndef GR_VEC_H
#define GR_VEC_H

#include <jv.h>

#include "buf.h"
#include "err.h"
#include "gr.h"

/* Inner product of a and b (n floats each), summed in 16 lanes and then lane by lane: the same
 * bits on every call for the same n. */
float vec_dot(const float *a, const float *b, size_t n);

/* Euclidean length. */
float vec_norm(const float *a, size_t n);

/* Scale to length 1; false (untouched) when the length is 0 or not finite. What was scaled once
 * is left as it is. */
bool vec_normalise(float *a, size_t n);

/* Append a vector as JSON: base64 of little-endian float32 (quoted), or an array of numbers
 * that read back as the same floats. */
void vec_put_base64(struct buf *b, const float *a, size_t n);
void vec_put_array(struct buf *b, const float *a, size_t n);

/*
 * Read either form from a parsed value. *out is allocated (free it), *n its length. Rejects an
 * empty vector, one with NaN or infinite components, one of zero length in the Euclidean sense,
 * broken base64 and arrays with anything but numbers; `what` names the field in the message.
 */
int vec_get(jv value, const char *what, float **out, size_t *n, struct err *err);

#endif
