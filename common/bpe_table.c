// SPDX-License-Identifier: MIT
/*
 * bpe_table.c — the table of ranks: reading it, looking tokens up
 *
 * Reading is most of what a run on one small paper takes, so it makes one pass over the file
 * and allocates by the number of lines.
 */
#include "bpe_impl.h"

#include "alloc.h"
#include "base64.h"
#include "file.h"
#include "scan.h"

#define TABLE_MAX ((size_t)64 << 20)

uint32_t bpe_rank(const struct bpe *b, struct sv token)
{
    if (token.n <= BPE_KEY_MAX) {
        struct bpe_key k = bpe_key_of(token.p, token.n);
        uint64_t hash = bpe_hash(k, token.n);
        uint32_t bit = bpe_filter_bit(hash);
        if (!(b->filter[bit >> 3] >> (bit & 7) & 1))
            return BPE_NO_RANK;
        return bpe_find(b, k, token.n, hash);
    }
    size_t at = token.n <= b->longest ? map_get(b->longer, token) : MAP_NONE;
    return at == MAP_NONE ? BPE_NO_RANK : b->longer_ranks[at];
}

/* The next token; false when there is one like it. */
static bool add_token(struct bpe *b, struct sv token)
{
    uint32_t rank = (uint32_t)b->n;
    if (bpe_rank(b, token) != BPE_NO_RANK)
        return false;
    b->n++;
    b->longest = token.n > b->longest ? token.n : b->longest;
    if (token.n > BPE_KEY_MAX) {
        b->longer_ranks[map_put(b->longer, token, NULL)] = rank;
        return true;
    }
    struct bpe_key k = bpe_key_of(token.p, token.n);
    uint64_t hash = bpe_hash(k, token.n);
    uint32_t mask = (1u << b->bits) - 1, i = (uint32_t)hash & mask;
    while (b->slots[i])
        i = (i + 1) & mask;
    b->slots[i] = ((uint32_t)(hash >> 40) & ~BPE_RANK_MASK) | (rank + 1);
    b->filter[bpe_filter_bit(hash) >> 3] |= (uint8_t)(1 << (bpe_filter_bit(hash) & 7));
    b->keys[rank] = k;
    b->lengths[rank] = (uint8_t)token.n;
    if (token.n == 1)
        b->bytes[(unsigned char)token.p[0]] = rank;
    if (token.n == 2)
        b->pairs[(unsigned char)token.p[0] << 8 | (unsigned char)token.p[1]] = rank;
    return true;
}

/* A line without its end: base64, a blank, the rank. */
static int add_line(struct bpe *b, struct sv line, struct buf *bytes)
{
    const char *blank = memchr(line.p, ' ', line.n), *end = line.p + line.n;
    size_t rank = 0;
    buf_reset(bytes);
    if (!blank || !base64_get(bytes, sv_from_to(line, 0, (size_t)(blank - line.p))) ||
        !bytes->len)
        return -1;
    const char *digits = blank + 1, *p = digits;
    for (; p < end && rank <= BPE_RANK_MASK && scan_is_digit(*p); p++)
        rank = rank * 10 + (size_t)(*p - '0');
    bool is_next =
        p == end && p > digits && rank == b->n && (*digits != '0' || p == digits + 1);
    return is_next && add_token(b, buf_view(bytes)) ? 0 : -1;
}

/* Room for as many tokens as the text has lines. */
static struct bpe *make_room(struct sv text)
{
    struct bpe *b = alloc_zero(1, sizeof *b);
    size_t lines = 1;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    for (b->bits = 8; (size_t)1 << b->bits < 2 * lines;)
        b->bits++;
    b->slots = alloc_zero((size_t)1 << b->bits, sizeof *b->slots);
    b->filter = alloc_zero((size_t)1 << (BPE_FILTER_BITS - 3), 1);
    b->keys = alloc_array(lines, sizeof *b->keys);
    b->lengths = alloc_zero(lines, sizeof *b->lengths);
    b->longer = map_new();
    b->longer_ranks = alloc_array(lines, sizeof *b->longer_ranks);
    b->pairs = alloc_array(65536, sizeof *b->pairs);
    memset(b->pairs, 0xFF, 65536 * sizeof *b->pairs);
    memset(b->bytes, 0xFF, sizeof b->bytes);
    return b;
}

struct bpe *bpe_load(const char *path, struct err *err)
{
    struct buf file = BUF_INIT, bytes = BUF_INIT;
    struct bpe *b = NULL;
    if (file_read(&file, path, TABLE_MAX, err) < 0)
        goto out;
    b = make_room(buf_view(&file));
    const char *p = buf_cstr(&file), *end = p + file.len;
    for (size_t n = 1; p < end; n++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        struct sv line = { p, (size_t)((stop ? stop : end) - p) };
        line.n -= line.n && line.p[line.n - 1] == '\r';
        p = stop ? stop + 1 : end;
        if (line.n && (b->n >= BPE_RANK_MASK || add_line(b, line, &bytes) < 0)) {
            err_set(err, EXIT_FATAL, "%s: line %zu is no \"base64 rank\" in order", path, n);
            goto bad;
        }
    }
    for (int c = 0; c < 256; c++) { /* merging begins with single bytes */
        if (b->bytes[c] == BPE_NO_RANK) {
            err_set(err, EXIT_FATAL, "%s: no token for byte %d", path, c);
            goto bad;
        }
    }
    goto out;
bad:
    bpe_free(b);
    b = NULL;
out:
    buf_release(&file);
    buf_release(&bytes);
    return b;
}

void bpe_free(struct bpe *b)
{
    if (!b)
        return;
    map_free(b->longer);
    free(b->slots);
    free(b->filter);
    free(b->keys);
    free(b->lengths);
    free(b->longer_ranks);
    free(b->pairs);
    free(b);
}

size_t bpe_size(const struct bpe *b)
{
    return b->n;
}

struct bpe *bpe_installed(const char *data_dir)
{
    struct buf path = BUF_INIT;
    struct err ignored;
    struct bpe *ranks = NULL;
    if (file_find_data(&path, data_dir, "model/cl100k_base.tiktoken", &ignored) == 0)
        ranks = bpe_load(buf_cstr(&path), &ignored);
    buf_release(&path);
    return ranks;
}
