// SPDX-License-Identifier: MIT
/*
 * node_id.h — ids of nodes, remembered: a text names few things many times, and what makes one
 * of all spellings of a name is slow
 */
#ifndef NODE_ID_H
#define NODE_ID_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

#define NODE_IDS 512 /* a power of two */

/* One id a place, the later takes it. All zeros: nothing known. Of one thread. */
struct node_ids {
    struct {
        struct buf name, id; /* id "": free */
    } at[NODE_IDS];
};

void node_ids_release(struct node_ids *m);

/* Append what entity_id_of(type, name) does (vocab.h). */
void node_ids_put(struct node_ids *m, const char *type, struct sv name, struct buf *id);

#endif
