// SPDX-License-Identifier: MIT
/*
 * batch.h — some records, one request to a service
 */
#ifndef GR_BATCH_H
#define GR_BATCH_H

#include "api.h"
#include "run.h"
#include "texts.h"

struct batch_cfg {
    const struct texts_cfg *texts;
    enum vector_format format;
    const char *model; /* for `embedding_model`: "MODEL/dimension/api" */
};

/* Embed the tasks that have not failed yet (rc 0): each gets its output, or rc -1 and err. When
 * the service refuses the whole, the records are sent one by one, so that only the culprit is
 * rejected. `texts` is working memory. */
void batch_embed(const struct batch_cfg *cfg, struct api_conn *c, struct texts *texts,
                 struct task *tasks, size_t n);

/* Fail every task that has not failed yet. */
void batch_fail(struct task *tasks, size_t n, const struct err *err);

#endif
