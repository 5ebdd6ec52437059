// SPDX-License-Identifier: MIT
/*
 * cmds_read.c — scored files into results
 */
#include "cmds_read.h"

int read_results(struct run *run, struct results *r, const struct read_cfg *cfg,
                 bool wants_texts)
{
    if (results_init(r, run->operands, run->n_operands, cfg->names, wants_texts, &run->err) < 0)
        return -1;
    for (struct rec rec; run_next(run, &rec);)
        if (results_add(r, &rec, &run->err) < 0)
            run_reject(run, &rec);
    if (run->stop_code) /* half of the records would make a whole table all the same */
        return -1;
    if (results_finish(r, cfg->metrics, &run->err) < 0)
        return -1;
    for (size_t i = 0; i < r->n_systems; i++)
        if (r->systems[i].n_records == 0 && map_count(r->records))
            diag_warn("%s: no scored record", r->systems[i].name);
    return 0;
}

int read_failed(struct run *run, struct results *r)
{
    results_release(r);
    if (run->stop_code)
        return run_end(run);
    return run_fail(run);
}
