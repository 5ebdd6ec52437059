// SPDX-License-Identifier: MIT
/*
 * draw.c — choosing what to draw, and running Graphviz
 */
#include "draw.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "export.h"
#include "topk.h"

extern char **environ;

/* Keep the best nodes by degree among those with dist[n] <= depth; nearer ones first. */
static void choose(const struct grg *g, const uint8_t *dist, long depth, long max_nodes,
                   uint8_t *keep)
{
    struct topk best;
    topk_init(&best, (size_t)max_nodes);
    for (uint32_t n = 0; n < g->n_nodes; n++)
        if (dist[n] <= depth)
            topk_push(&best, grg_degree(g, n) - 4e9 * dist[n], n);
    topk_sort(&best);
    for (size_t i = 0; i < best.n; i++)
        keep[best.items[i].ord] = 1;
    topk_release(&best);
}

static void spread(const struct grg *g, uint8_t *dist, long depth)
{
    for (uint8_t d = 0; d < depth; d++)
        for (uint32_t n = 0; n < g->n_nodes; n++) {
            uint32_t other, degree = dist[n] == d && grg_is_thing(g, n) ? grg_degree(g, n) : 0;
            for (uint32_t i = 0; i < degree; i++) {
                grg_edge_at(g, n, i, &other);
                if (other < g->n_nodes && dist[other] > d + 1)
                    dist[other] = (uint8_t)(d + 1);
            }
        }
}

void draw_dot(const struct grg *g, const struct links *around, long depth, long max_nodes,
              struct buf *out)
{
    uint8_t *dist = alloc_array(g->n_nodes, 1), *keep = alloc_zero(g->n_nodes, 1);
    memset(dist, around->n ? 255 : 0, g->n_nodes);
    for (size_t i = 0; i < around->n; i++)
        dist[around->items[i].node] = 0;
    if (around->n)
        spread(g, dist, depth);
    choose(g, dist, depth, max_nodes, keep);
    export_dot(g, keep, around->n ? around->items[0].node : GRG_NONE, out);
    free(keep);
    free(dist);
}

const char *draw_format(const char *path)
{
    static const char *const forms[] = { "svg", "png", "pdf", "eps" };
    struct sv p = sv_from(path);
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        size_t n = strlen(forms[i]);
        if (p.n > n + 1 && p.p[p.n - n - 1] == '.' && sv_ends(p, sv_from(forms[i])))
            return forms[i];
    }
    return NULL;
}

/* Start dot with its input from fd `in` and its output to fd `to`. */
static int spawn_dot(const char *format, int in, int to, pid_t *pid)
{
    char option[16];
    posix_spawn_file_actions_t fa;
    snprintf(option, sizeof option, "-T%s", format);
    char name[] = "dot";
    char *const argv[] = { name, option, NULL };
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&fa, to, STDOUT_FILENO);
    int rc = posix_spawnp(pid, "dot", &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    return rc;
}

static int read_all(int fd, struct buf *to)
{
    ssize_t n;
    for (;;) {
        char *p = buf_reserve(to, 1 << 16);
        if (!p)
            return -1;
        n = read(fd, p, 1 << 16);
        if (n > 0)
            buf_commit(to, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return n == 0 ? 0 : -1;
    }
}

int draw_image(struct sv dot, const char *format, struct buf *image, struct err *err)
{
    int pipe_fds[2], rc = -1, status = 0;
    pid_t pid;
    /* A file, not a pipe, for the input: nobody waits for anybody. */
    FILE *in = tmpfile();
    if (!in || fwrite(dot.p, 1, dot.n, in) != dot.n || fflush(in) ||
        lseek(fileno(in), 0, SEEK_SET) < 0 || pipe(pipe_fds) < 0) {
        err_set(err, EXIT_FATAL, "drawing: temporary file: %s", strerror(errno));
        goto out;
    }
    int failed = spawn_dot(format, fileno(in), pipe_fds[1], &pid);
    close(pipe_fds[1]);
    if (failed) {
        err_set(err, EXIT_FATAL, "dot: %s: install graphviz, or leave out -o for DOT text",
                strerror(failed));
    } else {
        int got = read_all(pipe_fds[0], image);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (got < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
            err_set(err, EXIT_FATAL, "dot: failed (exit code %d)",
                    WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        else
            rc = 0;
    }
    close(pipe_fds[0]);
out:
    if (in)
        fclose(in);
    return rc;
}
