// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-vindex_where.c — any text as a filter: no step outside, and what is understood can be
 * asked
 */
#include "columns.h"
#include "where.h"

#include "alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct where_value value_of(void *ctx, struct sv field)
{
    (void)ctx;
    if (!field.n)
        return (struct where_value){ .type = WHERE_NULL };
    return (struct where_value){ (enum where_type)((unsigned char)field.p[0] % 7),
                                 (double)field.n, field };
}

static struct sv raw_of(void *ctx, size_t doc)
{
    static const char *const raws[] = { "{\"a\":1,\"b\":\"x\"}", "{\"a\":\"y\",\"c\":[]}" };
    (void)ctx;
    return sv_from(raws[doc]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct where w;
    char *text = alloc_text((const char *)data, size);
    if (where_parse(&w, text)) {
        struct columns_built b;
        struct columns c;
        struct err err;
        unsigned char skip[2];
        (void)where_test(&w, value_of, NULL);
        columns_build(&b, 2, raw_of, NULL);
        if (columns_open(&c, buf_view(&b.head), buf_view(&b.data), 2, &err) < 0 ||
            columns_select(&c, &w, skip) < -1)
            abort();
        columns_close(&c);
        columns_built_release(&b);
        where_release(&w);
    }
    free(text);
    return 0;
}
