// SPDX-License-Identifier: MIT
/*
 * source.c — offsets into texts that are not in normal form C
 */
#include "source.h"

#include "alloc.h"
#include "utf8.h"

struct offs {
    struct clean_off *items;
    size_t n, cap;
};

static void add_off(struct offs *o, size_t at, size_t source)
{
    if (o->n == o->cap) {
        o->cap = alloc_grow(o->cap, o->n + 1);
        o->items = alloc_resize(o->items, o->cap, sizeof *o->items);
    }
    o->items[o->n++] = (struct clean_off){ (uint32_t)at, (uint32_t)source };
}

static bool may_join(uint32_t cp)
{
    return utf8_is_mark(cp) || (cp >= 0x1160 && cp <= 0x11FF); /* vowels, finals of Hangul */
}

/* Where the normal form (at) and the source go on in step. It is made of the normal forms of
 * groups: a character and the marks that may join it. */
static struct offs follow_nfc(struct sv original)
{
    struct offs o = { 0 };
    struct buf form = BUF_INIT;
    size_t at = 0, source = 0;
    add_off(&o, 0, 0);
    for (size_t i = 0, end; i < original.n; i = end) {
        size_t next = i, n = 1, n_form = 1;
        uint32_t cp = utf8_next(original, &next);
        end = next;
        while (end < original.n && (unsigned char)original.p[end] >= 0xCC &&
               may_join(utf8_next(original, &next))) {
            end = next;
            n++;
        }
        if (cp >= 0x300 || n > 1) {
            buf_reset(&form);
            utf8_nfc(&form, sv_from_to(original, i, end));
            n_form = utf8_count(buf_view(&form));
        }
        at += n_form;
        source += n;
        if (n != n_form)
            add_off(&o, at, source);
    }
    buf_release(&form);
    return o;
}

void source_follow(struct clean *c, struct sv original)
{
    struct offs steps = follow_nfc(original), to = { 0 };
    size_t k = 0;
    for (size_t i = 0; i < c->n_offs; i++) {
        struct clean_off *o = &c->offs[i];
        size_t n = (i + 1 < c->n_offs ? o[1].at : c->n_chars + 1) - o->at;
        while (k + 1 < steps.n && steps.items[k + 1].at <= o->source)
            k++;
        add_off(&to, o->at, steps.items[k].source + (o->source - steps.items[k].at));
        while (k + 1 < steps.n && steps.items[k + 1].at < o->source + n) {
            k++;
            add_off(&to, o->at + (steps.items[k].at - o->source), steps.items[k].source);
        }
    }
    free(steps.items);
    free(c->offs);
    c->offs = to.items;
    c->n_offs = to.n;
    c->cap = to.cap;
}
