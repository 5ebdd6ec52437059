// SPDX-License-Identifier: MIT
/*
 * err.c — filling struct err
 */
#include "err.h"

#include <stdarg.h>

/* U+202A–202E and U+2066–2069 turn the direction of writing: a line would show what it does not
 * say. */
static bool turns_writing(const unsigned char *c)
{
    return c[0] == 0xE2 && ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) ||
                            (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

void err_clean(char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7f)
            text[i] = '?';
        else if (c == 0xC2 && (unsigned char)text[i + 1] >= 0x80 &&
                 (unsigned char)text[i + 1] < 0xA0) /* U+0080–9F: control sequences too */
            text[i] = text[i + 1] = '?';
        else if (turns_writing((const unsigned char *)text + i))
            text[i] = text[i + 1] = text[i + 2] = '?';
    }
    /* Cut a sequence that the end of the array broke off. */
    size_t back = 0;
    while (back < 4 && back < n && ((unsigned char)text[n - 1 - back] & 0xC0) == 0x80)
        back++;
    if (back < n) {
        unsigned char lead = (unsigned char)text[n - 1 - back];
        size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        if (need > back)
            text[n - 1 - back] = '\0';
    }
}

int err_set(struct err *err, enum gr_exit code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    err_clean(err->msg);
    err->code = code;
    return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    char head[sizeof err->msg];
    char all[2 * sizeof err->msg + 4];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(head, sizeof head, fmt, ap);
    va_end(ap);
    snprintf(all, sizeof all, "%s: %s", head, err->msg);
    snprintf(err->msg, sizeof err->msg, "%.*s", (int)sizeof err->msg - 1, all);
    err_clean(err->msg);
    return -1;
}
