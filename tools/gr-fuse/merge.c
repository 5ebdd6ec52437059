// SPDX-License-Identifier: MIT
/*
 * merge.c — overlapping windows of one section become one passage again
 */
#include "fuse_impl.h"

#include "alloc.h"
#include "text.h"
#include "seam.h"

static bool is_same_section(const struct passage *a, const struct passage *b)
{
    return a->paper.n && sv_eq(a->paper, b->paper) && sv_eq(a->section, b->section) &&
           sv_eq(a->section_n, b->section_n);
}

/* See seam_goes_on. */
static size_t new_from(const struct passage *a, const struct passage *b, size_t *place)
{
    struct seam wa = { buf_view(&a->text), a->start, a->end, a->has_span };
    struct seam wb = { buf_view(&b->text), b->start, b->end, b->has_span };
    return seam_goes_on(&wa, &wb, place);
}

/* The parts of b, which begins at `place`, put behind those of a. */
static void join_parts(struct passage *a, const struct passage *b, size_t place)
{
    a->parts = alloc_resize(a->parts, a->n_parts + b->n_parts, sizeof *a->parts);
    for (size_t i = 0; i < b->n_parts; i++) {
        struct part p = b->parts[i];
        a->parts[a->n_parts++] = (struct part){ p.chunk, place + p.from, place + p.to };
    }
    a->also = alloc_resize(a->also, a->n_also + b->n_also + 1, sizeof *a->also);
    for (size_t i = 0; i < b->n_also; i++)
        a->also[a->n_also++] = b->also[i];
}

/* Let a's text go on with what is new in b. False when they are no neighbours. */
static bool join(struct fusion *u, struct passage *a, struct passage *b)
{
    size_t place = 0, from = new_from(a, b, &place);
    if (from == SIZE_MAX)
        return false;
    struct sv add = sv_from_to(buf_view(&b->text), from, b->text.len);
    if (word_count(buf_view(&a->text)) + word_count(add) > (size_t)u->cfg->budget)
        return false;
    if (place > a->text.len)
        buf_char(&a->text, ' ');
    buf_sv(&a->text, add);
    join_parts(a, b, place);
    if (a->has_span && b->has_span && b->end > a->end)
        a->end = b->end;
    if (is_better(b->rank, a->rank)) { /* the better window names the passage */
        a->rank = b->rank;
        a->id = b->id;
        a->score = b->score;
        a->via = b->via;
    }
    if (is_better(b->graph_rank, a->graph_rank))
        a->graph_rank = b->graph_rank;
    b->gone = GONE_MERGED;
    return true;
}

void merge_windows(struct fusion *u)
{
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < u->n_passages; i++) {
            for (size_t j = 0; j < u->n_passages; j++) {
                struct passage *a = &u->passages[i], *b = &u->passages[j];
                if (i != j && a->gone == GONE_NOT && b->gone == GONE_NOT &&
                    is_same_section(a, b) && join(u, a, b))
                    again = true;
            }
        }
    }
}
