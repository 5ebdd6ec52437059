// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-grobid2json_tei.c — any bytes as a TEI, JATS or Elsevier file: refused, or a record
 * that keeps its laws
 */
#include "json.h"
#include "tei.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Spans of all kinds lie inside their text, which has tidy blanks. */
static void check_spans(struct sv text, jv spans)
{
    static const char *const kinds[] = { "refs", "marks", "annotations", "blocks", "sections" };
    double n = (double)utf8_count(text);
    if (sv_find(text, SV("  "), 0) != SIZE_MAX)
        abort();
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        jv list = json_get(spans, kinds[k]);
        for (size_t i = 0; i < json_len(list); i++) {
            double start = json_num(json_get(json_at(list, i), "start"));
            double end = json_num(json_get(json_at(list, i), "end"));
            if (!(start >= 0 && start <= end && end <= n))
                abort();
        }
    }
}

/* The texts of an object that have spans beside them. */
static void check_members(jv object)
{
    static const char *const keys[][2] = {
        { "title", "title_spans" }, { "abstract", "abstract_spans" },
        { "head", "head_spans" },   { "caption", "caption_spans" },
        { "notes", "notes_spans" }, { "text", "text_spans" },
    };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        check_spans(json_sv(json_get(object, keys[i][0])), json_get(object, keys[i][1]));
}

static void check_record(jv record)
{
    static const char *const lists[] = { "sections", "footnotes", "tables", "figures",
                                         "references" };
    check_members(record);
    for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
        jv list = json_get(record, lists[k]);
        for (size_t i = 0; i < json_len(list); i++) {
            jv item = json_at(list, i);
            check_members(item);
            if (k < 2) /* these have one text, and its spans beside it */
                check_spans(json_sv(json_get(item, "text")), item);
        }
    }
    jv back = json_get(record, "back"), value;
    struct sv key;
    for (size_t i = 0; json_each(back, &i, &key, &value);)
        check_spans(json_sv(value), json_get(json_get(record, "back_spans"), key.p));
}

static void convert(const struct tei_cfg *cfg, struct sv bytes)
{
    struct rec r = { .line = SV("x.xml"), .file = "x.xml", .warnings = NULL };
    struct buf out = BUF_INIT;
    struct err err = { 0 };
    if (tei_convert(cfg, &r, bytes, &out, &err) == 0) {
        struct sv rest = buf_view(&out), line; /* a file may hold several articles */
        if (utf8_check(rest) != SIZE_MAX)
            abort();
        while (sv_cut(&rest, '\n', &line)) {
            jv v;
            if (!line.n)
                continue;
            if (json_parse(&v, line, &err) < 0)
                abort();
            check_record(v);
            json_free(v);
        }
    } else if (out.len || !err.msg[0] || err.code != EXIT_REJECTED) {
        abort();
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_ready;
    if (!is_ready)
        tei_setup();
    is_ready = true;
    static const struct tei_cfg plain = { 0 };
    static const struct tei_cfg other = { .has_coords = true, .formulas = TEI_FORMULAS_APART };
    convert(&plain, (struct sv){ (const char *)data, size });
    convert(&other, (struct sv){ (const char *)data, size });
    return 0;
}
