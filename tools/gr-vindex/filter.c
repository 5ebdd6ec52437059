// SPDX-License-Identifier: MIT
/*
 * filter.c — libjq on stored records, and columns before it
 */
#include "filter.h"

#include <jq.h>

#include "alloc.h"
#include "json.h"
#include "where.h"

struct filter {
    jq_state *jq;
    char message[300]; /* jq's first message while compiling */
};

static void keep_message(void *ctx, jv msg)
{
    struct filter *f = ctx;
    struct sv text = json_sv(msg), line;
    if (!f->message[0] && sv_cut(&text, '\n', &line))
        snprintf(f->message, sizeof f->message, "%.*s", (int)(line.n < 250 ? line.n : 250),
                 line.p);
    jv_free(msg);
}

struct filter *filter_new(const char *expr, struct err *err)
{
    struct filter *f = alloc_zero(1, sizeof *f);
    f->jq = jq_init();
    if (!f->jq)
        alloc_die(NULL);
    jq_set_error_cb(f->jq, keep_message, f);
    /* jq_init of jq 1.6 leaves these two unset: "input" and "debug" would call anything. */
    jq_set_input_cb(f->jq, NULL, NULL);
    jq_set_debug_cb(f->jq, NULL, NULL);
    /* No folder to import from; without the attribute "import" fails an assertion. */
    jq_set_attr(f->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
    if (!jq_compile(f->jq, expr)) {
        err_set(err, EXIT_USAGE, "--filter: not a jq expression: %s", f->message);
        filter_free(f);
        return NULL;
    }
    return f;
}

void filter_free(struct filter *f)
{
    if (!f)
        return;
    jq_teardown(&f->jq);
    free(f);
}

int filter_test(struct filter *f, struct sv record, struct err *err)
{
    jv v;
    if (json_parse(&v, record, err) < 0)
        return -1;
    jq_start(f->jq, v, 0);
    int is_selected = 0;
    for (;;) {
        jv x = jq_next(f->jq);
        jv_kind kind = jv_get_kind(x);
        jv_free(x);
        if (kind == JV_KIND_INVALID)
            break;
        if (kind != JV_KIND_FALSE && kind != JV_KIND_NULL) {
            is_selected = 1;
            break;
        }
    }
    return is_selected;
}

void filter_know(struct filter_known *k, const char *expr, const struct columns *c,
                 const unsigned char *dead)
{
    struct where w;
    *k = (struct filter_known){ 0 };
    if (!c->is_there || !where_parse(&w, expr))
        return;
    k->skip = alloc(c->n_docs + 1);
    int rc = columns_select(c, &w, k->skip);
    k->is_final = rc == 1;
    if (rc < 0)
        filter_known_release(k);
    for (size_t i = 0; k->skip && i < c->n_docs; i++) {
        k->skip[i] = k->skip[i] || (dead && dead[i]);
        k->n_left += !k->skip[i];
    }
    where_release(&w);
}

void filter_known_release(struct filter_known *k)
{
    free(k->skip);
    *k = (struct filter_known){ 0 };
}
