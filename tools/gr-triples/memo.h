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

/* What is known of a list ("rock,mineral") and a type, by where they stand in memory. */
struct memo_answer {
    const char *types, *type; /* NULL: free */
    uint32_t n;               /* bytes of the list */
    bool allows;
    bool allows_phase; /* the type is oxide, and the list has minerals */
};

/* The answers, one a place: the later takes it. Lists and types must not leave their places
 * while the memo is used: those of patterns are literals, rules and the vocabulary's. All
 * zeros: nothing known. Of one thread. */
struct memo {
    struct memo_answer answers[1 << MEMO_BITS];
};

/* Find out what relate_allows says, and keep it at *a. */
void memo_learn(struct memo_answer *a, struct sv types, const char *type);

static inline const struct memo_answer *memo_ask(struct memo *m, struct sv types,
                                                 const char *type)
{
    uint64_t h = ((uint64_t)(uintptr_t)types.p * 31 + (uint64_t)(uintptr_t)type) *
                 UINT64_C(0x9e3779b97f4a7c15);
    struct memo_answer *a = &m->answers[h >> (64 - MEMO_BITS)];
    if (a->types != types.p || a->type != type || a->n != types.n)
        memo_learn(a, types, type);
    return a;
}

#endif
