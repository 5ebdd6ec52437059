// SPDX-License-Identifier: MIT
/*
 * node_id.h — ids of nodes and their JSON, remembered: a text names few things many times, and
 * what makes one of all spellings of a name is slow
 */
#ifndef NODE_ID_H
#define NODE_ID_H

#include "buf.h"
#include "gr.h"
#include "sv.h"
#include "value_id.h"

#define NODE_IDS 512 /* a power of two */

/* One node a place, the later takes it; values, hardly ever the same again, have the last. All
 * zeros: nothing known. Of one thread. */
struct node_ids {
    struct node_known {
        struct buf paper, name, id; /* id "": free */
        struct buf json;            /* "": not asked for yet */
    } at[NODE_IDS + 1];
    struct value_ids values;
};

void node_ids_release(struct node_ids *m);

/* What entity_id_of(type, name) makes (vocab.h), "type:PAPER#…" where there is a paper: its
 * samples and "the upper unit" mean something within it only. Valid until the next call. */
struct sv node_ids_of(struct node_ids *m, const char *type, struct sv name, struct sv paper);

/* {"name":…,"type":…,"id":… with no brace behind it. Valid until the next call. */
struct sv node_ids_json(struct node_ids *m, const char *type, struct sv name, struct sv paper);

#endif
