// SPDX-License-Identifier: MIT
/*
 * abbrev.c — learning short forms and finding them again
 */
#include "abbrev.h"

#include "alloc.h"
#include "sample.h"
#include "utf8.h"

#define FORMS_MAX 200 /* of a text: hostile ones may define thousands */

void abbrevs_release(struct abbrevs *list)
{
    free(list->items);
    *list = (struct abbrevs){ 0 };
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The short form in brackets behind byte pos; empty: none. */
static struct sv form_behind(struct sv text, size_t pos)
{
    if (pos + 4 > text.n || text.p[pos] != ' ' || text.p[pos + 1] != '(')
        return SV_NONE;
    size_t start = pos + 2, end = start, capitals = 0;
    for (; end < text.n && text.p[end] != ')'; end++) {
        char c = text.p[end];
        bool is_letter = is_upper(c) || (c >= 'a' && c <= 'z');
        if (!is_letter && !(c >= '0' && c <= '9') && c != '-')
            return SV_NONE;
        capitals += is_upper(c);
    }
    size_t n = end - start;
    bool fits =
        end < text.n && n >= 2 && n < ABBREV_MAX && capitals >= 2 && is_upper(text.p[start]);
    return fits ? sv_from_to(text, start, end) : SV_NONE;
}

/* Do the letters of the short form stand in the name in order, the first at its start? */
static bool is_short_for(struct sv form, struct sv name)
{
    size_t at = 0;
    if (!name.n || (name.p[0] | 32) != (form.p[0] | 32))
        return false;
    for (size_t i = 0; i < form.n; i++) {
        if (form.p[i] == '-')
            continue;
        bool is_last_s = form.p[i] == 's' && i + 1 == form.n; /* "(BGRs)" */
        while (at < name.n && (name.p[at] | 32) != (form.p[i] | 32))
            at++;
        if (at == name.n && !is_last_s)
            return false;
        at++;
    }
    return form.n < name.n;
}

static bool is_known(const struct abbrevs *list, struct sv form)
{
    for (size_t i = 0; i < list->n; i++)
        if (sv_is(form, list->items[i].text))
            return true;
    return false;
}

void abbrevs_learn(struct abbrevs *list, struct sv text, const struct entities *names)
{
    for (size_t i = 0; i < names->n && list->n < FORMS_MAX; i++) {
        const struct entity *e = &names->items[i];
        struct sv form = form_behind(text, e->end);
        if (!form.n || e->weak || e->chem || strcmp(e->type, "sample") == 0 ||
            !is_short_for(form, sv_from_to(text, e->start, e->end)) || is_known(list, form))
            continue;
        if (i + 1 < names->n && names->items[i + 1].start < e->end + 2 + form.n)
            continue; /* the vocabulary knows it */
        if (list->n == list->cap) {
            list->cap = alloc_grow(list->cap, list->n + 1);
            list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
        }
        struct abbrev *a = &list->items[list->n++];
        *a = (struct abbrev){ .entity = *e };
        memcpy(a->text, form.p, form.n);
    }
}

static bool stands_alone(struct sv text, size_t start, size_t end)
{
    size_t at = end;
    if (start > 0) {
        uint32_t before = utf8_before(text, start);
        if (utf8_is_letter(before) || utf8_is_number(before) || before == '-')
            return false;
    }
    if (at < text.n && text.p[at] == 's') /* "AFGs" */
        at++;
    if (at >= text.n)
        return true;
    uint32_t after = utf8_next(text, &at);
    return !utf8_is_letter(after) && !utf8_is_number(after);
}

void abbrevs_find(const struct abbrevs *list, struct sv text, struct entities *names)
{
    for (size_t i = 0; i < list->n; i++) {
        struct sv form = sv_from(list->items[i].text);
        size_t name = 0;
        struct entities found = { 0 };
        for (size_t at = 0; (at = sv_find(text, form, at)) != SIZE_MAX; at += form.n) {
            while (name < names->n && names->items[name].end <= at)
                name++;
            bool is_free = name >= names->n || names->items[name].start >= at + form.n;
            if (!is_free || !stands_alone(text, at, at + form.n))
                continue;
            struct entity e = list->items[i].entity;
            e.start = at;
            e.end = at + form.n;
            entities_push(&found, &e);
        }
        samples_merge(names, &found);
        entities_release(&found);
    }
}
