// SPDX-License-Identifier: MIT
/*
 * table_where.c — latitude and longitude of samples
 *
 * "Latitude (°N)", "Long. W", "N" below "Coordinates"; cells "29°18′36″N", "29 18 36",
 * "-33.40", "91.2 E", both in one cell "29.31N, 90.90E". All become decimal degrees, south and
 * west negative. Degrees and minutes of which nothing says the hemisphere are left out.
 */
#include <math.h>

#include "scan.h"
#include "table_impl.h"
#include "utf8.h"

/* ---- heads ---- */

/* A single letter of a head that is a hemisphere, "N", "(°S)", "N. latitude": its sign by the
 * positive one ('N', 'E') of the axis; 0: none. */
static char hemisphere_of(struct sv head, enum role role)
{
    static const char *const words[][2] = { { "north", "south" },
                                            { "northern", "southern" },
                                            { "east", "west" },
                                            { "eastern", "western" } };
    const char *letters = role == ROLE_LATITUDE ? "NS" : "EWO";
    size_t from = role == ROLE_LATITUDE ? 0 : 2;
    for (size_t i = from; i < from + 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (has_word(head, &words[i][k], 1))
                return letters[k];
    for (size_t i = 0; i < head.n; i++) {
        bool is_alone = (i == 0 || !scan_is_letter(head.p[i - 1])) &&
                        (i + 1 == head.n || !scan_is_letter(head.p[i + 1]));
        if (is_alone && scan_is_among(letters, head.p[i]))
            return head.p[i] == 'O' ? 'W' : head.p[i]; /* ouest, oeste */
    }
    return '\0';
}

static bool is_bare_axis(struct sv own, const char *letters, const char *const words[2])
{
    while (own.n && own.p[0] == '(')
        own = sv_trim(sv_from_to(own, 1, own.n));
    if (sv_starts(own, SV("\xc2\xb0")))
        own = sv_trim(sv_from_to(own, 2, own.n));
    while (own.n && scan_is_among(").:", own.p[own.n - 1]))
        own = sv_trim(sv_from_to(own, 0, own.n - 1));
    return (own.n == 1 && scan_is_among(letters, own.p[0])) || sv_ieq(own, sv_from(words[0])) ||
           sv_ieq(own, sv_from(words[1]));
}

enum role where_of_head(struct sv head, struct sv own, char *hemisphere)
{
    static const char *const lats[] = { "latitude", "lat", "latitud" };
    static const char *const lons[] = { "longitude", "long", "lon", "lng", "longitud" };
    static const char *const frames[] = { "coordinates", "coordinate", "gps",
                                          "position",    "location",   "locality" };
    static const char *const ns[] = { "north", "south" };
    static const char *const ew[] = { "east", "west" };
    static const char *const others[] = { "utm",   "easting", "northing", "paleolatitude",
                                          "axis",  "term",    "error",    "x",
                                          "y",     "mm",      "km",       "grid",
                                          "stage", "pixel" };
    enum role role = ROLE_NONE;
    *hemisphere = '\0';
    if (head.n > 60 || has_word(head, others, ARRAY_LEN(others)))
        return ROLE_NONE;
    bool is_framed = has_word(head, frames, ARRAY_LEN(frames)) && own.n < head.n;
    bool is_lat = has_word(own, lats, ARRAY_LEN(lats));
    bool is_lon = has_word(own, lons, ARRAY_LEN(lons));
    if (is_lat && is_lon) /* no place to keep two letters: west and south must be signed */
        return hemisphere_of(head, ROLE_LATITUDE) == 'S' ||
                       hemisphere_of(head, ROLE_LONGITUDE) == 'W'
                   ? ROLE_NONE
                   : ROLE_BOTH;
    if (is_lat || (is_framed && is_bare_axis(own, "NS", ns)))
        role = ROLE_LATITUDE;
    else if (is_lon || (is_framed && is_bare_axis(own, "EW", ew)))
        role = ROLE_LONGITUDE;
    else if (has_word(own, frames, 3))
        return ROLE_BOTH; /* "GPS coordinates", if the cells hold two */
    if (role != ROLE_NONE)
        *hemisphere = hemisphere_of(head, role);
    return role;
}

/* ---- cells ---- */

struct angle {
    double value;
    size_t parts; /* numbers: degrees, minutes, seconds */
    char letter;  /* N, S, E, W; 0: not said */
    bool has_sign;
};

/* 0 degrees, 1 minutes, 2 seconds, 3 blank or colon, 4 another one, 5 the end of the angle. */
static int mark_at(struct sv s, size_t *pos)
{
    uint32_t cp = utf8_next(s, pos);
    switch (cp) {
    case 0xB0:
    case 0xBA:
    case 0x2DA:
    case 0x25E6:
    case 0x2218:
    case 0x2070:
        return 0;
    case '\'':
    case '`':
        if (*pos < s.n && (s.p[*pos] == '\'' || s.p[*pos] == '`'))
            return ++*pos, 2;
        return 1;
    case 0xB4:
    case 0x2032:
    case 0x2019:
    case 0x2018:
    case 0x2B9:
    case 0x2BC: {
        size_t next = *pos;
        if (next < s.n && utf8_next(s, &next) == cp) {
            *pos = next;
            return 2;
        }
        return 1;
    }
    case '"':
    case 0x2033:
    case 0x201D:
    case 0x201C:
    case 0x2BA:
        return 2;
    case ' ':
    case ':':
        return 3;
    default:
        return cp == ',' || cp == ';' || cp == '/' ? 5 : 4;
    }
}

/* Digits with a point at *pos. */
static bool plain_number(struct sv s, size_t *pos, bool has_comma, double *v)
{
    char text[24];
    size_t n = 0, i = *pos;
    bool has_point = false;
    for (; i < s.n && n < sizeof text - 1; i++) {
        bool is_point = !has_point && n && i + 1 < s.n && scan_is_digit(s.p[i + 1]) &&
                        (s.p[i] == '.' || (has_comma && s.p[i] == ','));
        if (!scan_is_digit(s.p[i]) && !is_point)
            break;
        has_point |= is_point;
        text[n++] = is_point ? '.' : s.p[i];
    }
    *pos = i;
    return n && sv_to_double((struct sv){ text, n }, v);
}

static char letter_at(struct sv s, size_t pos)
{
    bool is_alone = pos < s.n && (pos + 1 >= s.n || !scan_is_letter(s.p[pos + 1]));
    return is_alone && scan_is_among("NSEW", s.p[pos]) ? s.p[pos] : '\0';
}

static void skip_blanks(struct sv s, size_t *pos)
{
    while (*pos < s.n && s.p[*pos] == ' ')
        ++*pos;
}

/* "-", "−", "+" */
static double sign_at(struct sv s, size_t *pos, bool *has_sign)
{
    size_t next = *pos;
    uint32_t cp = next < s.n ? utf8_next(s, &next) : 0;
    bool is_minus = cp == '-' || cp == 0x2212 || cp == 0x2013;
    if (!is_minus && cp != '+')
        return 1;
    *pos = next;
    *has_sign = true;
    return is_minus ? -1 : 1;
}

/* One angle from *pos on; false: there is none, or one of another form. */
static bool read_angle(struct sv s, size_t *pos, bool has_comma, struct angle *a)
{
    double part[3] = { 0, 0, 0 };
    *a = (struct angle){ 0 };
    skip_blanks(s, pos);
    a->letter = letter_at(s, *pos);
    *pos += a->letter != '\0';
    skip_blanks(s, pos);
    double sign = sign_at(s, pos, &a->has_sign);
    while (a->parts < 3 && *pos < s.n && scan_is_digit(s.p[*pos])) {
        if (!plain_number(s, pos, has_comma, &part[a->parts]))
            return false;
        int want = (int)a->parts++;
        for (bool goes_on = true; goes_on && *pos < s.n && !scan_is_digit(s.p[*pos]);) {
            size_t next = *pos;
            int mark = letter_at(s, next) ? 5 : mark_at(s, &next);
            if (mark < 3 && mark != want)
                return false;
            goes_on = mark < 4;
            if (goes_on)
                *pos = next;
            else if (mark == 4)
                return false;
        }
    }
    if (!a->letter) {
        skip_blanks(s, pos);
        a->letter = letter_at(s, *pos);
        *pos += a->letter != '\0';
    }
    bool is_whole = part[0] == floor(part[0]) && (a->parts < 3 || part[1] == floor(part[1]));
    a->value = sign * (part[0] + part[1] / 60 + part[2] / 3600);
    return a->parts && (a->parts == 1 || is_whole) && part[1] < 60 && part[2] < 60;
}

/* The angle as a coordinate; false: nobody knows which. */
static bool settle(const struct angle *a, enum role role, char hemisphere, struct quantity *q)
{
    bool is_lat = role == ROLE_LATITUDE;
    char letter = a->letter ? a->letter : hemisphere;
    if (letter && !scan_is_among(is_lat ? "NS" : "EW", letter))
        return false;
    if (!letter && a->parts > 1 && !a->has_sign)
        return false;
    double v = a->value;
    if ((letter == 'S' || letter == 'W') && v > 0)
        v = -v; /* "-33.4" below "°S" is no north */
    if (!is_lat && v > 180 && v <= 360)
        v -= 360;
    if (fabs(v) > (is_lat ? 90 : 180))
        return false;
    char text[32];
    snprintf(text, sizeof text, a->parts > 1 ? "%.5f" : "%.7f", v);
    q->low = v;
    sv_to_double(sv_from(text), &q->low);
    return true;
}

static void add(struct grid *g, size_t record, size_t j, const struct node *head,
                struct sv label, struct quantity *q, bool is_lat, struct buf *made)
{
    static const char *const sites[] = { "volcano",  "site",      "location", "station",
                                         "locality", "volcanoes", "sites",    "stations",
                                         "island",   "lake",      "hole",     "section" };
    struct fact f = {
        .head = *head,
        .tail = { .type = "value" },
        .relation = "Has Value",
        .value = q,
        .of = { .type = "property", .name = is_lat ? SV("latitude") : SV("longitude") },
        .confidence = 0.85,
        .extractor = "table",
    };
    struct sv corner =
        g->is_turned ? grid_cell(g, g->label_row, 0) : buf_view(&g->columns[0].head);
    if (strcmp(head->type, "sample") == 0 && has_word(corner, sites, ARRAY_LEN(sites)) &&
        !head_names_samples(corner) && !g->has_named && !g->has_values)
        f.head.type = "location";
    q->unit = units_named(g->x->units, SV("\xc2\xb0"));
    table_evidence(g, record, j, &f, made, label);
    sink_add(&g->w->sink, &f);
}

bool table_add_where(struct grid *g, size_t record, size_t j, const struct node *head,
                     struct sv label, struct buf *made)
{
    const struct column *col = &g->columns[j];
    struct sv text = grid_value(g, record, j);
    struct angle a[2];
    struct quantity q[2];
    size_t pos = 0, n = col->role == ROLE_BOTH ? 2 : 1;
    if (text.n == 0 || text.n > 60)
        return false;
    for (size_t i = 0; i < n; i++) {
        q[i] = (struct quantity){
            .low = NAN, .high = NAN, .error = NAN, .error_low = NAN, .unit = UNIT_NONE
        };
        if (!read_angle(text, &pos, g->has_comma && n == 1, &a[i]))
            return false;
        while (i + 1 < n && pos < text.n && scan_is_among(" ,;/", text.p[pos]))
            pos++;
    }
    skip_blanks(text, &pos);
    if (pos < text.n)
        return false;
    bool is_swapped = n == 2 && a[0].letter && scan_is_among("EW", a[0].letter);
    enum role first = n == 1 ? col->role : is_swapped ? ROLE_LONGITUDE : ROLE_LATITUDE;
    for (size_t i = 0; i < n; i++) {
        enum role role = i == 0                   ? first
                         : first == ROLE_LATITUDE ? ROLE_LONGITUDE
                                                  : ROLE_LATITUDE;
        if (!settle(&a[i], role, col->hemisphere, &q[i]))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        add(g, record, j, head, label, &q[i], (i == 0) == (first == ROLE_LATITUDE), made);
    return true;
}
