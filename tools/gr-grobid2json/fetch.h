// SPDX-License-Identifier: MIT
/*
 * fetch.h — the TEI of a PDF: from the folder where it is kept, else from the service
 */
#ifndef FETCH_H
#define FETCH_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "json.h"
#include "opts.h"
#include "service.h"

struct fetch; /* opaque; workers share it */

struct fetch_cfg {
    struct service_cfg service; /* form is filled in here */
    struct opt_list settings;   /* form_new's */
    bool has_coords;
    const char *keep_dir; /* NULL: TEI is not kept */
};

/* NULL with err: EXIT_USAGE for settings and address, EXIT_FATAL for the folder. */
struct fetch *fetch_new(const struct fetch_cfg *cfg, struct err *err);
void fetch_free(struct fetch *f); /* NULL is fine */

/*
 * *bytes hold a file that pdf_is: put its TEI in their place and the SHA-256 of the PDF in hex.
 * r: the file, for warnings and the name of what is kept. What is not found in the folder is
 * asked for once, also when several workers need the same. Errors: pdf_check's, service_tei's,
 * keep_put's; EXIT_REJECTED when f is NULL, since there is no service then.
 */
int fetch_tei(struct fetch *f, unsigned worker, const struct rec *r, struct buf *bytes,
              char hex[65], struct err *err);

struct fetch_counts {
    struct service_counts service;
    uint64_t n_kept; /* taken from the folder */
};
struct fetch_counts fetch_counts(struct fetch *f);

#endif
