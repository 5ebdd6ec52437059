// SPDX-License-Identifier: MIT
/*
 * test_vocab.c — names in running text, with the project's own vocabularies and with small ones
 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <time.h>

#include "file.h"
#include "rng.h"
#include "utf8.h"
#include "vocab.h"

static struct vocab *vocab;

static int load(void **state)
{
    (void)state;
    struct err err;
    vocab = vocab_load("data/vocab", &err);
    return vocab ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    vocab_free(vocab);
    return 0;
}

/* What is found, as "type:name@text" joined by "; ", weak ones in brackets. */
static void found(const char *text, struct buf *out)
{
    struct entities list = { 0 };
    struct sv s = sv_from(text);
    vocab_scan(vocab, s, &list);
    buf_reset(out);
    for (size_t i = 0; i < list.n; i++) {
        const struct entity *e = &list.items[i];
        assert_true(e->start < e->end && e->end <= s.n);
        buf_str(out, i ? "; " : "");
        buf_str(out, e->weak ? "(" : "");
        buf_str(out, e->type);
        buf_char(out, ':');
        buf_sv(out, entity_name(vocab, e));
        buf_char(out, '@');
        buf_sv(out, sv_from_to(s, e->start, e->end));
        buf_str(out, e->weak ? ")" : "");
    }
    entities_release(&list);
    buf_cstr(out);
}

static const char *const texts[][2] = {
    { "", "" },
    { "nothing of interest here", "" },
    { "a zircon crystal", "mineral:zircon@zircon" },
    /* whole names, and what is only beside them */
    { "grey felsic volcaniclastic sandstone", "rock:felsic volcaniclastic sandstone@felsic "
                                              "volcaniclastic sandstone" },
    { "Carboniferous limestone", "geologic_time:Carboniferous@Carboniferous; "
                                 "rock:limestone@limestone" },
    { "metapelitic schist", "rock:metapelite@metapelitic schist" },
    { "Fe-chlorite, ferroan dolomite", "mineral:Fe-chlorite@Fe-chlorite; mineral:ferroan "
                                       "dolomite@ferroan dolomite" },
    { "silty dolomite, dolomite",
      "rock:silty dolomite@silty dolomite; rock:dolostone@dolomite" },
    { "the Hawkesbury Sandstone is", "location:Hawkesbury Sandstone@Hawkesbury Sandstone" },
    { "Early or Late Jurassic", "geologic_time:Lower Jurassic@Early; geologic_time:Upper "
                                "Jurassic@Late Jurassic" },
    /* names that need others of the field */
    { "mixing and closure", "(process:mixing@mixing); (process:isotopic resetting@closure)" },
    { "mixing of basalt", "process:mixing@mixing; rock:basalt@basalt" },
    { "Qz, then Pl", "(mineral:quartz@Qz); (mineral:plagioclase@Pl)" },
    { "Qz + Pl + Bt", "mineral:quartz@Qz; mineral:plagioclase@Pl; mineral:biotite@Bt" },
    { "Lake et al.", "(setting:lake@Lake)" },
    { "Zircons and OLIVINE", "mineral:zircon@Zircons; mineral:olivine@OLIVINE" },
    { "basalts, rhyolites", "rock:basalt@basalts; rock:rhyolite@rhyolites" },
    { "zirconology", "" },
    { "clinopyrox-\nene", "mineral:clinopyroxene@clinopyrox-\nene" },
    { "clino-pyroxene", "mineral:clinopyroxene@clino-pyroxene" },
    { "LA-ICP-\nMS", "method:LA-ICP-MS@LA-ICP-\nMS" },
    { "LA ICP MS", "method:LA-ICP-MS@LA ICP MS" },
    { "LA\xe2\x80\x93ICP\xe2\x80\x93MS", "method:LA-ICP-MS@LA\xe2\x80\x93ICP\xe2\x80\x93MS" },
    { "zircon12 was", "mineral:zircon@zircon" },
    { "\xe2\x81\xb8\xe2\x81\xb7Sr/\xe2\x81\xb8\xe2\x81\xb6Sr",
      "isotope_ratio:87Sr/86Sr@\xe2\x81\xb8\xe2\x81\xb7Sr/\xe2\x81\xb8\xe2\x81\xb6Sr" },
    { "\xce\xb4"
      "18O of calcite",
      "isotope_delta:\xce\xb4"
      "18O@\xce\xb4"
      "18O; mineral:calcite@calcite" },
    { "SiO2 and SiO 2", "oxide:SiO2@SiO2; oxide:SiO2@SiO 2" },
    { "35 ppm U and 2 ppm K", "element:uranium@U; element:potassium@K" },
    { "U, Th and Pb", "element:uranium@U; element:thorium@Th; element:lead@Pb" },
    { "this may lead to melting of lead isotopes",
      "(element:lead@lead); process:partial melting@melting; element:lead@lead" },
    { "the msr of bsr", "" },
    { "Cretaceous", "geologic_time:Cretaceous@Cretaceous" },
    { "the Archean-\naged granite", "geologic_time:Archean@Archean; rock:granite@granite" },
};

static void test_texts(void **state)
{
    (void)state;
    struct buf got = BUF_INIT;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        found(texts[i][0], &got);
        if (strcmp(buf_cstr(&got), texts[i][1]) != 0)
            fail_msg("\"%s\": \"%s\", not \"%s\"", texts[i][0], buf_cstr(&got), texts[i][1]);
    }
    buf_release(&got);
}

/* An empty line ends a name; nothing is found across it. */
static void test_empty_line(void **state)
{
    (void)state;
    struct buf got = BUF_INIT;
    found("LA-ICP-\n\nMS", &got);
    assert_null(strstr(buf_cstr(&got), "LA-ICP-MS@"));
    buf_release(&got);
}

static void test_find(void **state)
{
    (void)state;
    static const struct {
        const char *name, *type, *want;
    } cases[] = {
        { "zircon", NULL, "zircon" },
        { " Zircons ", NULL, "zircon" },
        { "U", NULL, "uranium" },
        { "In", "element", "indium" },
        { "uranium", "element", "uranium" },
        { "87Sr/86Sr", NULL, "87Sr/86Sr" },
        { "d18O", NULL,
          "\xce\xb4"
          "18O" },
        { "zircon", "rock", NULL },
        { "zircon rock", NULL, NULL },
        { "", NULL, NULL },
        { "no such", NULL, NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t entry = vocab_find(vocab, sv_from(cases[i].name), cases[i].type);
        if (!cases[i].want) {
            assert_int_equal(entry, VOCAB_NONE);
            continue;
        }
        if (entry == VOCAB_NONE)
            fail_msg("\"%s\" is not found", cases[i].name);
        assert_sv(vocab_name(vocab, entry), cases[i].want);
    }
}

/* Every name and synonym that is no acronym is found as a whole, under its own type. */
static void test_every_name(void **state)
{
    (void)state;
    size_t lost = 0;
    for (uint32_t i = 0; i < vocab_count(vocab); i++) {
        struct sv name = vocab_name(vocab, i);
        if (vocab_find(vocab, name, vocab_type(vocab, i)) == VOCAB_NONE) {
            if (lost++ < 10)
                print_message("# lost: %s:%.*s\n", vocab_type(vocab, i), SV_ARG(name));
        }
    }
    print_message("# %zu of %zu names are not found as a whole\n", lost, vocab_count(vocab));
    assert_true(lost * 200 < vocab_count(vocab)); /* "I-", "F-": read as notation */
}

static void test_attr(void **state)
{
    (void)state;
    uint32_t entry = vocab_find(vocab, SV("uranium"), "element");
    struct sv value;
    assert_true(vocab_attr(vocab, entry, "symbol", &value));
    assert_sv(value, "U");
    assert_false(vocab_attr(vocab, entry, "symbo", &value));
    assert_false(vocab_attr(vocab, entry, "half_life", &value));
    assert_string_equal(vocab_type(vocab, entry), "element");
    assert_true(vocab_synonyms(vocab, vocab_find(vocab, SV("aluminium"), NULL)).n > 0);
}

static void test_ids(void **state)
{
    (void)state;
    struct entities list = { 0 };
    struct buf id = BUF_INIT;
    vocab_scan(vocab, SV("Basalts with \xe2\x81\xb8\xe2\x81\xb7Sr/\xe2\x81\xb8\xe2\x81\xb6Sr"),
               &list);
    assert_int_equal(list.n, 2);
    entity_id(vocab, &list.items[0], &id);
    assert_string_equal(buf_cstr(&id), "rock:basalt");
    buf_reset(&id);
    entity_id(vocab, &list.items[1], &id);
    assert_string_equal(buf_cstr(&id), "isotope_ratio:87sr/86sr");
    buf_release(&id);
    entities_release(&list);
}

/* ---- small vocabularies ---- */

static void write_file(const char *dir, const char *name, const char *text)
{
    struct buf path = BUF_INIT;
    struct out o;
    struct err err;
    buf_printf(&path, "%s/%s", dir, name);
    assert_int_equal(out_open(&o, buf_cstr(&path), &err), 0);
    out_put(&o, sv_from(text));
    assert_int_equal(out_close(&o, &err), 0);
    buf_release(&path);
}

static void remove_file(const char *dir, const char *name)
{
    struct buf path = BUF_INIT;
    buf_printf(&path, "%s/%s", dir, name);
    unlink(buf_cstr(&path));
    buf_release(&path);
}

/* Rows of one's own come before all others, the last first. */
static void test_add(void **state)
{
    (void)state;
    char dir[] = "/tmp/gr-vocab.XXXXXX", one[64], two[64], bad[64];
    struct err err;
    assert_non_null(mkdtemp(dir));
    snprintf(one, sizeof one, "%s/rock.tsv", dir);
    snprintf(two, sizeof two, "%s/own_2.tsv", dir);
    snprintf(bad, sizeof bad, "%s/Rock.tsv", dir);
    write_file(dir, "rock.tsv", "name\tsynonyms\tattrs\nTill\tlead\tmatch=case\nbasalt\t\t\n");
    struct vocab *v = vocab_load(dir, &err);
    assert_non_null(v);
    write_file(dir, "rock.tsv", "name\tsynonyms\tattrs\nfirst\ttill\t\nsecond\ttill\t\n");
    assert_int_equal(vocab_add(v, one, &err), 0);
    struct entities list = { 0 };
    vocab_scan(v, SV("Till and basalts"), &list);
    assert_int_equal(list.n, 2);
    assert_true(sv_is(vocab_name(v, list.items[0].entry), "second"));
    assert_true(sv_is(vocab_name(v, list.items[1].entry), "basalt"));
    write_file(dir, "own_2.tsv", "name\tsynonyms\tattrs\nthird\tTILL|basalt\tkind=x\n");
    assert_int_equal(vocab_add(v, two, &err), 0);
    vocab_scan(v, SV("till, basalt"), &list);
    assert_int_equal(list.n, 2); /* "TILL" looks like an acronym: only as it is written */
    assert_true(sv_is(vocab_name(v, list.items[0].entry), "second"));
    assert_string_equal(list.items[1].type, "own_2");
    assert_int_equal(vocab_find(v, SV("basalt"), "rock"), 1);
    write_file(dir, "Rock.tsv", "name\tsynonyms\tattrs\n");
    assert_int_equal(vocab_add(v, bad, &err), -1);
    assert_non_null(strstr(err.msg, "expected small letters"));
    write_file(dir, "rock.tsv", "name\tsynonyms\tattrs\na\tb\tc\n");
    assert_int_equal(vocab_add(v, one, &err), -1);
    assert_non_null(strstr(err.msg, "rock.tsv:2: third column"));
    assert_int_equal(err.code, EXIT_FATAL);
    entities_release(&list);
    vocab_free(v);
    remove_file(dir, "rock.tsv");
    remove_file(dir, "Rock.tsv");
    remove_file(dir, "own_2.tsv");
    rmdir(dir);
}

static void test_files(void **state)
{
    (void)state;
    char dir[] = "/tmp/gr-vocab.XXXXXX";
    struct err err;
    assert_non_null(mkdtemp(dir));
    assert_null(vocab_load("/no/such/folder", &err));
    assert_int_equal(err.code, EXIT_FATAL);
    assert_null(vocab_load(dir, &err)); /* empty */
    assert_non_null(strstr(err.msg, "no vocabulary"));
    write_file(dir, "rock.tsv", "wrong\n");
    assert_null(vocab_load(dir, &err));
    assert_non_null(strstr(err.msg, "rock.tsv:1: expected the header"));
    write_file(dir, "rock.tsv", "name\tsynonyms\tattrs\nbasalt\n\tx\t\n");
    assert_null(vocab_load(dir, &err));
    assert_non_null(strstr(err.msg, "rock.tsv:3: empty name"));
    write_file(dir, "rock.tsv", "name\tsynonyms\tattrs\nbas\xff\n");
    assert_null(vocab_load(dir, &err));
    assert_non_null(strstr(err.msg, "UTF-8"));
    write_file(dir, "rock.tsv",
               "\xef\xbb\xbfname\tsynonyms\tattrs\r\n# c\r\n\r\nTill\ttillite "
               "rock|Tl\tmatch=case;ambiguous=1\r\nfoo\tfoo bar baz\t\r\n");
    write_file(dir, "own.tsv", "name\tsynonyms\tattrs\nfoo bar\t\t\n");
    write_file(dir, "unit.tsv", "name\tsynonyms\tattrs\nppm\t\tquantity=x\n");
    struct vocab *v = vocab_load(dir, &err);
    assert_non_null(v);
    assert_int_equal(vocab_count(v), 3); /* units are no entities */
    struct entities list = { 0 };
    vocab_scan(v, SV("Till till TILL. foo bar. foo bar baz. foo bar bat. ppm"), &list);
    assert_int_equal(list.n, 4);
    assert_true(list.items[0].weak);
    assert_string_equal(list.items[1].type, "own");
    assert_string_equal(list.items[2].type, "rock");
    assert_int_equal(list.items[2].end - list.items[2].start, 11);
    assert_string_equal(list.items[3].type, "own");
    entities_release(&list);
    vocab_free(v);
    remove_file(dir, "rock.tsv");
    remove_file(dir, "own.tsv");
    remove_file(dir, "unit.tsv");
    rmdir(dir);
    vocab_free(NULL);
}

/* A cue phrase may stand for several relations. */
static void test_same(void **state)
{
    (void)state;
    struct err err;
    struct vocab *cues = vocab_load_file("data/vocab/relation.tsv", &err);
    assert_non_null(cues);
    struct entities list = { 0 };
    vocab_scan_names(cues, SV("is Hosted In and contains"), &list);
    size_t n = 0;
    bool has_contains = false;
    for (size_t i = 0; i < list.n; i++) {
        uint32_t at = 0, entry;
        while ((entry = vocab_same(cues, &list.items[i], &at)) != VOCAB_NONE) {
            has_contains |= sv_is(vocab_name(cues, entry), "Contains");
            n++;
        }
    }
    assert_true(n >= 2);
    assert_true(has_contains);
    entities_release(&list);
    vocab_free(cues);
}

/* Any mixture of pieces: matches are in order, do not overlap, end on characters. */
static void test_property(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "zircon",
        "-",
        "\n",
        " ",
        "basalts",
        "(",
        ")",
        "87Sr/86Sr",
        "\xce\xb4",
        "18O",
        "U",
        "LA",
        "ICP",
        "MS",
        "\xe2\x80\x93",
        ",",
        "lead",
        "s",
        "\xc2\xad",
        "12",
        ".",
        "olivine",
        "\xe2\x81\xb8",
        "ppm",
        "mid",
        "ocean",
        "ridge",
        "\xcc\x81",
        "SiO",
        "2",
    };
    struct entities list = { 0 };
    struct buf text = BUF_INIT;
    uint64_t seed = 42;
    struct rng rng;
    rng = (struct rng){ seed };
    for (int round = 0; round < 3000; round++) {
        buf_reset(&text);
        for (int i = 0; i < 12; i++)
            buf_str(&text, pieces[rng_below(&rng, ARRAY_LEN(pieces))]);
        struct sv s = buf_view(&text);
        vocab_scan(vocab, s, &list);
        size_t last = 0;
        for (size_t i = 0; i < list.n; i++) {
            const struct entity *e = &list.items[i];
            if (e->start < last || e->end <= e->start || e->end > s.n ||
                utf8_floor(s, e->start) != e->start ||
                (e->end < s.n && utf8_floor(s, e->end) != e->end))
                fail_msg("seed %d round %d: \"%s\"", (int)seed, round, buf_cstr(&text));
            last = e->end;
        }
    }
    buf_release(&text);
    entities_release(&list);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* other load does not count */
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Printed, not asserted: machines differ. */
static void test_speed(void **state)
{
    (void)state;
    struct err err;
    double start = now_ms();
    struct vocab *v = vocab_load("data/vocab", &err);
    double load_ms = now_ms() - start;
    struct buf text = BUF_INIT;
    while (text.len < 1 << 20)
        buf_str(&text, "The lavas were erupted along the rift and their zircons record a long "
                       "history of melting below the continent, as earlier workers found. ");
    struct entities list = { 0 };
    start = now_ms();
    vocab_scan(v, buf_view(&text), &list);
    print_message("# load %.1f ms, scan %.0f MB/s\n", load_ms,
                  (double)text.len / (now_ms() - start) / 1e3);
    entities_release(&list);
    buf_release(&text);
    vocab_free(v);
}

/* Lists as the starts of their names, which are two bytes long. */
static void put(struct entities *list, size_t start, size_t end, const char *want)
{
    struct entity e = { .start = start, .end = end, .entry = VOCAB_NONE, .type = "sample" };
    struct buf got = BUF_INIT;
    entities_insert(list, &e);
    for (size_t i = 0; i < list->n; i++)
        buf_printf(&got, "%zu-%zu ", list->items[i].start, list->items[i].end);
    assert_string_equal(buf_cstr(&got), want);
    buf_release(&got);
}

static void test_list(void **state)
{
    (void)state;
    struct entities list = { 0 };
    put(&list, 10, 12, "10-12 ");
    put(&list, 2, 4, "2-4 10-12 ");
    put(&list, 20, 22, "2-4 10-12 20-22 ");
    put(&list, 4, 10, "2-4 4-10 10-12 20-22 ");
    put(&list, 3, 5, "3-5 10-12 20-22 "); /* over two */
    put(&list, 11, 21, "3-5 11-21 ");     /* over two, from within */
    put(&list, 12, 13, "3-5 12-13 ");     /* inside one */
    put(&list, 0, 30, "0-30 ");
    assert_int_equal(entities_behind(&list, 30), 1);
    assert_int_equal(entities_behind(&list, 29), 0);
    assert_int_equal(entities_from(&list, 0), 0);
    assert_int_equal(entities_from(&list, 1), 1);
    entities_release(&list);
}

static void test_is_same(void **state)
{
    (void)state;
    struct entity none = { .entry = VOCAB_NONE }, a = none, b = none, c = none;
    a.type = b.type = "sample";
    c.type = "location";
    memcpy(a.notation, "Gale", 5);
    memcpy(b.notation, "Gale", 5);
    memcpy(c.notation, "Gale", 5);
    assert_true(entity_is_same(&a, &b));
    assert_false(entity_is_same(&a, &c)); /* of another type */
    assert_false(entity_is_same(&a, &none));
    assert_true(entity_is_same(&none, &none));
    memcpy(b.notation, "Gala", 5);
    assert_false(entity_is_same(&a, &b));
    a.entry = b.entry = 7; /* one entry, however it is written */
    assert_true(entity_is_same(&a, &b));
    b.entry = 8;
    assert_false(entity_is_same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),   cmocka_unit_test(test_empty_line),
        cmocka_unit_test(test_find),    cmocka_unit_test(test_every_name),
        cmocka_unit_test(test_attr),    cmocka_unit_test(test_ids),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_add),
        cmocka_unit_test(test_same),    cmocka_unit_test(test_property),
        cmocka_unit_test(test_speed),   cmocka_unit_test(test_list),
        cmocka_unit_test(test_is_same),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
