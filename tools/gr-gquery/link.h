// SPDX-License-Identifier: MIT
/*
 * link.h — from the words of a question to the nodes of the graph
 *
 * At each word the longest run of words is taken whose key (text.h) is a look-up name of a
 * node. Every spelling of a thing has one key: δ¹⁸O = d18O = "δ 18 O", Fe³⁺ = Fe(III), basalts
 * = basalt. Names that hold for one spelling only ("As" is arsenic, "as" is not) are compared
 * letter by letter, function words alone are nothing. Chemical notation that is no node stands
 * for its parts at a lower weight: 87Sr/86Sr for 87Sr and 86Sr, or for Sr.
 */
#ifndef LINK_H
#define LINK_H

#include "analyzer.h"
#include "gr.h"
#include "grg.h"
#include "map.h"
#include "sv.h"

#define LINK_KEY_WORDS 8
#define LINK_VAGUE_WEIGHT 0.3f /* of a vague thing (below) in a text */

struct link {
    uint32_t node;
    float weight;      /* 0 … 1 */
    const char *via;   /* static: "query", "entity", "keyword", "hit" */
    size_t start, end; /* bytes of the text it was found in */
};

struct links {
    struct link *items; /* one for each node, in order of finding */
    size_t n, cap;
};

void links_release(struct links *l);

/* Put a link, or raise the weight of the one that is there. */
void links_add(struct links *l, const struct link *link);

/* A thing of one paper that common words name: "the upper layer", but not "Unit B". In a text
 * such a link has LINK_VAGUE_WEIGHT and hides no name inside of it, and what several papers
 * call so is not linked; other things share a name among up to three papers. */
bool link_is_vague(const struct grg *g, uint32_t node);

/* All names in a text. text: valid UTF-8. At most 4000 words are looked at. O(words · log
 * names). Returns how many links were found (new or not). */
size_t link_text(const struct grg *g, struct terms *terms, struct sv text, float weight,
                 const char *via, struct links *to);

/* Every key under which link_text could look something up in this text, and the text itself as
 * a node's id: for a graph that is elsewhere. Runs of at most LINK_KEY_WORDS words are looked
 * at. */
void link_keys(struct sv text, struct map *keys);

/* The nodes that are meant by a whole name or node id: for operands. */
size_t link_name(const struct grg *g, struct sv name, struct links *to);

#endif
