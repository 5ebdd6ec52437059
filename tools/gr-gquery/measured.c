// SPDX-License-Identifier: MIT
/*
 * measured.c — reading the quantity of a triple
 */
#include "measured.h"

#include <math.h>

#include "chem.h"
#include "fold.h"
#include "text.h"
#include "utf8.h"

/* ---- isotope systems ---- */

/* The next run of letters at or after *pos, marks and digits of isotopes left out; a dash, a
 * slash or blanks before it are told by *is_joined. */
static struct sv next_symbol(struct sv s, size_t *pos, bool *is_joined)
{
    bool joins = false, parts = false;
    size_t at = *pos, start;
    for (start = at; at < s.n; start = at) {
        uint32_t cp = utf8_next(s, &at);
        if (cp < 0x80 && ((cp | 32) >= 'a' && (cp | 32) <= 'z'))
            break;
        if (cp == '-' || cp == '/' || (cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212)
            joins = true;
        else if (utf8_digit_value(cp) < 0 && cp != '(' && cp != ')' && cp != '*')
            parts = true;
    }
    for (at = start; at < s.n && (s.p[at] | 32) >= 'a' && (s.p[at] | 32) <= 'z';)
        at++;
    *pos = at;
    *is_joined = joins && !parts;
    return sv_from_to(s, start, at);
}

const char *measured_system(struct sv text)
{
    static const char *const systems[][3] = {
        { "U", "Pb", "U-Pb" },   { "Pb", "U", "U-Pb" },   { "Pb", "Pb", "Pb-Pb" },
        { "Th", "Pb", "Th-Pb" }, { "Pb", "Th", "Th-Pb" }, { "Ar", "Ar", "Ar-Ar" },
        { "K", "Ar", "K-Ar" },   { "Rb", "Sr", "Rb-Sr" }, { "Sm", "Nd", "Sm-Nd" },
        { "Lu", "Hf", "Lu-Hf" }, { "Re", "Os", "Re-Os" }, { "Pt", "Os", "Pt-Os" },
        { "U", "Th", "U-Th" },   { "Th", "U", "U-Th" },   { "Th", "He", "(U-Th)/He" },
        { "La", "Ce", "La-Ce" }, { "K", "Ca", "K-Ca" },   { "Hf", "W", "Hf-W" },
        { "Al", "Mg", "Al-Mg" }, { "Mn", "Cr", "Mn-Cr" },
    };
    const char *found = "";
    bool joined, ignored;
    size_t pos = 0;
    for (struct sv a = next_symbol(text, &pos, &ignored), b; a.n; a = b) {
        b = next_symbol(text, &pos, &joined);
        for (size_t i = 0; joined && b.n && i < ARRAY_LEN(systems); i++) {
            if (!sv_is(a, systems[i][0]) || !sv_is(b, systems[i][1]))
                continue;
            /* "(U-Th)/He" begins like "U-Th". */
            bool goes_on = i > 0 && !strcmp(found, "U-Th") && sv_is(b, "He");
            if (*found && !goes_on && strcmp(found, systems[i][2]) != 0)
                return "";
            found = systems[i][2];
        }
    }
    return found;
}

/* ---- the record ---- */

bool measured_denies(struct sv record)
{
    struct err ignored;
    jv v;
    if (sv_find(record, SV("\"negated\""), 0) == SIZE_MAX &&
        sv_find(record, SV("\"polarity\""), 0) == SIZE_MAX)
        return false;
    if (json_parse(&v, record, &ignored) < 0)
        return false;
    jv polarity = json_get(v, "polarity");
    bool denies = json_is_true(json_get(v, "negated")) || json_num(polarity) < 0 ||
                  sv_ieq(json_sv(polarity), SV("negative"));
    json_free(v);
    return denies;
}

/* A printed error at two sigma, in the unit of the value. One of a kind that is not said is
 * taken for two sigma, as most are printed. */
static double error_of(const struct grg_value *v, double error, struct sv kind)
{
    error = fabs(error);
    bool is_one = sv_starts(kind, SV("1")) || sv_ieq(kind, SV("SE")) || sv_ieq(kind, SV("SD"));
    if (sv_is(kind, "%"))
        error *= fabs(v->number) / 100;
    return is_one ? 2 * error : error;
}

static void read_interval(struct measured *m, const struct grg *g, const struct units *u,
                          const struct grg_value *v, jv value)
{
    struct sv op = json_sv(json_get(value, "op"));
    m->unit = grg_str(g, v->unit);
    m->factor = 1;
    m->dimension = u ? units_scale(u, units_named(u, m->unit), &m->factor, &m->offset) : SV("");
    bool is_upper = !(v->flags & GRG_HAS_NUMBER);
    m->low = is_upper ? -INFINITY : v->number;
    m->high = v->flags & GRG_HAS_HIGH ? v->high : v->number;
    if (m->low > m->high) { /* "-3 to -6" */
        m->low = v->high;
        m->high = v->number;
    }
    if (sv_starts(op, SV(">")) || sv_is(op, "≥"))
        m->high = INFINITY;
    if (sv_starts(op, SV("<")) || sv_is(op, "≤"))
        m->low = -INFINITY;
    m->is_about = sv_is(op, "~");
    m->low = m->low * m->factor + m->offset;
    m->high = m->high * m->factor + m->offset;
    struct sv kind = grg_str(g, v->error_kind);
    m->is_change = v->flags & GRG_IS_CHANGE;
    m->error = v->flags & GRG_HAS_ERROR ? error_of(v, v->error, kind) * m->factor : NAN;
    m->error_low =
        v->flags & GRG_HAS_LOW ? error_of(v, (double)v->error_low, kind) * m->factor : m->error;
}

bool measured_is_plain(struct sv relation)
{
    static const char *const plain[] = { "Has Value", "Has Concentration",
                                         "Has Isotope Composition", "Contains" };
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (sv_ieq(relation, sv_from(plain[i])))
            return true;
    return false;
}

static void read_quantity(struct measured *m, const struct grg *g, const struct grg_edge *e)
{
    jv of = json_get(m->record, "of");
    const struct grg_node *tail = grg_node(g, e->tail), *head = grg_node(g, e->head);
    m->subject = grg_str(g, head->name);
    m->of = json_is_str(of) ? json_sv(of) : json_sv(json_get(of, "name"));
    m->of_type = json_sv(json_get(of, "type"));
    if (!m->of.n && grg_is_thing(g, e->tail)) {
        m->of = grg_str(g, tail->name);
        m->of_type = grg_str(g, tail->type);
    }
    if (!m->of.n && measured_is_plain(grg_str(g, e->relation))) {
        /* "δ238U Has Value −0.39 ‰": of something that is not said. */
        m->of = m->subject;
        m->of_type = grg_str(g, head->type);
        m->subject = SV("");
    }
}

bool measured_read(struct measured *m, const struct grg *g, const struct units *u, uint32_t t)
{
    const struct grg_triple *x = grg_triple(g, t);
    const struct grg_edge *e = grg_edge(g, x->edge);
    const struct grg_value *v = grg_value(g, e->value);
    struct err ignored;
    *m = (struct measured){ .system = "" };
    if (!(v->flags & (GRG_HAS_NUMBER | GRG_HAS_HIGH)) || grg_stance(g, x->edge) ||
        measured_denies(grg_raw(g, t)) || json_parse(&m->record, grg_raw(g, t), &ignored) < 0)
        return false;
    jv experiment = json_get(m->record, "experiment");
    read_interval(m, g, u, v, json_get(m->record, "value"));
    read_quantity(m, g, e);
    m->method = json_sv(json_get(experiment, "method"));
    m->conditions = json_sv(json_get(experiment, "conditions"));
    if (sv_is(m->dimension, "age") && sv_ieq(grg_str(g, e->relation), SV("Has Age"))) {
        m->system = measured_system(m->method);
        if (!*m->system)
            m->system = measured_system(m->of);
        if (!*m->system)
            m->system = measured_system(grg_str(g, x->evidence));
    }
    return true;
}

void measured_release(struct measured *m)
{
    json_free(m->record);
}

void measured_key(struct sv name, struct buf *key)
{
    fold_key(SV("element"), name, key);
}

bool measured_is_chemical(struct sv name)
{
    struct chem c;
    return chem_symbol(name) || chem_name(name) ||
           (chem_match(name, 0, &c) && c.start == 0 && c.end == name.n);
}

bool measured_is(const struct measured *m, struct sv relation, struct sv name, struct sv key)
{
    if (sv_ieq(relation, name) ||
        (relation.n == name.n + 4 && sv_starts(relation, SV("Has ")) &&
         sv_ieq(sv_from_to(relation, 4, relation.n), name)))
        return true;
    if (!m->of.n)
        return false;
    struct buf b = BUF_INIT;
    measured_key(m->of, &b);
    struct sv of = buf_view(&b);
    /* "εNd" asks for "εNd(t)" as well. */
    bool is = sv_starts(of, key) && (of.n == key.n || of.p[key.n] == '(');
    buf_release(&b);
    return is;
}
