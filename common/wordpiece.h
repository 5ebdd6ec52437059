// SPDX-License-Identifier: MIT
/*
 * wordpiece.h — BERT's tokenizer: text to the token ids of a vocab.txt
 *
 * The same ids as Hugging Face `tokenizers` 0.23 gives with BertNormalizer, BertPreTokenizer
 * and WordPiece: control characters go, white space splits, CJK ideographs and punctuation
 * stand alone, accents are stripped and letters lowered when the model is uncased, and each
 * word is cut greedily into the longest known pieces ("##" marks a continuation). A word that
 * cannot be cut, or of more than 100 characters (max_chars), is one [UNK]. The literal texts
 * [CLS] [SEP] [UNK] [MASK] [PAD], or those that wordpiece_specials names, are special tokens
 * wherever they stand, as there.
 *
 * Character classes: `tokenizers` uses Unicode 8 for categories and newer tables for case.
 * Where utf8proc is newer, wordpiece.c lists the difference, so that ids do not depend on its
 * version.
 */
#ifndef GR_WORDPIECE_H
#define GR_WORDPIECE_H

#include "err.h"
#include "gr.h"
#include "sv.h"

#define WORDPIECE_MAX_CHARS 100   /* longer words are [UNK]; `max_input_chars_per_word` */
#define WORDPIECE_CHARS_LIMIT 256 /* that max_chars may be */

struct wordpiece; /* opaque, const after loading: any number of threads may share it */

struct wordpiece_cfg {
    bool lower;         /* lower-case letters (uncased models) */
    bool strip_accents; /* decompose and drop non-spacing marks; Hugging Face: as `lower` */
    bool split_cjk;     /* each CJK ideograph is a word */
    size_t max_chars;   /* 0: WORDPIECE_MAX_CHARS; at most WORDPIECE_CHARS_LIMIT */
};

/* A text that is one token wherever it stands. */
struct wordpiece_added {
    struct sv text; /* not empty; borrowed for the call */
    int32_t id;     /* may lie beyond the vocabulary */
};

/* Names of the tokens with a part to play, and all that are taken literally. */
struct wordpiece_specials {
    struct sv cls, sep, unk;
    const struct wordpiece_added *added; /* (n_added) */
    size_t n_added;
};

#define WORDPIECE_UNCASED                                                                      \
    (struct wordpiece_cfg)                                                                     \
    {                                                                                          \
        .lower = true, .strip_accents = true, .split_cjk = true                                \
    }

/* A growable row of tokens. Start from {0}; set with_offsets to get byte ranges too. */
struct wordpiece_tokens {
    int32_t *ids; /* (n) */
    size_t *from; /* (n) first byte of the token in the text; only with with_offsets */
    size_t *to;   /* (n) one past its last byte (dropped characters behind it do not count) */
    size_t n, cap;
    bool with_offsets;
};

/* Read a vocab.txt (one piece a line, the line number is the id). It must hold [UNK], [CLS] and
 * [SEP]. NULL and err when it cannot be read or lacks them. Free with wordpiece_free. */
struct wordpiece *wordpiece_load(const char *path, const struct wordpiece_cfg *cfg,
                                 struct err *err);
void wordpiece_free(struct wordpiece *wp); /* NULL is fine */

/* The same from the bytes of a vocab.txt, which are copied; `name` stands in messages. */
struct wordpiece *wordpiece_parse(struct sv vocab, const char *name,
                                  const struct wordpiece_cfg *cfg, struct err *err);

/* The same with special tokens of other names; specials NULL: the five above. */
struct wordpiece *wordpiece_parse_with(struct sv vocab, const char *name,
                                       const struct wordpiece_cfg *cfg,
                                       const struct wordpiece_specials *specials,
                                       struct err *err);

/* The ids put before, between and behind texts. */
int32_t wordpiece_cls(const struct wordpiece *wp);
int32_t wordpiece_sep(const struct wordpiece *wp);

/* Number of ids: one more than the largest. */
size_t wordpiece_size(const struct wordpiece *wp);

/* Id of a piece as vocab.txt spells it ("[CLS]", "the", "##ing"), or -1. */
int32_t wordpiece_id(const struct wordpiece *wp, struct sv piece);

/* Replace what `out` holds by the first `limit` tokens of the text, without [CLS] and [SEP].
 * Invalid UTF-8 bytes count as U+FFFD, which is dropped. Returns how many tokens the whole text
 * has (may be more than out->n). O(text); memory O(min(limit, tokens)). */
size_t wordpiece_split(const struct wordpiece *wp, struct sv text, size_t limit,
                       struct wordpiece_tokens *out);

/* The same with [CLS] in front and [SEP] behind, at most max_len ids in all (max_len >= 2); the
 * offsets of the two are empty ranges at the start and end of the text. Returns the number of
 * tokens of the whole text, without the two. */
size_t wordpiece_encode(const struct wordpiece *wp, struct sv text, size_t max_len,
                        struct wordpiece_tokens *out);

/* Number of tokens of the text, without [CLS] and [SEP]. */
size_t wordpiece_count(const struct wordpiece *wp, struct sv text);

/* Free the arrays; the struct may be used again. */
void wordpiece_tokens_release(struct wordpiece_tokens *t);

#endif
