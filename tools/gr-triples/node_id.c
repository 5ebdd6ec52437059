// SPDX-License-Identifier: MIT
/*
 * node_id.c — ids of nodes, remembered
 */
#include "node_id.h"

#include "hash.h"
#include "json.h"
#include "schema.h"
#include "vocab.h"

void node_ids_release(struct node_ids *m)
{
    for (size_t i = 0; i < ARRAY_LEN(m->at); i++) {
        buf_release(&m->at[i].paper);
        buf_release(&m->at[i].name);
        buf_release(&m->at[i].id);
        buf_release(&m->at[i].json);
    }
    value_ids_release(&m->values);
}

static bool is_of_type(struct sv id, struct sv type)
{
    return id.n > type.n && id.p[type.n] == ':' && sv_starts(id, type);
}

static void make(struct node_ids *m, struct node_known *k, const char *type, struct sv name,
                 struct sv paper)
{
    buf_reset(&k->paper);
    buf_reset(&k->name);
    buf_reset(&k->id);
    buf_reset(&k->json);
    buf_sv(&k->paper, paper);
    buf_sv(&k->name, name);
    if (strcmp(type, "value") == 0)
        value_ids_put(&m->values, name, &k->id);
    else
        entity_id_of(type, name, &k->id);
    if (!paper.n)
        return;
    struct sv key = sv_from_to(buf_view(&k->id), strlen(type) + 1, k->id.len);
    buf_str(&k->json, type);
    buf_char(&k->json, ':');
    buf_sv(&k->json, paper);
    buf_char(&k->json, '#');
    buf_sv(&k->json, key);
    struct buf made = k->json;
    k->json = k->id;
    k->id = made;
    buf_reset(&k->json);
}

static struct node_known *find(struct node_ids *m, const char *type, struct sv name,
                               struct sv paper)
{
    bool is_value = strcmp(type, "value") == 0;
    size_t i = is_value ? NODE_IDS : (size_t)hash64(name) & (NODE_IDS - 1);
    struct node_known *k = &m->at[i];
    if (!is_of_type(buf_view(&k->id), sv_from(type)) || !sv_eq(buf_view(&k->name), name) ||
        !sv_eq(buf_view(&k->paper), paper))
        make(m, k, type, name, paper);
    return k;
}

struct sv node_ids_of(struct node_ids *m, const char *type, struct sv name, struct sv paper)
{
    return buf_view(&find(m, type, name, paper)->id);
}

struct sv node_ids_json(struct node_ids *m, const char *type, struct sv name, struct sv paper)
{
    struct node_known *k = find(m, type, name, paper);
    if (!k->json.len) {
        json_open(&k->json, '{');
        json_key(&k->json, "name");
        json_put_str(&k->json, name);
        json_key(&k->json, "type");
        json_put_str(&k->json, sv_from(type));
        json_key(&k->json, F_ID);
        json_put_str(&k->json, buf_view(&k->id));
    }
    return buf_view(&k->json);
}
