// SPDX-License-Identifier: MIT
/*
 * cmds.h — the commands of gr-vindex, each from a started run to its exit code
 */
#ifndef CMDS_H
#define CMDS_H

#include "run.h"
#include "search.h"

/* Values of the options, put there by the tables in main.c. */
struct cmd_cfg {
    const char *index;
    struct opt_list indexes; /* of search */
    bool is_new_only;
    const char *fields;
    bool no_sparse;
    double recall;
    long ivf_from;
    int store; /* enum gri_store */
    const char *query;
    struct search_cfg search;
    struct opt_list papers;
    const char *ids;
    int format; /* enum export_format */
};
enum export_format { EXPORT_BASE64, EXPORT_ARRAY, EXPORT_NONE };

extern struct cmd_cfg cmd_cfg;

int cmd_build(struct run *run);
int cmd_search(struct run *run);
int cmd_info(struct run *run);
int cmd_verify(struct run *run);
int cmd_export(struct run *run);
int cmd_add(struct run *run); /* and upsert */
int cmd_delete(struct run *run);
int cmd_compact(struct run *run);
int cmd_merge(struct run *run);

/* Indexes that a command is given: -i, else the operands. */
size_t cmd_n_indexes(const struct run *run);
const char *cmd_index(const struct run *run, size_t i);

#endif
