// SPDX-License-Identifier: MIT
/*
 * opts.c — the option table walked for getopt_long, help and description
 */
#define _GNU_SOURCE /* getopt_long */
#include "opts.h"

#include <getopt.h>
#include <math.h>

#include "alloc.h"
#include "sv.h"

#define MAX_ROWS 96
#define FIRST_LONG 1000 /* getopt values of long options: FIRST_LONG + row */
#define HELP_COLUMN 28
#define HELP_WIDTH 80

static int set_number(const struct opt *o, struct sv arg, struct err *err)
{
    double v;
    int64_t whole = 0;
    bool ok = o->kind == OPT_LONG ? sv_to_i64(arg, &whole) : sv_to_double(arg, &v);
    if (!ok)
        return err_set(err, EXIT_USAGE, "--%s: \"%.*s\" is not a %s", o->name, SV_ARG(arg),
                       o->kind == OPT_LONG ? "whole number" : "number");
    if (o->kind == OPT_LONG)
        v = (double)whole;
    if ((o->lo != 0 || o->hi != 0) && (v < o->lo || v > o->hi))
        return err_set(err, EXIT_USAGE, "--%s: %.*s is outside %.15g to %.15g", o->name,
                       SV_ARG(arg), o->lo, o->hi);
    if (o->kind == OPT_LONG)
        *(long *)o->ptr = (long)whole;
    else
        *(double *)o->ptr = v;
    return 0;
}

static int set_choice(const struct opt *o, struct sv arg, struct err *err)
{
    struct sv rest = sv_from(o->choices), one;
    for (int i = 0; sv_cut(&rest, '|', &one); i++)
        if (sv_eq(one, arg)) {
            *(int *)o->ptr = i;
            return 0;
        }
    return err_set(err, EXIT_USAGE, "--%s: \"%.*s\" is not one of %s", o->name, SV_ARG(arg),
                   o->choices);
}

static int set_value(const struct opt *o, const char *arg, struct err *err)
{
    switch (o->kind) {
    case OPT_FLAG:
        *(bool *)o->ptr = true;
        return 0;
    case OPT_COUNT:
        ++*(int *)o->ptr;
        return 0;
    case OPT_LONG:
    case OPT_DOUBLE:
        return set_number(o, sv_from(arg), err);
    case OPT_ENUM:
        return set_choice(o, sv_from(arg), err);
    case OPT_STRING:
        *(const char **)o->ptr = arg;
        return 0;
    case OPT_LIST: {
        struct opt_list *l = o->ptr;
        l->items = alloc_resize(l->items, l->n + 1, sizeof *l->items);
        l->items[l->n++] = arg;
        return 0;
    }
    default:
        abort();
    }
}

void opts_defaults(const struct opt *table)
{
    for (const struct opt *o = table; o->kind != OPT_END; o++) {
        struct err err;
        if (o->def && o->kind != OPT_LIST && set_value(o, o->def, &err) < 0)
            abort();
    }
}

static bool takes_arg(const struct opt *o)
{
    return o->kind != OPT_FLAG && o->kind != OPT_COUNT;
}

/* Fill getopt's two notations from the table; returns the number of rows. */
static size_t to_getopt(const struct opt *table, struct option *longs, char *shorts)
{
    size_t n = 0, s = 0, row = 0;
    shorts[s++] = ':'; /* report a missing argument apart from an unknown option */
    for (const struct opt *o = table; o->kind != OPT_END; o++, row++) {
        if (o->kind == OPT_GROUP)
            continue;
        if (n + 1 >= MAX_ROWS)
            abort();
        longs[n++] = (struct option){ o->name, takes_arg(o) ? required_argument : no_argument,
                                      NULL, FIRST_LONG + (int)row };
        if (o->letter) {
            shorts[s++] = (char)o->letter;
            if (takes_arg(o))
                shorts[s++] = ':';
        }
    }
    longs[n] = (struct option){ 0 };
    shorts[s] = '\0';
    return n;
}

static const struct opt *row_of(const struct opt *table, int c)
{
    if (c >= FIRST_LONG)
        return &table[c - FIRST_LONG];
    for (const struct opt *o = table; o->kind != OPT_END; o++)
        if (o->letter == c && o->kind != OPT_GROUP)
            return o;
    return NULL;
}

static int misuse(int c, char **argv, struct err *err)
{
    const char *word = argv[optind - 1];
    if (c == ':' && optopt < FIRST_LONG && optopt > 0 && word[1] != '-')
        return err_set(err, EXIT_USAGE, "option -%c needs an argument", optopt);
    if (c == ':')
        return err_set(err, EXIT_USAGE, "option %s needs an argument", word);
    if (optopt >= FIRST_LONG)
        return err_set(err, EXIT_USAGE, "option %s takes no argument", word);
    if (optopt)
        return err_set(err, EXIT_USAGE, "unknown option -%c", optopt);
    return err_set(err, EXIT_USAGE, "unknown or ambiguous option %s", word);
}

int opts_parse(const struct opt *table, int argc, char **argv, int *first_operand,
               struct err *err)
{
    struct option longs[MAX_ROWS];
    char shorts[2 * MAX_ROWS + 2];
    to_getopt(table, longs, shorts);
    optind = 0; /* glibc: start afresh */
    opterr = 0;
    int c;
    while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (c == '?' || c == ':')
            return misuse(c, argv, err);
        if (set_value(row_of(table, c), optarg, err) < 0)
            return -1;
    }
    *first_operand = optind;
    return 0;
}

/* Words of s from column `at` on, wrapped, continued at HELP_COLUMN. */
static void print_wrapped(const char *s, int at)
{
    struct sv rest = sv_from(s), word;
    bool is_first = true;
    while (sv_cut(&rest, ' ', &word)) {
        int width = 0;
        for (size_t i = 0; i < word.n; i++)
            width += ((unsigned char)word.p[i] & 0xC0) != 0x80;
        if (!is_first && at + 1 + width > HELP_WIDTH) {
            printf("\n%*s", HELP_COLUMN, "");
            at = HELP_COLUMN;
            is_first = true;
        }
        printf("%s%.*s", is_first ? "" : " ", SV_ARG(word));
        at += width + (is_first ? 0 : 1);
        is_first = false;
    }
    putchar('\n');
}

static void print_row(const struct opt *o)
{
    char left[128], text[512];
    char letter[4] = "   ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c,", o->letter);
    if (o->kind == OPT_ENUM)
        snprintf(left, sizeof left, "  %s --%s=%s", letter, o->name, o->choices);
    else
        snprintf(left, sizeof left, "  %s --%s%s%s", letter, o->name, o->arg ? "=" : "",
                 o->arg ? o->arg : "");
    if (o->def && takes_arg(o) && *o->def)
        snprintf(text, sizeof text, "%s [%s]", o->help, o->def);
    else
        snprintf(text, sizeof text, "%s", o->help);
    int n = printf("%s", left);
    if (n + 2 > HELP_COLUMN) {
        printf("\n%*s", HELP_COLUMN, "");
        n = HELP_COLUMN;
    } else {
        n += printf("%*s", HELP_COLUMN - n, "");
    }
    print_wrapped(text, n);
}

void opts_print_help(const struct opt *table)
{
    for (const struct opt *o = table; o->kind != OPT_END; o++) {
        if (o->kind == OPT_GROUP)
            printf("\n%s:\n", o->name);
        else
            print_row(o);
    }
}

/* Help text and names hold no character that JSON escapes but the two handled here. */
static void print_json(const char *key, const char *value, bool is_last)
{
    printf("\"%s\":", key);
    if (!value) {
        printf("null");
    } else {
        putchar('"');
        for (const char *p = value; *p; p++) {
            if (*p == '"' || *p == '\\')
                putchar('\\');
            putchar(*p);
        }
        putchar('"');
    }
    if (!is_last)
        putchar(',');
}

static void print_choices(const char *choices)
{
    if (!choices) {
        printf("\"choices\":null,");
        return;
    }
    struct sv rest = sv_from(choices), one;
    const char *sep = "\"choices\":[";
    while (sv_cut(&rest, '|', &one)) {
        printf("%s\"%.*s\"", sep, SV_ARG(one));
        sep = ",";
    }
    printf("],");
}

void opts_print_rows(const struct opt *table, const char *tool, const char *command)
{
    const char *group = "Options";
    for (const struct opt *o = table; o->kind != OPT_END; o++) {
        if (o->kind == OPT_GROUP) {
            group = o->name;
            continue;
        }
        char letter[2] = { (char)o->letter, '\0' };
        putchar('{');
        print_json("tool", tool, false);
        print_json("command", command, false);
        print_json("name", o->name, false);
        print_json("short", o->letter ? letter : NULL, false);
        print_json("arg", takes_arg(o) ? (o->arg ? o->arg : "WORD") : NULL, false);
        print_json("default", takes_arg(o) ? o->def : NULL, false);
        print_choices(o->choices);
        print_json("group", group, false);
        print_json("help", o->help, true);
        printf("}\n");
    }
}
