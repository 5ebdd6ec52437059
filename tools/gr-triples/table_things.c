// SPDX-License-Identifier: MIT
/*
 * table_things.c — what a caption, a cell or a row that heads others says of samples: the rock
 * or mineral they are, the place they are from
 *
 * One of a kind or none: "basalts and andesites" says of no sample what it is.
 */
#include "scan.h"
#include "table_impl.h"

/* "from Iceland", "of the Deccan Traps", "in northern Chile". */
static bool is_behind_place_word(struct sv text, size_t at)
{
    static const char *const words[] = {
        "from", "of", "in", "at", "on", "near", "off", "within"
    };
    size_t from = at > 24 ? at - 24 : 0;
    return has_word(sv_from_to(text, from, at), words, ARRAY_LEN(words));
}

/* One thing of a kind; a second other one makes it none for good. */
struct only {
    struct node node;
    size_t start, end; /* of the first */
    bool is_several;
};

static void note_only(struct only *o, const struct node *n, const struct entity *e,
                      bool is_detail)
{
    if (!o->node.type) {
        *o = (struct only){ .node = *n, .start = e->start, .end = e->end };
    } else if (is_detail) {
        o->end = e->end; /* "Etna, Sicily": the first is the place */
    } else if (!sv_eq(o->node.name, n->name)) {
        o->is_several = true;
    }
}

/* ", Sicily, " between two places: the second says where the first is. */
static bool is_address(struct sv gap)
{
    if (gap.n < 2 || gap.n > 40 || gap.p[0] != ',')
        return false;
    for (size_t i = 1; i < gap.n; i++)
        if (gap.p[i - 1] == ' ' && gap.p[i] != ' ' && !(gap.p[i] >= 'A' && gap.p[i] <= 'Z'))
            return sv_starts(sv_from_to(gap, i, gap.n), SV("north")) ||
                   sv_starts(sv_from_to(gap, i, gap.n), SV("south")) ||
                   sv_starts(sv_from_to(gap, i, gap.n), SV("west")) ||
                   sv_starts(sv_from_to(gap, i, gap.n), SV("east")) ||
                   sv_starts(sv_from_to(gap, i, gap.n), SV("central"));
    return true;
}

/* "Whole-rock data, Mount Etna": a caption that ends in where. */
static bool is_last_address(struct sv text, const struct entity *e)
{
    struct sv behind = sv_trim(sv_from_to(text, e->end, text.n));
    return e->start > 2 && sv_is(sv_from_to(text, e->start - 2, e->start), ", ") &&
           (!behind.n || strchr(".;,(", behind.p[0]));
}

/* "Iceland basalts": where they are from. */
static bool is_before_rock(const struct entities *names, size_t i)
{
    return i + 1 < names->n && names->items[i].end + 1 == names->items[i + 1].start &&
           strcmp(names->items[i + 1].type, "rock") == 0;
}

bool is_any_rock(struct sv name)
{
    static const char *const names[] = { "whole rock",   "bulk rock", "rock",  "rocks",
                                         "outcrop",      "felsic",    "mafic", "ultramafic",
                                         "intermediate", "silicic" };
    return sv_in(name, names, ARRAY_LEN(names));
}

/* Is the name what its words are about? "Gabbros from Oman", "lava flows", not "basalt-hosted
 * fluid". */
static bool is_head_noun(struct sv text, size_t end)
{
    static const char *const words[] = { "from",
                                         "of",
                                         "in",
                                         "at",
                                         "by",
                                         "with",
                                         "and",
                                         "for",
                                         "on",
                                         "near",
                                         "using",
                                         "lava",
                                         "lavas",
                                         "flow",
                                         "flows",
                                         "dyke",
                                         "dykes",
                                         "dike",
                                         "dikes",
                                         "sill",
                                         "sills",
                                         "sample",
                                         "samples",
                                         "suite",
                                         "group",
                                         "series",
                                         "separate",
                                         "separates",
                                         "analyses",
                                         "analysis",
                                         "data",
                                         "composition",
                                         "compositions",
                                         "u",
                                         "hf",
                                         "lu",
                                         "chemistry",
                                         "crystals",
                                         "grains",
                                         "phenocrysts",
                                         "xenoliths",
                                         "ages",
                                         "xenocrysts",
                                         "megacrysts",
                                         "dating",
                                         "trace",
                                         "isotope",
                                         "isotopes",
                                         "measured",
                                         "determined",
                                         "analysed",
                                         "analyzed",
                                         "collected",
                                         "studied",
                                         "showing",
                                         "la",
                                         "sims",
                                         "shrimp",
                                         "rims",
                                         "cores",
                                         "intrusion",
                                         "pluton",
                                         "complex",
                                         "geochronology",
                                         "the",
                                         "major",
                                         "whole",
                                         "concentrations",
                                         "or" };
    if (end >= text.n)
        return true;
    if (text.p[end] != ' ')
        return strchr(",;:.()[", text.p[end]) != NULL;
    size_t start = end + 1, stop = start;
    while (stop < text.n && scan_is_letter(text.p[stop]))
        stop++;
    return stop == start || has_word(sv_from_to(text, start, stop), words, ARRAY_LEN(words));
}

/* "basalts and xenoliths", "Jan Mayen and Iceland": one of several, known here or not. */
static bool is_joined(struct sv text, const struct only *o, bool is_name)
{
    static const char *const joints[] = { " and ", " or ", " & ", "/", ", and " };
    struct sv before = sv_from_to(text, 0, o->start), behind = sv_from_to(text, o->end, text.n);
    for (size_t i = 0; i < ARRAY_LEN(joints); i++) {
        struct sv joint = sv_from(joints[i]);
        bool is_next = sv_starts(behind, joint) && behind.n > joint.n;
        if (is_next && is_name) /* "Iceland and trace elements" is none */
            is_next = behind.p[joint.n] >= 'A' && behind.p[joint.n] <= 'Z';
        if (is_next || sv_ends(before, joint))
            return true;
    }
    return false;
}

/* "normalised to CI chondrite", "relative to basalt": what values are held against. */
static bool is_held_against(struct sv text, size_t start)
{
    static const char *const words[] = { "normalised to", "normalized to", "relative to" };
    struct sv before = sv_trim(sv_from_to(text, 0, start));
    size_t last = before.n;
    while (last > 0 && before.p[last - 1] != ' ')
        last--;
    struct sv earlier = sv_trim(sv_from_to(before, 0, last));
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (sv_ends(before, sv_from(words[i])) || sv_ends(earlier, sv_from(words[i])))
            return true;
    return false;
}

/* The notation of a short form where it was learnt: e itself goes with the next text that is
 * scanned. `name` where none was learnt. */
static struct sv long_form(const struct grid *g, const struct entity *e, struct sv name)
{
    const struct abbrevs *forms = g->w->forms;
    for (size_t i = 0; i < forms->n; i++)
        if (strcmp(forms->items[i].entity.notation, e->notation) == 0)
            return sv_from(forms->items[i].entity.notation);
    return name;
}

void about_things(struct grid *g, struct sv text, bool is_caption, struct node *kind,
                  struct node *place)
{
    struct entities *names = &g->w->names;
    struct only rock = { 0 }, mineral = { 0 }, where = { 0 };
    *kind = *place = (struct node){ 0 };
    scan_memo_find(&g->w->scans, g->x->vocab, text, names);
    abbrevs_find(g->w->forms, g->w->nth, text, g->w->section, names);
    for (size_t i = 0; i < names->n; i++) {
        const struct entity *e = &names->items[i];
        struct node n = { .type = e->type };
        if (e->weak && !e->is_field) /* "glass": a cell has no names around it */
            continue;
        /* names that are put together ("picritic basalt") are as the text has them */
        n.name = e->entry == VOCAB_NONE ? sv_from_to(text, e->start, e->end)
                                        : vocab_name(g->x->vocab, e->entry);
        if (e->entry == VOCAB_NONE && strlen(e->notation) > n.name.n)
            n.name = long_form(g, e, n.name);
        bool is_thing = strcmp(e->type, "rock") == 0 || strcmp(e->type, "mineral") == 0;
        if (is_thing && (!is_head_noun(text, e->end) || is_held_against(text, e->start)))
            continue;
        if (strcmp(e->type, "rock") == 0 && !is_any_rock(n.name)) {
            note_only(&rock, &n, e, false);
        } else if (strcmp(e->type, "mineral") == 0 && !sv_ends(n.name, SV("minerals"))) {
            note_only(&mineral, &n, e, false);
        } else if (strcmp(e->type, "location") == 0) {
            bool is_detail =
                where.node.type && is_address(sv_from_to(text, where.end, e->start));
            if (is_detail || !is_caption || is_behind_place_word(text, e->start) ||
                is_last_address(text, e) || is_before_rock(names, i))
                note_only(&where, &n, e, is_detail);
        }
    }
    bool is_grain = mineral.node.type && rock.node.type && mineral.start < rock.start;
    static const char *const sources[] = { "in", "from", "of" };
    if (is_grain)
        is_grain =
            has_word(sv_from_to(text, mineral.end, rock.start), sources, ARRAY_LEN(sources));
    if (mineral.node.type && !mineral.is_several && (!rock.node.type || is_grain))
        *kind = mineral.node;
    else if (rock.node.type && !rock.is_several && !mineral.node.type)
        *kind = rock.node;
    if (is_caption && kind->type &&
        is_joined(text, mineral.node.type ? &mineral : &rock, false))
        *kind = (struct node){ 0 };
    if (!where.is_several && !(is_caption && where.node.type && is_joined(text, &where, true)))
        *place = where.node;
}
