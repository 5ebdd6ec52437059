// SPDX-License-Identifier: MIT
/*
 * check.c — the words of each sentence against the words of its sources
 */
#include "check.h"

#include "alloc.h"
#include "cite.h"
#include "hash.h"
#include "map.h"

/* The different words of a text, sorted. */
struct words {
    uint64_t *hash;
    size_t n, cap;
};

/* What a claim says, and how it is spelt where something is missing. */
struct said {
    struct map *numbers, *words;
};

static int u64_cmp(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void words_put(struct words *w, struct sv word)
{
    if (w->n == w->cap) {
        w->cap = alloc_grow(w->cap, w->n + 1);
        w->hash = alloc_resize(w->hash, w->cap, sizeof *w->hash);
    }
    w->hash[w->n++] = hash64(word);
}

/* The sign written before byte `at`: '-', '+', or 0. "24-34" and "A-1" have none. */
static char sign_before(struct sv text, size_t at)
{
    static const char *const minus[] = { "-", "−", "–" };
    struct sv head = sv_from_to(text, 0, at);
    char sign = 0;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(minus) && !sign; i++)
        if (sv_ends(head, sv_from(minus[i]))) {
            sign = '-';
            n = strlen(minus[i]);
        }
    if (!sign && sv_ends(head, SV("+"))) {
        sign = '+';
        n = 1;
    }
    if (!sign)
        return 0;
    unsigned char before = at > n ? (unsigned char)text.p[at - n - 1] : ' ';
    return strchr(" \n\t(=[~<>,;:", before) ? sign : 0;
}

/* "+0.39" or "-0.39": a number with its sign. */
static void put_signed(struct buf *key, char sign, struct sv number)
{
    buf_reset(key);
    buf_char(key, sign);
    buf_sv(key, number);
}

/* Words as they are; numbers bare, and with their sign (none: plus). */
static void words_add(struct words *w, struct sv text, struct terms *t)
{
    struct buf key = BUF_INIT;
    terms_start(t, text);
    for (struct term term; terms_next(t, &term);) {
        words_put(w, term.text);
        if (term.kind != TERM_NUMBER)
            continue;
        put_signed(&key, sign_before(text, term.start) == '-' ? '-' : '+', term.text);
        words_put(w, buf_view(&key));
    }
    buf_release(&key);
}

static void words_sort(struct words *w)
{
    if (w->n)
        qsort(w->hash, w->n, sizeof *w->hash, u64_cmp);
}

static bool words_has(const struct words *w, struct sv word)
{
    uint64_t key = hash64(word);
    return w->n && bsearch(&key, w->hash, w->n, sizeof *w->hash, u64_cmp);
}

/* All a source says: its passage, its facts (as they stand and as sentences), its evidence, and
 * its title. */
static struct words *words_of_sources(const struct context *c, struct terms *t)
{
    struct words *w = alloc_zero(c->n_sources, sizeof *w);
    for (size_t i = 0; i < c->n_entries; i++) {
        const struct entry *e = &c->entries[i];
        if (e->source == NO_SOURCE)
            continue;
        words_add(&w[e->source], e->text, t);
        words_add(&w[e->source], buf_view(&e->say), t);
    }
    for (size_t i = 0; i < c->n_sources; i++) {
        words_add(&w[i], c->sources[i].title, t);
        words_sort(&w[i]);
    }
    return w;
}

/* A number with a sign has to be in the source with that sign; without one, either way:
 * "lighter by 0.39" may be said of -0.39. */
static void said_read(struct said *x, struct sv sentence, struct terms *t)
{
    struct buf plain = BUF_INIT, key = BUF_INIT;
    cite_strip(&plain, sentence);
    x->numbers = map_new();
    x->words = map_new();
    terms_start(t, buf_view(&plain));
    for (struct term term; terms_next(t, &term);) {
        char sign = term.kind == TERM_NUMBER ? sign_before(buf_view(&plain), term.start) : 0;
        if (sign)
            put_signed(&key, sign, term.text);
        if (!term.same && term.kind == TERM_NUMBER)
            map_put(x->numbers, sign ? buf_view(&key) : term.text, NULL);
        else if (!term.same)
            map_put(x->words, term.text, NULL);
    }
    buf_release(&plain);
    buf_release(&key);
}

static void said_release(struct said *x)
{
    map_free(x->numbers);
    map_free(x->words);
}

/* Does the union of the chosen sources support it? why: what is missing, appended. */
static bool is_supported(const struct said *x, const struct words *sources,
                         const struct quote *chosen, size_t n_chosen, struct buf *why)
{
    size_t n_words = map_count(x->words), n_there = 0, n_missing = 0;
    for (size_t i = 0; i < map_count(x->numbers); i++) {
        bool is_there = false;
        for (size_t j = 0; j < n_chosen; j++)
            is_there |= words_has(&sources[chosen[j].source], map_key(x->numbers, i));
        if (!is_there && why)
            buf_printf(why, "%s%.*s", n_missing ? ", " : "not in the source: ",
                       SV_ARG(map_key(x->numbers, i)));
        n_missing += !is_there;
    }
    for (size_t i = 0; i < n_words; i++) {
        bool is_there = false;
        for (size_t j = 0; j < n_chosen && !is_there; j++)
            is_there = words_has(&sources[chosen[j].source], map_key(x->words, i));
        n_there += is_there;
    }
    bool has_words = (double)n_there >= CHECK_SHARE * (double)n_words;
    if (!has_words && why)
        buf_printf(why, "%s%zu of %zu words are in the source", why->len ? "; " : "", n_there,
                   n_words);
    return !n_missing && has_words;
}

/* Is the word, or the number with any sign, in the claim? */
static bool says(const struct said *x, struct sv word)
{
    char key[64] = "+";
    if (map_get(x->words, word) != MAP_NONE || map_get(x->numbers, word) != MAP_NONE)
        return true;
    if (word.n > sizeof key - 2)
        return false;
    memcpy(key + 1, word.p, word.n);
    struct sv with_sign = { key, word.n + 1 };
    bool is_there = map_get(x->numbers, with_sign) != MAP_NONE;
    key[0] = '-';
    return is_there || map_get(x->numbers, with_sign) != MAP_NONE;
}

/* The piece of a source that shares most words with the claim; the first of equals. A passage's
 * sentence before a fact, a fact before evidence: so are the pieces in order. */
static struct piece best_piece(const struct context *c, size_t source, const struct said *x,
                               struct terms *t)
{
    struct piece best = { NO_SOURCE, 0, 0 };
    size_t best_shared = 0, best_size = 0;
    for (size_t i = 0; i < c->n_pieces; i++) {
        const struct piece *p = &c->pieces[i];
        if (c->entries[p->entry].source != source)
            continue;
        struct map *seen = map_new();
        size_t shared = 0, size = 0;
        terms_start(t, piece_text(c, p));
        for (struct term term; terms_next(t, &term); size++) {
            bool is_new;
            map_put(seen, term.text, &is_new);
            shared += is_new && says(x, term.text);
        }
        map_free(seen);
        /* Of two with the same words the shorter says it more exactly. */
        if (best.entry == NO_SOURCE || shared > best_shared ||
            (shared == best_shared && size < best_size)) {
            best = *p;
            best_shared = shared;
            best_size = size;
        }
    }
    return best;
}

static void add_cited(struct claim *claim, const struct context *c, size_t n)
{
    size_t s = 0;
    while (s < c->n_sources && c->sources[s].n != n)
        s++;
    if (s == c->n_sources) {
        claim->unknown =
            alloc_resize(claim->unknown, claim->n_unknown + 1, sizeof *claim->unknown);
        claim->unknown[claim->n_unknown++] = n;
        return;
    }
    for (size_t i = 0; i < claim->n_quotes; i++)
        if (claim->quotes[i].source == s)
            return;
    claim->quotes = alloc_resize(claim->quotes, claim->n_quotes + 1, sizeof *claim->quotes);
    claim->quotes[claim->n_quotes++] = (struct quote){ s, { NO_SOURCE, 0, 0 } };
}

static size_t find_elsewhere(const struct said *x, const struct words *w, size_t n)
{
    for (size_t s = 0; s < n; s++) {
        struct quote one = { s, { NO_SOURCE, 0, 0 } };
        if (is_supported(x, w, &one, 1, NULL))
            return s;
    }
    return NO_SOURCE;
}

static void judge(struct claim *claim, const struct context *c, const struct words *w,
                  const struct said *x)
{
    size_t n_said = map_count(x->numbers) + map_count(x->words);
    bool is_cited = claim->n_quotes || claim->n_unknown;
    claim->found_in = NO_SOURCE;
    if (!is_cited && (n_said < 3 || (!map_count(x->numbers) && n_said < 4))) {
        claim->verdict = VERDICT_PLAIN;
        return;
    }
    for (size_t i = 0; i < claim->n_unknown; i++)
        buf_printf(&claim->why, "%sthere is no source %zu", i ? "; " : "", claim->unknown[i]);
    if (claim->n_quotes && is_supported(x, w, claim->quotes, claim->n_quotes, &claim->why)) {
        claim->verdict = claim->n_unknown ? VERDICT_MISATTRIBUTED : VERDICT_SUPPORTED;
        if (claim->n_unknown)
            claim->found_in = claim->quotes[0].source;
        return;
    }
    claim->found_in = find_elsewhere(x, w, c->n_sources);
    claim->verdict = claim->found_in == NO_SOURCE ? VERDICT_UNSUPPORTED
                     : is_cited                   ? VERDICT_MISATTRIBUTED
                                                  : VERDICT_UNCITED;
    if (!is_cited)
        buf_str(&claim->why, claim->found_in == NO_SOURCE
                                 ? "no source is cited, and none has it"
                                 : "no source is cited");
}

static struct claim *add_claim(struct claims *out, size_t from, size_t to)
{
    out->items = alloc_resize(out->items, out->n + 1, sizeof *out->items);
    struct claim *claim = &out->items[out->n++];
    memset(claim, 0, sizeof *claim);
    claim->from = from;
    claim->to = to;
    return claim;
}

/* Bytes of the citations that text begins with, and of the blanks after them. */
static size_t leading_cites(struct sv text)
{
    size_t at = 0;
    for (struct cite c; at < text.n && text.p[at] == '[';) {
        size_t pos = at;
        if (!cite_next(text, &pos, &c) || c.from != at)
            break;
        at = pos;
        while (at < text.n && text.p[at] == ' ')
            at++;
    }
    return at;
}

/* Add a sentence of a line. Citations at its start belong to the sentence before it, if there
 * is one: "… heavy. [2] iron moves". */
static void add_sentence(struct claims *out, struct sv response, size_t from, size_t to,
                         bool is_first)
{
    size_t n = is_first ? 0 : leading_cites(sv_from_to(response, from, to));
    if (n) {
        struct sv cites = sv_trim(sv_from_to(response, from, from + n));
        out->items[out->n - 1].to = from + cites.n;
    }
    struct sv rest = sv_from_to(response, from + n, to);
    if (rest.n && !(n && sv_is(rest, ".")))
        add_claim(out, from + n, to);
}

/* Sentences of the response, line by line. */
static void find_claims(struct claims *out, struct sv response, const struct splitter *s)
{
    for (size_t from = 0, to; from < response.n; from = to + 1) {
        to = sv_find(response, SV("\n"), from);
        to = to == SIZE_MAX ? response.n : to;
        struct sv line = sv_from_to(response, from, to);
        size_t pos = 0, n = 0;
        for (struct sentence x; sentence_next(s, line, &pos, &x); n++)
            add_sentence(out, response, from + x.start, from + x.end, n == 0);
    }
}

void check_response(struct claims *out, const struct context *c, struct sv response,
                    const struct splitter *s, struct terms *t)
{
    memset(out, 0, sizeof *out);
    find_claims(out, response, s);
    struct words *w = words_of_sources(c, t);
    for (size_t i = 0; i < out->n; i++) {
        struct claim *claim = &out->items[i];
        struct sv text = sv_from_to(response, claim->from, claim->to);
        struct said x;
        size_t pos = 0;
        for (struct cite cited; cite_next(text, &pos, &cited);)
            for (size_t k = 0; k < cited.n_numbers; k++)
                add_cited(claim, c, cited.n[k]);
        said_read(&x, text, t);
        judge(claim, c, w, &x);
        for (size_t k = 0; k < claim->n_quotes; k++)
            claim->quotes[k].piece = best_piece(c, claim->quotes[k].source, &x, t);
        said_release(&x);
    }
    for (size_t i = 0; i < c->n_sources; i++)
        free(w[i].hash);
    free(w);
}

void claims_release(struct claims *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->items[i].quotes);
        free(c->items[i].unknown);
        buf_release(&c->items[i].why);
    }
    free(c->items);
    memset(c, 0, sizeof *c);
}

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = { "supported", "misattributed", "unsupported", "uncited",
                                         "plain" };
    return names[v];
}
