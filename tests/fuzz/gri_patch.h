// SPDX-License-Identifier: MIT
/*
 * gri_patch.h — copies of a good index with changed sections and right checksums, for fuzzing
 *
 * The input is a list of changes: a byte that names the section, two for the place (times
 * `unit`), one for the number of bytes n (below 128: n bytes that follow are written there; 128
 * and up: the section is cut to place bytes).
 */
#ifndef GRI_PATCH_H
#define GRI_PATCH_H

#include "analyzer.h"
#include "builder.h"
#include "store.h"

#define GRI_PATCH_MOST 32 /* sections */

struct gri_patch {
    const char *const *names; /* (n) all sections of the file */
    size_t n, n_changed;      /* n <= GRI_PATCH_MOST; the first n_changed may be changed */
    size_t unit;
};

static inline void gri_patch_apply(const struct gri_patch *p, struct buf *sections,
                                   const uint8_t *data, size_t size)
{
    while (size >= 4) {
        struct buf *s = &sections[data[0] % p->n_changed];
        size_t at = p->unit * ((size_t)data[1] | (size_t)data[2] << 8), n = data[3];
        data += 4;
        size -= 4;
        if (n >= 128) {
            if (at < s->len)
                buf_cut(s, at);
            continue;
        }
        for (size_t i = 0; i < n && i < size && at + i < s->len; i++)
            s->data[at + i] = (char)data[i];
        data += n < size ? n : size;
        size -= n < size ? n : size;
    }
}

/* Write an index of these records to `to`. */
static inline void gri_patch_build(const char *const records[], size_t n, const char *to)
{
    struct builder *b = builder_new();
    struct err err;
    struct out out;
    for (size_t i = 0; i < n; i++) {
        struct rec r = { 0 };
        bool is_old;
        if (rec_parse(&r, sv_from(records[i]), &err) < 0 ||
            builder_add(b, &r, "text", &is_old, &err) < 0)
            abort();
        rec_release(&r);
    }
    struct analyzer *a = analyzer_new(NULL, NULL, &err);
    if (!a || out_open(&out, to, &err) < 0)
        abort();
    builder_write(b, a, "text", 1, &out);
    if (out_close(&out, &err) < 0)
        abort();
    analyzer_free(a);
    builder_free(b);
}

/* Write the index at `from`, changed, to `to`. */
static inline void gri_patch_write(const struct gri_patch *p, const char *from, const char *to,
                                   const uint8_t *data, size_t size)
{
    struct store store;
    struct err err;
    struct buf bytes[GRI_PATCH_MOST] = { 0 };
    struct section sections[GRI_PATCH_MOST];
    struct out out;
    if (store_open(&store, from, &err) < 0)
        abort();
    for (size_t i = 0; i < p->n; i++) {
        const void *section;
        size_t n;
        if (secfile_get(&store.segments[0].file, p->names[i], 1, &section, &n, &err) < 0)
            abort();
        buf_add(&bytes[i], section, n);
    }
    store_close(&store);
    gri_patch_apply(p, bytes, data, size);
    for (size_t i = 0; i < p->n; i++)
        sections[i] = (struct section){ p->names[i], buf_cstr(&bytes[i]), bytes[i].len };
    if (out_open(&out, to, &err) < 0)
        abort();
    struct root_segment segment = { .size = secfile_size(sections, p->n) };
    struct root root = { .segments = &segment, .n_segments = 1 };
    root_lay_out(&root);
    root_put_start(&root, &out);
    secfile_write(&out, GRI_SEGMENT_MAGIC, GRI_VERSION, sections, p->n);
    (void)out_close(&out, &err);
    for (size_t i = 0; i < p->n; i++)
        buf_release(&bytes[i]);
}

/* Read all of an index, if it opens. */
static inline void gri_patch_verify(const char *path)
{
    struct store store;
    struct err err;
    if (store_open(&store, path, &err) < 0)
        return;
    (void)store_verify(&store, &err);
    store_close(&store);
}

#endif
