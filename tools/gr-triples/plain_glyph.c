// SPDX-License-Identifier: MIT
/*
 * plain_glyph.c — what fonts and encodings make of letters and signs
 */
#include "plain.h"
#include "scan.h"
#include "utf8.h"

void plain_code(struct plain_piece *piece, uint32_t cp)
{
    unsigned n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    for (unsigned i = n; i-- > 1; cp >>= 6)
        piece->text[i] = (char)(0x80 | (cp & 0x3F));
    piece->text[0] = (char)(leads[n] | cp);
    piece->n = n;
    piece->kind = PLAIN_TEXT;
}

static size_t put(struct plain_piece *piece, const char *text, size_t bytes)
{
    piece->kind = PLAIN_TEXT;
    piece->n = strlen(text);
    memcpy(piece->text, text, piece->n);
    return bytes;
}

static size_t drop(struct plain_piece *piece, size_t bytes)
{
    piece->kind = PLAIN_CLOSE;
    piece->n = 0;
    return bytes;
}

static bool is_digit_at(struct sv s, size_t pos)
{
    return scan_is_digit(scan_byte(s, pos));
}

static uint32_t code_at(struct sv s, size_t pos)
{
    return pos < s.n ? utf8_next(s, &pos) : 0;
}

/* Does a number stand before byte pos, with one blank at most between? */
static bool is_behind_number(struct sv s, size_t pos)
{
    pos -= pos > 0 && s.p[pos - 1] == ' ';
    return pos > 0 && is_digit_at(s, pos - 1);
}

/* Does a value begin at pos: blank, bracket, "=" before it, a digit behind its n bytes? */
static bool is_before_value(struct sv s, size_t pos, size_t n)
{
    return (pos == 0 || scan_is_among(" \n\t(=[", s.p[pos - 1])) && is_digit_at(s, pos + n);
}

/* " ? " between two numbers */
static bool is_between_numbers(struct sv s, size_t pos, size_t n)
{
    size_t next = pos + n;
    bool has_gap = pos > 0 && s.p[pos - 1] == ' ' && next < s.n && s.p[next] == ' ';
    return has_gap ? pos > 1 && is_digit_at(s, pos - 2) && is_digit_at(s, next + 1)
                   : pos > 0 && is_digit_at(s, pos - 1) && is_digit_at(s, next);
}

/* Codes of Computer Modern's symbols, which a PDF without a map leaves as they are. */
static size_t read_control(struct sv s, size_t pos, struct plain_piece *piece)
{
    switch (s.p[pos]) {
    case 0x01:
        return is_before_value(s, pos, 1) ? put(piece, "\xe2\x88\x92", 1) : 0;
    case 0x02:
        return is_between_numbers(s, pos, 1) ? put(piece, "\xc3\x97", 1) : 0;
    case 0x06:
        return is_between_numbers(s, pos, 1) ? put(piece, "\xc2\xb1", 1) : 0;
    case 0x0E:
        return is_behind_number(s, pos) ? put(piece, "\xc2\xb0", 1) : 0;
    case 0x14:
        return put(piece, "\xe2\x89\xa4", 1);
    case 0x15:
        return put(piece, "\xe2\x89\xa5", 1);
    case 0x18:
        return is_digit_at(s, pos + 1) || is_digit_at(s, pos + 2) ? put(piece, "~", 1) : 0;
    default:
        return 0;
    }
}

/* ---- text read as Latin-1 or Windows-1252 ---- */

/* The byte that Windows-1252 has for a character; 0: none beyond ASCII. */
static unsigned byte_of(uint32_t cp)
{
    static const uint16_t high[32] = {
        0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
    };
    if (cp >= 0x80 && cp < 0x100)
        return cp;
    for (unsigned i = 0; i < ARRAY_LEN(high); i++)
        if (cp && high[i] == cp)
            return 0x80 + i;
    return 0;
}

/* "Â±", "â€“": UTF-8 that was read byte by byte. lead: its first byte. */
static size_t read_mojibake(struct sv s, size_t pos, uint32_t lead, struct plain_piece *piece)
{
    bool is_two =
        lead == 0xC2 || lead == 0xC3 || lead == 0xCE || lead == 0xCF; /* Latin-1, Greek */
    unsigned n = is_two ? 2 : lead == 0xE2 || lead == 0xEF ? 3 : 0;
    uint32_t cp = n == 3 ? lead & 0x0F : lead & 0x1F;
    size_t at = pos + 2;
    for (unsigned i = 1; i < n; i++) {
        unsigned byte = at < s.n ? byte_of(utf8_next(s, &at)) : 0;
        if ((byte & 0xC0) != 0x80)
            return 0;
        cp = cp << 6 | (byte & 0x3F);
    }
    if (n == 0 || cp < (n == 3 ? 0x800U : 0x80U))
        return 0;
    plain_code(piece, cp);
    return at - pos;
}

/* Windows-1252 read as Latin-1. */
static size_t read_c1(uint32_t cp, struct plain_piece *piece)
{
    static const struct {
        uint32_t from, to;
    } codes[] = {
        { 0x85, 0x2026 }, { 0x89, 0x2030 }, { 0x91, 0x2018 }, { 0x92, 0x2019 },
        { 0x93, 0x201C }, { 0x94, 0x201D }, { 0x95, 0x2022 }, { 0x96, 0x2013 },
        { 0x97, 0x2014 }, { 0x98, '~' },
    };
    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (codes[i].from == cp) {
            plain_code(piece, codes[i].to);
            return 2;
        }
    return 0;
}

/* ---- fonts ---- */

/* A soft hyphen: a minus before a value, else nothing, with the line end behind it. */
static size_t read_soft_hyphen(struct sv s, size_t pos, struct plain_piece *piece)
{
    if (is_before_value(s, pos, 2))
        return put(piece, "\xe2\x88\x92", 2);
    if (is_digit_at(s, pos + 2) && pos > 0 && is_digit_at(s, pos - 1))
        return put(piece, "-", 2); /* "3­5 km" */
    size_t end = pos + 2;
    while (end < s.n && (s.p[end] == '\n' || s.p[end] == ' ') && end < pos + 4)
        end++;
    if (end == s.n || !utf8_is_letter(code_at(s, end)))
        end = pos + 2;
    return drop(piece, end - pos);
}

/* "ﬂuorite"; also "ﬂ uorite", "speciﬁ c": no word ends with them. */
static size_t read_ligature(struct sv s, size_t pos, uint32_t cp, struct plain_piece *piece)
{
    static const char *const letters[] = { [0] = "ff", "fi", "fl", "ffi", "ffl", "st", "st" };
    size_t end = pos + 3;
    bool is_torn = cp != 0xFB00 && cp < 0xFB05 && end + 1 < s.n && s.p[end] == ' ' &&
                   scan_is_lower(s.p[end + 1]);
    return put(piece, letters[cp - 0xFB00], 3 + is_torn);
}

/* Mathematical letters: all alphabets of theirs are as long. */
static size_t read_math(uint32_t cp, struct plain_piece *piece)
{
    if (cp >= 0x1D400 && cp <= 0x1D6A3) {
        unsigned i = (cp - 0x1D400) % 52;
        plain_code(piece, i < 26 ? 'A' + i : 'a' + i - 26);
    } else if (cp >= 0x1D6A8 && cp <= 0x1D7C9) {
        unsigned i = (cp - 0x1D6A8) % 58;
        static const uint16_t rest[] = { 0x3B5, 0x3D1, 0x3F0, 0x3C6, 0x3F1, 0x3C0 };
        if (i == 25 || i == 51)
            plain_code(piece, i == 25 ? 0x2207 : 0x3B4);
        else
            plain_code(piece, i < 25 ? 0x391 + i : i < 51 ? 0x3B1 + i - 26 : rest[i - 52]);
    } else if (cp >= 0x1D7CE && cp <= 0x1D7FF) {
        plain_code(piece, '0' + (cp - 0x1D7CE) % 10);
    } else {
        return 0;
    }
    return 4;
}

/* U+FFFD, what an unknown byte became: the sign that alone fits there. */
/* Is the number that begins at `to` smaller than the one that ends at `from`? */
static bool is_smaller(struct sv s, size_t from, size_t to)
{
    size_t start = from, end = to;
    double value, error;
    while (start > 0 && (is_digit_at(s, start - 1) || s.p[start - 1] == '.'))
        start--;
    while (end < s.n && (is_digit_at(s, end) || (s.p[end] == '.' && is_digit_at(s, end + 1))))
        end++;
    return sv_to_double(sv_from_to(s, start, from), &value) &&
           sv_to_double(sv_from_to(s, to, end), &error) && error < value;
}

static size_t read_lost(struct sv s, size_t pos, struct plain_piece *piece)
{
    int next = scan_byte(s, pos + 3), after = scan_byte(s, pos + 4);
    if (is_between_numbers(s, pos, 3) && s.p[pos - 1] == ' ' && is_smaller(s, pos - 1, pos + 4))
        return put(piece, "\xc2\xb1", 3);
    if (!is_behind_number(s, pos))
        return 0;
    if (next == 'C' && !scan_is_lower(after) && !scan_is_upper(after))
        return put(piece, "\xc2\xb0", 3);
    if ((next == 'm' || next == 'g' || next == 'L' || next == 'M') && !scan_is_lower(after) &&
        !scan_is_upper(after))
        return put(piece, "\xc2\xb5", 3);
    return 0;
}

static size_t read_three(struct sv s, size_t pos, struct plain_piece *piece)
{
    size_t next = pos;
    uint32_t cp = utf8_next(s, &next);
    if ((cp >= 0x2000 && cp <= 0x2008) || cp == 0x200A || cp == 0x205F || cp == 0x3000)
        return put(piece, " ", 3);
    if ((cp >= 0x200B && cp <= 0x200D) || cp == 0x2060 || cp == 0xFEFF)
        return drop(piece, 3);
    if (cp == 0x2028 || cp == 0x2029)
        return put(piece, "\n", 3);
    if (cp == 0x2103)
        return put(piece,
                   "\xc2\xb0"
                   "C",
                   3);
    if (cp >= 0xFB00 && cp <= 0xFB06)
        return read_ligature(s, pos, cp, piece);
    if (cp >= 0xFF01 && cp <= 0xFF5E) {
        plain_code(piece, cp - 0xFF01 + '!');
        return 3;
    }
    return cp == 0xFFFD ? read_lost(s, pos, piece) : 0;
}

/* The three-byte characters of read_three, by their first two bytes: most are others. */
static bool may_be_three(unsigned a, unsigned b, unsigned c)
{
    if (a == 0xE2)
        return (b == 0x80 && c <= 0xA9 && c != 0x93 && c != 0x94) || b == 0x81 ||
               (b == 0x84 && c == 0x83);
    return a == 0xE3 ? b == 0x80 : b >= 0xAC;
}

size_t plain_glyph(struct sv s, size_t pos, struct plain_piece *piece)
{
    unsigned a = (unsigned char)s.p[pos], b = scan_byte(s, pos + 1);
    size_t next = pos;
    if (a < 0x80)
        return a == 0x7F ? 0 : read_control(s, pos, piece);
    if (a == 0xF0)
        return b == 0x9D ? read_math(utf8_next(s, &next), piece) : 0;
    if (a > 0xC3)
        return may_be_three(a, b, scan_byte(s, pos + 2)) ? read_three(s, pos, piece) : 0;
    if (a == 0xC2 && b == 0xAD)
        return read_soft_hyphen(s, pos, piece);
    if (a == 0xC2 && b < 0xA0)
        return read_c1(utf8_next(s, &next), piece);
    /* "Â": another letter of that kind must follow */
    if (a == 0xC3 && scan_byte(s, pos + 2) >= 0xC2)
        return read_mojibake(s, pos, utf8_next(s, &next), piece);
    return 0;
}
