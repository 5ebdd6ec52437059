// SPDX-License-Identifier: MIT
/*
 * extract.c — going through the texts of a record sentence by sentence
 */
#include "extract.h"

#include "../gr-gquery/aliases.h"
#include "alloc.h"
#include "anaphora.h"
#include "file.h"
#include "overlap.h"
#include "sample.h"
#include "schema.h"
#include "scratch.h"
#include "utf8.h"

/* ---- set-up ---- */

/* unit.tsv, relation.tsv and condition.tsv of the user's folder, else the installed ones. */
static int find_file(const struct extract_cfg *cfg, const char *data_dir, const char *name,
                     struct buf *path, struct err *err)
{
    buf_reset(path);
    if (cfg->vocab_dir) {
        struct err ignored;
        buf_printf(path, "%s/%s", cfg->vocab_dir, name);
        if (file_check(buf_cstr(path), &ignored) == 0)
            return 0;
        buf_reset(path);
    }
    struct buf in = BUF_INIT;
    buf_printf(&in, "vocab/%s", name);
    int rc = file_find_data(path, data_dir, buf_cstr(&in), err);
    buf_release(&in);
    return rc;
}

static int load(struct extractor *x, const char *data_dir, struct err *err)
{
    struct buf path = BUF_INIT;
    int rc = -1;
    if (x->cfg->vocab_dir)
        buf_str(&path, x->cfg->vocab_dir);
    else if (file_find_data(&path, data_dir, "vocab", err) < 0)
        goto out;
    x->vocab = vocab_load(buf_cstr(&path), err);
    for (size_t i = 0; x->vocab && i < x->cfg->vocab_files.n; i++)
        if (vocab_add(x->vocab, x->cfg->vocab_files.items[i], err) < 0)
            goto out;
    if (!x->vocab || find_file(x->cfg, data_dir, "relation.tsv", &path, err) < 0)
        goto out;
    const char *tables[2] = { buf_cstr(&path), x->cfg->relations_file };
    x->rules = rules_load(tables, x->cfg->relations_file ? 2 : 1, x->vocab, err);
    if (!x->rules || find_file(x->cfg, data_dir, "carriers.txt", &path, err) < 0 ||
        rules_load_carriers(x->rules, buf_cstr(&path), err) < 0 ||
        find_file(x->cfg, data_dir, "condition.tsv", &path, err) < 0 ||
        rules_load_states(x->rules, buf_cstr(&path), err) < 0 ||
        find_file(x->cfg, data_dir, "unit.tsv", &path, err) < 0)
        goto out;
    x->units = units_load(buf_cstr(&path), err);
    if (!x->units)
        goto out;
    x->splitter = splitter_new(NULL, err);
    if (x->splitter && x->cfg->aliases_file)
        x->aliases = aliases_read(x->cfg->aliases_file, err);
    rc = x->splitter && (x->aliases || !x->cfg->aliases_file) ? 0 : -1;
out:
    buf_release(&path);
    return rc;
}

struct extractor *extractor_new(const struct extract_cfg *cfg, const char *data_dir,
                                unsigned n_workers, struct err *err)
{
    struct extractor *x = alloc_zero(1, sizeof *x);
    x->cfg = cfg;
    if (load(x, data_dir, err) < 0) {
        extractor_free(x);
        return NULL;
    }
    x->lore = (struct lore){ x->vocab, x->rules, x->units };
    if (cfg->model.is_on &&
        !(x->model = model_new(&cfg->model, &x->lore, x->splitter, data_dir, n_workers, err))) {
        extractor_free(x);
        return NULL;
    }
    x->workers = alloc_zero(n_workers, sizeof *x->workers);
    x->n_workers = n_workers;
    for (unsigned i = 0; i < n_workers; i++) {
        sink_init(&x->workers[i].sink, &cfg->sink, x->units);
        x->workers[i].sink.aliases = x->aliases;
        x->workers[i].seen = map_new();
    }
    return x;
}

void extractor_free(struct extractor *x)
{
    if (!x)
        return;
    for (unsigned i = 0; i < x->n_workers; i++) {
        struct scratch *w = &x->workers[i];
        entities_release(&w->names);
        entities_release(&w->here);
        entities_release(&w->meant);
        entities_release(&w->cues);
        entities_release(&w->states);
        entities_release(&w->wide);
        buf_release(&w->plain);
        quantities_release(&w->quantities);
        clause_release(&w->clause);
        scan_memo_release(&w->scans);
        map_free(w->seen);
        abbrevs_release(&w->abbrevs);
        sink_release(&w->sink);
        buf_release(&w->text);
        plain_release(&w->plain_text);
        buf_release(&w->said);
        buf_release(&w->conditions);
    }
    free(x->workers);
    model_free(x->model);
    vocab_free(x->vocab);
    rules_free(x->rules);
    units_free(x->units);
    splitter_free(x->splitter);
    aliases_free(x->aliases);
    free(x);
}

/* ---- one sentence ---- */

/* anaphor: what words of the sentence stand for, or NULL; last: the same, or what stands for
 * something at another place. */
static void read_sentence(struct extractor *x, struct scratch *w, const struct entity *anaphor,
                          const struct entity *last)
{
    /* a fact has two names, or a name and a quantity */
    bool has_pair = w->clause.n_names > 1;
    bool has_value = w->clause.n_quantities > 0;
    bool has_state = w->clause.n_names && w->clause.classes & W_PARAM;
    if (!has_pair && !has_value && !has_state)
        return;
    struct pass p = {
        .lore = &x->lore,
        .clause = &w->clause,
        .cues = &w->cues,
        .states = &w->states,
        .plain = &w->plain,
        .wide = &w->wide,
        .sink = &w->sink,
        .extractor = "pattern",
        .memo = &w->memo,
    };
    if (anaphor) {
        p.anaphor = sv_from_to(w->clause.text, anaphor->start, anaphor->end);
        p.anaphor_start = anaphor->start;
        p.latter = sv_from_to(w->clause.text, last->start, last->end);
        p.latter_start = last->start;
    }
    p.experiment = relate_experiment(&p, &w->conditions);
    if (has_value) {
        bool is_told = false; /* a kind of temperature is named */
        relate_paired(&p);    /* without names it says nothing, but marks the list */
        if (w->clause.n_names) {
            measure_rises(&p);
            measure_partition(&p);
            is_told = measure_each(&p, false);
            measure_values(&p);
            measure_ages(&p);
        }
        measure_things(&p);
        if (w->clause.n_names) {
            if (is_told)
                measure_each(&p, true);
            measure_conditions(&p);
        }
    }
    if (!has_pair) {
        if (has_state)
            relate_cues(&p);
        return;
    }
    relate_compounds(&p);
    relate_methods(&p);
    relate_cues(&p);
    relate_near(&p);
    relate_spoken(&p);
    relate_compared(&p);
    relate_origins(&p);
    relate_inventory(&p);
    if (x->cfg->has_cooccurrence)
        relate_cooccurrence(&p);
}

/* (Element, Has Isotope, …) of every isotopic name in the sentence that no record of the paper
 * had before: what ties an element's node to its ratios. */
static void add_isotopes(struct extractor *x, struct scratch *w)
{
    const struct clause *c = &w->clause;
    for (size_t i = 0; i < c->n; i++) {
        const struct entity *e = clause_name(c, i);
        struct sv elements = SV_NONE, one;
        if (!e || strncmp(e->type, "isotope", 7) != 0 || e->entry == VOCAB_NONE ||
            !vocab_attr(x->vocab, e->entry, "element", &elements))
            continue;
        struct sv said = sv_from_to(c->text, e->start, e->end);
        if (w->nth && notations_has(&w->forms->notations, w->nth, said))
            continue;
        while (elements.n && sv_cut(&elements, ',', &one)) {
            uint32_t element = vocab_find(x->vocab, one, "element");
            if (element == VOCAB_NONE)
                continue;
            struct fact f = {
                .head = { "element", vocab_name(x->vocab, element) },
                .tail = { e->type, entity_name(x->vocab, e) },
                .relation = "Has Isotope",
                .confidence = 0.95,
                .is_general = true,
                .extractor = "pattern",
                .start = c->start,
                .end = c->end,
            };
            sink_add(&w->sink, &f);
        }
    }
}

/* Where "biotite-bearing" begins before the rock *e, not before floor; else e->start. The
 * mineral stays a name of its own, and what the rock contains a fact. */
static size_t bearing_start(struct sv text, const struct entity *e, size_t floor)
{
    static const char *const words[] = { "bearing",   "rich",      "poor",
                                         "free",      "dominated", "hosted",
                                         "normative", "enriched",  "textured" };
    size_t end = e->start;
    if (strcmp(e->type, "rock") != 0 || end <= floor || text.p[end - 1] != ' ')
        return e->start;
    size_t hyphen = --end;
    while (hyphen > floor && text.p[hyphen - 1] != '-' && text.p[hyphen - 1] != ' ')
        hyphen--;
    if (hyphen < floor + 2 || text.p[hyphen - 1] != '-')
        return e->start;
    bool is_bearing = false;
    is_bearing |= VOCAB_AMONG(sv_from_to(text, hyphen, end), words);
    size_t start = hyphen - 1;
    while (start > floor && !strchr(" \n(,;", text.p[start - 1]))
        start--;
    return is_bearing && start + 1 < hyphen ? start : e->start;
}

/* Names and quantities of the text as they follow each other. */
static void emit_entities(struct extractor *x, struct scratch *w)
{
    size_t next = 0;
    quantity_scan_all(x->units, w->sink.source.text, &w->names, &w->quantities);
    for (size_t i = 0; i < w->names.n; i++) {
        const struct entity *e = &w->names.items[i];
        for (; next < w->quantities.n && w->quantities.items[next].from < e->start; next++)
            sink_quantity(&w->sink, &w->quantities.items[next]);
        /* "8 Ra": a unit is no element; "symplectites of …" are no mineral */
        if (e->weak || (e->type[0] == 'm' && sv_is(entity_kind(x->vocab, e), "texture")) ||
            (next > 0 && w->quantities.items[next - 1].end > e->start))
            continue;
        struct node n = { e->type, entity_name(x->vocab, e) };
        size_t floor =
            i && e[-1].end <= e->start && strcmp(e[-1].type, "rock") == 0 ? e[-1].end : 0;
        size_t start = bearing_start(w->sink.source.text, e, floor);
        sink_entity(&w->sink, &n, start, e->end);
        struct entity inner[CHEM_PARTS];
        size_t n_inner = e->chem == CHEM_SYSTEM
                             ? 0
                             : vocab_inner(x->vocab, w->sink.source.text, e, inner, CHEM_PARTS);
        for (size_t k = 0; k < n_inner; k++) {
            struct node part = { inner[k].type, entity_name(x->vocab, &inner[k]) };
            sink_entity(&w->sink, &part, inner[k].start, inner[k].end);
        }
    }
    for (; next < w->quantities.n; next++)
        sink_quantity(&w->sink, &w->quantities.items[next]);
}

/* Does the sentence name nothing and measure nothing? *name, *quantity: the first of each that
 * ends behind its start; both only move on. */
static bool is_barren(const struct scratch *w, const struct sentence *s, size_t *name,
                      size_t *quantity)
{
    while (*name < w->names.n && w->names.items[*name].end <= s->start)
        ++*name;
    while (*quantity < w->quantities.n && w->quantities.items[*quantity].end <= s->start)
        ++*quantity;
    return (*name >= w->names.n || w->names.items[*name].start >= s->end) &&
           (*quantity >= w->quantities.n || w->quantities.items[*quantity].start >= s->end);
}

/* The names of sentence s alone, where what a pronoun stands for can be put in cheaply. */
static void copy_names(struct scratch *w, const struct sentence *s)
{
    w->here.n = 0;
    for (size_t i = entities_from(&w->names, s->start);
         i < w->names.n && w->names.items[i].start < s->end; i++)
        entities_push(&w->here, &w->names.items[i]);
}

static void read_text(struct extractor *x, struct scratch *w, const struct source *source)
{
    sink_source(&w->sink, source);
    vocab_scan(x->vocab, source->text, &w->names);
    samples_find(source->text, &w->names);
    abbrevs_find(w->forms, w->nth, source->text, w->section, &w->names);
    if (x->cfg->emit != EMIT_TRIPLES)
        emit_entities(x, w);
    if (x->cfg->emit == EMIT_ENTITIES || x->cfg->no_patterns)
        return;
    quantity_scan(x->units, source->text, &w->names, &w->quantities);
    struct sentence s;
    struct topic topic;
    topic_start(&topic);
    long n = 0;
    size_t name = 0, quantity = 0;
    w->meant.n = 0;
    for (size_t pos = 0, end = 0; sentence_next(x->splitter, source->text, &pos, &s);) {
        if (x->cfg->max_sentences && n++ >= x->cfg->max_sentences)
            break;
        /* a blank line ends the paragraph, and what it was about */
        if (sv_find(sv_from_to(source->text, end, s.start), SV("\n\n"), 0) != SIZE_MAX)
            topic_break(&topic);
        end = s.end;
        if (topic_is_empty(&topic) && is_barren(w, &s, &name, &quantity))
            continue;
        clause_fill(&w->clause, source->text, s.start, s.end, &w->names, &w->quantities);
        struct entity meant[GROUP_MAX];
        size_t n_meant = anaphora_find(&w->clause, &topic, meant);
        if (overlap_reads(x->splitter, source, &s)) {
            topic_update(&topic, &w->clause, meant, n_meant);
            continue;
        }
        add_isotopes(x, w);
        if (x->cfg->has_broader)
            broader_add(x->vocab, w);
        /* once for each of "both samples"; what does not speak of them comes out once */
        if (n_meant)
            copy_names(w, &s);
        for (size_t i = n_meant; i-- > 1;) /* "the former … the latter": two places */
            if (meant[i].start != meant[0].start)
                entities_insert(&w->here, &meant[i]);
        for (size_t i = 0; i < n_meant; i++) {
            entities_insert(&w->here, &meant[i]);
            clause_fill(&w->clause, source->text, s.start, s.end, &w->here, &w->quantities);
            read_sentence(x, w, &meant[i], &meant[n_meant - 1]);
        }
        if (n_meant == 0)
            read_sentence(x, w, NULL, NULL);
        else
            entities_push(&w->meant, &meant[n_meant - 1]);
        topic_update(&topic, &w->clause, meant, n_meant);
    }
    samples_merge(&w->names, &w->meant);
}

void extract_text(struct extractor *x, unsigned worker, const struct source *source,
                  struct buf *out)
{
    struct scratch *w = &x->workers[worker];
    sink_start(&w->sink, out);
    scratch_learn(x, w, source->text);
    read_text(x, w, source);
}

/* What a chat model reads in the text that read_text has read. */
static int ask_model(struct extractor *x, struct scratch *w, const struct rec *r,
                     struct err *err)
{
    if (!x->model || x->cfg->emit == EMIT_ENTITIES)
        return 0;
    return model_read(x->model, (unsigned)(w - x->workers), r, &w->sink, &w->names, err);
}

/* Append a name to "a, b, c" unless it is there. */
static void add_name(struct buf *list, const char *name)
{
    if (rules_lists(buf_view(list), sv_from(name)))
        return;
    buf_str(list, list->len ? ", " : "");
    buf_str(list, name);
}

void extractor_relations(const struct extractor *x, struct buf *list)
{
    for (size_t i = 0; i < rules_files(x->rules); i++)
        for (uint32_t e = 0; e < vocab_count(rules_cues(x->rules, i)); e++)
            add_name(list, rules_of(x->rules, i, e)->relation);
}

void extractor_types(const struct extractor *x, struct buf *list)
{
    static const char *const made[] = { "sample",        "value",         "quantity",
                                        "isotope",       "isotope_ratio", "isotope_delta",
                                        "element_ratio", "condition",     "thing",
                                        "property",      "other" };
    const char *last = NULL; /* entries of a type are neighbours and share the string */
    for (uint32_t e = 0; e < vocab_count(x->vocab); e++) {
        const char *one = vocab_type(x->vocab, e);
        if (one != last)
            add_name(list, one);
        last = one;
    }
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        add_name(list, made[i]);
}

struct table_counts extractor_tables(const struct extractor *x)
{
    struct table_counts sum = { 0 };
    for (unsigned i = 0; i < x->n_workers; i++) {
        const struct table_counts *c = &x->workers[i].tables;
        sum.tables += c->tables;
        sum.empty += c->empty;
        sum.columns += c->columns;
        sum.unread += c->unread;
        sum.records += c->records;
        sum.nameless += c->nameless;
        sum.cells += c->cells;
        sum.numberless += c->numberless;
    }
    return sum;
}

struct model_dry extractor_dry(const struct extractor *x)
{
    return model_dry(x->model);
}

/* ---- records ---- */

/* The text of a source, in the worker's buffers: valid until the next call. */
static void set_text(struct scratch *w, struct source *source, struct sv text)
{
    source->text = plain_normal(&w->plain_text, &w->text, text, &source->plain);
    source->given = buf_view(&w->text);
}

static int read_table(struct extractor *x, struct scratch *w, jv table, struct source *source,
                      struct err *err)
{
    if (x->cfg->no_tables || x->cfg->emit == EMIT_ENTITIES)
        return 0;
    return table_read(x, w, table, source, err);
}

size_t extract_shared_bytes(const struct rec *r, const char *field, struct sv given,
                            const struct plain_text *plain, bool is_end)
{
    double n = json_num(json_get(r->v, field));
    size_t all = n >= 1 ? utf8_count(given) : 0, size = plain ? plain->text.len : given.n;
    if (!(n < (double)all))
        return 0;
    size_t at = utf8_offset(given, is_end ? all - (size_t)n : (size_t)n);
    if (plain)
        at = plain_find(plain, at);
    return is_end ? size - at : at;
}

static int read_chunk(struct extractor *x, struct scratch *w, const struct rec *r,
                      struct sv text, struct err *err)
{
    struct source source = { .refs = json_get(r->v, "refs"), .has_offsets = true };
    struct sv kind = SV_NONE;
    if (json_opt_str(r->v, F_PAPER, &source.paper, err) < 0 ||
        json_opt_str(r->v, F_ID, &source.chunk, err) < 0 ||
        json_opt_str(r->v, "kind", &kind, err) < 0)
        return -1;
    set_text(w, &source, text);
    /* what the normal form changed cannot be counted in the neighbour's code points */
    if (!x->cfg->has_overlaps && source.given.n == text.n) {
        source.before =
            extract_shared_bytes(r, "overlap_before", source.given, source.plain, false);
        source.after =
            extract_shared_bytes(r, "overlap_after", source.given, source.plain, true);
    }
    if (!sv_is(kind, "table")) {
        read_text(x, w, &source);
        return ask_model(x, w, r, err);
    }
    if (x->cfg->emit != EMIT_TRIPLES) {
        sink_source(&w->sink, &source);
        vocab_scan(x->vocab, source.text, &w->names);
        emit_entities(x, w);
    }
    jv table = json_get(r->v, "table");
    return json_is_null(json_get(table, "rows")) ? 0 : read_table(x, w, table, &source, err);
}

static int read_section(struct extractor *x, struct scratch *w, const struct rec *r,
                        struct source source, jv section, struct err *err)
{
    struct sv text = SV_NONE;
    jv refs = jv_null();
    if (!json_is_object(section))
        return err_set(err, EXIT_REJECTED, "field \"sections\": expected objects");
    if (json_opt_str(section, F_TEXT, &text, err) < 0 ||
        json_opt_str(section, F_ID, &source.section, err) < 0 ||
        json_opt_array(section, "refs", &refs, err) < 0)
        return err_prefix(err, "field \"sections\"");
    set_text(w, &source, text);
    source.refs = refs;
    source.has_offsets = true;
    read_text(x, w, &source);
    return ask_model(x, w, r, err);
}

static int read_paper(struct extractor *x, struct scratch *w, const struct rec *r,
                      struct err *err)
{
    struct source source = { .refs = jv_null(), .has_offsets = true };
    struct sv abstract = SV_NONE;
    jv sections = jv_null(), tables = jv_null();
    if (json_opt_str(r->v, F_ID, &source.paper, err) < 0 ||
        json_opt_str(r->v, "abstract", &abstract, err) < 0 ||
        json_opt_array(r->v, "sections", &sections, err) < 0 ||
        json_opt_array(r->v, "tables", &tables, err) < 0)
        return -1;
    source.section = SV("abstract");
    set_text(w, &source, abstract);
    read_text(x, w, &source);
    if (ask_model(x, w, r, err) < 0)
        return -1;
    source.section = SV_NONE;
    for (size_t i = 0; i < json_len(sections); i++) {
        w->section = i + 1;
        if (read_section(x, w, r, source, json_at(sections, i), err) < 0)
            return -1;
    }
    for (size_t i = 0; i < json_len(tables); i++) {
        jv table = json_at(tables, i);
        w->section = json_len(sections) + 1 + i; /* as the short forms were learnt */
        struct source of = { .paper = source.paper, .refs = jv_null() };
        of.section = json_sv(json_get(table, F_ID));
        if (read_table(x, w, table, &of, err) < 0)
            return -1;
    }
    return 0;
}

int extract_record(struct extractor *x, unsigned worker, const struct rec *r,
                   const struct abbrevs *forms, size_t nth, struct buf *out, struct err *err)
{
    struct scratch *w = &x->workers[worker];
    struct sv text = SV_NONE;
    sink_start(&w->sink, out);
    scratch_forms(x, w, r, forms, nth);
    int has_text = rec_opt_text(r, F_TEXT, &w->said, &text, err);
    if (has_text < 0)
        return -1;
    if (has_text)
        return read_chunk(x, w, r, text, err);
    if (json_is_null(json_get(r->v, "sections")) && json_is_null(json_get(r->v, "abstract")) &&
        json_is_null(json_get(r->v, "tables")))
        return err_set(err, EXIT_REJECTED,
                       "field \"text\": expected string (or a paper with \"sections\")");
    return read_paper(x, w, r, err);
}
