// SPDX-License-Identifier: MIT
/*
 * batch.h — the texts of some records, embedded together
 */
#ifndef GR_BATCH_H
#define GR_BATCH_H

#include "run.h"
#include "texts.h"

/* Where vectors come from: those of texts first … first+n-1 (n > 0), valid until the next call.
 * -1 with err: EXIT_REJECTED when one of these texts is at fault. */
struct source {
    int (*embed)(void *ctx, const struct texts *t, size_t first, size_t n, struct vectors *out,
                 struct err *err);
    void *ctx;
};

/* Embed the tasks that have not failed yet (rc 0): each gets its output, or rc -1 and err. When
 * the source rejects them together they are tried one by one, so that only the culprit is lost.
 * `texts` is working memory. */
void batch_embed(const struct source *source, const struct texts_cfg *cfg, struct texts *texts,
                 struct task *tasks, size_t n);

#endif
