// SPDX-License-Identifier: MIT
/*
 * filter.c — filters over parsed records
 */
#include "filter.h"

#include "alloc.h"

static const char *const operators[] = { "$eq", "$ne",  "$gt", "$gte",
                                         "$lt", "$lte", "$in", "$exists" };

static bool is_operators(jv v)
{
    size_t i = 0;
    struct sv key;
    jv value;
    return json_is_object(v) && json_each(v, &i, &key, &value) && sv_starts(key, SV("$"));
}

static int check_operators(jv v, struct err *err)
{
    struct sv key;
    jv value;
    for (size_t i = 0; json_each(v, &i, &key, &value);) {
        bool is_known = false;
        for (size_t k = 0; k < ARRAY_LEN(operators); k++)
            is_known = is_known || sv_is(key, operators[k]);
        if (!is_known)
            return err_set(err, EXIT_USAGE, "--filter: operator \"%.*s\" needs MongoDB",
                           SV_ARG(key));
        if (sv_is(key, "$in") && !json_is_array(value))
            return err_set(err, EXIT_USAGE, "--filter: $in needs an array");
    }
    return 0;
}

int filter_parse(jv *out, const char *text, struct err *err)
{
    struct sv key;
    jv value;
    if (json_parse(out, sv_from(text ? text : "{}"), err) < 0) {
        err->code = EXIT_USAGE;
        return err_prefix(err, "--filter");
    }
    int rc =
        json_is_object(*out) ? 0 : err_set(err, EXIT_USAGE, "--filter: expected a JSON object");
    for (size_t i = 0; rc == 0 && json_each(*out, &i, &key, &value);) {
        if (sv_starts(key, SV("$")))
            rc = err_set(err, EXIT_USAGE, "--filter: operator \"%.*s\" needs MongoDB",
                         SV_ARG(key));
        else if (is_operators(value))
            rc = check_operators(value, err);
    }
    if (rc < 0)
        json_free(*out);
    return rc;
}

jv filter_path(jv record, struct sv path)
{
    struct sv name;
    jv v = record;
    while (sv_cut(&path, '.', &name)) {
        char *field = alloc_text(name.p, name.n);
        v = json_get(v, field);
        free(field);
    }
    return v;
}

int filter_compare(jv a, jv b)
{
    return jv_cmp(jv_copy(a), jv_copy(b));
}

/* An ordered comparison holds between values of one kind only, as in MongoDB. */
static bool holds(struct sv op, jv value, jv want)
{
    bool is_same_kind = jv_get_kind(value) == jv_get_kind(want);
    int c = is_same_kind ? filter_compare(value, want) : 0;
    if (sv_is(op, "$gt"))
        return is_same_kind && c > 0;
    if (sv_is(op, "$gte"))
        return is_same_kind && c >= 0;
    if (sv_is(op, "$lt"))
        return is_same_kind && c < 0;
    if (sv_is(op, "$lte"))
        return is_same_kind && c <= 0;
    if (sv_is(op, "$in")) {
        for (size_t i = 0; i < json_len(want); i++)
            if (filter_compare(value, json_at(want, i)) == 0)
                return true;
        return false;
    }
    return filter_compare(value, want) == 0; /* $eq */
}

/* For arrays: the array itself, or one of its elements. */
static bool any_holds(struct sv op, jv value, jv want)
{
    if (holds(op, value, want))
        return true;
    for (size_t i = 0; i < json_len(value); i++)
        if (holds(op, json_at(value, i), want))
            return true;
    return false;
}

static bool is_truth(jv v)
{
    return json_is_true(v) || (json_is_num(v) && json_num(v) != 0);
}

static bool member_fits(jv value, jv want)
{
    struct sv op;
    jv arg;
    if (!is_operators(want))
        return any_holds(SV("$eq"), value, want);
    for (size_t i = 0; json_each(want, &i, &op, &arg);) {
        bool fits;
        if (sv_is(op, "$exists"))
            fits = json_is_null(value) != is_truth(arg);
        else if (sv_is(op, "$ne"))
            fits = !any_holds(SV("$eq"), value, arg);
        else
            fits = any_holds(op, value, arg);
        if (!fits)
            return false;
    }
    return true;
}

bool filter_fits(jv filter, jv record)
{
    struct sv path;
    jv want;
    for (size_t i = 0; json_each(filter, &i, &path, &want);)
        if (!member_fits(filter_path(record, path), want))
            return false;
    return true;
}
