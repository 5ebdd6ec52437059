// SPDX-License-Identifier: MIT
/*
 * paper.h — the chunks of a paper are read with what all of them say: its short forms, and
 * isotopes named before
 */
#ifndef PAPER_H
#define PAPER_H

#include "run.h"

/* How run_each_group reads them; its ctx is a struct extractor. is_slow: a service is asked. */
struct run_group paper_group(bool is_slow);

#endif
