// SPDX-License-Identifier: MIT
/*
 * secfile.h — binary files made of named sections: the form of .gri and .grg
 *
 * Layout (little-endian): 64-byte header {magic[8], u32 version, u32 endian mark 0x01020304,
 * u64 file size, u32 number of sections, u32 0, u64 XXH3 of header and table with this field 0,
 * zeros}; table of {name[16], u64 offset, u64 size, u64 XXH3 of the section, u64 0}; sections,
 * each at a multiple of 64, zero padded. The same sections give the same bytes.
 *
 * Opening maps the file read-only and checks header and table, which costs microseconds;
 * secfile_verify reads everything and checks the sections too. What is inside a section is for
 * its reader to check: a file may be hostile although its checksums are right.
 */
#ifndef GR_SECFILE_H
#define GR_SECFILE_H

#include "err.h"
#include "file.h"
#include "gr.h"
#include "sv.h"

#define SECFILE_MAX_SECTIONS 64

struct section {
    const char *name; /* at most 15 bytes */
    const void *data; /* n bytes, borrowed; NULL: they come in pieces */
    size_t n;
};

/* Write all sections to an open writer (the caller closes it: only then the file is there). */
void secfile_write(struct out *out, const char magic[8], uint32_t version,
                   const struct section *sections, size_t n_sections);

/* How many bytes these sections make. */
uint64_t secfile_size(const struct section *sections, size_t n_sections);
/* Takes one more piece of a section. */
typedef void (*section_piece_fn)(void *to, struct sv piece);

/* Where the n bytes of sections come from whose data is NULL. give is called twice for each,
 * for the checksum and for the file, and hands over the same pieces both times. */
struct section_source {
    void (*give)(const void *ctx, const char *name, section_piece_fn piece, void *to);
    const void *ctx;
};

/* The same with sections that never lie in memory as a whole. */
void secfile_write_from(struct out *out, const char magic[8], uint32_t version,
                        const struct section *sections, size_t n_sections,
                        const struct section_source *source);

struct secfile {
    struct mapped map;
    const char *path; /* borrowed, for messages */
    bool is_part;     /* of a larger file, whose mapping is another's */
    uint32_t n_sections;
};

/* True when the file at path begins with this magic. No error is reported: false. */
bool secfile_is(const char *path, const char magic[8]);

/* Open. EXIT_FATAL with the reason: not this kind of file, another version, cut off, damaged.
 */
int secfile_open(struct secfile *f, const char *path, const char magic[8], uint32_t version,
                 struct err *err);
void secfile_close(struct secfile *f);

/* Open n bytes at p, a part of a mapped file that stays mapped until secfile_close; they are
 * the whole of the sectioned file. */
int secfile_open_part(struct secfile *f, const char *path, const char *p, size_t n,
                      const char magic[8], uint32_t version, struct err *err);
/* Is there a section of this name? */
bool secfile_has(const struct secfile *f, const char *name);

/* A section as an array of `count` things of `size` bytes; valid until secfile_close.
 * EXIT_FATAL when it is missing, its size is no multiple of `size`, or it is small (a page) and
 * its checksum is wrong. */
int secfile_get(const struct secfile *f, const char *name, size_t size, const void **data,
                size_t *count, struct err *err);

/* Read everything: compare checksums, and see that what lies between sections is zero. */
int secfile_verify(const struct secfile *f, struct err *err);

#endif
