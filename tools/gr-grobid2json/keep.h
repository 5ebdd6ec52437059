// SPDX-License-Identifier: MIT
/*
 * keep.h — a folder of TEI that a service made once and need not make again
 *
 * Each file is named STEM-KEY.tei.xml: STEM from the PDF's own name, for people; KEY from its
 * bytes and from what the service was asked for, for finding it again, also when the PDF has
 * been renamed or moved. Two PDFs of one name never meet. A file is the TEI as it came and,
 * after it, one XML comment with the SHA-256 of the PDF and of the TEI: what was cut or damaged
 * since is not taken. Files appear whole or not at all, so a run may be killed at any time.
 */
#ifndef KEEP_H
#define KEEP_H

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct keep; /* opaque; threads may share it */

struct keep_key {
    char pdf[65]; /* SHA-256 of the PDF, hex */
    char id[17];  /* of that and of the fields asked for */
};

/* fields: form_put_key's. */
void keep_key_set(struct keep_key *key, struct sv pdf, struct sv fields);

/* Open the folder, made if need be (its parent must be there). max: bytes of a TEI. NULL with
 * err (EXIT_FATAL). */
struct keep *keep_open(const char *dir, size_t max, struct err *err);
void keep_close(struct keep *k); /* NULL is fine */

/*
 * Look for the TEI of key: 1 appended to *tei; 0 not there; -1 there but damaged, *damaged is
 * its path. After 0 and -1 the key is the caller's: others who ask for it wait, until
 * keep_put or keep_leave.
 */
int keep_take(struct keep *k, const struct keep_key *key, struct buf *tei, struct buf *damaged);

/* Keep it. name: the PDF's path, of which the last part is used. -1 with err (EXIT_FATAL). */
int keep_put(struct keep *k, const struct keep_key *key, struct sv name, struct sv tei,
             struct err *err);

/* Give the key back without TEI. */
void keep_leave(struct keep *k, const struct keep_key *key);

#endif
