// SPDX-License-Identifier: MIT
/*
 * kernels_amx.c — sets for AMX: bf16 and int8 products, attention in bf16
 *
 * Tiles of 16 rows of 64 bytes. A product computes blocks of 32 by 32 in four tiles, and turns
 * the sums of one block into results (bias, activation, rounding) between the tile operations
 * of the next: those take 16 cycles each, in which the vector units would idle.
 */
#include "kernels_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

#define TARGET                                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,amx-tile,amx-bf16,"   \
                          "amx-int8")))
#define BLOCK 32

/* How tiles are laid out: all alike. The processor's structure. */
struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

TARGET static void tiles_begin(void)
{
    struct tile_config c = { .palette = 1 };
    for (int i = 0; i < 8; i++) {
        c.bytes[i] = 64;
        c.rows[i] = 16;
    }
    _tile_loadconfig(&c);
}

/* ---- activations, as exact as bf16 results need ---- */

typedef int32_t ivec16 __attribute__((vector_size(64)));

#define SPLAT _mm512_set1_ps
#define FMA _mm512_fmadd_ps

/* 2^x for x <= 0 to 8e-5: polynomial of degree 3 for the fraction. MAX(constant, x) keeps what
 * is no number. */
TARGET INLINE __m512 exp2_rough(__m512 x)
{
    const __m512 magic = SPLAT(12582912.0F); /* 1.5 * 2^23: adding it rounds */
    x = _mm512_max_ps(SPLAT(-126.0F), x);
    __m512 shifted = x + magic, f = x - (shifted - magic);
    __m512 p = FMA(SPLAT(0.0551710113F), f, SPLAT(0.242611199F));
    p = FMA(p, f, SPLAT(0.693261079F));
    p = FMA(p, f, SPLAT(0.999928074F));
    return (__m512)((ivec16)p + ((ivec16)shifted << 23));
}

/* x Phi(x); Phi(x) - 1/2 by an odd polynomial of degree 15 on [-4.2, 4.2], which is +-1/2 at
 * the ends: |error| < 1e-4 (weighted minimax fit). */
TARGET INLINE __m512 gelu_rough(__m512 x)
{
    __m512 z = _mm512_min_ps(SPLAT(4.2F), _mm512_max_ps(SPLAT(-4.2F), x)), s = z * z;
    __m512 p = FMA(SPLAT(-9.01756458e-10F), s, SPLAT(7.94136118e-08F));
    p = FMA(p, s, SPLAT(-3.03793743e-06F));
    p = FMA(p, s, SPLAT(6.68907765e-05F));
    p = FMA(p, s, SPLAT(-0.000950658102F));
    p = FMA(p, s, SPLAT(0.00929823161F));
    p = FMA(p, s, SPLAT(-0.065528206F));
    p = FMA(p, s, SPLAT(0.398465875F));
    return x * FMA(p, z, SPLAT(0.5F));
}

/* x / (1 + e^-2u) with the sign of u taken out of the power. */
TARGET INLINE __m512 gelu_new_rough(__m512 x)
{
    __m512 u = SPLAT(1.59576912F * 1.44269504F) * FMA(SPLAT(0.044715F) * x * x, x, x);
    __m512 e = exp2_rough(-_mm512_abs_ps(u)), share = SPLAT(1.0F) / (SPLAT(1.0F) + e);
    return x * _mm512_mask_mul_ps(share, _mm512_movepi32_mask((__m512i)u), share, e);
}

TARGET INLINE __m512 act_rough(enum activation act, __m512 x)
{
    if (act == ACT_GELU)
        return gelu_rough(x);
    if (act == ACT_GELU_NEW)
        return gelu_new_rough(x);
    return act == ACT_RELU ? _mm512_max_ps(SPLAT(0), x) : x;
}

/* ---- products ---- */

/* What a product is specialised for. */
struct kind {
    bool is_int8;
    enum activation act;
    enum form out;
};

/* Sums of one block of up to 32 rows that wait to become results. */
struct block {
    size_t row, col, rows, done;
    _Alignas(64) int32_t sums[BLOCK * BLOCK]; /* or floats */
};

/* 16 sums of row i of C from column j on, without activation. */
TARGET INLINE __m512 value(const struct kind kind, const struct product *p, const int32_t *sums,
                           size_t i, size_t j)
{
    if (!kind.is_int8)
        return _mm512_load_ps(sums) + _mm512_loadu_ps(p->bias + j);
    const struct row_scale *s = row_scale_of((const char *)p->a + i * p->lda, p->k);
    __m512i zero = _mm512_set1_epi32(s->zero), w;
    w = _mm512_loadu_si512(weight_sums(p->w, p->n, p->k) + j);
    w = _mm512_sub_epi32(_mm512_load_si512(sums), _mm512_mullo_epi32(w, zero));
    __m512 scale = _mm512_loadu_ps(weight_scales(p->w, p->n, p->k) + j) * SPLAT(s->scale);
    return FMA(_mm512_cvtepi32_ps(w), scale, _mm512_loadu_ps(p->bias + j));
}

TARGET INLINE void finish_row(const struct kind kind, const struct product *p, struct block *b)
{
    const int32_t *sums = b->sums + BLOCK * b->done;
    size_t i = b->row + b->done++, j = b->col;
    char *c = (char *)p->c + i * p->ldc;
    __m512 left = act_rough(kind.act, value(kind, p, sums, i, j));
    __m512 right = act_rough(kind.act, value(kind, p, sums + 16, i, j + 16));
    if (kind.out == FORM_F32) {
        _mm512_storeu_ps((float *)c + j, left);
        _mm512_storeu_ps((float *)c + j + 16, right);
    } else {
        _mm512_storeu_si512(c + 2 * j, (__m512i)_mm512_cvtne2ps_pbh(right, left));
    }
}

#define MULTIPLY(c, a, w)                                                                      \
    do {                                                                                       \
        if (kind.is_int8)                                                                      \
            _tile_dpbusd(c, a, w);                                                             \
        else                                                                                   \
            _tile_dpbf16ps(c, a, w);                                                           \
    } while (0)

/* Sum up one block; between its steps finish the last one. */
TARGET INLINE void sum_block(const struct kind kind, const struct product *p, struct block *b,
                             struct block *last)
{
    size_t steps = row_units(kind.is_int8 ? FORM_INT8 : FORM_BF16, p->k) / 16;
    size_t share = (last->rows + steps - 1) / steps;
    const char *a = (const char *)p->a + b->row * p->lda, *w = p->w;
    bool is_high = b->rows > 16; /* else the lower two tiles would be of nothing */
    w += b->col / PANEL * steps * 1024;
    /* The blocks of one panel together fetch the next panel into the second-level cache. */
    size_t blocks = (p->m + BLOCK - 1) / BLOCK, ahead = (32 + blocks - 1) / blocks;
    const char *next = w + 2048 * steps + b->row / BLOCK * ahead * steps * 64;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (size_t q = 0; q < steps; q++) {
        _tile_loadd(4, a + 64 * q, p->lda);
        _tile_loadd(6, w + 1024 * q, 64);
        MULTIPLY(0, 4, 6);
        _tile_loadd(7, w + 1024 * (steps + q), 64);
        MULTIPLY(1, 4, 7);
        if (is_high) {
            _tile_loadd(5, a + 16 * p->lda + 64 * q, p->lda);
            MULTIPLY(2, 5, 6);
            MULTIPLY(3, 5, 7);
        }
        for (size_t i = 0; i < ahead; i++, next += 64)
            _mm_prefetch(next, _MM_HINT_T1);
        for (size_t i = 0; i < share && last->done < last->rows; i++)
            finish_row(kind, p, last);
    }
    _tile_stored(0, b->sums, 4 * BLOCK);
    _tile_stored(1, b->sums + 16, 4 * BLOCK);
    _tile_stored(2, b->sums + 16 * BLOCK, 4 * BLOCK);
    _tile_stored(3, b->sums + 16 * BLOCK + 16, 4 * BLOCK);
}

TARGET INLINE void multiply_kind(const struct kind kind, const struct product *p)
{
    struct block blocks[2];
    size_t turn = 0;
    blocks[1].rows = blocks[1].done = 0;
    tiles_begin();
    for (size_t j = 0; j < p->n; j += BLOCK)
        for (size_t i = 0; i < p->m; i += BLOCK, turn ^= 1) {
            struct block *b = &blocks[turn];
            b->row = i;
            b->col = j;
            b->rows = p->m - i < BLOCK ? p->m - i : BLOCK;
            b->done = 0;
            sum_block(kind, p, b, &blocks[turn ^ 1]);
        }
    while (blocks[turn ^ 1].done < blocks[turn ^ 1].rows)
        finish_row(kind, p, &blocks[turn ^ 1]);
    _tile_release();
}

#define KIND(int8, a, form)                                                                    \
    multiply_kind((struct kind){ .is_int8 = int8, .act = a, .out = form }, p)

TARGET static void multiply_bf16(const struct product *p)
{
    if (p->act == ACT_NONE && p->out == FORM_F32)
        KIND(false, ACT_NONE, FORM_F32);
    else if (p->act == ACT_NONE)
        KIND(false, ACT_NONE, FORM_BF16);
    else if (p->act == ACT_GELU)
        KIND(false, ACT_GELU, FORM_BF16);
    else
        KIND(false, p->act, FORM_BF16);
}

TARGET static void multiply_int8(const struct product *p)
{
    if (p->act == ACT_NONE && p->out == FORM_F32)
        KIND(true, ACT_NONE, FORM_F32);
    else if (p->act == ACT_NONE)
        KIND(true, ACT_NONE, FORM_BF16);
    else if (p->act == ACT_GELU)
        KIND(true, ACT_GELU, FORM_F32);
    else
        KIND(true, p->act, FORM_F32);
}

/* ---- attention ---- */

/* Where the parts of `work` lie. keys: K^T in panels of 16 tokens; values: V in panels of 16
 * numbers, units of two tokens; shares: 16 rows of unnormalised bf16 weights. */
struct attend_parts {
    size_t n, keys_n, values_n;  /* tokens; up to a multiple of 16; of 32 */
    size_t ld_scores, ld_shares; /* bytes */
    char *keys, *values, *scores, *shares;
};

static struct attend_parts attend_parts(const struct attention *a)
{
    struct attend_parts t = { .n = a->n };
    t.keys_n = (a->n + 15) / 16 * 16;
    t.values_n = (a->n + 31) / 32 * 32;
    t.ld_scores = kernel_stride(FORM_F32, t.values_n);
    t.ld_shares = kernel_stride(FORM_BF16, t.values_n);
    t.keys = a->work;
    t.values = t.keys + t.keys_n * a->d * 2;
    t.scores = t.values + t.values_n * a->d * 2;
    t.shares = t.scores + 16 * t.ld_scores;
    return t;
}

/* Units of two rows of V, 32 numbers at a time: two panels. */
TARGET static void pair_rows(const struct attention *a, const struct attend_parts *t,
                             const char *v)
{
    const size_t panel = t->values_n / 2 * 64;
    __m512i low, high;
    uint16_t order[32];
    for (uint16_t k = 0; k < 32; k++)
        order[k] = (uint16_t)(k / 2 + (k % 2 ? 32 : 0));
    low = _mm512_loadu_si512(order);
    high = _mm512_add_epi16(low, _mm512_set1_epi16(16));
    for (size_t c = 0; c < a->d; c += 32)
        for (size_t u = 0; u < t->values_n / 2; u++) {
            const char *row = v + 2 * u * a->ld + 2 * c;
            char *to = t->values + c / 16 * panel + 64 * u;
            __m512i x = _mm512_setzero_si512(), y = x;
            if (2 * u < a->n)
                x = _mm512_loadu_si512(row);
            if (2 * u + 1 < a->n)
                y = _mm512_loadu_si512(row + a->ld);
            _mm512_storeu_si512(to, _mm512_permutex2var_epi16(x, low, y));
            _mm512_storeu_si512(to + panel, _mm512_permutex2var_epi16(x, high, y));
        }
}

/* Scores of 16 queries against every key. */
TARGET static void score(const struct attention *a, const struct attend_parts *t, const char *q)
{
    const size_t steps = a->d / 32;
    for (size_t j = 0; j < t->keys_n; j += 16) {
        _tile_zero(0);
        for (size_t s = 0; s < steps; s++) {
            _tile_loadd(4, q + 64 * s, a->ld);
            _tile_loadd(6, t->keys + (j / 16 * steps + s) * 1024, 64);
            _tile_dpbf16ps(0, 4, 6);
        }
        _tile_stored(0, t->scores + 4 * j, t->ld_scores);
    }
}

/* share = e^(scale (x - max)) in bf16, 0 up to a multiple of 32; returns 1 / their sum. */
TARGET static float weigh(const struct attend_parts *t, const char *scores, char *shares,
                          float scale)
{
    const float *x = (const float *)scores;
    size_t n = t->n;
    __mmask16 rest = (__mmask16)(0xFFFFU >> (t->keys_n - n));
    size_t last = t->keys_n - 16;
    __m512 top = _mm512_mask_loadu_ps(SPLAT(-INFINITY), rest, x + last), sum = SPLAT(0);
    for (size_t i = 0; i < last; i += 16)
        top = _mm512_max_ps(top, _mm512_loadu_ps(x + i));
    const __m512 by = SPLAT(scale), shift = SPLAT(-scale * _mm512_reduce_max_ps(top));
    for (size_t i = 0; i < t->keys_n; i += 16) {
        __m512 e = exp2_rough(FMA(_mm512_loadu_ps(x + i), by, shift));
        if (i == last)
            e = _mm512_maskz_mov_ps(rest, e);
        sum += e;
        _mm256_storeu_si256((__m256i *)(void *)(shares + 2 * i),
                            (__m256i)_mm512_cvtneps_pbh(e));
    }
    if (t->keys_n < t->values_n)
        _mm256_storeu_si256((__m256i *)(void *)(shares + 2 * t->keys_n),
                            _mm256_setzero_si256());
    return 1.0F / _mm512_reduce_add_ps(sum);
}

/* out = shares V / sum, 32 numbers at a time, for up to 16 queries from `row` on. */
TARGET static void gather(const struct attention *a, const struct attend_parts *t, size_t head,
                          size_t row, const float share[16], enum form out)
{
    _Alignas(64) float sums[16 * 32];
    const size_t steps = t->values_n / 32;
    for (size_t c = 0; c < a->d; c += 32) {
        const char *v = t->values + c / 16 * steps * 1024;
        _tile_zero(0);
        _tile_zero(1);
        for (size_t s = 0; s < steps; s++) {
            _tile_loadd(4, t->shares + 64 * s, t->ld_shares);
            _tile_loadd(6, v + 1024 * s, 64);
            _tile_dpbf16ps(0, 4, 6);
            _tile_loadd(7, v + 1024 * (steps + s), 64);
            _tile_dpbf16ps(1, 4, 7);
        }
        _tile_stored(0, sums, 128);
        _tile_stored(1, sums + 16, 128);
        for (size_t i = 0; i < 16 && row + i < a->n; i++) {
            char *to = (char *)a->out + (row + i) * a->ld_out;
            __m512 left = _mm512_load_ps(sums + 32 * i) * SPLAT(share[i]);
            __m512 right = _mm512_load_ps(sums + 32 * i + 16) * SPLAT(share[i]);
            if (out == FORM_BF16) {
                _mm512_storeu_si512(to + 2 * (head * a->d + c),
                                    (__m512i)_mm512_cvtne2ps_pbh(right, left));
            } else {
                _mm512_storeu_ps((float *)to + head * a->d + c, left);
                _mm512_storeu_ps((float *)to + head * a->d + c + 16, right);
            }
        }
    }
}

TARGET static void attend_amx(const struct attention *a, enum form out)
{
    const struct attend_parts t = attend_parts(a);
    const size_t head_bytes = 2 * a->d, h = a->heads * head_bytes;
    const float scale = 1.44269504F / sqrtf((float)a->d);
    float share[16] = { 0 };
    tiles_begin();
    for (size_t head = 0; head < a->heads; head++) {
        const char *q = (const char *)a->qkv + head * head_bytes, *k = q + h;
        for (size_t j = 0; j < a->n; j += 16)
            turn_avx512(k + j * a->ld, a->n - j, a->ld, a->d / 2, t.keys + 2 * j * a->d);
        pair_rows(a, &t, k + h);
        for (size_t i = 0; i < a->n; i += 16) {
            score(a, &t, q + i * a->ld);
            for (size_t r = 0; r < 16 && i + r < a->n; r++)
                share[r] =
                    weigh(&t, t.scores + r * t.ld_scores, t.shares + r * t.ld_shares, scale);
            gather(a, &t, head, i, share, out);
        }
    }
    _tile_release();
}

static void attend_to_bf16(const struct attention *a)
{
    attend_amx(a, FORM_BF16);
}

static void attend_to_f32(const struct attention *a)
{
    attend_amx(a, FORM_F32);
}

const struct kernels kernels_bf16_amx = { "bf16 amx",     PRECISION_BF16, FORM_BF16,
                                          FORM_BF16,      FORM_BF16,      multiply_bf16,
                                          attend_to_bf16, encode_bf16,    turn_avx512,
                                          add_norm_avx512 };
const struct kernels kernels_int8_amx = { "int8 amx",     PRECISION_INT8,  FORM_INT8,
                                          FORM_BF16,      FORM_F32,        multiply_int8,
                                          attend_to_f32,  quantise_avx512, turn_avx512,
                                          add_norm_avx512 };
#endif
