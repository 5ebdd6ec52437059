// SPDX-License-Identifier: MIT
/*
 * bpe.h — byte-pair encoding as OpenAI's cl100k_base does it: counting tokens of chat models
 *
 * A text is first split by the pattern of cl100k_base,
 *     '(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
 *     |\s+$|\s*[\r\n]|\s+(?!\S)|\s
 * then each piece is merged from its bytes, the pair of lowest rank first (Sennrich et al.
 * 2016, https://doi.org/10.18653/v1/P16-1162). Special tokens in the text are ordinary text.
 */
#ifndef GR_BPE_H
#define GR_BPE_H

#include "err.h"
#include "gr.h"
#include "sv.h"

struct bpe; /* opaque, const after loading: any number of threads may share it; about 5 MB */

/* Read a table of ranks: a line a token, its bytes in base64, a blank, its rank; ranks count up
 * from 0. NULL with err (EXIT_FATAL) when it cannot be read or is none. Free with bpe_free. */
struct bpe *bpe_load(const char *path, struct err *err);
void bpe_free(struct bpe *b); /* NULL is fine */

/* The ranks of cl100k_base, when they are installed (file_find_data); else NULL. */
struct bpe *bpe_installed(const char *data_dir);

/* Number of tokens in the table. */
size_t bpe_size(const struct bpe *b);

struct bpe_tokens {
    uint32_t *ids;  /* (n) ranks */
    size_t *ends;   /* (n) one past the last byte; a token begins where the one before ends.
                     * May lie inside a character. */
    bool *is_first; /* (n) a piece of the pattern begins with it */
    size_t n, cap;
    struct bpe_memo *memo; /* pieces merged lately, of one table; NULL: none yet */
};

/* Replace what `out` holds by the tokens of a text (valid UTF-8). O(n log n) at worst. One
 * `out` serves one thread and one table; zero-initialise it, reuse it, release it. */
void bpe_split(const struct bpe *b, struct sv text, struct bpe_tokens *out);
void bpe_tokens_release(struct bpe_tokens *t);

/* Number of tokens of a text; stores none. */
size_t bpe_count(const struct bpe *b, struct sv text);

/*
 * Number of tokens that bytes [from, to) of a text make alone, given the tokens t of the whole
 * text: bpe_count(b, sv_from_to(text, from, to)), from < to, both where characters begin or
 * end. A slice has other tokens than the text has there only next to its ends: a piece cut in
 * two is another piece. So only those are merged anew. first: a token that begins at or before
 * `from`; last: one behind the token that holds the last byte, or any further.
 */
size_t bpe_count_slice(const struct bpe *b, struct sv text, const struct bpe_tokens *t,
                       size_t first, size_t last, size_t from, size_t to);

#endif
