// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-embed_tokenizer.c — any bytes as a tokenizer.json, then a text cut by what was read
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tokenizer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char dir[] = "/tmp/gr-fuzz.XXXXXX", path[64];
    struct tokenizer t;
    struct wordpiece_tokens tokens = { 0 };
    struct err err;
    if (!mkdtemp(dir))
        return 0;
    snprintf(path, sizeof path, "%s/tokenizer.json", dir);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(data, 1, size, f);
        fclose(f);
        if (tokenizer_read(&t, dir, false, &err) == 0)
            wordpiece_encode(t.words, (struct sv){ (const char *)data, size }, 64, &tokens);
        tokenizer_release(&t);
        wordpiece_tokens_release(&tokens);
    }
    unlink(path);
    rmdir(dir);
    return 0;
}
