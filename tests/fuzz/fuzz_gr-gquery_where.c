// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-gquery_where.c — any text as conditions on values, as two names, and as a system of
 * isotopes: understood or refused, never a crash; what is understood looks at a value
 */
#include "aliases.h"
#include "measured.h"
#include "near.h"
#include "utf8.h"
#include "where.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct units *units_once(void)
{
    static struct units *u;
    struct err err;
    if (!u)
        u = units_load("data/vocab/unit.tsv", &err);
    return u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf text = BUF_INIT;
    struct err err;
    struct sv all = { (const char *)data, size };
    if (size > 4096 || utf8_check(all) != SIZE_MAX || memchr(data, 0, size))
        return 0;
    buf_sv(&text, all);
    struct where *w = where_new(buf_cstr(&text), units_once(), &err);
    if (w) {
        struct grg none = { 0 };
        if (where_meets(w, &none, 0) != 0)
            abort();
    } else if (err.code != EXIT_USAGE) {
        abort();
    }
    where_free(w);
    struct sv rest = buf_view(&text), a;
    if (sv_cut(&rest, '\n', &a)) {
        struct sv b = rest.p ? rest : SV("");
        if (near_is_one_edit(a, b) != near_is_one_edit(b, a) || aliases_differ(a, a, true))
            abort();
        (void)aliases_differ(a, b, false);
        (void)measured_system(a);
    }
    buf_release(&text);
    return 0;
}
