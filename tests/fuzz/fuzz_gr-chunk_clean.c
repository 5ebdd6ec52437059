// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-chunk_clean.c — cleaning, folding and windows of any text: positions stay inside
 */
#include "alloc.h"
#include "chem.h"
#include "clean.h"
#include "fold.h"
#include "utf8.h"
#include "window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 4)
        return 0;
    struct sv s = { (const char *)data + 4, n - 4 };
    if (utf8_check(s) != SIZE_MAX || memchr(s.p, 0, s.n))
        return 0;
    struct paper *paper = paper_new(NULL);
    struct clean c = { .paper = data[0] & 1 ? paper : NULL };
    struct err err;
    struct splitter *splitter = splitter_new(NULL, &err);
    struct windows w = { 0 };
    struct buf folded = BUF_INIT, map = BUF_INIT;
    paper_add(paper, s);
    clean_run(&c, s, (unsigned)(data[0] | data[1] << 8) & CLEAN_ALL);
    size_t total = utf8_count(buf_view(&c.nfc));
    if (c.n_chars != utf8_count(buf_view(&c.text)))
        abort();
    for (size_t i = 0; i <= c.n_chars; i++)
        if (clean_source(&c, i) > total || (i && clean_source(&c, i) < clean_source(&c, i - 1)))
            abort();
    size_t size = 1 + data[2] % 16;
    struct window_cfg cfg = {
        .size = size, .overlap = data[3] % size, .by = data[3] >> 6, .splitter = splitter
    };
    windows_make(&w, &cfg, buf_view(&c.text));
    for (size_t i = 0; i < w.n; i++)
        if (w.items[i].n_tokens > size || w.items[i].to > c.text.len ||
            w.items[i].from >= w.items[i].to || (i && w.items[i].to <= w.items[i - 1].to))
            abort();
    fold_text(&folded, &map, buf_view(&c.text));
    buf_release(&folded);
    buf_release(&map);
    windows_release(&w);
    splitter_free(splitter);
    clean_release(&c);
    paper_free(paper);
    return 0;
}
