// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-grobid2json_tei.c — any bytes as a TEI, JATS or Elsevier file: refused, or a record
 * that keeps its laws
 */
#include "json.h"
#include "tei.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Spans lie inside their text, and the text is one line of tidy blanks. */
static void check_sections(jv record)
{
    jv sections = json_get(record, "sections");
    for (size_t i = 0; i < json_len(sections); i++) {
        struct sv text = json_sv(json_get(json_at(sections, i), "text"));
        double n = (double)utf8_count(text);
        if (sv_find(text, SV("  "), 0) != SIZE_MAX)
            abort();
        jv refs = json_get(json_at(sections, i), "refs");
        for (size_t k = 0; k < json_len(refs); k++) {
            double start = json_num(json_get(json_at(refs, k), "start"));
            double end = json_num(json_get(json_at(refs, k), "end"));
            if (!(start >= 0 && start <= end && end <= n))
                abort();
        }
    }
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
            check_sections(v);
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
