// SPDX-License-Identifier: MIT
/*
 * cmds_read.h — what compare, plot and report do alike: read scored files
 */
#ifndef CMDS_READ_H
#define CMDS_READ_H

#include "comparison.h"
#include "run.h"

struct read_cfg {
    const char *metrics, *names;
};

/* clang-format off */
#define READ_OPTIONS(c)                                                                        \
    { "metrics", 0, OPT_STRING, "NAMES", NULL,                                                 \
      "only these, in this order, with commas between", &(c).metrics },                        \
    { "names", 0, OPT_STRING, "NAMES", NULL,                                                   \
      "names of the systems, with commas between (when not given: of the files)", &(c).names }
/* clang-format on */

/* Read all input. -1 when that failed or stopped early; then return read_failed. */
int read_results(struct run *run, struct results *r, const struct read_cfg *cfg,
                 bool wants_texts);

/* Release, say why, return the exit code. */
int read_failed(struct run *run, struct results *r);

#endif
