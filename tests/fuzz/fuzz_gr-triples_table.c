// SPDX-License-Identifier: MIT
/*
 * fuzz_gr-triples_table.c — any table through the extractor; its lines are records again
 *
 * First line: rows of heads, first_row, and the caption behind a blank; then a row a line,
 * cells parted by '|'.
 */
#include "extract_use.h"
#include "schema.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_cells(struct buf *b, struct sv line)
{
    struct sv cell;
    json_open(b, '[');
    while (line.n && sv_cut(&line, '|', &cell))
        json_put_str(b, cell);
    json_close(b, ']');
}

static void make_record(struct buf *b, struct sv s)
{
    struct sv first = SV_NONE, line;
    sv_cut(&s, '\n', &first);
    json_open(b, '{');
    json_add_str(b, "id", SV("c"));
    json_add_str(b, "paper", SV("p"));
    json_add_str(b, "kind", SV("table"));
    json_add_str(b, "text", s.n ? s : SV("x"));
    json_key(b, "table");
    json_open(b, '{');
    json_add_num(b, "header_rows", first.n ? first.p[0] - '0' : 0);
    json_add_num(b, "first_row", first.n > 1 ? first.p[1] - '0' : 0);
    json_add_str(b, "label", SV("4"));
    json_add_str(b, "section", first);
    json_add_str(b, "caption", sv_from_to(first, first.n < 3 ? first.n : 3, first.n));
    json_key(b, "above");
    put_cells(b, first);
    json_key(b, "rows");
    json_open(b, '[');
    while (s.n && sv_cut(&s, '\n', &line))
        put_cells(b, line);
    json_close(b, ']');
    json_close(b, '}');
    json_close(b, '}');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sv s = { (const char *)data, size };
    struct buf out = BUF_INIT, record = BUF_INIT;
    struct rec r;
    struct err err;
    struct extractor *extractor = extractor_of_all();
    if (!extractor || size > 16384 || utf8_check(s) != SIZE_MAX)
        return 0;
    make_record(&record, s);
    if (rec_parse(&r, buf_view(&record), &err) < 0)
        abort();
    (void)extract_record(extractor, 0, &r, NULL, 0, &out, &err);
    rec_release(&r);
    check_lines(buf_view(&out));
    buf_release(&record);
    buf_release(&out);
    return 0;
}
