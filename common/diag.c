// SPDX-License-Identifier: MIT
/*
 * diag.c — messages with a limit for repeats
 */
#include "diag.h"

#include <pthread.h>
#include <stdarg.h>
#include <unistd.h>

#include "alloc.h"
#include "map.h"

#define REPEATS_SHOWN 10

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *tool = "gr";
static enum diag_level level = DIAG_NORMAL;
static void (*before_write)(void);

static struct map *kinds; /* kind of message → ordinal */
static size_t *counts;    /* (map_count) messages of that kind so far */
static char **samples;    /* (map_count) the last one of them */

void diag_init(const char *name, enum diag_level new_level)
{
    tool = name;
    level = new_level;
}

void diag_on_write(void (*before)(void))
{
    before_write = before;
}

/* What is left of a message when digits and quoted text are taken out. */
static size_t kind_of(const char *msg, char *out, size_t max)
{
    size_t n = 0;
    bool is_quoted = false;
    for (const char *p = msg; *p && n < max; p++) {
        if (*p == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && !(*p >= '0' && *p <= '9'))
            out[n++] = *p;
    }
    return n;
}

static void put_line(const char *msg)
{
    char line[1200];
    int n = snprintf(line, sizeof line, "%s: %s\n", tool, msg);
    size_t len = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    if (len)
        line[len - 1] = '\n';
    if (before_write)
        before_write();
    while (len) { /* one write a line, so that lines of several processes do not mix */
        ssize_t w = write(STDERR_FILENO, line, len);
        if (w <= 0)
            return; /* nowhere left to complain */
        memmove(line, line + w, len - (size_t)w);
        len -= (size_t)w;
    }
}

static bool is_repeat(const char *msg)
{
    char kind[1024];
    struct sv key = { kind, kind_of(msg, kind, sizeof kind) };
    if (!kinds)
        kinds = map_new();
    bool is_new;
    size_t k = map_put(kinds, key, &is_new);
    if (is_new) {
        counts = alloc_resize(counts, k + 1, sizeof *counts);
        samples = alloc_resize(samples, k + 1, sizeof *samples);
        counts[k] = 0;
        samples[k] = NULL;
    }
    if (++counts[k] <= REPEATS_SHOWN)
        return false;
    free(samples[k]);
    samples[k] = alloc_text(msg, strlen(msg));
    return true;
}

static void GR_PRINTF(2, 0) say(const char *prefix, const char *fmt, va_list ap)
{
    char text[1024], msg[1100];
    vsnprintf(text, sizeof text, fmt, ap);
    err_clean(text);
    snprintf(msg, sizeof msg, "%s%s", prefix, text);
    pthread_mutex_lock(&lock);
    if (!is_repeat(msg))
        put_line(msg);
    pthread_mutex_unlock(&lock);
}

void diag_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say("", fmt, ap);
    va_end(ap);
}

void diag_warn(const char *fmt, ...)
{
    if (level < DIAG_NORMAL)
        return;
    va_list ap;
    va_start(ap, fmt);
    say("warning: ", fmt, ap);
    va_end(ap);
}

void diag_note(const char *fmt, ...)
{
    if (level < DIAG_VERBOSE)
        return;
    va_list ap;
    va_start(ap, fmt);
    say("", fmt, ap);
    va_end(ap);
}

void diag_end(void)
{
    pthread_mutex_lock(&lock);
    size_t n = kinds ? map_count(kinds) : 0;
    for (size_t k = 0; k < n; k++) {
        if (counts[k] > REPEATS_SHOWN) {
            char msg[1100];
            snprintf(msg, sizeof msg, "%zu more like this, the last: %.900s",
                     counts[k] - REPEATS_SHOWN, samples[k]);
            put_line(msg);
        }
        free(samples[k]);
    }
    map_free(kinds);
    free(counts);
    free(samples);
    kinds = NULL;
    counts = NULL;
    samples = NULL;
    pthread_mutex_unlock(&lock);
}
