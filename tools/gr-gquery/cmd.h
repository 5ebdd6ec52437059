// SPDX-License-Identifier: MIT
/*
 * cmd.h — the commands of gr-gquery: each has an options table and a main
 *
 * cmd_write.c has those that make a graph file, cmd_read.c those that look at one,
 * cmd_subgraph.c, cmd_conflicts.c, cmd_aliases.c and cmd_neo4j.c what their names say; query,
 * the default, is in main.c.
 */
#ifndef CMD_H
#define CMD_H

#include "query.h"
#include "remote.h"
#include "run.h"

extern const struct opt build_options[], add_options[], drop_options[], merge_options[];
extern const struct opt path_options[], export_options[], draw_options[], info_options[],
    verify_options[], load_options[], subgraph_options[];

extern const struct opt conflicts_options[], aliases_options[], rename_options[];

int build_main(struct run *run);
int add_main(struct run *run);
int drop_main(struct run *run);
int merge_main(struct run *run);
int path_main(struct run *run);
int export_main(struct run *run);
int draw_main(struct run *run);
int info_main(struct run *run);
int verify_main(struct run *run);
int load_main(struct run *run);
int subgraph_main(struct run *run);
int conflicts_main(struct run *run);
int aliases_main(struct run *run);
int rename_main(struct run *run);

/* What --graph says, for every command; set by the parser. */
extern const char *cmd_graph;

#define GRAPH_OPTION                                                                           \
    {                                                                                          \
        "graph", 'g', OPT_STRING, "FILE", NULL, "the graph file (.grg)", &cmd_graph            \
    }

/* The filters of a walk, as the command line has them; NULL: not given. */
struct cmd_filters {
    const char *relation, *strict, *label, *where;
    bool wants_denied, wants_unsupported;
};

/* The stances that are wanted, for struct filter. */
static inline unsigned cmd_stances(const struct cmd_filters *f)
{
    return (f->wants_denied ? GRG_DENIED : 0) | (f->wants_unsupported ? GRG_UNSUPPORTED : 0);
}

/* clang-format off: it aligns rows of tables by columns that it makes up */
#define FILTER_OPTIONS(f)                                                                       \
    { "relation",   0,    OPT_STRING,                                                           \
      "A,B",        NULL, "walk along these relations; give all between the nodes reached",     \
      &(f).relation },                                                                          \
        { "strict-rel", 0, OPT_STRING, "A,B", NULL, "walk along and give only these relations", \
          &(f).strict },                                                                        \
    {                                                                                           \
        "label", 0, OPT_STRING, "A,-B", NULL, "reach only nodes of type A, none of type B",     \
            &(f).label                                                                          \
    }
/* Facts that are not plainly said. */
#define STANCE_OPTIONS(f)                                                                      \
    { "negated",                                                                               \
      0,                                                                                       \
      OPT_FLAG,                                                                                \
      NULL,                                                                                    \
      NULL,                                                                                    \
      "also facts that papers deny, with \"polarity\"",                                        \
      &(f).wants_denied },                                                                     \
    {                                                                                          \
        "unsupported", 0, OPT_FLAG, NULL, NULL,                                                \
            "also facts that do not stand in their source", &(f).wants_unsupported             \
    }
/* clang-format on */

/* What the options below say. url NULL: the graph is in a file. */
struct cmd_neo4j {
    const char *url, *database, *password_file;
    long timeout_s, tries;
    bool has_no_apoc;
};
extern struct cmd_neo4j cmd_neo4j;

#define NEO4J_OPTIONS                                                                           \
    { "Neo4j server", 0, OPT_GROUP },                                                           \
        { "neo4j",       0,    OPT_STRING,                                                      \
          "URL",         NULL, "the graph is in this server, http://HOST:7474",                 \
          &cmd_neo4j.url },                                                                     \
        { "database", 0, OPT_STRING, "NAME", "neo4j", "its database", &cmd_neo4j.database },    \
        { "password-file",                                                                      \
          0,                                                                                    \
          OPT_STRING,                                                                           \
          "FILE",                                                                               \
          NULL,                                                                                 \
          "password; else from NEO4J_PASSWORD",                                                 \
          &cmd_neo4j.password_file },                                                           \
        { "timeout", 0,    OPT_LONG, "S", "120", "seconds for a request", &cmd_neo4j.timeout_s, \
          1,         86400 },                                                                   \
    {                                                                                           \
        "tries", 0, OPT_LONG, "N", "6", "requests before a server counts as down",              \
            &cmd_neo4j.tries, 1, 100                                                            \
    }
#define NO_APOC_OPTION                                                                         \
    {                                                                                          \
        "no-apoc", 0, OPT_FLAG, NULL, NULL, "plain Cypher, where APOC is not installed",       \
            &cmd_neo4j.has_no_apoc                                                             \
    }

/* Connections to the server, one for each worker, and what they share. */
struct cmd_remote {
    struct remote *remotes; /* (n) */
    unsigned n;
    struct analyzer *analyzer;
    struct vocab *vocab;
};

/* -1 with run->err. To be ended in any case. */
int cmd_remote_start(struct cmd_remote *c, struct run *run);
void cmd_remote_end(struct cmd_remote *c);

/* query, all of it, with the graph in a server; returns the exit code. */
int query_neo4j(struct run *run, const struct query_cfg *cfg,
                const struct cmd_filters *filters);

#endif
