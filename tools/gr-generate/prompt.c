// SPDX-License-Identifier: MIT
/*
 * prompt.c — the request to a chat model: prompts filled in, sources fenced
 */
#include "chat.h"

#include "cite.h"
#include "hash.h"

void prompt_fill(struct buf *out, struct sv text, struct sv query, struct sv context)
{
    for (size_t at = 0; at < text.n;) {
        size_t open = sv_find(text, SV("{{"), at);
        buf_sv(out, sv_from_to(text, at, open));
        if (open == SIZE_MAX)
            return;
        struct sv rest = sv_from_to(text, open, text.n);
        if (sv_starts(rest, SV("{{query}}"))) {
            buf_sv(out, query);
            at = open + sizeof "{{query}}" - 1;
        } else if (sv_starts(rest, SV("{{context}}"))) {
            buf_sv(out, context);
            at = open + sizeof "{{context}}" - 1;
        } else {
            buf_str(out, "{{");
            at = open + 2;
        }
    }
}

/* One source: its number, what it is, its texts. The papers' own bracketed numbers go. */
static void put_source(struct buf *out, const struct context *c, size_t s)
{
    const struct source *src = &c->sources[s];
    bool has_text = false;
    for (size_t i = 0; i < c->n_entries; i++)
        has_text |= c->entries[i].source == s;
    if (!has_text)
        return;
    buf_printf(out, "[%zu]", src->n);
    if (src->title.n)
        buf_printf(out, " %.*s.", SV_ARG(src->title));
    if (src->section.n)
        buf_printf(out, " %.*s.", SV_ARG(src->section));
    buf_char(out, '\n');
    for (size_t i = 0; i < c->n_entries; i++) {
        const struct entry *e = &c->entries[i];
        if (e->source != s)
            continue;
        if (e->kind == ENTRY_FACT)
            buf_str(out, "Fact: ");
        cite_strip(out, e->kind == ENTRY_FACT ? buf_view(&e->say) : e->text);
        buf_char(out, '\n');
    }
    buf_char(out, '\n');
}

void prompt_context(struct buf *out, const struct context *c)
{
    struct buf all = BUF_INIT;
    for (size_t s = 0; s < c->n_sources; s++)
        put_source(&all, c, s);
    /* A text that held its own hash would have to be found by search; look all the same. */
    char mark[40];
    uint64_t h = hash64(buf_view(&all));
    do
        snprintf(mark, sizeof mark, "SOURCES-%016llx", (unsigned long long)h++);
    while (sv_find(buf_view(&all), sv_from(mark), 0) != SIZE_MAX);
    buf_printf(out, "<<<%s\n", mark);
    buf_sv(out, buf_view(&all));
    buf_printf(out, "%s>>>", mark);
    buf_release(&all);
}

static void put_message(struct buf *out, const char *role, struct sv content)
{
    json_open(out, '{');
    json_key(out, "role");
    json_put_str(out, sv_from(role));
    json_key(out, "content");
    json_put_str(out, content);
    json_close(out, '}');
}

void chat_request(struct buf *out, const struct chat_cfg *cfg, struct sv query,
                  const struct context *c)
{
    struct buf context = BUF_INIT, text = BUF_INIT;
    prompt_context(&context, c);
    json_open(out, '{');
    json_key(out, "model");
    json_put_str(out, sv_from(cfg->model));
    json_key(out, "messages");
    json_open(out, '[');
    prompt_fill(&text, cfg->system, query, buf_view(&context));
    put_message(out, "system", sv_trim(buf_view(&text)));
    buf_reset(&text);
    prompt_fill(&text, cfg->user, query, buf_view(&context));
    put_message(out, "user", sv_trim(buf_view(&text)));
    json_close(out, ']');
    json_key(out, "max_tokens");
    json_put_int(out, cfg->max_tokens);
    json_key(out, "temperature");
    json_put_num(out, cfg->temperature);
    json_key(out, "seed");
    json_put_int(out, cfg->seed);
    if (cfg->is_stream) {
        json_key(out, "stream");
        json_put_bool(out, true);
        json_key(out, "stream_options");
        json_put_raw(out, SV("{\"include_usage\":true}"));
    }
    json_close(out, '}');
    buf_release(&context);
    buf_release(&text);
}
