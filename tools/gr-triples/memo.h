// SPDX-License-Identifier: MIT
/*
 * memo.h — whether a list of types holds a type, remembered: patterns ask the same few hundred
 * questions of every name of a text
 */
#ifndef MEMO_H
#define MEMO_H

#include "gr.h"
#include "sv.h"

#define MEMO_BITS 10

/* Answers by where lists and types stand in memory, which neither leave while the memo is used:
 * those of patterns are literals, rules and the vocabulary's. All zeros: nothing known. Of one
 * thread. */
struct memo {
    struct memo_answer {
        const char *types, *type; /* NULL: free */
        size_t n;
        bool allows;
    } answers[1 << MEMO_BITS];
};

/* The same as relate_allows(types, type); m NULL: nothing is remembered. */
bool memo_allows(struct memo *m, struct sv types, const char *type);

#endif
