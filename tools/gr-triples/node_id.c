// SPDX-License-Identifier: MIT
/*
 * node_id.c — ids of nodes, remembered
 */
#include "node_id.h"

#include "hash.h"
#include "vocab.h"

void node_ids_release(struct node_ids *m)
{
    for (size_t i = 0; i < NODE_IDS; i++) {
        buf_release(&m->at[i].name);
        buf_release(&m->at[i].id);
    }
}

static bool is_of_type(struct sv id, struct sv type)
{
    return id.n > type.n && id.p[type.n] == ':' && sv_starts(id, type);
}

void node_ids_put(struct node_ids *m, const char *type, struct sv name, struct buf *id)
{
    if (strcmp(type, "value") == 0) { /* hardly ever the same again */
        entity_id_of(type, name, id);
        return;
    }
    size_t i = (size_t)hash64(name) & (NODE_IDS - 1);
    if (!is_of_type(buf_view(&m->at[i].id), sv_from(type)) ||
        !sv_eq(buf_view(&m->at[i].name), name)) {
        buf_reset(&m->at[i].name);
        buf_reset(&m->at[i].id);
        buf_sv(&m->at[i].name, name);
        entity_id_of(type, name, &m->at[i].id);
    }
    buf_sv(id, buf_view(&m->at[i].id));
}
