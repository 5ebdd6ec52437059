// SPDX-License-Identifier: MIT
/*
 * table.c — facts of tables: the name of a row × the head of a column with its unit
 *
 * Tables come in two ways: samples down and measures across ("SiO2 (wt.%)", "87Sr/86Sr",
 * "2SE"), or the other way round. The one whose heads name more measures is taken. Columns of
 * errors belong to the nearest value column on their left.
 */
#include <math.h>

#include "alloc.h"
#include "schema.h"
#include "scratch.h"
#include "utf8.h"

#define MEASURES "element,element_group,oxide,isotope,isotope_ratio,isotope_delta,element_ratio"
#define HOLDERS "rock,mineral,deposit,setting,location,reference_material,geologic_time"
#define COLUMNS_MAX 400

enum role {
    ROLE_NONE,
    ROLE_LABEL,
    ROLE_KIND,
    ROLE_MEASURE,
    ROLE_AGE,
    ROLE_CONDITION,
    ROLE_ERROR
};

struct column {
    enum role role;
    struct buf head;
    struct node what; /* ROLE_MEASURE */
    struct chem_name {
        char text[CHEM_MAX];
    } notation; /* where what.name may point */
    bool is_ratio;
    uint32_t unit;
    const char *relation;
    const char *error_kind;
    size_t error_column; /* of a value column, SIZE_MAX: none */
};

struct grid {
    struct extractor *x;
    struct scratch *w;
    jv rows;
    size_t n_rows, n_columns, n_header;
    bool is_turned; /* measures down, samples across */
    struct sv caption;
    struct column *columns; /* (n of across) */
    struct buf cell;        /* the last cell asked for, in normal form C */
    const struct source *source;
    size_t *line_start, *line_end; /* (n_rows) of each row in the text; SIZE_MAX: none */
};

/* ---- cells
 * ----------------------------------------------------------------------------------- */

static struct sv raw_cell(const struct grid *g, size_t row, size_t column)
{
    return sv_trim(json_sv(json_at(json_at(g->rows, row), column)));
}

/* Valid until the next call. */
static struct sv cell(struct grid *g, size_t row, size_t column)
{
    buf_reset(&g->cell);
    utf8_nfc(&g->cell, raw_cell(g, row, column));
    return sv_trim(buf_view(&g->cell));
}

/* The table as if samples went down: n records, m columns. */
static size_t n_across(const struct grid *g)
{
    return g->is_turned ? g->n_rows - g->n_header : g->n_columns;
}

static size_t n_down(const struct grid *g)
{
    return g->is_turned ? g->n_columns - 1 : g->n_rows - g->n_header;
}

static struct sv value_cell(struct grid *g, size_t record, size_t column)
{
    return g->is_turned ? cell(g, g->n_header + column, record + 1)
                        : cell(g, g->n_header + record, column);
}

static void header_text(struct grid *g, size_t column, struct buf *out)
{
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = cell(g, i, column);
        if (!text.n || sv_ends(buf_view(out), text))
            continue;
        if (out->len)
            buf_char(out, ' ');
        buf_sv(out, text);
    }
}

/* ---- columns
 * --------------------------------------------------------------------------------- */

static bool has_word(struct sv text, const char *const words[], size_t n)
{
    for (size_t pos = 0; pos < text.n;) {
        size_t start = pos;
        while (pos < text.n && ((text.p[pos] | 32) >= 'a' && (text.p[pos] | 32) <= 'z'))
            pos++;
        struct sv word = sv_from_to(text, start, pos);
        for (size_t i = 0; word.n && i < n; i++)
            if (vocab_word_is(word, words[i]))
                return true;
        pos += word.n ? 0 : 1;
    }
    return false;
}

/* "(wt.%)", "[ppm]", ", ‰": the unit of a head. */
static uint32_t unit_of_head(const struct grid *g, struct sv head)
{
    for (size_t i = head.n; i-- > 0;) {
        if (head.p[i] != '(' && head.p[i] != '[' && head.p[i] != ',')
            continue;
        uint32_t unit = units_find(g->x->units, sv_from_to(head, i + 1, head.n));
        if (unit != UNIT_NONE)
            return unit;
    }
    size_t space = sv_find(head, SV(" "), 0);
    return space == SIZE_MAX ? UNIT_NONE
                             : units_find(g->x->units, sv_from_to(head, space + 1, head.n));
}

static bool type_in(const char *types, const char *type)
{
    return relate_allows(sv_from(types), type);
}

/* The first measure a head names. */
static bool measure_of_head(struct grid *g, struct column *col)
{
    struct entities *names = &g->w->names;
    struct sv head = buf_view(&col->head);
    vocab_scan(g->x->vocab, head, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        /* "C-3" is a sample, "C (wt.%)" is carbon */
        bool is_label = e->weak && e->end < head.n && !strchr(" ([,", head.p[e->end]);
        if (!type_in(MEASURES, e->type) || (e->weak && e->start > 0) || is_label)
            continue;
        memcpy(col->notation.text, e->notation, sizeof e->notation);
        col->what.type = e->type;
        col->what.name = e->entry == VOCAB_NONE ? sv_from(col->notation.text)
                                                : vocab_name(g->x->vocab, e->entry);
        col->is_ratio = strcmp(e->type, "isotope_ratio") == 0 ||
                        strcmp(e->type, "isotope_delta") == 0 ||
                        strcmp(e->type, "element_ratio") == 0;
        return true;
    }
    /* a symbol that chem.h leaves alone in prose: "In", "As", "No" */
    size_t end = 0;
    while (end < head.n && ((head.p[end] | 32) >= 'a' && (head.p[end] | 32) <= 'z'))
        end++;
    bool is_alone = end == head.n || strchr(" ([,", head.p[end]); /* not "S1" */
    int z = is_alone && end <= 2 ? chem_symbol(sv_from_to(head, 0, end)) : 0;
    uint32_t entry =
        z ? vocab_find(g->x->vocab, sv_from_to(head, 0, end), "element") : VOCAB_NONE;
    if (entry == VOCAB_NONE || sv_is(sv_from_to(head, 0, end), "No"))
        return false;
    col->what = (struct node){ "element", vocab_name(g->x->vocab, entry) };
    return true;
}

/* A head that is an error and nothing else, or ends in one: "2SE", "± 2σ", "δ56Fe 2SD". */
static const char *error_of_head(struct sv head)
{
    static const char *const words[] = { "error", "err", "uncertainty", "stdev", "std" };
    const char *kind = quantity_error_kind(head);
    if (kind)
        return kind;
    bool has_sign = sv_starts(head, SV("\xc2\xb1")) || sv_starts(head, SV("+/-"));
    size_t space = head.n;
    while (space > 0 && head.p[space - 1] != ' ')
        space--;
    kind = space ? quantity_error_kind(sv_from_to(head, space, head.n)) : NULL;
    if (kind && head.p[space] != '(')
        return kind;
    return has_sign || has_word(head, words, ARRAY_LEN(words)) ? "" : NULL;
}

static bool has_label_word(struct sv head)
{
    static const char *const labels[] = { "sample",   "samples", "spot",  "specimen", "grain",
                                          "analysis", "id",      "label", "name",     "core" };
    return has_word(head, labels, ARRAY_LEN(labels));
}

static bool has_power(struct sv head)
{
    for (size_t at = 0; (at = sv_find(head, SV("10"), at)) != SIZE_MAX; at += 2) {
        size_t next = at + 2;
        uint32_t cp = next < head.n ? utf8_next(head, &next) : ' ';
        bool is_super = cp >= 0x80 && (utf8_digit_value(cp) >= 0 || cp == 0x207B);
        bool is_times = at > 0 && (head.p[at - 1] == 'x' || head.p[at - 1] == '*');
        if (is_super || is_times || cp == 0x2212 || cp == '-' || cp == '^' ||
            sv_find(head, SV("\xc3\x97"), 0) != SIZE_MAX)
            return true;
    }
    return false;
}

static void read_column(struct grid *g, struct column *col, bool is_first)
{
    static const char *const kinds[] = { "rock",     "rocks",    "lithology", "mineral",
                                         "minerals", "phase",    "material",  "type",
                                         "location", "locality", "facies",    "unit" };
    static const char *const ages[] = { "age", "ages", "date", "dates" };
    static const char *const conditions[] = { "t",    "th",       "tm",         "p",
                                              "temp", "pressure", "temperature" };
    struct sv head = buf_view(&col->head);
    col->error_column = SIZE_MAX;
    if (has_power(head))
        return; /* "10⁹ mol/yr", "× 10⁻⁶": nobody knows which way it is meant */
    col->unit = unit_of_head(g, head);
    enum unit_kind kind = units_kind(g->x->units, col->unit);
    col->error_kind = error_of_head(head);
    if (col->error_kind) {
        col->role = ROLE_ERROR;
    } else if (kind == UNIT_AGE &&
               (has_word(head, ages, ARRAY_LEN(ages)) || !measure_of_head(g, col))) {
        col->role = ROLE_AGE;
        col->relation = "Has Age";
    } else if (has_label_word(head)) {
        col->role = ROLE_LABEL;
    } else if (measure_of_head(g, col)) {
        col->role = ROLE_MEASURE;
        col->relation = col->is_ratio ? "Has Value" : "Has Concentration";
    } else if ((kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE) &&
               has_word(head, conditions, ARRAY_LEN(conditions))) {
        col->role = ROLE_CONDITION;
        col->relation = kind == UNIT_PRESSURE ? "Has Pressure" : "Has Temperature";
    } else if (has_word(head, kinds, ARRAY_LEN(kinds))) {
        col->role = ROLE_KIND;
    } else if (is_first) {
        col->role = ROLE_LABEL;
    }
}

static bool is_value(const struct column *col)
{
    return col->role == ROLE_MEASURE || col->role == ROLE_AGE || col->role == ROLE_CONDITION;
}

static void free_columns(struct grid *g, size_t n)
{
    for (size_t i = 0; g->columns && i < n; i++)
        buf_release(&g->columns[i].head);
    free(g->columns);
    g->columns = NULL;
}

/* Units a caption gives for oxides and elements without one of their own. */
static uint32_t unit_of_caption(const struct grid *g, const struct column *col)
{
    if (col->role != ROLE_MEASURE || col->is_ratio)
        return UNIT_NONE;
    bool oxide = strcmp(col->what.type, "oxide") == 0;
    uint32_t found = UNIT_NONE;
    for (size_t i = 0; i < g->caption.n; i++) {
        bool at_word = i == 0 || strchr(" ([", g->caption.p[i - 1]);
        size_t end;
        uint32_t unit = at_word ? units_match(g->x->units, g->caption, i, &end) : UNIT_NONE;
        if (units_kind(g->x->units, unit) != UNIT_FRACTION)
            continue;
        struct sv name = units_name(g->x->units, unit);
        if (oxide != (sv_is(name, "wt%") || sv_is(name, "%")))
            continue;
        if (found != UNIT_NONE && found != unit)
            return UNIT_NONE; /* two of them: which one? */
        found = unit;
    }
    return found;
}

/* Read the heads in one orientation; how many values it has. */
static size_t read_columns(struct grid *g)
{
    size_t n = n_across(g), values = 0, last = SIZE_MAX;
    uint32_t carried = UNIT_NONE;
    g->columns = alloc_zero(n + 1, sizeof *g->columns);
    for (size_t j = 0; j < n; j++) {
        struct column *col = &g->columns[j];
        if (g->is_turned)
            buf_sv(&col->head, cell(g, g->n_header + j, 0));
        else
            header_text(g, j, &col->head);
        if (col->head.len == 0)
            continue;
        read_column(g, col, j == 0 && !g->is_turned);
        if (g->is_turned && !is_value(col) && col->unit != UNIT_NONE)
            carried = col->unit; /* "Trace elements (ppm)" over the rows that follow */
        if (is_value(col)) {
            if (col->unit == UNIT_NONE)
                col->unit = col->is_ratio ? UNIT_NONE : carried;
            if (col->unit == UNIT_NONE)
                col->unit = unit_of_caption(g, col);
            values++;
            last = j;
        } else if (col->role == ROLE_ERROR && last != SIZE_MAX &&
                   g->columns[last].error_column == SIZE_MAX) {
            g->columns[last].error_column = j;
        }
    }
    return values;
}

/* ---- records
 * --------------------------------------------------------------------------------- */

/* A row of the text itself is the evidence where the text has one. */
static void set_evidence(struct grid *g, size_t record, size_t column, struct fact *f,
                         struct buf *made, struct sv label)
{
    size_t row = g->n_header + (g->is_turned ? column : record);
    if (g->line_start[row] != SIZE_MAX) {
        f->start = g->line_start[row];
        f->end = g->line_end[row];
        g->w->sink.source.has_offsets = true;
        return;
    }
    g->w->sink.source.has_offsets = false;
    buf_reset(made);
    if (g->caption.n) {
        buf_sv(made, g->caption);
        buf_str(made, ": ");
    }
    buf_sv(made, label);
    if (is_value(&g->columns[column])) {
        buf_str(made, "; ");
        buf_sv(made, buf_view(&g->columns[column].head));
        buf_str(made, ": ");
        buf_sv(made, value_cell(g, record, column));
    }
    f->evidence = buf_view(made);
}

/* A whole cell as a number: true when little else stands in it. */
static bool read_cell(struct grid *g, struct sv text, struct quantity *q)
{
    if (!quantity_at(g->x->units, text, 0, q))
        return false;
    struct sv rest = sv_trim(sv_from_to(text, q->end, text.n));
    return rest.n <= 3 || rest.p[0] == '(';
}

static void read_error(struct grid *g, size_t record, const struct column *col,
                       struct quantity *q)
{
    if (col->error_column == SIZE_MAX || !isnan(q->error))
        return;
    struct quantity e;
    struct sv text = value_cell(g, record, col->error_column);
    if (sv_starts(text, SV("\xc2\xb1")))
        text = sv_trim(sv_from_to(text, 2, text.n));
    if (!read_cell(g, text, &e) || isnan(e.low) || !isnan(e.high))
        return;
    q->error = e.low;
    const char *kind = g->columns[col->error_column].error_kind;
    q->error_kind = kind && kind[0] ? kind : NULL;
}

static double confidence_of(const struct grid *g, const struct column *col,
                            const struct quantity *q)
{
    enum unit_kind kind = units_kind(g->x->units, q->unit);
    if (col->role != ROLE_MEASURE || col->is_ratio)
        return 0.9;
    return kind == UNIT_FRACTION || kind == UNIT_FLUX ? 0.9 : 0.4; /* a content without unit */
}

static void add_values(struct grid *g, size_t record, const struct node *head, struct sv label,
                       struct buf *made)
{
    for (size_t j = 0; j < n_across(g); j++) {
        struct column *col = &g->columns[j];
        struct quantity q;
        if (!is_value(col) || !read_cell(g, value_cell(g, record, j), &q))
            continue;
        if (q.unit == UNIT_NONE)
            q.unit = col->unit;
        if (col->role == ROLE_AGE && units_kind(g->x->units, q.unit) != UNIT_AGE)
            continue;
        read_error(g, record, col, &q);
        struct fact f = {
            .head = *head,
            .tail = { "value", SV_NONE },
            .relation = col->relation,
            .value = &q,
            .of = col->what,
            .confidence = confidence_of(g, col, &q),
            .extractor = "table",
        };
        set_evidence(g, record, j, &f, made, label);
        sink_add(&g->w->sink, &f);
    }
}

/* A name that the whole cell is, of a type that has values. */
static struct node whole_name(struct grid *g, struct sv text)
{
    static const char *const types[] = { "mineral", "rock",     "reference_material",
                                         "deposit", "location", "setting",
                                         "oxide" };
    for (size_t i = 0; i < ARRAY_LEN(types) && text.n; i++) {
        uint32_t entry = vocab_find(g->x->vocab, text, types[i]);
        bool is_oxide = strcmp(types[i], "oxide") == 0;
        if (entry != VOCAB_NONE && (!is_oxide || relate_is_phase(g->x->vocab, entry)))
            return (struct node){ vocab_type(g->x->vocab, entry),
                                  vocab_name(g->x->vocab, entry) };
    }
    return (struct node){ 0 };
}

/* Rows that sum the others up are no samples. */
static bool is_summary(struct sv label)
{
    static const char *const words[] = { "mean", "average", "total",  "sum",   "min",
                                         "max",  "n",       "median", "stdev", "range",
                                         "sd",   "rsd",     "note",   "notes", "references" };
    return has_word(label, words, ARRAY_LEN(words)) || quantity_error_kind(label) != NULL;
}

static void copy_cell(struct buf *to, struct sv text)
{
    buf_reset(to);
    buf_sv(to, text);
}

/* Label and kind of a record: the head of its facts. */
static bool read_head(struct grid *g, size_t record, struct buf *label, struct node *kind)
{
    *kind = (struct node){ 0 };
    if (g->is_turned) {
        buf_reset(label);
        header_text(g, record + 1, label);
        return label->len > 0;
    }
    buf_reset(label);
    for (size_t j = 0; j < n_across(g); j++) {
        const struct column *col = &g->columns[j];
        if (col->role == ROLE_LABEL && !label->len) {
            struct quantity q;
            struct sv text = value_cell(g, record, j);
            /* a bare number is a depth or a count unless the head says "spot 3" */
            bool is_named = has_label_word(buf_view(&col->head));
            if (is_named || !read_cell(g, text, &q))
                copy_cell(label, text);
        } else if (col->role == ROLE_KIND && !kind->type)
            *kind = whole_name(g, value_cell(g, record, j));
    }
    return label->len > 0;
}

static const char *relation_of_kind(const char *type)
{
    if (strcmp(type, "location") == 0)
        return "Located In";
    return strcmp(type, "setting") == 0 || strcmp(type, "deposit") == 0 ? "Occurs In"
                                                                        : "Instance Of";
}

static void add_record(struct grid *g, size_t record, struct buf *label, struct buf *made)
{
    struct node kind, head;
    if (!read_head(g, record, label, &kind) || is_summary(buf_view(label)) || label->len > 60)
        return;
    struct sv name = buf_view(label);
    head = whole_name(g, name);
    if (!head.type)
        head = (struct node){ "sample", name };
    if (kind.type && strcmp(head.type, "sample") == 0) {
        struct fact f = {
            .head = head,
            .tail = kind,
            .relation = relation_of_kind(kind.type),
            .confidence = 0.85,
            .extractor = "table",
        };
        size_t first = 0;
        while (first + 1 < n_across(g) && g->columns[first].role != ROLE_KIND)
            first++;
        set_evidence(g, record, first, &f, made, name);
        sink_add(&g->w->sink, &f);
    }
    add_values(g, record, &head, name, made);
}

/* ---- the table
 * ------------------------------------------------------------------------------- */

/* The last lines of the text are the rows, when there are enough of them. */
static void find_lines(struct grid *g)
{
    struct sv text = g->source->text;
    size_t end = text.n;
    for (size_t i = 0; i < g->n_rows; i++)
        g->line_start[i] = g->line_end[i] = SIZE_MAX;
    for (size_t i = g->n_rows; i-- > g->n_header && end > 0;) {
        bool is_empty = true;
        for (size_t j = 0; j < g->n_columns && is_empty; j++)
            is_empty = raw_cell(g, i, j).n == 0;
        if (is_empty)
            continue;
        size_t start = end;
        while (start > 0 && text.p[start - 1] != '\n')
            start--;
        if (sv_find(sv_from_to(text, start, end), cell(g, i, 0), 0) == SIZE_MAX)
            return;
        g->line_start[i] = start;
        g->line_end[i] = end;
        end = start ? start - 1 : 0;
    }
}

/* A first row without numbers is a head even if nobody said so. */
static size_t guess_header(struct grid *g)
{
    size_t words = 0, numbers = 0;
    for (size_t j = 0; j < g->n_columns; j++) {
        struct sv text = cell(g, 0, j);
        struct quantity q;
        if (text.n)
            (*(read_cell(g, text, &q) ? &numbers : &words))++;
    }
    return words > numbers * 2 ? 1 : 0;
}

static void read_grid(struct grid *g)
{
    struct buf label = BUF_INIT, made = BUF_INIT;
    size_t across = read_columns(g);
    struct column *straight = g->columns;
    size_t n_straight = n_across(g), turned = 0;
    g->is_turned = true;
    if (g->n_columns > 1)
        turned = read_columns(g);
    if (g->n_columns < 2 || across >= turned) {
        if (g->n_columns > 1)
            free_columns(g, n_across(g));
        g->is_turned = false;
        g->columns = straight;
    } else {
        struct column *keep = g->columns;
        g->columns = straight;
        free_columns(g, n_straight);
        g->columns = keep;
    }
    if (across || turned)
        for (size_t i = 0; i < n_down(g); i++)
            add_record(g, i, &label, &made);
    free_columns(g, n_across(g));
    buf_release(&label);
    buf_release(&made);
}

int table_read(struct extractor *x, struct scratch *w, jv table, const struct source *source,
               struct err *err)
{
    struct grid g = { .x = x, .w = w, .rows = jv_null(), .source = source };
    double n_header = 0;
    if (!json_is_object(table))
        return err_set(err, EXIT_REJECTED, "field \"table\": expected object");
    if (json_opt_array(table, "rows", &g.rows, err) < 0 ||
        json_opt_num(table, "header_rows", &n_header, err) < 0 ||
        json_opt_str(table, "caption", &g.caption, err) < 0)
        return err_prefix(err, "field \"table\"");
    g.n_rows = json_len(g.rows);
    for (size_t i = 0; i < g.n_rows; i++) {
        if (!json_is_array(json_at(g.rows, i)))
            return err_set(err, EXIT_REJECTED, "field \"table\": row %zu is no array", i);
        size_t n = json_len(json_at(g.rows, i));
        g.n_columns = n > g.n_columns ? n : g.n_columns;
    }
    if (g.n_columns > COLUMNS_MAX || g.n_rows < 2 || g.n_columns < 2)
        return 0;
    g.n_header =
        n_header >= 1 && n_header < (double)g.n_rows ? (size_t)n_header : guess_header(&g);
    sink_source(&w->sink, source);
    if (g.n_header) {
        g.line_start = alloc_array(g.n_rows, sizeof *g.line_start);
        g.line_end = alloc_array(g.n_rows, sizeof *g.line_end);
        find_lines(&g);
        read_grid(&g);
    }
    free(g.line_start);
    free(g.line_end);
    buf_release(&g.cell);
    return 0;
}
