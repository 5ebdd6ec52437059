// SPDX-License-Identifier: MIT
/*
 * check.h — is each sentence of an answer in the source it cites? Counted, not judged
 *
 * A sentence is supported by a set of sources when every number in it is in them (a signed one
 * with its sign), and at least CHECK_SHARE of its different content words (stems, chemical
 * notation; analyzer.h). It takes no model and finds what matters most: a number or a name from
 * nowhere, a wrong citation. It does not see a "not" too few.
 */
#ifndef CHECK_H
#define CHECK_H

#include "analyzer.h"
#include "context.h"

#define CHECK_SHARE 0.6

enum verdict {
    VERDICT_SUPPORTED,
    VERDICT_MISATTRIBUTED, /* not by what it cites, but by another source */
    VERDICT_UNSUPPORTED,   /* by none, cited or not */
    VERDICT_UNCITED,       /* cites nothing, but a source has it: found_in */
    VERDICT_PLAIN,         /* says nothing to check: "Yes.", a heading, a refusal */
};

const char *verdict_name(enum verdict v);

/* The source of a claim, and where in it. */
struct quote {
    size_t source;      /* index into context.sources */
    struct piece piece; /* the sentence that has most of the claim's words */
};

struct claim {
    size_t from, to; /* bytes of the response, citation included */
    enum verdict verdict;
    struct quote *quotes; /* (n_quotes) one for each source it cites that exists */
    size_t n_quotes;
    size_t *unknown; /* (n_unknown) cited numbers that no source has */
    size_t n_unknown;
    size_t found_in; /* a source that has it after all, or NO_SOURCE */
    struct buf why;  /* when not supported: what is missing */
};

struct claims {
    struct claim *items;
    size_t n;
};

/* Every sentence of the response, in order; claims_release in any case. O(sentences × words of
 * the sources they cite). */
void check_response(struct claims *out, const struct context *c, struct sv response,
                    const struct splitter *s, struct terms *t);
void claims_release(struct claims *c);

#endif
