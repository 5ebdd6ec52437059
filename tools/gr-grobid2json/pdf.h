// SPDX-License-Identifier: MIT
/*
 * pdf.h — is it a PDF that a service can read?
 */
#ifndef PDF_H
#define PDF_H

#include "err.h"
#include "gr.h"
#include "sv.h"

/* Does the file say that it is a PDF, by its first bytes or by its name (x.pdf, x.pdf.gz)? */
bool pdf_is(struct sv bytes, struct sv name);

/* EXIT_REJECTED: empty, or something else by the name of PDF (a saved error page). */
int pdf_check(struct sv bytes, struct err *err);

#endif
