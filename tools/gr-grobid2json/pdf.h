// SPDX-License-Identifier: MIT
/*
 * pdf.h — is it a PDF that a service can read, and a record that says it is the PDF's
 */
#ifndef PDF_H
#define PDF_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

/* Does the file say that it is a PDF, by its first bytes or by its name (x.pdf, x.pdf.gz)? */
bool pdf_is(struct sv bytes, struct sv name);

/* EXIT_REJECTED: empty, or something else by the name of PDF (a saved error page). */
int pdf_check(struct sv bytes, struct err *err);

/* In the record that begins at `start`, made of this TEI: put the PDF's SHA-256 (64 hex digits)
 * for the TEI's in `source` and, without a DOI, in `id`. The TEI holds the time of its making;
 * the PDF stays the same. */
void pdf_sign(struct buf *record, size_t start, struct sv tei, const char *hex);

#endif
