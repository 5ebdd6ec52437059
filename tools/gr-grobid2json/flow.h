// SPDX-License-Identifier: MIT
/*
 * flow.h — running text with marked spans: white space collapsed, NFC, offsets exact
 *
 * Text comes in pieces; runs of white space become one blank; blocks are set apart by line
 * ends. A span (an in-text reference) starts at its first visible character and ends after its
 * last, so that text[start:end], counted in code points, is the marker as it reads in the text.
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

struct flow_ref {
    size_t start, end;      /* bytes of text; after flow_finish code points */
    struct sv target, kind; /* borrowed */
    bool is_waiting;        /* its first character has not come yet */
};

struct flow {
    struct buf text; /* UTF-8; NFC after flow_finish */
    struct flow_ref *refs;
    size_t n_refs, cap_refs, n_waiting;
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

/* Open a span; returns its number for flow_close. Spans may nest. */
size_t flow_open(struct flow *f, struct sv kind, struct sv target);
void flow_close(struct flow *f, size_t ref);

/* Normalise and turn the spans into code points. Nothing is appended afterwards. O(n). */
void flow_finish(struct flow *f);

/* Append the spans as the elements of a JSON array: {"start","end","target","kind"}; a target
 * that names several things ("#b1 #b2") gives one object each; "#" is dropped. */
void flow_put_refs(const struct flow *f, struct buf *out);

#endif
