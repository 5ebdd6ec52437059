// SPDX-License-Identifier: MIT
/*
 * fold.c — folding one character after the other, so that each knows where it came from
 */
#include "fold.h"

#include <utf8proc.h>

#include "json.h"
#include "utf8.h"

#define FORM_MAX 32 /* no character has a longer compatibility form (18, of U+FDFA) */

void fold_text(struct buf *folded, struct buf *map, struct sv text)
{
    const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                                      UTF8PROC_CASEFOLD | UTF8PROC_IGNORE | UTF8PROC_STRIPMARK;
    int64_t out = 0, in = 0, ahead = -1; /* ahead: in − out of the last entry */
    json_open(map, '[');
    for (size_t pos = 0; pos < text.n; in++) {
        utf8proc_int32_t form[FORM_MAX];
        int last = 0;
        uint32_t cp = utf8_next(text, &pos);
        utf8proc_ssize_t n =
            utf8proc_decompose_char((utf8proc_int32_t)cp, form, FORM_MAX, options, &last);
        for (utf8proc_ssize_t i = 0; i < n && i < FORM_MAX; i++, out++) {
            if (in - out != ahead && i == 0) {
                ahead = in - out;
                json_open(map, '[');
                json_put_int(map, out);
                json_put_int(map, in);
                json_close(map, ']');
            }
            utf8_put(folded, (uint32_t)form[i]);
        }
    }
    json_close(map, ']');
}
