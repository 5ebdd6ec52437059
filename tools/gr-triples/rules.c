// SPDX-License-Identifier: MIT
/*
 * rules.c — reading and checking the table of relations
 */
#include "rules.h"

#include "alloc.h"
#include "buf.h"
#include "exit.h"
#include "text_list.h"

struct file {
    struct vocab *cues;
    struct rule *rules; /* (vocab_count) */
};

struct rules {
    struct file *files; /* (n) */
    size_t n;
    struct vocab *states;     /* NULL: none */
    const struct rule **near; /* (n_near) those with words of that kind */
    size_t n_near;
    struct words *carriers;
};

bool rules_lists(struct sv list, struct sv text)
{
    struct sv one;
    while (list.n && sv_cut(&list, ',', &one))
        if (sv_ieq(sv_trim(one), text))
            return true;
    return false;
}

/* Types that no file of the folder has, and those of the installed folder, which a user's own
 * may lack while the installed relations are kept. */
static bool is_own_type(struct sv type)
{
    static const char *const types[] = {
        "any",           "value",         "sample",   "element",       "isotope",
        "isotope_ratio", "element_ratio", "oxide",    "isotope_delta", "isotope_system",
        "element_group", "rock",          "mineral",  "deposit",       "setting",
        "location",      "method",        "process",  "geologic_time", "reference_material",
        "condition",     "parameter",     "material",
    };
    return sv_in(type, types, ARRAY_LEN(types));
}

static bool is_type(const struct vocab *v, struct sv type)
{
    if (is_own_type(type))
        return true;
    size_t n = vocab_count(v);
    const char *last = NULL; /* entries of a type are neighbours and share the string */
    for (size_t i = 0; i < n; i++) {
        const char *one = vocab_type(v, (uint32_t)i);
        if (one != last && sv_is(type, one))
            return true;
        last = one;
    }
    return false;
}

static int check_types(const struct vocab *v, const char *key, struct sv list, struct err *err)
{
    struct sv one;
    while (list.n && sv_cut(&list, ',', &one))
        if (!is_type(v, one))
            return err_set(err, EXIT_FATAL,
                           "attribute \"%s\": unknown type \"%.*s\": expected the name of a "
                           "file of the vocabulary, sample, value or any",
                           key, SV_ARG(one));
    return 0;
}

/* Every listed cue, up to its ">", must be one of the row. */
static int check_cues(struct sv cues, const char *key, struct sv list, struct err *err)
{
    struct sv one;
    while (list.n && sv_cut(&list, ',', &one)) {
        struct sv rest = cues, cue, phrase;
        bool found = false;
        sv_cut(&one, '>', &phrase);
        one = phrase;
        while (!found && rest.n && sv_cut(&rest, '|', &cue))
            found = sv_ieq(cue, one);
        if (!found)
            return err_set(err, EXIT_FATAL,
                           "attribute \"%s\": \"%.*s\" is no cue of this row: expected one of "
                           "its second column",
                           key, SV_ARG(one));
    }
    return 0;
}

/* "cue>what" in each of the list; `is_types`: what is a type. */
static int check_pairs(const struct vocab *v, const char *key, struct sv list, bool is_types,
                       struct err *err)
{
    struct sv one, cue;
    while (list.n && sv_cut(&list, ',', &one)) {
        bool has_both = sv_cut(&one, '>', &cue) && cue.n && one.n;
        if (!has_both)
            return err_set(err, EXIT_FATAL, "attribute \"%s\": \"%.*s\": expected \"cue>%s\"",
                           key, SV_ARG(cue), is_types ? "type" : "word/word");
        if (is_types && check_types(v, key, one, err) < 0)
            return -1;
    }
    return 0;
}

/* "cue,cue" or "cue>what,cue>what": the cues. */
static struct words *read_cues(struct sv list)
{
    struct words *cues = words_new();
    struct sv one, cue;
    while (list.n && sv_cut(&list, ',', &one)) {
        sv_cut(&one, '>', &cue);
        words_add(cues, sv_trim(cue));
    }
    return cues;
}

static int read_near(const struct vocab *cues, uint32_t entry, struct rule *r, struct err *err)
{
    struct sv list = SV_NONE, one;
    if (!vocab_attr(cues, entry, "near", &list))
        return 0;
    if (!vocab_attr(cues, entry, "near_head", &r->near_head))
        r->near_head = r->head;
    if (!vocab_attr(cues, entry, "near_tail", &r->near_tail))
        r->near_tail = r->tail;
    r->near = words_new();
    while (list.n && sv_cut(&list, ',', &one))
        words_add(r->near, one);
    if (r->near->n == 0)
        return err_set(err, EXIT_FATAL,
                       "attribute \"near\": expected words, separated by commas");
    return 0;
}

/* A key with a slip of the pen would be a rule that does not hold, in silence. */
static int check_keys(struct sv attrs, struct err *err)
{
    static const char *const keys[] = { "head",   "tail",   "inverse", "loose",     "silent",
                                        "either", "behind", "ahead",   "fronted",   "joined",
                                        "denial", "only",   "near",    "near_head", "near_tail",
                                        "vague",  "values" };
    struct sv one, key;
    while (attrs.n && sv_cut(&attrs, ';', &one)) {
        sv_cut(&one, '=', &key);
        key = sv_trim(key);
        if (key.n && !sv_in(key, keys, ARRAY_LEN(keys)))
            return err_set(
                err, EXIT_FATAL,
                "unknown attribute \"%.*s\": expected head, tail, inverse, loose, "
                "silent, either, behind, ahead, fronted, joined, denial, only, near, "
                "near_head, near_tail, vague or values",
                SV_ARG(key));
    }
    return 0;
}

static int read_rule(const struct vocab *cues, uint32_t entry, const struct vocab *v,
                     struct rule *r, struct err *err)
{
    struct sv flag = SV_NONE, text = vocab_synonyms(cues, entry),
              name = vocab_name(cues, entry);
    char *relation = alloc_array(name.n + 1, 1);
    memcpy(relation, name.p, name.n);
    relation[name.n] = '\0';
    r->relation = relation;
    struct {
        const char *key;
        struct words **cues;
    } lists[] = {
        { "inverse", &r->inverse }, { "loose", &r->loose },      { "silent", &r->silent },
        { "either", &r->either },   { "ahead", &r->ahead_cues }, { "behind", &r->behind },
        { "fronted", &r->fronted }, { "denial", &r->denial },    { "joined", &r->joined },
        { "only", &r->only_cues },
    };
    if (check_keys(vocab_attrs(cues, entry), err) < 0)
        return -1;
    bool has_ends = vocab_attr(cues, entry, "head", &r->head) &&
                    vocab_attr(cues, entry, "tail", &r->tail) && r->head.n && r->tail.n;
    if (!has_ends)
        return err_set(err, EXIT_FATAL, "expected attributes \"head\" and \"tail\" with types");
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct sv list = SV_NONE;
        if (!vocab_attr(cues, entry, lists[i].key, &list))
            continue;
        if (check_cues(text, lists[i].key, list, err) < 0)
            return -1;
        *lists[i].cues = read_cues(list);
    }
    vocab_attr(cues, entry, "ahead", &r->ahead);
    vocab_attr(cues, entry, "only", &r->only);
    r->is_vague = vocab_attr(cues, entry, "vague", &flag);
    r->has_values = vocab_attr(cues, entry, "values", &flag);
    static const char *const made[] = { "condition", "parameter", "material" };
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        r->has_states |=
            rules_lists(r->head, sv_from(made[i])) || rules_lists(r->tail, sv_from(made[i]));
    if (check_types(v, "head", r->head, err) < 0 || check_types(v, "tail", r->tail, err) < 0 ||
        check_pairs(v, "ahead", r->ahead, false, err) < 0 ||
        check_pairs(v, "only", r->only, true, err) < 0 || read_near(cues, entry, r, err) < 0)
        return -1;
    return check_types(v, "near_head", r->near_head, err) < 0 ||
                   check_types(v, "near_tail", r->near_tail, err) < 0
               ? -1
               : 0;
}

static int load_file(struct file *f, const char *path, const struct vocab *v, struct err *err)
{
    f->cues = vocab_load_file(path, err);
    if (!f->cues)
        return -1;
    f->rules = alloc_zero(vocab_count(f->cues) + 1, sizeof *f->rules);
    for (uint32_t i = 0; i < vocab_count(f->cues); i++)
        if (read_rule(f->cues, i, v, &f->rules[i], err) < 0) {
            struct sv name = vocab_name(f->cues, i);
            err_prefix(err, "%s: relation \"%.*s\"", path, SV_ARG(name));
            return -1;
        }
    return 0;
}

static void collect_near(struct rules *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < vocab_count(r->files[i].cues); k++) {
            if (!r->files[i].rules[k].near)
                continue;
            r->near = alloc_resize(r->near, r->n_near + 1, sizeof *r->near);
            r->near[r->n_near++] = &r->files[i].rules[k];
        }
}

const struct rule *rules_next_near(const struct rules *r, size_t *i)
{
    return *i < r->n_near ? r->near[(*i)++] : NULL;
}

struct rules *rules_load(const char *const paths[], size_t n, const struct vocab *vocab,
                         struct err *err)
{
    struct rules *r = alloc_zero(1, sizeof *r);
    r->files = alloc_zero(n, sizeof *r->files);
    r->n = n;
    r->carriers = words_new();
    for (size_t i = 0; i < n; i++)
        if (load_file(&r->files[i], paths[i], vocab, err) < 0) {
            rules_free(r);
            return NULL;
        }
    collect_near(r);
    return r;
}

static void free_rule(struct rule *r)
{
    struct words *lists[] = { r->inverse,    r->loose,     r->silent, r->either,
                              r->behind,     r->fronted,   r->denial, r->joined,
                              r->ahead_cues, r->only_cues, r->near };
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        words_free(lists[i]);
    free((char *)(uintptr_t)r->relation);
}

void rules_free(struct rules *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->files[i];
        for (size_t k = 0; f->rules && k < vocab_count(f->cues); k++)
            free_rule(&f->rules[k]);
        free(f->rules);
        vocab_free(f->cues);
    }
    vocab_free(r->states);
    words_free(r->carriers);
    free(r->near);
    free(r->files);
    free(r);
}

size_t rules_files(const struct rules *r)
{
    return r->n;
}

const struct vocab *rules_cues(const struct rules *r, size_t file)
{
    return r->files[file].cues;
}

const struct rule *rules_of(const struct rules *r, size_t file, uint32_t entry)
{
    return &r->files[file].rules[entry];
}

struct sv rules_tail(const struct rule *r, struct sv cue)
{
    struct sv list = r->only, one, phrase;
    while (list.n && sv_cut(&list, ',', &one))
        if (sv_cut(&one, '>', &phrase) && sv_ieq(sv_trim(phrase), cue))
            return one;
    return r->tail;
}

int rules_load_states(struct rules *r, const char *path, struct err *err)
{
    r->states = vocab_load_file(path, err);
    return r->states ? 0 : -1;
}

const struct vocab *rules_states(const struct rules *r)
{
    return r->states;
}

int rules_load_carriers(struct rules *r, const char *path, struct err *err)
{
    struct map *list = text_list_load(path, err);
    if (!list)
        return -1;
    for (size_t i = 0; i < map_count(list); i++)
        words_add(r->carriers, map_key(list, i));
    map_free(list);
    return 0;
}

struct words *rules_carriers(const struct rules *r)
{
    return r->carriers;
}
