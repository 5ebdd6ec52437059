// SPDX-License-Identifier: MIT
/*
 * flow.h — running text with marked spans: white space collapsed, NFC, offsets exact
 *
 * Text comes in pieces; runs of white space become one blank; blocks are set apart by line
 * ends. A span (an in-text reference, raised text …) starts at its first visible character and
 * ends after its last, so that text[start:end], counted in code points, is the marker as it
 * reads in the text.
 */
#ifndef FLOW_H
#define FLOW_H

#include "buf.h"
#include "gr.h"
#include "sv.h"

/* What goes before the next visible character; the strongest request wins. */
enum flow_gap {
    FLOW_NONE,
    FLOW_SPACE,
    FLOW_LINE, /* "\n" */
    FLOW_SOFT, /* "\n" if a lower-case letter follows (a sentence that goes on), else "\n\n" */
    FLOW_PARA, /* "\n\n" */
};

enum flow_what {
    FLOW_REF,        /* an in-text reference */
    FLOW_MARK,       /* how it is printed: raised, italic … */
    FLOW_ANNOTATION, /* what it is: a quantity, a name, a software … */
    FLOW_BLOCK,      /* a paragraph or sentence that has a place on the page */
    FLOW_SECTION,    /* a division of a text that is one string */
    FLOW_WHATS,
};

struct flow_span {
    enum flow_what what;
    int level;              /* the caller's, as is node */
    size_t start, end;      /* bytes of text; after flow_finish code points */
    struct sv target, kind; /* borrowed */
    const void *node;       /* borrowed */
    bool is_waiting;        /* its first character has not come yet */
};

struct flow {
    struct buf text;         /* UTF-8; NFC after flow_finish */
    struct flow_span *spans; /* in the order they were opened */
    size_t n_spans, cap_spans, n_waiting;
    enum flow_gap gap;
};

enum flow_script { FLOW_SUPER, FLOW_SUB };

void flow_release(struct flow *f);
void flow_reset(struct flow *f);

/* Append text (valid UTF-8). */
void flow_text(struct flow *f, struct sv s);

/* Ask for a gap before what comes next; no gap at the very start. */
void flow_gap(struct flow *f, enum flow_gap gap);

/*
 * Append text that stands raised or lowered. Unicode has such forms of the digits, + − = ( ) n
 * i and (lowered) x: used when all characters have one: ¹⁸, ⁻³, ₂. Otherwise lowered text and
 * the ordinals st nd rd th are plain ("εNd", "15th"), other raised text is ^(…).
 */
void flow_script(struct flow *f, struct sv s, enum flow_script script);

/* Has every character of s, but white space around it, such a form, and is there one? */
bool flow_has_forms(struct sv s, enum flow_script script);

bool flow_is_ordinal(struct sv s); /* st, nd, rd or th */

/* Raised text in several pieces that have no such forms stands between these. */
#define FLOW_RAISED_OPEN SV("^(")
#define FLOW_RAISED_CLOSE SV(")")

/* Open a span of what, kind, target, level and node; returns its number for flow_close. Spans
 * may nest. */
size_t flow_open(struct flow *f, struct flow_span span);
void flow_close(struct flow *f, size_t span);

/* Normalise and turn the spans into code points. Nothing is appended afterwards. O(n). */
void flow_finish(struct flow *f);

#endif
