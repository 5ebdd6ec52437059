// SPDX-License-Identifier: MIT
/*
 * fuzz_cache.c — any bytes as a file of a cache: ignored, or whole records
 */
#include <unistd.h>

#include "cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char dir[64], path[100];
    if (!*dir) {
        snprintf(dir, sizeof dir, "/tmp/gr-fuzz-cache-XXXXXX");
        if (!mkdtemp(dir))
            abort();
        snprintf(path, sizeof path, "%s/a.vectors", dir);
    }
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size)
        abort();
    fclose(f);
    struct err err;
    struct cache *c = cache_open(dir, &cache_vectors, SV("scope"), &err);
    if (!c)
        abort();
    struct cache_stats stats = cache_stats(c);
    if (stats.n_files != 1 || stats.n_records > size / 36)
        abort();
    cache_close(c);
    unlink(path);
    return 0;
}
