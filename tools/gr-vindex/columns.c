// SPDX-License-Identifier: MIT
/*
 * columns.c — reading columns, and asking all records at once
 */
#include "columns.h"

#include <math.h>

#include "alloc.h"
#include "json.h"
#include "map.h"

#define OWN_CODES 3 /* null, false, true */

/* ---- opening ---- */

static int damaged(struct err *err)
{
    return err_set(err, EXIT_FATAL, "damaged: columns: build it anew");
}

static bool get_size(jv v, const char *field, size_t max, size_t *out)
{
    double x = json_num(json_get(v, field));
    if (!(x >= 0 && x <= (double)max) || x != floor(x))
        return false;
    *out = (size_t)x;
    return true;
}

/* Cut `n` things of `size` bytes, padded to 8, off the front; NULL: there are not so many. */
static const void *cut(struct sv *rest, size_t n, size_t size)
{
    if (n > rest->n / size)
        return NULL;
    size_t bytes = (n * size + 7) & ~(size_t)7;
    const char *p = rest->p;
    if (bytes > rest->n)
        return NULL;
    *rest = sv_from_to(*rest, bytes, rest->n);
    return p;
}

static bool open_column(struct columns *c, struct column *to, jv v, struct sv *data)
{
    if (!get_size(v, "width", 4, &to->width) ||
        !get_size(v, "numbers", UINT32_MAX - 16, &to->n_numbers) ||
        !get_size(v, "strings", UINT32_MAX - 16, &to->n_strings) ||
        !get_size(v, "bytes", data->n, &to->n_bytes) ||
        (to->width != 1 && to->width != 2 && to->width != 4))
        return false;
    to->numbers = cut(data, to->n_numbers, sizeof *to->numbers);
    if (to->numbers)
        to->strings_at = cut(data, to->n_strings + 1, sizeof *to->strings_at);
    if (to->strings_at)
        to->codes = cut(data, c->n_docs, to->width);
    if (to->codes)
        to->strings = cut(data, to->n_bytes, 1);
    return to->strings != NULL;
}

static bool read_head(struct columns *c, jv v, struct sv data)
{
    jv list = json_get(v, "columns"), out = json_get(v, "left_out");
    size_t n = json_len(list), name_at[COLUMNS_MAX + 1] = { 0 };
    if (!json_is_array(list) || !json_is_array(out) || n > COLUMNS_MAX)
        return false;
    c->column = alloc_zero(n + 1, sizeof *c->column);
    c->n = n;
    c->has_more = json_is_true(json_get(v, "more"));
    for (size_t i = 0; i < n; i++) {
        if (!open_column(c, &c->column[i], json_at(list, i), &data))
            return false;
        buf_sv(&c->names, json_sv(json_get(json_at(list, i), "name")));
        name_at[i + 1] = c->names.len;
    }
    for (size_t i = 0; i < n; i++)
        c->column[i].name = sv_from_to(buf_view(&c->names), name_at[i], name_at[i + 1]);
    for (size_t i = 0; i < json_len(out); i++)
        map_put(c->left_out, json_sv(json_at(out, i)), NULL);
    return data.n == 0;
}

int columns_open(struct columns *c, struct sv head, struct sv data, size_t n_docs,
                 struct err *err)
{
    jv v;
    *c = (struct columns){ .is_there = true, .n_docs = n_docs, .left_out = map_new() };
    if (json_parse(&v, head, err) < 0)
        return damaged(err);
    bool is_good = read_head(c, v, data);
    json_free(v);
    return is_good ? 0 : damaged(err);
}

void columns_close(struct columns *c)
{
    free(c->column);
    map_free(c->left_out);
    buf_release(&c->names);
    *c = (struct columns){ 0 };
}

/* ---- asking ---- */

static size_t n_codes(const struct column *c)
{
    return OWN_CODES + c->n_numbers + c->n_strings + 2;
}

/* The value of a code below n_codes. */
static struct where_value value_of(const struct column *c, size_t code)
{
    struct where_value v = { .type = (enum where_type)code };
    if (code < OWN_CODES)
        return v;
    code -= OWN_CODES;
    if (code < c->n_numbers)
        return (struct where_value){ .type = WHERE_NUMBER, .num = c->numbers[code] };
    code -= c->n_numbers;
    if (code >= c->n_strings) {
        v.type = code == c->n_strings ? WHERE_ARRAY : WHERE_OBJECT;
        return v;
    }
    uint64_t from = c->strings_at[code], to = c->strings_at[code + 1];
    v.type = WHERE_STRING;
    v.str = SV_NONE;
    if (from <= to && to <= c->n_bytes)
        v.str = (struct sv){ c->strings + from, (size_t)(to - from) };
    return v;
}

/* The first code whose value is not below the literal (not above, when is_after). */
static size_t find_code(const struct column *c, const struct where_value *literal,
                        bool is_after)
{
    size_t lo = 0, hi = n_codes(c);
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        struct where_value v = value_of(c, mid);
        int order = where_cmp(&v, literal);
        if (order < 0 || (is_after && order == 0))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* table[code] of a leaf. Comparisons say the same of a range. */
static void fill_table(const struct column *c, const struct where *w,
                       const struct where_node *leaf, unsigned char *table)
{
    size_t n = n_codes(c);
    if (leaf->op < WHERE_EQ || leaf->op > WHERE_GE) {
        for (size_t i = 0; i < n; i++) {
            struct where_value v = value_of(c, i);
            table[i] = (unsigned char)where_leaf(w, leaf, &v);
        }
        return;
    }
    const struct where_value *literal = &w->values[leaf->values];
    size_t from = find_code(c, literal, false), to = find_code(c, literal, true);
    bool below = leaf->op == WHERE_LT || leaf->op == WHERE_LE || leaf->op == WHERE_NE;
    bool same = leaf->op == WHERE_EQ || leaf->op == WHERE_LE || leaf->op == WHERE_GE;
    bool above = leaf->op == WHERE_GT || leaf->op == WHERE_GE || leaf->op == WHERE_NE;
    if (to < from) /* a damaged order */
        to = from;
    memset(table, below, from);
    memset(table + from, same, to - from);
    memset(table + to, above, n - to);
}

static void look_up(const struct column *c, size_t n_docs, const unsigned char *table,
                    unsigned char *out)
{
    size_t n = n_codes(c);
    if (c->width == 1) {
        for (size_t i = 0; i < n_docs; i++)
            out[i] = table[c->codes[i]];
    } else if (c->width == 2) {
        const uint16_t *codes = (const uint16_t *)(const void *)c->codes;
        for (size_t i = 0; i < n_docs; i++)
            out[i] = table[codes[i]];
    } else {
        const uint32_t *codes = (const uint32_t *)(const void *)c->codes;
        for (size_t i = 0; i < n_docs; i++)
            out[i] = codes[i] < n ? table[codes[i]] : WHERE_FAILS;
    }
}

static const struct column *find_column(const struct columns *c, struct sv name)
{
    for (size_t i = 0; i < c->n; i++)
        if (sv_eq(c->column[i].name, name))
            return &c->column[i];
    return NULL;
}

/* False: nothing is known of this member. */
static bool ask_leaf(const struct columns *c, const struct where *w,
                     const struct where_node *leaf, unsigned char *out)
{
    const struct column *col = find_column(c, leaf->field);
    if (!col) { /* no record has it, or it was left out */
        struct where_value null = { .type = WHERE_NULL };
        if (c->has_more || map_get(c->left_out, leaf->field) != MAP_NONE)
            return false;
        memset(out, (int)where_leaf(w, leaf, &null), c->n_docs);
        return true;
    }
    /* Codes of one or two bytes need no check when every one has a place in the table. */
    size_t room = n_codes(col);
    if (col->width < 4 && room < ((size_t)1 << (8 * col->width)))
        room = (size_t)1 << (8 * col->width);
    unsigned char *table = alloc(room);
    memset(table, WHERE_FAILS, room);
    fill_table(col, w, leaf, table);
    look_up(col, c->n_docs, table, out);
    free(table);
    return true;
}

/* a = a OP b, lane by lane: what fails on the left fails, what decides on the left decides. */
static void combine(enum where_op op, unsigned char *a, const unsigned char *b, size_t n)
{
    unsigned char goes_on = op == WHERE_AND ? WHERE_YES : WHERE_NO;
    for (size_t i = 0; i < n; i++)
        a[i] = a[i] == goes_on ? b[i] : a[i];
}

static bool ask(const struct columns *c, const struct where *w, size_t node, unsigned char *out)
{
    const struct where_node *n = &w->nodes[node];
    if (n->op > WHERE_NOT)
        return ask_leaf(c, w, n, out);
    if (!ask(c, w, n->a, out))
        return false;
    if (n->op == WHERE_NOT) {
        for (size_t i = 0; i < c->n_docs; i++)
            out[i] ^= out[i] != WHERE_FAILS;
        return true;
    }
    unsigned char *right = alloc(c->n_docs + 1);
    bool is_known = ask(c, w, n->b, right);
    if (is_known)
        combine(n->op, out, right, c->n_docs);
    free(right);
    return is_known;
}

/* The links of a chain of "and" that are known. -1: none, 0: some, 1: all. */
static int ask_links(const struct columns *c, const struct where *w, size_t node,
                     unsigned char *out)
{
    const struct where_node *n = &w->nodes[node];
    if (n->op != WHERE_AND)
        return ask(c, w, node, out) ? 1 : -1;
    unsigned char *right = alloc(c->n_docs + 1);
    int a = ask_links(c, w, n->a, out), b = ask_links(c, w, n->b, right);
    if (a >= 0 && b >= 0)
        combine(WHERE_AND, out, right, c->n_docs);
    else if (b >= 0)
        memcpy(out, right, c->n_docs);
    free(right);
    if (a < 0 && b < 0)
        return -1;
    return a == 1 && b == 1;
}

int columns_select(const struct columns *c, const struct where *w, unsigned char *skip)
{
    if (!c->is_there)
        return -1;
    unsigned char *out = alloc(c->n_docs + 1);
    int rc = ask_links(c, w, w->root, out);
    for (size_t i = 0; rc >= 0 && i < c->n_docs; i++)
        skip[i] = out[i] != WHERE_YES;
    free(out);
    return rc == 1 && !w->is_exact ? 0 : rc;
}
