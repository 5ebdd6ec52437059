// SPDX-License-Identifier: MIT
/*
 * near.c — look-up names within one edit, without an index of their own
 *
 * The look-up names are sorted. An edit behind the third letter leaves the first three: their
 * run of names is compared one by one. Edits before are tried out, each an exact look-up.
 */
#include "near.h"

#include "alloc.h"
#include "text.h"
#include "utf8.h"

#define MAX_LETTERS 60
#define HEAD 3        /* letters before which edits are tried out */
#define MAX_RUN 20000 /* names of one beginning that are compared */
#define MAX_WORDS 4

struct letters {
    uint32_t at[MAX_LETTERS + 2];
    size_t n; /* 0: too long, or of a kind that has no misspelling */
};

static struct letters letters_of(struct sv key)
{
    struct letters l = { .n = 0 };
    size_t n = 0;
    for (size_t pos = 0; pos < key.n; n++) {
        uint32_t cp = utf8_next(key, &pos);
        if (n == MAX_LETTERS || utf8_is_digit(cp) || cp == '=' || cp == '+')
            return l;
        l.at[n] = cp;
    }
    l.n = n;
    return l;
}

static bool is_one_edit(const struct letters *a, const struct letters *b)
{
    if (a->n > b->n)
        return is_one_edit(b, a);
    size_t i = 0, ea = a->n, eb = b->n;
    if (b->n - a->n > 1)
        return false;
    while (i < ea && a->at[i] == b->at[i])
        i++;
    while (ea > i && a->at[ea - 1] == b->at[eb - 1])
        ea--, eb--;
    if (eb - i <= 1)
        return true; /* nothing, one other letter, or one more */
    return ea - i == 2 && eb - i == 2 && a->at[i] == b->at[i + 1] && a->at[i + 1] == b->at[i];
}

bool near_is_one_edit(struct sv a, struct sv b)
{
    struct letters x = letters_of(a), y = letters_of(b);
    return sv_eq(a, b) || (x.n && y.n && is_one_edit(&x, &y));
}

static struct sv name_at(const struct grg *g, size_t i)
{
    return grg_str(g, g->names[i].key);
}

/* The first name that is not before `prefix`. */
static size_t first_from(const struct grg *g, struct sv prefix)
{
    size_t lo = 0, hi = g->n_names;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (sv_cmp(name_at(g, mid), prefix) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static size_t take(const struct grg *g, size_t i, struct links *to)
{
    const struct grg_name *x = &g->names[i];
    if (x->node >= g->n_nodes || x->spelling != GRG_NONE || !grg_is_thing(g, x->node))
        return 0;
    size_t before = to->n;
    links_add(to, &(struct link){ .node = x->node, .weight = NEAR_WEIGHT, .via = "spelling" });
    return to->n - before;
}

static void put_letters(struct buf *b, const struct letters *l, size_t n)
{
    buf_reset(b);
    for (size_t i = 0; i < n && i < l->n; i++)
        utf8_put(b, l->at[i]);
}

/* Names with exactly these letters. */
static size_t try_letters(const struct grg *g, const struct letters *l, struct buf *b,
                          struct links *to)
{
    size_t n = 0;
    put_letters(b, l, l->n);
    struct grg_range r = grg_find_names(g, buf_view(b));
    for (uint32_t i = r.from; i < r.to; i++)
        n += take(g, i, to);
    return n;
}

static struct letters without(const struct letters *l, size_t i)
{
    struct letters x = *l;
    memmove(x.at + i, x.at + i + 1, (x.n - i - 1) * sizeof *x.at);
    x.n--;
    return x;
}

static struct letters with(const struct letters *l, size_t i, uint32_t cp)
{
    struct letters x = *l;
    memmove(x.at + i + 1, x.at + i, (x.n - i) * sizeof *x.at);
    x.at[i] = cp;
    x.n++;
    return x;
}

/* Edits at the first letters. */
static size_t edit_head(const struct grg *g, const struct letters *l, struct buf *b,
                        struct links *to)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz- ";
    size_t n = 0;
    for (size_t i = 0; i < HEAD; i++) {
        struct letters x = without(l, i);
        n += try_letters(g, &x, b, to);
        x = *l;
        x.at[i] = l->at[i + 1];
        x.at[i + 1] = l->at[i];
        n += try_letters(g, &x, b, to);
        for (const char *c = alphabet; *c; c++) {
            x = with(l, i, (unsigned char)*c);
            n += try_letters(g, &x, b, to);
            x = *l;
            x.at[i] = (unsigned char)*c;
            n += try_letters(g, &x, b, to);
        }
    }
    return n;
}

static size_t near_key(const struct grg *g, struct sv key, struct links *to)
{
    struct letters l = letters_of(key);
    struct buf b = BUF_INIT;
    size_t n = 0;
    if (l.n < NEAR_MIN)
        return 0;
    put_letters(&b, &l, HEAD);
    for (size_t i = first_from(g, buf_view(&b)), seen = 0;
         i < g->n_names && seen < MAX_RUN && sv_starts(name_at(g, i), buf_view(&b));
         i++, seen++) {
        struct sv name = name_at(g, i);
        if (name.n + 4 < key.n || name.n > key.n + 4)
            continue;
        struct letters other = letters_of(name);
        if (other.n && is_one_edit(&l, &other))
            n += take(g, i, to);
    }
    n += edit_head(g, &l, &b, to);
    buf_release(&b);
    return n;
}

size_t near_spelling(const struct grg *g, struct sv name, struct links *to)
{
    struct buf key = BUF_INIT;
    text_key(sv_trim(name), TEXT_KEY_SINGULAR, &key);
    size_t n = near_key(g, buf_view(&key), to);
    buf_release(&key);
    return n;
}

size_t near_prefix(const struct grg *g, struct sv name, size_t max, struct links *to)
{
    struct buf key = BUF_INIT;
    size_t n = 0;
    text_key(sv_trim(name), TEXT_KEY_PLAIN, &key);
    struct sv prefix = buf_view(&key);
    if (utf8_count(prefix) >= 3)
        for (size_t i = first_from(g, prefix);
             n < max && i < g->n_names && sv_starts(name_at(g, i), prefix); i++)
            n += take(g, i, to);
    buf_release(&key);
    return n;
}

size_t near_any(const struct grg *g, struct sv name, struct links *to, struct buf *names)
{
    if (!near_spelling(g, name, to))
        near_prefix(g, name, 6, to);
    for (size_t i = 0; i < to->n && i < 5; i++)
        buf_printf(names, "%s\"%.*s\"", i ? ", " : "",
                   SV_ARG(grg_str(g, grg_node(g, to->items[i].node)->name)));
    if (to->n > 5)
        buf_str(names, ", …");
    return to->n;
}

/* Is there a word in the span that is no function word? */
static bool says_something(struct terms *terms, struct sv span)
{
    struct term t;
    terms_start(terms, span);
    return terms_next(terms, &t);
}

size_t near_text(const struct grg *g, struct terms *terms, struct sv text, struct links *to)
{
    struct word words[64];
    size_t n = 0, found = 0;
    for (size_t pos = 0; n < ARRAY_LEN(words) && word_next(text, &pos, &words[n]);)
        n += words[n].kind == WORD_ALPHA;
    for (size_t i = 0; i < n; i++)
        for (size_t len = n - i < MAX_WORDS ? n - i : MAX_WORDS; len > 0; len--) {
            struct sv span = sv_from_to(text, words[i].start, words[i + len - 1].end);
            size_t more = says_something(terms, span) ? near_spelling(g, span, to) : 0;
            found += more;
            if (more) {
                i += len - 1;
                break;
            }
        }
    return found;
}
