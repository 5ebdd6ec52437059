// SPDX-License-Identifier: MIT
/*
 * pdf_lock.h — does a PDF open without a password?
 *
 * Many publishers' PDFs are encrypted with an empty user password, which only restricts
 * printing and the like; any reader, GROBID's too, opens them. So "/Encrypt" alone says
 * nothing: the empty password is tried, as ISO 32000-2, 7.6.4 tells (algorithms 2, 2.B, 4, 5,
 * 6, 11).
 */
#ifndef PDF_LOCK_H
#define PDF_LOCK_H

#include "gr.h"
#include "sv.h"

enum pdf_lock {
    PDF_LOCK_NONE,        /* not encrypted, or open to all, or not understood */
    PDF_LOCK_PASSWORD,    /* the empty password is not the user password */
    PDF_LOCK_CERTIFICATE, /* encrypted for the holders of some keys */
};

/* bytes: a PDF, hostile or not. Linear time in their number; bounded memory. */
enum pdf_lock pdf_lock(struct sv bytes);

#endif
