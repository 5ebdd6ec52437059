// SPDX-License-Identifier: MIT
/*
 * clause.c — cutting a sentence into items
 */
#include "clause.h"

#include "alloc.h"
#include "utf8.h"
#include "vocab_first.h"

#define BRACKET_MAX 1000 /* items a bracket holds; unclosed ones are not looked for further */

/* One more item. */
static struct item *push(struct clause *c, enum item_kind kind, size_t start, size_t end)
{
    if (c->n == c->cap) {
        c->cap = alloc_grow(c->cap, c->n + 1);
        c->items = alloc_resize(c->items, c->cap, sizeof *c->items);
    }
    struct item *item = &c->items[c->n++];
    *item = (struct item){ .kind = kind, .start = start, .end = end };
    return item;
}

static void push_name(struct clause *c, size_t start, size_t end, size_t at)
{
    if (c->n_names == c->cap_named) {
        c->cap_named = alloc_grow(c->cap_named, c->n_names + 1);
        c->named = alloc_resize(c->named, c->cap_named, sizeof *c->named);
    }
    c->named[c->n_names++] = c->n;
    push(c, ITEM_NAME, start, end)->at = at;
}

void clause_release(struct clause *c)
{
    free(c->items);
    free(c->named);
    *c = (struct clause){ 0 };
}

static bool is_word_char(uint32_t cp)
{
    if (cp < 0x80)
        return (cp | 32) - 'a' < 26 || cp - '0' < 10;
    return utf8_is_letter(cp) || utf8_is_number(cp) || utf8_is_mark(cp);
}

static bool is_dash(uint32_t cp)
{
    return cp == '-' || (cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212;
}

/* Past the letters and digits at pos. What is glued behind a name is no word: "olivine12",
 * "δ18Osw". */
static size_t skip_glued(struct sv text, size_t pos, size_t end)
{
    struct sv sentence = { text.p, end };
    pos += vocab_run_at(sentence, pos).n;
    for (size_t next = pos; next < end; pos = next) {
        unsigned char c = (unsigned char)text.p[pos];
        if (c < 0x80)
            next++;
        if (!is_word_char(c < 0x80 ? c : utf8_next(text, &next)))
            break;
    }
    return pos;
}

static void push_word(struct clause *c, size_t start, size_t end)
{
    struct item *item = push(c, ITEM_WORD, start, end);
    struct sv word = { c->text.p + start, end - start };
    item->key = words_key_in(c->text, start, end);
    item->fold = words_fold(item->key);
    words_note(&c->words, item->fold);
    item->word = word_class_of(word, item->key);
    c->classes |= item->word;
    item->word &= ~(unsigned)W_PARAM;
    size_t i = c->n - 1;
    bool is_limited = i && item[-1].word & W_NOT && clause_is_word(c, i - 1, "not") &&
                      (clause_is_word(c, i, "only") || clause_is_word(c, i, "just"));
    if (is_limited)
        item[-1].word = 0; /* "not only" denies nothing */
}

/* A word with digits, an apostrophe or other letters than those of ASCII, or a mark, at byte
 * pos; the byte after it. */
static size_t push_odd(struct clause *c, size_t pos)
{
    struct sv text = { c->text.p, c->end };
    size_t start = pos;
    uint32_t cp = utf8_next(text, &pos);
    if ((cp <= ' ' || cp >= 0x80) && utf8_is_space(cp))
        return pos;
    if (!is_word_char(cp)) {
        push(c, ITEM_MARK, start, pos)->mark = is_dash(cp) ? '-' : cp < 0x80 ? (char)cp : '?';
        return pos;
    }
    pos = skip_glued(text, pos, c->end);
    bool has_not = pos + 2 < c->end && text.p[pos] == '\'' && text.p[pos + 1] == 't';
    if (has_not)
        pos += 2; /* "isn't": the "n" goes with it */
    push_word(c, start, pos);
    if (has_not && text.p[pos - 3] == 'n') {
        c->items[c->n - 1].word |= W_NOT;
        c->classes |= W_NOT;
    }
    return pos;
}

/* A word or mark at byte pos; the byte after it. */
static size_t push_plain(struct clause *c, size_t pos)
{
    size_t end = pos + vocab_run_at((struct sv){ c->text.p, c->end }, pos).n;
    unsigned char next = end < c->end ? (unsigned char)c->text.p[end] : ' ';
    if (end == pos || next >= 0x80 || next == '\'' || is_word_char(next))
        return push_odd(c, pos);
    push_word(c, pos, end);
    return end;
}

/* Items that start before pos, by halves; start is that of the first of n items of this size,
 * in ascending order. */
static size_t n_before(const size_t *start, size_t n, size_t size, size_t pos)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (*(const size_t *)((const char *)start + mid * size) < pos)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* "fO2", "oxygen fugacity": a name and what conditions are made of. */
static bool is_fugacity(struct sv name)
{
    return name.n > 2 && ((name.p[0] == 'f' && (name.p[1] == 'O' || name.p[1] == 'S')) ||
                          (name.p[name.n - 1] == 'y' && sv_ends(name, SV("fugacity"))));
}

void clause_fill(struct clause *c, struct sv text, size_t start, size_t end,
                 const struct entities *names, const struct quantities *quantities)
{
    c->text = text;
    c->start = start;
    c->end = end;
    c->n = 0;
    c->names = names;
    c->quantities = quantities;
    c->classes = 0;
    c->words = (struct words_bits){ 0 };
    c->n_names = c->n_quantities = 0;
    size_t name = 0, quantity = 0;
    if (names->n)
        name = n_before(&names->items->start, names->n, sizeof *names->items, start);
    if (quantities->n)
        quantity = n_before(&quantities->items->start, quantities->n, sizeof *quantities->items,
                            start);
    size_t next = start; /* no name and no quantity starts before */
    for (size_t pos = start; pos < end;) {
        if (text.p[pos] == ' ') { /* nothing starts with one */
            pos++;
            continue;
        }
        if (pos < next) {
            pos = push_plain(c, pos);
            continue;
        }
        while (name < names->n && names->items[name].start < pos)
            name++;
        while (quantity < quantities->n && quantities->items[quantity].start < pos)
            quantity++;
        const struct entity *e = name < names->n ? &names->items[name] : NULL;
        const struct quantity *q =
            quantity < quantities->n ? &quantities->items[quantity] : NULL;
        next = e ? e->start : end;
        next = q && q->start < next ? q->start : next;
        if (q && q->start == pos && q->end <= end) {
            push(c, ITEM_QUANTITY, pos, q->end)->at = quantity;
            c->n_quantities++;
            pos = q->end;
        } else if (e && e->start == pos && e->end <= end && !e->weak) {
            push_name(c, pos, e->end, name);
            if (is_fugacity(sv_from_to(text, pos, e->end)))
                c->classes |= W_PARAM;
            pos = skip_glued(text, e->end, end);
        } else {
            pos = push_plain(c, pos);
        }
    }
    c->has_hedge = (c->classes & W_HEDGE) != 0;
}

bool clause_has(const struct clause *c, size_t from, size_t to, unsigned word)
{
    for (size_t i = from; i < to && i < c->n; i++)
        if (clause_class(c, i) & word)
            return true;
    return false;
}

size_t clause_apposition(const struct clause *c, size_t i)
{
    unsigned next = clause_class(c, i + 1);
    bool is_verb = next & W_HAVE && !(next & W_PREP); /* "X, which is altered, contains" */
    if (!clause_is_mark(c, i, ',') || !(next & W_AUX || is_verb))
        return i;
    for (size_t k = i; k-- > 0 && k + 12 > i;) {
        if (clause_is_mark(c, k, ','))
            return !is_verb || clause_class(c, k + 1) & W_WHICH ? k : i;
        if (clause_class(c, k) & W_BREAK || clause_is_mark(c, k, ';'))
            break;
    }
    return i;
}

/* "and is", "and has", "and erupted at": a verb, not another noun. */
static bool joins_verb(const struct clause *c, size_t i)
{
    size_t k = i + 1;
    while (k < i + 3 && (clause_is_word(c, k, "also") || clause_is_word(c, k, "thus")))
        k++;
    unsigned next = clause_class(c, k), past = clause_class(c, k + 1);
    return clause_class(c, i) & W_AND && !(next & W_PREP) &&
           (next & (W_AUX | W_HAVE) || (next & W_DATE && past & W_PREP));
}

size_t clause_past_object(const struct clause *c, size_t i)
{
    size_t k = i;
    if (!joins_verb(c, i) || i == 0 || !clause_name(c, i - 1))
        return i;
    while (k > 0 && (clause_name(c, k - 1) || clause_is_mark(c, k - 1, ',') ||
                     clause_is_mark(c, k - 1, '-') || clause_quantity(c, k - 1) ||
                     clause_class(c, k - 1) & (W_DET | W_AND)))
        k--;
    unsigned before = k > 0 ? clause_class(c, k - 1) : 0;
    if (before & W_AUX && !(before & W_HAVE))
        return i;
    return k > 0 ? k - 1 : 0;
}

size_t clause_bracket(const struct clause *c, size_t i)
{
    bool opens = clause_is_mark(c, i, '(') || clause_is_mark(c, i, '[');
    int depth = 0;
    for (size_t k = i; k < c->n && (opens ? k - i : i - k) < BRACKET_MAX; opens ? k++ : k--) {
        if (clause_is_mark(c, k, '(') || clause_is_mark(c, k, '['))
            depth++;
        if (clause_is_mark(c, k, ')') || clause_is_mark(c, k, ']'))
            depth--;
        if (depth == 0)
            return k;
        if (k == 0 && !opens)
            break;
    }
    return SIZE_MAX;
}
