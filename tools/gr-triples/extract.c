// SPDX-License-Identifier: MIT
/*
 * extract.c — going through the texts of a record sentence by sentence
 */
#include "extract.h"

#include "alloc.h"
#include "file.h"
#include "schema.h"
#include "scratch.h"
#include "utf8.h"

/* ---- set-up
 * ---------------------------------------------------------------------------------- */

/* unit.tsv and relation.tsv of the user's folder, else the installed ones. */
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
    if (!x->vocab || find_file(x->cfg, data_dir, "relation.tsv", &path, err) < 0)
        goto out;
    x->cues = vocab_load_file(buf_cstr(&path), err);
    if (!x->cues || find_file(x->cfg, data_dir, "unit.tsv", &path, err) < 0)
        goto out;
    x->units = units_load(buf_cstr(&path), err);
    if (!x->units)
        goto out;
    x->splitter = splitter_new(NULL, err);
    rc = x->splitter ? 0 : -1;
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
    x->lore = (struct lore){ x->vocab, x->cues, x->units };
    x->workers = alloc_zero(n_workers, sizeof *x->workers);
    x->n_workers = n_workers;
    for (unsigned i = 0; i < n_workers; i++)
        sink_init(&x->workers[i].sink, &cfg->sink, x->units);
    return x;
}

void extractor_free(struct extractor *x)
{
    if (!x)
        return;
    for (unsigned i = 0; i < x->n_workers; i++) {
        struct scratch *w = &x->workers[i];
        entities_release(&w->names);
        entities_release(&w->cues);
        quantities_release(&w->quantities);
        clause_release(&w->clause);
        abbrevs_release(&w->abbrevs);
        sink_release(&w->sink);
        buf_release(&w->text);
    }
    free(x->workers);
    vocab_free(x->vocab);
    vocab_free(x->cues);
    units_free(x->units);
    splitter_free(x->splitter);
    free(x);
}

/* ---- samples
 * --------------------------------------------------------------------------------- */

/* A label behind "sample": "BH-12", "404 a", "79-35g". Its end, or `pos` when there is none. */
static size_t label_end(struct sv text, size_t pos)
{
    size_t end = pos;
    bool has_digit = false;
    while (end < text.n) {
        char c = text.p[end];
        bool digit = c >= '0' && c <= '9', letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        bool joint = (c == '-' || c == '.' || c == '_' || c == '/') && end > pos;
        if (!digit && !letter && !joint)
            break;
        has_digit |= digit;
        end++;
    }
    while (end > pos && strchr("-._/", text.p[end - 1]))
        end--;
    if (!has_digit || end - pos > 20)
        return pos;
    /* one letter more after a gap: "404 a" */
    if (end + 2 <= text.n && text.p[end] == ' ' && text.p[end + 1] >= 'a' &&
        text.p[end + 1] <= 'z' && (end + 2 == text.n || strchr(" ,;.)", text.p[end + 2])) &&
        text.p[end + 1] != 'a')
        return end + 2;
    if (end + 2 < text.n && strncmp(text.p + end, " a", 2) == 0 &&
        strchr(",;.)", text.p[end + 2]))
        return end + 2;
    return end;
}

void scratch_insert(struct entities *list, const struct entity *e)
{
    size_t at = 0;
    while (at < list->n && list->items[at].end <= e->start)
        at++;
    size_t over = at;
    while (over < list->n && list->items[over].start < e->end)
        over++;
    if (over == at) {
        if (list->n == list->cap) {
            list->cap = alloc_grow(list->cap, list->n + 1);
            list->items = alloc_resize(list->items, list->cap, sizeof *list->items);
        }
        memmove(list->items + at + 1, list->items + at, (list->n - at) * sizeof *list->items);
        list->n++;
    } else {
        memmove(list->items + at + 1, list->items + over,
                (list->n - over) * sizeof *list->items);
        list->n -= over - at - 1;
    }
    list->items[at] = *e;
}

static void find_samples(struct sv text, struct entities *names)
{
    for (size_t pos = 0; (pos = sv_find(text, SV("ample"), pos)) != SIZE_MAX;) {
        bool is_word = pos > 0 && (text.p[pos - 1] | 32) == 's' &&
                       (pos == 1 || strchr(" (\n", text.p[pos - 2]));
        pos += 5;
        if (pos < text.n && text.p[pos] == 's')
            pos++;
        if (!is_word || pos >= text.n || text.p[pos] != ' ')
            continue;
        size_t end = label_end(text, pos + 1);
        if (end == pos + 1 || end - pos - 1 >= CHEM_MAX)
            continue;
        struct entity e = {
            .start = pos + 1,
            .end = end,
            .type = "sample",
            .entry = VOCAB_NONE,
            .match = VOCAB_NONE,
        };
        memcpy(e.notation, text.p + e.start, end - e.start);
        scratch_insert(names, &e);
    }
}

/* ---- one sentence
 * ---------------------------------------------------------------------------- */

/* What the sentence says of the experiment; a method only when there is no choice. */
static struct experiment experiment_of(const struct pass *p)
{
    const struct clause *c = p->clause;
    struct experiment x = { SV_NONE, SV_NONE, SV_NONE, SV_NONE };
    unsigned n_methods = 0;
    for (size_t i = 0; i < c->n; i++) {
        struct node n = clause_name(c, i) ? relate_node(p, i) : (struct node){ 0 };
        struct sv method_kind = SV_NONE;
        if (n.type && clause_name(c, i)->entry != VOCAB_NONE)
            vocab_attr(p->lore->vocab, clause_name(c, i)->entry, "kind", &method_kind);
        if (n.type && strcmp(n.type, "method") == 0 && !sv_is(method_kind, "preparation") &&
            !sv_eq(n.name, x.method)) {
            x.method = n.name;
            n_methods++;
        } else if (n.type && strcmp(n.type, "sample") == 0 && !x.sample.n) {
            x.sample = n.name;
        } else if (n.type && strcmp(n.type, "reference_material") == 0 && !x.standard.n) {
            x.standard = n.name;
        }
        const struct quantity *q = clause_quantity(c, i);
        enum unit_kind kind = q ? units_kind(p->lore->units, q->unit) : UNIT_OTHER;
        bool is_at =
            i > 0 && (clause_is_word(c, i - 1, "at") || clause_is_word(c, i - 1, "and"));
        if ((kind == UNIT_TEMPERATURE || kind == UNIT_PRESSURE) && is_at) {
            struct sv text = clause_text(c, i);
            bool is_next = x.conditions.n && x.conditions.p + x.conditions.n + 8 > text.p;
            x.conditions = is_next ? (struct sv){ x.conditions.p,
                                                  (size_t)(text.p - x.conditions.p) + text.n }
                                   : text;
        }
    }
    if (n_methods != 1)
        x.method = SV_NONE;
    return x;
}

static void read_sentence(struct extractor *x, struct scratch *w)
{
    struct pass p = {
        .lore = &x->lore,
        .clause = &w->clause,
        .cues = &w->cues,
        .sink = &w->sink,
        .extractor = "pattern",
    };
    p.experiment = experiment_of(&p);
    measure_values(&p);
    measure_ages(&p);
    measure_conditions(&p);
    relate_compounds(&p);
    relate_methods(&p);
    relate_cues(&p);
    if (x->cfg->has_cooccurrence)
        relate_cooccurrence(&p);
}

/* (Element, Has Isotope, …) of every isotopic name in the sentence: what ties an element's node
 * to its ratios. */
static void add_isotopes(struct extractor *x, struct scratch *w)
{
    const struct clause *c = &w->clause;
    for (size_t i = 0; i < c->n; i++) {
        const struct entity *e = clause_name(c, i);
        struct sv elements = SV_NONE, one;
        if (!e || strncmp(e->type, "isotope", 7) != 0 || e->entry == VOCAB_NONE ||
            !vocab_attr(x->vocab, e->entry, "element", &elements))
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

/* (Basalt, Instance Of, mafic volcanic rock), and so on upwards, of every name of the sentence.
 */
static void add_broader(struct extractor *x, struct scratch *w)
{
    const struct clause *c = &w->clause;
    for (size_t i = 0; i < c->n; i++) {
        const struct entity *e = clause_name(c, i);
        uint32_t entry = e ? e->entry : VOCAB_NONE;
        struct sv broader = SV_NONE;
        for (unsigned n = 0;
             n < 8 && entry != VOCAB_NONE && vocab_attr(x->vocab, entry, "broader", &broader);
             n++) {
            uint32_t above = vocab_find(x->vocab, broader, vocab_type(x->vocab, entry));
            if (above == VOCAB_NONE)
                break;
            struct fact f = {
                .head = { vocab_type(x->vocab, entry), vocab_name(x->vocab, entry) },
                .tail = { vocab_type(x->vocab, above), vocab_name(x->vocab, above) },
                .relation = "Instance Of",
                .confidence = 0.95,
                .is_general = true,
                .extractor = "pattern",
                .start = c->start,
                .end = c->end,
            };
            sink_add(&w->sink, &f);
            entry = above;
        }
    }
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
        /* "8 Ra": a unit is no element */
        if (e->weak || (next > 0 && w->quantities.items[next - 1].end > e->start))
            continue;
        struct node n = { e->type, entity_name(x->vocab, e) };
        sink_entity(&w->sink, &n, e->start, e->end);
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

static void read_text(struct extractor *x, struct scratch *w, const struct source *source)
{
    sink_source(&w->sink, source);
    vocab_scan(x->vocab, source->text, &w->names);
    find_samples(source->text, &w->names);
    abbrevs_learn(&w->abbrevs, source->text, &w->names);
    abbrevs_find(&w->abbrevs, source->text, &w->names);
    if (x->cfg->emit != EMIT_TRIPLES)
        emit_entities(x, w);
    if (x->cfg->emit == EMIT_ENTITIES)
        return;
    quantity_scan(x->units, source->text, &w->names, &w->quantities);
    struct sentence s;
    long n = 0;
    size_t name = 0, quantity = 0;
    for (size_t pos = 0; sentence_next(x->splitter, source->text, &pos, &s);) {
        if (x->cfg->max_sentences && n++ >= x->cfg->max_sentences)
            break;
        if (is_barren(w, &s, &name, &quantity))
            continue;
        clause_fill(&w->clause, source->text, s.start, s.end, &w->names, &w->quantities);
        add_isotopes(x, w);
        if (x->cfg->has_broader)
            add_broader(x, w);
        read_sentence(x, w);
    }
}

void extract_text(struct extractor *x, unsigned worker, const struct source *source,
                  struct buf *out)
{
    struct scratch *w = &x->workers[worker];
    sink_start(&w->sink, out);
    read_text(x, w, source);
}

/* ---- records
 * --------------------------------------------------------------------------------- */

/* Text in normal form C, in the worker's buffer: valid until the next call. */
static struct sv normal(struct scratch *w, struct sv text)
{
    buf_reset(&w->text);
    utf8_nfc(&w->text, text);
    return buf_view(&w->text);
}

static int read_table(struct extractor *x, struct scratch *w, jv table, struct source *source,
                      struct err *err)
{
    if (x->cfg->no_tables || x->cfg->emit == EMIT_ENTITIES)
        return 0;
    return table_read(x, w, table, source, err);
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
    source.text = normal(w, text);
    jv table = json_get(r->v, "table");
    bool has_rows = !json_is_null(json_get(table, "rows"));
    if (!sv_is(kind, "table")) {
        read_text(x, w, &source);
        return 0;
    }
    if (x->cfg->emit != EMIT_TRIPLES) {
        sink_source(&w->sink, &source);
        vocab_scan(x->vocab, source.text, &w->names);
        emit_entities(x, w);
    }
    return has_rows ? read_table(x, w, table, &source, err) : 0;
}

static int read_section(struct extractor *x, struct scratch *w, struct source source,
                        jv section, struct err *err)
{
    struct sv text = SV_NONE;
    jv refs = jv_null();
    if (!json_is_object(section))
        return err_set(err, EXIT_REJECTED, "field \"sections\": expected objects");
    if (json_opt_str(section, F_TEXT, &text, err) < 0 ||
        json_opt_str(section, F_ID, &source.section, err) < 0 ||
        json_opt_array(section, "refs", &refs, err) < 0)
        return err_prefix(err, "field \"sections\"");
    source.text = normal(w, text);
    source.refs = refs;
    source.has_offsets = true;
    read_text(x, w, &source);
    return 0;
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
    source.text = normal(w, abstract);
    read_text(x, w, &source);
    source.section = SV_NONE;
    for (size_t i = 0; i < json_len(sections); i++)
        if (read_section(x, w, source, json_at(sections, i), err) < 0)
            return -1;
    for (size_t i = 0; i < json_len(tables); i++) {
        jv table = json_at(tables, i);
        struct source of = { .paper = source.paper, .refs = jv_null() };
        of.section = json_sv(json_get(table, F_ID));
        if (read_table(x, w, table, &of, err) < 0)
            return -1;
    }
    return 0;
}

int extract_record(struct extractor *x, unsigned worker, const struct rec *r, struct buf *out,
                   struct err *err)
{
    struct scratch *w = &x->workers[worker];
    struct sv text = SV_NONE;
    sink_start(&w->sink, out);
    w->abbrevs.n = 0;
    int has_text = json_opt_str(r->v, F_TEXT, &text, err);
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
