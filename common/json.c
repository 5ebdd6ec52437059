// SPDX-License-Identifier: MIT
/*
 * json.c — libjq behind borrowed values, and raw members of a line
 */
#include "json_internal.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>

#include "json_read.h"

/* ---- parsing ---- */

int json_parse(jv *out, struct sv text, struct err *err)
{
    struct sv first;
    return json_read_any(out, text, NULL, &first, err);
}

int rec_parse(struct rec *r, struct sv line, struct err *err)
{
    return rec_parse_some(r, line, NULL, err);
}

int rec_parse_some(struct rec *r, struct sv line, const char *const *unread, struct err *err)
{
    r->line = sv_trim(line);
    r->v = jv_null();
    jv v;
    r->unread = unread ? unread[0] : NULL;
    if (json_read_any(&v, r->line, unread, &r->unread_raw, err) < 0) {
        if (sv_starts(r->line, SV("<")))
            err_set(err, EXIT_REJECTED,
                    "not JSON but XML or HTML: gr-grobid2json reads TEI files");
        return -1;
    }
    if (jv_get_kind(v) != JV_KIND_OBJECT) {
        err_set(err, EXIT_REJECTED, "expected a JSON object, got %s",
                jv_kind_name(jv_get_kind(v)));
        jv_free(v);
        return -1;
    }
    r->v = v;
    return 0;
}

void rec_release(struct rec *r)
{
    jv_free(r->v);
    r->v = jv_null();
    r->unread = NULL;
}

void rec_warn(const struct rec *r, const char *fmt, ...)
{
    if (!r->warnings)
        return;
    char text[480];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_clean(text);
    buf_printf(r->warnings, "%s\n", text);
}

/* ---- reading ---- */

/* A value just taken from its parent: give the reference back; the parent keeps it alive. */
static jv borrowed(jv v)
{
    if (!jv_is_valid(v)) {
        jv_free(v);
        return jv_null();
    }
    jv_free(v);
    return v;
}

jv json_get(jv object, const char *field)
{
    if (jv_get_kind(object) != JV_KIND_OBJECT)
        return jv_null();
    return borrowed(jv_object_get(jv_copy(object), jv_string(field)));
}

jv json_at(jv array, size_t i)
{
    if (jv_get_kind(array) != JV_KIND_ARRAY || i > INT_MAX)
        return jv_null();
    return borrowed(jv_array_get(jv_copy(array), (int)i));
}

size_t json_len(jv array)
{
    return jv_get_kind(array) == JV_KIND_ARRAY ? (size_t)jv_array_length(jv_copy(array)) : 0;
}

bool json_is_null(jv v)
{
    return jv_get_kind(v) == JV_KIND_NULL;
}

bool json_is_str(jv v)
{
    return jv_get_kind(v) == JV_KIND_STRING;
}

bool json_is_num(jv v)
{
    return jv_get_kind(v) == JV_KIND_NUMBER;
}

bool json_is_array(jv v)
{
    return jv_get_kind(v) == JV_KIND_ARRAY;
}

bool json_is_object(jv v)
{
    return jv_get_kind(v) == JV_KIND_OBJECT;
}

bool json_is_true(jv v)
{
    return jv_get_kind(v) == JV_KIND_TRUE;
}

struct sv json_sv(jv v)
{
    if (jv_get_kind(v) != JV_KIND_STRING)
        return SV_NONE;
    return (struct sv){ jv_string_value(v), (size_t)jv_string_length_bytes(jv_copy(v)) };
}

double json_num(jv v)
{
    return jv_get_kind(v) == JV_KIND_NUMBER ? jv_number_value(v) : NAN;
}

static int wrong_kind(const char *field, jv_kind want, jv got, struct err *err)
{
    return err_set(err, EXIT_REJECTED, "field \"%s\": expected %s, got %s", field,
                   jv_kind_name(want), jv_kind_name(jv_get_kind(got)));
}

/* 1 present, 0 absent, -1 wrong kind. */
static int opt(jv object, const char *field, jv_kind kind, jv *out, struct err *err)
{
    jv v = json_get(object, field);
    if (json_is_null(v))
        return 0;
    if (jv_get_kind(v) != kind)
        return wrong_kind(field, kind, v, err);
    *out = v;
    return 1;
}

static int need(jv object, const char *field, jv_kind kind, jv *out, struct err *err)
{
    int rc = opt(object, field, kind, out, err);
    if (rc == 0)
        return err_set(err, EXIT_REJECTED, "field \"%s\": missing, expected %s", field,
                       jv_kind_name(kind));
    return rc < 0 ? -1 : 0;
}

int json_need_str(jv object, const char *field, struct sv *out, struct err *err)
{
    jv v;
    if (need(object, field, JV_KIND_STRING, &v, err) < 0)
        return -1;
    *out = json_sv(v);
    return 0;
}

int json_need_num(jv object, const char *field, double *out, struct err *err)
{
    jv v;
    if (need(object, field, JV_KIND_NUMBER, &v, err) < 0)
        return -1;
    *out = json_num(v);
    return 0;
}

int json_need_array(jv object, const char *field, jv *out, struct err *err)
{
    return need(object, field, JV_KIND_ARRAY, out, err);
}

int json_need_object(jv object, const char *field, jv *out, struct err *err)
{
    return need(object, field, JV_KIND_OBJECT, out, err);
}

int json_opt_str(jv object, const char *field, struct sv *out, struct err *err)
{
    jv v;
    int rc = opt(object, field, JV_KIND_STRING, &v, err);
    if (rc == 1)
        *out = json_sv(v);
    return rc;
}

int json_opt_num(jv object, const char *field, double *out, struct err *err)
{
    jv v;
    int rc = opt(object, field, JV_KIND_NUMBER, &v, err);
    if (rc == 1)
        *out = json_num(v);
    return rc;
}

int json_opt_array(jv object, const char *field, jv *out, struct err *err)
{
    return opt(object, field, JV_KIND_ARRAY, out, err);
}

int json_opt_object(jv object, const char *field, jv *out, struct err *err)
{
    return opt(object, field, JV_KIND_OBJECT, out, err);
}

/* Key number i of an object in byte order. libjq keeps no such index, so keys are sorted anew.
 */
bool json_each(jv object, size_t *i, struct sv *key, jv *value)
{
    if (!json_is_object(object))
        return false;
    jv keys = jv_keys(jv_copy(object));
    bool is_there = *i < json_len(keys);
    if (is_there) {
        jv k = json_at(keys, *i);
        /* The object holds an equal key; its bytes outlive `keys` only there. */
        int it = jv_object_iter(object);
        for (; jv_object_iter_valid(object, it); it = jv_object_iter_next(object, it)) {
            jv own = borrowed(jv_object_iter_key(object, it));
            if (sv_eq(json_sv(own), json_sv(k))) {
                *key = json_sv(own);
                *value = borrowed(jv_object_iter_value(object, it));
                break;
            }
        }
        ++*i;
    }
    jv_free(keys);
    return is_there;
}

/* ---- raw members of a line that libjq has accepted ---- */

static size_t skip_space(struct sv s, size_t i)
{
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r' || s.p[i] == '\n'))
        i++;
    return i;
}

size_t json_internal_skip_string(struct sv s, size_t i)
{
    for (i++; i < s.n; i++) {
        const char *q = memchr(s.p + i, '"', s.n - i);
        if (!q)
            return s.n;
        size_t at = (size_t)(q - s.p), back = at;
        while (back > i && s.p[back - 1] == '\\')
            back--;
        i = at;
        if ((at - back) % 2 == 0)
            return at + 1;
    }
    return s.n;
}

/* i at the first byte of a value; position behind its last. */
static size_t skip_value(struct sv s, size_t i)
{
    size_t depth = 0;
    for (; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"') {
            i = json_internal_skip_string(s, i) - 1;
            if (!depth)
                return i + 1;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (!depth)
                return i; /* end of the object around a bare word or number */
            if (--depth == 0)
                return i + 1;
        } else if (!depth && (c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
            return i;
        }
    }
    return s.n;
}

struct member {
    struct sv key;   /* raw, between the quotes */
    struct sv value; /* raw */
    size_t from, to; /* from the opening quote of the key to the end of the value */
};

/* The next member at or after *pos (start: 1, behind the brace). */
static bool next_member(struct sv line, size_t *pos, struct member *m)
{
    size_t i = skip_space(line, *pos);
    if (i < line.n && line.p[i] == ',')
        i = skip_space(line, i + 1);
    if (i >= line.n || line.p[i] != '"')
        return false;
    m->from = i;
    size_t end = json_internal_skip_string(line, i);
    m->key = sv_from_to(line, i + 1, end - 1);
    i = skip_space(line, end);
    i = skip_space(line, i + (i < line.n && line.p[i] == ':'));
    m->to = skip_value(line, i);
    m->value = sv_from_to(line, i, m->to);
    *pos = m->to;
    return true;
}

static bool key_is(struct sv raw, const char *name)
{
    if (!raw.n || !memchr(raw.p, '\\', raw.n))
        return sv_is(raw, name);
    struct buf quoted = BUF_INIT;
    buf_char(&quoted, '"');
    buf_sv(&quoted, raw);
    buf_char(&quoted, '"');
    jv v = jv_parse_sized(quoted.data, (int)quoted.len);
    bool is_same = json_is_str(v) && sv_is(json_sv(v), name);
    jv_free(v);
    buf_release(&quoted);
    return is_same;
}

bool rec_raw(const struct rec *r, const char *field, struct sv *value)
{
    struct member m;
    bool is_found = false;
    for (size_t pos = 1; next_member(r->line, &pos, &m);)
        if (key_is(m.key, field)) {
            *value = m.value;
            is_found = true;
        }
    return is_found;
}

int rec_opt_text(const struct rec *r, const char *field, struct buf *tmp, struct sv *out,
                 struct err *err)
{
    struct sv raw = SV_NONE;
    if (!json_is_null(r->v) && r->unread && strcmp(r->unread, field) == 0)
        raw = r->unread_raw;
    if (!raw.n && (json_is_null(r->v) || !json_is_null(json_get(r->v, field)) ||
                   !rec_raw(r, field, &raw)))
        return json_opt_str(r->v, field, out, err);
    if (raw.p[0] == 'n') /* null */
        return 0;
    if (raw.p[0] != '"') { /* to say what it is */
        jv v;
        if (json_parse(&v, raw, err) < 0)
            return -1;
        wrong_kind(field, JV_KIND_STRING, v, err);
        json_free(v);
        return -1;
    }
    *out = sv_from_to(raw, 1, raw.n - 1);
    if (!memchr(out->p, '\\', out->n))
        return 1;
    buf_reset(tmp);
    json_internal_unquote(tmp, *out);
    *out = buf_view(tmp);
    return 1;
}

bool rec_each(const struct rec *r, size_t *pos, struct buf *tmp, struct sv *key,
              struct sv *value)
{
    struct member m;
    if (!next_member(r->line, pos, &m))
        return false;
    *key = m.key;
    *value = m.value;
    if (!memchr(m.key.p, '\\', m.key.n))
        return true;
    jv v = jv_parse_sized(r->line.p + m.from, (int)(m.key.n + 2));
    buf_reset(tmp);
    buf_sv(tmp, json_sv(v));
    jv_free(v);
    *key = buf_view(tmp);
    return true;
}

static bool is_dropped(struct sv key, const char *const drop[], size_t n_drop)
{
    for (size_t i = 0; i < n_drop; i++)
        if (key_is(key, drop[i]))
            return true;
    return false;
}

void rec_begin(struct buf *out, const struct rec *r, const char *const drop[], size_t n_drop)
{
    struct member m;
    size_t kept = 0, from = 1, end = 1; /* [from, end): members kept and not yet copied */
    buf_char(out, '{');
    for (size_t pos = 1; next_member(r->line, &pos, &m);) {
        if (!is_dropped(m.key, drop, n_drop)) {
            if (from == SIZE_MAX)
                from = m.from;
            end = m.to;
            continue;
        }
        if (from != SIZE_MAX && end > from) {
            if (kept++)
                buf_char(out, ',');
            buf_sv(out, sv_trim(sv_from_to(r->line, from, end)));
        }
        from = SIZE_MAX;
        end = 0;
    }
    if (from != SIZE_MAX && end > from) {
        if (kept)
            buf_char(out, ',');
        buf_sv(out, sv_trim(sv_from_to(r->line, from, end)));
    }
}

void rec_end(struct buf *out)
{
    buf_str(out, "}\n");
}

void rec_append(struct buf *out, const struct rec *r, const char *field, struct sv entry)
{
    struct sv old;
    json_key(out, field);
    buf_char(out, '[');
    if (rec_raw(r, field, &old) && old.n >= 2 && old.p[0] == '[')
        buf_sv(out, sv_trim(sv_from_to(old, 1, old.n - 1)));
    json_put_raw(out, entry);
    buf_char(out, ']');
}

/* ---- traces ---- */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void rec_clock(struct rec *r)
{
    r->started_ms = now_ms();
}

void rec_trace(struct buf *out, const struct rec *r, struct sv entry)
{
    if (r->started_ms <= 0) {
        rec_append(out, r, "trace", entry);
        return;
    }
    struct buf timed = BUF_INIT;
    buf_sv(&timed, sv_from_to(entry, 0, entry.n - 1)); /* without the brace */
    json_key(&timed, "ms");
    json_put_num(&timed, round((now_ms() - r->started_ms) * 1e3) / 1e3);
    json_close(&timed, '}');
    rec_append(out, r, "trace", buf_view(&timed));
    buf_release(&timed);
}
