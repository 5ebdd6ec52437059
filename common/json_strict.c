// SPDX-License-Identifier: MIT
/*
 * json_strict.c — what libjq takes and JSON has not: NaN, Infinity, .5, 1., +1, 01
 *
 * Unknown members pass through as raw bytes, so such a number would come out again and break
 * the next reader.
 */
#include "json_internal.h"

static size_t digits(struct sv s, size_t i)
{
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return i;
}

static bool is_number(struct sv s)
{
    size_t i = s.n && s.p[0] == '-', from = i;
    i = digits(s, i);
    if (i == from || (s.p[from] == '0' && i > from + 1))
        return false;
    if (i < s.n && s.p[i] == '.') {
        from = i + 1;
        i = digits(s, from);
        if (i == from)
            return false;
    }
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        from = i + 1;
        from += from < s.n && (s.p[from] == '+' || s.p[from] == '-');
        i = digits(s, from);
        if (i == from)
            return false;
    }
    return i == s.n;
}

static bool is_between(char c)
{
    return c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}' || c == ' ' ||
           c == '\t' || c == '\r' || c == '\n';
}

bool json_internal_is_strict(struct sv text, struct sv *odd)
{
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] == '"') {
            i = json_internal_skip_string(text, i);
            continue;
        }
        if (is_between(text.p[i])) {
            i++;
            continue;
        }
        size_t from = i;
        while (i < text.n && !is_between(text.p[i]) && text.p[i] != '"')
            i++;
        *odd = sv_from_to(text, from, i);
        if (!is_number(*odd) && !sv_is(*odd, "null") && !sv_is(*odd, "true") &&
            !sv_is(*odd, "false"))
            return false;
    }
    return true;
}
