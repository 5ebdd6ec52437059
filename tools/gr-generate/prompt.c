// SPDX-License-Identifier: MIT
/*
 * prompt.c — the request to a chat model: prompts filled in, sources fenced
 */
#include "chat.h"

#include "cite.h"

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

/* Append the sources with their numbers, facts after them, between the two marks. */
static void prompt_context(struct buf *out, const struct context *c)
{
    struct buf all = BUF_INIT;
    for (size_t s = 0; s < c->n_sources; s++)
        put_source(&all, c, s);
    llm_fence(out, "SOURCES", buf_view(&all));
    buf_release(&all);
}

void chat_request(struct buf *out, const struct chat_cfg *cfg, struct sv query,
                  const struct context *c)
{
    struct buf context = BUF_INIT, system = BUF_INIT, user = BUF_INIT;
    prompt_context(&context, c);
    struct llm_slot slots[] = { { "query", query }, { "context", buf_view(&context) } };
    llm_fill(&system, cfg->system, slots, ARRAY_LEN(slots));
    llm_fill(&user, cfg->user, slots, ARRAY_LEN(slots));
    struct llm_message messages[] = { { "system", sv_trim(buf_view(&system)) },
                                      { "user", sv_trim(buf_view(&user)) } };
    struct llm_cfg llm = { .model = cfg->model,
                           .max_tokens = cfg->max_tokens,
                           .seed = cfg->seed,
                           .temperature = cfg->temperature,
                           .form = LLM_FREE };
    size_t from = out->len;
    llm_request(out, &llm, messages, ARRAY_LEN(messages));
    if (cfg->is_stream && out->len > from) {
        buf_cut(out, out->len - 1); /* more members follow */
        json_key(out, "stream");
        json_put_bool(out, true);
        json_key(out, "stream_options");
        json_put_raw(out, SV("{\"include_usage\":true}"));
        json_close(out, '}');
    }
    buf_release(&context);
    buf_release(&system);
    buf_release(&user);
}
