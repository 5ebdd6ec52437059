// SPDX-License-Identifier: MIT
/*
 * plain.c — putting a text right, with a map back to the given one
 */
#include "plain.h"

#include "alloc.h"
#include "scan.h"
#include "utf8.h"
#include "vocab_first.h"

#define STYLES_MAX 8   /* groups in groups; deeper ones have no style */
#define GROUP_BYTES 64 /* the longest group of superscripts: one may never be closed */

struct reader {
    struct sv s;
    size_t at,
        pending; /* next byte; where what belongs to the next character began, or SIZE_MAX */
    struct plain_text *p;
    enum plain_kind styles[STYLES_MAX];
    size_t opened[STYLES_MAX]; /* where each began */
    size_t n_styles;
    bool in_math; /* a "$" was left out, and its like is to come */
};

#define BIT(c) (UINT64_C(1) << ((c)&63))

/* Bytes that something odd may start with: every byte of every text is looked up here. */
static inline bool may_be_odd(unsigned char c)
{
    static const uint64_t bytes[4] = {
        (BIT(' ') - 1 - BIT('\n') - BIT('\t') - BIT('\r')) | BIT('$') | BIT('&') | BIT('<'),
        BIT('\\') | BIT('^') | BIT('_') | BIT('{') | BIT(0x7F),
        0,
        BIT(0xC2) | BIT(0xC3) | BIT(0xE2) | BIT(0xE3) | BIT(0xEF) | BIT(0xF0),
    };
    return bytes[c >> 6] >> (c & 63) & 1;
}

static size_t odd_at(struct sv s, size_t pos, struct plain_piece *piece)
{
    unsigned char c = (unsigned char)s.p[pos];
    if (!may_be_odd(c))
        return 0;
    return c < 0x80 && c > ' ' && c < 0x7F ? plain_mark(s, pos, piece)
                                           : plain_glyph(s, pos, piece);
}

/* The top bit of each of eight bytes of ASCII that is at least this one. */
static inline uint64_t from_byte(uint64_t x, unsigned char c)
{
    return x + UINT64_C(0x0101010101010101) * (0x80U - c);
}

/* How many of eight bytes, from the first on, are letters, blanks and what stands between "("
 * and
 * ";" in ASCII, as in most of most texts? Nothing odd is among these. */
static inline size_t plain_bytes(const char *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    uint64_t beyond = x & UINT64_C(0x8080808080808080);
    x ^= beyond;
    uint64_t blanks = from_byte(x, ' ') & ~from_byte(x, ' ' + 1);
    uint64_t marks = from_byte(x, '(') & ~from_byte(x, ';' + 1);
    uint64_t others = beyond | (vocab_no_letters(x) & ~(blanks | marks));
    if (!others)
        return 8;
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (size_t)__builtin_ctzll(others) / 8 : 0;
}

static size_t first_odd(struct sv s)
{
    struct plain_piece piece;
    for (size_t i = 0; i < s.n; i++) {
        for (size_t n = 8; n == 8 && i + 8 <= s.n;)
            i += n = plain_bytes(s.p + i);
        if (i < s.n && odd_at(s, i, &piece))
            return i;
    }
    return SIZE_MAX;
}

static void put(struct reader *r, size_t start, const char *text, size_t n)
{
    struct plain_text *p = r->p;
    size_t len = p->text.len;
    if (len + n > p->cap) {
        p->cap = alloc_grow(p->cap, len + n);
        p->from = alloc_resize(p->from, p->cap, sizeof *p->from);
        p->to = alloc_resize(p->to, p->cap, sizeof *p->to);
    }
    if (r->pending != SIZE_MAX)
        start = r->pending;
    r->pending = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        p->from[len + i] = (uint32_t)start;
        p->to[len + i] = (uint32_t)r->at;
    }
    buf_add(&p->text, text, n);
}

/* What has no place in the plain text: of the character before, or of the next. */
static void skip(struct reader *r, size_t start, bool closes)
{
    struct plain_text *p = r->p;
    if (closes && p->text.len && r->pending == SIZE_MAX)
        p->to[p->text.len - 1] = (uint32_t)r->at;
    else if (r->pending == SIZE_MAX)
        r->pending = start;
}

/* Digits and signs in the style of their group. cp: what stands there. */
static bool put_styled(struct reader *r, size_t start, uint32_t cp)
{
    static const char *const supers[] = { "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",
                                          "\xc2\xb3",     "\xe2\x81\xb4", "\xe2\x81\xb5",
                                          "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8",
                                          "\xe2\x81\xb9", "\xe2\x81\xba", "\xe2\x81\xbb" };
    char sub[] = "\xe2\x82\x80";
    size_t top = r->n_styles;
    enum plain_kind style = top && top <= STYLES_MAX ? r->styles[top - 1] : PLAIN_GROUP;
    if ((style != PLAIN_SUPER && style != PLAIN_SUB) ||
        start - r->opened[top - 1] > GROUP_BYTES)
        return false;
    unsigned i;
    if (cp >= '0' && cp <= '9')
        i = cp - '0';
    else if (cp == '+')
        i = 10;
    else if (cp == '-' || cp == 0x2212 || cp == 0x2013 || cp == 0x2010)
        i = 11;
    else
        return false;
    sub[2] = (char)(0x80 + i);
    const char *text = style == PLAIN_SUPER ? supers[i] : sub;
    put(r, start, text, strlen(text));
    return true;
}

static void put_piece(struct reader *r, size_t start, const struct plain_piece *piece)
{
    struct sv text = { piece->text, piece->n };
    switch (piece->kind) {
    case PLAIN_TEXT:
        if (!piece->n || !put_styled(r, start, utf8_next(text, &(size_t){ 0 })))
            put(r, start, piece->text, piece->n);
        return;
    case PLAIN_POP:
        if (r->n_styles)
            r->n_styles--;
        skip(r, start, true);
        return;
    case PLAIN_SUPER:
    case PLAIN_SUB:
    case PLAIN_GROUP:
        if (r->n_styles < STYLES_MAX) {
            r->opened[r->n_styles] = start;
            r->styles[r->n_styles] = piece->kind;
        }
        r->n_styles++;
        skip(r, start, false);
        return;
    default:
        skip(r, start, piece->kind == PLAIN_CLOSE);
    }
}

/* "$" around a formula of TeX, but not that of money. */
static bool skip_dollar(struct reader *r, size_t start)
{
    if (!r->in_math) {
        size_t end = start + 1, marks = 0;
        for (; end < r->s.n && end < start + 200 && r->s.p[end] != '$'; end++)
            marks += scan_is_among("\\^_{<>=", r->s.p[end]);
        if (end >= r->s.n || r->s.p[end] != '$' || (!marks && end > start + 4) ||
            end == start + 1)
            return false;
    }
    skip(r, start, r->in_math);
    r->in_math = !r->in_math;
    return true;
}

static void read_one(struct reader *r)
{
    struct plain_piece piece = { .kind = PLAIN_TEXT };
    size_t start = r->at, n = odd_at(r->s, start, &piece);
    if (n) {
        r->at += n;
        put_piece(r, start, &piece);
        return;
    }
    uint32_t cp = utf8_next(r->s, &r->at);
    if (cp == '$' && skip_dollar(r, start))
        return;
    if (cp == '}' && r->n_styles) {
        r->n_styles--;
        skip(r, start, true);
        return;
    }
    if (!put_styled(r, start, cp))
        put(r, start, r->s.p + start, r->at - start);
}

bool plain_read(struct plain_text *p, struct sv given)
{
    buf_reset(&p->text);
    size_t first = given.n < UINT32_MAX ? first_odd(given) : SIZE_MAX;
    if (first == SIZE_MAX)
        return false;
    struct reader r = { .s = given, .pending = SIZE_MAX, .p = p };
    while (r.at < given.n)
        read_one(&r);
    return true;
}

struct sv plain_normal(struct plain_text *p, struct buf *normal, struct sv raw,
                       const struct plain_text **used)
{
    buf_reset(normal);
    utf8_nfc(normal, raw);
    *used = plain_read(p, buf_view(normal)) ? p : NULL;
    return *used ? buf_view(&p->text) : buf_view(normal);
}

void plain_release(struct plain_text *p)
{
    buf_release(&p->text);
    free(p->from);
    free(p->to);
    *p = (struct plain_text){ 0 };
}

size_t plain_start(const struct plain_text *p, size_t byte)
{
    if (byte < p->text.len)
        return p->from[byte];
    return byte ? p->to[p->text.len - 1] : 0;
}

size_t plain_end(const struct plain_text *p, size_t byte)
{
    return byte ? p->to[byte - 1] : 0;
}

size_t plain_find(const struct plain_text *p, size_t byte)
{
    size_t low = 0, high = p->text.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->from[mid] < byte)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
