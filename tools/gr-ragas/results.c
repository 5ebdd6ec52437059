// SPDX-License-Identifier: MIT
/*
 * results.c — reading scored records into tables
 */
#include "results.h"

#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "utf8.h"

/* A score as it is read; the tables are made when all names are known. */
struct entry {
    uint32_t system, record, metric;
    struct cell cell;
};

/* "out/hybrid.ndjson" is named hybrid. */
static char *name_of(const char *path)
{
    struct sv s = sv_from(path);
    static const char *const ends[] = { ".ndjson", ".jsonl", ".json" };
    if (sv_is(s, "-"))
        return alloc_text("stdin", 5);
    for (size_t i = s.n; i > 0; i--)
        if (s.p[i - 1] == '/') {
            s = sv_from_to(s, i, s.n);
            break;
        }
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (s.n > strlen(ends[i]) && sv_ends(s, sv_from(ends[i]))) {
            s.n -= strlen(ends[i]);
            break;
        }
    return alloc_text(s.p, s.n);
}

static int give_names(struct results *r, const char *names, struct err *err)
{
    struct sv rest = sv_from(names), one;
    size_t n = 0;
    if (utf8_check(rest) != SIZE_MAX)
        return err_set(err, EXIT_USAGE, "--names: not valid UTF-8");
    while (sv_cut(&rest, ',', &one)) {
        if (n < r->n_systems) {
            free(r->systems[n].name);
            r->systems[n].name = alloc_text(one.p, one.n);
        }
        n++;
    }
    return n == r->n_systems
               ? 0
               : err_set(err, EXIT_USAGE, "--names: %zu names for %zu files", n, r->n_systems);
}

int results_init(struct results *r, const char *const *paths, size_t n, const char *names,
                 bool wants_texts, struct err *err)
{
    static const char *const standard_input[] = { "-" };
    *r = (struct results){ .wants_texts = wants_texts };
    r->records = map_new();
    r->metrics = map_new();
    r->classes = map_new();
    map_put(r->classes, SV(""), NULL);
    if (!n) {
        paths = standard_input;
        n = 1;
    }
    if (n > RESULTS_MAX_SYSTEMS)
        return err_set(err, EXIT_USAGE, "more than %d files", RESULTS_MAX_SYSTEMS);
    r->systems = alloc_zero(n, sizeof *r->systems);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            if (strcmp(paths[i], paths[k]) == 0)
                return err_set(err, EXIT_USAGE, "%s is given twice", paths[i]);
        r->systems[i].path = strcmp(paths[i], "-") ? paths[i] : "<stdin>";
        r->systems[i].name = name_of(paths[i]);
        r->n_systems++;
    }
    for (size_t i = 0; i < n; i++) /* a/out.ndjson and b/out.ndjson: tell them apart */
        for (size_t k = 0; k < n; k++)
            if (i != k && strcmp(r->systems[i].name, r->systems[k].name) == 0) {
                free(r->systems[i].name);
                r->systems[i].name = alloc_text(paths[i], strlen(paths[i]));
            }
    int rc = names ? give_names(r, names, err) : 0;
    for (size_t i = 0; i < n; i++)
        err_clean(r->systems[i].name); /* it is printed in many places */
    return rc;
}

void results_release(struct results *r)
{
    for (size_t i = 0; i < r->n_systems; i++) {
        struct system *s = &r->systems[i];
        for (size_t k = 0; s->stories && k < map_count(r->records); k++) {
            free(s->stories[k].question);
            free(s->stories[k].response);
            free(s->stories[k].reference);
        }
        free(s->stories);
        free(s->cells);
        free(s->name);
    }
    free(r->systems);
    map_free(r->records);
    map_free(r->metrics);
    map_free(r->classes);
    free(r->class_of);
    free(r->order);
    free(r->entries);
}

static int find_system(const struct results *r, const char *path)
{
    for (size_t i = 0; i < r->n_systems; i++)
        if (strcmp(r->systems[i].path, path) == 0)
            return (int)i;
    return -1;
}

static void push_entry(struct results *r, struct entry e)
{
    if (r->n_entries == r->entries_cap) {
        r->entries_cap = alloc_grow(r->entries_cap, r->n_entries + 1);
        r->entries = alloc_resize(r->entries, r->entries_cap, sizeof *r->entries);
    }
    r->entries[r->n_entries++] = e;
}

static char *keep(jv v)
{
    struct sv s = json_sv(v);
    return json_is_str(v) ? alloc_text(s.p, s.n) : NULL;
}

static jv first_of(jv object, const char *a, const char *b)
{
    jv v = json_get(object, a);
    return json_is_null(v) ? json_get(object, b) : v;
}

/* Arrays over all records grow together. */
static void reserve(struct results *r, size_t record)
{
    if (record < r->class_cap)
        return;
    size_t was = r->class_cap;
    r->class_cap = alloc_grow(was, record + 1);
    r->class_of = alloc_resize(r->class_of, r->class_cap, sizeof *r->class_of);
    memset(r->class_of + was, 0, (r->class_cap - was) * sizeof *r->class_of);
    for (size_t i = 0; i < r->n_systems; i++) {
        struct system *s = &r->systems[i];
        s->stories = alloc_resize(s->stories, r->class_cap, sizeof *s->stories);
        memset(s->stories + was, 0, (r->class_cap - was) * sizeof *s->stories);
    }
}

/* All scores must be good before any counts. */
static int check_scores(const struct results *r, jv scores, struct err *err)
{
    size_t i = 0, n_new = 0;
    struct sv key;
    jv value;
    while (json_each(scores, &i, &key, &value)) {
        if (key.n == 0 || key.n > 64)
            return err_set(err, EXIT_REJECTED,
                           "field \"scores\": a metric's name has %zu bytes", key.n);
        if (!json_is_null(value) && (!json_is_num(value) || !isfinite(json_num(value))))
            return err_set(err, EXIT_REJECTED,
                           "field \"scores\": \"%.*s\": expected number or null", SV_ARG(key));
        n_new += map_get(r->metrics, key) == MAP_NONE;
        if (n_new + map_count(r->metrics) > RESULTS_MAX_METRICS)
            return err_set(err, EXIT_REJECTED, "field \"scores\": more than %d metrics",
                           RESULTS_MAX_METRICS);
    }
    return 0;
}

int results_add(struct results *r, const struct rec *rec, struct err *err)
{
    jv scores, value;
    struct sv key = json_sv(json_get(rec->v, F_ID)), name;
    int system = find_system(r, rec->file);
    if (system < 0)
        return err_set(err, EXIT_FATAL, "%s: not one of the files", rec->file);
    if (json_need_object(rec->v, "scores", &scores, err) < 0 ||
        check_scores(r, scores, err) < 0)
        return -1;
    if (!key.n)
        key = json_sv(first_of(rec->v, "user_input", F_QUERY));
    if (!key.n)
        return err_set(err, EXIT_REJECTED, "field \"id\": expected string");
    size_t record = map_put(r->records, key, NULL);
    reserve(r, record);
    struct system *s = &r->systems[system];
    struct story *story = &s->stories[record];
    if (story->is_there)
        return err_set(err, EXIT_REJECTED, "the record is there twice");
    story->is_there = true;
    s->n_records++;
    if (r->wants_texts) {
        story->question = keep(first_of(rec->v, "user_input", F_QUERY));
        story->response = keep(json_get(rec->v, F_RESPONSE));
        story->reference = keep(json_get(rec->v, "reference"));
    }
    struct sv class_name = json_sv(first_of(rec->v, "expected_class", F_CLASS));
    if (class_name.n && class_name.n <= 64 && !r->class_of[record] &&
        map_count(r->classes) <= 64)
        r->class_of[record] = map_put(r->classes, class_name, NULL);
    size_t i = 0;
    while (json_each(scores, &i, &name, &value)) {
        bool ok = json_is_num(value);
        push_entry(r,
                   (struct entry){ (uint32_t)system,
                                   (uint32_t)record,
                                   (uint32_t)map_put(r->metrics, name, NULL),
                                   { ok ? json_num(value) : 0, ok ? CELL_OK : CELL_FAILED } });
    }
    return 0;
}

/* Known metrics in the order of the manual, cut-offs by size, then the others by name. */
static int compare_names(struct sv a, struct sv b)
{
    size_t x = metric_place(a), y = metric_place(b);
    if (x != y)
        return x < y ? -1 : 1;
    if (a.n != b.n && x != SIZE_MAX)
        return a.n < b.n ? -1 : 1;
    return sv_cmp(a, b);
}

static void order_all(struct results *r)
{
    for (size_t i = 0; i < map_count(r->metrics); i++) { /* at most RESULTS_MAX_METRICS */
        size_t k = r->n_metrics++;
        for (; k > 0 &&
               compare_names(map_key(r->metrics, i), map_key(r->metrics, r->order[k - 1])) < 0;
             k--)
            r->order[k] = r->order[k - 1];
        r->order[k] = i;
    }
}

static int order_some(struct results *r, const char *only, struct err *err)
{
    struct sv rest = sv_from(only), one;
    while (sv_cut(&rest, ',', &one)) {
        one = sv_trim(one);
        size_t metric = map_get(r->metrics, one), i = 0;
        if (!one.n)
            continue;
        if (metric == MAP_NONE)
            return err_set(err, EXIT_USAGE, "--metrics: no record has a score \"%.*s\"",
                           (int)(one.n < 60 ? one.n : 60), one.p);
        while (i < r->n_metrics && r->order[i] != metric)
            i++;
        if (i == r->n_metrics)
            r->order[r->n_metrics++] = metric;
    }
    return r->n_metrics ? 0 : err_set(err, EXIT_USAGE, "--metrics: names none");
}

int results_finish(struct results *r, const char *only, struct err *err)
{
    size_t n_records = map_count(r->records), n = map_count(r->metrics);
    r->order = alloc_array(n, sizeof *r->order);
    if (!only)
        order_all(r);
    else if (n && order_some(r, only, err) < 0)
        return -1;
    for (size_t i = 0; i < r->n_systems; i++)
        r->systems[i].cells = alloc_zero(n * n_records + 1, sizeof(struct cell));
    for (size_t i = 0; i < r->n_entries; i++) {
        const struct entry *e = &r->entries[i];
        r->systems[e->system].cells[e->metric * n_records + e->record] = e->cell;
    }
    free(r->entries);
    r->entries = NULL;
    return 0;
}

struct sv results_metric(const struct results *r, size_t i)
{
    return map_key(r->metrics, r->order[i]);
}

const struct cell *results_cell(const struct results *r, size_t system, size_t i, size_t record)
{
    return &r->systems[system].cells[r->order[i] * map_count(r->records) + record];
}
