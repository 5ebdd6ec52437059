// SPDX-License-Identifier: MIT
/*
 * cmd_chroma.h — the commands of gr-vindex where the index is in a Chroma server
 */
#ifndef CMD_CHROMA_H
#define CMD_CHROMA_H

#include "run.h"

/* Values of the options. */
struct cmd_chroma {
    const char *url; /* NULL: the index is a file */
    const char *collection;
    long timeout_s, tries, batch;
    bool is_replacing;
};
extern struct cmd_chroma cmd_chroma;

/* Version 14 of the formatter tears a table of structures apart. */
/* clang-format off */
#define CHROMA_OPTIONS                                                                         \
    { "Chroma server", 0, OPT_GROUP },                                                         \
    { "chroma", 0, OPT_STRING, "URL", NULL, "the index is in this server, http://HOST:8000",   \
      &cmd_chroma.url },                                                                       \
    { "collection", 'c', OPT_STRING, "NAME", "lit", "its collection", &cmd_chroma.collection },  \
    { "timeout", 0, OPT_LONG, "S", "120", "seconds for a request", &cmd_chroma.timeout_s, 1,   \
      86400 },                                                                                 \
    { "tries", 0, OPT_LONG, "N", "6", "requests before a server counts as down",               \
      &cmd_chroma.tries, 1, 100 }
#define CHROMA_BATCH_OPTION                                                                    \
    { "batch", 0, OPT_LONG, "N", "1000", "records a request, at most", &cmd_chroma.batch, 1,   \
      1000000 }
#define CHROMA_REPLACE_OPTION                                                                  \
    { "replace", 0, OPT_FLAG, NULL, NULL, "first remove a collection of that name",            \
      &cmd_chroma.is_replacing }
/* clang-format on */

/* Each from a started run to its exit code. */
int cmd_chroma_build(struct run *run);
int cmd_chroma_add(struct run *run);
int cmd_chroma_delete(struct run *run);
int cmd_chroma_search(struct run *run);
int cmd_chroma_info(struct run *run);
int cmd_chroma_export(struct run *run);

#endif
