// SPDX-License-Identifier: MIT
/*
 * grg_use.h — everything that reads a graph, for fuzzing
 */
#ifndef GRG_USE_H
#define GRG_USE_H

#include "conflicts.h"
#include "draw.h"
#include "export.h"
#include "info.h"
#include "near.h"
#include "path.h"

static inline bool grg_swallow(void *ctx, struct sv text)
{
    *(size_t *)ctx += text.n;
    return *(size_t *)ctx < 1 << 20;
}

static inline void grg_compare_papers(const struct grg *g, struct buf *out)
{
    struct filter filter = { 0 };
    struct conflicts_cfg cfg = {
        .filter = &filter, .tolerance = 5, .min_errors = 1, .top = 20
    };
    struct sv unknown = SV_NONE;
    struct err err;
    conflicts_find(g, NULL, &cfg, out);
    if (filter_make(&filter, g, NULL, NULL, NULL, "min=1,max=1e9", GRG_STANCES, &unknown,
                    &err) == 0) {
        cfg.filter = &filter;
        for (uint32_t e = 0; e < g->n_edges; e++)
            (void)filter_gives(&filter, g, grg_edge(g, e));
    }
    filter_release(&filter);
}

/* Every command but query: ways between two names, drawing, counts, conflicts, names near,
 * export. The file may say anything. */
static inline void grg_use(const struct grg *g, const char *from, const char *to,
                           struct buf *out)
{
    struct links a = { 0 }, b = { 0 };
    struct path_cfg cfg = { .max_hops = 4, .limit = 3 };
    struct err err;
    size_t n = 0;
    link_name(g, sv_from(from), &a);
    link_name(g, sv_from(to), &b);
    path_find(g, &a, &b, &cfg, NULL, out);
    draw_dot(g, &a, 3, 10, out);
    info_put(g, 5, out);
    grg_compare_papers(g, out);
    near_spelling(g, SV("smectitte"), &a);
    near_prefix(g, SV("zqa"), 5, &a);
    for (int f = EXPORT_NDJSON; f <= EXPORT_DOT; f++)
        (void)export_graph(g, (enum export_format)f, grg_swallow, &n, &err);
    links_release(&a);
    links_release(&b);
}

#endif
