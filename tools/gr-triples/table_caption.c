// SPDX-License-Identifier: MIT
/*
 * table_caption.c — what a caption says of all samples: how old they are, the one sample they
 * are parts of, and what else a bare number can be put behind
 *
 * An age must stand before what is dated ("the 65 Ma lavas", "Cretaceous granites") or in
 * brackets behind it; "initial ratios at 65 Ma" is none, and two ages are as good as none.
 */
#include <math.h>

#include "sample.h"
#include "scan.h"
#include "table_impl.h"
#include "utf8.h"

/* ---- ages ---- */

/* What is dated where it stands so soon behind an age. */
static bool is_dated_noun(struct sv word)
{
    static const char *const nouns[] = {
        "lava",  "lavas",  "rock",     "rocks",     "sample",     "samples",    "flow",
        "flows", "dyke",   "dykes",    "dike",      "dikes",      "sill",       "sills",
        "tuff",  "pluton", "plutons",  "intrusion", "intrusions", "intrusives", "batholith",
        "ash",   "tephra", "volcanic", "volcanics", "sediment",   "sediments"
    };
    return vocab_word_in(word, nouns, ARRAY_LEN(nouns));
}

/* The rock that begins at byte `at`: its end; 0: none. */
static size_t rock_at(const struct entities *names, size_t at)
{
    for (size_t i = 0; i < names->n && names->items[i].start <= at; i++) {
        const struct entity *e = &names->items[i];
        if (e->start == at && (strcmp(e->type, "rock") == 0 || strcmp(e->type, "mineral") == 0))
            return e->end;
    }
    return 0;
}

/* "and their xenoliths": then it is not all of them. */
static bool is_one_of(struct sv behind)
{
    return sv_starts(behind, SV(" and ")) || sv_starts(behind, SV(" or ")) ||
           sv_starts(behind, SV(" & ")) || sv_starts(behind, SV("/"));
}

/* Does an age that ends at byte `at` stand before what it dates? At most four words on. */
static bool dates_samples(struct sv text, size_t at, const struct entities *names)
{
    static const char *const breaks[] = { "in",     "of",    "at",  "from",   "for", "to",
                                          "before", "after", "and", "or",     "by",  "with",
                                          "ago",    "age",   "the", "initial" };
    static const char *const olds[] = { "old", "aged" };
    for (size_t n = 0; n < 5; n++) {
        if (at < text.n && (text.p[at] == ' ' || text.p[at] == '-'))
            at++;
        size_t end = rock_at(names, at), stop = at;
        if (end)
            return !is_one_of(sv_from_to(text, end, text.n));
        while (stop < text.n && scan_is_letter(text.p[stop]))
            stop++;
        struct sv word = sv_from_to(text, at, stop);
        if (!word.n || vocab_word_in(word, breaks, ARRAY_LEN(breaks)))
            return false;
        if (is_dated_noun(word) && !vocab_word_is(word, "volcanic"))
            return !is_one_of(sv_from_to(text, stop, text.n));
        n -= n && vocab_word_in(word, olds, ARRAY_LEN(olds));
        at = stop;
    }
    return false;
}

/* "granites (2.7 Ga)" */
static bool is_bracket_of_rock(struct sv text, const struct quantity *q,
                               const struct entities *names)
{
    size_t from = q->from < q->start ? q->from : q->start;
    if (from < 2 || q->end >= text.n || text.p[q->end] != ')' || text.p[from - 1] != '(' ||
        text.p[from - 2] != ' ')
        return false;
    for (size_t i = 0; i < names->n && names->items[i].end <= from - 2; i++)
        if (names->items[i].end == from - 2 && strcmp(names->items[i].type, "rock") == 0)
            return true;
    return false;
}

static void read_age(struct grid *g, struct sv text, const struct entities *names)
{
    struct quantities *list = &g->w->quantities;
    struct about *a = &g->about;
    static const char *const units[] = { "Ma", "Ga", "ka", "yr", "years", "Myr", "Gyr" };
    size_t n = 0;
    bool has_unit = false;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        has_unit |= sv_find(text, sv_from(units[i]), 0) != SIZE_MAX;
    if (!has_unit)
        return;
    quantity_scan(g->x->units, text, names, list);
    for (size_t i = 0; i < list->n; i++) {
        const struct quantity *q = &list->items[i];
        bool is_age = units_kind(g->x->units, q->unit) == UNIT_AGE && !q->warn && !q->is_vague;
        if (!is_age ||
            (!dates_samples(text, q->end, names) && !is_bracket_of_rock(text, q, names)))
            continue;
        a->age = *q;
        n++;
    }
    a->has_age = n == 1 && (a->age.op == Q_IS || a->age.op == Q_ABOUT);
}

/* The one time of the caption, where it dates the samples. */
static void read_period(struct grid *g, struct sv text, const struct entities *names)
{
    struct about *a = &g->about;
    size_t n = 0;
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        if (strcmp(e->type, "geologic_time") != 0)
            continue;
        n++;
        bool is_part = e->start > 0 && strchr("-/", text.p[e->start - 1]);
        is_part |= e->end < text.n && text.p[e->end] != ' ';
        if (e->weak || e->entry == VOCAB_NONE || is_part || !dates_samples(text, e->end, names))
            continue;
        a->period = vocab_name(g->x->vocab, e->entry);
    }
    if (n != 1)
        a->period = SV_NONE;
}

/* ---- names ---- */

/* Of several none. */
static void read_sample(struct grid *g, struct sv text, struct entities *names)
{
    struct buf *name = &g->about.sample;
    samples_find(text, names);
    samples_find_labels(text, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        if (strcmp(e->type, "sample") != 0)
            continue;
        struct sv other = sv_from(e->notation);
        if (name->len && !sv_eq(buf_view(name), other)) {
            buf_reset(name);
            return;
        }
        buf_reset(name);
        buf_sv(name, other);
    }
}

/* "10.1016/j.x.1 Table 4": the paper's id keeps the tables of papers apart. */
static void name_table(struct grid *g, jv table)
{
    struct buf *name = &g->about.table;
    struct sv label = json_sv(json_get(table, "label"));
    struct sv id = json_sv(json_get(table, "id"));
    struct sv paper = g->source->paper;
    label = sv_trim(label);
    if (!paper.n || (!label.n && !id.n))
        paper = g->source->chunk;
    buf_sv(name, sv_from_to(paper, 0, utf8_floor(paper, paper.n < 100 ? paper.n : 100)));
    if (!label.n || label.n > 20) {
        label = id.n <= 20 ? sv_trim(id) : SV_NONE;
    } else if (scan_is_digit(label.p[label.n - 1]) &&
               !has_word(label, (const char *const[]){ "table" }, 1)) {
        buf_str(name, name->len ? " Table" : "Table");
    }
    if (label.n && name->len)
        buf_char(name, ' ');
    buf_sv(name, label);
}

void caption_read(struct grid *g, struct sv caption, jv table)
{
    static const char *const general[] = { "compar",     "model",     "experiment", "compil",
                                           "literature", "inclusion", "published" };
    struct entities *names = &g->w->names;
    while (names->n && names->items[names->n - 1].end > caption.n)
        names->n--; /* those of the notes */
    if (!has_text(caption, general, ARRAY_LEN(general))) {
        read_age(g, caption, names);
        read_period(g, caption, names);
    }
    read_sample(g, caption, names);
    name_table(g, table);
}

/* "12", "2.1", "3-1": numbers of spots; a longer one names a sample. */
static bool is_spot_number(struct sv word)
{
    size_t digits = 0, parts = 1;
    for (size_t i = 0; i < word.n; i++) {
        bool is_joint = (word.p[i] == '.' || word.p[i] == '-') && digits;
        if (!is_joint && !scan_is_digit(word.p[i]))
            return false;
        digits = is_joint ? 0 : digits + 1;
        parts += is_joint;
        if (digits > (parts == 1 ? 3 : 2))
            return false;
    }
    return word.n > 0 && parts <= 3;
}

bool label_is_bare(struct grid *g, struct sv label)
{
    static const char *const words[] = { "spot", "point", "grain", "analysis", "no", "area" };
    struct sv rest = label, word;
    if (label.n > 40)
        return false;
    while (rest.n) {
        size_t end = sv_find(rest, SV(" "), 0);
        word = sv_from_to(rest, 0, end == SIZE_MAX ? rest.n : end);
        rest = sv_trim(sv_from_to(rest, word.n, rest.n));
        while (word.n && strchr("#,.:()", word.p[0]))
            word = sv_from_to(word, 1, word.n);
        while (word.n && strchr("#,.:()", word.p[word.n - 1]))
            word.n--;
        bool is_letter = word.n == 1 && scan_is_letter(word.p[0]);
        if (word.n && !is_letter && !is_spot_number(word) && !label_is_zone(word) &&
            !vocab_word_in(word, words, ARRAY_LEN(words)) &&
            vocab_find(g->x->vocab, word, "mineral") == VOCAB_NONE)
            return false;
    }
    return true;
}
