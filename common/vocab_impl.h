// SPDX-License-Identifier: MIT
/*
 * vocab_impl.h — what vocab.c (loading, the table), vocab_hash.c and vocab_scan.c (texts)
 * share
 */
#ifndef GR_VOCAB_IMPL_H
#define GR_VOCAB_IMPL_H

#include "utf8.h"
#include "vocab.h"
#include "vocab_first.h"

/* A hash of normalised bytes with letters folded, and which letters were capitals: one bit a
 * character, the last lowest. Equal in both: the same in exact case. */
struct vocab_hash {
    uint64_t fold, exact;
};
#define VOCAB_HASH_INIT                                                                        \
    (struct vocab_hash)                                                                        \
    {                                                                                          \
        0x9ae16a3b2f90404fULL, 0                                                               \
    }

/* After FNV-1a (Fowler, Noll, Vo): each byte waits for the one before, so there is no more to
 * it. The upper half is what is well mixed: vocab_slot_at, vocab_filter_bit. */
static inline uint64_t vocab_mix(uint64_t h, unsigned char c)
{
    return (h ^ c) * 0x9fb21c651e98df25ULL;
}

static inline void vocab_hash_case(struct vocab_hash *h, bool is_capital)
{
    h->exact = (h->exact << 1 | h->exact >> 63) ^ is_capital;
}

static inline void vocab_hash_byte(struct vocab_hash *h, unsigned char c)
{
    bool is_capital = (unsigned)(c - 'A') < 26;
    vocab_hash_case(h, is_capital);
    h->fold = vocab_mix(h->fold, (unsigned char)(c | is_capital << 5));
}
void vocab_hash_cp(struct vocab_hash *h, uint32_t cp); /* not ASCII */

/* Character classes: what a token is made of, what only separates. */
enum vocab_class { VC_WORD, VC_BLANK, VC_HYPHEN, VC_OTHER };
enum vocab_class vocab_class_wide(uint32_t cp); /* not ASCII */

static inline enum vocab_class vocab_class_of(uint32_t cp)
{
    if (cp >= 0x80)
        return vocab_class_wide(cp);
    if ((cp | 32) - 'a' < 26 || cp - '0' < 10)
        return VC_WORD;
    return cp == ' ' || cp - '\t' < 5 ? VC_BLANK : cp == '-' ? VC_HYPHEN : VC_OTHER;
}

/* The character at byte pos of s, *after: behind it. As utf8_next, but ASCII costs no call. */
static inline uint32_t vocab_cp_at(struct sv s, size_t pos, size_t *after)
{
    unsigned char c = (unsigned char)s.p[pos];
    *after = pos + 1;
    if (c < 0x80)
        return c;
    *after = pos;
    return utf8_next(s, after);
}

/* Step over the token at *pos (a run of letters and digits, or one other character), adding it
 * to *h. */
void vocab_hash_token(struct vocab_hash *h, struct sv s, size_t *pos);

/* Hash of a whole name as add_spelling puts it; a minus at its end is a charge and counts. */
struct vocab_hash vocab_hash_whole(struct sv name);

/* "I-", with a hyphen, a minus or a superscript one. */
bool vocab_ends_in_minus(struct sv text);

/* One way of naming one entry; all of the same folded form are chained. */
struct vocab_cand {
    uint64_t exact;
    uint32_t entry;
    uint32_t next; /* VOCAB_NONE: the last */
    bool is_case;  /* only in this exact case */
    bool is_ambiguous;
    bool is_field;   /* taken only among other names of the field */
    bool has_plural; /* may stand in the plural */
    bool is_added;   /* of vocab_add: before all others */
};

struct vocab_slot {
    uint64_t key;  /* folded hash; 0: free */
    uint32_t cand; /* VOCAB_NONE: only the beginning of names */
    uint32_t is_prefix;
};

struct vocab_entry {
    struct sv name, synonyms, attrs;
    const char *type;
};

/* Is it that type? Nearly always the first letter says no. */
static inline bool vocab_type_is(const char *type, const char *name)
{
    return type[0] == name[0] && strcmp(type, name) == 0;
}

#define VOCAB_FILTER_BITS 18
#define VOCAB_BEGIN_BITS 16

static inline unsigned vocab_key_bit(uint32_t key)
{
    return (uint32_t)(key * 2654435761U) >> (32 - VOCAB_BEGIN_BITS);
}

/*
 * Which bit of `begins` the first four letters of a token have: folded, fewer padded with
 * zeros. Asked of words that may go on behind a hyphen; of others `first` knows more.
 */
static inline unsigned vocab_begin_bit(const char *p, size_t n)
{
    unsigned char b[4] = { 0 };
    uint32_t key;
    for (size_t i = 0; i < n && i < 4; i++)
        b[i] = (unsigned char)p[i] | 32;
    memcpy(&key, b, 4);
    return vocab_key_bit(key);
}

struct vocab {
    struct vocab_entry *entries;
    size_t n_entries, cap_entries;
    struct vocab_cand *cands;
    size_t n_cands, cap_cands;
    struct vocab_slot *slots;
    size_t mask, n_slots; /* slots: mask + 1 */
    uint64_t *filter;     /* one bit per folded hash, 32 KiB: stays in the cache */
    uint64_t begins[1 << (VOCAB_BEGIN_BITS - 6)];
    struct vocab_first first;
    struct buf *files; /* what the views point into */
    char **types;
    size_t n_files;
    uint32_t by_z[119]; /* entry of each element */
    /* vocab_place.c: bit n of a letter: a noun or a kind of n letters
     * begins with it */
    uint32_t place_nouns[26], place_kinds[26];
    unsigned char place_first[26]; /* number of the first noun of a letter */
    bool is_entities;              /* loaded from a folder: not cue phrases */
    bool is_adding;                /* in vocab_add */
};

/* Where the search for a folded hash begins in `slots`, and its bit of `filter`. */
static inline size_t vocab_slot_at(const struct vocab *v, uint64_t fold)
{
    return (size_t)(fold >> 32) & v->mask;
}

static inline size_t vocab_filter_bit(uint64_t fold)
{
    return (size_t)(fold >> (64 - VOCAB_FILTER_BITS));
}

const struct vocab_slot *vocab_slot_of(const struct vocab *v, uint64_t fold);

/* First candidate from `cand` on that fits the exact hash; plural: only those that have one. */
uint32_t vocab_fitting(const struct vocab *v, uint32_t cand, uint64_t exact, bool plural);

/* What chemical notation is called by the vocabulary; sets type and entry of *e. */
void vocab_name_notation(const struct vocab *v, const struct chem *c, struct entity *e);

/* Clear `weak` where the neighbours support it, or where the symbol stands for its element
 * elsewhere in the text; tell ions from the minerals of their name. */
void vocab_weigh(const struct vocab *v, struct sv text, struct entities *list);

/* Clear or set `weak` by whether the text names other things of the field; authors' names and
 * torn text are weak. After vocab_weigh's other rules. */
void vocab_weigh_field(const struct vocab *v, struct sv text, struct entities *list);

/* What names of two senses are where they stand: rock or grade, rock or mineral, mineral or
 * element. Some change their entry, some become weak. */
void vocab_weigh_sense(const struct vocab *v, struct sv text, struct entities *list);

/* Only commas, slashes, blanks, "and", "or" between two members of a list? */
bool vocab_is_list_gap(struct sv gap);

#define VOCAB_PARTS 3 /* names that share a noun with the next */

/*
 * Take into *e the words before and behind that belong to its name; it may grow to the left
 * over names of the list, which leave it. Names before it that share its noun ("Middle and Late
 * Triassic") go to parts, the last first; returns how many.
 */
size_t vocab_widen(const struct vocab *v, struct sv text, struct entities *list,
                   struct entity *e, struct entity parts[VOCAB_PARTS]);

/* "Late Devensian", "Permian Period": take in the capitalised part and rank; what ends at floor
 * is another name's. */
void vocab_widen_time(struct sv text, size_t floor, struct entity *e);

/* "quartz-feldspar porphyry": take in what makes the rock *e a kind of its own; the names that
 * it takes in leave the list. */
void vocab_widen_rock(const struct vocab *v, struct sv text, struct entities *list,
                      struct entity *e);

/* The noun "rock" alone, which names nothing before it is widened: "quartz-tourmaline rock". */
bool vocab_is_bare_rock(const struct vocab *v, const struct entity *e);

/* "Ti-chromite", "ferroan dolomite": the same for a mineral. */
void vocab_widen_mineral(const struct vocab *v, struct sv text, struct entities *list,
                         struct entity *e);

/* Make *e begin at `start`: a name of its own, the vocabulary's behind the words of the text.
 * False, and *e as it was: too long. */
bool vocab_name_widened(const struct vocab *v, struct sv text, size_t start, struct entity *e);

/* The element whose symbol or name is text[start, end). */
bool vocab_set_element(const struct vocab *v, struct sv text, size_t start, size_t end,
                       struct entity *inner);

/* "Silty dolomite" is a rock, dolomite alone a mineral. */
void vocab_widen_dolomite(const struct vocab *v, struct sv text, struct entities *list,
                          struct entity *e);

/* Minerals and symbols in the name of a rock: "calcite vein", "high-Mg andesite". At most max;
 * returns how many. */
size_t vocab_inner_rock(const struct vocab *v, struct sv text, const struct entity *e,
                        struct entity *inner, size_t max);

/* "Middle and Late Triassic": is there a part that shares the name of *e, not before floor?
 * Sets *part, whose span is the word alone and whose name is whole. */
bool vocab_shared_time(const struct vocab *v, struct sv text, size_t floor,
                       const struct entity *e, struct entity *part);

/* "andesitic to dacitic lavas": the rocks that share the noun of *e, not before floor, the last
 * first. Each spans its word alone and has the whole name. At most max; returns how many. */
size_t vocab_shared_rock(const struct vocab *v, struct sv text, size_t floor,
                         const struct entity *e, struct entity *parts, size_t max);

/* Is the rock *e but the noun of a named unit ("Hawkesbury Sandstone", "Mercia Mudstone
 * Group")? Then *e becomes that unit, a location. Nothing before floor is taken in. */
bool vocab_take_unit(struct sv text, size_t floor, struct entity *e);

/* Does elements' notation ("U-Pb", "40Ar-39Ar") name an isotope system? */
bool vocab_is_system(struct sv notation);

void vocab_place_init(struct vocab *v);

/* Is a capitalised word one that names no place by itself ("Some", "Upper", "Results")? */
bool vocab_is_no_place(struct sv word);

/* A place named by its noun at byte pos, "Huwan shear zone", that ends behind `longer`, where a
 * listed name ends. */
bool vocab_match_place(const struct vocab *v, struct sv text, size_t pos, size_t longer,
                       struct entity *e);

/* May the capitalised word of letters that ends at `end` begin such a place? By the word behind
 * it; only what vocab_match_place cannot take is ever denied. */
bool vocab_may_be_place(const struct vocab *v, struct sv text, size_t end);

/* Is what reads as the name e something else: half of a torn word, a label ("Fig. 12C")? */
bool vocab_is_none(const struct vocab *v, struct sv text, const struct entity *e);

/* Past the rest of a word. */
size_t vocab_skip_word(struct sv s, size_t pos);

/* Types of chemical notation: element, isotope…, oxide. */
bool vocab_is_notation(const char *type);

#endif
