// SPDX-License-Identifier: MIT
/*
 * pdf.c — the little of PDF that is needed before it is sent away
 */
#include "pdf.h"

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
