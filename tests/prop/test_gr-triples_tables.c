// SPDX-License-Identifier: MIT
/*
 * test_gr-triples_tables.c — laws of tables
 *
 * Of a well-formed table of random samples and measures, in either orientation, with or without
 * columns of errors, each cell with a number gives one fact, with its own sample, measure,
 * number, unit and error, and nothing else gives any. Of tables thrown together the lines are
 * records, and the same for each worker and each time. GR_SEED=N runs another series; a failure
 * prints the seed of its round.
 */
#include "unit/gr-triples_extract.h"

#include <math.h>

#include "map.h"
#include "rng.h"

#define ROUNDS 400

/* ---- well-formed tables ---- */

static const struct measure {
    const char *head, *name, *unit;
    double low, high;
    int decimals;
} measures[] = {
    { "SiO2 (wt%)", "SiO2", "wt%", 40, 75, 2 },
    { "TiO2 (wt.%)", "TiO2", "wt%", 0, 5, 2 },
    { "Fe2O3T, wt%", "Fe2O3T", "wt%", 1, 15, 2 },
    { "LOI (wt%)", "LOI", "wt%", -1, 5, 2 },
    { "Mg#", "Mg#", "", 20, 90, 1 },
    { "Rb (ppm)", "rubidium", "ppm", 0, 400, 1 },
    { "Sr [ppm]", "strontium", "ppm", 1, 2000, 0 },
    { "Nb (µg/g)", "niobium", "ppm", 0, 90, 2 },
    { "Au (ppb)", "gold", "ppb", 0, 90, 1 },
    { "U (ppm)", "uranium", "ppm", 0, 90, 3 },
    { "87Sr/86Sr", "87Sr/86Sr", "", 0.7, 0.75, 6 },
    { "143Nd/144Nd", "143Nd/144Nd", "", 0.511, 0.514, 6 },
    { "εNd(t)", "εNd", "", -20, 10, 1 },
    { "206Pb/204Pb", "206Pb/204Pb", "", 17, 22, 3 },
    { "δ18O (‰, VSMOW)", "δ18O", "‰", -10, 30, 2 },
    { "δ13C VPDB (‰)", "δ13C", "‰", -40, 10, 1 },
    { "La/Yb", "La/Yb", "", 1, 60, 2 },
    { "Age (Ma)", "", "Ma", 1, 4000, 1 },
};

static const struct kind {
    const char *head, *kind;
} kinds[] = {
    { "2σ", "2σ" }, { "±1σ", "1σ" }, { "2SE", "2SE" }, { "1 s.d.", "1SD" }, { "±", "" },
};

#define ROWS 12
#define COLUMNS 24

struct table {
    char cell[ROWS][COLUMNS][40]; /* samples down */
    size_t n_rows, n_columns;     /* with heads and names */
};

static void json_cells(const struct table *t, bool is_turned, struct buf *out)
{
    size_t rows = is_turned ? t->n_columns : t->n_rows;
    size_t columns = is_turned ? t->n_rows : t->n_columns;
    buf_str(out, "{\"id\":\"P#0\",\"paper\":\"P\",\"kind\":\"table\",\"text\":\"x\",\"table\":{"
                 "\"caption\":\"Data\",\"header_rows\":1,\"rows\":[");
    for (size_t i = 0; i < rows; i++) {
        buf_str(out, i ? ",[" : "[");
        for (size_t j = 0; j < columns; j++) {
            const char *text = is_turned ? t->cell[j][i] : t->cell[i][j];
            buf_printf(out, "%s\"%s\"", j ? "," : "", text);
        }
        buf_char(out, ']');
    }
    buf_str(out, "]}}");
}

/* The key of a fact as it should be. */
static void put_key(struct buf *key, const char *sample, const char *name, double number,
                    const char *unit, double error, const char *kind)
{
    buf_reset(key);
    buf_printf(key, "%s|%s|%.9g|%s|%.9g|%s", sample, name, number, unit, error, kind);
}

/* A number printed and read again: what a reader of the cell sees. */
static double put_number(char cell[40], double v, int decimals)
{
    snprintf(cell, 40, "%.*f", decimals, v);
    v = strtod(cell, NULL);
    return v == 0 ? 0 : v; /* "-0.0" */
}

static void make_table(struct rng *r, struct table *t, struct map *want)
{
    size_t samples = 3 + rng_below(r, ROWS - 4), at = 1;
    bool used[ARRAY_LEN(measures)] = { false };
    struct buf key = BUF_INIT;
    memset(t, 0, sizeof *t);
    snprintf(t->cell[0][0], 40, "Sample");
    for (size_t i = 1; i <= samples; i++)
        snprintf(t->cell[i][0], 40, "%c%c-%u", (char)('A' + rng_below(r, 26)),
                 (char)('H' + rng_below(r, 8)), (unsigned)(10 * i + 20 + rng_below(r, 10)));
    size_t n = 2 + rng_below(r, 9);
    for (size_t k = 0; k < n; k++) {
        size_t m = rng_below(r, ARRAY_LEN(measures));
        if (used[m] || at + 2 > COLUMNS)
            continue;
        used[m] = true;
        const struct measure *what = &measures[m];
        const struct kind *error =
            rng_below(r, 3) ? NULL : &kinds[rng_below(r, ARRAY_LEN(kinds))];
        snprintf(t->cell[0][at], 40, "%s", what->head);
        if (error)
            snprintf(t->cell[0][at + 1], 40, "%s", error->head);
        for (size_t i = 1; i <= samples; i++) {
            if (rng_below(r, 8) == 0) {
                snprintf(t->cell[i][at], 40, "%s", rng_below(r, 2) ? "n.d." : "–");
                continue;
            }
            double v = what->low + (what->high - what->low) * rng_unit(r), e = NAN;
            v = put_number(t->cell[i][at], v, what->decimals);
            if (error) /* less than the value, of the same decimals, never whole */
                e = put_number(t->cell[i][at + 1], pow(10, -what->decimals) * 3,
                               what->decimals ? what->decimals : 1);
            put_key(&key, t->cell[i][0], what->name, v, what->unit, e,
                    error ? error->kind : "");
            map_put(want, buf_view(&key), NULL);
        }
        at += error ? 2 : 1;
    }
    t->n_rows = samples + 1;
    t->n_columns = at;
    buf_release(&key);
}

static double num_or_nan(jv v)
{
    return json_is_null(v) ? NAN : json_num(v);
}

/* How many lines are facts of `want`; all must be. */
static size_t count_facts(struct sv lines, const struct map *want, uint64_t seed)
{
    struct buf key = BUF_INIT;
    struct map *got = map_new();
    struct sv line;
    while (lines.n && sv_cut(&lines, '\n', &line)) {
        struct rec r;
        struct err err;
        if (!line.n)
            continue;
        assert_int_equal(rec_parse(&r, line, &err), 0);
        jv value = json_get(r.v, "value");
        struct sv head = json_sv(json_get(json_get(r.v, "head"), "name"));
        struct sv of = json_sv(json_get(json_get(r.v, "of"), "name"));
        struct sv unit = json_sv(json_get(value, "unit"));
        struct sv kind = json_sv(json_get(value, "error_kind"));
        buf_reset(&key);
        buf_printf(&key, "%.*s|%.*s|%.9g|%.*s|%.9g|%.*s", SV_ARG(head), SV_ARG(of),
                   num_or_nan(json_get(value, "number")), SV_ARG(unit),
                   num_or_nan(json_get(value, "error")), SV_ARG(kind));
        bool is_new;
        map_put(got, buf_view(&key), &is_new);
        if (map_get(want, buf_view(&key)) == SIZE_MAX || !is_new)
            fail_msg("seed %llu: no such fact: %s", (unsigned long long)seed, buf_cstr(&key));
        rec_release(&r);
    }
    size_t n = map_count(got);
    map_free(got);
    buf_release(&key);
    return n;
}

static void extract(struct sv line, unsigned worker, struct buf *out)
{
    struct rec r;
    struct err err;
    assert_int_equal(rec_parse(&r, line, &err), 0);
    buf_reset(out);
    (void)extract_record(extractor, worker, &r, NULL, 0, out, &err);
    rec_release(&r);
}

static void test_every_cell(void **state)
{
    (void)state;
    struct buf line = BUF_INIT, out = BUF_INIT;
    for (uint64_t round = 0; round < ROUNDS / (UNIT_IS_SLOW ? 10 : 1); round++) {
        uint64_t seed = unit_seed() + round;
        struct rng r = { seed };
        struct table t;
        struct map *want = map_new();
        make_table(&r, &t, want);
        buf_reset(&line);
        json_cells(&t, rng_below(&r, 2), &line);
        extract(buf_view(&line), 0, &out);
        size_t n = count_facts(buf_view(&out), want, seed);
        if (n != map_count(want))
            fail_msg("seed %llu: %zu of %zu facts: %s", (unsigned long long)seed, n,
                     map_count(want), buf_cstr(&line));
        map_free(want);
    }
    buf_release(&line);
    buf_release(&out);
}

/* ---- tables thrown together ---- */

static const char *const pieces[] = {
    "",
    "Sample",
    "Sample",
    "SiO2",
    "SiO2 (wt%)",
    "ppm",
    "(wt%)",
    "Rb (ppm)",
    "±2σ",
    "2σ %",
    "1 s.d.",
    "87Sr/86Sr",
    "εNd(t)",
    "δ18O",
    "Age (Ma)",
    "Ages",
    "(Ma)",
    "Total",
    "Mean",
    "D.L.",
    "b.d.l.",
    "<0.05",
    "12.3*",
    "301a",
    "0.7032 ± 12",
    "0.51231(8)",
    "1,234",
    "12,5",
    "12 345",
    "1\\u2009250",
    "–",
    "n.d.",
    "Basalts",
    "Unit",
    "BHVO-2",
    "A-1",
    "BH-12",
    "1",
    "2.1",
    "core",
    "rim",
    "Location",
    "Etna",
    "Rock type",
    "Cations",
    "Trace elements (ppm)",
    "10⁻⁶",
    "±",
    "2σ (×10⁻⁶)",
    "(",
    ")",
    "()",
    "[ppm]",
    "( ",
    "%",
    "±%",
    "207Pb*/206Pb*",
    "f206",
    "T (°C)",
    "P (GPa)",
    "Method",
    "Olivine",
    "Sample 12BL-3 (granite)",
    "x",
    "*",
    "Δ",
    "Pb*",
};

static const char *const captions[] = {
    "",
    "Major (wt%) and trace elements (ppm) of basalts from Etna, Italy, by XRF and ICP-MS",
    "Numbers in parentheses are 1σ.",
    "in ",
    "(",
    "wt% for oxides, ppm for traces; δ relative to VSMOW (‰)",
    "Modal mineralogy (vol%)",
    "Chondrite-normalized",
    "by TIMS. and TIMS/ICP-MS, ",
};

static void put_random_table(struct rng *r, struct buf *out)
{
    size_t rows = rng_below(r, 9), columns = 1 + rng_below(r, 8);
    buf_reset(out);
    buf_str(out,
            "{\"id\":\"P#0\",\"paper\":\"P\",\"kind\":\"table\",\"text\":\"x\",\"table\":{");
    buf_printf(out, "\"caption\":\"%s\",", captions[rng_below(r, ARRAY_LEN(captions))]);
    if (rng_below(r, 2))
        buf_printf(out, "\"notes\":\"%s\",", captions[rng_below(r, ARRAY_LEN(captions))]);
    buf_printf(out, "\"header_rows\":%u,\"rows\":[", (unsigned)rng_below(r, 4));
    for (size_t i = 0; i < rows; i++) {
        buf_str(out, i ? ",[" : "[");
        size_t n = rng_below(r, 6) ? columns : rng_below(r, columns + 1);
        for (size_t j = 0; j < n; j++)
            buf_printf(out, "%s\"%s\"", j ? "," : "", pieces[rng_below(r, ARRAY_LEN(pieces))]);
        buf_char(out, ']');
    }
    buf_str(out, "]}}");
}

static void test_random_tables(void **state)
{
    (void)state;
    struct buf line = BUF_INIT, out = BUF_INIT, again = BUF_INIT;
    for (uint64_t round = 0; round < 20 * ROUNDS / (UNIT_IS_SLOW ? 10 : 1); round++) {
        struct rng r = { unit_seed() + round };
        struct rec rec;
        struct err err;
        struct sv rest, one;
        put_random_table(&r, &line);
        extract(buf_view(&line), 0, &out);
        extract(buf_view(&line), 1, &again);
        assert_true(sv_eq(buf_view(&out), buf_view(&again)));
        for (rest = buf_view(&out); rest.n && sv_cut(&rest, '\n', &one);) {
            if (!one.n)
                continue;
            if (rec_parse(&rec, one, &err) < 0)
                fail_msg("seed %llu: %s: %.*s", (unsigned long long)(unit_seed() + round),
                         err.msg, SV_ARG(one));
            rec_release(&rec);
        }
    }
    buf_release(&line);
    buf_release(&out);
    buf_release(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_cell),
                                        cmocka_unit_test(test_random_tables) };
    return cmocka_run_group_tests(tests, load_extractor, unload_extractor);
}
