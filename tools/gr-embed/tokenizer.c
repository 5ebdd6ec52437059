// SPDX-License-Identifier: MIT
/*
 * tokenizer.c — tokenizer.json or vocab.txt to a struct wordpiece
 *
 * The vocabulary is nearly all of a tokenizer.json, and tens of thousands of members are slow
 * as JSON values. So it is cut out and read here, and libjq gets the rest.
 */
#include "tokenizer.h"

#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "folder.h"
#include "json.h"

#define TOKENIZER_MAX ((size_t)64 << 20) /* bytes of a file; the largest known have 17 MB */
#define IDS_MAX ((size_t)1 << 20)
#define ADDED_MAX 1000

#define REMEDY "take a model of the BERT family, or run this one in a server and use --api"

/* ---- the vocabulary in JSON text ---- */

/* One piece: its text is in `bytes`, decoded. */
struct piece {
    size_t from, to;
    bool is_set;
};

struct pieces {
    struct buf bytes;
    struct piece *at; /* (n) by id */
    size_t n, cap;
};

static size_t skip_space(struct sv s, size_t i)
{
    while (i < s.n && strchr(" \t\r\n", s.p[i]) && s.p[i])
        i++;
    return i;
}

/* The JSON string at byte i into bytes; the byte after it, or 0 when it is broken. */
static size_t take_string(struct sv s, size_t i, struct buf *bytes)
{
    size_t from = i + 1, to = from;
    bool is_plain = true;
    if (i >= s.n || s.p[i] != '"')
        return 0;
    for (; to < s.n && s.p[to] != '"'; to++)
        if (s.p[to] == '\\') {
            is_plain = false;
            to++;
        }
    if (to >= s.n)
        return 0;
    if (is_plain) {
        buf_add(bytes, s.p + from, to - from);
        return to + 1;
    }
    jv v;
    struct err ignored;
    if (json_parse(&v, sv_from_to(s, i, to + 1), &ignored) < 0)
        return 0;
    buf_sv(bytes, json_sv(v));
    json_free(v);
    return to + 1;
}

static size_t take_id(struct sv s, size_t i, size_t *id)
{
    size_t from = i;
    for (*id = 0; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && *id < IDS_MAX; i++)
        *id = *id * 10 + (size_t)(s.p[i] - '0');
    return i > from && *id < IDS_MAX ? i : 0;
}

static int put_piece(struct pieces *p, size_t from, size_t id)
{
    if (id >= p->cap) {
        size_t before = p->cap;
        p->cap = alloc_grow(p->cap, id + 1);
        p->at = alloc_resize(p->at, p->cap, sizeof *p->at);
        memset(p->at + before, 0, (p->cap - before) * sizeof *p->at);
    }
    if (p->at[id].is_set)
        return -1;
    p->at[id] = (struct piece){ from, p->bytes.len, true };
    if (id >= p->n)
        p->n = id + 1;
    return 0;
}

/* The members from byte i (after the brace) to the closing brace, whose place is returned; 0:
 * broken. */
static size_t take_pieces(struct sv s, size_t i, struct pieces *p)
{
    i = skip_space(s, i);
    if (i < s.n && s.p[i] == '}')
        return i;
    for (;;) {
        size_t from = p->bytes.len, id;
        i = take_string(s, skip_space(s, i), &p->bytes);
        i = i ? skip_space(s, i) : s.n;
        if (i >= s.n || s.p[i] != ':')
            return 0;
        i = take_id(s, skip_space(s, i + 1), &id);
        if (!i || put_piece(p, from, id) < 0)
            return 0;
        i = skip_space(s, i);
        if (i >= s.n || (s.p[i] != ',' && s.p[i] != '}'))
            return 0;
        if (s.p[i] == '}')
            return i;
        i = skip_space(s, i + 1);
    }
}

/* Take the object that is the member "vocab" out of the text; the rest, with {} in its place,
 * goes to `rest`. Inside strings quotes are escaped, so that this can only be a key. */
static int cut_vocab(struct sv s, struct pieces *p, struct buf *rest, struct err *err)
{
    for (size_t at = 0; (at = sv_find(s, SV("\"vocab\""), at)) != SIZE_MAX;) {
        at = skip_space(s, at + 7);
        if (at >= s.n || s.p[at] != ':')
            continue;
        at = skip_space(s, at + 1);
        if (at >= s.n || s.p[at] != '{')
            continue;
        size_t end = take_pieces(s, at + 1, p);
        if (!end)
            return err_set(err, EXIT_FATAL,
                           "vocab: expected pieces with ids of their own, near byte %zu", at);
        buf_sv(rest, sv_from_to(s, 0, at + 1));
        buf_sv(rest, sv_from_to(s, end, s.n));
        return 0;
    }
    buf_sv(rest, s);
    return 0;
}

/* The pieces as lines. A piece with white space at its end, or with "##" that is no mark of
 * continuation, is in no word. */
static void spell_vocab(const struct pieces *p, struct sv prefix, struct buf *out)
{
    bool is_usual = sv_is(prefix, "##");
    for (size_t id = 0; id < p->n; id++) {
        struct sv text = sv_from_to(buf_view(&p->bytes), p->at[id].from, p->at[id].to);
        bool is_next = text.n > prefix.n && sv_starts(text, prefix);
        if (sv_find(text, SV("\n"), 0) == SIZE_MAX &&
            (is_usual || is_next || !sv_starts(text, SV("##")))) {
            if (is_next && !is_usual) {
                buf_str(out, "##");
                text = sv_from_to(text, prefix.n, text.n);
            }
            buf_sv(out, text);
        }
        buf_char(out, '\n');
    }
}

/* ---- what surrounds the vocabulary ---- */

struct reading {
    jv root;
    struct wordpiece_cfg cfg;
    struct wordpiece_specials specials;
    struct wordpiece_added added[ADDED_MAX];
    struct sv prefix;
    bool has_pairs;
};

static int no_kind(const char *part, struct sv kind, const char *wanted, struct err *err)
{
    return err_set(err, EXIT_FATAL, "%s \"%.*s\" is not supported, only %s: " REMEDY, part,
                   SV_ARG(kind), wanted);
}

/* The part called name, or the only one of its Sequence; its type must be `wanted`. */
static int part_of(jv root, const char *name, const char *list, const char *wanted, jv *part,
                   struct err *err)
{
    *part = json_get(root, name);
    if (json_is_object(*part) && sv_is(json_sv(json_get(*part, "type")), "Sequence") &&
        json_len(json_get(*part, list)) == 1)
        *part = json_at(json_get(*part, list), 0);
    struct sv kind = json_is_object(*part) ? json_sv(json_get(*part, "type")) : SV("none");
    return sv_is(kind, wanted) ? 0 : no_kind(name, kind, wanted, err);
}

static int read_model(struct reading *r, struct err *err)
{
    jv model;
    double chars = WORDPIECE_MAX_CHARS;
    r->prefix = SV("##");
    r->specials.unk = SV("[UNK]");
    if (json_need_object(r->root, "model", &model, err) < 0)
        return -1;
    struct sv kind = json_sv(json_get(model, "type"));
    if (!sv_is(kind, "WordPiece"))
        return no_kind("model", kind, "WordPiece", err);
    if (!json_is_object(json_get(model, "vocab")))
        return err_set(err, EXIT_FATAL, "model: field \"vocab\": expected object");
    if (json_opt_str(model, "unk_token", &r->specials.unk, err) < 0 ||
        json_opt_str(model, "continuing_subword_prefix", &r->prefix, err) < 0 ||
        json_opt_num(model, "max_input_chars_per_word", &chars, err) < 0)
        return -1;
    if (!r->prefix.n)
        return err_set(err, EXIT_FATAL, "model: continuing_subword_prefix is empty");
    if (!(chars >= 1 && chars <= WORDPIECE_CHARS_LIMIT))
        return err_set(err, EXIT_FATAL, "model: max_input_chars_per_word: from 1 to %d",
                       WORDPIECE_CHARS_LIMIT);
    r->cfg.max_chars = (size_t)chars;
    return 0;
}

static int read_normalizer(struct reading *r, struct err *err)
{
    jv n, p;
    if (part_of(r->root, "normalizer", "normalizers", "BertNormalizer", &n, err) < 0 ||
        part_of(r->root, "pre_tokenizer", "pretokenizers", "BertPreTokenizer", &p, err) < 0)
        return -1;
    if (!folder_flag(n, "clean_text", true))
        return err_set(err, EXIT_FATAL, "normalizer: clean_text false is not supported");
    r->cfg.lower = folder_flag(n, "lowercase", true);
    r->cfg.strip_accents = folder_flag(n, "strip_accents", r->cfg.lower);
    r->cfg.split_cjk = folder_flag(n, "handle_chinese_chars", true);
    return 0;
}

static int read_added(struct reading *r, struct err *err)
{
    jv added = json_get(r->root, "added_tokens");
    size_t n = json_len(added);
    if (n > ADDED_MAX)
        return err_set(err, EXIT_FATAL, "%zu added tokens, at most %d", n, ADDED_MAX);
    for (size_t i = 0; i < n; i++) {
        jv one = json_at(added, i);
        struct sv text = json_is_object(one) ? json_sv(json_get(one, "content")) : SV_NONE;
        double id = json_is_object(one) ? json_num(json_get(one, "id")) : -1;
        if (!text.n || !(id >= 0 && id < (double)IDS_MAX))
            return err_set(err, EXIT_FATAL, "added_tokens: entry %zu: expected content and id",
                           i);
        if (folder_flag(one, "normalized", false) || folder_flag(one, "single_word", false))
            return err_set(err, EXIT_FATAL,
                           "added token \"%.*s\": normalized and single_word are not supported",
                           SV_ARG(text));
        r->added[i] = (struct wordpiece_added){ text, (int32_t)id };
    }
    r->specials.added = r->added;
    r->specials.n_added = n;
    return 0;
}

/* One step of a template: 's' and the token's name, or 'A' or 'B'; 0: neither. */
static char step_of(jv step, struct sv *token, double *type)
{
    jv special = json_is_object(step) ? json_get(step, "SpecialToken") : jv_null();
    jv text = json_is_object(step) ? json_get(step, "Sequence") : jv_null();
    jv v = json_is_object(special) ? special : text;
    if (!json_is_object(v))
        return 0;
    struct sv id = json_sv(json_get(v, "id"));
    *type = json_num(json_get(v, "type_id"));
    if (json_is_object(special)) {
        *token = id;
        return 's';
    }
    return sv_is(id, "A") ? 'A' : sv_is(id, "B") ? 'B' : 0;
}

/* Does the template read as `form` ("sAs") with [CLS] first, [SEP] after, and these types? */
static bool is_form(struct reading *r, jv list, const char *form, const char *types)
{
    if (json_len(list) != strlen(form))
        return false;
    for (size_t i = 0; form[i]; i++) {
        struct sv token = SV_NONE;
        double type = -1;
        if (step_of(json_at(list, i), &token, &type) != form[i] || type != types[i] - '0')
            return false;
        if (form[i] != 's')
            continue;
        struct sv *role = i ? &r->specials.sep : &r->specials.cls;
        if (role->n && !sv_eq(*role, token))
            return false;
        *role = token;
    }
    return true;
}

static int read_template(struct reading *r, struct err *err)
{
    jv post;
    jv whole = json_get(r->root, "post_processor");
    struct sv kind = json_is_object(whole) ? json_sv(json_get(whole, "type")) : SV("none");
    if (sv_is(kind, "BertProcessing")) {
        r->specials.cls = json_sv(json_at(json_get(whole, "cls"), 0));
        r->specials.sep = json_sv(json_at(json_get(whole, "sep"), 0));
        r->has_pairs = true;
        return 0;
    }
    if (part_of(r->root, "post_processor", "processors", "TemplateProcessing", &post, err) < 0)
        return -1;
    if (!is_form(r, json_get(post, "single"), "sAs", "000"))
        return err_set(err, EXIT_FATAL,
                       "post_processor: expected the template [CLS] A [SEP] for single texts");
    r->has_pairs = is_form(r, json_get(post, "pair"), "sAsBs", "00011");
    return 0;
}

static bool is_usual(const struct wordpiece_specials *s)
{
    static const char *const names[] = { "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]" };
    size_t n = 0;
    for (size_t i = 0; i < s->n_added; i++)
        for (size_t k = 0; k < ARRAY_LEN(names); k++)
            n += sv_is(s->added[i].text, names[k]);
    return n == s->n_added && n == ARRAY_LEN(names) && sv_is(s->cls, "[CLS]") &&
           sv_is(s->sep, "[SEP]") && sv_is(s->unk, "[UNK]");
}

/* ---- the files agree ---- */

static int check_vocab_txt(const struct tokenizer *t, const char *dir, struct err *err)
{
    struct buf path = BUF_INIT, text = BUF_INIT;
    struct sv line, mine = SV_NONE, rest, own = buf_view(&t->vocab);
    int rc = 0;
    buf_printf(&path, "%s/vocab.txt", dir);
    if (access(buf_cstr(&path), F_OK) == 0)
        rc = file_read(&text, buf_cstr(&path), TOKENIZER_MAX, err);
    rest = buf_view(&text);
    for (size_t id = 0; rc == 0 && rest.n && sv_cut(&rest, '\n', &line); id++) {
        bool has = own.n && sv_cut(&own, '\n', &mine);
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (has && !mine.n)
            continue; /* not spelled: spell_vocab */
        if (!has || !sv_eq(sv_trim(line), sv_trim(mine)))
            rc = err_set(err, EXIT_FATAL,
                         "%s: id %zu is \"%.*s\", but \"%.*s\" in tokenizer.json: remove the "
                         "file that is not this model's",
                         buf_cstr(&path), id, SV_ARG(line), SV_ARG(mine));
    }
    if (rc == 0 && text.len && own.n)
        rc = err_set(err, EXIT_FATAL, "%s: has fewer pieces than tokenizer.json",
                     buf_cstr(&path));
    buf_release(&path);
    buf_release(&text);
    return rc;
}

static int differ(const char *dir, const char *field, const char *other, struct err *err)
{
    return err_set(
        err, EXIT_FATAL,
        "%s: %s in tokenizer_config.json contradicts %s in tokenizer.json: make them "
        "agree",
        dir, field, other);
}

/* Fields of tokenizer_config.json that are there must say the same. */
static int check_config(const struct tokenizer *t, const char *dir, struct err *err)
{
    static const char lower[] = "do_lower_case", cjk[] = "tokenize_chinese_chars";
    struct buf text = BUF_INIT;
    jv v;
    int rc = folder_json(dir, "tokenizer_config.json", &v, &text, err);
    if (rc == 1) {
        const struct wordpiece_cfg *c = &t->cfg;
        if (folder_flag(v, lower, c->lower) != c->lower)
            rc = differ(dir, lower, "lowercase", err);
        else if (folder_flag(v, "strip_accents", c->strip_accents) != c->strip_accents)
            rc = differ(dir, "strip_accents", "strip_accents", err);
        else if (folder_flag(v, cjk, c->split_cjk) != c->split_cjk)
            rc = differ(dir, cjk, "handle_chinese_chars", err);
        json_free(v);
    }
    buf_release(&text);
    return rc < 0 ? -1 : 0;
}

/* ---- reading ---- */

static int take_json(struct tokenizer *t, struct reading *r, const struct pieces *p,
                     const char *path, bool is_lowered, struct err *err)
{
    if (!json_is_object(r->root))
        return err_set(err, EXIT_FATAL, "expected an object");
    if (read_model(r, err) < 0 || read_normalizer(r, err) < 0 || read_added(r, err) < 0 ||
        read_template(r, err) < 0)
        return -1;
    spell_vocab(p, r->prefix, &t->vocab);
    t->cfg = r->cfg;
    t->has_pairs = r->has_pairs;
    t->has_own_form = !is_usual(&r->specials) || r->cfg.max_chars != WORDPIECE_MAX_CHARS;
    struct wordpiece_cfg cfg = r->cfg;
    cfg.lower = cfg.lower || is_lowered;
    t->words = wordpiece_parse_with(buf_view(&t->vocab), path, &cfg, &r->specials, err);
    return t->words ? 0 : -1;
}

static int read_json(struct tokenizer *t, const char *dir, const char *path, bool is_lowered,
                     struct err *err)
{
    struct buf text = BUF_INIT, rest = BUF_INIT;
    struct pieces pieces = { 0 };
    struct reading *r = alloc_zero(1, sizeof *r);
    int rc = file_read(&text, path, TOKENIZER_MAX, err);
    if (rc == 0) {
        rc = cut_vocab(buf_view(&text), &pieces, &rest, err);
        if (rc == 0 && (rc = json_parse(&r->root, sv_trim(buf_view(&rest)), err)) == 0) {
            rc = take_json(t, r, &pieces, path, is_lowered, err);
            json_free(r->root);
        }
        if (rc < 0 && !sv_starts(sv_from(err->msg), sv_from(path)))
            err_prefix(err, "%s", path);
        err->code = EXIT_FATAL;
    }
    if (rc == 0 && (check_vocab_txt(t, dir, err) < 0 || check_config(t, dir, err) < 0))
        rc = -1;
    t->cfg.lower = t->cfg.lower || is_lowered;
    free(r);
    free(pieces.at);
    buf_release(&pieces.bytes);
    buf_release(&text);
    buf_release(&rest);
    return rc;
}

static int read_vocab_txt(struct tokenizer *t, const char *dir, bool is_lowered,
                          struct err *err)
{
    struct buf text = BUF_INIT, path = BUF_INIT;
    jv v;
    t->cfg = WORDPIECE_UNCASED;
    t->has_pairs = true;
    buf_printf(&path, "%s/vocab.txt", dir);
    int rc = folder_json(dir, "tokenizer_config.json", &v, &text, err);
    if (rc == 1) {
        t->cfg.lower = folder_flag(v, "do_lower_case", true);
        t->cfg.strip_accents = folder_flag(v, "strip_accents", t->cfg.lower);
        t->cfg.split_cjk = folder_flag(v, "tokenize_chinese_chars", true);
        json_free(v);
    }
    t->cfg.lower = t->cfg.lower || is_lowered;
    if (rc >= 0 && (rc = file_read(&t->vocab, buf_cstr(&path), TOKENIZER_MAX, err)) == 0)
        t->words = wordpiece_parse(buf_view(&t->vocab), buf_cstr(&path), &t->cfg, err);
    buf_release(&text);
    buf_release(&path);
    return t->words ? 0 : -1;
}

int tokenizer_read(struct tokenizer *t, const char *dir, bool is_lowered, struct err *err)
{
    struct buf path = BUF_INIT;
    *t = (struct tokenizer){ 0 };
    buf_printf(&path, "%s/tokenizer.json", dir);
    int rc = access(buf_cstr(&path), F_OK) == 0
                 ? read_json(t, dir, buf_cstr(&path), is_lowered, err)
                 : read_vocab_txt(t, dir, is_lowered, err);
    buf_release(&path);
    return rc;
}

void tokenizer_release(struct tokenizer *t)
{
    wordpiece_free(t->words);
    buf_release(&t->vocab);
    *t = (struct tokenizer){ 0 };
}
