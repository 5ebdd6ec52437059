// SPDX-License-Identifier: MIT
/*
 * batch.h — the texts of some records, embedded together
 */
#ifndef GR_BATCH_H
#define GR_BATCH_H

#include "run.h"
#include "texts.h"

/* Where vectors come from: those of texts first … first+n-1 (n > 0), valid until the next call.
 * A text without a vector has a note. -1 with err: EXIT_REJECTED when one of these texts is at
 * fault and nobody knows which; none of them has been paid for then. */
struct source {
    int (*embed)(void *ctx, const struct texts *t, size_t first, size_t n, struct vectors *out,
                 struct err *err);
    void *ctx;
    size_t max_tokens; /* texts_tokens of one call, as far as records allow; 0: no limit */
    bool is_dry;       /* there are no vectors: tasks are filtered out */
};

/* Embed the tasks that have not failed yet (rc 0): each gets its output, or rc -1 and err. When
 * the source rejects some together they are halved until the culprits are alone. `texts` is
 * working memory. */
void batch_embed(const struct source *source, const struct texts_cfg *cfg, struct texts *texts,
                 struct task *tasks, size_t n);

#endif
