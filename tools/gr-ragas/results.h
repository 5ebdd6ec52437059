// SPDX-License-Identifier: MIT
/*
 * results.h — scored records of one or more systems, side by side
 *
 * A record is known by its `id`, or by its question where it has none; records of two systems
 * with the same one are a pair. All is kept in memory: about 16 bytes a score, and the texts
 * when they are wanted.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "err.h"
#include "json.h"
#include "map.h"
#include "metrics.h"

#define RESULTS_MAX_METRICS 256
#define RESULTS_MAX_SYSTEMS 32

enum cell_state {
    CELL_NONE,   /* the system has no such record, or the record not this metric */
    CELL_FAILED, /* null */
    CELL_OK,
};

struct cell {
    double value;
    enum cell_state state;
};

/* What a report shows of a record. */
struct story {
    char *question, *response, *reference; /* NULL: not there */
    bool is_there;
};

struct system {
    char *name;
    const char *path;      /* borrowed */
    struct cell *cells;    /* (metrics, records), after results_finish */
    struct story *stories; /* (records), when texts are wanted */
    size_t n_records;      /* of this system */
};

struct results {
    struct system *systems; /* (n_systems) */
    size_t n_systems;
    struct map *records; /* keys of all systems, in the order they came */
    struct map *metrics; /* names, as they came */
    struct map *classes; /* names; ordinal 0 is "" */
    size_t *class_of;    /* (records) ordinal in classes */
    size_t class_cap;
    size_t *order;    /* (metrics) for tables: known ones first, after results_finish */
    size_t n_metrics; /* in order */

    bool wants_texts;
    struct entry *entries; /* while reading */
    size_t n_entries, entries_cap;
};

/* paths: (n) the files, n 0: standard input. names: "a,b" instead of the names of the files, or
 * NULL. -1 with err (EXIT_USAGE): a path twice, too many, or not as many names. */
int results_init(struct results *r, const char *const *paths, size_t n, const char *names,
                 bool wants_texts, struct err *err);
void results_release(struct results *r);

/* Add a record, which belongs to the system whose path is rec->file. -1 with err
 * (EXIT_REJECTED): no `scores`, a score that is neither number nor null, a record that came
 * before. */
int results_add(struct results *r, const struct rec *rec, struct err *err);

/* All is read: make the tables. only: the metrics to keep, in that order, "a,b"; NULL: all. -1
 * with err (EXIT_USAGE) when one of them is nowhere. */
int results_finish(struct results *r, const char *only, struct err *err);

/* Name of the ith metric in order; cell of it. */
struct sv results_metric(const struct results *r, size_t i);
const struct cell *results_cell(const struct results *r, size_t system, size_t i,
                                size_t record);

#endif
