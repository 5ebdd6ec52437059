// SPDX-License-Identifier: MIT
/*
 * vec.c — float vectors
 */
#include "vec.h"

#include <math.h>

#include "alloc.h"
#include "base64.h"
#include "json.h"

#define LANES 16

float vec_dot(const float *a, const float *b, size_t n)
{
    float lane[LANES] = { 0 };
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += a[i + l] * b[i + l];
    for (size_t l = 0; i + l < n; l++)
        lane[l] += a[i + l] * b[i + l];
    for (size_t step = LANES / 2; step; step /= 2)
        for (size_t l = 0; l < step; l++)
            lane[l] += lane[l + step];
    return lane[0];
}

float vec_norm(const float *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * (double)a[i];
    return (float)sqrt(sum);
}

/* Scaling leaves a squared length that is off by up to 2^-23 from rounding the elements: what
 * is that near to 1 has been scaled before, and doing it again would only change last bits. */
#define UNIT_WITHIN 0x1p-21

bool vec_normalise(float *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * (double)a[i];
    if (!(sum > 0) || !isfinite(sum))
        return false;
    if (fabs(sum - 1) < UNIT_WITHIN)
        return true;
    double scale = 1 / sqrt(sum);
    for (size_t i = 0; i < n; i++)
        a[i] = (float)((double)a[i] * scale);
    return true;
}

void vec_put_base64(struct buf *b, const float *a, size_t n)
{
    struct buf text = BUF_INIT;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    base64_put(&text, (struct sv){ (const char *)a, n * sizeof *a });
#else
#error "vec_put_base64: byte order not handled"
#endif
    json_put_str(b, buf_view(&text));
    buf_release(&text);
}

void vec_put_array(struct buf *b, const float *a, size_t n)
{
    json_open(b, '[');
    for (size_t i = 0; i < n; i++)
        json_put_float(b, a[i]);
    json_close(b, ']');
}

static int from_array(jv value, const char *what, struct buf *bytes, struct err *err)
{
    size_t n = json_len(value);
    for (size_t i = 0; i < n; i++) {
        jv x = json_at(value, i);
        if (!json_is_num(x))
            return err_set(err, EXIT_REJECTED, "field \"%s\": element %zu is no number", what,
                           i);
        float f = (float)json_num(x);
        buf_add(bytes, (const char *)&f, sizeof f);
    }
    return 0;
}

static int from_base64(struct sv text, const char *what, struct buf *bytes, struct err *err)
{
    if (!base64_get(bytes, text) || bytes->len % sizeof(float))
        return err_set(err, EXIT_REJECTED,
                       "field \"%s\": not the base64 of little-endian float32", what);
    return 0;
}

static int check(const float *a, size_t n, const char *what, struct err *err)
{
    bool is_zero = true;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(a[i]))
            return err_set(err, EXIT_REJECTED, "field \"%s\": component %zu is not finite",
                           what, i);
        is_zero = is_zero && a[i] == 0;
    }
    if (is_zero)
        return err_set(err, EXIT_REJECTED, "field \"%s\": %s vector", what,
                       n ? "all-zero" : "empty");
    return 0;
}

int vec_get(jv value, const char *what, float **out, size_t *n, struct err *err)
{
    struct buf bytes = BUF_INIT;
    int rc;
    if (json_is_str(value))
        rc = from_base64(json_sv(value), what, &bytes, err);
    else if (json_is_array(value))
        rc = from_array(value, what, &bytes, err);
    else
        rc = err_set(err, EXIT_REJECTED, "field \"%s\": expected a base64 string or an array",
                     what);
    if (rc == 0) {
        size_t len;
        float *a = (float *)(void *)buf_take(&bytes, &len);
        *n = len / sizeof *a;
        rc = check(a, *n, what, err);
        if (rc == 0)
            *out = a;
        else
            free(a);
    }
    buf_release(&bytes);
    return rc;
}
