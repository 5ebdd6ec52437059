// SPDX-License-Identifier: MIT
/*
 * text.c — word tokens; keys of names
 */
#include "text.h"

#include "chem.h"
#include "scan.h"

/* The token that begins at or after *pos, as long as there is nothing but ASCII up to one byte
 * behind it: nearly all. False: look closely. */
static bool next_plain(struct sv s, size_t *pos, struct word *w)
{
    size_t start = *pos;
    while (start < s.n && scan_ascii[(unsigned char)s.p[start]] == SCAN_SPACE)
        start++;
    size_t end = start;
    bool letters = false;
    for (enum scan_class c; end < s.n; end++) {
        c = (enum scan_class)scan_ascii[(unsigned char)s.p[end]];
        if (!scan_in_word(c))
            break;
        letters |= c != SCAN_DIGIT;
    }
    bool is_mark = end == start;
    end += is_mark;
    if (end >= s.n || (unsigned char)s.p[start] >= 0x80 || (unsigned char)s.p[end] >= 0x80)
        return false;
    *pos = end;
    *w = (struct word){ start, end, is_mark ? WORD_PUNCT : letters ? WORD_ALPHA : WORD_NUMBER };
    return true;
}

bool word_next(struct sv s, size_t *pos, struct word *w)
{
    if (next_plain(s, pos, w))
        return true;
    while (*pos < s.n) {
        size_t start = *pos;
        enum scan_class c = (enum scan_class)scan_ascii[(unsigned char)s.p[start]];
        if (c == SCAN_BEYOND)
            c = scan_next(s, pos);
        else
            ++*pos;
        if (c == SCAN_SPACE)
            continue;
        bool letters = c != SCAN_DIGIT;
        if (scan_in_word(c))
            *pos = scan_run(s, *pos, &letters);
        else if (scan_byte(s, *pos) >= 0x80)
            *pos = scan_marks(s, *pos);
        *w = (struct word){ start, *pos,
                            c == SCAN_PUNCT ? WORD_PUNCT
                            : letters       ? WORD_ALPHA
                                            : WORD_NUMBER };
        return true;
    }
    return false;
}

/* Where word_count stands: what the character before was. */
enum state { BETWEEN, IN_WORD, AFTER_MARK };

/* One character beyond ASCII at *pos: the number of tokens it begins. */
static size_t count_beyond(struct sv s, size_t *pos, enum state *state)
{
    enum scan_class c = scan_next(s, pos);
    if (c == SCAN_MARK && *state == AFTER_MARK) /* belongs to a punctuation mark */
        return 0;
    bool begins = scan_in_word(c) ? *state != IN_WORD : c != SCAN_SPACE;
    *state = scan_in_word(c) ? IN_WORD : c == SCAN_SPACE ? BETWEEN : AFTER_MARK;
    return begins;
}

/* The same tokens as word_next, only counted: in ASCII one is where a mark stands, or where a
 * letter or digit follows something else. */
size_t word_count(struct sv s)
{
    size_t n = 0, pos = 0;
    enum state state = BETWEEN;
    while (pos < s.n) {
        enum scan_class c = (enum scan_class)scan_ascii[(unsigned char)s.p[pos]];
        if (c == SCAN_BEYOND) {
            n += count_beyond(s, &pos, &state);
            continue;
        }
        unsigned word = scan_in_word(c), mark = c == SCAN_PUNCT;
        n += mark | (word & (state != IN_WORD));
        state = (enum state)(word * IN_WORD + mark * AFTER_MARK);
        pos++;
    }
    return n;
}

/* ---- keys ---- */

static bool is_word_of(struct sv word, struct sv words)
{
    struct sv one;
    while (words.n && sv_cut(&words, '|', &one))
        if (sv_ieq(word, one) || (word.n == one.n + 1 && (word.p[one.n] | 32) == 's' &&
                                  sv_ieq(sv_from_to(word, 0, one.n), one)))
            return true;
    return false;
}

bool text_has_word(struct sv text, struct sv words)
{
    for (size_t i = 0, end; i < text.n; i = end + 1) {
        for (end = i; end < text.n && scan_is_letter((unsigned char)text.p[end]);)
            end++;
        if (end > i && is_word_of(sv_from_to(text, i, end), words))
            return true;
    }
    return false;
}

size_t text_cut_plural(char *word, size_t n)
{
    struct sv w = { word, n };
    if (n < 4 || !sv_ends(w, SV("s")) || sv_ends(w, SV("ss")) || sv_ends(w, SV("us")) ||
        sv_ends(w, SV("is")) || sv_ends(w, SV("species")) || sv_ends(w, SV("series")))
        return n;
    if (sv_ends(w, SV("ies")) && n > 4) {
        word[n - 3] = 'y';
        return n - 2;
    }
    bool es = sv_ends(w, SV("sses")) || sv_ends(w, SV("xes")) || sv_ends(w, SV("ches")) ||
              sv_ends(w, SV("shes"));
    return n - (es ? 2 : 1);
}

/* The same of the last word of key, which begins at byte `from`. */
static void cut_plural(struct buf *key, size_t from)
{
    if (from < key->len)
        buf_cut(key, from + text_cut_plural(key->data + from, key->len - from));
}

/* Two capitals that spell a symbol in title case: "PB". */
static bool shouts(struct sv w)
{
    char symbol[2];
    if (w.n != 2 || !scan_is_upper((unsigned char)w.p[0]) ||
        !scan_is_upper((unsigned char)w.p[1]))
        return false;
    symbol[0] = w.p[0];
    symbol[1] = (char)(w.p[1] + 32);
    return chem_symbol((struct sv){ symbol, 2 }) != 0;
}

/* Is it of several words, all in capitals? Then capitals tell nothing. */
static bool is_capital_title(struct sv name)
{
    struct word w;
    size_t words = 0;
    for (size_t i = 0; i < name.n; i++)
        if (scan_is_lower((unsigned char)name.p[i]))
            return false;
    for (size_t pos = 0; word_next(name, &pos, &w);)
        words += w.kind == WORD_ALPHA;
    return words > 1;
}

/* What punctuation becomes: one dash, straight quotes; everything else stays. */
static void put_mark(struct buf *key, struct sv mark)
{
    size_t at = 0;
    uint32_t cp = utf8_next(mark, &at);
    if ((cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212 || cp == 0xFE63 || cp == 0xFF0D)
        buf_char(key, '-');
    else if (cp == 0x2018 || cp == 0x2019 || cp == 0x02BC || cp == 0x2032)
        buf_char(key, '\'');
    else if (cp == 0x201C || cp == 0x201D)
        buf_char(key, '"');
    else
        utf8_fold(key, mark);
}

/* A word or mark of the name; "=CO" is the key of a key. */
static void put_word(struct buf *key, struct sv name, struct word w, bool titles)
{
    struct sv token = sv_from_to(name, w.start, w.end);
    if (w.kind == WORD_PUNCT) {
        put_mark(key, token);
    } else if (shouts(token) && !titles) {
        if (!key->len || key->data[key->len - 1] != '=')
            buf_char(key, '=');
        buf_sv(key, token);
    } else {
        utf8_fold(key, token);
    }
}

static void put_chem(struct buf *key, const struct chem *c)
{
    char folded[CHEM_MAX];
    size_t n = chem_key(c, folded);
    bool marked = folded[0] == '=' && key->len && key->data[key->len - 1] == '=';
    buf_add(key, folded + marked, n - marked);
}

/* Is the name of words of small ASCII letters that are no notation, one blank apart? It is its
 * own key then. *last: where its last word begins. */
static bool is_plain_name(struct sv name, size_t *last)
{
    *last = 0;
    for (size_t i = 0; i <= name.n; i++) {
        if (i < name.n && scan_is_lower((unsigned char)name.p[i]))
            continue;
        struct sv word = sv_from_to(name, *last, i);
        if ((i < name.n && name.p[i] != ' ') || word.n < 3 || sv_ends(word, SV("elta")) ||
            sv_ends(word, SV("psilon")))
            return false;
        *last = i < name.n ? i + 1 : *last;
    }
    return true;
}

static bool is_ascii(struct sv s)
{
    unsigned char all = 0;
    for (size_t i = 0; i < s.n; i++)
        all |= (unsigned char)s.p[i];
    return all < 0x80;
}

void text_key(struct sv name, unsigned flags, struct buf *key)
{
    size_t last_word;
    if (is_plain_name(name, &last_word)) {
        last_word += key->len;
        buf_sv(key, name);
        if (flags & TEXT_KEY_SINGULAR)
            cut_plural(key, last_word);
        return;
    }
    struct word w;
    struct chem c;
    struct buf nfc = BUF_INIT;
    if (!is_ascii(name)) {
        utf8_nfc(&nfc, name);
        name = buf_view(&nfc);
    }
    bool titles = is_capital_title(name), in_notation = false;
    size_t end = 0, last = key->len, from = key->len;
    for (size_t pos = 0; word_next(name, &pos, &w); end = pos) {
        if (w.start > end && key->len > from) {
            buf_char(key, ' ');
            last = key->len;
        }
        in_notation = !(titles && shouts(sv_from_to(name, w.start, w.end))) &&
                      chem_match(name, w.start, &c);
        if (in_notation) {
            put_chem(key, &c);
            pos = c.end;
        } else {
            last = w.kind == WORD_PUNCT ? key->len + 1 : last;
            put_word(key, name, w, titles);
        }
    }
    if ((flags & TEXT_KEY_SINGULAR) && !in_notation && last <= key->len)
        cut_plural(key, last);
    buf_release(&nfc);
}
