// SPDX-License-Identifier: MIT
/*
 * fuzz_utf8.c — walking, counting and folding any bytes; valid text keeps its laws
 */
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sv s = { (const char *)data, size };
    struct buf b = BUF_INIT;
    size_t n = 0;
    bool is_valid = utf8_check(s) == SIZE_MAX;
    for (size_t pos = 0; pos < s.n; n++) {
        uint32_t cp = utf8_next(s, &pos);
        if (is_valid)
            utf8_put(&b, cp);
        (void)utf8_is_letter(cp);
        (void)utf8_is_punct(cp);
    }
    if (is_valid && (n != utf8_count(s) || !sv_eq(s, buf_view(&b))))
        abort();
    for (size_t pos = 0; pos <= s.n && pos < 200; pos++)
        if (utf8_floor(s, pos) > pos)
            abort();
    if (is_valid) {
        buf_reset(&b);
        utf8_nfc(&b, s);
        utf8_fold(&b, s);
        if (utf8_check(buf_view(&b)) != SIZE_MAX)
            abort();
    }
    buf_release(&b);
    return 0;
}
