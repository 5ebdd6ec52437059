// SPDX-License-Identifier: MIT
/*
 * clause.h — a sentence as a row of items: names, quantities, words, marks
 *
 * Patterns walk over items, so that "the fresh, glassy basalts" and "basalts" look alike.
 */
#ifndef CLAUSE_H
#define CLAUSE_H

#include "gr.h"
#include "quantity.h"
#include "sv.h"
#include "vocab.h"
#include "words.h"

enum item_kind { ITEM_WORD, ITEM_NAME, ITEM_QUANTITY, ITEM_MARK };

/* Classes of words, bits. */
enum {
    W_AUX = 1 << 0,      /* is, were, have, can */
    W_DET = 1 << 1,      /* the, a, these, all, some */
    W_PREP = 1 << 2,     /* of, in, from, with, by */
    W_AND = 1 << 3,      /* and, or, as well as */
    W_NOT = 1 << 4,      /* no, not, without, lack, absent */
    W_HEDGE = 1 << 5,    /* may, might, possibly, suggest */
    W_WHICH = 1 << 6,    /* which, that, who */
    W_BREAK = 1 << 7,    /* but, whereas, while, because: another clause */
    W_LINK = 1 << 8,     /* what stands between a thing and its value */
    W_HAVE = 1 << 9,     /* contain, have, yield: a holder and its value */
    W_DATE = 1 << 10,    /* age, dated, crystallised: a thing and its age */
    W_SPAN = 1 << 11,    /* for, over, lasting: a time span, no age */
    W_FORM = 1 << 12,    /* formed, equilibrated: a thing and its conditions */
    W_MEASURE = 1 << 13, /* measured, analysed */
    W_USING = 1 << 14,   /* using, via, by, with */
    W_CONTENT = 1 << 15, /* concentration, content, abundance */
    W_PAIRED = 1 << 16,  /* respectively */
    W_GROUP = 1 << 17,   /* both, two, these: which of several */
    W_STATE = 1 << 18,   /* conditions, pH */
    W_PARAM = 1 << 19, /* pressure, melt: may be in condition.tsv; a class of sentences alone */
};

struct item {
    enum item_kind kind;
    size_t start, end; /* bytes of the text */
    unsigned word;     /* W_ bits of a word */
    size_t at;         /* which name or quantity */
    uint64_t key;      /* of a word (words.h), else 0 */
    unsigned short fold;
    char mark; /* ITEM_MARK: ASCII, '-' for any dash, '?' for others */
};

struct clause {
    struct sv text;
    size_t start, end; /* bytes of the sentence */
    struct item *items;
    size_t n, cap;
    size_t *named; /* (n_names) items that are names */
    size_t cap_named;
    const struct entities *names;
    const struct quantities *quantities;
    /* what cannot be there is not looked for: */
    unsigned classes;        /* of all words together */
    struct words_bits words; /* all of them */
    size_t n_names, n_quantities;
    bool has_hedge;
};

void clause_release(struct clause *c);

/* Fill *c (items are reused) with the sentence [start, end) of text. names and quantities are
 * those of the whole text, in order; borrowed until the next call. Weak names are words. */
void clause_fill(struct clause *c, struct sv text, size_t start, size_t end,
                 const struct entities *names, const struct quantities *quantities);

/* Classes of a word, by its lower-case form. word_class_of: when its key is known. */
unsigned word_class(struct sv word);
unsigned word_class_of(struct sv word, uint64_t key);

/* Text of item i; "" outside. These are asked of every item again and again: inline. */
static inline struct sv clause_text(const struct clause *c, size_t i)
{
    if (i >= c->n)
        return SV("");
    return (struct sv){ c->text.p + c->items[i].start, c->items[i].end - c->items[i].start };
}

/* Is item i this word, in any case? */
static inline __attribute__((always_inline)) bool clause_is_word(const struct clause *c,
                                                                 size_t i, const char *word)
{
    size_t n = strlen(word);
    return i < c->n && c->items[i].key == words_key(word, n) &&
           (n < WORDS_KEY || sv_ieq(clause_text(c, i), (struct sv){ word, n }));
}

/* Is item i a word of the list? */
static inline bool clause_word_in(const struct clause *c, size_t i, struct words *list)
{
    return i < c->n && words_may_have(list, c->items[i].fold) &&
           words_find(list, clause_text(c, i));
}

/* May any item be a word of the list? When not, a pass that starts from them is over. */
static inline bool clause_may_have(const struct clause *c, struct words *list)
{
    return words_may_meet(list, &c->words);
}

static inline bool clause_is_mark(const struct clause *c, size_t i, char mark)
{
    return i < c->n && c->items[i].kind == ITEM_MARK && c->items[i].mark == mark;
}

/* 0 unless a word */
static inline unsigned clause_class(const struct clause *c, size_t i)
{
    return i < c->n && c->items[i].kind == ITEM_WORD ? c->items[i].word : 0;
}

/* NULL unless a name */
static inline const struct entity *clause_name(const struct clause *c, size_t i)
{
    return i < c->n && c->items[i].kind == ITEM_NAME ? &c->names->items[c->items[i].at] : NULL;
}

static inline const struct quantity *clause_quantity(const struct clause *c, size_t i)
{
    return i < c->n && c->items[i].kind == ITEM_QUANTITY ? &c->quantities->items[c->items[i].at]
                                                         : NULL;
}

/* First item of the phrase that item i ends: over the articles and names right before it. */
static inline size_t clause_phrase_start(const struct clause *c, size_t i)
{
    while (i > 0 && (clause_class(c, i - 1) & W_DET || clause_name(c, i - 1)))
        i--;
    return i;
}

/* Is there a word of class `word` in items [from, to)? */
bool clause_has(const struct clause *c, size_t from, size_t to, unsigned word);

/* From the comma at i before a verb ("X, one of three, was dated") to the comma that opens what
 * it closes, or i when there is none near. */
size_t clause_apposition(const struct clause *c, size_t i);

/* Where the words behind the verb before "and", at item i, begin when "and" joins a second verb
 * of the same subject: the item of the first verb in "the gabbro intrudes schist and is dated",
 * whose schist is not dated. i when "and" joins no verb, or nothing but what the subject is
 * ("is a rhyolite and has"); 0 when there is no first verb. */
size_t clause_past_object(const struct clause *c, size_t i);

/* From the bracket at i to its partner: the item of the partner, or SIZE_MAX. */
size_t clause_bracket(const struct clause *c, size_t i);

#endif
