// SPDX-License-Identifier: MIT
/*
 * cmd_write.c — build, add, drop, merge: from triple records to a graph file
 *
 *   in   triple records   {"head":{"name","type","id"},"relation","tail":{…},"value",…}
 *   out  a .grg file, the same bytes for the same triples in any order
 *   memory: all records, each distinct string once, 200 to 400 bytes a triple
 */
#include "cmd.h"

#include <unistd.h>

#include "analyzer.h"
#include "build.h"
#include "lock.h"
#include "vocab.h"

static bool no_synonyms, is_replacing;
static struct opt_list papers;

/* clang-format off: it aligns rows of tables by columns that it makes up */
const struct opt build_options[] = {
    { "Building", 0, OPT_GROUP },
    { "no-synonyms", 0, OPT_FLAG, NULL, NULL,
      "do not look nodes up by the vocabularies' synonyms", &no_synonyms },
    RUN_OPTIONS,
};

const struct opt add_options[] = {
    { "Adding", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "replace", 0, OPT_FLAG, NULL, NULL, "first drop the papers that the new triples are from",
      &is_replacing },
    RUN_OPTIONS,
};

const struct opt drop_options[] = {
    { "Dropping", 0, OPT_GROUP },
    GRAPH_OPTION,
    { "paper", 0, OPT_LIST, "ID", NULL, "paper to drop, more than once for more", &papers },
    RUN_OPTIONS,
};

const struct opt merge_options[] = {
    RUN_OPTIONS,
};
/* clang-format on */

/* Every input record into the fold. */
static void read_triples(struct run *run, struct fold *f)
{
    struct buf text = BUF_INIT;
    for (struct rec r; run_next_raw(run, &r); rec_release(&r)) {
        int rc = fold_scan(f, sv_trim(r.line), &run->err);
        if (rc == 0 && (rc = run_parse(run, &r, &text)) == 0)
            rc = fold_add(f, &r, &run->err);
        if (rc < 0)
            run_reject(run, &r);
    }
    buf_release(&text);
}

static struct vocab *load_vocab(struct err *err)
{
    struct buf dir = BUF_INIT;
    struct vocab *v = NULL;
    if (file_find_data(&dir, run_cfg.data, "vocab", err) == 0)
        v = vocab_load(buf_cstr(&dir), err);
    buf_release(&dir);
    return v;
}

/* Fold and write; -1 with err. */
static int write_graph(struct fold *f, bool has_synonyms, struct out *out, struct err *err)
{
    struct build_stats s;
    struct analyzer *a = NULL;
    struct vocab *v = NULL;
    int rc = -1;
    if ((!has_synonyms || (v = load_vocab(err))) && (a = analyzer_new(NULL, NULL, err)))
        rc = build_write(f, v, a, out, &s, err);
    analyzer_free(a);
    vocab_free(v);
    if (rc == 0)
        diag_note("%zu nodes, %zu edges, %zu triples of %zu papers%s", s.nodes, s.edges,
                  s.triples, s.papers, s.repeated ? ", repeated records left out" : "");
    return rc;
}

int build_main(struct run *run)
{
    struct fold f;
    if (!run_cfg.output && isatty(STDOUT_FILENO))
        return run_usage(run, "a graph is not for a terminal: -o FILE");
    fold_init(&f);
    read_triples(run, &f);
    int rc = 0;
    if (run->stop_code == EXIT_ALL_DONE)
        rc = write_graph(&f, !no_synonyms, &run->out, &run->err);
    fold_release(&f);
    return rc < 0 ? run_fail(run) : run_end(run);
}

/* Where a changed graph goes: to --output, else over the old one, which run_end knows nothing
 * of. */
static int write_changed(struct run *run, struct fold *f, const struct grg *g)
{
    struct out own;
    if (run_cfg.output)
        return write_graph(f, g->meta.has_synonyms, &run->out, &run->err);
    if (out_open(&own, cmd_graph, &run->err) < 0)
        return -1;
    if (write_graph(f, g->meta.has_synonyms, &own, &run->err) < 0) {
        out_abandon(&own);
        return -1;
    }
    return out_close(&own, &run->err);
}

/* Open the graph for change: lock it, map it, check all of it. */
static int open_graph(struct grg *g, int *lock, struct err *err)
{
    *lock = lock_take(cmd_graph, err);
    if (*lock < 0 || grg_open(g, cmd_graph, err) < 0)
        return -1;
    if (grg_verify(g, err) == 0)
        return 0;
    grg_close(g);
    return -1;
}

int add_main(struct run *run)
{
    struct fold f;
    struct grg g;
    int lock = -1, rc = -1;
    size_t dropped = 0;
    struct map *replaced = NULL;
    if (!cmd_graph)
        return run_usage(run, "which graph? -g FILE");
    if (open_graph(&g, &lock, &run->err) < 0) {
        lock_release(lock);
        return run_fail(run);
    }
    fold_init(&f);
    read_triples(run, &f);
    if (is_replacing) {
        replaced = map_new();
        for (size_t i = 0; i < f.n; i++)
            map_put(replaced, map_key(f.strings, f.triples[i].paper), NULL);
    }
    /* A stop before the end leaves the graph as it was; run_end says why. */
    if (run->stop_code != EXIT_ALL_DONE)
        rc = 0;
    else if (fold_add_graph(&f, &g, replaced, &dropped, &run->err) == 0)
        rc = write_changed(run, &f, &g);
    map_free(replaced);
    fold_release(&f);
    grg_close(&g);
    lock_release(lock);
    return rc < 0 ? run_fail(run) : run_end(run);
}

int drop_main(struct run *run)
{
    struct fold f;
    struct grg g;
    int lock = -1, rc = -1;
    size_t dropped;
    if (!cmd_graph)
        return run_usage(run, "which graph? -g FILE");
    if (!papers.n || run->n_operands)
        return run_usage(run, run->n_operands ? "name papers with --paper"
                                              : "which paper? --paper ID");
    if (open_graph(&g, &lock, &run->err) < 0) {
        lock_release(lock);
        return run_fail(run);
    }
    struct map *without = map_new();
    for (size_t i = 0; i < papers.n; i++) {
        map_put(without, sv_from(papers.items[i]), NULL);
        if (grg_find_str(&g, sv_from(papers.items[i])) == GRG_NONE)
            diag_warn("%s: nothing is from paper \"%s\"", cmd_graph, papers.items[i]);
    }
    fold_init(&f);
    if (fold_add_graph(&f, &g, without, &dropped, &run->err) == 0)
        rc = write_changed(run, &f, &g);
    if (rc == 0)
        diag_note("%zu triples dropped", dropped);
    fold_release(&f);
    map_free(without);
    grg_close(&g);
    lock_release(lock);
    return rc < 0 ? run_fail(run) : run_end(run);
}

/* One graph more; *has_synonyms is that of those before, -1: there are none. */
static int merge_one(struct fold *f, const char *path, int *has_synonyms, struct err *err)
{
    struct grg g;
    size_t none;
    if (grg_open(&g, path, err) < 0)
        return -1;
    int rc = grg_verify(&g, err), has = g.meta.has_synonyms != 0;
    if (rc == 0 && *has_synonyms >= 0 && *has_synonyms != has)
        rc = err_set(err, EXIT_FATAL,
                     "%s: built %s the vocabularies' synonyms, unlike the graphs before it: "
                     "build one of them anew",
                     path, has ? "with" : "without");
    *has_synonyms = has;
    if (rc == 0)
        rc = fold_add_graph(f, &g, NULL, &none, err);
    grg_close(&g);
    return rc;
}

int merge_main(struct run *run)
{
    struct fold f;
    int has_synonyms = -1, rc = 0;
    if (!run->n_operands)
        return run_usage(run, "which graphs? name their files");
    if (!run_cfg.output && isatty(STDOUT_FILENO))
        return run_usage(run, "a graph is not for a terminal: -o FILE");
    fold_init(&f);
    for (size_t i = 0; rc == 0 && i < run->n_operands; i++)
        rc = merge_one(&f, run->operands[i], &has_synonyms, &run->err);
    if (rc == 0)
        rc = write_graph(&f, has_synonyms > 0, &run->out, &run->err);
    fold_release(&f);
    return rc < 0 ? run_fail(run) : run_end(run);
}
