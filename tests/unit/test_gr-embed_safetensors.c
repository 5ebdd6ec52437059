// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_safetensors.c — good files, and each way a header can lie
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "buf.h"
#include "safetensors.h"

/* Length, header, then n_data zero bytes. */
static void make_file(struct buf *file, const char *header, size_t n_data)
{
    uint64_t n = strlen(header);
    buf_reset(file);
    for (int i = 0; i < 8; i++)
        buf_char(file, (char)(n >> (8 * i)));
    buf_str(file, header);
    for (size_t i = 0; i < n_data; i++)
        buf_char(file, 0);
}

#define T(shape, dtype, offsets)                                                               \
    "{\"t\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void test_rejects(void **state)
{
    (void)state;
    static const struct {
        const char *header, *why;
    } bad[] = {
        { "", "header" },
        { "[]", "expected an object" },
        { "{", "header" },
        { "{\"t\":1}", "expected an object" },
        { "{\"t\":{}}", "shape" },
        { "{\"t\":{\"shape\":[1]}}", "dtype" },
        { T("[4]", "F31", "[0,16]"), "unknown dtype" },
        { T("[4]", "F32", "[0,20]"), "outside" },
        { T("[4]", "F32", "[8,4]"), "outside" },
        { T("[4]", "F32", "[0,12]"), "needs 16" },
        { T("[4]", "F32", "[0,16,16]"), "outside" },
        { T("[4]", "F32", "[-4,12]"), "outside" },
        { T("[4]", "F32", "[0.5,16]"), "outside" },
        { T("[4]", "F32", "[0,1e300]"), "outside" },
        { T("[4]", "F32", "\"x\""), "data_offsets" },
        { T("[-4]", "F32", "[0,16]"), "bad shape" },
        { T("[4.5]", "F32", "[0,16]"), "bad shape" },
        { T("[null]", "F32", "[0,16]"), "bad shape" },
        { T("[4294967296,4294967296,2]", "F32", "[0,16]"), "bad shape" },
        { T("[4294967296,2147483648]", "F32", "[0,0]"), "bad shape" },
        { T("[1,1,1,1,1,1,1,1,4]", "F32", "[0,16]"), "dimensions" },
        { "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
          "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[7,11]}}",
          "overlap" },
    };
    struct buf file = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err err;
        make_file(&file, bad[i].header, 16);
        struct safetensors *st = safetensors_parse(buf_view(&file), &err);
        if (st)
            fail_msg("accepted: %s", bad[i].header);
        if (!strstr(err.msg, bad[i].why))
            fail_msg("%s: \"%s\" lacks \"%s\"", bad[i].header, err.msg, bad[i].why);
        assert_int_equal(err.code, EXIT_FATAL);
    }
    buf_release(&file);
}

static void test_rejects_sizes(void **state)
{
    (void)state;
    static const char *const files[] = { "", "1234567", "\x10\0\0\0\0\0\0\0{}",
                                         "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}" };
    static const size_t lengths[] = { 0, 7, 10, 10 };
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct err err;
        assert_null(safetensors_parse((struct sv){ files[i], lengths[i] }, &err));
    }
}

static void test_reads(void **state)
{
    (void)state;
    struct buf file = BUF_INIT;
    struct err err;
    make_file(&file,
              "{\"__metadata__\":{\"format\":\"pt\"},"
              "\"f\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[1,9]},"
              "\"h\":{\"dtype\":\"F16\",\"shape\":[2,4],\"data_offsets\":[9,25]},"
              "\"b\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[25,29]},"
              "\"e\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[29,29]},"
              "\"s\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[29,37]}}",
              0);
    const float f[2] = { 1.5F, -2.25F };
    const uint16_t half[8] = { 0x3C00, 0xC000, 0x0001, 0x8001, 0x03FF, 0x7BFF, 0x7C00, 0x3555 };
    const uint16_t brain[2] = { 0x3F80, 0xC049 };
    buf_char(&file, 0);
    buf_add(&file, (const char *)f, sizeof f);
    buf_add(&file, (const char *)half, sizeof half);
    buf_add(&file, (const char *)brain, sizeof brain);
    buf_add(&file, "12345678", 8);
    struct safetensors *st = safetensors_parse(buf_view(&file), &err);
    assert_non_null(st);
    assert_int_equal(safetensors_count(st), 5);
    float out[8];
    tensor_read(safetensors_find(st, "f"), 0, 2, out);
    assert_true(out[0] == 1.5F && out[1] == -2.25F);
    const struct tensor *in_place = safetensors_find(st, "f");
    const float *second = tensor_floats(in_place, 1);
    assert_true((second != NULL) == ((uintptr_t)in_place->data % sizeof(float) == 0));
    assert_true(!second || *second == -2.25F);
    assert_null(tensor_floats(safetensors_find(st, "h"), 0));
    tensor_read(safetensors_find(st, "h"), 0, 8, out);
    assert_true(out[0] == 1 && out[1] == -2 && out[2] == 0x1p-24F && out[3] == -0x1p-24F);
    assert_true(out[4] == 0x3FFp-24F && out[5] == 65504 && out[6] > 1e38F);
    assert_true(out[7] == 0x1.554p-2F);
    tensor_read(safetensors_find(st, "h"), 5, 1, out);
    assert_true(out[0] == 65504);
    tensor_read(safetensors_find(st, "b"), 0, 2, out);
    assert_true(out[0] == 1 && out[1] == -3.140625F);
    const struct tensor *e = safetensors_find(st, "e"), *s = safetensors_find(st, "s");
    assert_true(e->n == 0 && e->rank == 2);
    assert_true(s->type == TENSOR_OTHER && s->n == 1 && s->rank == 0);
    tensor_read(e, 0, 0, out);
    assert_null(safetensors_find(st, "__metadata__"));
    safetensors_free(st);
    safetensors_free(NULL);
    assert_null(safetensors_open("/nonexistent/model.safetensors", &err));
    buf_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejects),
        cmocka_unit_test(test_rejects_sizes),
        cmocka_unit_test(test_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
