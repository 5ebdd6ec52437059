// SPDX-License-Identifier: MIT
/*
 * refs.c — citations of a text, carried through its cleaning
 */
#include "refs.h"

#include "alloc.h"

/* In order of place, among equals as the record has them. */
static int compare(const void *a, const void *b)
{
    const struct ref *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* A place in a text: false when it is none. */
static bool read_place(jv v, size_t *place)
{
    double n = json_num(v);
    if (!(n >= 0 && n < 4294967296.0))
        return false;
    *place = (size_t)n;
    return true;
}

static void add(struct refs *r, struct ref ref)
{
    if (r->n == r->cap) {
        r->cap = alloc_grow(r->cap, r->n + 1);
        r->items = alloc_resize(r->items, r->cap, sizeof *r->items);
    }
    ref.order = r->n;
    r->items[r->n++] = ref;
}

void refs_place(struct refs *r, jv refs, const struct clean *c)
{
    r->n = 0;
    for (size_t i = 0, n = json_len(refs); i < n; i++) {
        jv v = json_at(refs, i), kind = json_get(v, "kind");
        struct ref ref = { .target = json_sv(json_get(v, "target")) };
        if (!ref.target.n || (json_is_str(kind) && !sv_is(json_sv(kind), "bibr")) ||
            !read_place(json_get(v, "start"), &ref.start) ||
            !read_place(json_get(v, "end"), &ref.end))
            continue;
        ref.start = clean_position(c, ref.start);
        ref.end = clean_position(c, ref.end);
        if (ref.start < ref.end)
            add(r, ref);
    }
    if (r->n > 1)
        qsort(r->items, r->n, sizeof *r->items, compare);
}

void refs_put(const struct refs *r, size_t start, size_t end, struct buf *out)
{
    size_t low = 0, high = r->n; /* the first that begins at start or behind it */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r->items[mid].start < start)
            low = mid + 1;
        else
            high = mid;
    }
    json_open(out, '[');
    for (; low < r->n && r->items[low].start < end; low++) {
        const struct ref *ref = &r->items[low];
        json_open(out, '{');
        json_key(out, "start");
        json_put_int(out, (int64_t)(ref->start - start));
        json_key(out, "end");
        json_put_int(out, (int64_t)((ref->end < end ? ref->end : end) - start));
        json_key(out, "target");
        json_put_str(out, ref->target);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void refs_release(struct refs *r)
{
    free(r->items);
    *r = (struct refs){ 0 };
}
