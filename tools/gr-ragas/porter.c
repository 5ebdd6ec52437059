// SPDX-License-Identifier: MIT
/*
 * porter.c — Porter's five steps over a word in place
 */
#include "porter.h"

#include "sv.h"

struct word {
    char *p;
    size_t n;
};

struct rule {
    const char *suffix, *put;
};

/* A letter other than a, e, i, o, u; and "y" unless a consonant is before it. */
static bool is_consonant(const char *p, size_t i)
{
    switch (p[i]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return false;
    case 'y': {
        size_t first = i;
        while (first > 0 && p[first] == 'y')
            first--;
        bool is_first = p[first] == 'y' || strchr("aeiou", p[first]) == NULL;
        return is_first != ((i - first) % 2 == 1);
    }
    default:
        return true;
    }
}

/* The m of [C](VC){m}[V] for the first n letters. */
static size_t measure(const char *p, size_t n)
{
    size_t m = 0;
    bool was_vowel = false, is_vowel;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == 'y')
            is_vowel = i > 0 && !was_vowel;
        else
            is_vowel = strchr("aeiou", p[i]) != NULL;
        m += was_vowel && !is_vowel;
        was_vowel = is_vowel;
    }
    return m;
}

static bool has_vowel(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("aeiou", p[i]) || (p[i] == 'y' && i > 0))
            return true; /* a "y" that is a consonant comes first or follows a vowel */
    return false;
}

/* *o: consonant, vowel, consonant other than w, x, y; or, with NLTK, just vowel, consonant. */
static bool ends_cvc(const char *p, size_t n)
{
    if (n == 2)
        return !is_consonant(p, 0) && is_consonant(p, 1);
    return n >= 3 && is_consonant(p, n - 3) && !is_consonant(p, n - 2) &&
           is_consonant(p, n - 1) && !strchr("wxy", p[n - 1]);
}

static bool ends(const struct word *w, const char *suffix, size_t *stem)
{
    size_t n = strlen(suffix);
    if (n > w->n || memcmp(w->p + w->n - n, suffix, n) != 0)
        return false;
    *stem = w->n - n;
    return true;
}

static void put(struct word *w, size_t stem, const char *suffix)
{
    size_t n = strlen(suffix);
    memcpy(w->p + stem, suffix, n);
    w->n = stem + n;
}

/* The first rule whose suffix fits decides, whether its condition (measure > at_least) holds or
 * not. */
static void apply(struct word *w, const struct rule *rules, size_t n, size_t more_than)
{
    size_t stem;
    for (size_t i = 0; i < n; i++)
        if (ends(w, rules[i].suffix, &stem)) {
            if (measure(w->p, stem) > more_than)
                put(w, stem, rules[i].put);
            return;
        }
}

static void step_1a(struct word *w)
{
    size_t stem;
    if (ends(w, "ies", &stem))
        put(w, stem, w->n == 4 ? "ie" : "i");
    else if (ends(w, "sses", &stem))
        put(w, stem, "ss");
    else if (!ends(w, "ss", &stem) && ends(w, "s", &stem))
        put(w, stem, "");
}

/* What is left of a word without "ed" or "ing". */
static void mend_1b(struct word *w)
{
    size_t stem;
    if (ends(w, "at", &stem) || ends(w, "bl", &stem) || ends(w, "iz", &stem)) {
        put(w, w->n, "e");
    } else if (w->n >= 2 && w->p[w->n - 1] == w->p[w->n - 2] && is_consonant(w->p, w->n - 1)) {
        if (!strchr("lsz", w->p[w->n - 1]))
            w->n--;
    } else if (measure(w->p, w->n) == 1 && ends_cvc(w->p, w->n)) {
        put(w, w->n, "e");
    }
}

static void step_1b(struct word *w)
{
    size_t stem;
    if (ends(w, "ied", &stem)) {
        put(w, stem, w->n == 4 ? "ie" : "i");
    } else if (ends(w, "eed", &stem)) {
        if (measure(w->p, stem) > 0)
            put(w, stem, "ee");
    } else if ((ends(w, "ed", &stem) && has_vowel(w->p, stem)) ||
               (ends(w, "ing", &stem) && has_vowel(w->p, stem))) {
        w->n = stem;
        mend_1b(w);
    }
}

static void step_2(struct word *w)
{
    static const struct rule rules[] = {
        { "ational", "ate" }, { "tional", "tion" }, { "enci", "ence" },   { "anci", "ance" },
        { "izer", "ize" },    { "bli", "ble" },     { "alli", "al" },     { "entli", "ent" },
        { "eli", "e" },       { "ousli", "ous" },   { "ization", "ize" }, { "ation", "ate" },
        { "ator", "ate" },    { "alism", "al" },    { "iveness", "ive" }, { "fulness", "ful" },
        { "ousness", "ous" }, { "aliti", "al" },    { "iviti", "ive" },   { "biliti", "ble" },
        { "fulli", "ful" },
    };
    size_t stem;
    while (ends(w, "alli", &stem) && measure(w->p, stem) > 0)
        put(w, stem, "al");       /* once: "al" is no "alli" */
    if (ends(w, "logi", &stem)) { /* here the "l" counts as the stem's */
        if (measure(w->p, stem + 1) > 0)
            put(w, stem, "log");
        return;
    }
    apply(w, rules, ARRAY_LEN(rules), 0);
}

static void step_3(struct word *w)
{
    static const struct rule rules[] = {
        { "icate", "ic" }, { "ative", "" }, { "alize", "al" }, { "iciti", "ic" },
        { "ical", "ic" },  { "ful", "" },   { "ness", "" },
    };
    apply(w, rules, ARRAY_LEN(rules), 0);
}

static void step_4(struct word *w)
{
    static const struct rule before[] = {
        { "al", "" },    { "ance", "" }, { "ence", "" }, { "er", "" },
        { "ic", "" },    { "able", "" }, { "ible", "" }, { "ant", "" },
        { "ement", "" }, { "ment", "" }, { "ent", "" },
    };
    static const struct rule after[] = {
        { "ou", "" },  { "ism", "" }, { "ate", "" }, { "iti", "" },
        { "ous", "" }, { "ive", "" }, { "ize", "" },
    };
    size_t stem;
    if (ends(w, "ion", &stem)) { /* no other suffix of this step ends so */
        if (stem > 0 && measure(w->p, stem) > 1 && strchr("st", w->p[stem - 1]))
            w->n = stem;
        return;
    }
    size_t n = w->n;
    apply(w, before, ARRAY_LEN(before), 1);
    if (w->n == n)
        apply(w, after, ARRAY_LEN(after), 1);
}

static void step_5(struct word *w)
{
    size_t stem, m;
    if (ends(w, "e", &stem)) {
        m = measure(w->p, stem);
        if (m > 1 || (m == 1 && !ends_cvc(w->p, stem)))
            w->n = stem;
    }
    if (ends(w, "ll", &stem) && measure(w->p, w->n - 1) > 1)
        w->n--;
}

size_t porter_stem(char *word, size_t n)
{
    static const struct rule irregular[] = {
        { "sky", "sky" },         { "skies", "sky" },        { "dying", "die" },
        { "lying", "lie" },       { "tying", "tie" },        { "news", "news" },
        { "innings", "inning" },  { "inning", "inning" },    { "outings", "outing" },
        { "outing", "outing" },   { "cannings", "canning" }, { "canning", "canning" },
        { "howe", "howe" },       { "proceed", "proceed" },  { "exceed", "exceed" },
        { "succeed", "succeed" },
    };
    struct word w = { word, n };
    for (size_t i = 0; i < ARRAY_LEN(irregular); i++)
        if (n == strlen(irregular[i].suffix) && memcmp(word, irregular[i].suffix, n) == 0) {
            put(&w, 0, irregular[i].put);
            return w.n;
        }
    if (n <= 2)
        return n;
    step_1a(&w);
    step_1b(&w);
    size_t stem = w.n ? w.n - 1 : 0; /* y -> i after a consonant, unless that is all */
    if (w.n > 2 && w.p[stem] == 'y' && is_consonant(w.p, stem - 1))
        w.p[stem] = 'i';
    step_2(&w);
    step_3(&w);
    step_4(&w);
    step_5(&w);
    return w.n;
}
