// SPDX-License-Identifier: MIT
/*
 * sv.h — string views: pointer and length of text that somebody else owns
 *
 * A view is valid as long as its owner says; no function here allocates.
 */
#ifndef GR_SV_H
#define GR_SV_H

#include "gr.h"

struct sv {
    const char *p; /* not NUL-terminated in general; may hold NUL bytes */
    size_t n;
};

#define SV(lit)                                                                                \
    (struct sv)                                                                                \
    {                                                                                          \
        "" lit, sizeof(lit) - 1                                                                \
    }
#define SV_NONE                                                                                \
    (struct sv)                                                                                \
    {                                                                                          \
        "", 0                                                                                  \
    }
/* printf("%.*s", SV_ARG(s)); lengths are capped at 1 MiB so that the int cannot overflow. */
#define SV_ARG(s) (int)((s).n > (1 << 20) ? (1 << 20) : (s).n), (s).p

static inline struct sv sv_from(const char *s); /* s == NULL gives an empty view */
static inline bool sv_eq(struct sv a, struct sv b);
static inline bool sv_is(struct sv a, const char *s);
bool sv_in(struct sv a, const char *const list[], size_t n); /* is it one of these? */
bool sv_ieq(struct sv a, struct sv b); /* ASCII letters compare without case */
int sv_cmp(struct sv a, struct sv b);  /* byte order, shorter first */
static inline bool sv_starts(struct sv s, struct sv prefix);
static inline bool sv_ends(struct sv s, struct sv suffix);
struct sv sv_trim(struct sv s); /* without ASCII white space at both ends */

static inline struct sv sv_from_to(struct sv s, size_t from,
                                   size_t to); /* clamped to the view */

/* Position of the first `needle` at or after `from`, or SIZE_MAX. */
size_t sv_find(struct sv s, struct sv needle, size_t from);

/* Cut the text before the first `delim` off *rest and return it; false when *rest is used up.
 * "a,,b" gives "a", "", "b"; "" gives one empty part. A view whose p is NULL is used up. */
bool sv_cut(struct sv *rest, char delim, struct sv *part);

/* Whole-view numbers, C locale whatever the environment: true and *out, or false when the text
 * is not exactly one finite number in range. */
bool sv_to_i64(struct sv s, int64_t *out);
bool sv_to_double(struct sv s, double *out);

/* qsort comparator over struct sv. */
int sv_qcmp(const void *a, const void *b);

#include "sv.inc"

#endif
