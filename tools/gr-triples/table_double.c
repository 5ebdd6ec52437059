// SPDX-License-Identifier: MIT
/*
 * table_double.c — what tells columns of one measure apart: their method, the mineral, a
 * repeated analysis
 */
#include "scan.h"
#include "table_impl.h"

/* "XRF", "U-Pb", "K–Ar": quickly said of most heads that they name none. */
static bool may_name_method(struct sv head)
{
    size_t run = 0;
    for (size_t i = 0; i < head.n; i++) {
        bool is_capital = head.p[i] >= 'A' && head.p[i] <= 'Z';
        run = is_capital ? run + 1 : head.p[i] == '-' || (head.p[i] & 0x80) ? run : 0;
        if (run > 1)
            return true;
    }
    return false;
}

void head_method(struct grid *g, struct column *col)
{
    struct entities *names = &g->w->names;
    struct sv found = SV_NONE, head = buf_view(&col->head);
    if (head.n > 80 || !may_name_method(head))
        return;
    scan_memo_find(&g->w->scans, g->x->vocab, head, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        if (e->weak || e->entry == VOCAB_NONE || strcmp(e->type, "method") != 0)
            continue;
        struct sv name = vocab_name(g->x->vocab, e->entry);
        if (found.n && !sv_eq(found, name))
            return; /* "XRF/ICP-MS" */
        found = name;
    }
    if (!found.n)
        return;
    col->method = found;
    col->has_method = true;
}

void head_phase(struct grid *g, struct column *col, size_t column)
{
    if (g->is_turned || col->class == CLASS_MINERAL || col->phase.type)
        return;
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = i == col->what_row ? SV_NONE : grid_head_cell(g, i, column);
        if (text.n < 4) /* "Py" may be a sample's name, "S" a measure */
            continue;
        struct node n = grid_name(g, text);
        if (n.type && strcmp(n.type, "mineral") == 0 && !sv_ends(n.name, SV("minerals")))
            col->phase = n;
    }
}

/* The next word of a head that is not about repeating. */
static struct sv next_word(struct sv *rest)
{
    static const char *const words[] = { "replicate", "replicates", "repl",   "rep",
                                         "duplicate", "duplicates", "dup",    "repeat",
                                         "repeated",  "rerun",      "repeats" };
    bool is_behind = false;
    while (rest->n) {
        size_t end = 0;
        while (rest->n && scan_is_among(" ()[],", rest->p[0]))
            *rest = sv_from_to(*rest, 1, rest->n);
        while (end < rest->n && !scan_is_among(" ()[],", rest->p[end]))
            end++;
        struct sv word = sv_from_to(*rest, 0, end), bare = word;
        *rest = sv_from_to(*rest, end, rest->n);
        if (bare.n > 1 && bare.p[bare.n - 1] == '.')
            bare.n--;
        bool is_number = word.n == 1 && scan_is_digit(word.p[0]);
        if (vocab_word_in(bare, words, ARRAY_LEN(words)))
            is_behind = true;
        else if (!is_number || !is_behind)
            return word;
    }
    return SV_NONE;
}

bool heads_repeat(struct sv a, struct sv b)
{
    while (a.n || b.n)
        if (!sv_eq(next_word(&a), next_word(&b)))
            return false;
    return true;
}
