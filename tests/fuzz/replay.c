// SPDX-License-Identifier: MIT
/*
 * replay.c — a plain main for a fuzz target: every file of its corpus once, result as TAP
 *
 *   usage: fuzz_X DIR|FILE…      also runs the empty input and each file cut in half
 */
#include <dirent.h>
#include <sys/stat.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 64 << 20 };

static void run_one(const char *p, size_t n)
{
    /* An exact copy on the heap, so that a sanitizer sees one byte too far. */
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy)
        abort();
    if (n)
        memcpy(copy, p, n);
    (void)LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static unsigned n_tests;

static void replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *p = malloc(MAX_BYTES);
    if (!f || !p) {
        printf("not ok %u - cannot read %s\n", ++n_tests, path);
    } else {
        size_t n = fread(p, 1, MAX_BYTES, f);
        run_one(p, n);
        run_one(p, n / 2);
        printf("ok %u - %s\n", ++n_tests, path);
    }
    (void)fflush(stdout);
    free(p);
    if (f)
        (void)fclose(f);
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static void replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        return; /* a target may come before its corpus */
    if (!S_ISDIR(st.st_mode)) {
        replay_file(path);
        return;
    }
    struct dirent **list;
    int n = scandir(path, &list, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, list[i]->d_name);
        replay_file(file);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

int main(int argc, char **argv)
{
    run_one("", 0);
    printf("ok %u - empty input\n", ++n_tests);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("1..%u\n", n_tests);
    return 0;
}
