// SPDX-License-Identifier: MIT
/*
 * where_parse.c — reading the simple part of a jq filter
 *
 * A reader of recursive descent that gives up at the first thing it does not know: then the
 * expression is libjq's. The order of binding is that of jq's grammar: "|" least, then "or",
 * "and", comparisons, which do not associate.
 */
#include "where.h"

#include <math.h>

#include "alloc.h"
#include "json.h"

enum token {
    T_END,
    T_FIELD, /* .name */
    T_DOT,   /* . */
    T_VALUE, /* number, string, null, true, false */
    T_NAME,
    T_AND,
    T_OR,
    T_COMPARE,
    T_OPEN,  /* ( [ { */
    T_CLOSE, /* ) ] } */
    T_PIPE,
    T_COMMA,
    T_MINUS,
    T_OTHER, /* an operator that joins nothing wider than a comparison's operand */
    T_ODD,   /* not understood: nothing may be concluded */
};

/* A place in the expression and the token there. */
struct reader {
    struct where *w;
    struct sv text;
    size_t from, at; /* the token is text[from, at) */
    enum token token;
    enum where_op op;         /* of T_COMPARE */
    struct where_value value; /* of T_VALUE */
    struct sv name;           /* of T_FIELD and T_NAME */
    unsigned depth;
};

/* ---- tokens ---- */

static bool is_name(char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!is_first && c >= '0' && c <= '9');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char char_at(const struct reader *r, size_t i)
{
    return i < r->text.n ? r->text.p[i] : '\0';
}

static struct sv keep(struct where *w, struct sv text)
{
    return map_key(w->texts, map_put(w->texts, text, NULL));
}

/* "…" at `from`; interpolation and surrogates are left to libjq. */
static enum token read_string(struct reader *r)
{
    size_t i = r->from + 1;
    for (; char_at(r, i) != '"'; i++) {
        if (i >= r->text.n)
            return T_ODD;
        if (char_at(r, i) != '\\')
            continue;
        i++;
        if (char_at(r, i) == '(' ||
            (char_at(r, i) == 'u' && (char_at(r, i + 1) == 'd' || char_at(r, i + 1) == 'D')))
            return T_ODD;
    }
    r->at = i + 1;
    jv v;
    struct err err;
    if (json_parse(&v, sv_from_to(r->text, r->from, r->at), &err) < 0)
        return T_ODD;
    r->value = (struct where_value){ .type = WHERE_STRING, .str = keep(r->w, json_sv(v)) };
    json_free(v);
    return T_VALUE;
}

static enum token read_number(struct reader *r)
{
    size_t i = r->from, n_digits = 0;
    for (; is_digit(char_at(r, i)); i++)
        n_digits++;
    if (char_at(r, i) == '.' && is_digit(char_at(r, i + 1)))
        for (i++; is_digit(char_at(r, i)); i++)
            n_digits++;
    if ((char_at(r, i) | 32) == 'e') {
        i += char_at(r, i + 1) == '-' || char_at(r, i + 1) == '+' ? 2 : 1;
        if (!is_digit(char_at(r, i)))
            return T_ODD;
        while (is_digit(char_at(r, i)))
            i++;
    }
    r->at = i;
    r->value = (struct where_value){ .type = WHERE_NUMBER };
    /* More digits than a double has: later versions of jq may see a difference. */
    bool is_read = sv_to_double(sv_from_to(r->text, r->from, i), &r->value.num);
    return n_digits <= 17 && is_read && isfinite(r->value.num) ? T_VALUE : T_ODD;
}

static enum token read_name(struct reader *r)
{
    static const char *const odd[] = { "def",    "if",      "then",   "elif",    "else",
                                       "end",    "as",      "try",    "catch",   "label",
                                       "import", "include", "reduce", "foreach", "__loc__" };
    static const struct {
        const char *name;
        enum token token;
        enum where_type type;
    } known[] = { { "and", T_AND, 0 },
                  { "or", T_OR, 0 },
                  { "null", T_VALUE, WHERE_NULL },
                  { "false", T_VALUE, WHERE_FALSE },
                  { "true", T_VALUE, WHERE_TRUE } };
    for (r->at = r->from; is_name(char_at(r, r->at), false);)
        r->at++;
    r->name = sv_from_to(r->text, r->from, r->at);
    if (char_at(r, r->at) == ':')
        return T_ODD;
    for (size_t i = 0; i < ARRAY_LEN(odd); i++)
        if (sv_is(r->name, odd[i]))
            return T_ODD;
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (sv_is(r->name, known[i].name)) {
            r->value = (struct where_value){ .type = known[i].type };
            return known[i].token;
        }
    return T_NAME;
}

/* .name, ."name" or a dot alone. */
static enum token read_dot(struct reader *r)
{
    if (is_name(char_at(r, r->at), true)) {
        while (is_name(char_at(r, r->at), false))
            r->at++;
        r->name = keep(r->w, sv_from_to(r->text, r->from + 1, r->at));
        return T_FIELD;
    }
    if (char_at(r, r->at) != '"')
        return is_digit(char_at(r, r->at)) ? T_ODD : T_DOT;
    r->from++;
    enum token t = read_string(r);
    r->name = r->value.str;
    return t == T_VALUE ? T_FIELD : T_ODD;
}

static enum token read_operator(struct reader *r, char c)
{
    static const struct {
        char text[3];
        enum where_op op;
    } two[] = {
        { "==", WHERE_EQ }, { "!=", WHERE_NE }, { "<=", WHERE_LE }, { ">=", WHERE_GE }
    };
    char next = char_at(r, r->at);
    for (size_t i = 0; i < ARRAY_LEN(two); i++)
        if (c == two[i].text[0] && next == two[i].text[1]) {
            r->at++;
            r->op = two[i].op;
            return T_COMPARE;
        }
    if (next == '=') /* +=, |= and so on */
        return T_ODD;
    switch (c) {
    case '<':
    case '>':
        r->op = c == '<' ? WHERE_LT : WHERE_GT;
        return T_COMPARE;
    case '(':
    case '[':
    case '{':
        return T_OPEN;
    case ')':
    case ']':
    case '}':
        return T_CLOSE;
    case '|':
        return T_PIPE;
    case ',':
        return T_COMMA;
    case '-':
        return T_MINUS;
    case '+':
    case '*':
    case '%':
        return T_OTHER;
    case '/':
        return next == '/' ? T_ODD : T_OTHER;
    default:
        return T_ODD;
    }
}

static void next(struct reader *r)
{
    while (char_at(r, r->at) == ' ' || char_at(r, r->at) == '\t' || char_at(r, r->at) == '\n')
        r->at++;
    r->from = r->at;
    if (r->at >= r->text.n) {
        r->token = T_END;
        return;
    }
    char c = char_at(r, r->at++);
    r->token = c == '"'           ? read_string(r)
               : c == '.'         ? read_dot(r)
               : is_digit(c)      ? read_number(r)
               : is_name(c, true) ? read_name(r)
                                  : read_operator(r, c);
}

static bool is_mark(const struct reader *r, enum token token, char c)
{
    return r->token == token && r->text.p[r->from] == c;
}

/* ---- expressions ---- */

/* What the input of an expression is. */
enum input { OF_RECORD, OF_FIELD };

/* What was read: a member, a literal, or a node. */
struct piece {
    enum { P_FIELD, P_VALUE, P_NODE } kind;
    struct sv field;
    struct where_value value;
    size_t node;
};

static size_t put_node(struct where *w, struct where_node node)
{
    w->nodes = alloc_resize(w->nodes, w->n_nodes + 1, sizeof *w->nodes);
    w->nodes[w->n_nodes] = node;
    return w->n_nodes++;
}

static size_t put_value(struct where *w, struct where_value v)
{
    w->values = alloc_resize(w->values, w->n_values + 1, sizeof *w->values);
    w->values[w->n_values] = v;
    return w->n_values++;
}

/* As something true or false: a literal is none that this would be wanted for. */
static bool as_node(struct where *w, struct piece *p)
{
    if (p->kind == P_VALUE)
        return false;
    if (p->kind == P_FIELD)
        p->node = put_node(w, (struct where_node){ .op = WHERE_IS, .field = p->field });
    p->kind = P_NODE;
    return true;
}

static bool read_pipe(struct reader *r, enum input input, struct sv field, struct piece *p);

/* A literal, maybe with a minus before it; the token after it is next. */
static bool read_literal(struct reader *r, struct where_value *v)
{
    bool is_minus = r->token == T_MINUS;
    if (is_minus)
        next(r);
    if (r->token != T_VALUE || (is_minus && r->value.type != WHERE_NUMBER))
        return false;
    *v = r->value;
    if (is_minus)
        v->num = -v->num;
    next(r);
    return true;
}

/* IN("a", "b"), startswith("a") …, of a member. */
static bool read_call(struct reader *r, struct sv field, struct piece *p)
{
    static const struct {
        const char *name;
        enum where_op op;
    } calls[] = { { "IN", WHERE_IN },
                  { "startswith", WHERE_STARTS },
                  { "endswith", WHERE_ENDS },
                  { "contains", WHERE_CONTAINS } };
    size_t i = 0;
    while (i < ARRAY_LEN(calls) && !sv_is(r->name, calls[i].name))
        i++;
    next(r);
    if (i == ARRAY_LEN(calls) || !is_mark(r, T_OPEN, '('))
        return false;
    struct where_node leaf = { .op = calls[i].op, .field = field, .values = r->w->n_values };
    do {
        struct where_value v;
        next(r);
        if (!read_literal(r, &v))
            return false;
        /* Text behind a NUL is not looked at by the contains of jq 1.6. */
        if (leaf.op != WHERE_IN && (v.type != WHERE_STRING || memchr(v.str.p, '\0', v.str.n)))
            return false;
        put_value(r->w, v);
        leaf.n++;
    } while (r->token == T_COMMA && leaf.op == WHERE_IN);
    if (!is_mark(r, T_CLOSE, ')'))
        return false;
    next(r);
    *p = (struct piece){ .kind = P_NODE, .node = put_node(r->w, leaf) };
    return true;
}

/* .["name"], behind the dot. */
static bool read_index(struct reader *r, struct piece *p)
{
    if (!is_mark(r, T_OPEN, '['))
        return false;
    next(r);
    if (r->token != T_VALUE || r->value.type != WHERE_STRING)
        return false;
    *p = (struct piece){ .kind = P_FIELD, .field = r->value.str };
    next(r);
    if (!is_mark(r, T_CLOSE, ']'))
        return false;
    next(r);
    return true;
}

static bool read_operand(struct reader *r, enum input input, struct sv field, struct piece *p)
{
    if (is_mark(r, T_OPEN, '(')) {
        if (++r->depth > WHERE_MAX_DEPTH)
            return false;
        next(r);
        if (!read_pipe(r, input, field, p) || !is_mark(r, T_CLOSE, ')'))
            return false;
        r->depth--;
        next(r);
        return true;
    }
    if (r->token == T_FIELD && input == OF_RECORD) {
        *p = (struct piece){ .kind = P_FIELD, .field = r->name };
        next(r);
        return true;
    }
    if (r->token == T_DOT) {
        *p = (struct piece){ .kind = P_FIELD, .field = field };
        next(r);
        return input == OF_FIELD || read_index(r, p);
    }
    if (r->token == T_NAME && input == OF_FIELD) {
        if (!sv_is(r->name, "not"))
            return read_call(r, field, p);
        struct piece is = { .kind = P_FIELD, .field = field };
        as_node(r->w, &is);
        *p = (struct piece){ .kind = P_NODE };
        p->node = put_node(r->w, (struct where_node){ .op = WHERE_NOT, .a = is.node });
        next(r);
        return true;
    }
    *p = (struct piece){ .kind = P_VALUE };
    return read_literal(r, &p->value);
}

static bool read_comparison(struct reader *r, enum input input, struct sv field,
                            struct piece *p)
{
    static const enum where_op mirrored[] = {
        [WHERE_EQ] = WHERE_EQ, [WHERE_NE] = WHERE_NE, [WHERE_LT] = WHERE_GT,
        [WHERE_LE] = WHERE_GE, [WHERE_GT] = WHERE_LT, [WHERE_GE] = WHERE_LE
    };
    struct piece right;
    if (!read_operand(r, input, field, p))
        return false;
    if (r->token != T_COMPARE)
        return true;
    enum where_op op = r->op;
    next(r);
    if (!read_operand(r, input, field, &right) || r->token == T_COMPARE)
        return false;
    if (p->kind == P_VALUE && right.kind == P_FIELD) {
        struct piece left = *p;
        *p = right;
        right = left;
        op = mirrored[op];
    }
    if (p->kind != P_FIELD || right.kind != P_VALUE)
        return false;
    struct where_node leaf = { .op = op, .field = p->field, .n = 1 };
    leaf.values = put_value(r->w, right.value);
    *p = (struct piece){ .kind = P_NODE, .node = put_node(r->w, leaf) };
    return true;
}

static bool join(struct reader *r, enum where_op op, struct piece *a, struct piece *b)
{
    if (!as_node(r->w, a) || !as_node(r->w, b))
        return false;
    a->node = put_node(r->w, (struct where_node){ .op = op, .a = a->node, .b = b->node });
    return true;
}

static bool read_and(struct reader *r, enum input input, struct sv field, struct piece *p)
{
    struct piece right;
    if (!read_comparison(r, input, field, p))
        return false;
    while (r->token == T_AND) {
        next(r);
        if (!read_comparison(r, input, field, &right) || !join(r, WHERE_AND, p, &right))
            return false;
    }
    return true;
}

static bool read_or(struct reader *r, enum input input, struct sv field, struct piece *p)
{
    struct piece right;
    if (!read_and(r, input, field, p))
        return false;
    while (r->token == T_OR) {
        next(r);
        if (!read_and(r, input, field, &right) || !join(r, WHERE_OR, p, &right))
            return false;
    }
    return true;
}

static bool read_pipe(struct reader *r, enum input input, struct sv field, struct piece *p)
{
    if (!read_or(r, input, field, p))
        return false;
    while (r->token == T_PIPE) {
        next(r);
        if (p->kind == P_FIELD) /* binds to the right, so this is all that is left */
            return read_pipe(r, OF_FIELD, p->field, p);
        if (p->kind != P_NODE || r->token != T_NAME || !sv_is(r->name, "not"))
            return false;
        p->node = put_node(r->w, (struct where_node){ .op = WHERE_NOT, .a = p->node });
        next(r);
    }
    return true;
}

/* ---- wholes and parts ---- */

static struct reader reader_of(struct where *w, struct sv text)
{
    struct reader r = { .w = w, .text = text };
    next(&r);
    return r;
}

static bool read_whole(struct where *w, struct sv text, size_t *node)
{
    struct reader r = reader_of(w, text);
    struct piece p;
    if (!read_pipe(&r, OF_RECORD, SV_NONE, &p) || r.token != T_END || !as_node(w, &p))
        return false;
    *node = p.node;
    return true;
}

static size_t and_node(struct where *w, size_t a, size_t b)
{
    if (a == SIZE_MAX || b == SIZE_MAX)
        return a == SIZE_MAX ? b : a;
    return put_node(w, (struct where_node){ .op = WHERE_AND, .a = a, .b = b });
}

/* The simple links of a chain of "and"; SIZE_MAX: none, or no such chain. */
static size_t read_links(struct where *w, struct sv text)
{
    size_t found = SIZE_MAX, from = 0, depth = 0;
    for (struct reader r = reader_of(w, text);; next(&r)) {
        depth += r.token == T_OPEN;
        if (r.token == T_CLOSE && depth-- == 0)
            return SIZE_MAX;
        /* Even what stands in brackets has to be made of tokens that are known. */
        if (r.token == T_ODD ||
            (!depth && (r.token == T_PIPE || r.token == T_COMMA || r.token == T_OR)))
            return SIZE_MAX;
        if (r.token != T_END && (depth || r.token != T_AND))
            continue;
        struct reader link = reader_of(w, sv_from_to(text, from, r.from));
        struct piece p;
        if (read_comparison(&link, OF_RECORD, SV_NONE, &p) && link.token == T_END &&
            as_node(w, &p))
            found = and_node(w, found, p.node);
        from = r.at;
        if (r.token == T_END)
            return depth ? SIZE_MAX : found;
    }
}

/* The inside of select(…) at the start of text, and what is behind the bracket. */
static bool cut_select(struct where *w, struct sv text, struct sv *inside, struct sv *rest)
{
    struct reader r = reader_of(w, text);
    if (r.token != T_NAME || !sv_is(r.name, "select"))
        return false;
    next(&r);
    if (!is_mark(&r, T_OPEN, '('))
        return false;
    size_t from = r.at;
    for (size_t depth = 1; depth;) {
        next(&r);
        if (r.token == T_END || r.token == T_ODD)
            return false;
        depth += r.token == T_OPEN;
        depth -= r.token == T_CLOSE;
    }
    if (!is_mark(&r, T_CLOSE, ')'))
        return false;
    *inside = sv_from_to(text, from, r.from);
    *rest = sv_from_to(text, r.at, text.n);
    return true;
}

/* *node: the simple part, SIZE_MAX when there is none; true when it is the whole. */
static bool read_part(struct where *w, struct sv text, size_t *node, unsigned depth)
{
    struct sv inside, rest;
    size_t more = SIZE_MAX;
    *node = SIZE_MAX;
    if (depth < WHERE_MAX_DEPTH && cut_select(w, text, &inside, &rest)) {
        struct reader r = reader_of(w, rest);
        if (r.token != T_END && r.token != T_PIPE)
            return false;
        bool is_exact = read_part(w, inside, node, depth + 1);
        if (r.token == T_PIPE)
            is_exact &= read_part(w, sv_from_to(rest, r.at, rest.n), &more, depth + 1);
        *node = and_node(w, *node, more);
        return is_exact;
    }
    if (read_whole(w, text, node))
        return true;
    *node = read_links(w, text);
    return false;
}

bool where_parse(struct where *w, const char *expr)
{
    struct sv text = sv_from(expr);
    *w = (struct where){ .texts = map_new() };
    if (text.n <= WHERE_MAX_TEXT)
        w->is_exact = read_part(w, text, &w->root, 0);
    else
        w->root = SIZE_MAX;
    if (w->root != SIZE_MAX)
        return true;
    where_release(w);
    return false;
}
