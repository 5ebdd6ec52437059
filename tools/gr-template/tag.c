// SPDX-License-Identifier: MIT
/*
 * tag.c — making a tag
 */
#include "tag.h"

#include "utf8.h"

int tag_make(struct buf *out, const struct tag_cfg *cfg, struct err *err)
{
    struct sv text = sv_from(cfg->text);
    if (utf8_check(text) != SIZE_MAX)
        return err_set(err, EXIT_FATAL, "--tag: not valid UTF-8");
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (cfg->letters == TAG_UPPER && c >= 'a' && c <= 'z')
            c = (char)(c - 32);
        buf_char(out, c);
    }
    return 0;
}
