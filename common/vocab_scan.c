// SPDX-License-Identifier: MIT
/*
 * vocab_scan.c — finding names in a text
 */
#include "scan.h"
#include "vocab.h"

#include "alloc.h"
#include "utf8.h"
#include "vocab_impl.h"

/* One walk from the start of a token: the longest name found so far. */
struct walk {
    const struct vocab *v;
    struct sv text;
    size_t end;       /* of the longest name, 0: none */
    uint32_t cand;    /* its candidate */
    size_t token_end; /* of the first token */
};

static bool is_word_at(struct sv s, size_t pos)
{
    size_t after;
    return pos < s.n && vocab_class_of(vocab_cp_at(s, pos, &after)) == VC_WORD;
}

static void keep(struct walk *w, size_t end, uint32_t cand)
{
    if (cand != VOCAB_NONE && end > w->end) {
        w->end = end;
        w->cand = cand;
    }
}

static uint32_t cand_of(const struct walk *w, const struct vocab_hash *h, bool plural)
{
    const struct vocab_slot *slot = vocab_slot_of(w->v, h->fold);
    return slot ? vocab_fitting(w->v, slot->cand, h->exact, plural) : VOCAB_NONE;
}

/* Hash of the token [start, end) after state h. */
static struct vocab_hash hash_span(struct vocab_hash h, struct sv text, size_t start,
                                   size_t end)
{
    struct sv part = { text.p + start, end - start };
    for (size_t pos = 0; pos < part.n;)
        vocab_hash_token(&h, part, &pos);
    return h;
}

/* "basalts", "series" of "ies": "cherties" … : the singular of a token that ends in s. */
static void look_up_plural(struct walk *w, struct vocab_hash before, size_t start, size_t end)
{
    const char *p = w->text.p;
    struct vocab_hash h = hash_span(before, w->text, start, end - 1);
    uint32_t cand = cand_of(w, &h, true);
    if (cand != VOCAB_NONE && p[end - 1] == 'S' && w->v->cands[cand].is_case)
        return; /* "MSSS" is no plural of "MSS" */
    keep(w, end, cand);
    if (end - start < 5 || (p[end - 2] | 32) != 'e' || w->end == end)
        return;
    h = hash_span(before, w->text, start, end - 2);
    keep(w, end, cand_of(w, &h, true));
    if ((p[end - 3] | 32) == 'i' && w->end != end) {
        h = hash_span(before, w->text, start, end - 3);
        vocab_hash_byte(&h, 'y');
        keep(w, end, cand_of(w, &h, true));
    }
}

static inline void try_plural(struct walk *w, struct vocab_hash before, size_t start,
                              size_t end)
{
    if (end - start >= 3 && (w->text.p[end - 1] | 32) == 's')
        look_up_plural(w, before, start, end);
}

/* A reference number glued to a word of four letters or more: "zircon12". */
static void try_glued(struct walk *w, struct vocab_hash before, size_t start, size_t end)
{
    size_t cut = end;
    while (cut > start && (unsigned char)(w->text.p[cut - 1] - '0') <= 9)
        cut--;
    if (cut == end || end - cut > 3 || cut - start < 4)
        return;
    struct vocab_hash h = hash_span(before, w->text, start, cut);
    keep(w, cut, cand_of(w, &h, false));
    if (w->end != cut)
        try_plural(w, before, start, cut);
}

/* Past the blanks at pos; an empty line is no gap inside a name. */
static bool skip_blanks(struct sv s, size_t *pos)
{
    unsigned newlines = 0;
    if (*pos + 1 < s.n && s.p[*pos] == ' ' && scan_is_letter(s.p[*pos + 1])) {
        ++*pos; /* nearly always */
        return true;
    }
    for (size_t after; *pos < s.n; *pos = after) {
        uint32_t cp = vocab_cp_at(s, *pos, &after);
        if (vocab_class_of(cp) != VC_BLANK)
            break;
        newlines += cp == '\n';
    }
    return newlines < 2;
}

static void walk_on(struct walk *w, size_t pos, struct vocab_hash h, unsigned joins)
{
    while (pos < w->text.n) {
        struct vocab_hash before = h;
        size_t start = pos, after;
        vocab_hash_token(&h, w->text, &pos);
        if (!w->token_end)
            w->token_end = pos;
        const struct vocab_slot *slot = vocab_slot_of(w->v, h.fold);
        uint32_t cand = slot ? vocab_fitting(w->v, slot->cand, h.exact, false) : VOCAB_NONE;
        keep(w, pos, cand);
        if (cand == VOCAB_NONE) {
            try_plural(w, before, start, pos);
            if ((unsigned char)(w->text.p[pos - 1] - '0') <= 9)
                try_glued(w, before, start, pos);
        }
        if (pos >= w->text.n)
            return;
        bool is_prefix = slot && slot->is_prefix;
        enum vocab_class class = vocab_class_of(vocab_cp_at(w->text, pos, &after));
        if (class == VC_HYPHEN) {
            size_t next = after;
            bool is_closed = next < w->text.n && w->text.p[next] == '('; /* "monazite-(La)" */
            if (!is_closed && (!skip_blanks(w->text, &next) || !is_word_at(w->text, next)))
                return;
            /* the hyphen may be a broken line's, but not that of "S-and" or "US-A" */
            if (joins < 2 && !is_closed && pos - start > 1 && is_word_at(w->text, next + 1))
                walk_on(w, next, h, joins + 1);
            pos = next;
            vocab_hash_byte(&h, ' ');
        } else if (class == VC_BLANK) {
            if (!is_prefix || !skip_blanks(w->text, &pos))
                return;
            vocab_hash_byte(&h, ' ');
        }
        if (!is_prefix)
            return;
    }
}

static struct entity *push(struct entities *list)
{
    if (list->n == list->cap) {
        list->cap = alloc_grow(list->cap, list->n + 1);
        list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
    }
    return &list->items[list->n++];
}

static void fill_name(const struct walk *w, size_t start, struct entity *e)
{
    const struct vocab_cand *c = &w->v->cands[w->cand];
    *e = (struct entity){
        .start = start,
        .end = w->end,
        .type = w->v->entries[c->entry].type,
        .entry = c->entry,
        .match = w->cand,
        .weak = c->is_ambiguous || c->is_field,
        .is_field = c->is_field,
    };
}

/* ---- chemical notation ---- */

static const char *type_of_notation(enum chem_kind kind)
{
    switch (kind) {
    case CHEM_ELEMENT:
        return "element";
    case CHEM_ISOTOPE:
        return "isotope";
    case CHEM_RATIO:
        return "isotope_ratio";
    case CHEM_ELEMENT_RATIO:
        return "element_ratio";
    case CHEM_SYSTEM:
        return "isotope_system";
    case CHEM_DELTA:
    case CHEM_EPSILON:
        return "isotope_delta";
    default:
        return "oxide";
    }
}

bool vocab_is_notation(const char *type)
{
    return vocab_type_is(type, "element") ||
           (type[0] == 'i' && strncmp(type, "isotope", 7) == 0) || vocab_type_is(type, "oxide");
}

void vocab_name_notation(const struct vocab *v, const struct chem *c, struct entity *e)
{
    *e = (struct entity){
        .start = c->start,
        .end = c->end,
        .type = type_of_notation(c->kind),
        .entry = VOCAB_NONE,
        .match = VOCAB_NONE,
        .chem = c->kind,
        .weak = c->weak,
    };
    memcpy(e->notation, c->text, c->n);
    struct sv text = { c->text, c->n };
    if (c->kind == CHEM_ELEMENT) {
        e->entry = v->by_z[chem_symbol(text)];
        return;
    }
    struct vocab_hash h = vocab_hash_whole(text);
    const struct vocab_slot *slot = vocab_slot_of(v, h.fold);
    for (uint32_t i = slot ? slot->cand : VOCAB_NONE; i != VOCAB_NONE; i = v->cands[i].next) {
        const struct vocab_entry *entry = &v->entries[v->cands[i].entry];
        if (vocab_is_notation(entry->type) && !vocab_type_is(entry->type, "element") &&
            v->cands[i].exact == h.exact) {
            e->entry = v->cands[i].entry;
            e->match = i;
            e->type = entry->type;
            return;
        }
    }
}

/* A number in digits: does a symbol follow, at once or after a gap ("87Sr", "87 Sr",
 * "87/86Sr")? */
static bool number_may_be_notation(struct sv s, size_t pos)
{
    while (pos < s.n && scan_is_digit(s.p[pos]))
        pos++;
    if (pos + 1 < s.n && s.p[pos] == '/')
        for (pos++; pos < s.n && scan_is_digit(s.p[pos]); pos++)
            ;
    if (pos < s.n && s.p[pos] == ' ')
        pos++;
    return pos < s.n && ((s.p[pos] >= 'A' && s.p[pos] <= 'Z') || s.p[pos] == '-');
}

/* Can notation start here? The common shapes of plain English are sorted out cheaply. */
static bool may_be_notation(struct sv s, size_t pos, size_t token_end)
{
    unsigned char c = (unsigned char)s.p[pos];
    size_t n = token_end - pos, lower = 1, after;
    if (c >= 0x80)
        return vocab_class_of(vocab_cp_at(s, pos, &after)) == VC_WORD;
    if (scan_is_digit((char)c))
        return number_may_be_notation(s, pos);
    bool is_upper = c >= 'A' && c <= 'Z';
    if (!is_upper && (c < 'a' || c > 'z'))
        return true;
    if (token_end + 1 < s.n && s.p[token_end] == '-' && scan_is_digit(s.p[token_end + 1]))
        return true; /* strontium-87 */
    while (lower < n && s.p[pos + lower] >= 'a' && s.p[pos + lower] <= 'z')
        lower++;
    unsigned char first = c | 32;
    if (lower == n && n > 2) /* delta, gamma, epsilon */
        return (n == 5 && (first == 'd' || first == 'g')) || (n == 7 && first == 'e');
    return is_upper || n == 1 || c == 'd' || c == 'e';
}

/* May the n letters at pos begin a name? A hyphen behind may be that of a torn word. */
static bool run_may_begin(const struct vocab *v, struct sv text, size_t pos, size_t n)
{
    unsigned char next = pos + n < text.n ? (unsigned char)text.p[pos + n] : ' ';
    if (next < 0x80 && next != '-' && !scan_is_digit((char)next))
        return vocab_first_has(&v->first, text, pos, n);
    if (n < 4)
        return true;
    unsigned bit = vocab_begin_bit(text.p + pos, 4);
    bool may = v->begins[bit >> 6] >> (bit & 63) & 1;
    return may && (next != '-' || vocab_first_has_torn(&v->first, text, pos, n));
}

/* Of a number: is it whole, and no name begins with it? *end: behind its digits. */
static bool is_plain_number(const struct vocab *v, struct sv text, size_t pos, size_t *end)
{
    for (*end = pos; *end < text.n && scan_is_digit(text.p[*end]);)
        ++*end;
    unsigned char next = *end < text.n ? (unsigned char)text.p[*end] : ' ';
    return next < 0x80 && next != '-' && vocab_class_of(next) != VC_WORD &&
           !vocab_first_has_number(&v->first, text, pos, *end - pos);
}

/* May the token at pos begin a name? Only what is of ASCII is ever denied. */
static bool may_begin(const struct vocab *v, struct sv text, size_t pos)
{
    unsigned char c = (unsigned char)text.p[pos];
    struct vocab_run run = vocab_run_at(text, pos);
    size_t end;
    if (run.n)
        return run_may_begin(v, text, pos, run.n);
    if (scan_is_digit((char)c))
        return !is_plain_number(v, text, pos, &end);
    return c >= 0x80 || vocab_first_has_mark(&v->first, text, pos);
}

/* is_asked: may_begin said yes. */
static bool match_at(const struct vocab *v, struct sv text, size_t pos, bool is_asked,
                     size_t *token_end, struct entity *e)
{
    struct walk w = { .v = v, .text = text };
    bool is_word = is_word_at(text, pos);
    if ((is_word || text.p[pos] == '(') && (is_asked || may_begin(v, text, pos)))
        walk_on(&w, pos, VOCAB_HASH_INIT, 0);
    else if (is_word)
        w.token_end = vocab_skip_word(text, pos);
    else
        vocab_cp_at(text, pos, &w.token_end);
    *token_end = w.token_end;
    if (w.end && text.p[w.end - 1] == '+' && is_word_at(text, w.end))
        w.end = 0; /* the sum "Na+K" holds no ion */
    struct chem c;
    bool has_chem = may_be_notation(text, pos, w.token_end) && chem_match(text, pos, &c);
    if (has_chem && w.end) {
        const char *type = v->entries[v->cands[w.cand].entry].type;
        has_chem = c.end > w.end || (c.end == w.end && vocab_is_notation(type));
    }
    if (has_chem)
        vocab_name_notation(v, &c, e);
    else if (w.end)
        fill_name(&w, pos, e);
    return has_chem || w.end;
}

/* ---- scanning ---- */

size_t vocab_skip_word(struct sv s, size_t pos)
{
    if (pos < s.n)
        pos += vocab_run_at(s, pos).n;
    for (size_t after; pos < s.n; pos = after)
        if (vocab_class_of(vocab_cp_at(s, pos, &after)) != VC_WORD)
            break;
    return pos;
}

/* May a name or notation start with this character? */
static bool is_start(uint32_t cp)
{
    if (cp < 0x80)
        return cp == '(' || cp == '^' || cp == '\\' || cp == '$' || cp == '{' ||
               vocab_class_of(cp) == VC_WORD;
    return vocab_class_of(cp) != VC_BLANK && vocab_class_of(cp) != VC_HYPHEN;
}

/* "metabasalt", "meta-andesite", "leucogabbro": a rock that no list has, of one that it has. */
static bool match_prefixed(const struct vocab *v, struct sv text, size_t pos, size_t end,
                           struct entity *e)
{
    static const char *const prefixes[] = { "meta", "leuco", "mela", "micro" };
    char first = (char)(text.p[pos] | 32);
    for (size_t i = 0; i < ARRAY_LEN(prefixes) && (first == 'm' || first == 'l'); i++) {
        size_t n = strlen(prefixes[i]), token_end;
        if (end - pos < n || (text.p[pos] | 32) != prefixes[i][0] ||
            !vocab_word_is(sv_from_to(text, pos, pos + n), prefixes[i]))
            continue;
        size_t rest = pos + n;
        if (rest == end && rest < text.n && text.p[rest] == '-')
            rest++;
        if (rest + 4 > text.n || !is_word_at(text, rest) ||
            !match_at(v, text, rest, false, &token_end, e) || !vocab_type_is(e->type, "rock") ||
            e->chem || e->end < end)
            return false;
        struct sv name = vocab_name(v, e->entry);
        if (n + name.n >= CHEM_MAX)
            return false;
        if (sv_starts(name, sv_from(prefixes[i]))) { /* "pelitic schist" is a metapelite */
            e->start = pos;
            return true;
        }
        memcpy(e->notation, prefixes[i], n);
        memcpy(e->notation + n, name.p, name.n);
        e->start = pos;
        e->entry = e->match = VOCAB_NONE;
        e->weak = false;
        return true;
    }
    return false;
}

/* Elements joined by hyphens that date nothing ("Cu-Au", "K-Fe-Mg-rich") are each on their own.
 */
static bool push_elements(const struct vocab *v, struct sv text, const struct entity *e,
                          struct entities *list)
{
    struct entity inner[CHEM_PARTS];
    size_t n = e->entry == VOCAB_NONE ? vocab_inner(v, text, e, inner, CHEM_PARTS) : 0;
    if (n < 2 || vocab_is_system(sv_from(e->notation)))
        return false;
    for (size_t i = 0; i < n; i++)
        *push(list) = inner[i];
    return true;
}

/* May notation or a rock with a prefix begin with the letters at pos: delta, gamma, epsilon,
 * dD, eNd, Fe, strontium-87; meta-, micro-, mela-, leuco-? */
static bool is_special(const struct vocab *v, struct sv text, size_t pos, struct vocab_run run)
{
    const char *p = text.p + pos;
    unsigned char first = (unsigned char)p[0] | 32;
    size_t end = pos + run.n;
    bool is_lower = (p[0] & 32) != 0, has_more = end + 1 < text.n;
    if (run.has_capital || (!is_lower && (run.n < 3 || vocab_may_be_place(v, text, end))))
        return true; /* a symbol, or a place that no list has */
    if (has_more && p[run.n] == '-' && scan_is_digit(p[run.n + 1]))
        return true;
    if (run.n == 1) /* "a" before a word in letters */
        return first == 'd' || first == 'e' || !has_more || p[1] != ' ' ||
               (unsigned char)((p[2] | 32) - 'a') >= 26;
    if (run.n == 2)
        return first == 'd' || first == 'e';
    if (run.n > 3 && (first == 'm' || first == 'l')) {
        unsigned char third = (unsigned char)p[2] | 32;
        return third == 't' || third == 'c' || third == 'l' || third == 'u';
    }
    return (run.n == 5 && (first == 'd' || first == 'g')) || (run.n == 7 && first == 'e');
}

/* Past a plain number at pos, or pos. */
static size_t skip_number(const struct vocab *v, struct sv text, size_t pos)
{
    size_t end;
    bool is_plain = !number_may_be_notation(text, pos) && is_plain_number(v, text, pos, &end);
    return is_plain ? end : pos;
}

/* Past the plain words, numbers, blanks and commas at pos: most of a text. They stand alone and
 * begin nothing that vocab_scan looks for. *may: what run_may_begin said of where it ends. */
static size_t skip_plain(const struct vocab *v, struct sv text, size_t pos, bool *may)
{
    while (pos < text.n) {
        char c = text.p[pos];
        size_t end = pos;
        if (c == ' ' || c == ',' || c == '.' || c == '-') {
            end++;
        } else if (scan_is_digit(c)) {
            end = skip_number(v, text, pos);
        } else {
            struct vocab_run run = vocab_run_at(text, pos);
            unsigned char next =
                pos + run.n < text.n ? (unsigned char)text.p[pos + run.n] : ' ';
            if (run.n && next < 0x80 && !scan_is_digit((char)next) &&
                !is_special(v, text, pos, run)) {
                *may = run_may_begin(v, text, pos, run.n);
                end += *may ? 0 : run.n;
            }
        }
        if (end == pos)
            break;
        pos = end;
    }
    return pos;
}

void vocab_scan(const struct vocab *v, struct sv text, struct entities *list)
{
    list->n = 0;
    for (size_t pos = 0, after; pos < text.n;) {
        bool may = false;
        pos = skip_plain(v, text, pos, &may);
        if (pos >= text.n)
            break;
        if (!is_start(vocab_cp_at(text, pos, &after))) {
            pos = after;
            continue;
        }
        struct entity e;
        size_t end;
        bool is_listed = match_at(v, text, pos, may, &end, &e);
        if (!vocab_match_place(v, text, pos, is_listed ? e.end : 0, &e) && !is_listed &&
            !match_prefixed(v, text, pos, end, &e)) {
            pos = end;
            continue;
        }
        if (vocab_is_none(v, text, &e)) {
            pos = e.end;
            continue;
        }
        if (e.chem == CHEM_SYSTEM && push_elements(v, text, &e, list)) {
            pos = e.end;
            continue;
        }
        struct entity parts[VOCAB_PARTS];
        for (size_t n = vocab_widen(v, text, list, &e, parts); n-- > 0;)
            *push(list) = parts[n];
        if (!vocab_is_bare_rock(v, &e))
            *push(list) = e;
        /* "zircon12", "δ18Osw": what is glued behind is no word of its own */
        pos = vocab_skip_word(text, e.end);
    }
    vocab_weigh(v, text, list);
}

/* Past the rest of a word, of which there is mostly none. */
static size_t skip_rest(struct sv text, size_t pos)
{
    unsigned char c = pos < text.n ? (unsigned char)text.p[pos] : ' ';
    return c < 0x80 && vocab_class_of(c) != VC_WORD ? pos : vocab_skip_word(text, pos);
}

void vocab_scan_names(const struct vocab *v, struct sv text, struct entities *list)
{
    list->n = 0;
    for (size_t pos = 0; pos < text.n;) {
        size_t after;
        unsigned char c = (unsigned char)text.p[pos];
        if (c == ' ') {
            pos++;
            continue;
        }
        struct vocab_run run = vocab_run_at(text, pos);
        enum vocab_class class =
            run.n ? VC_WORD : vocab_class_of(vocab_cp_at(text, pos, &after));
        if (class == VC_BLANK || class == VC_HYPHEN) {
            pos = after;
            continue;
        }
        bool may = run.n ? run_may_begin(v, text, pos, run.n)
                         : c >= 0x80 || (scan_is_digit((char)c)
                                             ? vocab_first_has_char(&v->first, c)
                                             : vocab_first_has_mark(&v->first, text, pos));
        if (!may) {
            pos = class == VC_WORD ? skip_rest(text, pos + run.n) : after;
            continue;
        }
        struct walk w = { .v = v, .text = text };
        walk_on(&w, pos, VOCAB_HASH_INIT, 0);
        if (w.end)
            fill_name(&w, pos, push(list));
        pos = w.end ? vocab_skip_word(text, w.end) : w.token_end;
    }
}

uint32_t vocab_same(const struct vocab *v, const struct entity *e, uint32_t *at)
{
    if (e->match == VOCAB_NONE) {
        uint32_t only = *at ? VOCAB_NONE : e->entry;
        *at = 1;
        return only;
    }
    uint32_t i = *at == 0 ? e->match : *at == VOCAB_NONE ? VOCAB_NONE : v->cands[*at - 1].next;
    uint64_t exact = v->cands[e->match].exact;
    while (i != VOCAB_NONE && v->cands[i].is_case && v->cands[i].exact != exact)
        i = v->cands[i].next;
    *at = i == VOCAB_NONE ? VOCAB_NONE : i + 1;
    return i == VOCAB_NONE ? VOCAB_NONE : v->cands[i].entry;
}

bool vocab_find_all(const struct vocab *v, struct sv name, struct entity *e)
{
    size_t end;
    return name.n && match_at(v, name, 0, false, &end, e) && e->end == name.n;
}

uint32_t vocab_find(const struct vocab *v, struct sv name, const char *type)
{
    name = sv_trim(name);
    struct entity e;
    int z = chem_symbol(name);
    if (z && (!type || vocab_type_is(type, "element")) && v->by_z[z] != VOCAB_NONE)
        return v->by_z[z];
    if (!vocab_find_all(v, name, &e))
        return VOCAB_NONE;
    uint32_t at = 0, entry;
    while ((entry = vocab_same(v, &e, &at)) != VOCAB_NONE)
        if (!type || vocab_type_is(v->entries[entry].type, type))
            return entry;
    return VOCAB_NONE;
}
