// SPDX-License-Identifier: MIT
/*
 * fuzz_text.c — words, sentences, notation, terms and keys of any bytes stay inside the text
 */
#include "analyzer.h"
#include "buf.h"
#include "chem.h"
#include "sentence.h"
#include "text.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool claim)
{
    if (!claim)
        abort();
}

static void walk_words(struct sv s)
{
    struct word w;
    size_t n = 0;
    for (size_t pos = 0; word_next(s, &pos, &w); n++)
        must(w.start < w.end && w.end == pos && pos <= s.n);
    must(n == word_count(s));
}

static void walk_sentences(const struct splitter *sp, struct sv s)
{
    struct sentence one;
    size_t last = 0, pos = 0;
    for (; sentence_next(sp, s, &pos, &one); last = one.end)
        must(one.start >= last && one.start < one.end && one.end <= pos);
    must(pos == s.n);
}

static void walk_notation(struct sv s)
{
    struct chem c;
    char key[CHEM_MAX];
    for (size_t pos = 0; chem_next(s, &pos, &c);) {
        must(c.start < c.end && c.end == pos && pos <= s.n && c.n < CHEM_MAX);
        must(chem_key(&c, key) == strlen(key));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct splitter *sp;
    static struct analyzer *a;
    static struct terms *t;
    struct sv s = { (const char *)data, size };
    struct err err;
    if (!sp) {
        sp = splitter_new(NULL, &err);
        a = analyzer_new(NULL, NULL, &err);
        t = terms_new(a);
    }
    bool is_valid = utf8_check(s) == SIZE_MAX;
    walk_words(s);
    walk_sentences(sp, s);
    walk_notation(s);
    struct term term;
    terms_start(t, s);
    while (terms_next(t, &term))
        must(term.start < term.end && term.end <= s.n &&
             (!is_valid || utf8_check(term.text) == SIZE_MAX));
    struct buf key = BUF_INIT;
    text_key(s, TEXT_KEY_SINGULAR, &key);
    must(!is_valid || utf8_check(buf_view(&key)) == SIZE_MAX);
    buf_release(&key);
    return 0;
}
