// SPDX-License-Identifier: MIT
/*
 * json.h — records: parsing with libjq, typed reading, splice-through writing
 *
 * Everything that reads borrows: a jv handed out by json_get or json_at belongs to its parent
 * and is valid until rec_release; never jv_free it. Only json.c counts references. A jv never
 * crosses threads; hand over the raw line and parse it in the worker.
 *
 * Writing appends text to a struct buf. json_key and the json_put_ functions place commas by
 * looking at the last byte, so objects and arrays are written as they read:
 *     buf_char(b, '{'); json_key(b, "a"); json_put_num(b, 1); buf_char(b, '}');
 */
#ifndef GR_JSON_H
#define GR_JSON_H

#include <jv.h>

#include "buf.h"
#include "err.h"
#include "gr.h"
#include "sv.h"

/* ---- records ---- */

struct rec {
    struct sv line;       /* the raw object, trimmed; borrowed from who read it */
    const char *file;     /* where it was read, for messages; borrowed */
    uint64_t number;      /* line number from 1 */
    jv v;                 /* the parsed object, owned */
    struct buf *warnings; /* lines for rec_warn; may be NULL */
    struct buf *reply;    /* what a service said about it, for --rejects; may be NULL */
    double started_ms;    /* when work on it began, for rec_trace; 0: no times are wanted */
    const char *unread;   /* the first member left unread, NULL: none */
    struct sv unread_raw; /* its value in the line, empty: to be looked for */
};

/* Parse one line into r->v. Rejected: invalid UTF-8, broken JSON (NaN and .5 too, which libjq
 * alone would take), nesting deeper than libjq's limit (256), anything but an object. r->line
 * keeps pointing at the caller's bytes. */
int rec_parse(struct rec *r, struct sv line, struct err *err);

/* The same; the members named in `unread` (up to a NULL; NULL: none) are checked but may be
 * missing from r->v: for large ones that a tool does not look at. */
int rec_parse_some(struct rec *r, struct sv line, const char *const *unread, struct err *err);
void rec_release(struct rec *r);

/* A warning about this record, printed in input order with file and line ("…: warning: …"). */
void rec_warn(const struct rec *r, const char *fmt, ...) GR_PRINTF(2, 3);

/* ---- reading (borrowed values) ---- */

/* Field of an object; an absent field and null both give a value of kind JV_KIND_NULL. */
jv json_get(jv object, const char *field);
/* Element of an array (null when out of range) and number of elements (0 when no array). */
jv json_at(jv array, size_t i);
size_t json_len(jv array);

bool json_is_null(jv v);
bool json_is_str(jv v);
bool json_is_num(jv v);
bool json_is_array(jv v);
bool json_is_object(jv v);
bool json_is_true(jv v);

struct sv json_sv(jv v); /* text of a string, "" for any other kind */
double json_num(jv v);   /* value of a number, NaN for any other kind */

/* Required fields: 0, or -1 with err `field "x": expected string`. */
int json_need_str(jv object, const char *field, struct sv *out, struct err *err);
int json_need_num(jv object, const char *field, double *out, struct err *err);
int json_need_array(jv object, const char *field, jv *out, struct err *err);
int json_need_object(jv object, const char *field, jv *out, struct err *err);

/* Optional fields: 1 present, 0 absent or null (*out untouched), -1 of a wrong kind. */
int json_opt_str(jv object, const char *field, struct sv *out, struct err *err);
int json_opt_num(jv object, const char *field, double *out, struct err *err);
int json_opt_array(jv object, const char *field, jv *out, struct err *err);
int json_opt_object(jv object, const char *field, jv *out, struct err *err);

/* Visit the members of an object in the order of their keys' bytes: size_t i = 0;
 * while (json_each(obj, &i, &key, &value)) … Key and value are borrowed. O(n) each call: meant
 * for objects of tens of members. */
bool json_each(jv object, size_t *i, struct sv *key, jv *value);

/* Parse a whole JSON text (a reply, a file). The caller owns the value: json_free. Rejects as
 * rec_parse does, but takes any kind of value. */
int json_parse(jv *out, struct sv text, struct err *err);
void json_free(jv v);

/* Would json_parse take it? The same errors; nothing is made, so it is some times as fast. */
int json_check(struct sv text, struct err *err);

/* ---- writing ---- */

void json_key_sv(struct buf *b, struct sv key);              /* comma if needed, "key": */
static inline void json_key(struct buf *b, const char *key); /* the same */
void json_put_str(struct buf *b, struct sv s); /* "…", controls escaped, U+FFFD for no UTF-8 */
void json_put_num(struct buf *b, double v);    /* shortest text that reads back the same */
void json_put_float(struct buf *b, float v);   /* shortest text for a float */
void json_put_int(struct buf *b, int64_t v);
void json_put_bool(struct buf *b, bool v);
void json_put_null(struct buf *b);
void json_put_jv(struct buf *b, jv borrowed);     /* any parsed value */
void json_put_raw(struct buf *b, struct sv text); /* comma if needed, then text as it is */
void json_open(struct buf *b, char bracket);      /* '{' or '[', comma before it if needed */
void json_close(struct buf *b, char bracket);     /* '}' or ']' */

/* A whole member, "key":value; left out when the text is empty or the number not finite. */
void json_add_str(struct buf *b, const char *key, struct sv s);
void json_add_num(struct buf *b, const char *key, double v);
void json_add_size(struct buf *b, const char *key, size_t n); /* never left out */

/* The text between the quotes where json_put_str would only copy: s.n bytes at `to`, and true.
 * False when a byte is escaped or not ASCII; `to` may then hold some of it. Inline: for writers
 * of thousands of small strings. */
static inline bool json_copy_plain(char *to, struct sv s);
#include "json_plain.inc"

/* Non-finite numbers have no JSON form: json_put_num and json_put_float write null for them;
 * callers that must not lose them check isfinite first. */

/* ---- splice-through ---- */

/* Start the output form of r: its raw bytes without the members named in drop (n_drop of them)
 * and without the closing brace, so that json_key(out, …) goes on. Members kept are byte for
 * byte as they came. */
void rec_begin(struct buf *out, const struct rec *r, const char *const drop[], size_t n_drop);

/* "}\n" */
void rec_end(struct buf *out);

/* The raw bytes of a member's value; false when there is none. The last one counts. */
bool rec_raw(const struct rec *r, const char *field, struct sv *value);

/* A string member whether or not it is among those left unread: 1, 0 when absent, -1 with err
 * when it is of another kind. *out is a view into r->v, r->line or tmp. For long texts, which
 * libjq would copy and check once more, byte by byte. */
int rec_opt_text(const struct rec *r, const char *field, struct buf *tmp, struct sv *out,
                 struct err *err);

/* Visit the members of a raw object in order, values as they are: size_t pos = 1;
 * while (rec_each(r, &pos, &tmp, &key, &value)) … A key that has escapes is unescaped into tmp.
 * No step outside r->line, whatever is in it. */
bool rec_each(const struct rec *r, size_t *pos, struct buf *tmp, struct sv *key,
              struct sv *value);

/* Write `"field":[old elements,entry]`: an array member of r with one more element (raw JSON).
 * The caller named field in rec_begin's drop. A member that is no array is replaced. */
void rec_append(struct buf *out, const struct rec *r, const char *field, struct sv entry);

/* Note that work on r begins now: its trace entry will say how long it took. */
void rec_clock(struct rec *r);

/* rec_append for the member `trace`: one more entry, a JSON object. With a running clock the
 * entry gets a member "ms" more, the milliseconds since rec_clock. */
void rec_trace(struct buf *out, const struct rec *r, struct sv entry);

#endif
