// SPDX-License-Identifier: MIT
/*
 * paper.c — what the texts of a paper say about each other: its short forms, and isotopes
 * named before
 *
 * A text is put into normal form here and again when it is read (extract.c): that takes some
 * 0.2 % of the time, and keeping all texts of a paper in between would take its memory.
 */
#include "paper.h"

#include "alloc.h"
#include "schema.h"
#include "scratch.h"
#include "utf8.h"

static void learn_text(const struct extractor *x, struct sv text, size_t section,
                       struct abbrevs *list)
{
    struct buf normal = BUF_INIT;
    struct plain_text plain = { 0 };
    const struct plain_text *used;
    abbrevs_learn(list, x->vocab, plain_normal(&plain, &normal, text, &used), section);
    plain_release(&plain);
    buf_release(&normal);
}

/* A chunk: also the isotopes that it names. Rows of a table are not read for them; what the
 * next chunk has too may be read there. */
static void learn_chunk(const struct extractor *x, const struct rec *r, struct sv raw,
                        struct abbrevs *list)
{
    struct buf normal = BUF_INIT;
    struct plain_text plain = { 0 };
    const struct plain_text *used;
    struct sv text = plain_normal(&plain, &normal, raw, &used);
    size_t after = extract_shared_bytes(r, "overlap_after", buf_view(&normal), used, true);
    abbrevs_learn(list, x->vocab, text, 0);
    if (!sv_is(json_sv(json_get(r->v, "kind")), "table"))
        notations_learn(&list->notations, sv_from_to(text, 0, text.n - after));
    plain_release(&plain);
    buf_release(&normal);
}

static void learn_sections(const struct extractor *x, const struct rec *r, struct abbrevs *list)
{
    jv sections = json_get(r->v, "sections"), tables = json_get(r->v, "tables");
    size_t n = json_len(sections);
    learn_text(x, json_sv(json_get(r->v, "abstract")), 0, list);
    for (size_t i = 0; i < n; i++)
        learn_text(x, json_sv(json_get(json_at(sections, i), F_TEXT)), i + 1, list);
    for (size_t i = 0; i < json_len(tables); i++)
        learn_text(x, json_sv(json_get(json_at(tables, i), "caption")), n + 1 + i, list);
}

void extract_learn(const struct extractor *x, const struct rec *r, struct abbrevs *list)
{
    struct sv text;
    struct buf tmp = BUF_INIT;
    struct err ignored; /* whoever reads the record says it */
    if (rec_opt_text(r, F_TEXT, &tmp, &text, &ignored) == 1) {
        learn_chunk(x, r, text, list);
    } else {
        learn_sections(x, r, list);
    }
    buf_release(&tmp);
    list->n_records++;
    notations_close(&list->notations);
}

void scratch_forms(struct extractor *x, struct scratch *w, const struct rec *r,
                   const struct abbrevs *forms, size_t nth)
{
    w->forms = forms;
    w->nth = forms ? nth : 0;
    w->section = 0;
    if (forms)
        return;
    abbrevs_reset(&w->abbrevs);
    extract_learn(x, r, &w->abbrevs);
    abbrevs_sort(&w->abbrevs);
    w->forms = &w->abbrevs;
}

void scratch_learn(struct extractor *x, struct scratch *w, struct sv text)
{
    abbrevs_reset(&w->abbrevs);
    abbrevs_learn(&w->abbrevs, x->vocab, text, 0);
    abbrevs_sort(&w->abbrevs);
    w->forms = &w->abbrevs;
    w->nth = w->section = 0;
}

/* ---- for run_each_group ---- */

static void *learn(const void *ctx, const struct task *tasks, size_t n, const void *before)
{
    struct abbrevs *forms = alloc_zero(1, sizeof *forms);
    if (before)
        abbrevs_copy(forms, before);
    forms->n_before = forms->n_records;
    for (size_t i = 0; i < n; i++) {
        if (tasks[i].rc == 0) {
            extract_learn(ctx, &tasks[i].rec, forms);
        } else {
            forms->n_records++;
            notations_close(&forms->notations);
        }
    }
    abbrevs_sort(forms);
    return forms;
}

static void forget(void *learnt)
{
    abbrevs_release(learnt);
    free(learnt);
}

static int work(void *ctx, unsigned worker, const struct rec *r, const void *learnt, size_t nth,
                struct buf *out, struct err *err)
{
    const struct abbrevs *forms = learnt;
    return extract_record(ctx, worker, r, forms, forms ? forms->n_before + nth : 0, out, err);
}

struct run_group paper_group(bool is_slow)
{
    return (struct run_group){
        .field = F_PAPER, .is_slow = is_slow, .learn = learn, .forget = forget, .work = work
    };
}
