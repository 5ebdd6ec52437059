// SPDX-License-Identifier: MIT
/*
 * cli.h — the commands `distill`, `rerank` and `check`
 */
#ifndef CLI_H
#define CLI_H

#include "run.h"

extern const struct opt cli_distill_options[];
int cli_distill(struct run *run);

extern const struct opt cli_rerank_options[];
int cli_rerank(struct run *run);

extern const struct opt cli_check_options[];
int cli_check(struct run *run);

#endif
