// SPDX-License-Identifier: MIT
/*
 * i8_amx.h — the products of i8_block_dots by matrix registers, for building
 */
#ifndef I8_AMX_H
#define I8_AMX_H

#include "gr.h"

#define I8_AMX_ROWS 16 /* rows at a time */

/* As i8_block_dots, where cpu_get()->has_amx, for a multiple of I8_AMX_ROWS rows. Quickest with
 * 32 of them, and blocks at multiples of 64 bytes. out: rows are `stride` numbers apart. */
void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                 size_t n_rows, int32_t *out, size_t stride);

#endif
