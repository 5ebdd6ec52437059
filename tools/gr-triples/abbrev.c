// SPDX-License-Identifier: MIT
/*
 * abbrev.c — what short forms mean, and finding them again
 */
#include "abbrev.h"

#include "alloc.h"
#include "sample.h"
#include "utf8.h"

#define FORMS_MAX 400 /* of a paper: hostile ones may define thousands */

void abbrevs_release(struct abbrevs *list)
{
    free(list->items);
    notations_release(&list->notations);
    *list = (struct abbrevs){ 0 };
}

void abbrevs_reset(struct abbrevs *list)
{
    list->n = list->n_records = 0;
    notations_reset(&list->notations);
    memset(list->first, 0, sizeof list->first);
    memset(list->begins, 0, sizeof list->begins);
}

static struct abbrev *add(struct abbrevs *list, struct sv text)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    struct abbrev *a = &list->items[list->n++];
    *a = (struct abbrev){ .n = text.n };
    memcpy(a->text, text.p, text.n);
    return a;
}

void abbrevs_copy(struct abbrevs *list, const struct abbrevs *from)
{
    for (size_t i = 0; i < from->n; i++) {
        struct abbrev *a = add(list, (struct sv){ from->items[i].text, from->items[i].n });
        *a = from->items[i];
        a->record += list->n_records;
    }
    list->n_records += from->n_records;
    notations_copy(&list->notations, &from->notations);
}

static uint64_t place_of(size_t section, size_t byte)
{
    return ((uint64_t)section << 40) + byte;
}

/* ---- what a long form means ---- */

/* A kind of what its last word names: "Lachlan granite", "low-Mg calcite". Not of elements and
 * processes: "total alkali silica", "chemical index of alteration". */
static bool is_kind_of(const struct entity *e, struct sv name)
{
    static const char *const types[] = { "rock",    "mineral", "location",
                                         "setting", "deposit", "geologic_time" };
    static const char *const joints[] = { " of ",   " in ", " from ", " for ", " to ",
                                          " with ", " at ", " on ",   " by ",  " and " };
    for (size_t i = 0; i < ARRAY_LEN(joints); i++)
        if (sv_find(sv_from_to(name, 0, e->start), sv_from(joints[i]), 0) != SIZE_MAX)
            return false;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (strcmp(e->type, types[i]) == 0)
            return true;
    return false;
}

/* The name that the long form is, or that ends it. e->type stays NULL when there is none. */
static void mean_of(const struct definition *d, const struct entities *names, struct entity *e)
{
    const struct entity *last = names->n ? &names->items[names->n - 1] : NULL;
    *e = (struct entity){ .entry = VOCAB_NONE, .match = VOCAB_NONE };
    /* "Upper Volcanic Complex": a place that no vocabulary has is named in full */
    bool is_part = last && last->start > 0 && last->entry == VOCAB_NONE &&
                   strcmp(last->type, "location") == 0 && definition_is_place(d->name);
    if (last && !is_part && last->end == d->name.n && !last->weak &&
        (last->start == 0 || (!d->is_legend && is_kind_of(last, d->name)))) {
        *e = *last;
    } else if (last && last->end < d->name.n && strcmp(last->type, "rock") == 0 &&
               sv_find(sv_from_to(d->name, last->end + 1, d->name.n), SV(" "), 0) == SIZE_MAX &&
               d->name.p[last->end + 1] >= 'a' && definition_is_place(d->name)) {
        *e = *last; /* "Lachlan granite suite" */
    } else if (!d->is_legend && d->name.n < CHEM_MAX && definition_is_place(d->name)) {
        e->type = "location";
        memcpy(e->notation, d->name.p, d->name.n);
    }
}

/* Is the element or formula `form` in what the long form names: "zircon (Zr)", "nickel (Ni)"?
 */
static bool has_element(const struct vocab *v, struct sv name, const struct entities *names,
                        struct sv form, const struct entity *known)
{
    struct sv formula;
    struct entity inner[CHEM_PARTS];
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        if (entity_is_same(e, known))
            return true;
        size_t n = vocab_inner(v, name, e, inner, CHEM_PARTS);
        for (size_t k = 0; k < n; k++)
            if (entity_is_same(&inner[k], known))
                return true;
        if (e->entry == VOCAB_NONE || !vocab_attr(v, e->entry, "formula", &formula))
            continue;
        for (size_t at = 0; (at = sv_find(formula, form, at)) != SIZE_MAX; at++) {
            char after = at + form.n < formula.n ? formula.p[at + form.n] : ' ';
            if (after < 'a' || after > 'z')
                return true;
        }
    }
    return false;
}

/* Do most words of the long form begin as words of `name` do? */
static bool shares_words(struct sv longer, struct sv name)
{
    size_t n = 0, n_shared = 0, at = 0;
    while (at < longer.n) {
        size_t end = at, pos = 0;
        while (end < longer.n && longer.p[end] != ' ' && longer.p[end] != '-')
            end++;
        struct sv word = sv_from_to(longer, at, end);
        at = end + 1;
        if (word.n < 3 || sv_ieq(word, SV("the")) || sv_ieq(word, SV("and")))
            continue;
        word.n = word.n > 5 ? 5 : word.n;
        bool is_shared = false;
        for (; !is_shared && pos + word.n <= name.n; pos++)
            is_shared = (pos == 0 || name.p[pos - 1] == ' ' || name.p[pos - 1] == '-') &&
                        sv_ieq(sv_from_to(name, pos, pos + word.n), word);
        n++;
        n_shared += is_shared;
    }
    return n && 3 * n_shared >= 2 * n;
}

/* Does the long form say, in words of its own, what the vocabulary has for the short one:
 * "X-ray diffractometer (XRD)", "carbon to nitrogen ratio (C/N)"? */
static bool says_known(const struct vocab *v, const struct definition *d,
                       const struct entities *names, const struct entity *known)
{
    struct entity inner[CHEM_PARTS];
    struct sv rest, one;
    size_t n = vocab_inner(v, d->form, known, inner, CHEM_PARTS);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < names->n; i++)
            if (entity_is_same(&inner[k], &names->items[i]))
                return true;
    if (known->entry == VOCAB_NONE)
        return false;
    if (shares_words(d->name, vocab_name(v, known->entry)))
        return true;
    for (rest = vocab_synonyms(v, known->entry); rest.n && sv_cut(&rest, '|', &one);)
        if (shares_words(d->name, one))
            return true;
    return false;
}

/* What the vocabulary reads when the short form stands alone; type NULL: nothing. */
static struct entity known_as(const struct vocab *v, struct sv form)
{
    struct entities names = { 0 };
    struct entity e = { .type = NULL };
    vocab_scan(v, form, &names);
    if (names.n == 1 && names.items[0].start == 0 && names.items[0].end == form.n)
        e = names.items[0];
    entities_release(&names);
    return e;
}

static const struct abbrev *last_of(const struct abbrevs *list, struct sv form)
{
    for (size_t i = list->n; i-- > 0;)
        if (sv_eq(form, (struct sv){ list->items[i].text, list->items[i].n }))
            return &list->items[i];
    return NULL;
}

static void put(struct abbrevs *list, struct sv text, const struct entity *e, uint64_t at,
                bool is_strict)
{
    const struct abbrev *last = last_of(list, text);
    if (last && entity_is_same(&last->entity, e))
        return;
    struct abbrev *a = add(list, text);
    a->entity = *e;
    a->entity.weak = false;
    a->record = list->n_records;
    a->at = at;
    a->is_strict = is_strict;
}

static void learn_one(struct abbrevs *list, const struct vocab *v, const struct definition *d,
                      uint64_t at)
{
    struct entities names = { 0 };
    struct entity means, known = known_as(v, d->form);
    vocab_scan(v, d->name, &names);
    mean_of(d, &names, &means);
    bool is_symbol = known.type && known.chem;
    bool is_same = means.type && known.type && entity_is_same(&means, &known);
    bool is_its_element =
        known.type && !d->is_legend && has_element(v, d->name, &names, d->form, &known);
    bool is_known = is_same || (known.type && says_known(v, d, &names, &known));
    entities_release(&names);
    /* as the vocabulary has it; a mineral's symbol ("Gn") counts here without any support, but
     * not "In" and "As" because of "indium (In)" */
    if (is_known && (is_symbol || !is_same) && !last_of(list, d->form))
        return;
    if (is_known)
        means = known;
    if (!means.type && (!d->is_strict || d->is_legend))
        return;
    if ((is_symbol || !means.type) && is_its_element)
        return;
    if (!means.type && !known.type && d->form.n > 3 && !last_of(list, d->form))
        return; /* nobody will take it for a symbol */
    if (known.type && !known.weak && !d->is_strict)
        return;
    put(list, d->form, &means, at, d->is_strict);
    if (means.type && means.entry == VOCAB_NONE && !means.chem &&
        d->name.n <= sizeof list->items->text)
        put(list, d->name, &means, at, false);
}

/* The next sign at which a definition may stand. next: where each of them stands next. */
static size_t next_sign(struct sv text, size_t pos, size_t next[4])
{
    static const char signs[4] = { '(', '=', ':', '\xe2' };
    size_t first = text.n;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        if (next[i] < pos) {
            const char *at = memchr(text.p + pos, signs[i], text.n - pos);
            next[i] = at ? (size_t)(at - text.p) : text.n;
        }
        first = next[i] < first ? next[i] : first;
    }
    return first;
}

void abbrevs_learn(struct abbrevs *list, const struct vocab *v, struct sv text, size_t section)
{
    size_t next[4] = { 0, 0, 0, 0 };
    /* no definition starts with its sign */
    for (size_t pos = 1; pos < text.n && list->n < FORMS_MAX; pos++) {
        struct definition d;
        pos = next_sign(text, pos, next);
        if (pos == text.n)
            break;
        bool is_one = text.p[pos] != '\xe2' || /* of the dashes only the long one */
                      sv_starts(sv_from_to(text, pos, text.n), SV("\xe2\x80\x94"));
        if (is_one && definition_at(text, pos, &d))
            learn_one(list, v, &d, place_of(section, pos));
    }
}

/* ---- finding them again ---- */

/* By first byte, the longer first, then as they were learnt. */
static int compare(const void *a, const void *b)
{
    const struct abbrev *x = a, *y = b;
    int rc = (int)(unsigned char)x->text[0] - (int)(unsigned char)y->text[0];
    if (rc == 0)
        rc = (x->n < y->n) - (x->n > y->n);
    if (rc == 0)
        rc = memcmp(x->text, y->text, x->n);
    if (rc == 0)
        rc = (x->record > y->record) - (x->record < y->record);
    return rc ? rc : (x->at > y->at) - (x->at < y->at);
}

void abbrevs_sort(struct abbrevs *list)
{
    if (list->n)
        qsort(list->items, list->n, sizeof *list->items, compare);
    for (size_t b = 0, i = 0; b < ARRAY_LEN(list->first); b++) {
        while (i < list->n && (unsigned char)list->items[i].text[0] < b)
            i++;
        list->first[b] = (uint16_t)i;
    }
    memset(list->begins, 0, sizeof list->begins);
    for (size_t i = 0; i < list->n; i++)
        list->begins[(unsigned char)list->items[i].text[0]] = true;
}

static bool stands_alone(struct sv text, size_t start, size_t end)
{
    size_t at = end;
    if (start > 0) {
        uint32_t before = utf8_before(text, start);
        if (utf8_is_letter(before) || utf8_is_number(before) || before == '-')
            return false;
    }
    if (at < text.n && text.p[at] == 's') /* "AFGs" */
        at++;
    if (at >= text.n)
        return true;
    uint32_t after = utf8_next(text, &at);
    return !utf8_is_letter(after) && !utf8_is_number(after);
}

/* The form that stands at byte pos, in the meaning it has there, or NULL. */
static const struct abbrev *form_at(const struct abbrevs *list, size_t record, struct sv text,
                                    size_t section, size_t pos)
{
    unsigned char c = (unsigned char)text.p[pos];
    const struct abbrev *found = NULL;
    for (size_t i = list->first[c]; i < list->first[c + 1]; i++) {
        const struct abbrev *a = &list->items[i];
        if (found && (a->n != found->n || memcmp(a->text, found->text, a->n) != 0))
            break;
        if (!found && (text.n - pos < a->n || memcmp(text.p + pos, a->text, a->n) != 0 ||
                       !stands_alone(text, pos, pos + a->n)))
            continue;
        bool is_later = a->record > record ||
                        (a->record == record && a->at > place_of(section, pos + a->n + 2));
        if (!found || !is_later)
            found = a;
    }
    return found;
}

static bool is_inside_word(struct sv text, size_t pos)
{
    char before = pos ? text.p[pos - 1] : ' ';
    return ((before | 32) >= 'a' && (before | 32) <= 'z') || (before >= '0' && before <= '9');
}

/* The first byte at or behind pos that a form begins with, or text.n. */
static size_t next_begin(const struct abbrevs *list, struct sv text, size_t pos)
{
    const unsigned char *p = (const unsigned char *)text.p;
    const bool *is = list->begins;
    while (pos + 4 <= text.n &&
           !(is[p[pos]] | is[p[pos + 1]] | is[p[pos + 2]] | is[p[pos + 3]]))
        pos += 4;
    while (pos < text.n && !is[p[pos]])
        pos++;
    return pos;
}

/* What becomes of the names from *old on that stand where a form is: the form is pushed to
 * `all`, or what the vocabulary has there. */
static void place(const struct abbrev *a, size_t start, const struct entities *names,
                  size_t *old, struct entities *all)
{
    size_t end = start + a->n;
    const struct entity *e = *old < names->n ? &names->items[*old] : NULL;
    bool is_taken = e && e->start < end;
    if (is_taken) {
        bool is_exact = e->start == start && (e->end == end || e->end == end + 1);
        bool is_same = is_exact && entity_is_same(e, &a->entity) && !e->weak;
        bool is_longer = e->start < start || e->end > end + 1;
        bool gives_way = a->is_strict || e->weak || !is_exact; /* part of a long form */
        if (is_same || is_longer || strcmp(e->type, "sample") == 0 || !gives_way)
            return;
        while (*old < names->n && names->items[*old].start < end)
            ++*old;
    }
    if (!a->entity.type)
        return;
    struct entity found = a->entity;
    found.start = start;
    found.end = end;
    entities_push(all, &found);
}

void abbrevs_find(const struct abbrevs *list, size_t record, struct sv text, size_t section,
                  struct entities *names)
{
    struct entities all = { 0 };
    size_t old = 0;
    bool is_changed = false;
    for (size_t pos = 0; list->n && (pos = next_begin(list, text, pos)) < text.n; pos++) {
        if (is_inside_word(text, pos))
            continue;
        const struct abbrev *a = form_at(list, record, text, section, pos);
        struct sv behind = a ? sv_from_to(text, pos + a->n, text.n) : SV_NONE;
        if (!a || sv_starts(behind, SV(" acid"))) /* "HF acid" is no hydrothermal fluid */
            continue;
        for (; old < names->n && names->items[old].end <= pos; old++)
            entities_push(&all, &names->items[old]);
        place(a, pos, names, &old, &all);
        is_changed = true;
        pos += a->n - 1;
    }
    if (!is_changed)
        return;
    for (; old < names->n; old++)
        entities_push(&all, &names->items[old]);
    entities_release(names);
    *names = all;
}
