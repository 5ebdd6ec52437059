// SPDX-License-Identifier: MIT
/*
 * value_put.c — the value of an edge as JSON and as text
 */
#include "value_put.h"

#include "json.h"
#include "query.h"

void value_put(struct buf *out, const struct grg *g, const struct grg_edge *e)
{
    const struct grg_value *v = grg_value(g, e->value);
    char low[32];
    if (e->value >= g->n_values)
        return;
    json_key(out, "value");
    json_open(out, '{');
    if (v->flags & GRG_HAS_NUMBER) {
        json_key(out, "number");
        json_put_num(out, v->number);
    }
    if (v->flags & GRG_HAS_HIGH) {
        json_key(out, "high");
        json_put_num(out, v->high);
    }
    json_add_str(out, "unit", grg_str(g, v->unit));
    if (v->flags & GRG_HAS_ERROR) {
        json_key(out, "error");
        json_put_num(out, v->error);
    }
    if (v->flags & GRG_HAS_LOW) {
        json_key(out, "error_low");
        snprintf(low, sizeof low, "%.7g", (double)v->error_low);
        json_put_raw(out, sv_from(low));
    }
    json_add_str(out, "error_kind", grg_str(g, v->error_kind));
    if (v->flags & GRG_IS_CHANGE) {
        json_key(out, "change");
        json_put_bool(out, true);
    }
    json_close(out, '}');
}

void query_value_text(struct buf *out, const struct grg *g, const struct grg_edge *e)
{
    const struct grg_value *v = grg_value(g, e->value);
    struct sv unit = grg_str(g, v->unit);
    if (!(v->flags & GRG_HAS_NUMBER))
        return;
    buf_printf(out, "%.10g", v->number);
    if (v->flags & GRG_HAS_HIGH)
        buf_printf(out, "–%.10g", v->high);
    if (v->flags & GRG_HAS_LOW)
        buf_printf(out, " +%.10g/−%.7g", v->error, (double)v->error_low);
    else if (v->flags & GRG_HAS_ERROR)
        buf_printf(out, " ± %.10g", v->error);
    if (unit.n)
        buf_printf(out, " %.*s", SV_ARG(unit));
    if (v->flags & GRG_IS_CHANGE)
        buf_str(out, " (change)");
}

void value_put_of(struct buf *out, const struct grg *g, uint32_t triple)
{
    struct sv raw = grg_raw(g, triple);
    struct err ignored;
    jv v;
    if (sv_find(raw, SV("\"of\""), 0) == SIZE_MAX || json_parse(&v, raw, &ignored) < 0)
        return;
    jv of = json_get(v, "of");
    json_add_str(out, "of", json_is_str(of) ? json_sv(of) : json_sv(json_get(of, "name")));
    json_free(v);
}
