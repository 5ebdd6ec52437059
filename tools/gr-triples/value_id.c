// SPDX-License-Identifier: MIT
/*
 * value_id.c — ids of values: the number as it stands, and the rest remembered
 */
#include "value_id.h"

#include "hash.h"
#include "scan.h"
#include "vocab.h"

void value_ids_release(struct value_ids *m)
{
    for (size_t i = 0; i < VALUE_RESTS; i++) {
        buf_release(&m->at[i].rest);
        buf_release(&m->at[i].key);
    }
    buf_release(&m->plain);
    buf_release(&m->wanted);
}

/* Bytes of the character at byte i if numbers are written with it, else 0. */
static size_t number_bytes(struct sv s, size_t i)
{
    static const char *const beyond[] = { "\xc2\xb1", "\xe2\x80\x93", "\xe2\x80\xb0",
                                          "\xe2\x89\xa4", "\xe2\x89\xa5" }; /* ± – ‰ ≤ ≥ */
    unsigned char c = (unsigned char)s.p[i];
    if (c < 0x80)
        return scan_is_digit(c) || scan_is_among(".~<>-% ", c);
    for (size_t k = 0; k < ARRAY_LEN(beyond); k++)
        if (sv_starts(sv_from_to(s, i, s.n), sv_from(beyond[k])))
            return strlen(beyond[k]);
    return 0;
}

/* Bytes of the number at the start of a name, with the blank behind it; its key is put. */
static size_t read_number(struct sv name, struct buf *key)
{
    size_t i = 0, blank = 0, blank_in_key = 0, n;
    for (; i < name.n && (n = number_bytes(name, i)) != 0; i += n) {
        if (name.p[i] == ' ' && (i == 0 || i + 1 == name.n || name.p[i - 1] == ' '))
            return 0;
        if (sv_starts(sv_from_to(name, i, name.n), SV("\xe2\x80\x93")))
            buf_char(key, '-');
        else
            buf_add(key, name.p + i, n);
        if (name.p[i] == ' ') {
            blank = i + 1;
            blank_in_key = key->len;
        }
    }
    if (i == name.n)
        return i;
    buf_cut(key, blank_in_key);
    return blank;
}

/* Is what is behind the number, at byte n, no part of a notation that begins in it? "238 U"
 * would be; behind a point ("4.5 U") and before small letters, digits and δ or ε nothing is. */
static bool starts_apart(struct sv name, size_t n)
{
    size_t last = n < name.n ? n - 1 : n; /* behind its last character */
    bool is_digit = scan_is_digit((unsigned char)name.p[last - 1]);
    if (!is_digit && name.p[last - 1] != '%' && !sv_ends(sv_from_to(name, 0, last), SV("\xb0")))
        return false;
    if (n == name.n)
        return true;
    unsigned char c = (unsigned char)name.p[n];
    if (scan_is_lower(c) || scan_is_digit(c))
        return true;
    if (c == 0xCE)
        return n + 1 < name.n && (name.p[n + 1] == '\xb4' || name.p[n + 1] == '\xb5');
    while (is_digit && last > 0 && scan_is_digit((unsigned char)name.p[last - 1]))
        last--;
    return scan_is_upper(c) && (!is_digit || (last > 1 && name.p[last - 1] == '.' &&
                                              scan_is_digit((unsigned char)name.p[last - 2])));
}

/* Put the whole id, and remember what its number does not account for. */
static void learn(struct value_ids *m, struct value_rest *r, struct sv name, struct buf *id)
{
    struct sv plain = buf_view(&m->plain);
    size_t from = id->len + strlen("value:");
    entity_id_of("value", name, id);
    struct sv key = sv_from_to(buf_view(id), from, id->len);
    buf_reset(&r->rest);
    buf_reset(&r->key);
    if (!sv_starts(key, plain))
        return;
    buf_sv(&r->rest, buf_view(&m->wanted));
    buf_sv(&r->key, sv_from_to(key, plain.n, key.n));
}

void value_ids_put(struct value_ids *m, struct sv name, struct buf *id)
{
    buf_reset(&m->plain);
    size_t n = read_number(name, &m->plain);
    if (!n || !starts_apart(name, n)) {
        entity_id_of("value", name, id);
        return;
    }
    char before = n < name.n ? name.p[n - 2] : '\0';
    buf_reset(&m->wanted);
    buf_char(&m->wanted, scan_is_digit((unsigned char)before) ? '\0' : before);
    buf_sv(&m->wanted, sv_from_to(name, n, name.n));
    struct sv wanted = buf_view(&m->wanted);
    struct value_rest *r = &m->at[(size_t)hash64(wanted) & (VALUE_RESTS - 1)];
    if (!sv_eq(buf_view(&r->rest), wanted)) {
        learn(m, r, name, id);
        return;
    }
    buf_str(id, "value:");
    buf_sv(id, buf_view(&m->plain));
    buf_sv(id, buf_view(&r->key));
}
