// SPDX-License-Identifier: MIT
/*
 * paper.c — lines, blocks and words of a paper
 */
#include "paper.h"

#include "alloc.h"
#include "buf.h"
#include "scan.h"
#include "text.h"

#define LATEST 4096       /* a power of two */
#define LINE_MAX_HEAD 120 /* bytes of the longest running head */

struct paper {
    const struct vocab *vocab;
    struct sv *texts; /* (n) */
    size_t n, cap;
    struct map *lines; /* keys of short lines; NULL: not counted yet */
    size_t *counts;    /* of each of them */
    size_t counts_cap;
    struct map *blocks;       /* NULL: none asked for */
    struct map *words;        /* NULL: not collected yet */
    struct sv latest[LATEST]; /* words collected lately, by hash */
    struct buf key;
};

struct paper *paper_new(const struct vocab *vocab)
{
    struct paper *p = alloc_zero(1, sizeof *p);
    p->vocab = vocab;
    return p;
}

void paper_reset(struct paper *p)
{
    p->n = 0;
    map_free(p->lines);
    map_free(p->blocks);
    map_free(p->words);
    p->lines = p->blocks = p->words = NULL;
    memset(p->latest, 0, sizeof p->latest);
}

void paper_free(struct paper *p)
{
    if (!p)
        return;
    paper_reset(p);
    free(p->texts);
    free(p->counts);
    buf_release(&p->key);
    free(p);
}

void paper_add(struct paper *p, struct sv text)
{
    if (p->n == p->cap) {
        p->cap = alloc_grow(p->cap, p->n + 1);
        p->texts = alloc_resize(p->texts, p->cap, sizeof *p->texts);
    }
    p->texts[p->n++] = text;
}

/* ---- lines ---- */

#define LETTERS_MIN 3    /* of a running head */
#define LETTERS_ASIDE 20 /* of one whose numbers may differ: "Step 1" and "Step 2" are two */

/* Is it a line whose numbers may differ from page to page? A long one, or one that says whose
 * the paper is: "SMITH ET AL. 12", "Smith: Morb genesis 12". */
static bool is_numbered(struct sv line)
{
    size_t letters = 0, colon = sv_find(line, SV(": "), 0), digit = 0;
    for (size_t i = 0; i < line.n; i++)
        letters += scan_is_lower((unsigned char)line.p[i] | 32);
    while (digit < line.n && !scan_is_digit((unsigned char)line.p[digit]))
        digit++;
    return letters >= LETTERS_ASIDE || colon < digit ||
           sv_find(line, SV("et al"), 0) != SIZE_MAX ||
           sv_find(line, SV("ET AL"), 0) != SIZE_MAX;
}

/* Letters and digits only, in lower case; each number of a numbered line is "0". False: too
 * little or too much. */
static bool line_key(struct sv line, struct buf *key)
{
    line = sv_trim(line);
    buf_reset(key);
    if (line.n < 4 || line.n > LINE_MAX_HEAD)
        return false;
    size_t letters = 0;
    bool is_aside = is_numbered(line);
    for (size_t i = 0; i < line.n; i++) {
        unsigned char c = (unsigned char)line.p[i];
        if (scan_is_digit(c)) {
            bool is_number = key->len && scan_is_digit((unsigned char)key->data[key->len - 1]);
            if (!is_aside)
                buf_char(key, (char)c);
            else if (!is_number)
                buf_char(key, '0');
        } else if (c >= 0x80 || scan_is_lower(c | 32)) {
            buf_char(key, (char)(scan_is_upper(c) ? c + 32 : c));
            letters++;
        }
    }
    return letters >= LETTERS_MIN;
}

static void count_line(struct paper *p, struct sv line)
{
    bool is_new;
    if (!line_key(line, &p->key))
        return;
    size_t i = map_put(p->lines, buf_view(&p->key), &is_new);
    if (i >= p->counts_cap) {
        p->counts_cap = alloc_grow(p->counts_cap, i + 1);
        p->counts = alloc_resize(p->counts, p->counts_cap, sizeof *p->counts);
    }
    p->counts[i] = is_new ? 1 : p->counts[i] + 1;
}

size_t paper_line_count(struct paper *p, struct sv line)
{
    if (!p->lines) {
        p->lines = map_new();
        for (size_t i = 0; i < p->n; i++) {
            struct sv rest = p->texts[i], one;
            while (sv_cut(&rest, '\n', &one))
                count_line(p, one);
        }
    }
    if (!line_key(line, &p->key))
        return 0;
    size_t i = map_get(p->lines, buf_view(&p->key));
    return i == MAP_NONE ? 0 : p->counts[i];
}

/* ---- blocks ---- */

bool paper_seen(struct paper *p, struct sv block)
{
    bool is_new;
    if (!p->blocks)
        p->blocks = map_new();
    map_put(p->blocks, block, &is_new);
    return !is_new;
}

/* ---- words ---- */

static void fold(struct paper *p, struct sv word)
{
    buf_reset(&p->key);
    utf8_fold(&p->key, word);
}

static bool is_hyphen(struct sv s, size_t at)
{
    return scan_byte(s, at) == '-';
}

/* Does a line end behind the hyphen at byte `at`? */
static bool ends_line(struct sv s, size_t at)
{
    do
        at++;
    while (scan_byte(s, at) == ' ' || scan_byte(s, at) == '\r');
    return scan_byte(s, at) == '\n';
}

/* Collect a word. Most are ones that came a moment ago. */
static void add_word(struct paper *p, struct sv word)
{
    uint32_t hash = (uint32_t)word.n;
    for (size_t i = 0; i < word.n; i++)
        hash = hash * 31 + (unsigned char)word.p[i];
    struct sv *last = &p->latest[(hash ^ hash >> 12) & (LATEST - 1)];
    if (sv_eq(*last, word))
        return;
    *last = word;
    fold(p, word);
    map_put(p->words, buf_view(&p->key), NULL);
}

/* Words, and compounds in one line; halves of torn words are neither. */
static void add_words(struct paper *p, struct sv text)
{
    struct word w, before = { 0 };
    bool after_hyphen = false, is_torn = false;
    for (size_t pos = 0; word_next(text, &pos, &w);) {
        if (w.kind != WORD_ALPHA) {
            after_hyphen = is_hyphen(text, w.start) && before.end == w.start && before.end;
            is_torn = after_hyphen && ends_line(text, w.start);
            continue;
        }
        bool tears = is_hyphen(text, w.end) && ends_line(text, w.end);
        if (!tears && !is_torn)
            add_word(p, sv_from_to(text, w.start, w.end));
        if (after_hyphen && !is_torn && !tears)
            add_word(p, sv_from_to(text, before.start, w.end));
        before = w;
        after_hyphen = is_torn = false;
    }
}

bool paper_has(struct paper *p, struct sv word)
{
    if (!p->words) {
        p->words = map_new();
        for (size_t i = 0; i < p->n; i++)
            add_words(p, p->texts[i]);
    }
    fold(p, word);
    return map_get(p->words, buf_view(&p->key)) != MAP_NONE;
}

bool paper_knows(struct paper *p, struct sv word)
{
    return (p->vocab && vocab_find(p->vocab, word, NULL) != VOCAB_NONE) || paper_has(p, word);
}
