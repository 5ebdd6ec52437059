// SPDX-License-Identifier: MIT
/*
 * units.c — units of measurement: every spelling in one map, blanks and dots left out
 */
#include "units.h"

#include <math.h>

#include "alloc.h"
#include "buf.h"
#include "map.h"
#include "utf8.h"
#include "vocab.h"

#define UNIT_MAX_BYTES 40
#define BEGIN_BITS 15

struct units {
    struct vocab *v;
    struct map *spellings;
    uint32_t *entry_of;                     /* per spelling */
    uint64_t begins[1 << (BEGIN_BITS - 6)]; /* bits of the hashes of all beginnings */
    bool *has_gap;     /* per spelling: written with blanks, dots or a sign between */
    uint32_t *same_as; /* per entry: the one that stands for it */
    enum unit_kind *kinds;
};

/* The normal form of one character of a unit, "" for those that do not count; false: no
 * character of a unit. */
static bool normal_char(uint32_t cp, char out[8], size_t *n)
{
    *n = 0;
    if ((cp | 32) - 'a' < 26) { /* by far the most */
        out[(*n)++] = (char)cp;
        return true;
    }
    int digit = utf8_digit_value(cp);
    if (digit >= 0) {
        out[(*n)++] = (char)('0' + digit);
        return true;
    }
    switch (cp) {
    case ' ':
    case 0xA0:
    case 0x202F:
    case 0x2009:
    case '.':
    case '^':
    case '*':
    case 0xB7:
    case 0x22C5:
    case 0x2062:
        return true;
    case '-':
    case 0x2010:
    case 0x2011:
    case 0x2013:
    case 0x2212:
    case 0x207B:
        out[(*n)++] = '-';
        return true;
    case 0xB5:
        cp = 0x3BC;
        break;
    case 0xBA:
        cp = 0xB0;
        break; /* º for ° */
    case 0x2044:
    case 0x2215:
        cp = '/';
        break;
    default:
        break;
    }
    if (cp < 0x80) {
        out[(*n)++] = (char)cp;
        return cp == '/' || cp == '%';
    }
    struct buf b = BUF_INIT;
    utf8_put(&b, cp);
    memcpy(out, b.data, b.len);
    *n = b.len;
    buf_release(&b);
    return true;
}

static void normal_form(struct sv s, struct buf *out)
{
    char c[8];
    size_t n;
    for (size_t pos = 0; pos < s.n;)
        if (normal_char(utf8_next(s, &pos), c, &n))
            buf_add(out, c, n);
}

static enum unit_kind kind_of(const struct vocab *v, uint32_t entry)
{
    static const struct {
        const char *quantity;
        enum unit_kind kind;
    } kinds[] = {
        { "fraction", UNIT_FRACTION },
        { "mass_fraction", UNIT_FRACTION },
        { "volume_fraction", UNIT_FRACTION },
        { "atom_fraction", UNIT_FRACTION },
        { "amount_fraction", UNIT_FRACTION },
        { "mass_concentration", UNIT_FRACTION },
        { "amount_concentration", UNIT_FRACTION },
        { "molality", UNIT_FRACTION },
        { "flux", UNIT_FLUX },
        { "areal_flux", UNIT_FLUX },
        { "activity", UNIT_FLUX },
        { "specific_activity", UNIT_FLUX },
        { "delta", UNIT_DELTA },
        { "epsilon", UNIT_DELTA },
        { "age", UNIT_AGE },
        { "temperature", UNIT_TEMPERATURE },
        { "pressure", UNIT_PRESSURE },
        { "length", UNIT_LENGTH },
        { "depth", UNIT_LENGTH },
    };
    struct sv q = SV_NONE;
    vocab_attr(v, entry, "quantity", &q);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (sv_is(q, kinds[i].quantity))
            return kinds[i].kind;
    return UNIT_OTHER;
}

/* Fractions with the factor of ppm, ppb or ppt are those. */
static uint32_t stand_in(const struct vocab *v, uint32_t entry)
{
    static const char *const names[] = { "ppm", "ppb", "ppt" };
    struct sv q = SV_NONE, factor = SV_NONE, other;
    vocab_attr(v, entry, "quantity", &q);
    vocab_attr(v, entry, "factor", &factor);
    double a, b;
    if (!sv_is(q, "mass_fraction") || !sv_to_double(factor, &a))
        return entry;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        for (uint32_t e = 0; e < vocab_count(v); e++)
            if (sv_is(vocab_name(v, e), names[i]) && vocab_attr(v, e, "factor", &other) &&
                sv_to_double(other, &b) && a >= b * 0.999 && a <= b * 1.001)
                return e;
    return entry;
}

/* Hash of a beginning of a spelling that goes on with c; that of "" is 0. */
static uint32_t begin_add(uint32_t h, char c)
{
    h = (h ^ (unsigned char)c) * 0x9E3779B1U;
    return h ^ h >> 15;
}

static bool may_go_on(const struct units *u, uint32_t h)
{
    unsigned bit = h & ((1U << BEGIN_BITS) - 1);
    return u->begins[bit >> 6] >> (bit & 63) & 1;
}

static void add_spelling(struct units *u, struct sv s, uint32_t entry, size_t *cap)
{
    /* words and labels far more often than units */
    static const char *const never[] = { "a", "A", "in.", "in", "no", "y" };
    for (size_t i = 0; i < ARRAY_LEN(never); i++)
        if (sv_is(s, never[i]))
            return;
    struct buf key = BUF_INIT;
    normal_form(s, &key);
    bool is_new, has_gap = key.len != s.n;
    size_t at = key.len ? map_put(u->spellings, buf_view(&key), &is_new) : MAP_NONE;
    uint32_t h = 0;
    for (size_t i = 0; i < key.len; i++) {
        h = begin_add(h, key.data[i]);
        unsigned bit = h & ((1U << BEGIN_BITS) - 1);
        u->begins[bit >> 6] |= (uint64_t)1 << (bit & 63);
    }
    buf_release(&key);
    if (at == MAP_NONE)
        return;
    if (at >= *cap) {
        *cap = alloc_grow(*cap, at + 1);
        u->entry_of = alloc_resize(u->entry_of, *cap, sizeof *u->entry_of);
        u->has_gap = alloc_resize(u->has_gap, *cap, sizeof *u->has_gap);
    }
    if (is_new) {
        u->entry_of[at] = entry;
        u->has_gap[at] = false;
    }
    u->has_gap[at] |= has_gap;
}

struct units *units_load(const char *path, struct err *err)
{
    struct vocab *v = vocab_load_file(path, err);
    if (!v)
        return NULL;
    struct units *u = alloc_zero(1, sizeof *u);
    u->v = v;
    u->spellings = map_new();
    size_t n = vocab_count(v), cap = 0;
    u->same_as = alloc_array(n + 1, sizeof *u->same_as);
    u->kinds = alloc_array(n + 1, sizeof *u->kinds);
    for (uint32_t e = 0; e < n; e++) {
        u->same_as[e] = stand_in(v, e);
        u->kinds[e] = kind_of(v, e);
        add_spelling(u, vocab_name(v, e), e, &cap);
    }
    for (uint32_t e = 0; e < n; e++) {
        struct sv rest = vocab_synonyms(v, e), one;
        while (rest.n && sv_cut(&rest, '|', &one))
            add_spelling(u, one, e, &cap);
    }
    return u;
}

void units_free(struct units *u)
{
    if (!u)
        return;
    vocab_free(u->v);
    map_free(u->spellings);
    free(u->entry_of);
    free(u->has_gap);
    free(u->same_as);
    free(u->kinds);
    free(u);
}

static bool is_letter_at(struct sv s, size_t pos)
{
    if (pos >= s.n)
        return false;
    uint32_t cp = utf8_next(s, &pos);
    return utf8_is_letter(cp);
}

/* "wt%a", "‰b": the letter of a footnote behind a sign that ends a unit. */
static bool is_footnote(struct sv s, size_t end)
{
    bool has_sign = end > 0 && (s.p[end - 1] == '%' ||
                                (end > 2 && !memcmp(s.p + end - 3, "\xe2\x80\xb0", 3)));
    if (has_sign && end < s.n && s.p[end - 1] == '%' && s.p[end] >= 'A' && s.p[end] <= 'Z' &&
        s.p[end] != 'R')
        return true; /* "5 wt%H2O", but "%Ro" */
    return has_sign && end < s.n && s.p[end] >= 'a' && s.p[end] <= 'h' &&
           !is_letter_at(s, end + 1);
}

/* May a unit end at byte `end`? Not inside a word; digits glued behind must be a reference. */
static bool can_end(struct sv s, size_t end)
{
    size_t pos = end, n = 0;
    while (pos < s.n && s.p[pos] >= '0' && s.p[pos] <= '9')
        pos++, n++;
    return n <= 3 && (!is_letter_at(s, pos) || is_footnote(s, end));
}

/* The dot behind "m.y", "B.P" and "equiv" is theirs: the byte after it, or `end`. */
static size_t own_dot(struct sv s, size_t start, size_t end)
{
    static const char *const cut[] = { "equiv", "eqv", "eq" };
    if (end >= s.n || s.p[end] != '.' || end < start + 2)
        return end;
    if (s.p[end - 2] == '.' && (unsigned char)((s.p[end - 1] | 32) - 'a') < 26)
        return end + 1;
    for (size_t i = 0; i < ARRAY_LEN(cut) && end > start + 4; i++)
        if (sv_ends(sv_from_to(s, start, end), sv_from(cut[i])))
            return end + 1;
    return end;
}

/* "3 s.d.", "2 s.e.": a deviation, no second. */
static bool is_deviation(char unit, struct sv s, size_t end)
{
    return unit == 's' && end + 1 < s.n && s.p[end] == '.' &&
           (s.p[end + 1] == 'd' || s.p[end + 1] == 'e');
}

/* "2 K-feldspar": an element before the hyphen of a name, no kelvins. */
static bool is_symbol(char unit, struct sv s, size_t end)
{
    return strchr("KVWNMJ", unit) && end < s.n && s.p[end] == '-' && is_letter_at(s, end + 1);
}

uint32_t units_match(const struct units *u, struct sv text, size_t pos, size_t *end)
{
    char key[UNIT_MAX_BYTES];
    size_t n = 0;
    uint32_t best = UNIT_NONE, begin = 0;
    bool is_gap = false, has_gap = false;
    size_t from = pos;
    while (pos < text.n) {
        char c[8];
        size_t more, at = pos;
        if (n == 0 && text.p[pos] == '.')
            break;
        if (!normal_char(utf8_next(text, &pos), c, &more) || n + more > sizeof key)
            break;
        if (!more) {
            is_gap |= n && text.p[at] == ' ';
            continue;
        }
        /* "5 m in" is no minute: letters apart are one unit only where the table has a gap */
        has_gap |= is_gap && key[n - 1] != '/' && is_letter_at(text, at);
        is_gap = false;
        memcpy(key + n, c, more);
        for (size_t end_of = n + more; n < end_of; n++)
            begin = begin_add(begin, key[n]);
        if (!may_go_on(u, begin))
            break;
        if (!can_end(text, pos) ||
            (n == 1 && (is_symbol(key[0], text, pos) || is_deviation(key[0], text, pos))))
            continue;
        size_t found = map_get(u->spellings, (struct sv){ key, n });
        if (found != MAP_NONE && (!has_gap || u->has_gap[found]) &&
            !vocab_word_is(sv_from_to(text, from, pos), "by")) {
            best = u->same_as[u->entry_of[found]];
            *end = pos;
        }
    }
    if (best != UNIT_NONE)
        *end = own_dot(text, from, *end);
    return best;
}

uint32_t units_find(const struct units *u, struct sv text)
{
    bool is_start = true;
    for (size_t pos = 0, end; pos < text.n;) {
        uint32_t unit = is_start ? units_match(u, text, pos, &end) : UNIT_NONE;
        if (unit != UNIT_NONE)
            return unit;
        uint32_t cp = utf8_next(text, &pos);
        is_start = utf8_is_space(cp) || cp == '(' || cp == '[' || cp == ',';
    }
    return UNIT_NONE;
}

struct sv units_name(const struct units *u, uint32_t unit)
{
    return unit >= UNIT_TEXT ? SV("") : vocab_name(u->v, unit);
}

enum unit_kind units_kind(const struct units *u, uint32_t unit)
{
    return unit >= UNIT_TEXT ? UNIT_OTHER : u->kinds[unit];
}

bool units_is_time(const struct units *u, uint32_t unit)
{
    struct sv q = SV_NONE;
    return unit < UNIT_TEXT && vocab_attr(u->v, unit, "quantity", &q) &&
           (sv_is(q, "time") || sv_is(q, "age"));
}

/* Ten digits: what factors and measurements have, without the dust of binary fractions. */
static bool rounded(double value, double *out)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.10g", value);
    return sv_to_double(sv_from(digits), out) && isfinite(*out);
}

static bool factor_of(const struct units *u, uint32_t unit, double *factor)
{
    struct sv text;
    return unit < UNIT_TEXT && vocab_attr(u->v, unit, "factor", &text) &&
           sv_to_double(text, factor);
}

bool units_convert(const struct units *u, uint32_t unit, double value, double *out,
                   struct sv *base)
{
    struct sv text;
    double factor, offset = 0;
    if (!factor_of(u, unit, &factor) || !vocab_attr(u->v, unit, "base", base))
        return false;
    if (vocab_attr(u->v, unit, "offset", &text) && !sv_to_double(text, &offset))
        return false;
    return rounded(value * factor + offset, out);
}

bool units_convert_error(const struct units *u, uint32_t unit, double error, double *out)
{
    double factor;
    return factor_of(u, unit, &factor) && rounded(error * factor, out);
}

uint32_t units_named(const struct units *u, struct sv text)
{
    size_t end = 0;
    text = sv_trim(text);
    uint32_t unit = units_match(u, text, 0, &end);
    return end == text.n ? unit : UNIT_NONE;
}

struct sv units_scale(const struct units *u, uint32_t unit, double *factor, double *offset)
{
    /* A year of 365.25 days, as the table has it for months. */
    static const double seconds_a_year = 31557600;
    static const char *const same[][2] = { { "time", "age" },
                                           { "depth", "length" },
                                           { "fraction", "mass_fraction" } };
    struct sv quantity = SV_NONE, text = SV_NONE;
    *factor = 1;
    *offset = 0;
    if (unit == UNIT_NONE || !vocab_attr(u->v, unit, "quantity", &quantity) ||
        !vocab_attr(u->v, unit, "factor", &text) || !sv_to_double(text, factor) ||
        !(*factor > 0))
        return SV("");
    if (vocab_attr(u->v, unit, "offset", &text) && !sv_to_double(text, offset))
        *offset = 0;
    if (sv_is(quantity, "time"))
        *factor /= seconds_a_year;
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (sv_is(quantity, same[i][0]))
            return sv_from(same[i][1]);
    return quantity;
}
