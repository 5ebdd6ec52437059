// SPDX-License-Identifier: MIT
/*
 * score.h — a record in, the same with scores out
 */
#ifndef SCORE_H
#define SCORE_H

#include "json.h"
#include "metrics.h"

struct score_cfg {
    struct sample_cfg sample;
    const struct metric_list *metrics;
    const char *model; /* name of the encoder for the trace; NULL: not used */
    double support;    /* of the judge, for the trace */
    bool keeps_others; /* scores of metrics that are not wanted now stay */
    bool is_strict;    /* a null rejects the record */
    bool has_timings;
};

/*
 * Append the record with `scores` (six decimals), `why` and a trace entry. -1 with err
 * (EXIT_REJECTED) when a field has the wrong form, or, when strict, a metric has no value. s is
 * the thread's.
 */
int score_record(struct scorer *s, const struct score_cfg *cfg, const struct rec *r,
                 struct buf *out, struct err *err);

#endif
