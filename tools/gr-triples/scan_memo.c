// SPDX-License-Identifier: MIT
/*
 * scan_memo.c — names in short texts, remembered
 */
#include "scan_memo.h"

#include "hash.h"

void scan_memo_release(struct scan_memo *m)
{
    for (size_t i = 0; i < SCAN_PLACES; i++) {
        buf_release(&m->at[i].text);
        entities_release(&m->at[i].found);
    }
}

static void copy(struct entities *to, const struct entities *from)
{
    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        entities_push(to, &from->items[i]);
}

void scan_memo_find(struct scan_memo *m, const struct vocab *v, struct sv text,
                    struct entities *list)
{
    struct scan_known *k = &m->at[(size_t)hash64(text) & (SCAN_PLACES - 1)];
    if (!text.n || text.n > SCAN_BYTES) {
        vocab_scan(v, text, list);
    } else if (sv_eq(buf_view(&k->text), text)) {
        copy(list, &k->found);
    } else {
        vocab_scan(v, text, list);
        buf_reset(&k->text);
        buf_sv(&k->text, text);
        copy(&k->found, list);
    }
}
