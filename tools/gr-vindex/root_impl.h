// SPDX-License-Identifier: MIT
/*
 * root_impl.h — the bytes of slots and tables, for root.c and root_verify.c
 */
#ifndef ROOT_IMPL_H
#define ROOT_IMPL_H

#include "root.h"

#define ROOT_ENDIAN 0x01020304u
#define ROOT_SLOT_BYTES 4096 /* from one slot to the next: no sector holds both */

struct root_place {
    uint64_t at, size, hash;
};

struct root_slot {
    char magic[8];
    uint32_t version, endian;
    uint64_t generation, end;
    struct root_place table;
    uint64_t hash; /* of the slot with this field 0 */
};

/* A table begins with this; segments and lists follow. */
struct root_head {
    struct root_place before; /* the table before it; all 0: the file was written whole */
    uint64_t before_end;      /* the end of that generation */
    uint64_t span_hash;       /* of the bytes from there to this table */
    uint32_t n_segments, n_dead;
    uint64_t zero[2];
};

_Static_assert(sizeof(struct root_slot) == 64, "slot layout");
_Static_assert(sizeof(struct root_head) == 64, "table layout");
_Static_assert(sizeof(struct root_segment) == 64, "table layout");
_Static_assert(sizeof(struct root_dead) == 32, "table layout");

uint64_t root_slot_hash(const struct root_slot *s);

/* place: 0 or 1. */
bool root_slot_is_intact(const struct root_slot *s, unsigned place);

/* Does it lie before end, with the right checksum? */
bool root_table_is_intact(const struct root_place *t, const char *p, uint64_t end);

/* Read the table at r->table_at; false when something in it lies outside. r owns its arrays in
 * any case. */
bool root_take_table(struct root *r, const char *p);

#endif
