// SPDX-License-Identifier: MIT
/*
 * calibrate.h — the recall of each level of effort, measured on the index itself
 *
 * Two seeded samples of queries: rows of the index, each of which must find its neighbours but
 * itself; and queries unlike the rows, half of them between two rows taken at random, half a
 * row and noise of the same length. A hit counts when its score is at least that of the exact
 * tenth. The exact neighbours are found by bytes and put in order by floats.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "ivf.h"
#include "kmeans.h"

/* Fill x->levels. rows: (n_rows, dim) of length 1; bytes: the same, rotated, by row. The same
 * for any number of jobs. O(queries · n_rows · width). */
void calibrate(struct ivf *x, const float *rows, const struct i8_rows *bytes, unsigned jobs);

#endif
