// SPDX-License-Identifier: MIT
/*
 * budget.c — best first until the tokens are used up
 *
 * Facts may first use their share of the budget, then passages all that is left, then more
 * facts what passages left over. A passage that does not fit is compressed into the rest when
 * that is worth it; smaller ones after it still get their chance.
 */
#include "fuse_impl.h"

#include "alloc.h"
#include "text.h"

enum { WORTH_TOKENS = 24 }; /* a rest smaller than this is not filled by force */

/* Take facts in their order while they fit below `limit`; returns what is used then. */
static size_t take_facts(struct fusion *u, size_t used, size_t limit, bool *taken)
{
    size_t n = 0;
    for (size_t i = 0; i < u->n_facts; i++)
        n += taken[i];
    for (size_t i = 0; i < u->n_facts && n < (size_t)u->cfg->top_graph; i++) {
        const struct fact *f = &u->facts[i];
        if (f->gone != GONE_NOT || taken[i] || used + f->n_tokens > limit)
            continue;
        taken[i] = true;
        used += f->n_tokens;
        n++;
    }
    return used;
}

static size_t take_passages(struct fusion *u, struct focus *q, size_t used)
{
    size_t budget = (size_t)u->cfg->budget, n = 0;
    for (size_t i = 0; i < u->n_passages; i++) {
        struct passage *p = &u->passages[i];
        if (p->gone != GONE_NOT)
            continue;
        if (n == (size_t)u->cfg->top_vector) {
            p->gone = GONE_TOP;
            continue;
        }
        size_t rest = budget > used ? budget - used : 0;
        bool may_cut = u->cfg->compress != FUSE_COMPRESS_NEVER && rest >= WORTH_TOKENS;
        if (p->n_tokens > rest && may_cut)
            compress_passage(u, q, p, rest);
        if (p->n_tokens > rest) {
            p->gone = GONE_BUDGET;
            continue;
        }
        used += p->n_tokens;
        n++;
    }
    return used;
}

void budget_apply(struct fusion *u, struct focus *q)
{
    size_t budget = (size_t)u->cfg->budget;
    size_t share = (size_t)((double)budget * u->cfg->graph_share);
    bool *taken = alloc_zero(u->n_facts, sizeof *taken);
    for (size_t i = 0; i < u->n_passages; i++)
        if (!u->passages[i].n_tokens)
            u->passages[i].n_tokens = word_count(buf_view(&u->passages[i].text));
    size_t used = take_facts(u, 0, share, taken);
    used = take_passages(u, q, used);
    take_facts(u, used, budget, taken);
    size_t n = 0;
    for (size_t i = 0; i < u->n_facts; i++)
        n += taken[i];
    for (size_t i = 0; i < u->n_facts; i++)
        if (u->facts[i].gone == GONE_NOT && !taken[i])
            u->facts[i].gone = n >= (size_t)u->cfg->top_graph ? GONE_TOP : GONE_BUDGET;
    free(taken);
}
