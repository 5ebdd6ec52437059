// SPDX-License-Identifier: MIT
/*
 * analyzer.c — text to search terms: read one position of the text, queue its readings
 */
#include "analyzer.h"

#include <libstemmer.h>

#include "alloc.h"
#include "buf.h"
#include "chem.h"
#include "hash.h"
#include "map.h"
#include "scan.h"
#include "text_list.h"

/* Function words, and the words that questions are made of. None is a symbol of an element:
 * chemical notation is recognised before words are looked up here. */
static const char *const builtin[] = {
    "a",    "an",    "and",  "are",  "as",   "at",    "be",   "been",  "but",   "by",    "can",
    "did",  "do",    "does", "for",  "from", "had",   "has",  "have",  "he",    "how",   "i",
    "if",   "in",    "into", "is",   "it",   "its",   "no",   "not",   "of",    "on",    "or",
    "our",  "such",  "than", "that", "the",  "their", "then", "there", "these", "they",  "this",
    "to",   "us",    "was",  "we",   "were", "what",  "when", "where", "which", "while", "who",
    "whom", "whose", "why",  "will", "with", "would",
};

struct analyzer {
    struct analyzer_options options;
    struct map *stop; /* folded */
    char name[80];
};

/* ---- creation ---- */

static void add_stop(struct analyzer *a, struct sv word, struct buf *tmp, struct buf *all)
{
    bool is_new;
    buf_reset(tmp);
    utf8_fold(tmp, word);
    map_put(a->stop, buf_view(tmp), &is_new);
    if (is_new) {
        buf_sv(all, buf_view(tmp));
        buf_char(all, '\n');
    }
}

struct analyzer *analyzer_new(const char *stop_path, const struct analyzer_options *options,
                              struct err *err)
{
    struct map *list = stop_path ? text_list_load(stop_path, err) : NULL;
    if (stop_path && !list)
        return NULL;
    struct analyzer *a = alloc_zero(1, sizeof *a);
    struct buf tmp = BUF_INIT, all = BUF_INIT;
    a->options = options ? *options : (struct analyzer_options){ 0 };
    a->stop = map_new();
    for (size_t i = 0; !a->options.no_stop && list && i < map_count(list); i++)
        add_stop(a, map_key(list, i), &tmp, &all);
    for (size_t i = 0; !a->options.no_stop && !list && i < ARRAY_LEN(builtin); i++)
        add_stop(a, sv_from(builtin[i]), &tmp, &all);
    snprintf(a->name, sizeof a->name, "english/%s:%d/stop:%016llx/chem:%d/same:%d",
             a->options.lemmas ? "lemma" : "stem", !a->options.no_stem,
             (unsigned long long)hash64(buf_view(&all)), !a->options.no_chem,
             !a->options.no_same);
    buf_release(&tmp);
    buf_release(&all);
    map_free(list);
    return a;
}

void analyzer_free(struct analyzer *a)
{
    if (!a)
        return;
    map_free(a->stop);
    free(a);
}

const char *analyzer_name(const struct analyzer *a)
{
    return a->name;
}

/* ---- scratch ---- */

#define CACHE_SLOTS 8192 /* a power of two */
#define CACHED_MAX 22    /* longest word kept */
#define QUEUE_MAX 24     /* readings of one position; a compound has at most PARTS_MAX parts */
#define PARTS_MAX 8

/* What became of a word of plain letters. */
struct cached {
    unsigned char n, n_stem; /* lengths; n == 0: free slot */
    bool is_stop;
    char word[CACHED_MAX];
    char stem[CACHED_MAX];
};

struct queued {
    size_t at, n; /* in `bytes` */
    size_t start, end;
    enum term_kind kind;
    bool same;
};

struct terms {
    const struct analyzer *a;
    struct sb_stemmer *stemmer;
    struct sv text;
    size_t pos;
    struct buf bytes; /* the queued terms, each with a NUL */
    struct buf fold;
    struct queued queue[QUEUE_MAX];
    size_t n_queued, next;
    char lemma[LEMMA_MAX];
    struct cached cache[CACHE_SLOTS];
};

struct terms *terms_new(const struct analyzer *a)
{
    struct terms *t = alloc_zero(1, sizeof *t);
    t->a = a;
    t->stemmer = sb_stemmer_new("english", "UTF_8");
    if (!t->stemmer) /* the algorithm is built in: only memory can be lacking */
        alloc_die(NULL);
    return t;
}

void terms_free(struct terms *t)
{
    if (!t)
        return;
    sb_stemmer_delete(t->stemmer);
    buf_release(&t->bytes);
    buf_release(&t->fold);
    free(t);
}

void terms_start(struct terms *t, struct sv text)
{
    t->text = text;
    t->pos = 0;
    t->n_queued = t->next = 0;
}

/* Queue a reading of bytes [start, end). It is a second one if it comes after another of its
 * position. */
static void queue(struct terms *t, struct sv term, size_t start, size_t end,
                  enum term_kind kind, bool same)
{
    if (term.n == 0 || t->n_queued == QUEUE_MAX || (same && t->a->options.no_same))
        return;
    t->queue[t->n_queued++] = (struct queued){ t->bytes.len, term.n, start, end, kind, same };
    buf_sv(&t->bytes, term);
    buf_char(&t->bytes, '\0');
}

/* ---- words ---- */

/* Flat digits for raised and lowered ones; no joiners. In place. */
static void flatten(struct buf *b, size_t from)
{
    struct sv s = sv_from_to(buf_view(b), 0, b->len);
    size_t to = from;
    for (size_t pos = from; pos < s.n;) {
        size_t start = pos;
        uint32_t cp = utf8_next(s, &pos);
        int digit = utf8_digit_value(cp);
        if (digit >= 0) {
            b->data[to++] = (char)('0' + digit);
        } else if (cp != 0xAD && !(cp >= 0x200C && cp <= 0x200D) && cp != 0x2060) {
            memmove(b->data + to, b->data + start, pos - start);
            to += pos - start;
        }
    }
    buf_cut(b, to);
}

/* Append bytes [start, end), folded, to t->fold. Returns whether they are letters only. */
static bool fold_word(struct terms *t, size_t start, size_t end)
{
    size_t from = t->fold.len;
    bool ascii = true, letters = true;
    char *to = buf_reserve(&t->fold, end - start);
    for (size_t i = start; to && i < end; i++) {
        unsigned char c = (unsigned char)t->text.p[i];
        ascii &= c < 0x80;
        letters &= !scan_is_digit(c);
        to[i - start] = scan_is_upper(c) ? (char)(c + 32) : (char)c;
    }
    if (ascii && to) {
        buf_commit(&t->fold, end - start);
        return letters;
    }
    utf8_fold(&t->fold, sv_from_to(t->text, start, end));
    flatten(&t->fold, from);
    for (size_t i = from; i < t->fold.len; i++)
        letters &= !scan_is_digit((unsigned char)t->fold.data[i]);
    return letters;
}

/* Stem or dictionary form of a folded word of letters; valid until the next call. */
static struct sv stem(struct terms *t, struct sv word)
{
    if (t->a->options.no_stem || word.n > 64)
        return word;
    if (t->a->options.lemmas)
        return lemma_of(t->a->options.lemmas, word, t->lemma);
    const sb_symbol *s = sb_stemmer_stem(t->stemmer, (const sb_symbol *)word.p, (int)word.n);
    if (!s)
        alloc_die(NULL);
    return (struct sv){ (const char *)s, (size_t)sb_stemmer_length(t->stemmer) };
}

/* The stem of a folded word of letters; empty: a stop word. Remembers short ones. */
static struct sv normal(struct terms *t, struct sv word)
{
    if (word.n == 0 || word.n > CACHED_MAX)
        return map_get(t->a->stop, word) != MAP_NONE ? SV_NONE : stem(t, word);
    struct cached *c = &t->cache[hash64(word) & (CACHE_SLOTS - 1)];
    if (c->n != word.n || memcmp(c->word, word.p, word.n) != 0) {
        c->is_stop = map_get(t->a->stop, word) != MAP_NONE;
        struct sv s = stem(t, word);
        if (s.n > CACHED_MAX)
            return c->n = 0, c->is_stop ? SV_NONE : s;
        c->n = (unsigned char)word.n;
        c->n_stem = (unsigned char)s.n;
        memcpy(c->word, word.p, word.n);
        memcpy(c->stem, s.p, s.n);
    }
    return c->is_stop ? SV_NONE : (struct sv){ c->stem, c->n_stem };
}

static bool is_number(struct sv s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!scan_is_digit((unsigned char)s.p[i]))
            return false;
    return true;
}

/* The word [start, end) with what is raised after it ("m⁻²") as one term. */
static void queue_word(struct terms *t, size_t start, size_t end)
{
    buf_reset(&t->fold);
    bool letters = fold_word(t, start, end);
    struct sv folded = buf_view(&t->fold);
    if (letters)
        queue(t, normal(t, folded), start, end, TERM_WORD, false);
    else
        queue(t, folded, start, end, is_number(folded) ? TERM_NUMBER : TERM_WORD, false);
}

/* End of the run of letters, marks and digits at byte i. */
static size_t run_end(struct sv s, size_t i)
{
    bool letters = false;
    return scan_run(s, i, &letters);
}

/* Byte after the hyphen or dash at byte i when a word goes on behind it, else 0. */
static size_t after_hyphen(struct sv s, size_t i)
{
    size_t next = i;
    if (i >= s.n)
        return 0;
    uint32_t cp = utf8_next(s, &next);
    if ((cp != '-' && (cp < 0x2010 || cp > 0x2013)) || next >= s.n)
        return 0;
    size_t in = next;
    return scan_in_word(scan_next(s, &in)) ? next : 0;
}

/* The whole of a compound: folded parts with "-" between them, the last one stemmed. */
static void queue_whole(struct terms *t, const size_t parts[][2], size_t n)
{
    buf_reset(&t->fold);
    for (size_t i = 0; i < n; i++) {
        size_t from = t->fold.len;
        bool letters = fold_word(t, parts[i][0], parts[i][1]);
        if (i + 1 < n) {
            buf_char(&t->fold, '-');
        } else if (letters) {
            struct sv last = stem(t, sv_from_to(buf_view(&t->fold), from, t->fold.len));
            char copy[66];
            size_t len = last.n < sizeof copy ? last.n : 0;
            memcpy(copy, last.p, len);
            if (len) {
                buf_cut(&t->fold, from);
                buf_add(&t->fold, copy, len);
            }
        }
    }
    queue(t, buf_view(&t->fold), parts[0][0], parts[n - 1][1], TERM_WORD, t->n_queued > 0);
}

/* "trace-element": parts, and the whole as second reading of the first part. */
static void read_compound(struct terms *t, size_t start, size_t end)
{
    size_t parts[PARTS_MAX][2] = { { start, end } }, n = 1, next;
    struct chem c;
    while (n < PARTS_MAX && (next = after_hyphen(t->text, end)) != 0 &&
           (t->a->options.no_chem || !chem_match(t->text, next, &c))) {
        end = run_end(t->text, next);
        parts[n][0] = next;
        parts[n++][1] = end;
    }
    queue_word(t, parts[0][0], parts[0][1]);
    if (n > 1)
        queue_whole(t, (const size_t(*)[2])parts, n);
    for (size_t i = 1; i < n; i++)
        queue_word(t, parts[i][0], parts[i][1]);
    t->pos = end;
}

/* ---- numbers and units ---- */

/* An exponent at byte i: "⁻³", "^-3", "^{-3}": appended to t->fold as "-3". Returns its end. */
static size_t read_exponent(struct terms *t, size_t i)
{
    struct sv s = t->text;
    size_t pos = i, n = 0;
    bool caret = scan_byte(s, pos) == '^', brace = caret && scan_byte(s, pos + 1) == '{';
    pos += (size_t)caret + (size_t)brace;
    if (pos >= s.n)
        return i;
    size_t mark = t->fold.len, at = pos;
    uint32_t cp = utf8_next(s, &at);
    bool minus = cp == 0x207B || (caret && (cp == '-' || cp == 0x2212));
    if (!minus && !caret)
        return i;
    pos = minus ? at : pos;
    if (minus)
        buf_char(&t->fold, '-');
    for (; pos < s.n && n < 3; pos = at, n++) {
        at = pos;
        cp = utf8_next(s, &at);
        if (utf8_digit_value(cp) < 0 || (!caret && cp < 0x80))
            break;
        buf_char(&t->fold, (char)('0' + utf8_digit_value(cp)));
    }
    if (n && (!brace || scan_byte(s, pos) == '}'))
        return pos + brace;
    buf_cut(&t->fold, mark);
    return i;
}

static size_t digits_end(struct sv s, size_t i)
{
    while (scan_is_digit(scan_byte(s, i)))
        i++;
    return i;
}

/* 0.7092, 1,200 (as 1200), 10⁻³: false when the run at pos is no number. */
static bool read_number(struct terms *t)
{
    struct sv s = t->text;
    size_t start = t->pos, end = digits_end(s, start), from = start;
    bool decimal = false;
    if (end == start)
        return false;
    buf_reset(&t->fold);
    while (!decimal) {
        size_t more = digits_end(s, end + 1);
        int c = scan_byte(s, end);
        bool group = c == ',' && more - end == 4 && end - start <= (from == start ? 3u : 15u);
        decimal = c == '.' && more > end + 1;
        if (!group && !decimal)
            break;
        buf_sv(&t->fold, sv_from_to(s, from, end + decimal));
        from = end + 1;
        end = more;
    }
    buf_sv(&t->fold, sv_from_to(s, from, end));
    size_t raised = read_exponent(t, end);
    bool plain = !decimal && raised == end && from == start;
    if (raised == end && !decimal && run_end(s, end) > end)
        return false; /* 5mm, 2nd */
    if (plain && after_hyphen(s, end))
        return false; /* 5-10: a compound */
    queue(t, buf_view(&t->fold), start, raised, TERM_NUMBER, false);
    t->pos = raised;
    return true;
}

/* wt.%, "wt. %", vol%: one term "wt%". */
static bool read_percent(struct terms *t, size_t end)
{
    static const char *const units[] = { "wt", "vol", "mol", "at" };
    struct sv unit = sv_from_to(t->text, t->pos, end);
    size_t i = end + (scan_byte(t->text, end) == '.');
    i += scan_byte(t->text, i) == ' ';
    if (scan_byte(t->text, i) != '%')
        return false;
    for (size_t k = 0; k < ARRAY_LEN(units); k++) {
        if (!sv_is(unit, units[k]))
            continue;
        buf_reset(&t->fold);
        buf_str(&t->fold, units[k]);
        buf_char(&t->fold, '%');
        queue(t, buf_view(&t->fold), t->pos, i + 1, TERM_WORD, false);
        t->pos = i + 1;
        return true;
    }
    return false;
}

/* "m⁻²", "cm^3": a unit with its exponent. */
static bool read_raised_unit(struct terms *t, size_t end)
{
    int next = scan_byte(t->text, end);
    if (next != '^' && next != 0xE2)
        return false;
    buf_reset(&t->fold);
    fold_word(t, t->pos, end);
    size_t raised = read_exponent(t, end);
    if (raised == end)
        return false;
    queue(t, buf_view(&t->fold), t->pos, raised, TERM_WORD, false);
    t->pos = raised;
    return true;
}

/* ---- one position ---- */

/* Is part i the one before it again (Ar-Ar)? */
static bool is_same_part(const struct chem *c, unsigned i)
{
    struct chem_part a = c->parts[i - 1], b = c->parts[i];
    return a.to - a.from == b.to - b.from &&
           !memcmp(c->text + a.from, c->text + b.from, (size_t)(a.to - a.from));
}

static bool read_chem(struct terms *t)
{
    struct chem c;
    char key[CHEM_MAX];
    if (!chem_match(t->text, t->pos, &c))
        return false;
    size_t n = chem_key(&c, key);
    queue(t, (struct sv){ key, n }, c.start, c.end, TERM_CHEM, false);
    for (unsigned i = 0; i < c.n_parts; i++) {
        if (i > 0 && is_same_part(&c, i))
            continue;
        n = chem_part_key(&c, i, key);
        queue(t, (struct sv){ key, n }, c.start, c.end, TERM_CHEM, true);
    }
    t->pos = c.end;
    return true;
}

/* "'s" and "’s" at the end of a word are left out. */
static void skip_possessive(struct terms *t)
{
    struct sv rest = sv_from_to(t->text, t->pos, t->text.n);
    size_t n = sv_starts(rest, SV("'s")) ? 2 : sv_starts(rest, SV("\xE2\x80\x99s")) ? 4 : 0;
    if (n && (n == rest.n || run_end(rest, n) == n))
        t->pos += n;
}

/* Read the token at t->pos, whose class is c and which ends its first character at next. */
static void read_token(struct terms *t, enum scan_class c, size_t next)
{
    if (!t->a->options.no_chem && read_chem(t))
        return;
    if (c == SCAN_PUNCT || c == SCAN_ALONE) {
        next = scan_marks(t->text, next);
        if (c == SCAN_ALONE)
            queue_word(t, t->pos, next);
        t->pos = next;
        return;
    }
    if (c == SCAN_DIGIT && read_number(t))
        return;
    size_t end = run_end(t->text, next);
    if (c == SCAN_LOWER && (read_percent(t, end) || read_raised_unit(t, end)))
        return;
    read_compound(t, t->pos, end);
    skip_possessive(t);
}

static bool fill(struct terms *t)
{
    buf_reset(&t->bytes);
    t->n_queued = t->next = 0;
    while (t->n_queued == 0 && t->pos < t->text.n) {
        if (t->text.p[t->pos] == ' ') {
            t->pos++;
            continue;
        }
        size_t next = t->pos;
        enum scan_class c = scan_next(t->text, &next);
        if (c == SCAN_SPACE)
            t->pos = next;
        else
            read_token(t, c, next);
    }
    return t->n_queued > 0;
}

bool terms_next(struct terms *t, struct term *out)
{
    if (t->next == t->n_queued && !fill(t))
        return false;
    const struct queued *q = &t->queue[t->next++];
    *out = (struct term){ .text = { t->bytes.data + q->at, q->n },
                          .start = q->start,
                          .end = q->end,
                          .kind = q->kind,
                          .same = q->same };
    return true;
}
