// SPDX-License-Identifier: MIT
/*
 * cmds.h — the commands of gr-ragas: command line, set-up, one loop each
 *
 * Part of the command line, as main.c is: they may print and use run.h. Each takes a started
 * run and returns the exit code.
 */
#ifndef CMDS_H
#define CMDS_H

#include "run.h"

extern const struct opt score_options[], compare_options[], plot_options[], report_options[];

int cmd_score(struct run *run);
int cmd_compare(struct run *run);
int cmd_plot(struct run *run);
int cmd_report(struct run *run);

#endif
