// SPDX-License-Identifier: MIT
/*
 * words.c — the word splitters of sacrebleu, rouge-score and the SQuAD evaluation
 */
#include "words.h"

#include "alloc.h"
#include "porter.h"
#include "utf8.h"

void words_release(struct words *w)
{
    buf_release(&w->bytes);
    free(w->ends);
    *w = WORDS_INIT;
}

struct sv words_at(const struct words *w, size_t i)
{
    size_t from = i ? w->ends[i - 1] : 0;
    return (struct sv){ w->bytes.data + from, w->ends[i] - from };
}

static void words_reset(struct words *w)
{
    buf_reset(&w->bytes);
    w->n = 0;
}

/* What was appended to bytes since the last word is one, unless it is empty. */
static void end_word(struct words *w)
{
    size_t from = w->n ? w->ends[w->n - 1] : 0;
    if (w->bytes.len == from)
        return;
    if (w->n == w->cap) {
        w->cap = alloc_grow(w->cap, w->n + 1);
        w->ends = alloc_resize(w->ends, w->cap, sizeof *w->ends);
    }
    w->ends[w->n++] = w->bytes.len;
}

bool words_is_space(uint32_t cp)
{
    return (cp >= 9 && cp <= 13) || (cp >= 28 && cp <= 32) || cp == 0x85 || cp == 0xA0 ||
           cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 ||
           cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

static void split_space(struct words *w, struct sv text)
{
    for (size_t i = 0; i < text.n;) {
        size_t from = i;
        uint32_t cp = utf8_next(text, &i);
        if (words_is_space(cp))
            end_word(w);
        else
            buf_add(&w->bytes, text.p + from, i - from);
    }
    end_word(w);
}

/* ---- 13a ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_stop(char c)
{
    return c == '.' || c == ',';
}

/* Append text with every `from` replaced. */
static void replace_all(struct buf *out, struct sv text, struct sv from, struct sv to)
{
    size_t at = 0, hit;
    while ((hit = sv_find(text, from, at)) != SIZE_MAX) {
        buf_add(out, text.p + at, hit - at);
        buf_sv(out, to);
        at = hit + from.n;
    }
    buf_add(out, text.p + at, text.n - at);
}

/* [\{-\~\[-\` -\&\(-\+\:-\@\/]: ASCII punctuation and blank, without ' , - . */
static bool stands_alone(char c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

/* The four substitutions, each over the whole text and without overlap, as re.sub does them. A
 * byte stands for a character: only ASCII is looked at and all else is copied. */
static void divide_13a(struct buf *a, struct buf *b)
{
    const char *p = a->data;
    buf_reset(b);
    for (size_t i = 0; i < a->len; i++) {
        if (stands_alone(p[i]))
            buf_add(b, (char[3]){ ' ', p[i], ' ' }, 3);
        else
            buf_char(b, p[i]);
    }
    buf_reset(a);
    p = b->data;
    for (size_t i = 0; i < b->len; i++) { /* ([^0-9])([.,]) */
        buf_char(a, p[i]);
        if (i + 1 < b->len && !is_digit(p[i]) && is_stop(p[i + 1])) {
            buf_add(a, (char[3]){ ' ', p[i + 1], ' ' }, 3);
            i++;
        }
    }
    buf_reset(b);
    p = a->data;
    for (size_t i = 0; i < a->len; i++) { /* ([.,])([^0-9]) */
        if (i + 1 < a->len && is_stop(p[i]) && !is_digit(p[i + 1])) {
            buf_add(b, (char[4]){ ' ', p[i], ' ', p[i + 1] }, 4);
            i++;
        } else {
            buf_char(b, p[i]);
        }
    }
    buf_reset(a);
    p = b->data;
    for (size_t i = 0; i < b->len; i++) { /* ([0-9])(-) */
        buf_char(a, p[i]);
        if (i + 1 < b->len && is_digit(p[i]) && p[i + 1] == '-') {
            buf_str(a, " - ");
            i++;
        }
    }
}

void words_13a(struct words *w, struct sv text)
{
    static const struct {
        struct sv from, to;
    } plain[] = {
        { { "<skipped>", 9 }, { "", 0 } }, { { "-\n", 2 }, { "", 0 } },
        { { "\n", 1 }, { " ", 1 } },       { { "&quot;", 6 }, { "\"", 1 } },
        { { "&amp;", 5 }, { "&", 1 } },    { { "&lt;", 4 }, { "<", 1 } },
        { { "&gt;", 4 }, { ">", 1 } },
    };
    struct buf a = BUF_INIT, b = BUF_INIT;
    while (text.n) { /* sacrebleu strips the end before it tokenises */
        size_t at = utf8_floor(text, text.n - 1), next = at;
        if (!words_is_space(utf8_next(text, &next)))
            break;
        text.n = at;
    }
    buf_sv(&a, text);
    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        if (sv_find(buf_view(&a), plain[i].from, 0) == SIZE_MAX)
            continue;
        buf_reset(&b);
        replace_all(&b, buf_view(&a), plain[i].from, plain[i].to);
        struct buf swap = a;
        a = b;
        b = swap;
    }
    buf_reset(&b);
    buf_char(&b, ' ');
    buf_sv(&b, buf_view(&a));
    buf_char(&b, ' ');
    divide_13a(&b, &a);
    words_reset(w);
    split_space(w, buf_view(&b));
    buf_release(&a);
    buf_release(&b);
}

/* ---- rouge ---- */

static void end_rouge(struct words *w)
{
    size_t from = w->n ? w->ends[w->n - 1] : 0, n = w->bytes.len - from;
    if (n > 3) {
        buf_cut(&w->bytes, from + porter_stem(w->bytes.data + from, n));
    }
    end_word(w);
}

void words_rouge(struct words *w, struct sv text)
{
    words_reset(w);
    for (size_t i = 0; i < text.n;) {
        uint32_t cp = utf8_next(text, &i), low = cp < 128 ? cp : utf8_lower(cp);
        if (cp >= 'A' && cp <= 'Z')
            low = cp + 32;
        bool is_word = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9');
        if (is_word)
            buf_char(&w->bytes, (char)low);
        if (!is_word || cp == 0x130) /* capital dotted I becomes i and a mark, which divides */
            end_rouge(w);
    }
    end_rouge(w);
}

/* ---- SQuAD ---- */

/* \w of Python: letters, numbers, underscore (which is punctuation here and gone already). */
static bool is_squad_word(uint32_t cp)
{
    return utf8_is_letter(cp) || utf8_is_number(cp);
}

static bool is_article(struct sv s)
{
    return sv_is(s, "a") || sv_is(s, "an") || sv_is(s, "the");
}

void words_squad(struct words *w, struct sv text)
{
    struct buf low = BUF_INIT, out = BUF_INIT;
    for (size_t i = 0; i < text.n;) {
        uint32_t cp = utf8_next(text, &i);
        if (cp > 32 && cp < 127 && !is_squad_word(cp))
            continue;
        utf8_put(&low, utf8_lower(cp));
        if (cp == 0x130)
            utf8_put(&low, 0x307);
    }
    struct sv s = buf_view(&low);
    for (size_t i = 0; i < s.n;) { /* whole runs of letters and digits that are articles go */
        size_t from = i, end = i;
        while (end < s.n) {
            size_t next = end;
            if (!is_squad_word(utf8_next(s, &next)))
                break;
            end = next;
        }
        if (end == from) {
            utf8_next(s, &i);
            buf_add(&out, s.p + from, i - from);
            continue;
        }
        i = end;
        if (is_article(sv_from_to(s, from, end)))
            buf_char(&out, ' ');
        else
            buf_add(&out, s.p + from, end - from);
    }
    words_reset(w);
    split_space(w, buf_view(&out));
    buf_release(&low);
    buf_release(&out);
}
