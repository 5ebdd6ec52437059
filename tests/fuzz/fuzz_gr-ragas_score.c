// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-ragas_score.c — any record through every metric that needs no data; any two texts
 *
 * A value that is there is finite and within its range; a cosine apart, that is 0 … 1.
 */
#include "metrics.h"

#include <math.h>

#include "overlap.h"
#include "similar.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void score(struct scorer *scorer, const struct metric_list *list, struct sv line)
{
    struct rec r = { .file = "fuzz" };
    struct err err;
    struct sample sample;
    const struct sample_cfg cfg = { .relevance = (int)(line.n % 4), .ranking = line.n % 8 > 5 };
    if (rec_parse(&r, line, &err) < 0)
        return;
    if (sample_read(&sample, &cfg, &r, &err) == 0) {
        scorer_start(scorer, &sample);
        for (size_t i = 0; i < list->n; i++) {
            double value = NAN;
            const char *why = scorer_value(scorer, &list->items[i], &value);
            if (!why && !(value >= 0 && value <= 1 + 1e-9))
                abort();
        }
    }
    sample_release(&sample);
    rec_release(&r);
}

/* The two halves of the text. */
static void compare(struct overlap *o, struct similar *s, struct sv text)
{
    if (utf8_check(text) != SIZE_MAX)
        return;
    size_t half = utf8_floor(text, text.n / 2);
    struct sv a = sv_from_to(text, 0, half), b = sv_from_to(text, half, text.n);
    struct bleu bleu = { 0 };
    struct prf l = { 0, 0, 0 };
    overlap_bleu_add(o, a, b, &bleu);
    overlap_rouge_l(o, a, b, &l);
    const double values[] = { bleu_score(&bleu, true),
                              bleu_score(&bleu, false),
                              overlap_chrf(o, a, b),
                              overlap_rouge_n(o, a, b, 2).f,
                              l.f,
                              overlap_tokens(o, a, b).f,
                              similar_ratio(s, a, b) };
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (!(values[i] >= 0 && values[i] <= 1 + 1e-9))
            abort();
    if (fabs(similar_ratio(s, a, a) - 1) > 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct metric_list list;
    static struct scorer
        *scorer; /* made once: that a record leaves nothing behind is tested too */
    static struct overlap *overlap;
    static struct similar *similar;
    struct err err;
    if (!scorer) {
        const struct scorer_cfg cfg = {
            { splitter_new(NULL, &err), analyzer_new(NULL, NULL, &err), 0.6 }, NULL, NULL
        };
        if (metric_list_parse(&list, "all", &err) < 0)
            abort();
        scorer = scorer_new(&cfg);
        overlap = overlap_new();
        similar = similar_new();
    }
    if (size > 20000)
        return 0;
    struct sv s = { (const char *)data, size };
    score(scorer, &list, s);
    compare(overlap, similar, s);
    return 0;
}
