// SPDX-License-Identifier: MIT
/*
 * vocab.h — names of the field in running text: minerals, rocks, methods, isotopes, places, …
 *
 * Layer 3. A vocabulary is a folder of TYPE.tsv files (data/vocab/README.md): one header line
 * "name<TAB>synonyms<TAB>attrs", then a name a line, synonyms separated by "|", attributes as
 * "key=value;key=value". The file's name is the type of its entities. Together with chem.h one
 * pass over a text finds every name and every piece of chemical notation.
 *
 * What counts as the same name: letters of any case (except entries with match=case and short
 * acronyms such as "BSR"); blank, hyphen and dash; English plurals; a hyphen where the name has
 * nothing, so that words torn at a line end ("clinopyrox-\nene") are whole again; superscript
 * and plain digits; a reference number glued behind ("zircon12").
 *
 * Method: byte-wise hashes of the normalised names and of their beginnings at token ends, in
 * one open table behind a bit filter. A text is walked token by token, the longest name wins.
 */
#ifndef GR_VOCAB_H
#define GR_VOCAB_H

#include <stdatomic.h>

#include "buf.h"
#include "chem.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

struct vocab; /* opaque; never changes after loading: one may serve all threads */

#define VOCAB_NONE UINT32_MAX

/*
 * Load every *.tsv of a folder but relation.tsv, condition.tsv and unit.tsv, which hold no
 * names. NULL with err (EXIT_FATAL) when the folder or a file cannot be read, a header is
 * missing, or there is no file at all. The caller frees the result. Some 70 bytes a name beside
 * the files' bytes.
 */
struct vocab *vocab_load(const char *dir, struct err *err);

/*
 * Add the rows of one more TYPE.tsv, before any text is scanned. Where a spelling is already
 * there, the added row counts, and of several added ones the last. -1 with err (EXIT_FATAL):
 * what vocab_load refuses, a name that makes no type (small letters, digits, "_"), or a file
 * that holds no entities; v is only good for vocab_free then.
 */
int vocab_add(struct vocab *v, const char *path, struct err *err);

/* The same as vocab_load for one file, whatever its name; used for cue phrases and units.
 * Entries keep the order of the file. */
struct vocab *vocab_load_file(const char *path, struct err *err);
void vocab_free(struct vocab *v); /* NULL is fine */

/* Entries are numbered 0 … vocab_count-1, types by priority, then in the order of the file. All
 * views live as long as the vocabulary. */
size_t vocab_count(const struct vocab *v);
const char *vocab_type(const struct vocab *v, uint32_t entry);
struct sv vocab_name(const struct vocab *v, uint32_t entry);     /* canonical */
struct sv vocab_synonyms(const struct vocab *v, uint32_t entry); /* "a|b|c", may be empty */
struct sv vocab_attrs(const struct vocab *v, uint32_t entry);    /* "a=b;c=d" */
/* Value of an attribute; false when the entry has none of that key. */
bool vocab_attr(const struct vocab *v, uint32_t entry, const char *key, struct sv *value);

/* The entry whose name or synonym is the whole of `name` (any spelling that counts as the
 * same; chemical notation and element symbols too), or VOCAB_NONE. type NULL: any type. */
uint32_t vocab_find(const struct vocab *v, struct sv name, const char *type);

/* Does `needle`, a word in lower case, equal s without regard to ASCII case? */
static inline bool vocab_word_is(struct sv s, const char *needle)
{
    return s.n && (s.p[0] | 32) == (needle[0] | 32) &&
           (s.n == 1 || (s.p[1] | 32) == (needle[1] | 32)) && sv_ieq(s, sv_from(needle));
}

/* The same of any of n words. */
bool vocab_word_in(struct sv s, const char *const list[], size_t n);

/* Which lengths the words of a list have that begin with a letter (its last five bits): bit n
 * for n letters, or for 31 and more; and where those words are. Made at the first question, by
 * whichever thread. */
struct vocab_sum {
    unsigned short *next; /* (n) number + 1 of the next word with that letter, 0: the last */
    unsigned short first[32];
    uint32_t lengths[32];
    atomic_bool is_made;
};
void vocab_sum_up(struct vocab_sum *sum, const char *const list[], size_t n);
bool vocab_sum_find(const struct vocab_sum *sum, struct sv s, const char *const list[]);

static inline uint32_t vocab_length_bit(size_t n)
{
    return UINT32_C(1) << (n < 31 ? n : 31);
}

/* vocab_word_in with the sum of the list: most words are not looked for in it. */
static inline bool vocab_word_among(struct sv s, struct vocab_sum *sum,
                                    const char *const list[], size_t n)
{
    if (!atomic_load_explicit(&sum->is_made, memory_order_acquire))
        vocab_sum_up(sum, list, n);
    return s.n && (sum->lengths[s.p[0] & 31] & vocab_length_bit(s.n)) &&
           vocab_sum_find(sum, s, list);
}

/* The same of a static list, whose sum is kept where the question stands. */
#define VOCAB_AMONG(s, list)                                                                   \
    (__extension__({                                                                           \
        static unsigned short next_of_list[ARRAY_LEN(list)];                                   \
        static struct vocab_sum sum_of_list = { .next = next_of_list };                        \
        vocab_word_among((s), &sum_of_list, (list), ARRAY_LEN(list));                          \
    }))

/* Something named in a text. */
struct entity {
    size_t start, end;   /* bytes [start, end) of the text */
    const char *type;    /* static, or the vocabulary's: lives as long as that */
    uint32_t entry;      /* VOCAB_NONE: notation that no vocabulary lists */
    uint32_t match;      /* first of the entries that share this spelling: vocab_same */
    enum chem_kind chem; /* CHEM_NONE: a name in words */
    bool weak;           /* an everyday word or a bare symbol that no context supports */
    bool is_field;       /* other fields use the word too: weak but among names of this one */
    char notation[CHEM_MAX]; /* display form when chem is set, NUL-terminated */
};

struct entities {
    struct entity *items;
    size_t n, cap;
};
void entities_release(struct entities *list);

/* The first of a list in order that ends behind byte pos, that starts at it or behind; n when
 * there is none. O(log n). */
size_t entities_behind(const struct entities *list, size_t pos);
size_t entities_from(const struct entities *list, size_t pos);

/* Append a copy of *e, as it is; put it in its place, where names that it overlaps give way,
 * O(names behind it). */
void entities_push(struct entities *list, const struct entity *e);
void entities_insert(struct entities *list, const struct entity *e);

/*
 * Replace *list by what stands in text, in order, without overlap. text: valid UTF-8 in normal
 * form C. Ambiguous names (ambiguous=1: "lead", "core") and weak notation ("In", "K") are kept
 * with `weak` set unless a neighbour speaks for them: another element in a list, a unit before,
 * "isotopes", "content", "ppm" and the like behind. O(n), at 20 MB/s and more.
 */
void vocab_scan(const struct vocab *v, struct sv text, struct entities *list);

/* The same without chemical notation and without looking at the neighbours: for cue phrases. */
void vocab_scan_names(const struct vocab *v, struct sv text, struct entities *list);

/* The same whatever its type: false, or every entry by vocab_same(v, e, …). No blanks around.
 */
bool vocab_find_all(const struct vocab *v, struct sv name, struct entity *e);

/* Every entry that is spelled as *e is: start with *at = 0, ends with VOCAB_NONE. Entries with
 * match=case that do not fit the spelling are left out. */
uint32_t vocab_same(const struct vocab *v, const struct entity *e, uint32_t *at);

/* The names inside a name, as entities of their own: the elements of "Fe/Mn", "calcium
 * sulfate", "K-feldspar", the mineral of "calcite vein". At most max; returns how many. */
size_t vocab_inner(const struct vocab *v, struct sv text, const struct entity *e,
                   struct entity *inner, size_t max);

/* Is it a noun that names of places end in, in any case: "basin", "Formation"? */
bool vocab_is_place_noun(struct sv word);

/* Canonical name: the vocabulary's, else the notation. Lives as long as both. */
struct sv entity_name(const struct vocab *v, const struct entity *e);
/* Attribute "kind" of its entry; "" when it has none. */
struct sv entity_kind(const struct vocab *v, const struct entity *e);
/* Do both mean one thing: the same entry, or the same notation of one type? Those without a
 * type mean nothing, which is the same. */
bool entity_is_same(const struct entity *a, const struct entity *b);

/* Append "type:key" (key: text_key of the canonical name), the id of its node. */
void entity_id(const struct vocab *v, const struct entity *e, struct buf *id);
/* The same for any type and name. */
void entity_id_of(const char *type, struct sv name, struct buf *id);

#endif
