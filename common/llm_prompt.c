// SPDX-License-Identifier: MIT
/*
 * llm_prompt.c — prompts: slots filled in, outside text fenced
 */
#include "llm.h"

#include "file.h"
#include "hash.h"
#include "utf8.h"

#define PROMPT_MAX ((size_t)1 << 20)

/* The slot that begins at text.p[at], behind its "{{"; NULL: none. */
static const struct llm_slot *slot_at(struct sv text, size_t at, const struct llm_slot *slots,
                                      size_t n)
{
    size_t end = sv_find(text, SV("}}"), at);
    for (size_t i = 0; end != SIZE_MAX && i < n; i++)
        if (sv_is(sv_from_to(text, at, end), slots[i].name))
            return &slots[i];
    return NULL;
}

void llm_fill(struct buf *out, struct sv prompt, const struct llm_slot *slots, size_t n)
{
    for (size_t at = 0; at < prompt.n;) {
        size_t open = sv_find(prompt, SV("{{"), at);
        buf_sv(out, sv_from_to(prompt, at, open));
        if (open == SIZE_MAX)
            return;
        const struct llm_slot *slot = slot_at(prompt, open + 2, slots, n);
        buf_sv(out, slot ? slot->text : SV("{{"));
        at = open + 2 + (slot ? strlen(slot->name) + 2 : 0);
    }
}

void llm_fence(struct buf *out, const char *label, struct sv text)
{
    /* A text that held its own hash would have to be found by search; look all the same. */
    char mark[60];
    uint64_t h = hash64(text);
    do
        snprintf(mark, sizeof mark, "%s-%016llx", label, (unsigned long long)h++);
    while (sv_find(text, sv_from(mark), 0) != SIZE_MAX);
    buf_printf(out, "<<<%s\n", mark);
    buf_sv(out, text);
    buf_printf(out, "%s%s>>>", text.n && text.p[text.n - 1] == '\n' ? "" : "\n", mark);
}

int llm_prompt_read(struct buf *out, const char *file, const char *data_dir, const char *name,
                    struct err *err)
{
    struct buf path = BUF_INIT;
    int rc = 0;
    if (file)
        buf_str(&path, file);
    else
        rc = file_find_data(&path, data_dir, name, err);
    if (rc == 0)
        rc = file_read(out, buf_cstr(&path), PROMPT_MAX, err);
    if (rc == 0 && utf8_check(buf_view(out)) != SIZE_MAX)
        rc = err_set(err, EXIT_FATAL, "%s: not valid UTF-8", buf_cstr(&path));
    buf_release(&path);
    return rc;
}
