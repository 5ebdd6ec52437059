// SPDX-License-Identifier: MIT
/*
 * wordpiece.c — one pass over the text: clean, decompose, lower, split into words, cut each
 * word
 */
#include "wordpiece.h"

#include <utf8proc.h>

#include "alloc.h"
#include "buf.h"
#include "file.h"
#include "map.h"
#include "utf8.h"

#define VOCAB_MAX ((size_t)64 << 20) /* bytes of a vocab.txt; the largest known have 5 MB */

/* ---- Unicode as `tokenizers` sees it ---- */

/* Found by comparing every code point with tokenizers 0.23.3 (tests/peers/wordpiece.py). The
 * characters below are punctuation or non-spacing marks for utf8proc 2.8 (Unicode 15) but not
 * for the Unicode 8 tables there. */
static const uint32_t punct_since_8[] = {
    0x61D,   0x61D,   0x9FD,   0x9FD,   0xA76,   0xA76,   0xC77,   0xC77,   0xC84,   0xC84,
    0x1B7D,  0x1B7E,  0x2E43,  0x2E4F,  0x2E52,  0x2E5D,  0x10EAD, 0x10EAD, 0x10F55, 0x10F59,
    0x10F86, 0x10F89, 0x1144B, 0x1144F, 0x1145A, 0x1145B, 0x1145D, 0x1145D, 0x11660, 0x1166C,
    0x116B9, 0x116B9, 0x1183B, 0x1183B, 0x11944, 0x11946, 0x119E2, 0x119E2, 0x11A3F, 0x11A46,
    0x11A9A, 0x11A9C, 0x11A9E, 0x11AA2, 0x11B00, 0x11B09, 0x11C41, 0x11C45, 0x11C70, 0x11C71,
    0x11EF7, 0x11EF8, 0x11F43, 0x11F4F, 0x11FFF, 0x11FFF, 0x12FF1, 0x12FF2, 0x16E97, 0x16E9A,
    0x16FE2, 0x16FE2, 0x1E95E, 0x1E95F
};
static const uint32_t marks_since_8[] = {
    0x7FD,   0x7FD,   0x898,   0x89F,   0x8CA,   0x8E1,   0x9FE,   0x9FE,   0xAFA,   0xAFF,
    0xB55,   0xB55,   0xC04,   0xC04,   0xC3C,   0xC3C,   0xD00,   0xD00,   0xD3B,   0xD3C,
    0xD81,   0xD81,   0xEBA,   0xEBA,   0xECE,   0xECE,   0x180F,  0x180F,  0x1885,  0x1886,
    0x1ABF,  0x1ACE,  0x1DF6,  0x1DFB,  0xA82C,  0xA82C,  0xA8C5,  0xA8C5,  0xA8FF,  0xA8FF,
    0xA9BD,  0xA9BD,  0x10D24, 0x10D27, 0x10EAB, 0x10EAC, 0x10EFD, 0x10EFF, 0x10F46, 0x10F50,
    0x10F82, 0x10F85, 0x11070, 0x11070, 0x11073, 0x11074, 0x110C2, 0x110C2, 0x111C9, 0x111C9,
    0x111CF, 0x111CF, 0x1123E, 0x1123E, 0x11241, 0x11241, 0x1133B, 0x1133B, 0x11438, 0x1143F,
    0x11442, 0x11444, 0x11446, 0x11446, 0x1145E, 0x1145E, 0x1182F, 0x11837, 0x11839, 0x1183A,
    0x1193B, 0x1193C, 0x1193E, 0x1193E, 0x11943, 0x11943, 0x119D4, 0x119D7, 0x119DA, 0x119DB,
    0x119E0, 0x119E0, 0x11A01, 0x11A0A, 0x11A33, 0x11A38, 0x11A3B, 0x11A3E, 0x11A47, 0x11A47,
    0x11A51, 0x11A56, 0x11A59, 0x11A5B, 0x11A8A, 0x11A96, 0x11A98, 0x11A99, 0x11C30, 0x11C36,
    0x11C38, 0x11C3D, 0x11C3F, 0x11C3F, 0x11C92, 0x11CA7, 0x11CAA, 0x11CB0, 0x11CB2, 0x11CB3,
    0x11CB5, 0x11CB6, 0x11D31, 0x11D36, 0x11D3A, 0x11D3A, 0x11D3C, 0x11D3D, 0x11D3F, 0x11D45,
    0x11D47, 0x11D47, 0x11D90, 0x11D91, 0x11D95, 0x11D95, 0x11D97, 0x11D97, 0x11EF3, 0x11EF4,
    0x11F00, 0x11F01, 0x11F36, 0x11F3A, 0x11F40, 0x11F40, 0x11F42, 0x11F42, 0x13440, 0x13440,
    0x13447, 0x13455, 0x16F4F, 0x16F4F, 0x16FE4, 0x16FE4, 0x1CF00, 0x1CF2D, 0x1CF30, 0x1CF46,
    0x1E000, 0x1E006, 0x1E008, 0x1E018, 0x1E01B, 0x1E021, 0x1E023, 0x1E024, 0x1E026, 0x1E02A,
    0x1E08F, 0x1E08F, 0x1E130, 0x1E136, 0x1E2AE, 0x1E2AE, 0x1E2EC, 0x1E2EF, 0x1E4EC, 0x1E4EF,
    0x1E944, 0x1E94A
};

/* Format characters since Unicode 8: kept, where Cc, Cf and Co are dropped. */
static const uint32_t format_since_8[] = { 0x890,   0x891,   0x8E2,   0x8E2,
                                           0x110CD, 0x110CD, 0x13430, 0x1343F };

/* Capitals that Unicode 16 and 17 added; lower case is at the given distance. */
static const struct {
    uint32_t from, to;
    int32_t distance;
} lower_since_15[] = {
    { 0x1C89, 0x1C89, 1 },      { 0xA7CB, 0xA7CB, 0x264 - 0xA7CB },
    { 0xA7CC, 0xA7CC, 1 },      { 0xA7CE, 0xA7CE, 1 },
    { 0xA7D2, 0xA7D2, 1 },      { 0xA7D4, 0xA7D4, 1 },
    { 0xA7DA, 0xA7DA, 1 },      { 0xA7DC, 0xA7DC, 0x19B - 0xA7DC },
    { 0x10D50, 0x10D65, 0x20 }, { 0x16EA0, 0x16EB8, 0x1B },
};

/* Is cp in one of the n/2 ranges (first, last, first, last, …; ascending)? */
static bool in_ranges(const uint32_t *r, size_t n, uint32_t cp)
{
    size_t lo = 0, hi = n / 2;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (cp > r[2 * mid + 1])
            lo = mid + 1;
        else if (cp < r[2 * mid])
            hi = mid;
        else
            return true;
    }
    return false;
}
#define IN_RANGES(table, cp) in_ranges(table, ARRAY_LEN(table), cp)

/* White space as Rust's char::is_whitespace has it; the control characters among it that are
 * not tab, newline or return have been dropped before this is asked. */
static bool is_space(uint32_t cp)
{
    if (cp < 0x80)
        return cp == ' ' || cp == '\t' || cp == '\n' || cp == '\r';
    return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 ||
           cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* Dropped by the cleaning step: U+FFFD and the categories Cc, Cf and Co. */
static bool is_dropped(uint32_t cp)
{
    if (cp < 0x80)
        return cp == 0x7F || (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r');
    switch (utf8proc_category((utf8proc_int32_t)cp)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
        return !IN_RANGES(format_since_8, cp);
    default:
        return cp == 0xFFFD;
    }
}

static bool is_punct(uint32_t cp)
{
    if (cp < 0x80) /* ASCII symbols count, as in BERT's own code */
        return cp > ' ' && cp < 0x7F && !(cp >= '0' && cp <= '9') &&
               !((cp | 0x20) >= 'a' && (cp | 0x20) <= 'z');
    if (cp == 0x166D || cp == 0x111C9)
        return true;
    switch (utf8proc_category((utf8proc_int32_t)cp)) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
        return !IN_RANGES(punct_since_8, cp);
    default:
        return false;
    }
}

static bool is_accent(uint32_t cp)
{
    if (cp < 0x300)
        return false;
    return cp == 0x1734 || (utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_MN &&
                            !IN_RANGES(marks_since_8, cp));
}

static bool is_cjk(uint32_t cp)
{
    static const uint32_t cjk[] = { 0x3400,  0x4DBF,  0x4E00,  0x9FFF,  0xF900,
                                    0xFAFF,  0x20000, 0x2A6DF, 0x2A700, 0x2B81F,
                                    0x2B920, 0x2CEAF, 0x2F800, 0x2FA1F };
    return cp >= 0x3400 && IN_RANGES(cjk, cp);
}

static uint32_t lower(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp;
    for (size_t i = 0; i < ARRAY_LEN(lower_since_15); i++)
        if (cp >= lower_since_15[i].from && cp <= lower_since_15[i].to)
            return (uint32_t)((int32_t)cp + lower_since_15[i].distance);
    return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}

/* ---- the vocabulary ---- */

/* What is taken literally when nobody says otherwise; those a vocabulary has. */
static const char *const usual[] = { "[CLS]", "[SEP]", "[UNK]", "[MASK]", "[PAD]" };

/* Pieces of one kind; continuations are stored without their "##". */
struct pieces {
    struct map *map;
    int32_t *ids; /* by ordinal of the map */
    size_t cap;
    size_t longest; /* bytes */
};

struct wordpiece {
    struct wordpiece_cfg cfg;
    struct pieces first, next; /* word-initial, continuation */
    int32_t cls, sep, unk;
    struct wordpiece_added *added; /* (n_added) texts are this struct's own; longest first */
    size_t n_added;
    bool starts_added[256]; /* some of them start with this byte */
    size_t size;
};

static void pieces_put(struct pieces *p, struct sv text, int32_t id)
{
    size_t ord = map_put(p->map, text, NULL);
    if (ord >= p->cap) {
        p->cap = alloc_grow(p->cap, ord + 1);
        p->ids = alloc_resize(p->ids, p->cap, sizeof *p->ids);
    }
    p->ids[ord] = id; /* of two equal lines the later counts, as in `tokenizers` */
    if (text.n > p->longest)
        p->longest = text.n;
}

static int32_t pieces_get(const struct pieces *p, struct sv text)
{
    size_t ord = map_get(p->map, text);
    return ord == MAP_NONE ? -1 : p->ids[ord];
}

static struct sv trim_end(struct sv s)
{
    while (s.n && strchr(" \t\r\n\v\f", s.p[s.n - 1]))
        s.n--;
    return s;
}

static void take_lines(struct wordpiece *wp, struct sv text)
{
    const struct sv mark = SV("##");
    struct sv line;
    while (text.n && sv_cut(&text, '\n', &line)) {
        line = trim_end(line);
        int32_t id = (int32_t)wp->size++;
        if (line.n > mark.n && sv_starts(line, mark))
            pieces_put(&wp->next, sv_from_to(line, mark.n, line.n), id);
        else
            pieces_put(&wp->first, line, id);
    }
}

static void add_special(struct wordpiece *wp, struct sv text, int32_t id)
{
    size_t at = wp->n_added;
    wp->added = alloc_resize(wp->added, ++wp->n_added, sizeof *wp->added);
    for (; at && wp->added[at - 1].text.n < text.n; at--)
        wp->added[at] = wp->added[at - 1];
    wp->added[at] = (struct wordpiece_added){ { alloc_text(text.p, text.n), text.n }, id };
    wp->starts_added[(unsigned char)text.p[0]] = true;
    if ((size_t)id >= wp->size)
        wp->size = (size_t)id + 1;
}

/* Id of a token with a part to play: an added one, else a piece; -1: there is none. */
static int32_t role(const struct wordpiece *wp, struct sv name)
{
    for (size_t i = 0; i < wp->n_added; i++)
        if (sv_eq(wp->added[i].text, name))
            return wp->added[i].id;
    return wordpiece_id(wp, name);
}

static void take_specials(struct wordpiece *wp, const struct wordpiece_specials *specials)
{
    for (size_t i = 0; specials && i < specials->n_added; i++)
        add_special(wp, specials->added[i].text, specials->added[i].id);
    for (size_t i = 0; !specials && i < ARRAY_LEN(usual); i++)
        if (wordpiece_id(wp, sv_from(usual[i])) >= 0)
            add_special(wp, sv_from(usual[i]), wordpiece_id(wp, sv_from(usual[i])));
    wp->cls = role(wp, specials ? specials->cls : SV("[CLS]"));
    wp->sep = role(wp, specials ? specials->sep : SV("[SEP]"));
    wp->unk = role(wp, specials ? specials->unk : SV("[UNK]"));
}

struct wordpiece *wordpiece_parse_with(struct sv vocab, const char *name,
                                       const struct wordpiece_cfg *cfg,
                                       const struct wordpiece_specials *specials,
                                       struct err *err)
{
    struct wordpiece *wp = alloc_zero(1, sizeof *wp);
    wp->cfg = *cfg;
    if (!wp->cfg.max_chars)
        wp->cfg.max_chars = WORDPIECE_MAX_CHARS;
    wp->first.map = map_new();
    wp->next.map = map_new();
    take_lines(wp, vocab);
    take_specials(wp, specials);
    if (wp->cls >= 0 && wp->sep >= 0 && wp->unk >= 0)
        return wp;
    err_set(err, EXIT_FATAL, "%s: no WordPiece vocabulary: lacks [CLS], [SEP] or [UNK]", name);
    wordpiece_free(wp);
    return NULL;
}

struct wordpiece *wordpiece_parse(struct sv vocab, const char *name,
                                  const struct wordpiece_cfg *cfg, struct err *err)
{
    return wordpiece_parse_with(vocab, name, cfg, NULL, err);
}

struct wordpiece *wordpiece_load(const char *path, const struct wordpiece_cfg *cfg,
                                 struct err *err)
{
    struct buf text = BUF_INIT;
    struct wordpiece *wp = NULL;
    if (file_read(&text, path, VOCAB_MAX, err) == 0)
        wp = wordpiece_parse(buf_view(&text), path, cfg, err);
    buf_release(&text);
    return wp;
}

void wordpiece_free(struct wordpiece *wp)
{
    if (!wp)
        return;
    map_free(wp->first.map);
    map_free(wp->next.map);
    free(wp->first.ids);
    free(wp->next.ids);
    for (size_t i = 0; i < wp->n_added; i++)
        free((char *)wp->added[i].text.p);
    free(wp->added);
    free(wp);
}

size_t wordpiece_size(const struct wordpiece *wp)
{
    return wp->size;
}

int32_t wordpiece_cls(const struct wordpiece *wp)
{
    return wp->cls;
}

int32_t wordpiece_sep(const struct wordpiece *wp)
{
    return wp->sep;
}

int32_t wordpiece_id(const struct wordpiece *wp, struct sv piece)
{
    if (piece.n > 2 && sv_starts(piece, SV("##")))
        return pieces_get(&wp->next, sv_from_to(piece, 2, piece.n));
    return pieces_get(&wp->first, piece);
}

/* ---- the scanner ---- */

#define WORD_CHARS WORDPIECE_CHARS_LIMIT

/* The word being gathered. Past WORD_CHARS characters only n and the last end are kept:
 * such a word is [UNK] whatever it holds. */
struct word {
    size_t n;                /* characters */
    size_t barrier;          /* canonical order never moves a mark before this character */
    uint32_t cp[WORD_CHARS]; /* (n) */
    uint8_t ccc[WORD_CHARS]; /* (n) canonical combining class */
    size_t from[WORD_CHARS]; /* (n) byte range in the text */
    size_t to[WORD_CHARS];
    size_t end; /* end of the last character */
};

struct scan {
    const struct wordpiece *wp;
    struct wordpiece_tokens *out; /* NULL: only count */
    size_t limit, total;
    struct word word;
};

static void tokens_push(struct wordpiece_tokens *t, int32_t id, size_t from, size_t to)
{
    if (t->n == t->cap) {
        t->cap = alloc_grow(t->cap, t->n + 1);
        t->ids = alloc_resize(t->ids, t->cap, sizeof *t->ids);
        if (t->with_offsets) {
            t->from = alloc_resize(t->from, t->cap, sizeof *t->from);
            t->to = alloc_resize(t->to, t->cap, sizeof *t->to);
        }
    }
    t->ids[t->n] = id;
    if (t->with_offsets) {
        t->from[t->n] = from;
        t->to[t->n] = to;
    }
    t->n++;
}

static void emit(struct scan *s, int32_t id, size_t from, size_t to)
{
    s->total++;
    if (s->out && s->out->n < s->limit)
        tokens_push(s->out, id, from, to);
}

/* The word as UTF-8; at[i] is where character i starts, at[n] the length. */
static void spell(const struct word *w, char *text, size_t *at)
{
    size_t len = 0;
    for (size_t i = 0; i < w->n; i++) {
        at[i] = len;
        if (w->cp[i] < 0x80)
            text[len++] = (char)w->cp[i];
        else
            len += (size_t)utf8proc_encode_char((utf8proc_int32_t)w->cp[i],
                                                (utf8proc_uint8_t *)text + len);
    }
    at[w->n] = len;
}

/* Longest piece that starts at character i: its id, and *next the character after it; -1:
 * none.
 */
static int32_t longest_piece(const struct pieces *p, const char *text, const size_t *at,
                             size_t n, size_t i, size_t *next)
{
    for (size_t end = n; end > i; end--) {
        size_t len = at[end] - at[i];
        if (len > p->longest)
            continue;
        int32_t id = pieces_get(p, (struct sv){ text + at[i], len });
        if (id >= 0) {
            *next = end;
            return id;
        }
    }
    return -1;
}

/* Cut the gathered word into tokens and start a new one. */
static void word_end(struct scan *s)
{
    struct word *w = &s->word;
    size_t n = w->n, n_pieces = 0, at[WORD_CHARS + 1], ends[WORD_CHARS];
    int32_t ids[WORD_CHARS];
    char text[4 * WORD_CHARS];
    w->n = w->barrier = 0;
    if (!n)
        return;
    bool is_known = n <= s->wp->cfg.max_chars;
    if (is_known) {
        w->n = n;
        spell(w, text, at);
        w->n = 0;
    }
    for (size_t i = 0; is_known && i < n; n_pieces++) {
        const struct pieces *p = i ? &s->wp->next : &s->wp->first;
        ids[n_pieces] = longest_piece(p, text, at, n, i, &i);
        ends[n_pieces] = i;
        is_known = ids[n_pieces] >= 0;
    }
    if (!is_known) {
        emit(s, s->wp->unk, w->from[0], w->end);
        return;
    }
    for (size_t k = 0, i = 0; k < n_pieces; i = ends[k++])
        emit(s, ids[k], w->from[i], w->to[ends[k] - 1]);
}

/* Append one character to the word, in canonical order (only marks that are not dropped get
 * here with a class; they are rare). */
static void word_add(struct word *w, uint32_t cp, uint8_t ccc, size_t from, size_t to)
{
    w->end = to;
    if (w->n >= WORD_CHARS) {
        w->n = WORD_CHARS + 1;
        return;
    }
    size_t i = w->n++;
    for (; ccc && i > w->barrier && w->ccc[i - 1] > ccc; i--) {
        w->cp[i] = w->cp[i - 1];
        w->ccc[i] = w->ccc[i - 1];
        w->from[i] = w->from[i - 1];
        w->to[i] = w->to[i - 1];
    }
    w->cp[i] = cp;
    w->ccc[i] = ccc;
    w->from[i] = from;
    w->to[i] = to;
}

/* A character after cleaning and decomposition. */
static void put_char(struct scan *s, uint32_t cp, size_t from, size_t to)
{
    const struct wordpiece_cfg *cfg = &s->wp->cfg;
    uint8_t ccc = 0;
    if (cfg->strip_accents && cp >= 0x300) {
        ccc = (uint8_t)utf8proc_get_property((utf8proc_int32_t)cp)->combining_class;
        if (is_accent(cp)) {
            if (!ccc)
                s->word.barrier = s->word.n <= WORD_CHARS ? s->word.n : WORD_CHARS;
            return;
        }
    }
    if (cfg->lower && cp == 0x130 &&
        !cfg->strip_accents) { /* the one that grows: i and a dot */
        word_add(&s->word, 'i', 0, from, to);
        word_add(&s->word, 0x307, 0, from, to);
        return;
    }
    if (cfg->lower)
        cp = lower(cp);
    bool is_alone = is_punct(cp);
    if (is_alone)
        word_end(s);
    word_add(&s->word, cp, ccc, from, to);
    if (is_alone)
        word_end(s);
}

/* A character that is not ASCII, as the text has it. */
static void put_wide(struct scan *s, uint32_t cp, size_t from, size_t to)
{
    if (is_dropped(cp))
        return;
    if (is_space(cp)) {
        word_end(s);
        return;
    }
    bool is_alone = s->wp->cfg.split_cjk && is_cjk(cp);
    if (is_alone)
        word_end(s);
    utf8proc_int32_t parts[32] = { (utf8proc_int32_t)cp };
    utf8proc_ssize_t n = 1;
    int boundary = 0;
    if (s->wp->cfg.strip_accents && cp != 0x11938) /* decomposes only since Unicode 13 */
        n = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, ARRAY_LEN(parts),
                                    UTF8PROC_DECOMPOSE, &boundary);
    for (utf8proc_ssize_t i = 0; i < n; i++)
        put_char(s, (uint32_t)parts[i], from, to);
    if (is_alone)
        word_end(s);
}

/* The longest special token whose text starts at byte pos, or NULL. */
static const struct wordpiece_added *special_at(const struct wordpiece *wp, struct sv text,
                                                size_t pos)
{
    struct sv rest = { text.p + pos, text.n - pos };
    for (size_t i = 0; i < wp->n_added; i++)
        if (sv_starts(rest, wp->added[i].text))
            return &wp->added[i];
    return NULL;
}

/* One step of the pass: the character or special token at byte pos. Returns what follows
 * it. */
static size_t step(struct scan *s, struct sv text, size_t pos)
{
    size_t from = pos;
    uint32_t c = (unsigned char)text.p[pos];
    const struct wordpiece_added *special =
        s->wp->starts_added[c] ? special_at(s->wp, text, from) : NULL;
    if (special) {
        word_end(s);
        emit(s, special->id, from, from + special->text.n);
        return from + special->text.n;
    }
    if (c >= 0x80) {
        c = utf8_next(text, &pos);
        put_wide(s, c, from, pos);
        return pos;
    }
    pos++;
    if (is_space(c))
        word_end(s);
    else if (!is_dropped(c))
        put_char(s, c, from, pos);
    return pos;
}

static size_t scan(const struct wordpiece *wp, struct sv text, size_t limit,
                   struct wordpiece_tokens *out)
{
    struct scan s;
    s.wp = wp;
    s.out = out;
    s.limit = limit;
    s.total = 0;
    s.word.n = s.word.barrier = 0;
    for (size_t pos = 0; pos < text.n;)
        pos = step(&s, text, pos);
    word_end(&s);
    return s.total;
}

size_t wordpiece_split(const struct wordpiece *wp, struct sv text, size_t limit,
                       struct wordpiece_tokens *out)
{
    out->n = 0;
    return scan(wp, text, limit, out);
}

size_t wordpiece_encode(const struct wordpiece *wp, struct sv text, size_t max_len,
                        struct wordpiece_tokens *out)
{
    out->n = 0;
    tokens_push(out, wp->cls, 0, 0);
    size_t total = scan(wp, text, max_len > 1 ? max_len - 1 : 1, out);
    tokens_push(out, wp->sep, text.n, text.n);
    return total;
}

size_t wordpiece_count(const struct wordpiece *wp, struct sv text)
{
    return scan(wp, text, 0, NULL);
}

void wordpiece_tokens_release(struct wordpiece_tokens *t)
{
    free(t->ids);
    free(t->from);
    free(t->to);
    bool with_offsets = t->with_offsets;
    *t = (struct wordpiece_tokens){ .with_offsets = with_offsets };
}
