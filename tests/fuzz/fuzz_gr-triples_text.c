// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-triples_text.c — any record through the extractor; its lines are records again
 */
#include "extract_use.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sv s = { (const char *)data, size };
    struct buf out = BUF_INIT, text = BUF_INIT;
    struct rec r;
    struct err err;
    struct extractor *extractor = extractor_of_all();
    if (!extractor || size > 65536)
        return 0;
    if (rec_parse(&r, s, &err) == 0) {
        (void)extract_record(extractor, 0, &r, NULL, 0, &out, &err);
        rec_release(&r);
    } else if (utf8_check(s) == SIZE_MAX) {
        struct plain_text plain = { 0 };
        struct source source = { .has_offsets = true };
        source.text = plain_normal(&plain, &text, s, &source.plain);
        source.given = buf_view(&text);
        for (size_t i = 0; source.plain && i < source.text.n; i++)
            if (plain_start(&plain, i) >= plain_end(&plain, i + 1))
                abort();
        source.refs = jv_null();
        extract_text(extractor, 0, &source, &out);
        plain_release(&plain);
    }
    check_lines(buf_view(&out));
    buf_release(&text);
    buf_release(&out);
    return 0;
}
