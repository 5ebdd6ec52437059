// SPDX-License-Identifier: MIT
/*
 * units_compose.c — units that no table lists, put together from symbols: "mA/cm2", "kg mm−2"
 *
 * A factor is a prefix, a symbol and an exponent; factors are joined by "/", a dot or, before a
 * negative exponent, a blank. Symbols and the prefixes they take: SI Brochure (9th ed.), tables
 * 2, 4, 7 and 8, and what geochemists and astronomers use beside them.
 */
#include "quantity_impl.h"

#include <pthread.h>

#include "utf8.h"

#define S(symbol) symbol, sizeof(symbol) - 1

static const struct base {
    const char *symbol;
    size_t n;
    const char *prefixes; /* µ stands for its three letters */
    bool stands_alone;    /* without prefix, exponent or partner */
    bool has_powers;      /* m2, s2 */
} bases[] = {
    { S("mol"), "mµnpfkMGT", true, false },
    { S("year"), "", false, false },
    { S("hour"), "", false, false },
    { S("week"), "", false, false },
    { S("month"), "", false, false },
    { S("emu"), "mk", true, false },
    { S("bps"), "kMG", true, false },
    { S("ppm"), "", false, false },
    { S("ppb"), "", false, false },
    { S("\xe2\x80\xb0"), "", false, false },
    { S("min"), "", true, false },
    { S("atm"), "mµ", true, false },
    { S("bar"), "kmµ", true, false },
    { S("cal"), "k", true, false },
    { S("Torr"), "m", true, false },
    { S("grains"), "", false, false },
    { S("ions"), "", false, false },
    { S("atoms"), "", false, false },
    { S("cells"), "", false, false },
    { S("VA"), "kMG", true, false },
    { S("Wh"), "kMGT", true, false },
    { S("Ah"), "km", true, false },
    { S("Hz"), "kMGTm", true, false },
    { S("Pa"), "hkMGTmµ", true, false },
    { S("eV"), "kMGTmµ", true, false },
    { S("Bq"), "kMGTmµ", true, false },
    { S("Gy"), "mµkc", true, false },
    { S("Sv"), "mµn", true, false },
    { S("Wb"), "m", true, false },
    { S("lx"), "k", true, false },
    { S("lm"), "", true, false },
    { S("cd"), "k", false, false },
    { S("Jy"), "mµk", true, false },
    { S("Oe"), "k", true, false },
    { S("AU"), "", true, true },
    { S("au"), "", false, false },
    { S("pc"), "kMG", true, false },
    { S("ly"), "", true, false },
    { S("yr"), "kMG", true, false },
    { S("hr"), "", true, false },
    { S("sr"), "m", true, false },
    { S("rad"), "mµk", true, false },
    { S("dB"), "", true, false },
    { S("erg"), "", true, false },
    { S("dyn"), "", true, false },
    { S("bp"), "kM", true, false },
    { S("Da"), "kM", true, false },
    { S("rpm"), "", true, false },
    { S("IU"), "m", true, false },
    { S("AT"), "", false, false },
    { S("ha"), "", false, false },
    { S("sec"), "m", true, false },
    { S("day"), "", false, false },
    { S("ft"), "", true, true },
    { S("lb"), "k", true, false },
    { S("m"), "kcdmµnpf", true, true },
    { S("g"), "kmµnpfcT", true, false },
    { S("s"), "mµnpf", true, true },
    { S("A"), "kmµnpf", false, false },
    { S("K"), "mµn", false, false },
    { S("L"), "mµnpcdh", true, false },
    { S("l"), "mµnpcdh", false, false },
    { S("N"), "kMmµn", false, false },
    { S("J"), "kMGTmµ", false, false },
    { S("W"), "kMGTPmµnp", true, false },
    { S("V"), "kMmµn", false, false },
    { S("C"), "mµnpk", false, false },
    { S("F"), "mµnp", false, false },
    { S("T"), "mµnp", false, false },
    { S("G"), "kMmµn", false, false },
    { S("M"), "mµnpf", false, false },
    { S("S"), "mµn", false, false },
    { S("U"), "kmµ", false, false },
    { S("t"), "kMG", false, false },
    { S("a"), "kMG", false, false },
    { S("h"), "", false, false },
    { S("d"), "", false, false },
    { S("b"), "kMG", false, false },
    { S("B"), "kMGT", false, false },
    { S("\xce\xa9"), "kMm", true, false },
    { S("\xc3\x85"), "", true, false },
    { S("\xc2\xb0"
        "C"),
      "m", true, false },
    { S("\xc2\xb0"), "", false, false },
    { S("%"), "", false, false },
};

#define LONGEST 7 /* letters of a symbol with its prefix */

static bool starts_at(struct sv s, size_t pos, const char *what, size_t *after)
{
    size_t n = strlen(what);
    if (s.n - pos < n || memcmp(s.p + pos, what, n) != 0)
        return false;
    *after = pos + n;
    return true;
}

/* The prefix at pos that the unit takes, or none. */
static size_t skip_prefix(struct sv s, size_t pos, const char *prefixes)
{
    size_t after;
    unsigned char c = pos < s.n ? (unsigned char)s.p[pos] : 0;
    if ((c == 'u' || c == 0xC2 || c == 0xCE) && strstr(prefixes, "\xc2\xb5") &&
        (starts_at(s, pos, "\xc2\xb5", &after) || starts_at(s, pos, "\xce\xbc", &after) ||
         starts_at(s, pos, "u", &after)))
        return after;
    return c && c < 0x80 && strchr(prefixes, c) ? pos + 1 : pos;
}

/* A superscript or a number behind a symbol; *negative. Bare digits count behind lengths and
 * seconds alone: elsewhere they are references ("2.71 Ga13"). pos when there is none. */
static size_t skip_exponent(struct sv s, size_t pos, bool is_length, bool *negative)
{
    static const char *const minus[] = { "\xe2\x88\x92", "-", "\xe2\x80\x93", "\xe2\x81\xbb" };
    size_t at = pos, after;
    bool caret = starts_at(s, at, "^", &at), brace = caret && starts_at(s, at, "{", &at);
    size_t gap = at;
    starts_at(s, gap, " ", &gap);
    *negative = false;
    for (size_t i = 0; i < ARRAY_LEN(minus) && !*negative; i++)
        *negative = starts_at(s, gap, minus[i], &after);
    if (*negative)
        at = after;
    if (*negative && at < s.n && s.p[at] == ' ')
        at++;
    size_t n = 0;
    while (at < s.n && n < 2) {
        size_t next = at;
        int digit = utf8_digit_value(utf8_next(s, &next));
        if (digit < 0 || (n == 0 && digit == 0))
            break;
        if (!*negative && !caret && (!is_length || digit < 2 || digit > 4 || n == 1))
            return pos;
        at = next;
        n++;
    }
    if (!n)
        return pos;
    return brace && at < s.n && s.p[at] == '}' ? at + 1 : at;
}

static bool is_letter_at(struct sv s, size_t pos)
{
    return pos < s.n && utf8_is_letter(utf8_next(s, &pos));
}

struct factor {
    size_t end;
    bool has_exponent, is_negative, stands_alone, has_powers;
};

static char text_at(struct sv s, size_t pos)
{
    return pos < s.n ? s.p[pos] : '\0';
}

/* "%", "‰", "ppm" are raised to no power: "3%-4%" is a range. */
static bool is_share(const char *symbol)
{
    return strchr("%\xe2", symbol[0]) || strncmp(symbol, "pp", 2) == 0;
}

/* Which of bases[] begin with a byte, which have so many bytes, one bit each; filled once. */
static struct {
    pthread_once_t once;
    uint64_t begin[256][2], length[LONGEST + 1][2];
} table = { .once = PTHREAD_ONCE_INIT };

_Static_assert(ARRAY_LEN(bases) <= 128, "table has a bit for each base");

static void fill_table(void)
{
    for (size_t i = 0; i < ARRAY_LEN(bases); i++) {
        uint64_t bit = UINT64_C(1) << (i & 63);
        table.begin[(unsigned char)bases[i].symbol[0]][i >> 6] |= bit;
        table.length[bases[i].n][i >> 6] |= bit;
    }
}

/* Symbols that may stand at the letters before pos + run, or at what is no letter of ASCII:
 * they take all of those, or all but a prefix, unless a character beyond ASCII follows. */
static void candidates(struct sv s, size_t pos, size_t run, uint64_t is_any[2])
{
    size_t after;
    unsigned char first = (unsigned char)s.p[pos];
    unsigned char second = run && pos + 1 < s.n ? (unsigned char)s.p[pos + 1] : 0;
    bool is_whole = run && (unsigned char)text_at(s, pos + run) < 0x80;
    is_any[0] = is_any[1] = UINT64_MAX;
    if (starts_at(s, pos, "\xc2\xb5", &after) || starts_at(s, pos, "\xce\xbc", &after))
        return; /* a prefix */
    pthread_once(&table.once, fill_table);
    for (size_t i = 0; i < 2; i++)
        is_any[i] =
            (table.begin[first][i] & (is_whole ? table.length[run][i] : UINT64_MAX)) |
            (table.begin[second][i] & (is_whole ? table.length[run - 1][i] : UINT64_MAX));
}

/* Symbol b, with a prefix or without, at the run of letters at pos: *best when it is longer. */
static void try_base(struct sv s, size_t pos, size_t run, const struct base *b,
                     struct factor *best)
{
    if (run > b->n + 1 || (run && run < b->n && (unsigned char)text_at(s, pos + run) < 0x80))
        return;
    size_t starts[2] = { skip_prefix(s, pos, b->prefixes), pos }, after;
    for (unsigned k = starts[0] == pos; k < 2; k++) {
        after = starts[k] + b->n;
        if (after > s.n || memcmp(s.p + starts[k], b->symbol, b->n) != 0)
            continue;
        bool negative = false;
        size_t end =
            is_share(b->symbol) ? after : skip_exponent(s, after, b->has_powers, &negative);
        if (is_letter_at(s, end) || end <= best->end)
            continue;
        if (end < s.n && s.p[end] >= '0' && s.p[end] <= '9')
            continue;
        *best = (struct factor){
            .end = end,
            .has_exponent = end > after,
            .is_negative = negative && end > after,
            .has_powers = b->has_powers,
            .stands_alone = b->stands_alone || starts[k] > pos,
        };
    }
}

/* One factor at pos; `end` 0: none. The longest symbol wins. */
static struct factor read_factor(struct sv s, size_t pos)
{
    struct factor best = { 0 };
    size_t run = 0; /* of ASCII letters: a prefix and a symbol, or none of either */
    while (run <= LONGEST && pos + run < s.n &&
           (unsigned char)((s.p[pos + run] | 32) - 'a') < 26)
        run++;
    if (run > LONGEST || pos >= s.n)
        return best;
    uint64_t may[2];
    candidates(s, pos, run, may);
    for (size_t half = 0; half < 2; half++)
        for (uint64_t left = may[half]; left; left &= left - 1) {
            size_t i = half * 64 + (size_t)__builtin_ctzll(left);
            if (i < ARRAY_LEN(bases))
                try_base(s, pos, run, &bases[i], &best);
        }
    return best;
}

/* What joins two factors at pos: the byte after it. *blank: only a blank. */
static size_t skip_join(struct sv s, size_t pos, bool *blank)
{
    static const char *const joins[] = { "/", "\xc2\xb7", "\xe2\x8b\x85", "*", " per " };
    size_t at = pos, after;
    starts_at(s, at, " ", &at);
    *blank = false;
    if (starts_at(s, pos, " per ", &after))
        return after;
    for (size_t i = 0; i < ARRAY_LEN(joins); i++) {
        if (starts_at(s, at, joins[i], &after)) {
            starts_at(s, after, " ", &after);
            return after;
        }
    }
    *blank = at > pos;
    return at;
}

/* " 2" behind a symbol that has powers: its superscript came down. The byte after it, or `end`.
 */
static size_t skip_fallen(struct sv s, size_t end, const struct factor *f)
{
    if (!f->has_powers || f->has_exponent || text_at(s, end) != ' ')
        return end;
    char digit = text_at(s, end + 1), next = text_at(s, end + 2);
    bool is_end = !(next >= '0' && next <= '9') && !is_letter_at(s, end + 2) &&
                  !(next && strchr(".,", next) && text_at(s, end + 3) >= '0' &&
                    text_at(s, end + 3) <= '9');
    return (digit == '2' || digit == '3') && is_end ? end + 2 : end;
}

size_t units_compose(struct sv text, size_t pos)
{
    unsigned char c = pos < text.n ? (unsigned char)text.p[pos] : 0;
    if (c < 0x80 && !((c | 32) >= 'a' && (c | 32) <= 'z') && c != '%')
        return pos;
    struct factor f = read_factor(text, pos);
    char mark = text_at(text, pos + 2);
    bool is_deviation = c == 's' && f.end == pos + 1 && text_at(text, pos + 1) == '.' &&
                        (mark == 'd' || mark == 'e'); /* "3 s.d." */
    if (!f.end || is_deviation)
        return pos;
    bool is_unit = f.stands_alone || f.has_exponent;
    size_t end = f.end, fallen = skip_fallen(text, end, &f);
    if (text_at(text, fallen) == '/' ||
        (text_at(text, fallen) == ' ' && text_at(text, fallen + 1) == '/'))
        end = fallen; /* "310 m 2 /kg" */
    for (unsigned n = 0; n < 4; n++) {
        bool blank;
        size_t next = skip_join(text, end, &blank);
        if (next == end)
            break;
        struct factor g = read_factor(text, next);
        if (!g.end || (blank && !g.is_negative))
            break;
        end = memchr(text.p + end, '/', next - end) ? skip_fallen(text, g.end, &g) : g.end;
        is_unit = true;
    }
    return is_unit ? end : pos;
}

size_t units_lost_sign(struct sv text, size_t pos)
{
    size_t end = pos;
    for (unsigned n = 0; n < 3 && text_at(text, end) == ' '; n++) {
        size_t at = end + 1;
        while (at < end + 5 && (unsigned char)((text_at(text, at) | 32) - 'a') < 26)
            at++;
        char digit = text_at(text, at);
        if (at == end + 1 || digit < '1' || digit > '3' || is_letter_at(text, at + 1) ||
            (text_at(text, at + 1) >= '0' && text_at(text, at + 1) <= '9'))
            break;
        struct sv symbol = sv_from_to(text, end + 1, at);
        struct factor f = read_factor(symbol, 0);
        if (f.end != symbol.n)
            break;
        end = at + 1;
    }
    return end;
}
