// SPDX-License-Identifier: MIT
/*
 * table_column.c — what the columns of a table are, by their heads
 *
 * Heads may take several rows, the units one of their own or, where the table is turned, a
 * column; they may stand in a row inside the table ("Trace elements (ppm)"), in the corner or
 * in the caption. No unit is guessed: oxides take the wt% of other oxides, nothing else takes
 * that of a neighbour.
 */
#include <math.h>

#include "alloc.h"
#include "table_impl.h"

bool column_is_value(const struct column *col)
{
    return col->role == ROLE_MEASURE || col->role == ROLE_AGE || col->role == ROLE_CONDITION;
}

bool column_is_where(const struct column *col)
{
    return col->role == ROLE_LATITUDE || col->role == ROLE_LONGITUDE || col->role == ROLE_BOTH;
}

/* All heads of a printed column, joined. */
static void grid_header(struct grid *g, size_t column, struct buf *out)
{
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = grid_head_cell(g, i, column);
        if (!text.n || sv_ends(buf_view(out), text))
            continue;
        if (out->len)
            buf_char(out, ' ');
        buf_sv(out, text);
    }
}

/* Columns that describe the record. */
static enum role role_of_words(struct sv head, bool is_first)
{
    static const char *const kinds[] = { "rock",     "rocks",  "lithology", "mineral",
                                         "minerals", "phase",  "material",  "materials",
                                         "type",     "facies", "unit" };
    static const char *const places[] = { "location", "locality", "locations", "localities" };
    static const char *const methods[] = { "method", "methods", "technique", "instrument" };
    static const char *const others[] = { "model", "source", "reference", "error" };
    if (has_word(head, places, ARRAY_LEN(places)))
        return ROLE_LOCALITY;
    if (has_word(head, methods, ARRAY_LEN(methods)))
        return ROLE_METHOD;
    static const char *const parts[] = { "position", "zone", "domain", "part" };
    if (has_word(head, parts, ARRAY_LEN(parts)))
        return ROLE_PART;
    if (has_word(head, kinds, ARRAY_LEN(kinds)))
        return ROLE_KIND;
    /* in front it is what rows are named by */
    static const char *const times[] = { "age", "period", "epoch", "stage", "era" };
    if (!is_first && has_word(head, times, ARRAY_LEN(times)) &&
        !has_word(head, others, ARRAY_LEN(others)))
        return ROLE_TIME;
    return is_first ? ROLE_LABEL : ROLE_NONE;
}

/* ---- ages ---- */

/* "Duration (Myr)", "TDM (Ga)": times, but not when the sample formed. */
static bool is_other_time(const struct grid *g, struct sv head)
{
    static const char *const words[] = { "duration", "time",     "residence", "half",
                                         "life",     "interval", "rate",      "model",
                                         "tdm",      "tchur",    "closure",   "span",
                                         "since",    "lifetime", "raw",       "uncorrected",
                                         "exposure", "elapsed" };
    static const char *const models[] = { "TDM", "T2DM", "TCHUR", "TNd", "TRD",
                                          "TMA", "T(DM", "TC (",  "T DM" };
    static const char *const osmium[] = { "molybdenite" };
    bool is_model = has_word(head, words, ARRAY_LEN(words));
    for (size_t i = 0; i < ARRAY_LEN(models); i++)
        is_model |= sv_find(head, sv_from(models[i]), 0) != SIZE_MAX;
    bool is_molybdenite = has_text(buf_view(&g->about.text), osmium, 1);
    return is_model && !(is_molybdenite && has_text(head, (const char *const[]){ "model" }, 1));
}

/* "87Sr/86Sr (t = 120 Ma)": an age inside a head is no unit. */
static bool has_time(const struct grid *g, struct sv head)
{
    for (size_t i = 1; i + 1 < head.n; i++) {
        size_t end;
        if (head.p[i] == ' ' && head.p[i - 1] >= '0' && head.p[i - 1] <= '9' &&
            units_kind(g->x->units, units_match(g->x->units, head, i + 1, &end)) == UNIT_AGE)
            return true;
    }
    return false;
}

static const char *age_conditions(struct sv head)
{
    static const struct {
        const char *text, *conditions;
    } said[] = {
        { "plateau", "plateau" },
        { "isochron", "isochron" },
        { "total fusion", "total fusion" },
        { "integrated", "integrated" },
        { "concordia", "concordia" },
        { "intercept", "intercept" },
        { "weighted mean", "weighted mean" },
        { "calibrated", "calibrated" },
        { "cal ", "calibrated" },
        { "14C", "uncalibrated" },
    };
    static const char *const raw[] = { "uncalib", "conventional" };
    if (has_text(head, raw, ARRAY_LEN(raw)))
        return "uncalibrated";
    for (size_t i = 0; i < ARRAY_LEN(said); i++)
        if (has_text(head, &said[i].text, 1))
            return said[i].conditions;
    return "";
}

/* ---- one column ---- */

static void read_error_column(struct column *col, struct sv head)
{
    static const char *const relative[] = { "rsd", "rel" };
    bool has_percent = memchr(head.p, '%', head.n) && !sv_starts(head, SV("95"));
    col->role = ROLE_ERROR;
    col->is_relative = has_word(head, relative, ARRAY_LEN(relative)) ||
                       (has_percent && sv_find(head, SV("95"), 0) == SIZE_MAX);
    if (has_power(head)) {
        col->factor = factor_of_error(head);
        if (col->factor <= 0)
            col->role = ROLE_NONE; /* of a size nobody knows */
    }
}

static bool is_standard(const struct grid *g, const struct entity *e)
{
    return !e->weak && e->entry != VOCAB_NONE && strcmp(e->type, "reference_material") == 0 &&
           vocab_name(g->x->vocab, e->entry).n > 0;
}

/* "δ18O (‰, VSMOW)", "δ13CVPDB": what a δ value is relative to. */
static struct sv standard_of(struct grid *g, struct column *col)
{
    static const char *const names[] = { "VPDB", "V-PDB", "PDB",   "VSMOW", "V-SMOW",
                                         "SMOW", "VCDT",  "V-CDT", "CDT" };
    struct sv head = buf_view(&col->head);
    struct entities *list = &g->w->names;
    scan_memo_find(&g->w->scans, g->x->vocab, head, list);
    for (size_t i = 0; i < list->n; i++)
        if (is_standard(g, &list->items[i]))
            return vocab_name(g->x->vocab, list->items[i].entry);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (sv_find(head, sv_from(names[i]), 0) == SIZE_MAX)
            continue;
        uint32_t entry = vocab_find(g->x->vocab, sv_from(names[i]), "reference_material");
        if (entry != VOCAB_NONE)
            return vocab_name(g->x->vocab, entry);
    }
    return about_standard(g, col);
}

static void read_measure(struct grid *g, struct column *col, enum unit_kind kind)
{
    col->role = ROLE_MEASURE;
    if (col->is_ratio && kind != UNIT_DELTA &&
        (kind != UNIT_FRACTION || col->class != CLASS_DELTA))
        col->unit = UNIT_NONE; /* "εNd(t)" is no weight */
    if (col->class == CLASS_DELTA) {
        bool is_delta = sv_starts(col->what.name, SV("\xce\xb4"));
        if (col->unit == UNIT_NONE && is_delta && g->about.is_per_mil)
            col->unit = units_named(g->x->units, SV("\xe2\x80\xb0"));
        if (is_delta)
            col->standard = standard_of(g, col);
    }
    if (col->mode == MODE_FORMULA && !col->is_ratio && kind != UNIT_FRACTION) {
        col->unit = units_named(g->x->units, SV("pfu"));
        col->is_ratio = true;
        col->class = CLASS_INDEX;
    } else if (col->mode == MODE_SKIP && !col->is_ratio) {
        col->role = ROLE_NONE;
    }
    if (strcmp(col->what.type, "isotope") == 0 && grid_is_percent(g, col->unit))
        col->role = ROLE_NONE; /* "% 39Ar": of the gas released */
    if ((col->class == CLASS_RATIO || col->class == CLASS_DELTA) && !col->conditions[0] &&
        has_time(g, buf_view(&col->head)))
        col->conditions = "initial"; /* "εNd (2.7 Ga)" */
    col->relation = col->is_ratio ? "Has Value" : "Has Concentration";
}

/* An age, of a ratio where the head names one. */
static bool read_age(struct grid *g, struct column *col, size_t column)
{
    static const char *const ages[] = { "age", "ages", "date", "dates" };
    struct sv head = buf_view(&col->head);
    bool is_said = has_word(head, ages, ARRAY_LEN(ages));
    bool has_measure = measure_of_head(g, col, column);
    bool is_ratio = has_measure && col->class == CLASS_RATIO;
    if ((has_measure && !is_ratio && !is_said) || (is_ratio && has_time(g, head)))
        return false;
    if (!is_ratio)
        col->what = (struct node){ 0 };
    col->role = is_other_time(g, head) ? ROLE_NONE : ROLE_AGE;
    col->class = CLASS_AGE;
    col->is_ratio = false;
    col->relation = "Has Age";
    col->conditions = age_conditions(head);
    return true;
}

/* The lowest words of a head, with the unit below them: "±" of "Ages", "±", "Ma". */
static void put_own_head(struct grid *g, size_t column, struct buf *out)
{
    for (size_t i = g->is_turned ? 0 : g->n_header; i-- > 0;) {
        struct sv text = grid_cell(g, i, column);
        bool is_power = sv_starts(text, SV("\xc3\x97")) || sv_starts(text, SV("x10"));
        if (!text.n || is_unit(g, text) || is_power)
            continue;
        for (; i < g->n_header; i++) {
            text = grid_cell(g, i, column);
            if (out->len && text.n)
                buf_char(out, ' ');
            buf_sv(out, text);
        }
        return;
    }
}

/* "Age" above "3.48 Ga": the cells have the unit. */
static bool has_age_cells(struct grid *g, struct sv head, size_t column)
{
    static const char *const ages[] = { "age", "ages" };
    size_t n = grid_down(g) < 8 ? grid_down(g) : 8;
    struct quantity q;
    if (unit_of_head(g, head) != UNIT_NONE || !has_word(head, ages, ARRAY_LEN(ages)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (grid_number(g, grid_value(g, i, column), &q) &&
            units_kind(g->x->units, q.unit) == UNIT_AGE)
            return true;
    return false;
}

static size_t error_sign(struct sv text, size_t from)
{
    size_t at = sv_find(text, SV("\xc2\xb1"), from);
    return at == SIZE_MAX ? sv_find(text, SV("+/-"), from) : at;
}

/* "12.1 ± 0.3" in its first cells: they are values whatever the head ends in. */
static bool has_own_errors(const struct grid *g, size_t column)
{
    size_t n = grid_down(g) < 8 ? grid_down(g) : 8;
    for (size_t i = 0; i < n; i++) {
        struct sv text = grid_value(g, i, column);
        size_t at = error_sign(text, 0);
        if (at != SIZE_MAX && at > 0 && text.n < 40)
            return true;
    }
    return false;
}

/* "Age (Ma ± 1σ)", "87Sr/86Sr ± 2SE": without the error. */
static void cut_error(struct buf *head)
{
    struct sv text = buf_view(head);
    size_t at = error_sign(text, 0), end = at;
    if (at == SIZE_MAX)
        return;
    struct buf out = BUF_INIT;
    while (end < text.n && !strchr("()[],", text.p[end]))
        end++;
    buf_sv(&out, sv_trim(sv_from_to(text, 0, at)));
    buf_sv(&out, sv_from_to(text, end, text.n));
    buf_reset(head);
    buf_sv(head, buf_view(&out));
    buf_release(&out);
}

/* "Sample SiO2 TiO2": columns that a converter ran together. */
static bool is_torn_head(struct grid *g, struct sv head)
{
    struct entities *names = &g->w->names;
    scan_memo_find(&g->w->scans, g->x->vocab, head, names);
    for (size_t i = 0; i < names->n; i++)
        if (!names->items[i].weak && (strcmp(names->items[i].type, "oxide") == 0 ||
                                      strcmp(names->items[i].type, "isotope_ratio") == 0))
            return true;
    return false;
}

static void read_column(struct grid *g, struct column *col, size_t column, bool is_first)
{
    static const char *const conditions[] = { "t",    "th",       "tm",         "p",
                                              "temp", "pressure", "temperature" };
    struct sv head = buf_view(&col->head);
    struct buf own = BUF_INIT;
    put_own_head(g, column, &own);
    col->error_kind = error_of_head(own.len ? buf_view(&own) : head);
    if (col->error_kind && has_own_errors(g, column)) {
        col->own_error = col->error_kind;
        col->error_kind = NULL;
        cut_error(&col->head);
        head = buf_view(&col->head);
    }
    if (col->error_kind)
        read_error_column(col, own.len ? buf_view(&own) : head);
    else
        col->role = where_of_head(head, own.len ? buf_view(&own) : head, &col->hemisphere);
    buf_release(&own);
    if (col->error_kind || col->role != ROLE_NONE)
        return;
    if (has_power(head))
        return; /* "10⁹ mol/yr", "× 10⁻⁶": nobody knows which way it is meant */
    col->unit = unit_of_head(g, head);
    enum unit_kind kind = units_kind(g->x->units, col->unit);
    if (kind == UNIT_AGE && has_time(g, head)) {
        col->unit = UNIT_NONE;
        kind = UNIT_OTHER;
    }
    if ((kind == UNIT_AGE || has_age_cells(g, head, column)) && read_age(g, col, column))
        return;
    static const char *const changes[] = { "ice", "melting", "eutectic", "freezing", "tm" };
    if (kind == UNIT_TEMPERATURE && has_word(head, changes, ARRAY_LEN(changes)))
        return; /* "Tm ice": of the fluid in it */
    if ((kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE) &&
        has_word(head, conditions, ARRAY_LEN(conditions))) {
        col->role = ROLE_CONDITION; /* "P (GPa)" is no phosphorus */
        col->relation = kind == UNIT_PRESSURE ? "Has Pressure" : "Has Temperature";
    } else if (head_names_samples(head)) {
        col->role = is_torn_head(g, head) ? ROLE_NONE : ROLE_LABEL;
    } else if (measure_of_head(g, col, column)) {
        read_measure(g, col, kind);
    } else {
        col->role = role_of_words(head, is_first);
    }
}

static void read_end_member(struct grid *g, struct column *col)
{
    uint32_t unit = col->unit; /* "An (mol%)" */
    if (col->role != ROLE_NONE || col->mode == MODE_SKIP || !end_member_of_head(col))
        return;
    read_measure(g, col, UNIT_OTHER);
    col->unit = unit;
}

/* ---- units of neighbours ---- */

/* What rows that head others, and the corner, leave to those below. */
struct carry {
    uint32_t unit;
    enum table_mode mode;
    size_t section;
    struct node phase;
    bool has_oxides; /* since the unit was said */
    bool has_total;  /* "Total": what follows is none of the oxides' */
};

static void read_section(struct grid *g, struct sv text, struct carry *c)
{
    static const char *const words[] = { "elements", "ree", "lile", "hfse", "earth", "metals" };
    uint32_t unit = units_named(g->x->units, text);
    if (unit == UNIT_NONE)
        unit = unit_of_head(g, text);
    bool keeps = unit == UNIT_NONE && !grid_is_percent(g, c->unit) &&
                 has_word(text, words, ARRAY_LEN(words));
    if (!keeps)
        c->unit = unit;
    struct section section = section_read(g, text);
    c->mode = section.mode;
    bool is_mineral = section.kind.type && strcmp(section.kind.type, "mineral") == 0;
    c->phase = is_mineral ? section.kind : (struct node){ 0 };
    c->has_oxides = c->has_total = false;
    c->section++;
}

static uint32_t carried_unit(const struct grid *g, const struct column *col,
                             const struct carry *c)
{
    if (col->is_ratio || c->unit == UNIT_NONE)
        return UNIT_NONE;
    bool percent = grid_is_percent(g, c->unit);
    if (units_kind(g->x->units, c->unit) != UNIT_FRACTION)
        return UNIT_NONE;
    if (col->class == CLASS_OXIDE || col->class == CLASS_SPECIES)
        return c->unit;
    bool is_below = c->has_oxides || c->has_total || (g->is_continued && g->is_turned);
    if (col->class == CLASS_ELEMENT && percent && is_below)
        return UNIT_NONE; /* cations below the oxides */
    return c->unit;
}

static bool is_total(struct sv head)
{
    static const char *const words[] = { "total", "sum" };
    return has_word(head, words, ARRAY_LEN(words)) || sv_starts(head, SV("\xce\xa3"));
}

/* Oxides beside oxides in wt%; then what the caption says. */
static void fill_units(struct grid *g)
{
    uint32_t oxide_unit = UNIT_NONE;
    bool has_oxides = false, is_open = false;
    for (size_t j = 0; j < grid_across(g); j++) {
        const struct column *col = &g->columns[j];
        if (col->role != ROLE_MEASURE || col->class != CLASS_OXIDE)
            continue;
        has_oxides = true;
        if (col->unit == UNIT_NONE)
            continue;
        is_open |= oxide_unit != UNIT_NONE && oxide_unit != col->unit;
        oxide_unit = col->unit;
    }
    for (size_t j = 0; j < grid_across(g); j++) {
        struct column *col = &g->columns[j];
        if (col->role != ROLE_MEASURE || col->is_ratio || col->unit != UNIT_NONE)
            continue;
        if (col->class == CLASS_OXIDE && !is_open && grid_is_percent(g, oxide_unit))
            col->unit = oxide_unit;
        else
            col->unit = about_unit(g, col, has_oxides || (g->is_continued && g->is_turned));
    }
}

/* ---- all columns ---- */

/* "Age (Ma)", "Age (yr BP)"; "Age (years)" may be a patient's. */
static bool is_before_present(const struct grid *g, const struct column *col)
{
    static const char *const words[] = { "bp", "ago", "cal", "calibrated" };
    return !sv_is(units_name(g->x->units, col->unit), "a") ||
           has_word(buf_view(&col->head), words, ARRAY_LEN(words));
}

/* "P (%)" beside "Recall (%)": single letters are elements, and years an age of rocks, only in
 * company, or with a unit of geochemistry. */
static size_t drop_symbols(struct grid *g, size_t values, bool has_company)
{
    for (size_t j = 0; j < grid_across(g) && !has_company; j++) {
        struct column *col = &g->columns[j];
        bool is_lifetime = col->role == ROLE_AGE && !is_before_present(g, col);
        if (col->role == ROLE_MEASURE || is_lifetime) {
            col->role = ROLE_NONE;
            values--;
        }
    }
    return values;
}

/* By their own heads: rows "A" and "B" under a caption with ppm are no boron. */
static bool has_company(const struct grid *g)
{
    for (size_t j = 0; j < grid_across(g); j++) {
        const struct column *col = &g->columns[j];
        struct sv unit = units_name(g->x->units, col->unit);
        if (col->role == ROLE_MEASURE &&
            (!col->is_symbol || (col->unit != UNIT_NONE && !sv_is(unit, "%"))))
            return true;
    }
    return false;
}

void grid_drop_doubles(struct grid *g)
{
    size_t n = grid_across(g), *order = alloc_array(n + 1, sizeof *order), n_order = 0;
    bool *drop = alloc_zero(n + 1, sizeof *drop);
    struct map *seen = g->w->seen;
    struct buf key = BUF_INIT;
    map_clear(seen);
    for (size_t j = 0; j < n; j++) {
        const struct column *col = &g->columns[j];
        if (col->role != ROLE_MEASURE)
            continue;
        buf_reset(&key);
        buf_printf(&key, "%.*s|%.*s|%u|%s|%.*s|%d|%.*s", SV_ARG(col->phase.name),
                   SV_ARG(col->what.name), (unsigned)col->unit, col->conditions,
                   SV_ARG(col->standard), (int)col->mode,
                   SV_ARG(col->has_method ? col->method : SV_NONE));
        bool is_new;
        size_t k = map_put(seen, buf_view(&key), &is_new);
        if (is_new) {
            order[n_order++] = j;
            continue;
        }
        const struct column *first = &g->columns[order[k]];
        if (col->section != first->section ||
            !heads_repeat(buf_view(&col->head), buf_view(&first->head)))
            drop[j] = drop[order[k]] = true;
    }
    for (size_t j = 0; j < n; j++)
        if (drop[j])
            g->columns[j].role = ROLE_NONE;
    buf_release(&key);
    free(order);
    free(drop);
}

/* The unit that the corner of a turned table gives: "Oxide (wt%)", "wt.%". */
static uint32_t unit_of_corner(struct grid *g)
{
    for (size_t i = 0; i < g->n_header; i++) {
        struct sv text = grid_cell(g, i, 0);
        size_t end;
        uint32_t unit =
            is_unit(g, text) ? units_match(g->x->units, text, 0, &end) : unit_of_head(g, text);
        if (units_kind(g->x->units, unit) == UNIT_FRACTION)
            return unit;
    }
    return UNIT_NONE;
}

/* Fill the head's text; false: there is no column here. */
static bool read_head_text(struct grid *g, struct column *col, size_t j, struct carry *c)
{
    if (!g->is_turned) {
        grid_header(g, j, &col->head);
        c->mode = mode_of(buf_view(&col->head));
        return col->head.len > 0;
    }
    buf_sv(&col->head, grid_cell(g, g->n_header + j, 0));
    if (col->head.len == 0)
        return false;
    if (grid_is_section(g, g->n_header + j)) {
        read_section(g, buf_view(&col->head), c);
        return false;
    }
    if (g->unit_line != SIZE_MAX && col->head.len < 40) {
        struct sv unit = grid_cell(g, g->n_header + j, g->unit_line);
        if (unit.n)
            buf_printf(&col->head, " (%.*s)", SV_ARG(unit));
    }
    return true;
}

size_t grid_read_columns(struct grid *g)
{
    size_t n = grid_across(g), values = 0, last = SIZE_MAX;
    bool seen_oxides = false;
    struct carry carry = { .unit = g->is_turned ? unit_of_corner(g) : UNIT_NONE };
    if (g->is_turned && g->base == 0 && g->section.n)
        read_section(g, g->section, &carry);
    g->columns = alloc_zero(n + 1, sizeof *g->columns);
    for (size_t j = 0; j < n; j++) {
        struct column *col = &g->columns[j];
        col->error_column = SIZE_MAX;
        col->unit = UNIT_NONE;
        col->conditions = "";
        if (!read_head_text(g, col, j, &carry)) {
            col->role = j == 0 && !g->is_turned ? ROLE_LABEL : ROLE_NONE;
            last = g->is_turned ? SIZE_MAX : last;
            continue;
        }
        col->mode = carry.mode;
        col->section = carry.section;
        col->phase = carry.phase;
        if (col->mode == MODE_CATIONS)
            col->mode = seen_oxides ? MODE_FORMULA : MODE_PLAIN;
        read_column(g, col, j, j == 0 && !g->is_turned);
        if (seen_oxides)
            read_end_member(g, col);
        if (column_is_value(col)) {
            if (col->unit == UNIT_NONE)
                col->unit = carried_unit(g, col, &carry);
            carry.has_oxides |= col->role == ROLE_MEASURE && col->class == CLASS_OXIDE;
            seen_oxides |= carry.has_oxides;
            col->method = about_method(g, col);
            head_method(g, col);
            if (col->role == ROLE_MEASURE)
                head_phase(g, col, j);
            values++;
            last = j;
        } else if (col->role == ROLE_ERROR) {
            if (last != SIZE_MAX && g->columns[last].error_column == SIZE_MAX)
                g->columns[last].error_column = j;
        } else {
            values += column_is_where(col);
            carry.has_total |= is_total(buf_view(&col->head));
            last = SIZE_MAX; /* errors behind it are its own */
        }
    }
    bool is_company = has_company(g);
    fill_units(g);
    return drop_symbols(g, values, is_company);
}
