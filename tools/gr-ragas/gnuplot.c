// SPDX-License-Identifier: MIT
/*
 * gnuplot.c — a child process with a file as its input and two files as its outputs
 *
 * Unlinked temporary files on all three sides: nothing can wait for a full pipe.
 */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; // NOLINT: POSIX says so

/* An open file that has no name any more, or -1. */
static int nameless_file(void)
{
    struct buf path = BUF_INIT;
    const char *dir = getenv("TMPDIR");
    buf_printf(&path, "%s/gr-ragas.XXXXXX", dir && *dir ? dir : "/tmp");
    buf_cstr(&path);
    int fd = mkstemp(path.data);
    if (fd >= 0)
        unlink(path.data);
    buf_release(&path);
    return fd;
}

static bool write_all(int fd, struct sv s)
{
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            s = sv_from_to(s, (size_t)n, s.n);
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

static bool read_all(int fd, struct buf *out)
{
    if (lseek(fd, 0, SEEK_SET) != 0)
        return false;
    for (;;) {
        char *to = buf_reserve(out, 65536);
        ssize_t n = to ? read(fd, to, 65536) : -1;
        if (n < 0 && to && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        buf_commit(out, (size_t)n);
    }
}

/* Start it with fds[0 … 2] as its standard streams: 0, or an errno. */
static int start(pid_t *pid, const int fds[3])
{
    /* --default-settings: no file of the user's changes the picture, or runs. */
    static const char *const words[] = { "gnuplot", "--default-settings", "-", NULL };
    char *argv[ARRAY_LEN(words)];
    posix_spawn_file_actions_t actions;
    memcpy(argv, words, sizeof argv);
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc)
        return rc;
    for (int i = 0; i < 3 && !rc; i++)
        rc = posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    if (!rc)
        rc = posix_spawnp(pid, "gnuplot", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

int gnuplot_run(struct sv script, struct buf *out, struct err *err)
{
    int fds[3] = { nameless_file(), nameless_file(), nameless_file() }, status = 0, rc = -1;
    struct buf said = BUF_INIT;
    pid_t pid;
    if (fds[0] < 0 || fds[1] < 0 || fds[2] < 0 || !write_all(fds[0], script)) {
        err_set(err, EXIT_FATAL, "temporary file for gnuplot: %s", strerror(errno));
        goto done;
    }
    int code = start(&pid, fds);
    if (code == ENOENT) {
        rc = 1;
        goto done;
    }
    if (code) {
        err_set(err, EXIT_FATAL, "gnuplot: %s", strerror(code));
        goto done;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) { /* some systems tell so late */
        rc = 1;
    } else if (status != 0 || !read_all(fds[1], out) || out->len == 0) {
        read_all(fds[2], &said);
        struct sv words = sv_trim(buf_view(&said));
        err_set(err, EXIT_FATAL, "gnuplot: failed: %.*s", SV_ARG(words));
    } else {
        rc = 0;
    }
done:
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    buf_release(&said);
    return rc;
}
