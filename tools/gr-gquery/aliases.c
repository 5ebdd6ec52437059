// SPDX-License-Identifier: MIT
/*
 * aliases.c — reading a table of aliases, refusing what is no alias, renaming in records
 */
#include "aliases.h"

#include "alloc.h"
#include "chem.h"
#include "file.h"
#include "fold.h"
#include "map.h"
#include "text.h"
#include "utf8.h"

struct alias {
    size_t line;
    struct sv from, to, type; /* into `text` */
};

struct aliases {
    struct buf text;
    struct alias *items; /* by ordinal of `keys` */
    struct map *keys;    /* type, line end, key of `from` */
    size_t cap;
};

/* ---- what is no alias ---- */

/* Digits of a name, in any script and raised or lowered, runs parted by blanks. */
static void put_numbers(struct sv s, struct buf *out)
{
    bool was_digit = false;
    for (size_t pos = 0; pos < s.n;) {
        int d = utf8_digit_value(utf8_next(s, &pos));
        if (d >= 0)
            buf_char(out, (char)('0' + d));
        else if (was_digit)
            buf_char(out, ' ');
        was_digit = d >= 0;
    }
    while (out->len && out->data[out->len - 1] == ' ')
        buf_cut(out, out->len - 1);
}

/* Keys of the chemical notation in a name; a symbol that is a word as well counts as well. */
static void put_chemistry(struct sv s, struct buf *out)
{
    struct word w;
    struct chem c;
    char key[CHEM_MAX];
    for (size_t pos = 0; word_next(s, &pos, &w);) {
        if (!chem_match(s, w.start, &c))
            continue;
        buf_add(out, key, chem_key(&c, key));
        buf_char(out, ' ');
        pos = c.end > pos ? c.end : pos;
    }
}

static bool do_differ(struct sv a, struct sv b, void (*put)(struct sv, struct buf *),
                      bool is_strict)
{
    struct buf x = BUF_INIT, y = BUF_INIT;
    put(a, &x);
    put(b, &y);
    bool differ = (is_strict || (x.len && y.len)) && !sv_eq(buf_view(&x), buf_view(&y));
    buf_release(&x);
    buf_release(&y);
    return differ;
}

/* "Co" and "CO": the same letters, and not the same key. */
static bool differ_in_case(struct sv a, struct sv b)
{
    struct buf x = BUF_INIT, y = BUF_INIT, fa = BUF_INIT, fb = BUF_INIT;
    text_key(a, TEXT_KEY_SINGULAR, &x);
    text_key(b, TEXT_KEY_SINGULAR, &y);
    utf8_fold(&fa, a);
    utf8_fold(&fb, b);
    bool differ = sv_eq(buf_view(&fa), buf_view(&fb)) && !sv_eq(buf_view(&x), buf_view(&y));
    buf_release(&x);
    buf_release(&y);
    buf_release(&fa);
    buf_release(&fb);
    return differ;
}

const char *aliases_differ(struct sv a, struct sv b, bool is_strict)
{
    if (differ_in_case(a, b))
        return "capitals tell them apart";
    if (do_differ(a, b, put_chemistry, is_strict))
        return "they name different elements, isotopes, charges or formulas";
    return do_differ(a, b, put_numbers, is_strict) ? "their numbers differ" : NULL;
}

/* ---- the table ---- */

static void put_key(struct sv type, struct sv name, struct buf *key)
{
    buf_reset(key);
    buf_sv(key, type);
    buf_char(key, '\n');
    fold_key(type, name, key);
}

static int read_row(struct aliases *a, const char *path, size_t line, struct sv row,
                    struct err *err)
{
    static const char *const yes[] = { "y", "yes", "x", "1", "true" };
    static const char *const no[] = { "", "n", "no", "0", "false", "-", "?" };
    struct sv cell[4], rest = row;
    bool is_yes = false, is_no = false;
    for (size_t i = 0; i < ARRAY_LEN(cell); i++) {
        if (!sv_cut(&rest, '\t', &cell[i]))
            return err_set(err, EXIT_FATAL,
                           "%s:%zu: expected the columns accept, from, to and type", path,
                           line);
        cell[i] = sv_trim(cell[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        is_yes |= sv_ieq(cell[0], sv_from(yes[i]));
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        is_no |= sv_ieq(cell[0], sv_from(no[i]));
    if (!is_yes && !is_no)
        return err_set(err, EXIT_FATAL,
                       "%s:%zu: column accept: expected y or nothing, not \"%.*s\"", path, line,
                       SV_ARG(cell[0]));
    if (is_no)
        return 0;
    struct alias x = { line, cell[1], cell[2], cell[3].n ? cell[3] : SV("entity") };
    const char *why = !x.from.n || !x.to.n     ? "a name is empty"
                      : sv_is(x.type, "value") ? "a measurement has no other name"
                                               : aliases_differ(x.from, x.to, false);
    if (why)
        return err_set(err, EXIT_FATAL, "%s:%zu: \"%.*s\" and \"%.*s\": %s", path, line,
                       SV_ARG(x.from), SV_ARG(x.to), why);
    struct buf key = BUF_INIT, to = BUF_INIT;
    bool is_new;
    put_key(x.type, x.from, &key);
    put_key(x.type, x.to, &to);
    int rc = 0;
    if (!sv_eq(buf_view(&key), buf_view(&to))) { /* else they are one node as it is */
        size_t i = map_put(a->keys, buf_view(&key), &is_new);
        if (i >= a->cap) {
            a->cap = alloc_grow(a->cap, i + 1);
            a->items = alloc_resize(a->items, a->cap, sizeof *a->items);
        }
        if (is_new)
            a->items[i] = x;
        else if (!sv_eq(a->items[i].to, x.to))
            rc = err_set(err, EXIT_FATAL, "%s:%zu: \"%.*s\" has another new name in line %zu",
                         path, line, SV_ARG(x.from), a->items[i].line);
    }
    buf_release(&key);
    buf_release(&to);
    return rc;
}

/* A new name that is renamed itself would make the result depend on the order of rows. */
static int check_chains(const struct aliases *a, const char *path, struct err *err)
{
    struct buf key = BUF_INIT;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < map_count(a->keys); i++) {
        const struct alias *x = &a->items[i];
        put_key(x->type, x->to, &key);
        size_t k = map_get(a->keys, buf_view(&key));
        if (k != MAP_NONE)
            rc = err_set(err, EXIT_FATAL,
                         "%s:%zu: the new name \"%.*s\" gets another one in line %zu: name the "
                         "last one in both",
                         path, x->line, SV_ARG(x->to), a->items[k].line);
    }
    buf_release(&key);
    return rc;
}

struct aliases *aliases_read(const char *path, struct err *err)
{
    struct aliases *a = alloc_zero(1, sizeof *a);
    struct sv rest, row;
    size_t line = 0;
    a->keys = map_new();
    int rc = file_read(&a->text, path, 0, err);
    rest = buf_view(&a->text);
    if (rc == 0 && utf8_check(rest) != SIZE_MAX)
        rc = err_set(err, EXIT_FATAL, "%s: not UTF-8", path);
    while (rc == 0 && sv_cut(&rest, '\n', &row)) {
        line++;
        if (sv_ends(row, SV("\r")))
            row = sv_from_to(row, 0, row.n - 1);
        if (line == 1 && sv_starts(row, SV("\xef\xbb\xbf"))) /* spreadsheets write it */
            row = sv_from_to(row, 3, row.n);
        if (line == 1 && !sv_starts(row, SV("accept\tfrom\tto\ttype")))
            rc = err_set(err, EXIT_FATAL,
                         "%s:1: expected the header line accept, from, to, type", path);
        else if (line > 1 && sv_trim(row).n && row.p[0] != '#')
            rc = read_row(a, path, line, row, err);
    }
    if (rc == 0)
        rc = check_chains(a, path, err);
    if (rc == 0)
        return a;
    aliases_free(a);
    return NULL;
}

void aliases_free(struct aliases *a)
{
    if (!a)
        return;
    buf_release(&a->text);
    map_free(a->keys);
    free(a->items);
    free(a);
}

size_t aliases_count(const struct aliases *a)
{
    return map_count(a->keys);
}

/* ---- records ---- */

static const struct alias *find_name(const struct aliases *a, struct sv type, struct sv name)
{
    struct buf key = BUF_INIT;
    put_key(type.n ? type : SV("entity"), sv_trim(name), &key);
    size_t i = name.n ? map_get(a->keys, buf_view(&key)) : MAP_NONE;
    buf_release(&key);
    return i == MAP_NONE ? NULL : &a->items[i];
}

static const struct alias *find(const struct aliases *a, jv end)
{
    struct sv name = json_is_str(end) ? json_sv(end) : json_sv(json_get(end, "name"));
    struct sv type = json_is_object(end) ? json_sv(json_get(end, "type")) : SV("");
    return find_name(a, type, name);
}

bool aliases_find(const struct aliases *a, struct sv type, struct sv name, struct sv *to)
{
    const struct alias *x = find_name(a, type, name);
    if (x)
        *to = x->to;
    return x != NULL;
}

/* The members of an end but for those that change. */
static void put_rest(struct buf *out, jv end)
{
    struct sv key;
    jv value;
    for (size_t i = 0; json_is_object(end) && json_each(end, &i, &key, &value);)
        if (!sv_is(key, "name") && !sv_is(key, "id") && !sv_is(key, "was")) {
            json_key_sv(out, key);
            json_put_jv(out, value);
        }
}

static void put_renamed(struct buf *out, jv end, const struct alias *x)
{
    bool is_str = json_is_str(end);
    jv was = is_str ? jv_null() : json_get(end, "was");
    json_open(out, '{');
    json_key(out, "name");
    json_put_str(out, x->to);
    put_rest(out, end);
    json_key(out, "was");
    if (json_is_object(was)) { /* renamed before: it was what it was first */
        json_put_jv(out, was);
    } else {
        json_open(out, '{');
        json_key(out, "name");
        json_put_str(out, is_str ? json_sv(end) : json_sv(json_get(end, "name")));
        json_add_str(out, "id", is_str ? SV("") : json_sv(json_get(end, "id")));
        json_close(out, '}');
    }
    json_close(out, '}');
}

static void put_as_it_was(struct buf *out, jv end)
{
    jv was = json_get(end, "was");
    json_open(out, '{');
    json_key(out, "name");
    json_put_str(out, json_sv(json_get(was, "name")));
    put_rest(out, end);
    json_add_str(out, "id", json_sv(json_get(was, "id")));
    json_close(out, '}');
}

bool aliases_apply(const struct aliases *a, const struct rec *r, struct buf *out)
{
    static const char *const fields[] = { "head", "tail", "of" };
    const char *changed[ARRAY_LEN(fields)];
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        jv end = json_get(r->v, fields[i]);
        bool was = json_is_object(end) && json_sv(json_get(json_get(end, "was"), "name")).n > 0;
        if (a ? find(a, end) != NULL : was)
            changed[n++] = fields[i];
    }
    if (!n) {
        buf_sv(out, r->line);
        buf_char(out, '\n');
        return false;
    }
    rec_begin(out, r, changed, n);
    for (size_t i = 0; i < n; i++) {
        jv end = json_get(r->v, changed[i]);
        json_key(out, changed[i]);
        if (a)
            put_renamed(out, end, find(a, end));
        else
            put_as_it_was(out, end);
    }
    rec_end(out);
    return true;
}
