// SPDX-License-Identifier: MIT
/*
 * vocab.c — loading vocabularies: files, entries, the table of hashed names
 */
#include "vocab.h"

#include <dirent.h>
#include <errno.h>

#include "alloc.h"
#include "file.h"
#include "text.h"
#include "utf8.h"
#include "vocab_impl.h"

/* Types first to last: the first wins where two types share a spelling. Others follow by name.
 */
static const char *const type_order[] = {
    "element",       "isotope", "isotope_ratio", "isotope_delta", "oxide",
    "element_group", "mineral", "rock",          "method",        "process",
    "setting",       "deposit", "geologic_time", "location",      "reference_material",
};

/* ---- the table ---- */

const struct vocab_slot *vocab_slot_of(const struct vocab *v, uint64_t fold)
{
    size_t bit = vocab_filter_bit(fold);
    if (!(v->filter[bit >> 6] >> (bit & 63) & 1))
        return NULL;
    for (size_t i = vocab_slot_at(v, fold); v->slots[i].key; i = (i + 1) & v->mask)
        if (v->slots[i].key == fold)
            return &v->slots[i];
    return NULL;
}

static void table_init(struct vocab *v, size_t size)
{
    v->mask = size - 1;
    v->slots = alloc_zero(size, sizeof *v->slots);
}

static struct vocab_slot *slot_put(struct vocab *v, uint64_t fold)
{
    size_t bit = vocab_filter_bit(fold);
    v->filter[bit >> 6] |= (uint64_t)1 << (bit & 63);
    size_t i = vocab_slot_at(v, fold);
    for (; v->slots[i].key; i = (i + 1) & v->mask)
        if (v->slots[i].key == fold)
            return &v->slots[i];
    v->slots[i] = (struct vocab_slot){ .key = fold, .cand = VOCAB_NONE };
    v->n_slots++;
    return &v->slots[i];
}

static void table_grow(struct vocab *v)
{
    struct vocab_slot *old = v->slots;
    size_t n = v->mask + 1;
    table_init(v, n * 2);
    for (size_t i = 0; i < n; i++) {
        if (!old[i].key)
            continue;
        size_t at = vocab_slot_at(v, old[i].key);
        while (v->slots[at].key)
            at = (at + 1) & v->mask;
        v->slots[at] = old[i];
    }
    free(old);
}

uint32_t vocab_fitting(const struct vocab *v, uint32_t cand, uint64_t exact, bool plural)
{
    uint32_t best = VOCAB_NONE;
    for (; cand != VOCAB_NONE; cand = v->cands[cand].next) {
        const struct vocab_cand *c = &v->cands[cand];
        if ((plural && !c->has_plural) || (c->is_case && c->exact != exact))
            continue;
        if (c->is_case || c->is_added) /* "Till" the place before "till" the rock */
            return cand;
        if (best == VOCAB_NONE)
            best = cand;
    }
    return best;
}

/* One name of an entry, and the letters of ASCII that it begins with. */
struct spelling {
    struct sv text;
    struct vocab_run run;
};

/* A short name in one word with a capital behind its first letter is an acronym or notation:
 * only its exact case counts. */
static bool is_acronym(const struct spelling *spelling)
{
    struct sv s = spelling->text;
    struct vocab_run run = spelling->run;
    size_t letters = 0;
    bool has_inner = false, is_label = s.n <= 3; /* "G 2", "O3" */
    for (size_t i = 0; is_label && i < s.n; i++)
        is_label = i ? s.p[i] == ' ' || s.p[i] == '-' || (s.p[i] >= '0' && s.p[i] <= '9')
                     : s.p[i] >= 'A' && s.p[i] <= 'Z';
    if (is_label && s.n > 1)
        return true;
    if (!run.has_capital && (run.n == s.n || s.p[run.n] == ' ')) /* nearly all */
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == ' ')
            return false;
        letters += c != '-';
        has_inner |= i > 0 && c >= 'A' && c <= 'Z' && s.p[i - 1] != '-';
    }
    return has_inner && letters <= 6;
}

struct adding {
    uint32_t entry;
    bool is_case, name_ambiguous, symbol_ambiguous, has_plural;
    struct sv field;   /* spellings that other fields use too, separated by commas */
    struct sv symbols; /* of several, that are no words by themselves: "Grt", "Pl" */
};

static bool in_list(struct sv list, struct sv word)
{
    struct sv one;
    while (list.n && sv_cut(&list, ',', &one))
        if (sv_eq(one, word))
            return true;
    return false;
}

static void add_cand(struct vocab *v, struct vocab_slot *slot, const struct vocab_hash *h,
                     const struct adding *a, const struct spelling *s)
{
    uint32_t *link = &slot->cand;
    while (*link != VOCAB_NONE) {
        if (v->cands[*link].entry == a->entry && v->cands[*link].exact == h->exact)
            return;
        link = &v->cands[*link].next;
    }
    uint32_t at = (uint32_t)v->n_cands, next = VOCAB_NONE;
    if (v->is_adding) {
        link = &slot->cand;
        next = *link;
    }
    *link = at; /* before cands may move: link can point into it */
    if (v->n_cands == v->cap_cands) {
        v->cap_cands = alloc_grow(v->cap_cands, v->n_cands + 1);
        v->cands = alloc_resize(v->cands, v->cap_cands, sizeof *v->cands);
    }
    v->cands[v->n_cands++] = (struct vocab_cand){
        .exact = h->exact,
        .entry = a->entry,
        .next = next,
        .is_case = a->is_case || is_acronym(s),
        .is_ambiguous = a->name_ambiguous,
        .is_field = in_list(a->field, s->text),
        .has_plural = a->has_plural,
        .is_added = v->is_adding,
    };
}

static void set_begin(struct vocab *v, const char *p, size_t n)
{
    unsigned bit = vocab_begin_bit(p, n);
    v->begins[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

/* Note the first letters of a spelling, and of its plurals where those are others. Tokens that
 * begin with anything but a letter of ASCII are always looked up: nothing to note. */
static void add_begin(struct vocab *v, const struct spelling *spelling)
{
    struct sv text = spelling->text;
    size_t n = spelling->run.n;
    char s[8] = "";
    set_begin(v, text.p, n < 4 ? n : 4);
    if (n > 4 || n < text.n)
        return;
    memcpy(s, text.p, n);
    memcpy(s + n, "es", 3);
    set_begin(v, s, n + 2 < 4 ? n + 2 : 4);
    s[n] = 's';
    set_begin(v, s, n + 1 < 4 ? n + 1 : 4);
    if (n && (s[n - 1] | 32) == 'y') {
        memcpy(s + n - 1, "ies", 4);
        set_begin(v, s, n + 2 < 4 ? n + 2 : 4);
    }
}

/* Put one spelling and its beginnings into the table. */
static void add_spelling(struct vocab *v, struct sv text, const struct adding *a)
{
    struct spelling s = { text, vocab_run_at(text, 0) };
    struct vocab_hash h = VOCAB_HASH_INIT;
    struct vocab_slot *slot = NULL;
    bool is_gap = false;
    add_begin(v, &s);
    vocab_first_add(&v->first, text, s.run);
    if (vocab_ends_in_minus(text)) { /* "I-" is not "I"; only chem.h finds it in a text */
        h = vocab_hash_whole(text);
        add_cand(v, slot_put(v, h.fold), &h, a, &s);
        return;
    }
    for (size_t pos = 0; pos < text.n;) {
        size_t after;
        enum vocab_class class = vocab_class_of(vocab_cp_at(text, pos, &after));
        if (class == VC_BLANK || class == VC_HYPHEN) {
            is_gap = slot != NULL;
            pos = after;
            continue;
        }
        if (v->n_slots * 2 > v->mask) {
            uint64_t key = slot ? slot->key : 0;
            table_grow(v);
            if (slot)
                slot = slot_put(v, key);
        }
        if (slot)
            slot->is_prefix = 1;
        if (is_gap)
            vocab_hash_byte(&h, ' ');
        is_gap = false;
        vocab_hash_token(&h, text, &pos);
        slot = slot_put(v, h.fold);
    }
    if (slot)
        add_cand(v, slot, &h, a, &s);
}

/* ---- files ---- */

static bool attr_in(struct sv attrs, struct sv key, struct sv *value)
{
    struct sv pair;
    while (attrs.n && sv_cut(&attrs, ';', &pair)) {
        if (pair.n > key.n && pair.p[key.n] == '=' && sv_starts(pair, key)) {
            *value = sv_from_to(pair, key.n + 1, pair.n);
            return true;
        }
    }
    return false;
}

/* Value of an attribute by that key; the first counts. */
static void take_value(struct sv pair, struct sv key, struct sv *value)
{
    if (!value->n && sv_starts(pair, key))
        *value = sv_from_to(pair, key.n, pair.n);
}

/* What a row's attributes say of its spellings: match=case, ambiguous=1 (of the name, unless
 * ambiguous_part=symbol), field=, short=. False: one of them is no "key=value". */
static bool read_flags(struct sv attrs, struct adding *a)
{
    bool is_ambiguous = false, is_symbol = false;
    struct sv pair;
    while (attrs.n && sv_cut(&attrs, ';', &pair)) {
        if (!pair.n)
            continue;
        if (!memchr(pair.p + 1, '=', pair.n - 1))
            return false;
        switch (pair.p[0]) { /* thousands of rows are read at each start */
        case 'a':
            is_ambiguous |= sv_is(pair, "ambiguous=1");
            is_symbol |= sv_is(pair, "ambiguous_part=symbol");
            break;
        case 'f':
            take_value(pair, SV("field="), &a->field);
            break;
        case 'm':
            a->is_case |= sv_is(pair, "match=case");
            break;
        case 's':
            take_value(pair, SV("short="), &a->symbols);
            break;
        default:
            break;
        }
    }
    a->name_ambiguous = is_ambiguous && !is_symbol;
    return true;
}

/* Notation has no English plural. */
static bool type_has_plural(const char *type)
{
    return strcmp(type, "isotope") != 0 && strcmp(type, "isotope_ratio") != 0 &&
           strcmp(type, "isotope_delta") != 0 && strcmp(type, "oxide") != 0 &&
           strcmp(type, "location") != 0 && strcmp(type, "relation") != 0 &&
           strcmp(type, "unit") != 0;
}

/* cells: name, synonyms, attributes. a: what those say. */
static void add_entry(struct vocab *v, const char *type, const struct sv cells[3],
                      struct adding a)
{
    struct sv name = cells[0], synonyms = cells[1], attrs = cells[2];
    if (v->n_entries == v->cap_entries) {
        v->cap_entries = alloc_grow(v->cap_entries, v->n_entries + 1);
        v->entries = alloc_resize(v->entries, v->cap_entries, sizeof *v->entries);
    }
    a.entry = (uint32_t)v->n_entries;
    a.is_case |= name.p[0] <= '9' && strcmp(type, "isotope") == 0;
    v->entries[v->n_entries++] = (struct vocab_entry){ name, synonyms, attrs, type };
    struct sv z;
    int64_t number;
    if (type[0] == 'e' && strcmp(type, "element") == 0 && attr_in(attrs, SV("z"), &z) &&
        sv_to_i64(z, &number) && number > 0 && number < (int64_t)ARRAY_LEN(v->by_z))
        v->by_z[number] = a.entry;
    add_spelling(v, name, &a);
    /* An everyday word is ambiguous, its longer synonyms are not: "till", "glacial till". */
    struct sv one;
    while (synonyms.n && sv_cut(&synonyms, '|', &one)) {
        struct adding other = a;
        other.name_ambiguous = a.name_ambiguous && one.n <= 5;
        add_spelling(v, one, &other);
    }
    /* "Grt + Pl + Qz": no word by itself */
    struct sv symbols = a.symbols;
    a.is_case = a.name_ambiguous = true;
    while (symbols.n && sv_cut(&symbols, ',', &one))
        add_spelling(v, one, &a);
}

/* Name, synonyms, attributes of a row; what is wrong with it, or NULL. */
static const char *cut_row(struct sv line, struct sv cells[3], struct adding *a)
{
    for (size_t i = 0; i < 3; i++)
        sv_cut(&line, '\t', &cells[i]);
    if (!cells[0].n)
        return "empty name";
    if (line.n)
        return "expected three columns, found more";
    return read_flags(cells[2], a)
               ? NULL
               : "third column: expected attributes as \"key=value;key=value\"";
}

static int add_lines(struct vocab *v, const char *type, struct sv rest, const char *path,
                     struct err *err)
{
    struct sv line, header = SV("name\tsynonyms\tattrs");
    bool has_plural = type_has_plural(type);
    if (sv_starts(rest, SV("\xef\xbb\xbf")))
        rest = sv_from_to(rest, 3, rest.n);
    for (size_t number = 1; sv_cut(&rest, '\n', &line); number++) {
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (number == 1) {
            if (!sv_eq(line, header))
                return err_set(err, EXIT_FATAL, "%s:1: expected the header %s", path,
                               "name<TAB>synonyms<TAB>attrs");
            continue;
        }
        if (!line.n || line.p[0] == '#')
            continue;
        struct sv cells[3] = { SV_NONE, SV_NONE, SV_NONE };
        struct adding a = { .has_plural = has_plural };
        const char *bad = cut_row(line, cells, &a);
        if (bad)
            return err_set(err, EXIT_FATAL, "%s:%zu: %s", path, number, bad);
        add_entry(v, type, cells, a);
    }
    return 0;
}

/* The type is the file's name without folder and ending. */
static char *type_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return alloc_text(name, dot ? (size_t)(dot - name) : strlen(name));
}

static size_t line_of(struct sv text, size_t pos)
{
    size_t n = 1;
    for (size_t i = 0; i < pos; i++)
        n += text.p[i] == '\n';
    return n;
}

static int add_file(struct vocab *v, const char *path, struct err *err)
{
    struct buf file = BUF_INIT;
    if (file_read(&file, path, (size_t)64 << 20, err) < 0) {
        buf_release(&file);
        return -1;
    }
    v->files = alloc_resize(v->files, v->n_files + 1, sizeof *v->files);
    v->types = alloc_resize(v->types, v->n_files + 1, sizeof *v->types);
    v->files[v->n_files] = file;
    v->types[v->n_files] = type_of(path);
    v->n_files++;
    struct sv text = { buf_cstr(&v->files[v->n_files - 1]), file.len };
    size_t bad = utf8_check(text);
    if (bad != SIZE_MAX)
        return err_set(err, EXIT_FATAL, "%s:%zu: not valid UTF-8", path, line_of(text, bad));
    return add_lines(v, v->types[v->n_files - 1], text, path, err);
}

static struct vocab *vocab_new(size_t n_slots)
{
    struct vocab *v = alloc_zero(1, sizeof *v);
    v->filter = alloc_zero((size_t)1 << (VOCAB_FILTER_BITS - 6), sizeof *v->filter);
    table_init(v, n_slots);
    for (size_t z = 0; z < ARRAY_LEN(v->by_z); z++)
        v->by_z[z] = VOCAB_NONE;
    return v;
}

static size_t rank_of(const char *file)
{
    for (size_t i = 0; i < ARRAY_LEN(type_order); i++) {
        size_t n = strlen(type_order[i]);
        if (strncmp(file, type_order[i], n) == 0 && strcmp(file + n, ".tsv") == 0)
            return i;
    }
    return ARRAY_LEN(type_order);
}

static int file_cmp(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t i = rank_of(x), j = rank_of(y);
    return i != j ? (i < j ? -1 : 1) : strcmp(x, y);
}

/* The entity files of a folder, in order; the caller frees each and the array. */
static char **list_files(const char *dir, size_t *n, struct err *err)
{
    *n = 0;
    DIR *d = opendir(dir);
    if (!d) {
        err_set(err, EXIT_FATAL, "%s: %s", dir, strerror(errno));
        return NULL;
    }
    char **names = NULL;
    for (struct dirent *e; (e = readdir(d));) {
        struct sv name = sv_from(e->d_name);
        if (name.n < 5 || name.p[0] == '.' || !sv_ends(name, SV(".tsv")) ||
            sv_is(name, "relation.tsv") || sv_is(name, "unit.tsv") ||
            sv_is(name, "condition.tsv"))
            continue;
        names = alloc_resize(names, *n + 1, sizeof *names);
        names[(*n)++] = alloc_text(name.p, name.n);
    }
    closedir(d);
    if (!*n)
        err_set(err, EXIT_FATAL, "%s: holds no vocabulary (TYPE.tsv)", dir);
    else
        qsort(names, *n, sizeof *names, file_cmp);
    return names;
}

struct vocab *vocab_load(const char *dir, struct err *err)
{
    size_t n;
    char **names = list_files(dir, &n, err);
    struct vocab *v = n ? vocab_new((size_t)1 << 16) : NULL;
    struct buf path = BUF_INIT;
    for (size_t i = 0; i < n; i++) {
        buf_reset(&path);
        buf_printf(&path, "%s/%s", dir, names[i]);
        if (v && add_file(v, buf_cstr(&path), err) < 0) {
            vocab_free(v);
            v = NULL;
        }
        free(names[i]);
    }
    if (v) {
        v->is_entities = true;
        vocab_place_init(v);
    }
    free(names);
    buf_release(&path);
    return v;
}

int vocab_add(struct vocab *v, const char *path, struct err *err)
{
    char *type = type_of(path);
    size_t n = strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789_");
    bool is_type = n > 0 && !type[n],
         is_other = strcmp(type, "relation") == 0 || strcmp(type, "unit") == 0;
    free(type);
    if (!is_type)
        return err_set(err, EXIT_FATAL,
                       "%s: the file's name is the type of its names: expected small letters, "
                       "digits and \"_\" before \".tsv\"",
                       path);
    if (is_other)
        return err_set(err, EXIT_FATAL, "%s: holds no names: expected another file name", path);
    v->is_adding = true;
    int rc = add_file(v, path, err);
    v->is_adding = false;
    return rc;
}

struct vocab *vocab_load_file(const char *path, struct err *err)
{
    struct vocab *v = vocab_new((size_t)1 << 10);
    if (add_file(v, path, err) < 0) {
        vocab_free(v);
        return NULL;
    }
    return v;
}

void vocab_free(struct vocab *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->n_files; i++) {
        buf_release(&v->files[i]);
        free(v->types[i]);
    }
    free(v->files);
    free(v->types);
    free(v->entries);
    free(v->cands);
    free(v->slots);
    free(v->filter);
    free(v);
}

/* ---- entries ---- */

struct sv entity_kind(const struct vocab *v, const struct entity *e)
{
    struct sv kind = SV_NONE;
    if (e->entry != VOCAB_NONE)
        vocab_attr(v, e->entry, "kind", &kind);
    return kind;
}

size_t vocab_count(const struct vocab *v)
{
    return v->n_entries;
}

const char *vocab_type(const struct vocab *v, uint32_t entry)
{
    return v->entries[entry].type;
}

struct sv vocab_name(const struct vocab *v, uint32_t entry)
{
    return v->entries[entry].name;
}

struct sv vocab_synonyms(const struct vocab *v, uint32_t entry)
{
    return v->entries[entry].synonyms;
}

struct sv vocab_attrs(const struct vocab *v, uint32_t entry)
{
    return v->entries[entry].attrs;
}

bool vocab_attr(const struct vocab *v, uint32_t entry, const char *key, struct sv *value)
{
    return attr_in(v->entries[entry].attrs, sv_from(key), value);
}

void entity_id_of(const char *type, struct sv name, struct buf *id)
{
    buf_str(id, type);
    buf_char(id, ':');
    text_key(name, TEXT_KEY_PLAIN, id);
}

struct sv entity_name(const struct vocab *v, const struct entity *e)
{
    return e->entry == VOCAB_NONE ? sv_from(e->notation) : v->entries[e->entry].name;
}

bool entity_is_same(const struct entity *a, const struct entity *b)
{
    if (!a->type || !b->type)
        return a->type == b->type;
    return a->entry != VOCAB_NONE || b->entry != VOCAB_NONE
               ? a->entry == b->entry
               : strcmp(a->type, b->type) == 0 && strcmp(a->notation, b->notation) == 0;
}

void entity_id(const struct vocab *v, const struct entity *e, struct buf *id)
{
    entity_id_of(e->type, entity_name(v, e), id);
}
