// SPDX-License-Identifier: MIT
/*
 * report.h — one HTML page about some systems
 */
#ifndef REPORT_H
#define REPORT_H

#include "comparison.h"

struct report_cfg {
    const char *title;
    size_t worst;        /* how many questions are shown whole */
    const char *rank_by; /* metric that says which are worst; NULL: the first there is of
                          * lexical_answer_correctness, token_f1, rouge_l, and any */
};

/*
 * Append the page: means with intervals, bars (SVG), the classes, why scores are missing, and
 * the questions in which the first system does worst, with every system's answer. It loads
 * nothing from anywhere and runs nothing; all text of records is escaped. -1 with err
 * (EXIT_USAGE) when rank_by is no metric of the results. The results hold texts.
 */
int report_write(struct buf *out, const struct report_cfg *cfg, const struct comparison *c,
                 const struct comparison_cfg *how, struct err *err);

#endif
