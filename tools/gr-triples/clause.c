// SPDX-License-Identifier: MIT
/*
 * clause.c — cutting a sentence into items; classes of words
 */
#include "clause.h"

#include "alloc.h"
#include "utf8.h"
#include "vocab_first.h"

#include <pthread.h>

/* Sorted by word. */
static const struct {
    const char *word;
    unsigned class;
} words[] = {
    { "a", W_DET },
    { "about", W_LINK },
    { "absence", W_NOT },
    { "absent", W_NOT },
    { "abundance", W_LINK | W_CONTENT },
    { "abundances", W_LINK | W_CONTENT },
    { "according", W_BREAK },
    { "across", W_PREP },
    { "activity", W_PARAM },
    { "after", W_BREAK },
    { "age", W_DATE | W_LINK },
    { "aged", W_DATE },
    { "ages", W_DATE | W_LINK },
    { "ah2o", W_PARAM },
    { "all", W_DET },
    { "along", W_PREP },
    { "although", W_BREAK },
    { "an", W_DET },
    { "analyse", W_MEASURE },
    { "analysed", W_MEASURE },
    { "analyses", W_MEASURE },
    { "analysis", W_MEASURE },
    { "analyze", W_MEASURE },
    { "analyzed", W_MEASURE },
    { "and", W_AND },
    { "anoxia", W_PARAM },
    { "apparently", W_HEDGE },
    { "approximately", W_LINK },
    { "are", W_AUX | W_LINK },
    { "around", W_LINK },
    { "as", W_LINK },
    { "assumed", W_HEDGE },
    { "assuming", W_HEDGE },
    { "at", W_PREP | W_LINK },
    { "average", W_LINK },
    { "averages", W_LINK | W_HAVE },
    { "averaging", W_LINK },
    { "barren", W_NOT },
    { "be", W_AUX | W_LINK },
    { "because", W_BREAK },
    { "been", W_AUX },
    { "before", W_BREAK },
    { "being", W_AUX | W_LINK },
    { "beneath", W_PREP },
    { "between", W_PREP | W_LINK },
    { "both", W_DET | W_GROUP },
    { "bulk", W_LINK },
    { "but", W_BREAK },
    { "by", W_PREP | W_LINK | W_USING },
    { "ca", W_LINK },
    { "can", W_AUX },
    { "cannot", W_NOT },
    { "carries", W_HAVE },
    { "carry", W_HAVE },
    { "climate", W_PARAM },
    { "composition", W_LINK },
    { "compositions", W_LINK },
    { "concentration", W_LINK | W_CONTENT },
    { "concentrations", W_LINK | W_CONTENT },
    { "condition", W_STATE | W_PARAM },
    { "conditions", W_STATE | W_PARAM },
    { "constant", W_LINK },
    { "constrained", W_DATE },
    { "contain", W_HAVE },
    { "contained", W_HAVE },
    { "containing", W_HAVE },
    { "contains", W_HAVE },
    { "content", W_LINK | W_CONTENT },
    { "contents", W_LINK | W_CONTENT },
    { "could", W_HEDGE | W_AUX },
    { "crystallisation", W_DATE | W_FORM },
    { "crystallise", W_DATE | W_FORM },
    { "crystallised", W_DATE | W_FORM },
    { "crystallization", W_DATE | W_FORM },
    { "crystallize", W_DATE | W_FORM },
    { "crystallized", W_DATE | W_FORM },
    { "date", W_DATE },
    { "dated", W_DATE | W_MEASURE },
    { "dates", W_DATE },
    { "dating", W_DATE },
    { "decomposes", W_FORM },
    { "decreased", W_LINK },
    { "decreases", W_LINK },
    { "deposited", W_DATE },
    { "depth", W_LINK },
    { "depths", W_LINK },
    { "determine", W_MEASURE },
    { "determined", W_MEASURE },
    { "devoid", W_NOT },
    { "did", W_AUX },
    { "difference", W_BREAK },
    { "dike", W_PARAM },
    { "dikes", W_PARAM },
    { "disequilibrium", W_PARAM },
    { "display", W_HAVE },
    { "displays", W_HAVE },
    { "do", W_AUX },
    { "does", W_AUX },
    { "doubtful", W_NOT },
    { "duration", W_SPAN },
    { "during", W_PREP | W_SPAN },
    { "dyke", W_PARAM },
    { "dykes", W_PARAM },
    { "each", W_DET },
    { "either", W_DET },
    { "emplaced", W_DATE },
    { "emplacement", W_DATE },
    { "environment", W_PARAM },
    { "environments", W_PARAM },
    { "equal", W_LINK },
    { "equals", W_LINK },
    { "equilibrated", W_FORM },
    { "equilibration", W_FORM },
    { "equilibrium", W_PARAM },
    { "erupted", W_DATE },
    { "euxinia", W_PARAM },
    { "every", W_SPAN },
    { "exceed", W_LINK },
    { "exceeds", W_LINK },
    { "except", W_NOT },
    { "exhibit", W_HAVE },
    { "exhibits", W_HAVE },
    { "expected", W_HEDGE },
    { "facies", W_PARAM },
    { "fail", W_NOT },
    { "failed", W_NOT },
    { "fails", W_NOT },
    { "few", W_DET },
    { "fewer", W_BREAK },
    { "fluid", W_PARAM },
    { "fluids", W_PARAM },
    { "fo2", W_PARAM },
    { "for", W_PREP | W_SPAN },
    { "form", W_FORM },
    { "formation", W_FORM | W_DATE },
    { "formed", W_DATE | W_FORM },
    { "former", W_GROUP },
    { "forms", W_FORM },
    { "four", W_GROUP },
    { "free", W_NOT },
    { "from", W_PREP | W_LINK },
    { "fs2", W_PARAM },
    { "fugacities", W_PARAM },
    { "fugacity", W_PARAM },
    { "gave", W_HAVE | W_DATE },
    { "give", W_HAVE | W_DATE },
    { "gives", W_HAVE | W_DATE },
    { "glass", W_PARAM },
    { "glasses", W_PARAM },
    { "grew", W_DATE | W_FORM },
    { "groundmass", W_PARAM },
    { "had", W_AUX | W_HAVE },
    { "has", W_AUX | W_HAVE },
    { "have", W_AUX | W_HAVE },
    { "having", W_HAVE },
    { "heated", W_FORM },
    { "high", W_LINK },
    { "higher", W_BREAK },
    { "hold", W_HAVE },
    { "holds", W_HAVE },
    { "homogenisation", W_FORM },
    { "homogenise", W_FORM },
    { "homogenization", W_FORM },
    { "homogenize", W_FORM },
    { "host", W_HAVE },
    { "hosts", W_HAVE },
    { "however", W_BREAK },
    { "hypothetical", W_HEDGE },
    { "if", W_BREAK | W_HEDGE },
    { "impossible", W_NOT },
    { "in", W_PREP },
    { "increased", W_LINK },
    { "increases", W_LINK },
    { "inferred", W_HEDGE },
    { "initial", W_LINK },
    { "interval", W_SPAN },
    { "into", W_PREP },
    { "intruded", W_DATE },
    { "is", W_AUX | W_LINK },
    { "its", W_DET },
    { "lack", W_NOT },
    { "lacked", W_NOT },
    { "lacking", W_NOT },
    { "lacks", W_NOT },
    { "last", W_SPAN },
    { "lasted", W_SPAN },
    { "lasting", W_SPAN },
    { "latter", W_GROUP },
    { "less", W_LINK },
    { "likely", W_HEDGE },
    { "low", W_LINK },
    { "lower", W_BREAK },
    { "magma", W_PARAM },
    { "magmas", W_PARAM },
    { "many", W_DET },
    { "may", W_HEDGE | W_AUX },
    { "mean", W_LINK },
    { "means", W_USING },
    { "measure", W_MEASURE },
    { "measured", W_MEASURE | W_LINK },
    { "measurement", W_MEASURE },
    { "measurements", W_MEASURE },
    { "melt", W_PARAM },
    { "melts", W_FORM | W_PARAM },
    { "metamorphosed", W_DATE | W_FORM },
    { "might", W_HEDGE | W_AUX },
    { "more", W_LINK },
    { "most", W_DET },
    { "must", W_AUX },
    { "near", W_PREP | W_LINK },
    { "neither", W_NOT },
    { "never", W_NOT },
    { "next", W_SPAN },
    { "no", W_NOT },
    { "none", W_NOT },
    { "nor", W_NOT | W_AND },
    { "not", W_NOT },
    { "occurred", W_DATE },
    { "of", W_PREP | W_LINK },
    { "old", W_DATE },
    { "on", W_PREP },
    { "onto", W_PREP },
    { "or", W_AND },
    { "our", W_DET },
    { "over", W_SPAN | W_PREP },
    { "past", W_SPAN },
    { "per", W_SPAN },
    { "perhaps", W_HEDGE },
    { "ph", W_STATE | W_PARAM },
    { "possible", W_HEDGE },
    { "possibly", W_HEDGE },
    { "potentially", W_HEDGE },
    { "precipitated", W_FORM | W_DATE },
    { "precipitates", W_FORM },
    { "pressure", W_LINK | W_PARAM },
    { "pressures", W_LINK | W_PARAM },
    { "presumably", W_HEDGE },
    { "presumed", W_HEDGE },
    { "probable", W_HEDGE },
    { "probably", W_HEDGE },
    { "quantified", W_MEASURE },
    { "range", W_LINK | W_HAVE },
    { "ranged", W_LINK | W_HAVE },
    { "ranges", W_LINK | W_HAVE },
    { "ranging", W_LINK },
    { "rate", W_PARAM },
    { "rates", W_PARAM },
    { "rather", W_NOT },
    { "ratio", W_LINK | W_PARAM },
    { "ratios", W_LINK | W_PARAM },
    { "reach", W_LINK | W_HAVE | W_DATE },
    { "reached", W_LINK | W_HAVE },
    { "reaches", W_LINK | W_HAVE },
    { "record", W_HAVE },
    { "records", W_HAVE },
    { "redox", W_PARAM },
    { "respectively", W_PAIRED },
    { "salinities", W_PARAM },
    { "salinity", W_PARAM },
    { "same", W_LINK },
    { "shift", W_LINK },
    { "shifts", W_LINK },
    { "should", W_HEDGE | W_AUX },
    { "show", W_HAVE },
    { "showed", W_HAVE },
    { "showing", W_HAVE },
    { "shows", W_HAVE },
    { "signature", W_LINK },
    { "signatures", W_LINK },
    { "since", W_BREAK },
    { "size", W_PARAM },
    { "so", W_BREAK },
    { "some", W_DET },
    { "span", W_LINK | W_HAVE },
    { "spans", W_LINK | W_HAVE },
    { "stable", W_FORM },
    { "suggest", W_HEDGE },
    { "suggested", W_HEDGE },
    { "suggesting", W_HEDGE },
    { "suggests", W_HEDGE },
    { "temperature", W_FORM | W_LINK | W_PARAM },
    { "temperatures", W_FORM | W_LINK | W_PARAM },
    { "than", W_BREAK },
    { "that", W_WHICH },
    { "the", W_DET },
    { "their", W_DET },
    { "therefore", W_BREAK },
    { "these", W_DET | W_GROUP },
    { "this", W_DET },
    { "those", W_DET },
    { "three", W_GROUP },
    { "through", W_PREP },
    { "throughout", W_PREP | W_SPAN },
    { "thus", W_BREAK },
    { "to", W_PREP | W_LINK },
    { "total", W_LINK },
    { "toward", W_PREP },
    { "two", W_GROUP },
    { "typical", W_LINK },
    { "typically", W_LINK },
    { "under", W_PREP },
    { "undetected", W_NOT },
    { "unless", W_BREAK | W_HEDGE },
    { "unlike", W_NOT },
    { "unlikely", W_NOT },
    { "up", W_LINK },
    { "using", W_USING },
    { "value", W_LINK },
    { "values", W_LINK },
    { "varied", W_LINK | W_HAVE },
    { "varies", W_LINK | W_HAVE },
    { "vary", W_LINK | W_HAVE },
    { "varying", W_LINK },
    { "vein", W_PARAM },
    { "veinlet", W_PARAM },
    { "veinlets", W_PARAM },
    { "veins", W_PARAM },
    { "via", W_USING },
    { "was", W_AUX | W_LINK },
    { "we", W_BREAK },
    { "were", W_AUX | W_LINK },
    { "when", W_BREAK },
    { "where", W_BREAK },
    { "whereas", W_BREAK },
    { "whether", W_HEDGE },
    { "which", W_WHICH },
    { "while", W_BREAK },
    { "who", W_WHICH },
    { "will", W_AUX },
    { "with", W_PREP | W_HAVE | W_USING },
    { "within", W_PREP | W_SPAN },
    { "without", W_NOT },
    { "would", W_HEDGE | W_AUX },
    { "yield", W_HAVE | W_DATE },
    { "yielded", W_HAVE | W_DATE },
    { "yielding", W_HAVE | W_DATE },
    { "yields", W_HAVE | W_DATE },
};

/* Words by a hash of their first two letters, their last and their length; chains of places in
 * words[] plus one, 0 ends them. Filled once, before the first look. */
static struct {
    pthread_once_t once;
    unsigned short first[256], next[ARRAY_LEN(words)];
    unsigned char length[ARRAY_LEN(words)];
} table = { .once = PTHREAD_ONCE_INIT };

/* n of at least one; of any case. */
static unsigned word_slot(const char *key, size_t n)
{
    unsigned first = (unsigned char)key[0] | 32, second = (unsigned char)key[n > 1] | 32;
    unsigned last = (unsigned char)key[n - 1] | 32;
    return (first * 31U + second * 7U + last * 3U + (unsigned)n * 57U) & 255;
}

/* Are the n bytes at p these small letters, in any case? */
static bool is_letters(const char *p, const char *letters, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((p[i] | 32) != letters[i])
            return false;
    return true;
}

static void fill_table(void)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t n = strlen(words[i].word);
        unsigned slot = word_slot(words[i].word, n);
        table.length[i] = (unsigned char)n;
        table.next[i] = table.first[slot];
        table.first[slot] = (unsigned short)(i + 1);
    }
}

#define WORD_LONGEST 19 /* bytes; longer ones have no class */

unsigned word_class(struct sv word)
{
    if (word.n > WORD_LONGEST || word.n == 0)
        return 0;
    pthread_once(&table.once, fill_table);
    for (unsigned i = table.first[word_slot(word.p, word.n)]; i; i = table.next[i - 1])
        if (table.length[i - 1] == word.n && is_letters(word.p, words[i - 1].word, word.n))
            return words[i - 1].class;
    return 0;
}

#define BRACKET_MAX 1000 /* items a bracket holds; unclosed ones are not looked for further */

static void push(struct clause *c, const struct item *item)
{
    if (c->n == c->cap) {
        c->cap = alloc_grow(c->cap, c->n + 1);
        c->items = alloc_resize(c->items, c->cap, sizeof *c->items);
    }
    c->items[c->n++] = *item;
}

void clause_release(struct clause *c)
{
    free(c->items);
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

/* A word or mark at byte pos; the byte after it. */
static size_t push_plain(struct clause *c, size_t pos)
{
    struct item item = { .start = pos };
    struct sv text = { c->text.p, c->end };
    uint32_t cp = (unsigned char)text.p[pos];
    if (cp < 0x80)
        pos++;
    else
        cp = utf8_next(text, &pos);
    if ((cp <= ' ' || cp >= 0x80) && utf8_is_space(cp))
        return pos;
    if (is_word_char(cp)) {
        pos = skip_glued(text, pos, c->end);
        bool has_not = pos + 2 < c->end && c->text.p[pos] == '\'' && c->text.p[pos + 1] == 't';
        if (has_not)
            pos += 2; /* "isn't": the "n" goes with it */
        item.kind = ITEM_WORD;
        item.word = word_class(sv_from_to(c->text, item.start, pos));
        if (has_not && sv_ends(sv_from_to(c->text, item.start, pos), SV("n't")))
            item.word |= W_NOT;
        c->classes |= item.word;
        item.word &= ~(unsigned)W_PARAM;
        c->has_hedge |= (item.word & W_HEDGE) != 0;
        struct sv word = sv_from_to(c->text, item.start, pos);
        bool is_limit = word.n == 4 && c->n && c->items[c->n - 1].word & W_NOT &&
                        (vocab_word_is(word, "only") || vocab_word_is(word, "just"));
        if (is_limit && clause_is_word(c, c->n - 1, "not"))
            c->items[c->n - 1].word = 0; /* "not only" denies nothing */
    } else {
        item.kind = ITEM_MARK;
        item.mark = is_dash(cp) ? '-' : cp < 0x80 ? (char)cp : '?';
    }
    item.end = pos;
    push(c, &item);
    return pos;
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
    c->n_names = c->n_quantities = 0;
    c->has_hedge = false;
    size_t name = 0, quantity = 0;
    if (names->n)
        name = n_before(&names->items->start, names->n, sizeof *names->items, start);
    if (quantities->n)
        quantity = n_before(&quantities->items->start, quantities->n, sizeof *quantities->items,
                            start);
    for (size_t pos = start; pos < end;) {
        if (text.p[pos] == ' ') { /* nothing starts with one */
            pos++;
            continue;
        }
        while (name < names->n && names->items[name].start < pos)
            name++;
        while (quantity < quantities->n && quantities->items[quantity].start < pos)
            quantity++;
        const struct entity *e = name < names->n ? &names->items[name] : NULL;
        const struct quantity *q =
            quantity < quantities->n ? &quantities->items[quantity] : NULL;
        struct item item = { .start = pos };
        if (q && q->start == pos && q->end <= end) {
            item.kind = ITEM_QUANTITY;
            item.end = q->end;
            item.at = quantity;
            c->n_quantities++;
        } else if (e && e->start == pos && e->end <= end && !e->weak) {
            item.kind = ITEM_NAME;
            item.end = e->end;
            item.at = name;
            c->n_names++;
            if (is_fugacity(sv_from_to(text, pos, e->end)))
                c->classes |= W_PARAM;
        } else {
            pos = push_plain(c, pos);
            continue;
        }
        push(c, &item);
        pos = item.kind == ITEM_NAME ? skip_glued(text, item.end, end) : item.end;
    }
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
