// SPDX-License-Identifier: MIT
/*
 * file.c — files
 */
#define _DEFAULT_SOURCE /* MAP_POPULATE is not used; realpath and mkstemp are */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"

#define WRITE_BYTES ((size_t)64 << 10)

#ifdef GR_FAULT
/* Test hook: the nth write fails as a full disk would. */
static bool write_fails_now(void)
{
    static unsigned long left;
    static bool is_read;
    if (!is_read) {
        is_read = true;
        const char *env = getenv("GR_FAULT_WRITE");
        left = env ? strtoul(env, NULL, 10) : 0;
    }
    return left && --left == 0;
}
#else
static bool write_fails_now(void)
{
    return false;
}
#endif

int out_open(struct out *o, const char *path, struct err *err)
{
    *o = (struct out){ .fd = STDOUT_FILENO };
    if (!path || strcmp(path, "-") == 0)
        return 0;
    struct stat st;
    bool is_special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    struct buf name = BUF_INIT;
    if (is_special) {
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        buf_printf(&name, "%s.XXXXXX", path);
        o->temp = buf_take(&name, NULL);
        o->fd = mkstemp(o->temp);
    }
    if (o->fd < 0) {
        err_set(err, EXIT_FATAL, "%s: cannot write: %s", path, strerror(errno));
        free(o->temp);
        *o = (struct out){ .fd = -1 };
        return -1;
    }
    if (o->temp) {
        mode_t mask = umask(0);
        umask(mask);
        if (fchmod(o->fd, 0666 & ~mask) < 0)
            o->error = errno;
    }
    o->path = alloc_text(path, strlen(path));
    return 0;
}

void out_flush(struct out *o)
{
    size_t done = 0;
    while (!o->error && done < o->pending.len) {
        ssize_t w = -1;
        if (write_fails_now())
            errno = ENOSPC;
        else
            w = write(o->fd, o->pending.data + done, o->pending.len - done);
        if (w < 0 && errno != EINTR)
            o->error = errno;
        else if (w > 0)
            done += (size_t)w;
    }
    buf_reset(&o->pending);
}

void out_put(struct out *o, struct sv bytes)
{
    /* In slices: a section of gigabytes is never copied whole, nor cut at a buffer's limit. */
    for (size_t at = 0; at < bytes.n && !o->error; at += WRITE_BYTES) {
        size_t n = bytes.n - at < WRITE_BYTES ? bytes.n - at : WRITE_BYTES;
        buf_add(&o->pending, bytes.p + at, n);
        if (o->pending.len >= WRITE_BYTES)
            out_flush(o);
    }
    if (o->flush_each && o->pending.len)
        out_flush(o);
}

bool out_failed(const struct out *o)
{
    return o->error != 0;
}

static void out_release(struct out *o)
{
    buf_release(&o->pending);
    free(o->path);
    free(o->temp);
    *o = (struct out){ .fd = -1 };
}

int out_close(struct out *o, struct err *err)
{
    if (o->fd < 0)
        return 0;
    out_flush(o);
    if (o->temp && !o->error && fsync(o->fd) < 0 && errno != EINVAL)
        o->error = errno;
    if (close(o->fd) < 0 && !o->error)
        o->error = errno;
    if (o->temp && !o->error && rename(o->temp, o->path) < 0)
        o->error = errno;
    if (o->temp && o->error)
        unlink(o->temp);
    int rc = 0;
    if (o->error)
        rc = err_set(err, EXIT_FATAL, "%s: write failed: %s",
                     o->path ? o->path : "standard output", strerror(o->error));
    out_release(o);
    return rc;
}

void out_abandon(struct out *o)
{
    if (o->fd < 0)
        return;
    if (o->path)
        close(o->fd);
    if (o->temp)
        unlink(o->temp);
    out_release(o);
}

int file_read(struct buf *b, const char *path, size_t max, struct err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    size_t start = b->len;
    int rc = -1;
    if (fd < 0)
        return err_set(err, EXIT_FATAL, "%s: cannot open: %s", path, strerror(errno));
    if (!max)
        max = BUF_MAX;
    for (;;) {
        char *to = buf_reserve(b, WRITE_BYTES);
        if (!to || b->len - start > max) {
            err_set(err, EXIT_FATAL, "%s: larger than %zu bytes", path, max);
            break;
        }
        ssize_t n = read(fd, to, WRITE_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            err_set(err, EXIT_FATAL, "%s: read failed: %s", path, strerror(errno));
            break;
        }
        if (n == 0) {
            rc = 0;
            break;
        }
        buf_commit(b, (size_t)n);
    }
    if (!is_stdin)
        close(fd);
    return rc;
}

static int map_or_read(struct mapped *m, int fd, size_t size, const char *path, struct err *err)
{
    void *p = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (p != MAP_FAILED) {
        *m = (struct mapped){ p, size, false };
        return 0;
    }
    struct buf b = BUF_INIT;
    if (file_read(&b, path, 0, err) < 0) {
        buf_release(&b);
        return -1;
    }
    m->p = buf_take(&b, &m->n);
    m->is_heap = true;
    return 0;
}

int file_map(struct mapped *m, const char *path, struct err *err)
{
    *m = (struct mapped){ 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return err_set(err, EXIT_FATAL, "%s: cannot open: %s", path, strerror(errno));
    int rc;
    if (fstat(fd, &st) < 0)
        rc = err_set(err, EXIT_FATAL, "%s: cannot stat: %s", path, strerror(errno));
    else if (S_ISDIR(st.st_mode))
        rc = err_set(err, EXIT_FATAL, "%s: is a directory, a file is needed", path);
    else
        rc = map_or_read(m, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, path, err);
    close(fd);
    return rc;
}

void file_unmap(struct mapped *m)
{
    if (m->is_heap)
        free((void *)(uintptr_t)m->p);
    else if (m->n)
        munmap((void *)(uintptr_t)m->p, m->n);
    *m = (struct mapped){ 0 };
}

int file_check(const char *path, struct err *err)
{
    struct stat st;
    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &st) < 0 || access(path, R_OK) < 0)
        return err_set(err, EXIT_FATAL, "%s: cannot open: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return err_set(err, EXIT_FATAL, "%s: is a directory, a file is needed", path);
    return 0;
}

/* Folder of the running program, or "" when the system does not say. */
static void program_dir(struct buf *b)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n < 0 ? 0 : n] = '\0';
    char *slash = strrchr(exe, '/');
    if (slash)
        buf_add(b, exe, (size_t)(slash - exe));
}

static bool try_path(struct buf *path, struct buf *tried, const char *dir, const char *below,
                     const char *name)
{
    if (!dir || !*dir)
        return false;
    buf_reset(path);
    buf_printf(path, "%s%s/%s", dir, below, name);
    if (access(buf_cstr(path), R_OK) == 0)
        return true;
    buf_printf(tried, "%s%s%s", tried->len ? ", " : "", dir, below);
    return false;
}

int file_find_data(struct buf *path, const char *dir, const char *name, struct err *err)
{
    struct buf exe = BUF_INIT, tried = BUF_INIT;
    program_dir(&exe);
    bool is_found;
    if (dir)
        is_found = try_path(path, &tried, dir, "", name);
    else
        is_found = try_path(path, &tried, getenv("GR_DATA"), "", name) ||
                   try_path(path, &tried, buf_cstr(&exe), "/../share/gr", name) ||
                   try_path(path, &tried, buf_cstr(&exe), "/../../share", name);
    int rc = 0;
    if (!is_found)
        rc = err_set(err, EXIT_FATAL,
                     "%s: not found in %s: give its place with --data or $GR_DATA", name,
                     tried.len ? buf_cstr(&tried) : "any data folder");
    buf_release(&exe);
    buf_release(&tried);
    return rc;
}
