// SPDX-License-Identifier: MIT
/*
 * ndjson.c — the line reader
 */
#include "ndjson.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "alloc.h"

#define READ_BYTES ((size_t)64 << 10)

static const char *const only_stdin[] = { "-" };

void lines_init(struct lines *l, const char *const *paths, size_t n_paths)
{
    *l = (struct lines){ .paths = n_paths ? paths : only_stdin,
                         .n_paths = n_paths ? n_paths : 1,
                         .fd = -1,
                         .path = "<stdin>",
                         .stop_fd = -1,
                         .max = LINE_MAX_BYTES };
}

static void close_file(struct lines *l)
{
    if (l->fd > STDIN_FILENO)
        close(l->fd);
    l->fd = -1;
}

void lines_release(struct lines *l)
{
    close_file(l);
    buf_release(&l->bytes);
}

/* Open the next file; LINE_END when there is none. */
static enum line_status next_file(struct lines *l, struct err *err)
{
    if (l->next_path == l->n_paths)
        return LINE_END;
    const char *path = l->paths[l->next_path++];
    bool is_stdin = strcmp(path, "-") == 0;
    l->path = is_stdin ? "<stdin>" : path;
    l->number = 0;
    l->at = l->scanned = 0;
    l->is_at_end = false;
    buf_reset(&l->bytes);
    l->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (l->fd >= 0)
        return LINE_OK;
    err_set(err, EXIT_FATAL, "%s: cannot open: %s", path, strerror(errno));
    return LINE_FAILED;
}

/* Wait for bytes or for the word to stop; false: stop. */
static bool wait_for_bytes(const struct lines *l)
{
    if (l->stop_fd < 0)
        return true;
    struct pollfd fds[] = { { .fd = l->fd, .events = POLLIN },
                            { .fd = l->stop_fd, .events = POLLIN } };
    while (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno == EINTR)
        ;
    return !fds[1].revents;
}

/* Read more bytes behind those not yet returned. */
static int fill(struct lines *l, struct err *err)
{
    if (l->at) {
        memmove(l->bytes.data, l->bytes.data + l->at, l->bytes.len - l->at);
        buf_cut(&l->bytes, l->bytes.len - l->at);
        l->scanned -= l->at;
        l->at = 0;
    }
    if (!wait_for_bytes(l)) {
        l->next_path = l->n_paths;
        l->is_at_end = true;
        return 0;
    }
    size_t want = l->bytes.len > READ_BYTES ? l->bytes.len : READ_BYTES;
    char *to = buf_reserve(&l->bytes, want);
    if (!to)
        return err_set(err, EXIT_FATAL, "%s: line too long to hold", l->path);
    ssize_t n;
    do
        n = read(l->fd, to, want);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_set(err, EXIT_FATAL, "%s: read failed: %s", l->path, strerror(errno));
    buf_commit(&l->bytes, (size_t)n);
    l->is_at_end = n == 0;
    if (l->number == 0 && l->at == 0 && l->bytes.len >= 3 &&
        memcmp(l->bytes.data, "\xEF\xBB\xBF", 3) == 0)
        l->at = l->scanned = 3;
    return 0;
}

/* Length of the line that starts at l->at without its end, or SIZE_MAX when more bytes are
 * needed. */
static size_t line_length(struct lines *l)
{
    const char *from = l->bytes.data + l->scanned;
    const char *nl = memchr(from, '\n', l->bytes.len - l->scanned);
    if (nl)
        return (size_t)(nl - (l->bytes.data + l->at));
    l->scanned = l->bytes.len;
    return l->is_at_end ? l->bytes.len - l->at : SIZE_MAX;
}

static bool is_blank(struct sv s)
{
    return !s.n || (s.p[0] != '{' && sv_trim(s).n == 0);
}

/* Drop bytes to the end of a line that is over the limit. */
static int skip_line(struct lines *l, struct err *err)
{
    for (;;) {
        size_t n = line_length(l);
        if (n != SIZE_MAX) {
            l->at += n + (l->at + n < l->bytes.len);
            l->scanned = l->at;
            return 0;
        }
        l->at = l->scanned = l->bytes.len;
        if (fill(l, err) < 0)
            return -1;
    }
}

static enum line_status too_long(struct lines *l, struct sv *line, struct err *err)
{
    static _Thread_local char head[64];
    size_t n = l->bytes.len - l->at < sizeof head ? l->bytes.len - l->at : sizeof head;
    memcpy(head, l->bytes.data + l->at, n);
    *line = (struct sv){ head, n };
    l->number++;
    return skip_line(l, err) < 0 ? LINE_FAILED : LINE_TOO_LONG;
}

enum line_status lines_next(struct lines *l, struct sv *line, struct err *err)
{
    for (;;) {
        if (l->fd < 0) {
            enum line_status s = next_file(l, err);
            if (s != LINE_OK)
                return s;
        }
        size_t n = l->bytes.data ? line_length(l) : SIZE_MAX;
        size_t have = n == SIZE_MAX ? l->bytes.len - l->at : n;
        if (have > l->max)
            return too_long(l, line, err);
        if (n == SIZE_MAX) {
            if (fill(l, err) < 0)
                return LINE_FAILED;
            continue;
        }
        if (l->is_at_end && l->at == l->bytes.len) {
            close_file(l);
            continue;
        }
        *line = (struct sv){ l->bytes.data + l->at, n };
        l->at += n + (l->at + n < l->bytes.len);
        l->scanned = l->at;
        l->number++;
        if (line->n && line->p[line->n - 1] == '\r')
            line->n--;
        if (!is_blank(*line))
            return LINE_OK;
    }
}

bool lines_has_buffered(const struct lines *l)
{
    if (!l->bytes.data)
        return false;
    struct sv rest = { l->bytes.data + l->at, l->bytes.len - l->at }, line;
    while (rest.n && memchr(rest.p, '\n', rest.n) && sv_cut(&rest, '\n', &line))
        if (!is_blank(line))
            return true;
    return false;
}
