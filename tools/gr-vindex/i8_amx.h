// SPDX-License-Identifier: MIT
/*
 * i8_amx.h — the products of i8_block_dots by matrix registers, for building
 */
#ifndef I8_AMX_H
#define I8_AMX_H

#include "gr.h"

#define I8_AMX_ROWS 16 /* rows at a time */

/* As i8_block_dots, for I8_AMX_ROWS rows, where cpu_get()->has_amx. out: rows are `stride`
 * numbers apart. */
void i8_amx_dots(const uint8_t *blocks, size_t n_blocks, size_t width, const int8_t *rows,
                 int32_t *out, size_t stride);

#endif
