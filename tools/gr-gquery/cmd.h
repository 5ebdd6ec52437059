// SPDX-License-Identifier: MIT
/*
 * cmd.h — the commands of gr-gquery: each has an options table and a main
 *
 * cmd_write.c has those that make a graph file, cmd_read.c those that look at one; query, the
 * default, is in main.c.
 */
#ifndef CMD_H
#define CMD_H

#include "run.h"

extern const struct opt build_options[], add_options[], drop_options[];
extern const struct opt path_options[], export_options[], draw_options[], info_options[],
    verify_options[];

int build_main(struct run *run);
int add_main(struct run *run);
int drop_main(struct run *run);
int path_main(struct run *run);
int export_main(struct run *run);
int draw_main(struct run *run);
int info_main(struct run *run);
int verify_main(struct run *run);

/* What --graph says, for every command; set by the parser. */
extern const char *cmd_graph;

#define GRAPH_OPTION                                                                           \
    {                                                                                          \
        "graph", 'g', OPT_STRING, "FILE", NULL, "the graph file (.grg)", &cmd_graph            \
    }

#endif
