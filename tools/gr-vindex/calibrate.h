// SPDX-License-Identifier: MIT
/*
 * calibrate.h — the recall of each level of effort, measured on the index itself
 *
 * Two seeded samples of queries: rows of the index, each of which must find its neighbours but
 * itself; and queries unlike the rows: between two rows taken at random, a row and noise of the
 * same length, noise alone, a third each. A hit counts when its score is at least that of the
 * exact tenth. The exact neighbours are found by bytes and put in order by floats.
 *
 * For each neighbour it is known with which reach its list is looked into and with which slack
 * it is admitted. A level is the least of both that together find the part it is meant to.
 * Queries whose nearest centroid is further off than that of all but a few rows have levels of
 * their own, so that strange queries are answered as well without making the others slow.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "ivf.h"
#include "kmeans.h"

/* Fill x->levels, recall and recall_far. rows: (n_rows, dim) of length 1; bytes: the same,
 * rotated, by row; list: (copies, n_rows) of each row. The same for any number of jobs.
 * O(queries · n_rows · width). */
void calibrate(struct ivf *x, const float *rows, const struct i8_rows *bytes,
               const uint32_t *list, unsigned jobs);

#endif
