// SPDX-License-Identifier: MIT
/*
 * opts.h — one table of options for parsing, --help, --describe, man pages and completion
 *
 * A row says everything about an option. Its default is given as text and is parsed like an
 * argument before the command line is, so that help and behaviour cannot differ.
 */
#ifndef GR_OPTS_H
#define GR_OPTS_H

#include "err.h"
#include "gr.h"

enum opt_kind {
    OPT_END,    /* ends the table */
    OPT_GROUP,  /* `name` is the heading of the rows that follow */
    OPT_FLAG,   /* bool *ptr, set true */
    OPT_LONG,   /* long *ptr, lo … hi (both 0: any) */
    OPT_DOUBLE, /* double *ptr, lo … hi (both 0: any finite) */
    OPT_STRING, /* const char **ptr */
    OPT_ENUM,   /* int *ptr, index into choices "a|b|c" */
    OPT_LIST,   /* struct opt_list *ptr, may be given more than once */
    OPT_COUNT,  /* int *ptr, one more each time (-v -v) */
};

struct opt_list {
    const char **items; /* borrowed from argv */
    size_t n;
};

struct opt {
    const char *name; /* long name without dashes */
    int letter;       /* short option, or 0 */
    enum opt_kind kind;
    const char *arg;  /* name of the argument in help, NULL for flags */
    const char *def;  /* default as text, NULL: none */
    const char *help; /* one line, lower case, no full stop */
    void *ptr;        /* where the value goes, see opt_kind */
    double lo, hi;
    const char *choices;
};

/* What --help and --describe say about a command line: a whole tool, or one of its commands. */
struct opt_cmd {
    const char *name;     /* "search"; NULL for a tool without commands */
    const char *summary;  /* one line */
    const char *operands; /* "[FILE]…" */
    const struct opt *options;
};

/* Put every default of the table into its place. A default that does not parse is a programming
 * error and aborts. */
void opts_defaults(const struct opt *table);

/* Parse argv (argv[0] skipped) by the table. Operands are moved to the end; *first_operand is
 * the index of the first. -1 with err when the command line is wrong. */
int opts_parse(const struct opt *table, int argc, char **argv, int *first_operand,
               struct err *err);

/* The option rows as indented help text, grouped, wrapped at 80 columns, on stdout. */
void opts_print_help(const struct opt *table);

/* One NDJSON record a row on stdout: tool, command, name, short, arg, default, choices, group,
 * help. */
void opts_print_rows(const struct opt *table, const char *tool, const char *command);

#endif
