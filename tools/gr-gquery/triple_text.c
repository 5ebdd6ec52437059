// SPDX-License-Identifier: MIT
/*
 * triple_text.c — triple records: by libjq, and by a scanner for those that are plain
 */
#include "triple_text.h"

#include <math.h>

#include "utf8.h"

#define DEPTH_MAX 100

/* ---- checks of both ---- */

static int check_end(struct triple_end *e, const char *field, struct err *err)
{
    e->name = sv_trim(e->name);
    e->type = sv_trim(e->type);
    if (!e->name.n)
        return err_set(err, EXIT_REJECTED, "field \"%s\": the name is empty", field);
    return 0;
}

static int check_place(double v, const char *field, struct err *err)
{
    if (!(v >= 0 && v < 4e9))
        return err_set(err, EXIT_REJECTED, "field \"%s\": expected an offset", field);
    return 0;
}

static int check_numbers(const struct triple_text *t, struct err *err)
{
    if (check_place(t->start, "start", err) < 0 || check_place(t->end, "end", err) < 0)
        return -1;
    if (!(t->confidence >= 0 && t->confidence <= 1))
        return err_set(err, EXIT_REJECTED, "field \"confidence\": expected 0 to 1");
    return 0;
}

static int check_value(struct triple_text *t, struct err *err)
{
    struct grg_value *v = &t->value;
    v->error_low = (float)t->error_low;
    if (!isfinite(v->number) || !isfinite(v->high) || !isfinite(v->error) ||
        !isfinite(v->error_low))
        return err_set(err, EXIT_REJECTED, "field \"value\": expected finite numbers");
    v->flags |= t->is_change ? GRG_IS_CHANGE : 0;
    return 0;
}

static int check_relation(struct triple_text *t, struct err *err)
{
    t->relation = sv_trim(t->relation);
    if (!t->relation.n)
        return err_set(err, EXIT_REJECTED, "field \"relation\": it is empty");
    return 0;
}

static void fill_types(struct triple_text *t)
{
    t->has_value = t->value.flags || t->unit.n;
    if (!t->head.type.n)
        t->head.type = SV("entity");
    if (!t->tail.type.n)
        t->tail.type = t->has_value ? SV("value") : SV("entity");
}

/* Does it deny? -1: it is no polarity. A denied fact that is taken for a plain one is worse
 * than a record less. */
static int denies(struct sv polarity)
{
    polarity = sv_trim(polarity);
    return sv_ieq(polarity, SV("negative"))                  ? 1
           : !polarity.n || sv_ieq(polarity, SV("positive")) ? 0
                                                             : -1;
}

static int read_stance(struct triple_text *t, jv record, struct err *err)
{
    jv polarity = json_get(record, "polarity");
    static const char *const flags[] = { "negated", "unsupported" };
    static const uint8_t stances[] = { GRG_DENIED, GRG_UNSUPPORTED };
    if (json_is_str(polarity) ? denies(json_sv(polarity)) < 0
                              : !json_is_null(polarity) && !isfinite(json_num(polarity)))
        return err_set(err, EXIT_REJECTED,
                       "field \"polarity\": expected \"positive\" or \"negative\"");
    if (denies(json_sv(polarity)) == 1 || json_num(polarity) < 0)
        t->stance |= GRG_DENIED;
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        jv v = json_get(record, flags[i]);
        if (!json_is_null(v) && !json_is_true(v) && jv_get_kind(v) != JV_KIND_FALSE)
            return err_set(err, EXIT_REJECTED, "field \"%s\": expected true or false",
                           flags[i]);
        if (json_is_true(v))
            t->stance |= stances[i];
    }
    return 0;
}

/* Views of nothing, not of NULL. */
static void triple_init(struct triple_text *t)
{
    const struct triple_end none = { SV_NONE, SV_NONE, SV_NONE };
    *t = (struct triple_text){ .head = none, .tail = none, .confidence = 1 };
    struct sv *const all[] = { &t->relation,  &t->paper, &t->chunk,     &t->evidence,
                               &t->extractor, &t->unit,  &t->error_kind };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        *all[i] = SV_NONE;
}

/* ---- by libjq ---- */

static int read_end(struct triple_end *e, jv record, const char *field, struct err *err)
{
    jv v = json_get(record, field);
    if (json_is_str(v)) {
        e->name = json_sv(v);
    } else if (json_is_object(v)) {
        if (json_need_str(v, "name", &e->name, err) < 0 ||
            json_opt_str(v, "type", &e->type, err) < 0 ||
            json_opt_str(v, "id", &e->id, err) < 0)
            return err_prefix(err, "field \"%s\"", field);
    } else {
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": expected an object with name, or a string", field);
    }
    return check_end(e, field, err);
}

static int read_value(struct triple_text *t, jv record, struct err *err)
{
    jv v;
    struct grg_value *g = &t->value;
    int has = json_opt_object(record, "value", &v, err);
    if (has <= 0)
        return has;
    int number = json_opt_num(v, "number", &g->number, err);
    int high = json_opt_num(v, "high", &g->high, err);
    int error = json_opt_num(v, "error", &g->error, err);
    int low = json_opt_num(v, "error_low", &t->error_low, err);
    t->is_change = json_is_true(json_get(v, "change"));
    if (number < 0 || high < 0 || error < 0 || low < 0 ||
        json_opt_str(v, "unit", &t->unit, err) < 0 ||
        json_opt_str(v, "error_kind", &t->error_kind, err) < 0)
        return err_prefix(err, "field \"value\"");
    g->flags = (number ? GRG_HAS_NUMBER : 0) | (high ? GRG_HAS_HIGH : 0) |
               (error ? GRG_HAS_ERROR : 0) | (low ? GRG_HAS_LOW : 0);
    return check_value(t, err);
}

int triple_text_read(struct triple_text *t, jv record, struct err *err)
{
    triple_init(t);
    struct sv *const optional[] = { &t->paper, &t->chunk, &t->evidence, &t->extractor };
    static const char *const names[] = { "paper", "chunk", "evidence", "extractor" };
    if (read_end(&t->head, record, "head", err) < 0 ||
        json_need_str(record, "relation", &t->relation, err) < 0 ||
        read_end(&t->tail, record, "tail", err) < 0 || read_value(t, record, err) < 0 ||
        check_relation(t, err) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (json_opt_str(record, names[i], optional[i], err) < 0)
            return -1;
    if (json_opt_num(record, "start", &t->start, err) < 0 ||
        json_opt_num(record, "end", &t->end, err) < 0 ||
        json_opt_num(record, "confidence", &t->confidence, err) < 0 ||
        check_numbers(t, err) < 0 || read_stance(t, record, err) < 0)
        return -1;
    fill_types(t);
    return 0;
}

/* ---- by the scanner: false means "ask libjq" throughout ---- */

struct scanner {
    const char *p, *end;
};

static void skip_space(struct scanner *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

static bool take(struct scanner *s, char c)
{
    if (s->p >= s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* The bytes of w that are c have their top bits set; so may such that follow one. */
static uint64_t bytes_that_are(uint64_t w, unsigned char c)
{
    const uint64_t ones = 0x0101010101010101u;
    w ^= ones * c;
    return (w - ones) & ~w;
}

/* A string of no escapes, from its opening quote on. */
static bool scan_string(struct scanner *s, struct sv *out)
{
    if (!take(s, '"'))
        return false;
    const char *p = s->p;
    for (; s->end - p >= 8; p += 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        uint64_t below = (w - 0x2020202020202020u) & ~w;
        uint64_t found =
            (below | bytes_that_are(w, '"') | bytes_that_are(w, '\\')) & 0x8080808080808080u;
        if (found) {
            p += __builtin_ctzll(found) / 8; /* the first of them is a true one */
            break;
        }
    }
    while (p < s->end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    if (p >= s->end || *p != '"')
        return false;
    *out = (struct sv){ s->p, (size_t)(p - s->p) };
    s->p = p + 1;
    return true;
}

static bool scan_digits(struct scanner *s)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return s->p > from;
}

/* As json_read reads them. */
static bool scan_number(struct scanner *s, double *out)
{
    const char *from = s->p;
    bool minus = take(s, '-');
    const char *digits = s->p;
    if (!scan_digits(s) || (*digits == '0' && s->p - digits > 1))
        return false;
    if (s->p - digits <= 15 && (s->p >= s->end || (*s->p != '.' && (*s->p | 32) != 'e'))) {
        int64_t n = 0;
        for (const char *d = digits; d < s->p; d++)
            n = n * 10 + (*d - '0');
        *out = (double)(minus ? -n : n);
        return !(minus && n == 0);
    }
    if (take(s, '.') && !scan_digits(s))
        return false;
    if (s->p < s->end && (*s->p | 32) == 'e') {
        s->p++;
        if (!take(s, '-'))
            take(s, '+');
        if (!scan_digits(s))
            return false;
    }
    char copy[64];
    size_t n = (size_t)(s->p - from);
    if (n >= sizeof copy)
        return false;
    memcpy(copy, from, n);
    copy[n] = '\0';
    *out = strtod(copy, NULL);
    return isfinite(*out);
}

static bool scan_word(struct scanner *s, struct sv word)
{
    if ((size_t)(s->end - s->p) < word.n || memcmp(s->p, word.p, word.n) != 0)
        return false;
    s->p += word.n;
    return true;
}

static bool skip_value(struct scanner *s, int depth);

/* Behind the opening bracket or brace. */
static bool skip_members(struct scanner *s, bool is_object, int depth)
{
    struct sv key;
    char close = is_object ? '}' : ']';
    skip_space(s);
    if (take(s, close))
        return true;
    do {
        skip_space(s);
        if (is_object && !scan_string(s, &key))
            return false;
        skip_space(s);
        if ((is_object && !take(s, ':')) || !skip_value(s, depth))
            return false;
        skip_space(s);
    } while (take(s, ','));
    return take(s, close);
}

static bool skip_value(struct scanner *s, int depth)
{
    struct sv text;
    double number;
    skip_space(s);
    if (s->p >= s->end || depth >= DEPTH_MAX)
        return false;
    switch (*s->p) {
    case '"':
        return scan_string(s, &text);
    case '{':
    case '[':
        s->p++;
        return skip_members(s, s->p[-1] == '{', depth + 1);
    case 't':
        return scan_word(s, SV("true"));
    case 'f':
        return scan_word(s, SV("false"));
    case 'n':
        return scan_word(s, SV("null"));
    default:
        return scan_number(s, &number);
    }
}

/* A member that is looked at, and where it goes. */
enum kind { TEXT, NUMBER, END, VALUE, FLAG };
struct member {
    struct sv key;
    enum kind kind;
    void *to;
    uint32_t
        flag; /* of a NUMBER: set in *flags when it is there; of a FLAG: in *to when true */
};

struct members {
    const struct member *all;
    size_t n;
    uint32_t *flags;
};

static bool scan_members(struct scanner *s, const struct members *m, int depth);

static bool scan_end(struct scanner *s, struct triple_end *e, int depth)
{
    if (s->p < s->end && *s->p == '"')
        return scan_string(s, &e->name);
    const struct member all[] = { { SV("name"), TEXT, &e->name, 0 },
                                  { SV("type"), TEXT, &e->type, 0 },
                                  { SV("id"), TEXT, &e->id, 0 } };
    return scan_members(s, &(struct members){ all, ARRAY_LEN(all), NULL }, depth);
}

static bool scan_quantity(struct scanner *s, struct triple_text *t, int depth)
{
    struct grg_value *v = &t->value;
    const struct member all[] = { { SV("number"), NUMBER, &v->number, GRG_HAS_NUMBER },
                                  { SV("high"), NUMBER, &v->high, GRG_HAS_HIGH },
                                  { SV("error"), NUMBER, &v->error, GRG_HAS_ERROR },
                                  { SV("error_low"), NUMBER, &t->error_low, GRG_HAS_LOW },
                                  { SV("change"), FLAG, &t->is_change, 1 },
                                  { SV("unit"), TEXT, &t->unit, 0 },
                                  { SV("error_kind"), TEXT, &t->error_kind, 0 } };
    return scan_members(s, &(struct members){ all, ARRAY_LEN(all), &v->flags }, depth);
}

static bool scan_one(struct scanner *s, const struct member *m, uint32_t *flags, int depth)
{
    skip_space(s);
    if (s->p < s->end && *s->p == 'n') /* null: as if it were not there */
        return scan_word(s, SV("null"));
    if (m->kind == TEXT)
        return scan_string(s, m->to);
    if (m->kind == END)
        return scan_end(s, m->to, depth);
    if (m->kind == VALUE)
        return scan_quantity(s, m->to, depth);
    if (m->kind == FLAG) {
        if (scan_word(s, SV("false")))
            return true;
        *(uint8_t *)m->to |= (uint8_t)m->flag;
        return scan_word(s, SV("true"));
    }
    if (flags)
        *flags |= m->flag;
    return scan_number(s, m->to);
}

/* An object: known members to their places, each at most once, all others skipped. */
static bool scan_members(struct scanner *s, const struct members *m, int depth)
{
    unsigned seen = 0;
    struct sv key;
    if (!take(s, '{') || depth >= DEPTH_MAX)
        return false;
    skip_space(s);
    if (take(s, '}'))
        return true;
    do {
        size_t i = 0;
        skip_space(s);
        if (!scan_string(s, &key))
            return false;
        skip_space(s);
        if (!take(s, ':'))
            return false;
        while (i < m->n &&
               !(key.n == m->all[i].key.n && memcmp(key.p, m->all[i].key.p, key.n) == 0))
            i++;
        if (i < m->n ? seen >> i & 1 || !scan_one(s, &m->all[i], m->flags, depth + 1)
                     : !skip_value(s, depth + 1))
            return false;
        seen |= i < m->n ? 1u << i : 0;
        skip_space(s);
    } while (take(s, ','));
    return take(s, '}');
}

bool triple_text_scan(struct triple_text *t, struct sv line)
{
    struct scanner s = { line.p, line.p + line.n };
    struct err ignored;
    struct sv polarity = SV_NONE;
    triple_init(t);
    const struct member all[] = {
        { SV("head"), END, &t->head, 0 },
        { SV("relation"), TEXT, &t->relation, 0 },
        { SV("tail"), END, &t->tail, 0 },
        { SV("value"), VALUE, t, 0 },
        { SV("paper"), TEXT, &t->paper, 0 },
        { SV("chunk"), TEXT, &t->chunk, 0 },
        { SV("evidence"), TEXT, &t->evidence, 0 },
        { SV("extractor"), TEXT, &t->extractor, 0 },
        { SV("start"), NUMBER, &t->start, 0 },
        { SV("end"), NUMBER, &t->end, 0 },
        { SV("confidence"), NUMBER, &t->confidence, 0 },
        { SV("polarity"), TEXT, &polarity, 0 },
        { SV("negated"), FLAG, &t->stance, GRG_DENIED },
        { SV("unsupported"), FLAG, &t->stance, GRG_UNSUPPORTED },
    };
    if (line.n >= (size_t)1 << 30 ||
        !scan_members(&s, &(struct members){ all, ARRAY_LEN(all), NULL }, 0) || s.p != s.end ||
        utf8_check(line) != SIZE_MAX)
        return false;
    if (check_end(&t->head, "head", &ignored) < 0 || check_relation(t, &ignored) < 0 ||
        check_end(&t->tail, "tail", &ignored) < 0 || check_value(t, &ignored) < 0 ||
        check_numbers(t, &ignored) < 0 || denies(polarity) < 0)
        return false;
    if (denies(polarity))
        t->stance |= GRG_DENIED;
    fill_types(t);
    return true;
}
