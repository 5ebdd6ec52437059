// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-vindex_root.c — a .gri whose root, table of segments or lists of dead records were
 * changed and whose checksums are right: refused, or read, searched and changed without a step
 * outside
 *
 * The input is a list of changes to an index of two segments: a byte that says where (slot,
 * table, list), one for the place, one for the new byte. Input that begins with the file's
 * magic is a whole file instead.
 */
#include <math.h>
#include <unistd.h>

#include "alloc.h"
#include "edit.h"
#include "gri_patch.h"
#include "hash.h"
#include "root_impl.h"
#include "search.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* libjq 1.6 itself loses a string when two values stand side by side. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static const char *const records[] = {
    "{\"id\":\"b\",\"text\":\"MORB has low 87Sr/86Sr\",\"embedding\":[1,0,2],\"year\":2001}",
    "{\"id\":\"a\",\"text\":\"arc lavas\",\"embedding\":[0,3,1],\"year\":2011}",
    "{\"id\":\"c\",\"text\":\"MORB and zircon, MORB\",\"year\":2020}",
    "{\"id\":\"d\",\"text\":\"MORB\",\"embedding\":[2,3,1]}",
};

static void put(struct builder *b, const char *line)
{
    struct rec r = { 0 };
    struct err err;
    bool is_old;
    if (rec_parse(&r, sv_from(line), &err) < 0)
        abort();
    (void)builder_add(b, &r, "text", &is_old, &err);
    rec_release(&r);
}

static void write_file(const char *to, struct sv bytes)
{
    (void)unlink(to);
    FILE *f = fopen(to, "wb");
    if (!f || fwrite(bytes.p, 1, bytes.n, f) != bytes.n || fclose(f) != 0)
        abort();
}

/* Add a record that replaces one, and delete another. */
static void change(const char *path)
{
    struct edit e;
    struct err err;
    bool is_there;
    if (edit_open(&e, path, &err) < 0)
        return;
    struct builder *b = edit_builder(&e);
    put(b, "{\"id\":\"c\",\"text\":\"arc MORB\",\"embedding\":[1,1,1]}");
    if (edit_drop(&e, SV("a"), &is_there, &err) == 0)
        (void)edit_save(&e, b, 1, &err);
    builder_free(b);
    edit_close(&e);
}

static void build(const char *to)
{
    gri_patch_build(records, ARRAY_LEN(records), to);
    change(to);
}

/* Apply the changes to a copy of the file and set the checksums right. */
static void patch(struct buf *file, const uint8_t *data, size_t size)
{
    struct root_slot slot;
    char *p = file->data;
    char *at_slot = p + ROOT_SLOT_BYTES; /* generation 2 */
    memcpy(&slot, at_slot, sizeof slot);
    struct root_place table = slot.table;
    struct root_head h;
    memcpy(&h, p + table.at, sizeof h);
    uint64_t at_dead =
        table.at + sizeof(struct root_head) + h.n_segments * sizeof(struct root_segment);
    struct root_dead dead;
    memcpy(&dead, p + at_dead, sizeof dead);
    char *list = p + dead.at;
    size_t list_size = (size_t)dead.n * sizeof(uint32_t);
    for (; size >= 3; data += 3, size -= 3) {
        if (data[0] % 4 == 0)
            at_slot[data[1] % (sizeof slot - 8)] = (char)data[2];
        else if (data[0] % 4 == 1)
            list[data[1] % list_size] = (char)data[2];
        else
            p[table.at + data[1] % table.size] = (char)data[2];
    }
    memcpy(&dead, p + at_dead, sizeof dead);
    if (dead.at < file->len && dead.n <= list_size / sizeof(uint32_t))
        dead.hash = hash64((struct sv){ list, (size_t)dead.n * sizeof(uint32_t) });
    memcpy(p + at_dead, &dead, sizeof dead);
    memcpy(&slot, at_slot, sizeof slot);
    if (slot.table.at < file->len && slot.table.size <= file->len - slot.table.at)
        slot.table.hash = hash64((struct sv){ p + slot.table.at, (size_t)slot.table.size });
    slot.hash = root_slot_hash(&slot);
    memcpy(at_slot, &slot, sizeof slot);
}

static void use(const char *index, const char *filter)
{
    struct search_cfg cfg = { .k = 5,
                              .candidates = 9,
                              .fusion = { .rrf_k = 60 },
                              .dense_weight = 1,
                              .sparse_weight = 1,
                              .min_score = -INFINITY,
                              .filter = filter,
                              .hit_fields = "text,year" };
    struct vset x;
    struct err err;
    struct buf out = BUF_INIT;
    struct rec r = { 0 };
    gri_patch_verify(index);
    if (vset_open(&x, &index, 1, "text", 1, &err) < 0)
        return;
    struct searcher *s = search_new(&x, &cfg, 1, &err);
    if (rec_parse(&r, SV("{\"query\":\"MORB lavas\",\"embeddings\":[[1,1,1]]}"), &err) < 0)
        abort();
    struct search_job job = { &r, &out, &err, 0 };
    if (s)
        search_batch(s, 0, &job, 1);
    rec_release(&r);
    search_free(s);
    vset_close(&x);
    buf_release(&out);
}

static char good[300], path[300];
static struct buf bytes;

static void remove_files(void)
{
    unlink(good);
    unlink(path);
    buf_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    if (!good[0]) {
        const char *dir = getenv("TMPDIR");
        snprintf(good, sizeof good, "%s/%ld-good.gri", dir ? dir : "/tmp", (long)getpid());
        snprintf(path, sizeof path, "%s/%ld-bad.gri", dir ? dir : "/tmp", (long)getpid());
        build(good);
        if (file_read(&bytes, good, 0, &err) < 0)
            abort();
        (void)atexit(remove_files);
    }
    if (size > 2 && memcmp(data, "GRV", 3) == 0) {
        write_file(path, (struct sv){ (const char *)data, size });
    } else {
        struct buf file = BUF_INIT;
        buf_sv(&file, buf_view(&bytes));
        patch(&file, data, size);
        write_file(path, buf_view(&file));
        buf_release(&file);
    }
    use(path, size % 16 ? NULL : ".year > 2010");
    change(path);
    use(path, NULL);
    return 0;
}
