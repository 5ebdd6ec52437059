// SPDX-License-Identifier: MIT
/*
 * cli.h — the command `distill`
 */
#ifndef CLI_H
#define CLI_H

#include "run.h"

extern const struct opt cli_distill_options[];
int cli_distill(struct run *run);

#endif
