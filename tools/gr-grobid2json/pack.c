// SPDX-License-Identifier: MIT
/*
 * pack.c — libarchive behind four calls; only formats that need no other program
 */
#include "pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include "alloc.h"

#define BLOCK_BYTES ((size_t)64 << 10)

struct pack {
    struct archive *a;
    struct buf name;
    bool is_over;
};

static const char *const packed[] = { ".gz", ".bz2", ".xz", ".zst" };

struct sv pack_bare_name(struct sv name)
{
    for (size_t i = 0; i < ARRAY_LEN(packed); i++) {
        size_t n = strlen(packed[i]);
        if (name.n > n && sv_ieq(sv_from_to(name, name.n - n, name.n), sv_from(packed[i])))
            return sv_from_to(name, 0, name.n - n);
    }
    return name;
}

bool pack_is_packed(struct sv name)
{
    return pack_bare_name(name).n < name.n;
}

bool pack_is_archive(struct sv name)
{
    static const char *const ends[] = { ".tar", ".tgz", ".tbz2", ".txz", ".tzst" };
    name = pack_bare_name(name);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        size_t n = strlen(ends[i]);
        if (name.n > n && sv_ieq(sv_from_to(name, name.n - n, name.n), sv_from(ends[i])))
            return true;
    }
    return false;
}

static struct archive *reader(bool has_tar, bool has_raw)
{
    struct archive *a = archive_read_new();
    if (!a)
        alloc_die(NULL);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    if (has_tar)
        archive_read_support_format_tar(a);
    archive_read_support_format_empty(a);
    if (has_raw)
        archive_read_support_format_raw(a);
    return a;
}

static int refuse(struct archive *a, const char *what, struct err *err)
{
    const char *why = archive_error_string(a);
    return err_set(err, EXIT_REJECTED, "%s: %s", what, why ? why : "damaged");
}

struct pack *pack_open(const char *path, struct err *err)
{
    struct archive *a = reader(true, path == NULL);
    int rc = path ? archive_read_open_filename(a, path, BLOCK_BYTES)
                  : archive_read_open_fd(a, STDIN_FILENO, BLOCK_BYTES);
    if (rc != ARCHIVE_OK) {
        refuse(a, "cannot read the archive", err);
        archive_read_free(a);
        return NULL;
    }
    struct pack *p = alloc_zero(1, sizeof *p);
    p->a = a;
    return p;
}

void pack_close(struct pack *p)
{
    if (!p)
        return;
    archive_read_free(p->a);
    buf_release(&p->name);
    free(p);
}

int pack_next(struct pack *p, struct sv *name, struct err *err)
{
    struct archive_entry *e;
    while (!p->is_over) {
        int rc = archive_read_next_header(p->a, &e);
        if (rc == ARCHIVE_EOF)
            break;
        if (rc < ARCHIVE_WARN) {
            p->is_over = true;
            return refuse(p->a, "broken archive", err);
        }
        if (archive_entry_filetype(e) != AE_IFREG)
            continue;
        const char *s = archive_entry_pathname(e);
        bool is_raw = archive_format(p->a) == ARCHIVE_FORMAT_RAW;
        buf_reset(&p->name);
        buf_str(&p->name, is_raw ? "" : s ? s : "?");
        *name = buf_view(&p->name);
        return 1;
    }
    p->is_over = true;
    return 0;
}

static int read_data(struct archive *a, struct buf *to, size_t max, struct err *err)
{
    size_t start = to->len;
    for (;;) {
        char *at = buf_reserve(to, BLOCK_BYTES);
        if (!at || to->len - start > max)
            return err_set(err, EXIT_REJECTED, "larger than %zu bytes: raise --max-size", max);
        la_ssize_t n = archive_read_data(a, at, BLOCK_BYTES);
        if (n < 0)
            return refuse(a, "cannot unpack", err);
        if (n == 0)
            return 0;
        buf_commit(to, (size_t)n);
    }
}

int pack_read(struct pack *p, struct buf *to, size_t max, struct err *err)
{
    return read_data(p->a, to, max, err);
}

int pack_unpack(struct sv bytes, struct buf *to, size_t max, struct err *err)
{
    struct archive *a = reader(false, true);
    struct archive_entry *e;
    int rc = archive_read_open_memory(a, bytes.p, bytes.n);
    if (rc == ARCHIVE_OK)
        rc = archive_read_next_header(a, &e);
    if (rc == ARCHIVE_EOF)
        rc = 0; /* empty: the caller says so */
    else if (rc < ARCHIVE_WARN)
        rc = refuse(a, "cannot unpack", err);
    else
        rc = read_data(a, to, max, err);
    archive_read_free(a);
    return rc;
}

const char *pack_libs(void)
{
    return ARCHIVE_VERSION_ONLY_STRING;
}
