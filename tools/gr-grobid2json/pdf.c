// SPDX-License-Identifier: MIT
/*
 * pdf.c — the little of PDF that is needed before it is sent away
 */
#include "pdf.h"

#include "hash.h"
#include "pack.h"

#define HEAD_BYTES 1024 /* readers look for "%PDF-" in as many */

static bool has_head(struct sv bytes)
{
    return sv_find(sv_from_to(bytes, 0, HEAD_BYTES), SV("%PDF-"), 0) != SIZE_MAX;
}

bool pdf_is(struct sv bytes, struct sv name)
{
    name = pack_bare_name(name);
    bool is_named = name.n > 4 && sv_ieq(sv_from_to(name, name.n - 4, name.n), SV(".pdf"));
    return is_named || sv_starts(sv_trim(sv_from_to(bytes, 0, HEAD_BYTES)), SV("%PDF-"));
}

int pdf_check(struct sv bytes, struct err *err)
{
    struct sv text = sv_trim(sv_from_to(bytes, 0, HEAD_BYTES));
    if (!bytes.n)
        return err_set(err, EXIT_REJECTED, "empty file");
    if (!has_head(bytes))
        return err_set(err, EXIT_REJECTED, "not a PDF: %s",
                       text.n && text.p[0] == '<' ? "a web page or XML by that name; was it "
                                                    "downloaded in full?"
                                                  : "it does not begin with %PDF-");
    return 0; /* an encrypted one may open without a password: the service knows */
}

static void replace(struct buf *b, size_t at, const char *hex, size_t n)
{
    memcpy(b->data + at, hex, n);
}

void pdf_sign(struct buf *record, size_t start, struct sv tei, const char *hex)
{
    char of_tei[65];
    struct buf key = BUF_INIT;
    hash_sha256(tei, of_tei);
    struct sv all = buf_view(record);
    buf_printf(&key, "{\"id\":\"sha256:%.16s\"", of_tei);
    if (sv_starts(sv_from_to(all, start, all.n), buf_view(&key)))
        replace(record, start + key.len - 1 - 16, hex, 16);
    buf_reset(&key);
    buf_printf(&key, "\"sha256\":\"%s\"", of_tei);
    size_t at = sv_find(all, buf_view(&key), start);
    if (at != SIZE_MAX)
        replace(record, at + key.len - 1 - 64, hex, 64);
    buf_release(&key);
}
