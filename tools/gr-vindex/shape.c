// SPDX-License-Identifier: MIT
/*
 * shape.c — dropping and merging hits
 */
#include "shape.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "utf8.h"

void shape_hit_release(struct shape_hit *h)
{
    rec_release(&h->stored);
    buf_release(&h->raw);
    buf_release(&h->text);
    same_prints_release(&h->prints);
    free(h->ids);
    free(h->same);
}

void shape_release(struct shape *s)
{
    for (size_t i = 0; i < s->n; i++)
        shape_hit_release(&s->hits[i]);
    free(s->hits);
    s->hits = NULL;
    s->n = s->cap = 0;
}

/* ---- one hit ---- */

static void add_id(struct sv **ids, size_t *n, struct sv id)
{
    *ids = alloc_resize(*ids, *n + 1, sizeof **ids);
    (*ids)[(*n)++] = id;
}

static struct sv raw_of(const struct shape_hit *h, const char *field)
{
    struct sv v = SV_NONE;
    return rec_raw(&h->stored, field, &v) && !sv_is(v, "null") ? v : SV_NONE;
}

static void read_span(struct shape_hit *h)
{
    double start = json_num(json_get(h->stored.v, "start"));
    double end = json_num(json_get(h->stored.v, "end"));
    if (!(start >= 0 && end >= start && end <= 1e12))
        return;
    h->start = (size_t)start;
    h->end = (size_t)end;
    h->has_span = h->end - h->start == utf8_count(buf_view(&h->text));
}

static void read_hit(struct shape_hit *h, const struct shape_cfg *cfg)
{
    buf_sv(&h->text, json_sv(json_get(h->stored.v, F_TEXT)));
    if (cfg->dedup > 0)
        h->prints = same_prints_of(buf_view(&h->text));
    if (!cfg->merges)
        return;
    read_span(h);
    h->paper = raw_of(h, F_PAPER);
    h->section = raw_of(h, "section");
    h->section_n = raw_of(h, "section_n");
    add_id(&h->ids, &h->n_ids, h->id);
}

/* ---- near-duplicates ---- */

static bool is_within(const struct shape *s, const struct shape_hit *h,
                      struct shape_hit *better)
{
    if (!h->text.len || same_prints_share(&h->prints, &better->prints) < s->cfg.dedup)
        return false;
    add_id(&better->same, &better->n_same, h->id);
    return true;
}

/* ---- windows ---- */

static struct seam seam_of(const struct shape_hit *h)
{
    return (struct seam){ buf_view(&h->text), h->start, h->end, h->has_span };
}

static bool is_same_section(const struct shape_hit *a, const struct shape_hit *b)
{
    return a->paper.n && a->text.len && b->text.len && sv_eq(a->paper, b->paper) &&
           sv_eq(a->section, b->section) && sv_eq(a->section_n, b->section_n);
}

/* Text, span and ids of a, continued by those of b, into `to`, which is one of them. */
static bool continue_with(struct shape_hit *to, const struct shape_hit *a,
                          const struct shape_hit *b)
{
    struct seam wa = seam_of(a), wb = seam_of(b);
    size_t place, from = seam_goes_on(&wa, &wb, &place);
    if (from == SIZE_MAX)
        return false;
    struct buf text = { .max = SIZE_MAX / 2 };
    struct sv *ids = alloc_array(a->n_ids + b->n_ids, sizeof *ids);
    buf_sv(&text, wa.text);
    if (place > wa.text.n)
        buf_char(&text, ' ');
    buf_sv(&text, sv_from_to(wb.text, from, wb.text.n));
    memcpy(ids, a->ids, a->n_ids * sizeof *ids);
    memcpy(ids + a->n_ids, b->ids, b->n_ids * sizeof *ids);
    size_t n_ids = a->n_ids + b->n_ids, start = a->start,
           end = a->end > b->end ? a->end : b->end;
    bool has_span = a->has_span && b->has_span;
    buf_release(&to->text);
    free(to->ids);
    to->text = text;
    to->ids = ids;
    to->n_ids = n_ids;
    to->start = start;
    to->end = end;
    to->has_span = has_span;
    return true;
}

/* Let h become part of the better hit; false when they are no neighbours. */
static bool join(const struct shape *s, struct shape_hit *better, const struct shape_hit *h)
{
    if (!is_same_section(better, h) ||
        !(continue_with(better, better, h) || continue_with(better, h, better)))
        return false;
    for (size_t i = 0; i < h->n_same; i++)
        add_id(&better->same, &better->n_same, h->same[i]);
    if (s->cfg.dedup > 0) {
        same_prints_release(&better->prints);
        better->prints = same_prints_of(buf_view(&better->text));
    }
    return true;
}

/* A hit that has grown may now touch another one: the worse of both becomes part of the better.
 */
static void join_grown(struct shape *s, size_t grown)
{
    for (size_t i = 0; i < s->n;) {
        size_t better = i < grown ? i : grown, worse = i < grown ? grown : i;
        if (i == grown || !join(s, &s->hits[better], &s->hits[worse])) {
            i++;
            continue;
        }
        s->n_merged++;
        shape_hit_release(&s->hits[worse]);
        memmove(s->hits + worse, s->hits + worse + 1, (s->n - worse - 1) * sizeof *s->hits);
        s->n--;
        grown = better;
        i = 0;
    }
}

/* ---- all ---- */

static bool is_taken_in(struct shape *s, const struct shape_hit *h)
{
    for (size_t i = 0; i < s->n && s->cfg.dedup > 0; i++)
        if (is_within(s, h, &s->hits[i])) {
            s->n_dropped++;
            return true;
        }
    for (size_t i = 0; i < s->n && s->cfg.merges; i++)
        if (join(s, &s->hits[i], h)) {
            s->n_merged++;
            join_grown(s, i);
            return true;
        }
    return false;
}

bool shape_add_take(struct shape *s, struct shape_hit *h)
{
    bool is_compared = s->n < SHAPE_MAX && (s->cfg.dedup > 0 || s->cfg.merges);
    if (is_compared)
        read_hit(h, &s->cfg);
    if (is_compared && is_taken_in(s, h)) {
        shape_hit_release(h);
        return false;
    }
    if (s->n == s->cap) {
        s->cap = alloc_grow(s->cap, s->n + 1);
        s->hits = alloc_resize(s->hits, s->cap, sizeof *s->hits);
    }
    s->hits[s->n++] = *h;
    return true;
}
