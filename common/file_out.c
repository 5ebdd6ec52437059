// SPDX-License-Identifier: MIT
/*
 * file_out.c — the checked writer: a temporary beside the file, renamed when all went well
 */
#define _GNU_SOURCE /* realpath, mkostemp, O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "sv.h"

#define WRITE_BYTES ((size_t)64 << 10)
#define MAX_TEMPS 32 /* more are not removed when a signal ends the process */
#define LINKS_MAX 40
#define MAX_NAME 240 /* bytes of a file's name kept in that of its temporary (limit: 255) */

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

/* ---- temporaries that a signal must not leave behind ---- */

static char *_Atomic temps[MAX_TEMPS];

static void note_temp(char *path)
{
    for (size_t i = 0; i < MAX_TEMPS; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&temps[i], &none, path))
            return;
    }
}

static void forget_temp(char *path)
{
    for (size_t i = 0; path && i < MAX_TEMPS; i++) {
        char *same = path;
        if (atomic_compare_exchange_strong(&temps[i], &same, NULL))
            return;
    }
}

void file_remove_temps(void)
{
    for (size_t i = 0; i < MAX_TEMPS; i++) {
        const char *path = atomic_exchange(&temps[i], NULL);
        if (path)
            unlink(path);
    }
}

/* ---- opening ---- */

/* The number in /dev/stdout, /dev/fd/7 and the like, or -1. Such a file is open already, at a
 * place that only this descriptor knows. */
static int open_number(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
    int64_t n;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0 &&
            sv_to_i64(sv_from(path + strlen(folders[i])), &n) && n >= 0 && n < INT32_MAX)
            return (int)n;
    return -1;
}

/* A file in the folder of path that has no name yet, so that even a killed process leaves
 * nothing. -1: the file system has no such files, or there is no /proc to name them by. */
static int open_nameless(const char *path, size_t folder)
{
    struct buf name = BUF_INIT;
    buf_sv(&name, folder ? (struct sv){ path, folder } : SV("."));
    int fd = open(buf_cstr(&name), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    buf_reset(&name);
    buf_printf(&name, "/proc/self/fd/%d", fd);
    if (fd >= 0 && access(buf_cstr(&name), F_OK) < 0) {
        close(fd);
        fd = -1;
    }
    buf_release(&name);
    return fd;
}

/* Name the nameless file, as out_close does just before the renaming. */
static void name_temp(struct out *o)
{
    struct buf from = BUF_INIT;
    buf_printf(&from, "/proc/self/fd/%d", o->fd);
    char *digits = o->temp + strlen(o->temp) - 6; /* the XXXXXX */
    unsigned n = (unsigned)getpid() * 64U + (unsigned)o->fd;
    int rc;
    do {
        for (unsigned i = 0, rest = n++; i < 6; i++, rest /= 26)
            digits[i] = (char)('a' + rest % 26);
        rc = linkat(AT_FDCWD, buf_cstr(&from), AT_FDCWD, o->temp, AT_SYMLINK_FOLLOW);
    } while (rc < 0 && errno == EEXIST);
    if (rc < 0)
        o->error = errno;
    else
        note_temp(o->temp);
    o->is_nameless = rc < 0;
    buf_release(&from);
}

/* Open a temporary beside o->path that takes its place later, with owner and mode of `old`
 * (NULL: there is no file yet). */
static void open_temp(struct out *o, const struct stat *old)
{
    const char *slash = strrchr(o->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - o->path) : 0, n = strlen(o->path);
    if (n - folder > MAX_NAME)
        n = folder + MAX_NAME;
    struct buf name = BUF_INIT;
    buf_printf(&name, "%.*s.XXXXXX", (int)n, o->path);
    o->temp = buf_take(&name, NULL);
    o->fd = open_nameless(o->path, folder);
    o->is_nameless = o->fd >= 0;
    if (!o->is_nameless)
        o->fd = mkostemp(o->temp, O_CLOEXEC);
    if (o->fd < 0)
        return;
    if (!o->is_nameless)
        note_temp(o->temp);
    mode_t mask = umask(0);
    umask(mask);
    /* Only root can give a file away; for all others it is theirs already. */
    if (old && fchown(o->fd, old->st_uid, old->st_gid) < 0)
        errno = 0;
    if (fchmod(o->fd, old ? old->st_mode & 0777 : 0666 & ~mask) < 0)
        o->error = errno;
}

/* The file that a symbolic link names and that is not there yet, through further links; NULL:
 * path is no link. Not for links in a ring. */
static char *link_target(const char *path)
{
    char to[4096];
    char *at = NULL;
    for (int i = 0; i < LINKS_MAX; i++) {
        const char *from = at ? at : path;
        ssize_t n = readlink(from, to, sizeof to);
        if (n <= 0 || (size_t)n == sizeof to)
            break;
        const char *slash = to[0] == '/' ? NULL : strrchr(from, '/');
        struct buf next = BUF_INIT;
        buf_add(&next, from, slash ? (size_t)(slash + 1 - from) : 0);
        buf_add(&next, to, (size_t)n);
        buf_cstr(&next);
        free(at);
        at = buf_take(&next, NULL);
    }
    return at;
}

static void open_path(struct out *o, const char *path)
{
    struct stat st;
    bool is_there = stat(path, &st) == 0;
    int number = open_number(path);
    if (!is_there && errno == ELOOP)
        return;
    /* Behind a symbolic link it is the file that is made or replaced, not the link. */
    if (!is_there)
        o->path = link_target(path);
    else if (number < 0 && S_ISREG(st.st_mode))
        o->path = realpath(path, NULL);
    if (!o->path)
        o->path = alloc_text(path, strlen(path));
    if (number >= 0)
        o->fd = fcntl(number, F_DUPFD_CLOEXEC, 3);
    else if (is_there && !S_ISREG(st.st_mode))
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        open_temp(o, is_there ? &st : NULL);
}

static void out_release(struct out *o)
{
    buf_release(&o->pending);
    free(o->path);
    free(o->temp);
    *o = (struct out){ .fd = -1 };
}

int out_open(struct out *o, const char *path, struct err *err)
{
    *o = (struct out){ .fd = STDOUT_FILENO };
    if (!path || strcmp(path, "-") == 0)
        return 0;
    errno = ENOENT;
    o->fd = -1;
    if (*path)
        open_path(o, path);
    if (o->fd >= 0)
        return 0;
    err_set(err, EXIT_FATAL, "%s: cannot write: %s", *path ? path : "\"\"", strerror(errno));
    out_release(o);
    return -1;
}

int out_open_at(struct out *o, const char *path, int fd, uint64_t at, struct err *err)
{
    *o = (struct out){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 3) };
    if (o->fd >= 0 && lseek(o->fd, (off_t)at, SEEK_SET) >= 0) {
        o->path = alloc_text(path, strlen(path));
        return 0;
    }
    err_set(err, EXIT_FATAL, "%s: cannot write: %s", path, strerror(errno));
    if (o->fd >= 0)
        close(o->fd);
    o->fd = -1;
    return -1;
}

/* ---- writing ---- */

static void write_all(struct out *o, struct sv bytes)
{
    size_t done = 0;
    while (!o->error && done < bytes.n) {
        ssize_t w = -1;
        if (write_fails_now())
            errno = ENOSPC;
        else
            w = write(o->fd, bytes.p + done, bytes.n - done);
        if (w < 0 && errno != EINTR)
            o->error = errno;
        else if (w > 0)
            done += (size_t)w;
    }
}

void out_flush(struct out *o)
{
    write_all(o, buf_view(&o->pending));
    buf_reset(&o->pending);
}

void out_put(struct out *o, struct sv bytes)
{
    /* What is large goes out by itself: not copied, and a reader at the other end of a pipe is
     * woken once. */
    if (bytes.n >= WRITE_BYTES) {
        out_flush(o);
        write_all(o, bytes);
        return;
    }
    if (!o->error)
        buf_sv(&o->pending, bytes);
    if (o->pending.len >= WRITE_BYTES || (o->flush_each && o->pending.len))
        out_flush(o);
}

bool out_failed(const struct out *o)
{
    return o->error != 0;
}

int out_close(struct out *o, struct err *err)
{
    if (o->fd < 0)
        return 0;
    out_flush(o);
    if (o->temp && !o->error && fsync(o->fd) < 0 && errno != EINVAL)
        o->error = errno;
    if (o->is_nameless && !o->error)
        name_temp(o);
    if (close(o->fd) < 0 && !o->error)
        o->error = errno;
    if (o->temp && !o->error && rename(o->temp, o->path) < 0)
        o->error = errno;
    if (o->temp && o->error && !o->is_nameless)
        unlink(o->temp);
    forget_temp(o->temp);
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
    if (o->temp && !o->is_nameless)
        unlink(o->temp);
    forget_temp(o->temp);
    out_release(o);
}
