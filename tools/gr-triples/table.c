// SPDX-License-Identifier: MIT
/*
 * table.c — facts of tables: the name of a row × the head of a column with its unit
 *
 * Tables come in two ways: samples down and measures across ("SiO2 (wt.%)", "87Sr/86Sr",
 * "2SE"), or the other way round. The one whose heads name more measures is taken; where both
 * do, it is a matrix of correlations and the like. Columns of errors belong to the nearest
 * value column on their left. A row of its own ("Basalts") says what the records below it are,
 * caption and notes the rest. A doubtful table gives fewer facts, not other ones.
 */
#include "alloc.h"
#include "schema.h"
#include "table_impl.h"
#include "utf8.h"

#define FROM_CAPTION 0.7 /* confidence of what a caption says of all samples */

static void free_columns(struct grid *g, size_t n)
{
    for (size_t i = 0; g->columns && i < n; i++)
        buf_release(&g->columns[i].head);
    free(g->columns);
    g->columns = NULL;
}

/* ---- records ---- */

static const char *relation_of_kind(const char *type)
{
    if (strcmp(type, "location") == 0)
        return "Located In";
    return strcmp(type, "setting") == 0 || strcmp(type, "deposit") == 0 ? "Occurs In" : "Is A";
}

static void add_description(struct grid *g, size_t record, const struct node *head,
                            const struct node *tail, size_t column, double confidence,
                            struct buf *made)
{
    struct fact f = {
        .head = *head,
        .tail = *tail,
        .relation = relation_of_kind(tail->type),
        .confidence = confidence,
        .extractor = "table",
    };
    table_evidence(g, record, column, &f, made, head->name);
    sink_add(&g->w->sink, &f);
}

/* The age of all samples, where they have none of their own. */
static void add_caption_age(struct grid *g, size_t record, const struct node *head,
                            struct buf *made)
{
    struct about *a = &g->about;
    struct fact f = {
        .head = *head, .relation = "Has Age", .confidence = FROM_CAPTION, .extractor = "table"
    };
    table_evidence(g, record, 0, &f, made, head->name);
    if (a->has_age && !g->has_age) {
        f.tail = (struct node){ .type = "value" };
        f.value = &a->age;
        sink_add(&g->w->sink, &f);
    }
    if (a->period.n) {
        f.tail = (struct node){ .type = "geologic_time", .name = a->period };
        f.value = NULL;
        sink_add(&g->w->sink, &f);
    }
}

/* "BX-1 (galena)", "BX-2 (granite, fresh)" */
static struct node bracket_kind(struct grid *g, struct sv name)
{
    size_t open = sv_find(name, SV(" ("), 0), end;
    if (open == SIZE_MAX || !sv_ends(name, SV(")")))
        return (struct node){ 0 };
    struct sv in = sv_from_to(name, open + 2, name.n - 1);
    end = sv_find(in, SV(","), 0);
    struct node n = grid_name(g, sv_trim(sv_from_to(in, 0, end == SIZE_MAX ? in.n : end)));
    bool is_thing = n.type && (strcmp(n.type, "rock") == 0 || strcmp(n.type, "mineral") == 0);
    return is_thing && !is_any_rock(n.name) ? n : (struct node){ 0 };
}

/* "Toarcian" in a column of ages; false: there is none. */
static bool add_periods(struct grid *g, size_t record, const struct node *head,
                        struct buf *made)
{
    struct entities *names = &g->w->names;
    bool is_made = false;
    for (size_t j = g->from; j < g->to; j++) {
        struct sv text = grid_value(g, record, j);
        if (g->columns[j].role != ROLE_TIME || !text.n || text.n > 40)
            continue;
        scan_memo_find(&g->w->scans, g->x->vocab, text, names);
        if (names->n != 1)
            continue;
        const struct entity *e = &names->items[0];
        if (strcmp(e->type, "geologic_time") != 0 || e->start > 0 || e->end < text.n)
            continue;
        struct fact f = { .head = *head,
                          .tail = { .type = e->type, .name = entity_name(g->x->vocab, e) },
                          .relation = "Has Age",
                          .confidence = 0.85,
                          .extractor = "table" };
        table_evidence(g, record, j, &f, made, head->name);
        sink_add(&g->w->sink, &f);
        is_made = true;
    }
    return is_made;
}

/* What a sample is and where from: by its own cells, its section, the caption. */
static void describe(struct grid *g, size_t record, const struct node *head,
                     const struct record *r, const struct section *section, struct buf *made)
{
    bool is_mineral = g->about.kind.type && strcmp(g->about.kind.type, "mineral") == 0;
    struct node bracket = r->kind.type ? (struct node){ 0 } : bracket_kind(g, head->name);
    bool is_own =
        r->kind.type || bracket.type || (section->kind.type && !(r->is_spot && is_mineral));
    struct node kind = r->kind.type   ? r->kind
                       : bracket.type ? bracket
                       : is_own       ? section->kind
                                      : g->about.kind;
    if (kind.type)
        add_description(g, record, head, &kind, r->kind_column, is_own ? 0.85 : FROM_CAPTION,
                        made);
    struct node place = grid_name(g, buf_view(&r->place));
    if (r->place.len && (!place.type || strcmp(place.type, "location") != 0))
        place = (struct node){ .type = "location", .name = buf_view(&r->place) };
    bool is_said = place.type != NULL || section->place.type != NULL;
    if (!place.type)
        place = is_said ? section->place : g->about.place;
    bool is_same =
        kind.type && strcmp(kind.type, "location") == 0 && sv_eq(kind.name, place.name);
    is_same |= sv_eq(place.name, head->name);
    if (place.type && !is_same)
        add_description(g, record, head, &place, r->place_column, is_said ? 0.85 : FROM_CAPTION,
                        made);
    if (!add_periods(g, record, head, made))
        add_caption_age(g, record, head, made);
}

/* Is the whole sample of that mineral? */
static bool is_all_of(const struct grid *g, const struct record *r, const struct node *phase)
{
    return (r->kind.type && sv_eq(r->kind.name, phase->name)) ||
           (g->about.kind.type && sv_eq(g->about.kind.name, phase->name));
}

/* "KR-5 olivine": values below "Olivine" are of that mineral in the sample. */
static struct sv name_phase(struct grid *g, size_t record, size_t column, struct record *r,
                            const struct node *phase, struct buf *made)
{
    struct buf name = BUF_INIT;
    buf_sv(&name, buf_view(&r->label));
    buf_char(&name, ' ');
    buf_sv(&name, phase->name);
    struct node head = { .type = "sample", .name = buf_view(&name) };
    if (!sv_eq(head.name, buf_view(&r->phase))) {
        add_description(g, record, &head, phase, column, 0.85, made);
        record_text(&r->phase, head.name);
    }
    buf_release(&name);
    return buf_view(&r->phase);
}

/* Facts of the record's cells; how many there are, and how many have texts, is counted. */
static void add_cells(struct grid *g, size_t record, struct record *r, struct buf *made,
                      const struct node *head, bool is_skipped)
{
    struct table_counts *counts = &g->w->tables;
    for (size_t j = g->from; j < g->to; j++) {
        const struct column *col = &g->columns[j];
        bool is_where = column_is_where(col), is_made = false;
        if ((!is_where && !column_is_value(col)) || !grid_value(g, record, j).n)
            continue;
        struct node of = *head;
        if (is_where) {
            is_made = table_add_where(g, record, j, head, buf_view(&r->label), made);
        } else if (!is_skipped) {
            bool is_of_phase = col->phase.type && strcmp(head->type, "sample") == 0 &&
                               !is_all_of(g, r, &col->phase);
            if (is_of_phase)
                of.name = name_phase(g, record, j, r, &col->phase, made);
            is_made = table_add_value(g, record, j, &of,
                                      is_of_phase ? of.name : buf_view(&r->label), r, made);
        }
        counts->cells++;
        counts->numberless += !is_made;
    }
}

/* False: it has no name. */
static bool add_record(struct grid *g, size_t record, struct record *r, struct buf *made,
                       const struct section *section)
{
    if (!record_read(g, record, r) || r->label.len > 60)
        return record == g->limit_record;
    if (record == g->limit_record)
        return true;
    if (!g->is_turned && section->sample.n && label_is_part(g, buf_view(&r->label)))
        record_put_sample(r, section->sample);
    if (!r->is_spot && !record_put_owner(g, record, r))
        return false;
    struct sv name = buf_view(&r->label);
    struct node head = label_name(g, name, &r->conditions);
    bool is_standard = head.type && strcmp(head.type, "reference_material") == 0;
    if ((label_is_summary(name) && !is_standard) || label_is_limit(name))
        return true;
    if (!head.type) {
        head = (struct node){ .type = "sample", .name = name };
        describe(g, record, &head, r, section, made);
    }
    r->has_errors = g->has_error_records && record + 1 < grid_down(g) &&
                    label_is_error(grid_label(g, record + 1));
    add_cells(g, record, r, made, &head, section->mode != MODE_PLAIN);
    return true;
}

/* ---- the table ---- */

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
            is_empty = grid_cell(g, i, j).n == 0;
        if (is_empty)
            continue;
        size_t start = end;
        while (start > 0 && text.p[start - 1] != '\n')
            start--;
        if (sv_find(sv_from_to(text, start, end), grid_cell(g, i, 0), 0) == SIZE_MAX)
            return;
        g->line_start[i] = start;
        g->line_end[i] = end;
        end = start ? start - 1 : 0;
    }
}

/* Where limits stand, and whether records have their errors behind them: one "s.d." below many
 * samples is that of them all. */
static void find_special_records(struct grid *g)
{
    size_t errors = 0, others = 0;
    bool has_pair = false, is_last_error = false;
    g->limit_record = SIZE_MAX;
    g->has_phases = false;
    for (size_t j = 0; !g->is_turned && j < g->n_columns && !g->has_phases; j++)
        for (size_t i = 1; g->columns[j].role == ROLE_LABEL && i < grid_down(g); i++)
            g->has_phases |= grid_value(g, i, j).n > 0 &&
                             sv_eq(grid_value(g, i, j), grid_value(g, i - 1, j));
    for (size_t i = 0; i < grid_down(g); i++) {
        struct sv label = grid_label(g, i);
        if (!label.n || (g->is_turned && i + 1 == g->unit_line))
            continue;
        if (label_is_limit(label))
            g->limit_record = i;
        else if (label_is_error(label))
            has_pair |= errors++ && is_last_error;
        else if (!label_is_summary(label))
            others++;
        is_last_error = label_is_error(label);
    }
    bool is_inside = errors == 1 && !is_last_error; /* "Measured | 2SD | Certified" */
    g->has_error_records =
        errors > 0 && !has_pair && (errors == others || errors > 1 || is_inside);
}

static void find_special_columns(struct grid *g)
{
    g->has_named = g->has_age = g->has_values = false;
    for (size_t j = 0; j < grid_across(g); j++) {
        const struct column *col = &g->columns[j];
        g->has_age |= col->role == ROLE_AGE;
        g->has_values |= column_is_value(col);
        g->has_named |= col->role == ROLE_LABEL && head_names_samples(buf_view(&col->head));
    }
}

static struct section headed_by(struct grid *g, struct sv text)
{
    struct section s = section_read(g, text);
    if (s.mode != MODE_SKIP)
        s.mode = MODE_PLAIN;
    return s;
}

/* What a row that heads others says of a sample whose spots follow. */
static struct section open_section(struct grid *g, size_t row, struct buf *made)
{
    struct section s = headed_by(g, grid_cell(g, row, 0));
    if (!s.sample.n)
        return s;
    struct node head = { .type = "sample", .name = s.sample };
    if (s.kind.type)
        add_description(g, row - g->n_header, &head, &s.kind, 0, 0.85, made);
    if (s.place.type)
        add_description(g, row - g->n_header, &head, &s.place, 0, 0.85, made);
    return s;
}

/* Side by side: "Sample | SiO2 | Sample | SiO2". */
static size_t panel_end(const struct grid *g, size_t from)
{
    size_t end = from + 1;
    struct sv head = buf_view(&g->columns[from].head);
    if (g->is_turned || g->columns[from].role != ROLE_LABEL || !head.n)
        return grid_across(g);
    while (end < g->n_columns && !(g->columns[end].role == ROLE_LABEL &&
                                   sv_eq(buf_view(&g->columns[end].head), head)))
        end++;
    return end;
}

static void read_records(struct grid *g)
{
    struct record r = { .label = BUF_INIT,
                        .method = BUF_INIT,
                        .place = BUF_INIT,
                        .sample = BUF_INIT,
                        .first = BUF_INIT,
                        .phase = BUF_INIT };
    struct buf made = BUF_INIT;
    struct section section = { .sample = SV_NONE };
    if (g->section.n && g->base == 0 && !g->is_turned)
        section = headed_by(g, g->section);
    find_special_records(g);
    find_special_columns(g);
    for (size_t i = 0; i < grid_down(g); i++) {
        if (!g->is_turned && grid_is_section(g, g->n_header + i)) {
            section = open_section(g, g->n_header + i, &made);
            continue;
        }
        for (g->from = 0; g->from < grid_across(g); g->from = g->to) {
            g->to = panel_end(g, g->from);
            g->w->tables.records++;
            g->w->tables.nameless += !add_record(g, i, &r, &made, &section);
        }
    }
    buf_release(&r.label);
    buf_release(&r.method);
    buf_release(&r.place);
    buf_release(&r.sample);
    buf_release(&r.first);
    buf_release(&r.phase);
    buf_release(&made);
    map_free(g->bare);
    free(g->is_twice);
    g->bare = NULL;
    g->is_twice = NULL;
}

/* Measures on both sides: correlations, interferences, distances. */
static bool is_matrix(const struct grid *g, size_t across, size_t turned)
{
    return across >= 3 && turned >= 3 && across * 10 >= 6 * (g->n_columns - 1) &&
           turned * 10 >= 6 * (g->n_rows - g->n_header);
}

static void read_part(struct grid *g)
{
    g->is_turned = false;
    size_t across = grid_read_columns(g);
    struct column *straight = g->columns;
    size_t n_straight = grid_across(g);
    g->is_turned = true;
    size_t turned = grid_read_columns(g);
    struct column *other = g->columns;
    size_t n_other = grid_across(g);
    g->is_turned = turned > across;
    g->columns = g->is_turned ? other : straight;
    if ((across || turned) && !g->about.is_model && !is_matrix(g, across, turned)) {
        grid_drop_doubles(g);
        for (size_t j = 0; j < grid_across(g); j++) {
            g->w->tables.columns += g->columns[j].head.len > 0;
            g->w->tables.unread +=
                g->columns[j].head.len > 0 && g->columns[j].role == ROLE_NONE;
        }
        read_records(g);
    }
    g->columns = straight;
    free_columns(g, n_straight);
    g->columns = other;
    free_columns(g, n_other);
}

static void read_parts(struct grid *g, size_t n_header)
{
    g->n_rows = g->n_all_rows;
    g->n_header = n_header;
    grid_find_heads(g);
    if (!g->n_header)
        return;
    g->line_start = alloc_array(g->n_rows, sizeof *g->line_start);
    g->line_end = alloc_array(g->n_rows, sizeof *g->line_end);
    find_lines(g);
    while (g->base + 2 <= g->n_all_rows) {
        g->n_rows = grid_part_end(g);
        read_part(g);
        g->base += g->n_rows;
        g->n_rows = g->n_all_rows - g->base;
        g->n_header = 1;
        if (g->n_rows >= 2)
            grid_find_heads(g);
    }
}

/* What holds above the first row of a piece of a table. */
static void read_carried(struct grid *g, jv table, double n_header)
{
    size_t ends[ARRAY_LEN(g->above) + 1];
    jv above = json_get(table, "above");
    g->is_continued = json_num(json_get(table, "first_row")) > n_header;
    utf8_nfc(&g->carried, sv_trim(json_sv(json_get(table, "section"))));
    ends[0] = g->carried.len;
    for (size_t i = 0; i < ARRAY_LEN(g->above); i++) {
        utf8_nfc(&g->carried, sv_trim(json_sv(json_at(above, i))));
        ends[i + 1] = g->carried.len;
    }
    struct sv all = buf_view(&g->carried);
    g->section = sv_from_to(all, 0, ends[0]);
    for (size_t i = 0; i < ARRAY_LEN(g->above); i++)
        g->above[i] = sv_from_to(all, ends[i], ends[i + 1]);
}

int table_read(struct extractor *x, struct scratch *w, jv table, const struct source *source,
               struct err *err)
{
    struct grid g = { .x = x, .w = w, .source = source };
    double n_header = 0;
    jv rows = jv_null();
    struct sv caption = SV_NONE;
    size_t bad = 0;
    if (!json_is_object(table))
        return err_set(err, EXIT_REJECTED, "field \"table\": expected object");
    if (json_opt_array(table, "rows", &rows, err) < 0 ||
        json_opt_num(table, "header_rows", &n_header, err) < 0 ||
        json_opt_str(table, "caption", &caption, err) < 0)
        return err_prefix(err, "field \"table\"");
    int rc = grid_load(&g, rows, &bad);
    if (rc < 0)
        rc = err_set(err, EXIT_REJECTED, "field \"table\": row %zu is no array", bad);
    else if (g.cells) {
        bool is_said =
            n_header >= 1 && n_header < (double)g.n_all_rows && n_header <= HEADERS_MAX;
        g.has_comma = grid_has_comma(&g);
        struct sv head = json_sv(json_get(table, "head"));
        about_read(&g, caption.n ? caption : head, table);
        read_carried(&g, table, n_header);
        sink_source(&w->sink, source);
        size_t before = w->sink.n;
        read_parts(&g, is_said ? (size_t)n_header : 0);
        w->tables.tables++;
        w->tables.empty += w->sink.n == before;
    }
    free(g.line_start);
    free(g.line_end);
    free(g.cells);
    buf_release(&g.bytes);
    buf_release(&g.carried);
    buf_release(&g.number);
    about_release(&g.about);
    return rc;
}
