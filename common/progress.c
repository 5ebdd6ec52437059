// SPDX-License-Identifier: MIT
/*
 * progress.c — the progress line
 */
#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <unistd.h>

#include "diag.h"

static struct {
    bool is_on, is_drawn;
    const char *unit;
    uint64_t total;
    int64_t started_ms, drawn_ms;
} bar;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void put(const char *s)
{
    ssize_t w = write(STDERR_FILENO, s, strlen(s));
    (void)w; /* a progress line that cannot be shown is no error */
}

static void erase(void)
{
    if (bar.is_drawn)
        put("\r\033[K");
    bar.is_drawn = false;
}

void progress_start(enum progress_when when, const char *unit, uint64_t total)
{
    bar.is_on = when == PROGRESS_ALWAYS || (when == PROGRESS_AUTO && isatty(STDERR_FILENO));
    bar.unit = unit;
    bar.total = total;
    bar.started_ms = now_ms();
    bar.drawn_ms = 0;
    if (bar.is_on)
        diag_on_write(erase);
}

void progress_show(uint64_t done, uint64_t rejected)
{
    if (!bar.is_on)
        return;
    int64_t now = now_ms();
    pthread_mutex_lock(&lock);
    if (now - bar.started_ms >= 1000 && now - bar.drawn_ms >= 200) {
        char line[160], of[40] = "", bad[48] = "";
        double per_s = (double)done * 1000.0 / (double)(now - bar.started_ms);
        if (bar.total)
            snprintf(of, sizeof of, "/%" PRIu64, bar.total);
        if (rejected)
            snprintf(bad, sizeof bad, ", %" PRIu64 " rejected", rejected);
        snprintf(line, sizeof line, "\r\033[K%" PRIu64 "%s %s, %.0f/s%s", done, of, bar.unit,
                 per_s, bad);
        put(line);
        bar.is_drawn = true;
        bar.drawn_ms = now;
    }
    pthread_mutex_unlock(&lock);
}

void progress_end(void)
{
    if (!bar.is_on)
        return;
    pthread_mutex_lock(&lock);
    erase();
    bar.is_on = false;
    pthread_mutex_unlock(&lock);
    diag_on_write(NULL);
}
