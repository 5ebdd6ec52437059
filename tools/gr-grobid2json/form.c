// SPDX-License-Identifier: MIT
/*
 * form.c — a table of the fields GROBID knows, and the values given to them
 */
#include "form.h"

#include "alloc.h"
#include "map.h"

enum kind { CHOICE, PAGE, FLAVOR, ELEMENTS };

struct known {
    const char *name;
    enum kind kind;
    const char *choices; /* of a CHOICE: one character each */
    const char *def;     /* NULL: not sent unless given */
};

/* Names and values as in GROBID's documentation of its service, 0.8. */
static const struct known known[] = {
    { "consolidateHeader", CHOICE, "0123", "0" },
    { "consolidateCitations", CHOICE, "012", "0" },
    { "consolidateFunders", CHOICE, "012", "0" },
    { "includeRawCitations", CHOICE, "01", "1" },
    { "includeRawAffiliations", CHOICE, "01", "0" },
    { "includeRawCopyrights", CHOICE, "01", NULL },
    { "includeDiscardedText", CHOICE, "01", NULL },
    { "segmentSentences", CHOICE, "01", "0" },
    { "generateIDs", CHOICE, "01", NULL },
    { "start", PAGE, NULL, NULL },
    { "end", PAGE, NULL, NULL },
    { "flavor", FLAVOR, NULL, NULL },
    { "teiCoordinates", ELEMENTS, NULL, NULL },
};

/* What tei.c reads coordinates of. */
static const char *const located[] = { "p", "head", "figure", "formula" };

struct form {
    char *values[ARRAY_LEN(known)]; /* NULL: not sent */
    struct map *elements;           /* of teiCoordinates */
};

static bool is_made_of(struct sv s, const char *further)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || (c && strchr(further, c));
        if (!is_plain)
            return false;
    }
    return s.n > 0 && s.n <= 64;
}

static int check_value(const struct known *k, struct sv v, struct err *err)
{
    int64_t page;
    switch (k->kind) {
    case CHOICE:
        if (v.n == 1 && v.p[0] && strchr(k->choices, v.p[0]))
            return 0;
        return err_set(err, EXIT_USAGE, "--grobid-set=%s: expected 0 to %c, not \"%.*s\"",
                       k->name, k->choices[strlen(k->choices) - 1], SV_ARG(v));
    case PAGE:
        if (sv_to_i64(v, &page) && page >= 1 && page <= 1000000 && v.p[0] != '+')
            return 0;
        return err_set(err, EXIT_USAGE,
                       "--grobid-set=%s: expected a page, 1 or more, not \"%.*s\"", k->name,
                       SV_ARG(v));
    case FLAVOR:
        if (is_made_of(v, "/_-"))
            return 0;
        return err_set(err, EXIT_USAGE,
                       "--grobid-set=%s: expected a name like article/light, not \"%.*s\"",
                       k->name, SV_ARG(v));
    default:
        if (is_made_of(v, ""))
            return 0;
        return err_set(err, EXIT_USAGE,
                       "--grobid-set=%s: expected names of elements, not \"%.*s\"", k->name,
                       SV_ARG(v));
    }
}

static int refuse_name(struct sv name, struct err *err)
{
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        buf_printf(&names, "%s%s", i ? ", " : "", known[i].name);
    err_set(err, EXIT_USAGE, "--grobid-set=%.*s: GROBID knows %s", SV_ARG(name),
            buf_cstr(&names));
    buf_release(&names);
    return -1;
}

static int set(struct form *f, const char *setting, struct err *err)
{
    struct sv rest = sv_from(setting), name, one;
    size_t i = 0;
    sv_cut(&rest, '=', &name);
    if (!rest.p)
        return err_set(err, EXIT_USAGE, "--grobid-set=%s: expected NAME=VALUE", setting);
    while (i < ARRAY_LEN(known) && !sv_is(name, known[i].name))
        i++;
    if (i == ARRAY_LEN(known))
        return refuse_name(name, err);
    if (known[i].kind == ELEMENTS) {
        while (sv_cut(&rest, ',', &one)) {
            one = sv_trim(one);
            if (check_value(&known[i], one, err) < 0)
                return -1;
            map_put(f->elements, one, NULL);
        }
        return 0;
    }
    if (check_value(&known[i], rest, err) < 0)
        return -1;
    free(f->values[i]);
    f->values[i] = alloc_text(rest.p, rest.n);
    return 0;
}

static const char *value_of(const struct form *f, const char *name)
{
    size_t i = 0;
    while (strcmp(known[i].name, name) != 0)
        i++;
    return f->values[i];
}

struct form *form_new(const char *const *settings, size_t n, bool has_coords, struct err *err)
{
    struct form *f = alloc_zero(1, sizeof *f);
    f->elements = map_new();
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (known[i].def)
            f->values[i] = alloc_text(known[i].def, strlen(known[i].def));
    for (size_t i = 0; i < n; i++)
        if (set(f, settings[i], err) < 0) {
            form_free(f);
            return NULL;
        }
    const char *start = value_of(f, "start"), *end = value_of(f, "end");
    int64_t first, last;
    if (start && end && sv_to_i64(sv_from(start), &first) && sv_to_i64(sv_from(end), &last) &&
        first > last) {
        err_set(err, EXIT_USAGE, "--grobid-set: start=%s is after end=%s", start, end);
        form_free(f);
        return NULL;
    }
    if (has_coords && map_count(f->elements) == 0) {
        for (size_t i = 0; i < ARRAY_LEN(located); i++)
            map_put(f->elements, sv_from(located[i]), NULL);
        if (strcmp(value_of(f, "segmentSentences"), "1") == 0)
            map_put(f->elements, SV("s"), NULL);
    }
    return f;
}

void form_free(struct form *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        free(f->values[i]);
    map_free(f->elements);
    free(f);
}

bool form_field(const struct form *f, size_t i, const char **name, const char **value)
{
    for (size_t k = 0; k < ARRAY_LEN(known); k++) {
        if (known[k].kind == ELEMENTS && i < map_count(f->elements)) {
            *name = known[k].name;
            *value = map_key(f->elements, i).p; /* NUL-terminated: map.h */
            return true;
        }
        if (f->values[k] && i-- == 0) {
            *name = known[k].name;
            *value = f->values[k];
            return true;
        }
    }
    return false;
}

void form_put_key(const struct form *f, struct buf *out)
{
    const char *name, *value;
    for (size_t i = 0; form_field(f, i, &name, &value); i++)
        buf_printf(out, "%s=%s\n", name, value);
}
