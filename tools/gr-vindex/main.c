// SPDX-License-Identifier: MIT
/*
 * gr-vindex — an index of chunks: dense, sparse and hybrid search in one mapped file
 *
 *   build   in   chunk records with `embedding`      out  a .gri file (gri.h)
 *   search  in   query records or lines              out  the same with `vector_hits`
 *   memory: search O(k) and the pages of the index it touches; build, add, delete, compact,
 *   merge hold the index (builder.h); exit codes: gr-intro(7); methods: dense.h, sparse.h
 */
#include <math.h>

#include "cmd_chroma.h"
#include "cmds.h"
#include "run.h"

#define FIELDS "title,section,text"
#define HIT_FIELDS "paper,title,doi,year,authors,section,section_n,n,kind,start,end,text"

struct cmd_cfg cmd_cfg = { .search = { .min_score = -INFINITY, .mmr = -1 } };

/* Version 14 of the formatter tears a table of structures apart. */
/* clang-format off */
#define INDEX_ROW                                                                              \
    {                                                                                          \
        "index", 'i', OPT_STRING, "IDX", NULL, "the index", &cmd_cfg.index                     \
    }
#define FIELDS_ROW                                                                             \
    {                                                                                          \
        "fields", 0, OPT_STRING, "LIST", FIELDS, "members that are read as text",           \
            &cmd_cfg.fields                                                                    \
    }

static const struct opt build_options[] = {
    { "Index", 0, OPT_GROUP },
    FIELDS_ROW,
    { "no-sparse", 0, OPT_FLAG, NULL, NULL, "no postings: dense search only",
      &cmd_cfg.no_sparse },
    { "recall", 0, OPT_DOUBLE, "R", "0.99", "part of the 10 nearest that search is to find",
      &cmd_cfg.recall, 0.5, 1 },
    { "ivf-from", 0, OPT_LONG, "N", "10000", "vectors from which search is approximate, 0: never",
      &cmd_cfg.ivf_from, 0, UINT32_MAX - 1 },
    { "store", 0, OPT_ENUM, "FORM", "float", "how vectors are kept: int8 takes a quarter",
      &cmd_cfg.store, .choices = STORE_NAMES },
    CHROMA_OPTIONS,
    CHROMA_BATCH_OPTION,
    CHROMA_REPLACE_OPTION,
    RUN_OPTIONS,
};

static const struct opt search_options[] = {
    { "Search", 0, OPT_GROUP },
    { "index", 'i', OPT_LIST, "IDX", NULL, "a .gri or NDJSON, or several: 'PATTERN'",
      &cmd_cfg.indexes },
    { "top", 'k', OPT_LONG, "N", "10", "hits a query; `k` of a record goes first",
      &cmd_cfg.search.k, 0, 1000000 },
    { "query", 'Q', OPT_STRING, "TEXT", NULL, "this query, no input", &cmd_cfg.query },
    { "mode", 0, OPT_ENUM, "MODE", "auto", "how to search", &cmd_cfg.search.mode,
      .choices = MODE_NAMES },
    { "filter", 0, OPT_STRING, "JQ", NULL, "only records for which JQ is true",
      &cmd_cfg.search.filter },
    { "min-score", 0, OPT_DOUBLE, "X", NULL, "leave out hits below X", &cmd_cfg.search.min_score },
    { "Approximate search", 0, OPT_GROUP },
    { "recall", 0, OPT_DOUBLE, "R", NULL, "part of the nearest to find, not the index's own",
      &cmd_cfg.search.recall, 0.5, 1 },
    { "exact", 0, OPT_FLAG, NULL, NULL, "compare with all vectors", &cmd_cfg.search.is_exact },
    { "probe", 0, OPT_LONG, "N", "0", "lists to look into, 0: as recall needs",
      &cmd_cfg.search.probe, 0, 1 << 24 },
    { "Fusion and hits", 0, OPT_GROUP },
    { "candidates", 0, OPT_LONG, "N", "100", "depth of each list that is fused",
      &cmd_cfg.search.candidates, 1, 1000000 },
    { "fusion", 0, OPT_ENUM, "HOW", "rrf", "by ranks, or by scores put on one scale",
      &cmd_cfg.search.fusion.method, .choices = FUSE_NAMES },
    { "rrf-k", 0, OPT_DOUBLE, "X", "60", "score is the sum of weight / (X + rank)",
      &cmd_cfg.search.fusion.rrf_k, 0, 1e9 },
    { "dense-weight", 0, OPT_DOUBLE, "W", "1", "weight of the dense lists, 0: none",
      &cmd_cfg.search.dense_weight, 0, 1e9 },
    { "sparse-weight", 0, OPT_DOUBLE, "W", "1", "weight of the BM25 lists, 0: none",
      &cmd_cfg.search.sparse_weight, 0, 1e9 },
    { "keyword-weight", 0, OPT_DOUBLE, "W", "0.5", "weight of a keyword's terms in BM25",
      &cmd_cfg.search.keyword_weight, 0, 1e9 },
    { "bm25-k1", 0, OPT_DOUBLE, "X", "1.2", "how much a repeated term counts",
      &cmd_cfg.search.k1, 0, 1000 },
    { "bm25-b", 0, OPT_DOUBLE, "X", "0.75", "how much a long text is set back",
      &cmd_cfg.search.b, 0, 1 },
    { "dedup", 0, OPT_DOUBLE, "X", "0.9", "drop hits of which X is in a better one",
      &cmd_cfg.search.dedup, 0, 1 },
    { "merge", 0, OPT_FLAG, NULL, NULL, "put overlapping windows of a section together",
      &cmd_cfg.search.merges },
    { "mmr", 0, OPT_DOUBLE, "LAMBDA", NULL, "relevance (1) against unlikeness (0) of hits",
      &cmd_cfg.search.mmr, 0, 1 },
    { "Records", 0, OPT_GROUP },
    { "hit-fields", 0, OPT_STRING, "LIST", HIT_FIELDS, "members copied into hits, or all",
      &cmd_cfg.search.hit_fields },
    { "keep-embeddings", 0, OPT_FLAG, NULL, NULL, "leave the query's vectors in the record",
      &cmd_cfg.search.keeps_embeddings },
    FIELDS_ROW,
    CHROMA_OPTIONS,
    RUN_OPTIONS,
};

static const struct opt info_options[] = {
    { "Index", 0, OPT_GROUP },
    INDEX_ROW,
    FIELDS_ROW,
    CHROMA_OPTIONS,
    RUN_OPTIONS,
};

static const struct opt index_options[] = {
    { "Index", 0, OPT_GROUP },
    INDEX_ROW,
    FIELDS_ROW,
    RUN_OPTIONS,
};

static const struct opt edit_options[] = {
    { "Index", 0, OPT_GROUP },
    INDEX_ROW,
    RUN_OPTIONS,
};

static const struct opt add_options[] = {
    { "Index", 0, OPT_GROUP },
    INDEX_ROW,
    { "new-only", 0, OPT_FLAG, NULL, NULL, "reject records whose id is there",
      &cmd_cfg.is_new_only },
    CHROMA_OPTIONS,
    CHROMA_BATCH_OPTION,
    RUN_OPTIONS,
};

static const struct opt merge_options[] = {
    RUN_OPTIONS,
};

static const struct opt export_options[] = {
    { "Index", 0, OPT_GROUP },
    INDEX_ROW,
    { "format", 0, OPT_ENUM, "FORM", "base64", "how vectors are written", &cmd_cfg.format,
      .choices = "base64|array|none" },
    CHROMA_OPTIONS,
    RUN_OPTIONS,
};

static const struct opt delete_options[] = {
    { "Records", 0, OPT_GROUP },
    INDEX_ROW,
    { "ids", 0, OPT_STRING, "FILE", NULL, "ids to delete, one a line", &cmd_cfg.ids },
    { "paper", 0, OPT_LIST, "ID", NULL, "delete all records of this paper", &cmd_cfg.papers },
    { "filter", 0, OPT_STRING, "JQ", NULL, "delete records for which JQ is true",
      &cmd_cfg.search.filter },
    CHROMA_OPTIONS,
    RUN_OPTIONS,
};

static const struct tool_cmd cmds[] = {
    { { "build", "make an index of chunk records", "[FILE]…", build_options }, cmd_build },
    { { "search", "find the records that answer queries", "-i IDX [FILE]…", search_options },
      cmd_search },
    { { "info", "what an index holds, as a record", "IDX…", info_options }, cmd_info, true },
    { { "verify", "read an index whole and check it", "IDX…", index_options }, cmd_verify, true },
    { { "export", "the records of an index as NDJSON", "IDX", export_options }, cmd_export, true },
    { { "add", "add records or replace those of the same id", "-i IDX [FILE]…", add_options },
      cmd_add },
    { { "upsert", "the same as add", "-i IDX [FILE]…", edit_options }, cmd_add },
    { { "delete", "delete records", "-i IDX [ID]…", delete_options }, cmd_delete, true },
    { { "compact", "write an index anew with this version", "IDX", edit_options }, cmd_compact,
      true },
    { { "merge", "one index of several", "-o FILE IDX…", merge_options }, cmd_merge, true },
};

/* clang-format on */

static struct tool tool = {
    .name = "gr-vindex",
    .summary = "index and search chunks by vectors and words",
    .cmds = cmds,
    .n_cmds = ARRAY_LEN(cmds),
    .footer = "Example: gr-chunk papers.jsonl | gr-embed | gr-vindex build -o lit.gri\n"
              "         echo 'What is MORB?' | gr-embed | gr-vindex search -i lit.gri",
};

int main(int argc, char **argv)
{
    /* A line of text is a query; it is never a record to index. */
    tool.takes_text = argc > 1 && strcmp(argv[1], "search") == 0;
    struct run run = run_start(&tool, argc, argv);
    return run.cmd->main(&run);
}
