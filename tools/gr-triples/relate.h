// SPDX-License-Identifier: MIT
/*
 * relate.h — facts of one sentence, from patterns of names, cue words and quantities
 *
 * A fact is only read where words bind its two ends: a cue between them ("is hosted in"), a
 * compound ("garnet-bearing peridotite"), a preposition ("olivine in peridotite"), a number
 * behind its measure ("δ18O of 5.7‰"). Negation makes the fact negative, hedges lower the
 * confidence.
 */
#ifndef RELATE_H
#define RELATE_H

#include "clause.h"
#include "memo.h"
#include "rules.h"
#include "triple.h"
#include "units.h"
#include "vocab.h"

/* What patterns look up; const, shared by the workers. */
struct lore {
    const struct vocab *vocab;
    const struct rules *rules;
    const struct units *units;
};

#define LIST_MAX 12 /* names of one list that are followed */

/* Lists of types, for relate_is and relate_list: */
#define MATTER "element,element_group,oxide,isotope"                 /* what things hold */
#define MEASURES MATTER ",isotope_ratio,isotope_delta,element_ratio" /* what numbers are of */
#define MEASURED MEASURES ",mineral,rock,sample"                     /* what methods measure */
#define HOLDERS "rock,mineral,deposit,setting,location,reference_material,sample"
#define HOLDERS_AND_TIMES HOLDERS ",geologic_time"   /* "Miocene values" */
#define BODIES "rock,mineral,deposit,sample"         /* what one can hold */
#define DATED "rock,mineral,deposit,setting,process" /* what an age may be of */

/* One sentence being read. */
struct pass {
    const struct lore *lore;
    const struct clause *clause;
    struct entities *cues; /* cue phrases of the sentence, as scanned last */
    size_t cues_start;     /* byte of the text that their places count from */
    struct sv anaphor;     /* "these lavas": the name there is another's; "" : none */
    size_t anaphor_start;  /* byte of the text where it stands */
    struct sv latter;      /* the second place of "the former … the latter" */
    size_t latter_start;
    struct entities *states; /* conditions of the sentence, once has_states (state.c) */
    bool has_states;
    struct buf *plain;     /* scratch: the sentence without adverbs */
    struct entities *wide; /* scratch: phrases with an adverb inside */
    struct sink *sink;
    struct experiment experiment;
    const char *extractor;
    size_t paired_from, paired_end; /* items of a list that ends in "respectively" */
    uint64_t tied;     /* quantities of the sentence that have a fact, by number modulo 64 */
    struct memo *memo; /* of the worker */
};

/* Confidence of what patterns say, before hedges. Set by eye on sentences of papers. */
#define SURE 0.9
#define LIKELY 0.8
#define FAIR 0.65

/* ---- cue.c, relate.c: two names ---- */

/* Cue phrases of relation.tsv between two names whose types the relation allows. */
void relate_cues(struct pass *p);
/* paired.c: "… x and y, respectively", and whether item i is in such a list. */
void relate_paired(struct pass *p);
bool relate_is_paired(const struct pass *p, size_t i);
/* near.c: ends and a word of the rule's list in one clause. */
void relate_near(struct pass *p);
/* compare.c: "Ba contents are higher in the trachytes than in the basalts". */
void relate_compared(struct pass *p);
/* inventory.c: "Rocks of the Kaapvaal Craton include tonalite". */
void relate_inventory(struct pass *p);
/* origin.c: "derived by melting of gneiss followed by fractional crystallization". */
void relate_origins(struct pass *p);
/* Every pair of names of different ids, as "Associated With" at 0.2. */
void relate_cooccurrence(struct pass *p);

/* ---- compound.c: names side by side, or joined by one preposition ---- */
void relate_compounds(struct pass *p);
/* "We measured Fe isotopes in pyrite using MC-ICP-MS", "LA-ICP-MS analyses of zircon". */
void relate_methods(struct pass *p);
/* spoken.c: roles, comparatives, assemblages, methods and places in words of their own */
void relate_spoken(struct pass *p);

/* ---- measure.c: names and quantities ---- */
/* rise.c: "a 2.5‰ rise in δ34S" */
void measure_rises(struct pass *p);
/* partition.c: "D(Nb, rutile/melt) = 30" */
void measure_partition(struct pass *p);
/* each.c: "320 ppm in picrite and 45 ppm in basalt"; states: temperatures and pressures, for
 * which a property may be named (measure_things), or all others. Are there any of the kind not
 * asked for? */
bool measure_each(struct pass *p, bool states);
void measure_values(struct pass *p);     /* contents, ratios, δ values */
void measure_ages(struct pass *p);       /* ages, half-lives */
void measure_conditions(struct pass *p); /* temperature, pressure, depth */
/* Is the name, or its last word, one that a laboratory pours ("concentrated HNO3")? */
bool measure_is_reagent(struct sv name);
/* age_row.c: the first of the ages that the one at item i goes on ("of 1.8 Ga and 2.7 Ga"), or
 * i; the name that the age at item i is said to date ("marks the growth of garnet"), or
 * SIZE_MAX. */
size_t age_row_start(const struct pass *p, size_t i);
size_t age_thing_behind(const struct pass *p, size_t i);
/* Does the age at item i go on with "404 Ma for the granite and 380 Ma for the gneiss"? */
bool age_is_next(const struct pass *p, size_t i);
/* holder_ahead.c: the holder of the list that item i belongs to, behind it; SIZE_MAX: none. */
size_t measure_holder_ahead(const struct pass *p, size_t i);
/* The same of a list of minerals: "60% plagioclase and 10% olivine in the troctolites". */
size_t measure_rock_ahead(const struct pass *p, size_t i);
/* A place that is a body of rock ("Bushveld Complex"), which has an age, and no region. */
bool measure_is_body(const struct pass *p, struct node n);
/* precision.c: does the quantity at item i tell how well was measured: "the precision was"? */
bool measure_is_precision(const struct pass *p, size_t i);
/* thing.c: properties of anything, for quantities that the others left over */
void measure_things(struct pass *p);
/* thing_owner.c: the first item of the words before the number at item i that belong to it
 * ("up to"). */
size_t thing_leading(const struct clause *c, size_t i);
/* Does the sentence say what was done in the laboratory ("were digested in 2 ml HNO3")? */
bool relate_is_recipe(const struct clause *c);
/* A fact of the sentence with all but its head, relation and value; tail: of type value. */
static inline struct fact relate_value(const struct pass *p, double confidence)
{
    return (struct fact){
        .tail = { "value", SV_NONE },
        .confidence = confidence,
        .extractor = p->extractor,
        .start = p->clause->start,
        .end = p->clause->end,
        .experiment = p->experiment,
    };
}

/* What is left of the confidence in a value that may have lost a sign or a power of ten ("106
 * years"). */
static inline double relate_worth(const struct quantity *q)
{
    return q->warn && !q->is_vague ? 0.4 : 1;
}

/* Note that the quantity at item i has its fact, or ask. */
static inline void relate_tie(struct pass *p, size_t i)
{
    p->tied |= 1ULL << (p->clause->items[i].at & 63);
}

static inline bool relate_is_tied(const struct pass *p, size_t i)
{
    return p->tied >> (p->clause->items[i].at & 63) & 1;
}

/* change.c: is a property by its name a change: "δ13C shift"? */
bool change_is_named(struct sv property);
/* "increase" or "decrease": the verb that "by" joins to a quantity whose leading words start at
 * item `left` ("rose by about 5"); NULL: none. */
const char *change_verb(const struct clause *c, size_t left);
/* Does the quantity at one item say by how much the measure at another changes ("shifts by
 * 2.1‰")? False when nothing can be said of it: a fall told in words has lost its sign. */
bool change_read(const struct clause *c, size_t measure, size_t quantity, bool *is_change);

/* ---- shared ---- */

/* Is the type among the comma-separated ones, or a ratio where oxides are? "any" is every type
 * of name. */
bool relate_allows(struct sv types, const char *type);

/* Node of the name at item i, or of the condition that ends there. */
struct node relate_node(const struct pass *p, size_t i);

/* How a fact is said. start: the item where its statement begins when the subject is of the one
 * before, or SIZE_MAX. is_denial: the cue itself denies. is_assertion: said to hold, whatever
 * stands around ("not A but B"). */
struct saying {
    size_t start;
    bool is_denial, is_assertion;
};

/* relate_add so said; is the fact negative? */
bool relate_add_of(struct pass *p, size_t head, const char *relation, size_t tail,
                   double confidence, const struct saying *saying);

/* Add head –relation→ tail of items i and j; what stands between and around them is looked at
 * for negation and hedges. */
void relate_add(struct pass *p, size_t head, const char *relation, size_t tail,
                double confidence);

/* The name that the verb at item i is about, left of it, of allowed types; SIZE_MAX: none. */
size_t relate_subject(const struct pass *p, size_t i, struct sv types);

/* Names of a list that item i belongs to ("quartz, albite and minor biotite"), of allowed
 * types, leftward or rightward from i, i first. At most max; returns how many. */
size_t relate_list(const struct pass *p, size_t i, int step, struct sv types, size_t *members,
                   size_t max);

/* Is item i a noun that stands for the name behind its "of" ("crystals of olivine")? */
bool relate_is_carrier(const struct pass *p, size_t i);

/* Does the name at item i hang on another noun ("pore waters of sediments") that is no name? */
bool relate_hangs(const struct pass *p, size_t i);

/* Is an entry of type oxide a phase ("iron oxides"), no formula? Such are minerals to
 * relations. */
bool relate_is_phase(const struct vocab *v, uint32_t entry);

/* Is the name's type among these? ("mineral,rock") relate_is_name: or is it a phase among
 * minerals? relate_is: the same of the name at item i, if there is one. */
static inline bool relate_has_type(const struct pass *p, const struct entity *e,
                                   struct sv types)
{
    return memo_ask(p->memo, types, e->type)->allows;
}

static inline bool relate_is_name(const struct pass *p, const struct entity *e, struct sv types)
{
    const struct memo_answer *a = memo_ask(p->memo, types, e->type);
    return a->allows || (a->allows_phase && e->entry != VOCAB_NONE &&
                         relate_is_phase(p->lore->vocab, e->entry));
}

static inline bool relate_is(const struct pass *p, size_t i, const char *types)
{
    const struct entity *e = clause_name(p->clause, i);
    return e && relate_is_name(p, e, sv_from(types));
}

/* "garnet-free", "K-poor": does what stands right behind the name at item i take it back? */
bool relate_is_taken_back(const struct clause *c, size_t i);

/* experiment.c: what the sentence says of the experiment; a method and a sample only when there
 * is no choice. conditions: memory of that text. */
struct experiment relate_experiment(const struct pass *p, struct buf *conditions);

/* Is the name at item i no ratio and no index? Those are not held. */
static inline bool relate_is_matter(const struct pass *p, size_t i)
{
    const struct entity *e = clause_name(p->clause, i);
    return strcmp(e->type, "element_ratio") != 0 &&
           !sv_is(entity_kind(p->lore->vocab, e), "index");
}

/* deny.c: confidence after hedges; its negative when what items from … to say is denied. */
double relate_weigh(const struct pass *p, size_t from, size_t to, double confidence);

#endif
