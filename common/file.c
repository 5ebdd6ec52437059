// SPDX-License-Identifier: MIT
/*
 * file.c — files
 */
#define _DEFAULT_SOURCE /* readlink */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"

#define READ_BYTES ((size_t)64 << 10)

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
        char *to = buf_reserve(b, READ_BYTES);
        if (!to || b->len - start > max) {
            err_set(err, EXIT_FATAL, "%s: larger than %zu bytes", path, max);
            break;
        }
        ssize_t n = read(fd, to, READ_BYTES);
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
