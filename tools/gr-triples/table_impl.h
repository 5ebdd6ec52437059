// SPDX-License-Identifier: MIT
/*
 * table_impl.h — what the files that read tables share: a grid being read
 *
 *   table.c        records and their facts
 *   table_record.c what a record is called
 *   table_value.c  the fact of a cell
 *   table_grid.c   cells, rows of heads, rows that head others, the parts of a table
 *   table_head.c   what a head says: measure, unit, error
 *   table_column.c what a column is, by its heads and its neighbours
 *   table_cell.c   the number of a cell and its error
 *   table_about.c  what caption and notes say
 *   table_things.c the rocks and places that texts name
 *   table_label.c  what the names of rows say
 *   table_where.c  latitude and longitude
 *   table_double.c what tells columns of one measure apart
 *   table_caption.c what a caption says of all samples: their age, the one they are parts of
 */
#ifndef TABLE_IMPL_H
#define TABLE_IMPL_H

#include "scratch.h"

enum role {
    ROLE_NONE,
    ROLE_LABEL,
    ROLE_KIND,     /* a rock, a mineral, a place: what the record is, or where from */
    ROLE_LOCALITY, /* a place, whatever its name */
    ROLE_METHOD,
    ROLE_PART, /* "core", "rim" */
    ROLE_TIME, /* "Jurassic" */
    ROLE_MEASURE,
    ROLE_AGE,
    ROLE_CONDITION,
    ROLE_ERROR,
    ROLE_LATITUDE,
    ROLE_LONGITUDE,
    ROLE_BOTH /* latitude and longitude in one cell */
};

/* What is measured, as units and methods go. */
enum measure_class {
    CLASS_OXIDE,
    CLASS_ELEMENT, /* and isotopes, ions */
    CLASS_SPECIES, /* H2O, CO2: given as oxides are, or as elements */
    CLASS_MINERAL,
    CLASS_INDEX, /* Mg#, Al2O3/TiO2: without a unit */
    CLASS_RATIO, /* of isotopes */
    CLASS_DELTA,
    CLASS_AGE
};
#define CLASS_BIT(c) (1u << (c))

/* What a head, or a row that heads others, says of the numbers under it. */
enum table_mode {
    MODE_PLAIN,
    MODE_FORMULA, /* cations of a formula */
    MODE_CATIONS, /* the same where oxides stand before */
    MODE_SKIP     /* normalised, normative: no contents */
};

struct column {
    enum role role;
    struct buf head;
    struct node what; /* ROLE_MEASURE; ROLE_AGE: the ratio it is of, or none */
    struct chem_name {
        char text[CHEM_MAX];
    } notation; /* where what.name may point */
    enum measure_class class;
    enum table_mode mode;
    size_t section;    /* turned: number of the row that heads it */
    struct node phase; /* turned: the mineral that row names; .type NULL: none */
    bool is_ratio;     /* needs no unit */
    bool is_symbol;    /* a single letter: "P (%)" may be precision as well as phosphorus */
    uint32_t unit;
    const char *relation;
    const char *error_kind;
    const char
        *own_error;   /* kind of the errors in its cells: "Age (Ma ± 1σ)"; NULL: not said */
    bool is_relative; /* ROLE_ERROR: in % of the value */
    double factor;    /* ROLE_ERROR: "2σ (×10⁻⁶)" */
    size_t error_column;    /* of a value column, SIZE_MAX: none */
    const char *conditions; /* "initial", "plateau", "": not said */
    struct sv standard;     /* "": not said */
    struct sv method;       /* the head's, else the caption's for such values, or "" */
    bool has_method;        /* the head's own */
    size_t what_row;        /* row of the heads that names the measure */
    char hemisphere;        /* of latitude and longitude: N, S, E, W; 0: not said */
};

#define ABOUT_MAX 8

/* What the caption and the notes say of the whole table. */
struct about {
    struct buf text; /* caption and notes, in normal form C */
    size_t caption;  /* bytes of it that are the caption */
    struct about_unit {
        uint32_t unit;
        unsigned classes;    /* bits; 0: of what is not said */
        unsigned groups;     /* of elements; 0: any */
        bool is_conditional; /* "for rocks" */
    } units[ABOUT_MAX];
    size_t n_units;
    struct about_method {
        struct sv name, kind;
        unsigned classes;
    } methods[ABOUT_MAX];
    size_t n_methods;
    struct sv standards[ABOUT_MAX]; /* names, and the elements they serve */
    struct sv systems[ABOUT_MAX];
    size_t n_standards;
    struct node kind, place;   /* of all samples; .type NULL: not said, or several */
    const char *bracket_error; /* "(…)" behind a number is an error of this kind; NULL: no */
    const char *error_kind;    /* of errors that do not say theirs; NULL: not known */
    struct node reference;     /* the one reference material of the caption; .type NULL: none */
    bool is_model;             /* nothing in it was measured */
    bool has_no_contents;      /* correlations, partition coefficients, normalised contents */
    uint32_t mineral_unit;     /* of shares of minerals, UNIT_NONE: not said */
    bool is_per_mil;           /* δ values are in ‰ */
    struct quantity age;       /* of all samples, where has_age says so */
    bool has_age;
    struct sv period;  /* "Cretaceous basalts"; "": not said */
    struct buf sample; /* the one sample of the caption; "": none, or several */
    struct buf table;  /* paper and label: what bare numbers are put behind */
};

struct grid {
    struct extractor *x;
    struct scratch *w;
    struct sv *cells; /* (n_all_rows, n_columns), views of bytes */
    struct buf bytes; /* all cells, trimmed, in normal form C */
    size_t n_columns;
    size_t n_all_rows;
    size_t base;             /* the part being read: rows base … base + n_rows of all */
    size_t n_rows, n_header; /* of the part */
    bool is_turned;          /* measures down, samples across */
    bool is_counted;         /* turned: the samples are called 1, 2, 3 */
    size_t unit_line;        /* turned: the column of units, SIZE_MAX: none */
    size_t label_row;        /* turned: the head row that names the samples */
    bool has_comma;          /* decimals have commas */
    struct about about;
    struct column *columns; /* (n of across) */
    size_t from, to;        /* columns of the panel being read: tables may stand side by side */
    struct buf number;      /* a cell's number in plain form */
    size_t limit_record;    /* of detection limits, SIZE_MAX: none */
    bool has_phases;        /* one sample has several rows */
    bool has_error_records; /* errors stand in records of their own, each behind its values */
    bool has_named;         /* a column says that it names samples */
    struct map *bare;       /* bare numbers of the part, or NULL */
    bool *is_twice;         /* (of bare) it stands there more than once */
    bool has_age;           /* samples have ages of their own */
    bool has_values;        /* a column holds more than where they are from */
    bool is_continued;      /* rows of the table stand in a record before */
    struct sv section;      /* the row above that heads the first ones; "": none */
    struct sv above[3];     /* texts above blank cells of the first columns, or "" */
    struct buf carried;     /* bytes of these */
    const struct source *source;
    size_t *line_start, *line_end; /* (n_all_rows) of each row in the text; SIZE_MAX: none */
};

/* What a record is called and is. */
struct record {
    struct buf label, method, place; /* "": not said */
    struct node kind;                /* .type NULL: not said */
    size_t kind_column, place_column, label_column;
    bool has_errors;        /* in the record behind it */
    bool is_spot;           /* named with its sample: "12BL-3 1" */
    bool is_lost;           /* a spot of a sample that an earlier record names */
    const char *conditions; /* "reference value", or "" */
    struct buf sample;      /* the last one in the first column: spots below have it, too */
    struct buf first;       /* the last text of the first column */
    struct buf phase;       /* name of the mineral of a sample */
};

/* ---- table_grid.c ---- */

#define COLUMNS_MAX 400 /* more are no table of a paper */
#define HEADERS_MAX 32  /* nor are so many rows of heads; then they are guessed */
#define SPARSE_MAX 16   /* places of the grid for each cell that is given */

/* Fill g->cells from rows of strings; they stay NULL for what is no table: one row or column,
 * too many columns, or next to no cells. -1: a row is no array (*bad: which). */
int grid_load(struct grid *g, jv rows, size_t *bad);
/* The cell's text, trimmed, in normal form C; lives as long as the grid. */
struct sv grid_cell(const struct grid *g, size_t row, size_t column);
/* The cell of a record and a column of the table as if samples went down. */
struct sv grid_value(const struct grid *g, size_t record, size_t column);
/* The table as if samples went down: n records, m columns. */
size_t grid_across(const struct grid *g);
size_t grid_down(const struct grid *g);
/* A row that heads the rows below it: one text, in its first cell or spread over all. */
bool grid_is_section(struct grid *g, size_t row);
/* Settle how many rows are heads (n_header is the record's word) and where samples have their
 * names and units. */
void grid_find_heads(struct grid *g);
/* Rows of the part that starts at g->base: up to where heads stand again. */
size_t grid_part_end(struct grid *g);
/* A head row's text over a column: that of the span it lies under. */
struct sv grid_head_cell(const struct grid *g, size_t row, size_t column);
bool is_unit(const struct grid *g, struct sv text);
bool head_names_samples(struct sv head);
/* Does one of the words (small letters) stand in text, in any case? */
bool has_word(struct sv text, const char *const words[], size_t n);
bool has_text(struct sv text, const char *const parts[], size_t n);

/* ---- table_cell.c ---- */

/* A whole cell as a number: true when little else stands in it. */
bool grid_number(struct grid *g, struct sv text, struct quantity *q);
/* The same with the error that stands in the cell itself, whose kind the notes say. */
bool cell_read(struct grid *g, const struct column *col, struct sv text, struct quantity *q);
/* Put what another cell says of the error of q, the number of `text`, into q. error: the
 * column or row it stands in. */
void cell_error(struct grid *g, const struct column *col, struct sv text,
                const struct column *error, struct sv error_text, struct quantity *q);
/* "b.d.l.", "<DL" */
bool cell_is_below_limit(struct sv text);
/* Are commas the decimal signs of the table? */
bool grid_has_comma(const struct grid *g);

/* ---- table_record.c ---- */

/* Label and kind of a record: the head of its facts. False: it has no name. */
bool record_read(struct grid *g, size_t record, struct record *r);
/* Is a label no name by itself: "1", "2.1", "core"? */
bool label_is_part(struct grid *g, struct sv label);
/* Put the sample's name before that of its part. */
void record_put_sample(struct record *r, struct sv sample);
/* Put what makes a bare number a name before it: the sample of the caption, else paper and
 * table. False: the table has that number more than once. */
bool record_put_owner(struct grid *g, size_t record, struct record *r);
/* Make a copy of a text the content of *to. */
void record_text(struct buf *to, struct sv text);

/* ---- table_value.c ---- */

/* Give f the row as its evidence: a line of the text, or made of caption, label and cell. */
void table_evidence(struct grid *g, size_t record, size_t column, struct fact *f,
                    struct buf *made, struct sv label);
/* What stands in the place of a record's name. */
struct sv grid_label(const struct grid *g, size_t record);
/* The fact of column j and a record; false: there is none. */
bool table_add_value(struct grid *g, size_t record, size_t j, const struct node *head,
                     struct sv label, const struct record *r, struct buf *made);

/* ---- table_label.c ---- */

/* Rows that sum the others up, errors and limits: no samples. */
bool label_is_summary(struct sv label);
bool label_is_error(struct sv label);
bool label_is_limit(struct sv label);
/* "core", "rim": parts of a sample that another cell names */
bool label_is_zone(struct sv label);
/* A name that the whole cell is, of a type that has values; .type NULL: none. */
struct node grid_name(struct grid *g, struct sv text);
/* The same of the name of a row: "BHVO-2 (measured)" is BHVO-2. *conditions: "certified value"
 * where it says so. */
struct node label_name(struct grid *g, struct sv label, const char **conditions);
/* What a row that heads others says: the one rock or mineral, place, sample. */
struct section {
    struct node kind, place;
    struct sv sample; /* "": none */
    enum table_mode mode;
};
struct section section_read(struct grid *g, struct sv text);

/* ---- table_column.c ---- */

/* Read the heads in one orientation into g->columns; how many values it has. */
size_t grid_read_columns(struct grid *g);
/* Drop "Pb in soil | Pb in leaves", SiO2 under "Olivine" and under "Glass": the same measure of
 * two things, neither of which need be the sample. */
void grid_drop_doubles(struct grid *g);
bool column_is_value(const struct column *col);
bool column_is_where(const struct column *col);

/* ---- table_double.c ---- */

/* The one method that a head names: into method and has_method. */
void head_method(struct grid *g, struct column *col);
/* The mineral that a row of the heads names above or below the measure: into phase. */
void head_phase(struct grid *g, struct column *col, size_t column);
/* "δ98Mo (‰)", "Replicate δ98Mo (‰)": the same but for repeating. */
bool heads_repeat(struct sv a, struct sv b);

/* ---- table_head.c ---- */

enum table_mode mode_of(struct sv text);
/* An error and nothing else, or at the end: its kind, "": not known; NULL: it is none. */
const char *error_of_head(struct sv head);
/* "(wt.%)", "[ppm]", ", ‰", "ppm U": the unit of a head. */
uint32_t unit_of_head(const struct grid *g, struct sv head);
/* Fill what, class, is_ratio, is_symbol and conditions of col by the lowest head that names a
 * measure. False: none does, or one that cannot be read. */
bool measure_of_head(struct grid *g, struct column *col, size_t column);
/* The share of an end member into what, without a unit of its own. */
bool end_member_of_head(struct column *col);
bool has_power(struct sv head);
/* "2σ (×10⁻⁶)": 1e-6; 0: none that can only be meant so. */
double factor_of_error(struct sv head);

/* ---- table_things.c ---- */

/* "Whole rock", "felsic": what says nothing of a sample. */
bool is_any_rock(struct sv name);
/* The one rock or mineral, and the one place of a text; in a caption a place stands behind
 * "from", "in" and the like. */
void about_things(struct grid *g, struct sv text, bool is_caption, struct node *kind,
                  struct node *place);

/* ---- table_where.c ---- */

/* What a head says of coordinates: ROLE_LATITUDE, ROLE_LONGITUDE, ROLE_BOTH, else ROLE_NONE.
 * own: its lowest words. *hemisphere: N, S, E, W or 0. */
enum role where_of_head(struct sv head, struct sv own, char *hemisphere);
/* The facts of such a column and a record, in decimal degrees; false: there are none. */
bool table_add_where(struct grid *g, size_t record, size_t j, const struct node *head,
                     struct sv label, struct buf *made);

/* ---- table_caption.c ---- */

/* Fill age, period, sample and table of g->about. caption: normal form C; g->w->names has what
 * stands in it, and in the notes. */
void caption_read(struct grid *g, struct sv caption, jv table);
/* "1", "2.1", "core", "grt rim 2": a name that other papers and samples use as well. */
bool label_is_bare(struct grid *g, struct sv label);

/* ---- table_about.c ---- */

/* Read caption and notes into g->about. */
void about_read(struct grid *g, struct sv caption, jv table);
void about_release(struct about *a);
/* Is the unit wt% or %, that of oxides? */
bool grid_is_percent(const struct grid *g, uint32_t unit);
/* The unit it gives for a column that has none, or UNIT_NONE. has_oxides: other columns do. */
uint32_t about_unit(const struct grid *g, const struct column *col, bool has_oxides);
/* The one method it names that gives such values, or "". */
struct sv about_method(const struct grid *g, const struct column *col);
/* The one standard that a δ value of this element is relative to, or "". */
struct sv about_standard(const struct grid *g, const struct column *col);

#endif
