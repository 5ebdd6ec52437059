// SPDX-License-Identifier: MIT
/*
 * test_gr-embed_ids.c — the ids of whole folders of real text equal those of Hugging Face
 * tokenizers: digests in tests/peers/ids.ndjson, made by tests/peers/ids.py (skipped without
 * the model or GR_SHARED)
 */
#include "unit/unit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "hash.h"
#include "json.h"
#include "tokenizer.h"

#define MODEL "build/share/model/all-MiniLM-L6-v2"
#define STORED "tests/peers/ids.ndjson"

struct list {
    struct sv *paths; /* (n) NUL-terminated */
    size_t n, cap;
};

static bool is_text(const char *name)
{
    static const char *const kinds[] = { ".ndjson", ".xml", ".txt", ".tsv", ".json", ".md" };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < ARRAY_LEN(kinds); i++)
        if (strcmp(dot, kinds[i]) == 0)
            return true;
    return false;
}

static void walk(struct list *l, const char *dir)
{
    DIR *d = opendir(dir);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        char path[1024];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        assert_int_equal(stat(path, &st), 0);
        if (S_ISDIR(st.st_mode)) {
            walk(l, path);
        } else if (is_text(e->d_name)) {
            if (l->n == l->cap) {
                l->cap = alloc_grow(l->cap, l->n + 1);
                l->paths = alloc_resize(l->paths, l->cap, sizeof *l->paths);
            }
            l->paths[l->n++] = (struct sv){ alloc_text(path, strlen(path)), strlen(path) };
        }
    }
    closedir(d);
}

static size_t add_ids(const struct tokenizer *t, const char *path, struct buf *ids)
{
    struct buf text = BUF_INIT;
    struct wordpiece_tokens tokens = { 0 };
    struct err err;
    struct sv line, rest;
    const int32_t end = -1;
    size_t n = 0;
    assert_int_equal(file_read(&text, path, 0, &err), 0);
    rest = buf_view(&text);
    do { /* as Python splits: after a last newline there is an empty line */
        size_t at = sv_find(rest, SV("\n"), 0);
        line = sv_from_to(rest, 0, at == SIZE_MAX ? rest.n : at);
        bool is_last = at == SIZE_MAX;
        n += wordpiece_split(t->words, line, SIZE_MAX, &tokens);
        buf_add(ids, (const char *)tokens.ids, tokens.n * sizeof *tokens.ids);
        buf_add(ids, (const char *)&end, sizeof end);
        if (is_last)
            break;
        rest = sv_from_to(rest, at + 1, rest.n);
    } while (true);
    wordpiece_tokens_release(&tokens);
    buf_release(&text);
    return n;
}

static void check_folder(const struct tokenizer *t, jv stored, const char *data, size_t *total)
{
    struct list l = { 0 };
    struct buf ids = BUF_INIT;
    char dir[1024], hex[65];
    snprintf(dir, sizeof dir, "%s/%.*s", data, SV_ARG(json_sv(json_get(stored, "folder"))));
    walk(&l, dir);
    qsort(l.paths, l.n, sizeof *l.paths, sv_qcmp);
    bool is_long = UNIT_IS_SLOW && json_num(json_get(stored, "tokens")) > 4e5;
    if (is_long) {
        print_message("%s: left out under a sanitizer\n", dir);
    } else if ((double)l.n != json_num(json_get(stored, "files"))) {
        print_message("%s: %zu files, other than when the digest was made: left out\n", dir,
                      l.n);
    } else {
        size_t n = 0;
        for (size_t i = 0; i < l.n; i++)
            n += add_ids(t, l.paths[i].p, &ids);
        if ((double)n != json_num(json_get(stored, "tokens")))
            fail_msg("%s: %zu tokens", dir, n);
        hash_sha256(buf_view(&ids), hex);
        if (!sv_is(json_sv(json_get(stored, "sha256")), hex))
            fail_msg("%s: other ids", dir);
        *total += n;
    }
    for (size_t i = 0; i < l.n; i++)
        free((char *)l.paths[i].p);
    free(l.paths);
    buf_release(&ids);
}

static void replace(struct buf *text, const char *from, const char *to)
{
    struct buf out = BUF_INIT;
    struct sv all = buf_view(text);
    size_t at = sv_find(all, sv_from(from), 0);
    assert_true(at != SIZE_MAX);
    buf_sv(&out, sv_from_to(all, 0, at));
    buf_str(&out, to);
    buf_sv(&out, sv_from_to(all, at + strlen(from), all.n));
    buf_release(text);
    *text = out;
}

/* The same changes as ids.py makes, in a folder of its own. */
static void read_other(struct tokenizer *t)
{
    char dir[] = "/tmp/gr-ids.XXXXXX", path[64];
    struct buf text = BUF_INIT;
    struct err err;
    assert_int_equal(file_read(&text, MODEL "/tokenizer.json", 0, &err), 0);
    replace(&text, "\"lowercase\":true", "\"lowercase\":false");
    replace(&text, "\"strip_accents\":null", "\"strip_accents\":true");
    replace(&text, "\"handle_chinese_chars\":true", "\"handle_chinese_chars\":false");
    replace(&text, "\"max_input_chars_per_word\":100", "\"max_input_chars_per_word\":30");
    replace(&text, "\"added_tokens\":[",
            "\"added_tokens\":[{\"id\":30522,\"content\":\"SiO2\"},");
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/tokenizer.json", dir);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text.data, 1, text.len, f), text.len);
    fclose(f);
    int rc = tokenizer_read(t, dir, false, &err);
    unlink(path);
    rmdir(dir);
    buf_release(&text);
    if (rc < 0)
        fail_msg("%s", err.msg);
}

static void test_real_text(void **state)
{
    (void)state;
    const char *shared = getenv("GR_SHARED");
    char data[512];
    struct err err;
    struct buf file = BUF_INIT;
    struct tokenizer uncased, other;
    size_t n = 0;
    snprintf(data, sizeof data, "%s/data", shared ? shared : "../shared");
    if (access(MODEL "/tokenizer.json", R_OK) != 0 || access(data, R_OK) != 0) {
        print_message("no " MODEL " or no %s: make model, set GR_SHARED\n", data);
        skip();
    }
    assert_int_equal(tokenizer_read(&uncased, MODEL, false, &err), 0);
    read_other(&other);
    assert_false(uncased.has_own_form);
    assert_true(other.has_own_form);
    assert_int_equal(file_read(&file, STORED, 0, &err), 0);
    struct sv rest = buf_view(&file), line;
    while (rest.n && sv_cut(&rest, '\n', &line)) {
        struct rec r = { 0 };
        assert_int_equal(rec_parse(&r, line, &err), 0);
        bool is_other = sv_is(json_sv(json_get(r.v, "form")), "other");
        check_folder(is_other ? &other : &uncased, r.v, data, &n);
        rec_release(&r);
    }
    print_message("%zu tokens of two tokenizers: all ids equal\n", n);
    tokenizer_release(&uncased);
    tokenizer_release(&other);
    buf_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_real_text) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
