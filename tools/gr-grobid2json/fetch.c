// SPDX-License-Identifier: MIT
/*
 * fetch.c — first the folder, then the service, then the folder again
 */
#include "fetch.h"

#include <stdatomic.h>

#include "alloc.h"
#include "keep.h"
#include "pdf.h"

struct fetch {
    struct form *form;
    struct buf fields; /* form_put_key's */
    struct service *service;
    struct keep *keep; /* NULL: none */
    atomic_ullong n_kept;
};

struct fetch *fetch_new(const struct fetch_cfg *cfg, struct err *err)
{
    struct fetch *f = alloc_zero(1, sizeof *f);
    struct service_cfg service = cfg->service;
    f->form = form_new(cfg->settings.items, cfg->settings.n, cfg->has_coords, err);
    service.form = f->form;
    if (f->form && (f->service = service_new(&service, err)) &&
        (!cfg->keep_dir || (f->keep = keep_open(cfg->keep_dir, service.max_reply, err)))) {
        form_put_key(f->form, &f->fields);
        return f;
    }
    fetch_free(f);
    return NULL;
}

void fetch_free(struct fetch *f)
{
    if (!f)
        return;
    keep_close(f->keep);
    service_free(f->service);
    form_free(f->form);
    buf_release(&f->fields);
    free(f);
}

/* The key is the caller's: ask the service, keep what it gives. */
static int make(struct fetch *f, unsigned worker, const struct keep_key *key,
                const struct rec *r, struct sv pdf, struct buf *tei, struct err *err)
{
    int rc = service_tei(f->service, worker, pdf, tei, err);
    if (f->keep && rc == 0)
        rc = keep_put(f->keep, key, r->line, buf_view(tei), err);
    else if (f->keep)
        keep_leave(f->keep, key);
    return rc;
}

int fetch_tei(struct fetch *f, unsigned worker, const struct rec *r, struct buf *bytes,
              char hex[65], struct err *err)
{
    struct sv pdf = buf_view(bytes);
    if (pdf_check(pdf, err) < 0)
        return -1;
    if (!f)
        return err_set(err, EXIT_REJECTED,
                       "a PDF: GROBID reads those: start it and say where it is, as in "
                       "--grobid=http://localhost:8070");
    struct keep_key key;
    struct buf tei = BUF_INIT, damaged = BUF_INIT;
    keep_key_set(&key, pdf, buf_view(&f->fields));
    memcpy(hex, key.pdf, sizeof key.pdf);
    int found = f->keep ? keep_take(f->keep, &key, &tei, &damaged) : 0;
    if (found < 0)
        rec_warn(r, "%s: damaged; GROBID is asked again", buf_cstr(&damaged));
    if (found > 0)
        atomic_fetch_add(&f->n_kept, 1);
    int rc = found > 0 ? 0 : make(f, worker, &key, r, pdf, &tei, err);
    if (rc == 0) {
        struct buf swap = *bytes;
        *bytes = tei;
        tei = swap;
    }
    buf_release(&tei);
    buf_release(&damaged);
    return rc;
}

struct fetch_counts fetch_counts(struct fetch *f)
{
    return (struct fetch_counts){ service_counts(f->service), atomic_load(&f->n_kept) };
}
