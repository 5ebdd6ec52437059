// SPDX-License-Identifier: MIT
/*
 * gnuplot.h — run gnuplot on a script, without a shell
 */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "buf.h"
#include "err.h"

/* Append to *out what gnuplot, found in PATH, writes for the script. 0; 1 when there is no
 * gnuplot to run; -1 with err (EXIT_FATAL) when it fails: its first words are in the message.
 */
int gnuplot_run(struct sv script, struct buf *out, struct err *err);

#endif
