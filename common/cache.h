// SPDX-License-Identifier: MIT
/*
 * cache.h — what was paid for once: a folder of append-only files of vectors or of texts
 *
 * A key is 16 bytes of a SHA-256 over the scope (what makes the values: model, revision,
 * precision, treatment of long texts) and the text asked about. Each process that has something
 * new makes one file of its own and appends whole records to it, so array tasks on a network
 * file system need no locks; all files that are there at the start are read. A record:
 * {magic, u32 numbers, key[16], the numbers, u64 XXH3 of all before}, little-endian. A
 * record that is incomplete or damaged is passed over: what a killed process leaves costs its
 * last record only, a bad block of a disk those that it touched.
 */
#ifndef GR_CACHE_H
#define GR_CACHE_H

#include "err.h"
#include "gr.h"
#include "sv.h"

#define CACHE_KEY 16

/* What a folder holds; folders of both kinds may be one. */
struct cache_kind {
    const char *suffix; /* of its files' names */
    uint32_t magic;
    size_t unit; /* bytes of a number */
    size_t max;  /* numbers of a value */
};
extern const struct cache_kind cache_vectors; /* float32 */
extern const struct cache_kind cache_texts;   /* bytes: replies of services */

struct cache; /* may be shared by threads: calls take turns */

struct cache_stats {
    uint64_t n_hits, n_misses;
    size_t n_files, n_records; /* found at the start */
    size_t n_torn; /* files with something in them, or at their end, that is no record */
};

/* Read what the folder holds; it is made when missing (not its parents). NULL and err
 * (EXIT_FATAL). About 80 bytes of memory a value; the files are mapped. */
struct cache *cache_open(const char *dir, const struct cache_kind *kind, struct sv scope,
                         struct err *err);
void cache_close(struct cache *c); /* NULL is fine */

/* The key of a text. */
void cache_key(const struct cache *c, struct sv text, unsigned char key[CACHE_KEY]);

/* How many numbers the key's value has, 0: none is known. Counted as a hit or a miss. */
size_t cache_find(struct cache *c, const unsigned char key[CACHE_KEY], size_t *handle);

/* Copy the value that cache_find found. -1 and err (EXIT_FATAL) when it cannot be read. */
int cache_read(struct cache *c, size_t handle, void *out, struct err *err);

/* Append n values of `count` numbers, keys[i * CACHE_KEY …) and the numbers one value after the
 * other, in one write. -1 and err (EXIT_FATAL) when the folder cannot be written. */
int cache_add(struct cache *c, const unsigned char *keys, const void *values, size_t n,
              size_t count, struct err *err);

struct cache_stats cache_stats(struct cache *c);

#endif
