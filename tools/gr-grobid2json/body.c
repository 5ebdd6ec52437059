// SPDX-License-Identifier: MIT
/*
 * body.c — running text: sections, paragraphs, lists, in-text references, back matter
 */
#include "tei_impl.h"

#include "utf8.h"

/* ---- inside a paragraph ---- */

static const char *const raised[] = { "superscript", "sup", "super" };
static const char *const lowered[] = { "subscript", "sub" };
static const char *const faces[] = {
    "hi", "italic", "bold", "i", "b", "sc", "emph", "monospace"
};

static bool is_among(struct sv s, const char *const names[], size_t n_names)
{
    for (size_t i = 0; i < n_names; i++)
        if (sv_ieq(s, sv_from(names[i])))
            return true;
    return false;
}

/* How an element is printed: "sup", "sub", else its rend ("italic"), else its name; "" for one
 * that is not about print. */
static struct sv face_of(const xmlNode *n)
{
    struct sv name = sv_from((const char *)n->name), rend = xml_attr(n, "rend"), rest, part;
    if (!rend.n)
        rend = xml_attr(n, "rendition");
    rest = rend;
    bool is_sup = is_among(name, raised, ARRAY_LEN(raised));
    bool is_sub = is_among(name, lowered, ARRAY_LEN(lowered));
    while (sv_cut(&rest, ' ', &part)) {
        is_sup = is_sup || is_among(part, raised, ARRAY_LEN(raised));
        is_sub = is_sub || is_among(part, lowered, ARRAY_LEN(lowered));
    }
    if (is_sup || is_sub)
        return is_sup ? SV("sup") : SV("sub");
    if (!is_among(name, faces, ARRAY_LEN(faces)))
        return SV_NONE;
    return rend.n ? rend : name;
}

#define MAX_SCRIPT 1024 /* bytes, and nodes, of raised text; longer is an accident */

/* What raised or lowered text consists of. */
struct inner {
    struct buf text;
    size_t n_nodes;
    bool
        is_other; /* more than text and how it is printed: a reference, a note …; or too long */
    bool has_script;
};

static void look_inside(const xmlNode *node, struct inner *in)
{
    for (const xmlNode *n = node->children; n && !in->is_other; n = n->next) {
        if (n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE) {
            buf_str(&in->text, (const char *)n->content);
        } else if (n->type == XML_ELEMENT_NODE) {
            struct sv face = face_of(n);
            in->is_other = !face.n;
            in->has_script |= sv_is(face, "sup") || sv_is(face, "sub");
            look_inside(n, in);
        }
        in->is_other |= ++in->n_nodes > MAX_SCRIPT || in->text.len > MAX_SCRIPT;
    }
}

/* Raised or lowered text in pieces: "10^<i>−3</i>", "D^Cpx/<i>melt</i>". */
static void pieces(struct tei *t, struct flow *f, const xmlNode *n, enum flow_script script)
{
    struct inner in = { 0 };
    look_inside(n, &in);
    struct sv text = sv_trim(buf_view(&in.text));
    bool is_alone = !in.is_other && text.n;
    if (is_alone && !in.has_script && flow_has_forms(text, script)) {
        t->script = &script;
        tei_inline(t, f, n);
        t->script = NULL;
    } else if (is_alone && script == FLOW_SUPER && !flow_is_ordinal(text)) {
        flow_text(f, FLOW_RAISED_OPEN);
        tei_inline(t, f, n);
        flow_text(f, FLOW_RAISED_CLOSE);
    } else {
        tei_inline(t, f, n);
    }
    buf_release(&in.text);
}

/* Inside a citation marker, and around one, raised text stays plain: a raised citation "12" is
 * no exponent. */
static void script(struct tei *t, struct flow *f, const xmlNode *n, struct sv face)
{
    const xmlNode *c = n->children;
    bool is_sup = sv_is(face, "sup"), is_script = is_sup || sv_is(face, "sub");
    struct flow_span span = { .what = FLOW_MARK, .kind = face };
    if (!is_script || !c || t->script || xml_is(n->parent, "ref")) {
        tei_marked(t, f, n, span);
        return;
    }
    enum flow_script how = is_sup ? FLOW_SUPER : FLOW_SUB;
    size_t mark = tei_open(t, f, n, span);
    if (!c->next && c->type == XML_TEXT_NODE)
        flow_script(f, sv_from((const char *)c->content), how);
    else
        pieces(t, f, n, how);
    tei_close(f, mark);
}

static void reference(struct tei *t, struct flow *f, const xmlNode *n)
{
    struct sv kind = xml_attr(n, "type");
    tei_marked(t, f, n,
               (struct flow_span){ .what = FLOW_REF,
                                   .kind = kind.n ? kind : SV("other"),
                                   .target = xml_attr(n, "target") });
}

/* A sentence or paragraph: with a place on the page when GROBID says one; sentences may be
 * annotated as a whole (DataSeer's data sets). */
void tei_passage(struct tei *t, struct flow *f, const xmlNode *n)
{
    bool is_said =
        xml_is(n, "s") && n->properties && (xml_attr(n, "type").n || xml_attr(n, "corresp").n);
    bool has_place = t->cfg->has_coords && xml_attr(n, "coords").n;
    struct flow_span place = { .what = FLOW_BLOCK, .kind = sv_from((const char *)n->name) };
    size_t block = has_place ? tei_open(t, f, n, place) : SIZE_MAX;
    if (is_said)
        tei_marked(t, f, n, (struct flow_span){ .what = FLOW_ANNOTATION });
    else
        tei_inline(t, f, n);
    tei_close(f, block);
}

static bool is_apart(const xmlNode *n)
{
    return xml_is(n, "note") || xml_is(n, "figure") || xml_is(n, "table") ||
           xml_is(n, "graphic");
}

/* Publishers put display formulas inside paragraphs. */
static void formula(struct tei *t, struct flow *f, const xmlNode *n)
{
    bool is_display = xml_has(n, "rend", "display");
    if (is_display)
        flow_gap(f, FLOW_LINE);
    tei_formula(t, f, n, is_display);
    if (is_display)
        flow_gap(f, FLOW_LINE);
}

/* What is collected beside the text, or starts lines of its own. */
static bool floats(struct tei *t, struct flow *f, const xmlNode *n)
{
    if (xml_is(n, "note"))
        tei_note(t, n);
    else if (xml_is(n, "formula"))
        formula(t, f, n);
    else if (xml_is(n, "figure"))
        tei_figure(t, n);
    else if (xml_is(n, "table"))
        tei_bare_table(t, n);
    else if (xml_is(n, "list") || xml_is(n, "div"))
        tei_blocks(t, f, n);
    else
        return false;
    return true;
}

void tei_element(struct tei *t, struct flow *f, const xmlNode *n)
{
    struct sv face;
    if (xml_is(n, "ref")) {
        reference(t, f, n);
    } else if (xml_is(n, "s") || xml_is(n, "p") || xml_is(n, "ab")) {
        /* A paragraph inside a paragraph is an accident of GROBID's: its text goes on. */
        flow_gap(f, FLOW_SPACE);
        tei_passage(t, f, n);
        flow_gap(f, FLOW_SPACE);
    } else if ((face = face_of(n)).n) {
        script(t, f, n, face);
    } else if (xml_is(n, "lb") || xml_is(n, "pb") || xml_is(n, "cb")) {
        flow_gap(f, FLOW_SPACE);
    } else if (!t->is_plain && floats(t, f, n)) {
        return;
    } else if (t->is_plain && is_apart(n)) {
        return;
    } else if (xml_is(n, "quote") || xml_is(n, "cit")) {
        bool is_block = xml_child(n, "p") || xml_is(n->parent, "div");
        flow_gap(f, is_block ? FLOW_PARA : FLOW_NONE);
        tei_inline(t, f, n);
        flow_gap(f, is_block ? FLOW_PARA : FLOW_NONE);
    } else if (tei_is_annotation(n)) {
        tei_marked(t, f, n, (struct flow_span){ .what = FLOW_ANNOTATION });
    } else if (!xml_is(n, "graphic")) {
        tei_inline(t, f, n);
    }
}

void tei_inline(struct tei *t, struct flow *f, const xmlNode *node)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        bool is_text = n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE;
        if (is_text && t->script)
            flow_script(f, sv_from((const char *)n->content), *t->script);
        else if (is_text)
            flow_text(f, sv_from((const char *)n->content));
        else if (n->type == XML_ELEMENT_NODE)
            tei_element(t, f, n);
    }
}

/* ---- blocks ---- */

/* First visible character below a node, or 0. */
static uint32_t first_char(const xmlNode *node)
{
    for (const xmlNode *n = node->children; n; n = n->next) {
        uint32_t cp = n->type == XML_ELEMENT_NODE ? first_char(n) : 0;
        struct sv s =
            n->type == XML_TEXT_NODE ? sv_trim(sv_from((const char *)n->content)) : SV_NONE;
        size_t pos = 0;
        if (s.n)
            cp = utf8_next(s, &pos);
        if (cp)
            return cp;
    }
    return 0;
}

/* Items that carry no mark of their own get "- ", or their number in an ordered list. */
static void list(struct tei *t, struct flow *f, const xmlNode *node)
{
    struct sv how = xml_attr(node, "type");
    how = how.n ? how : xml_attr(node, "rend");
    bool is_ordered = sv_is(how, "ordered") || sv_is(how, "numbered");
    bool has_labels = xml_child(node, "label") != NULL;
    int number = 0;
    flow_gap(f, FLOW_PARA);
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        char mark[24] = "- ";
        bool is_item = xml_is(n, "item");
        if (is_ordered && is_item)
            snprintf(mark, sizeof mark, "%d. ", ++number);
        if (is_item && !has_labels && utf8_is_letter(first_char(n)))
            flow_text(f, sv_from(mark));
        tei_inline(t, f, n);
        flow_gap(f, xml_is(n, "label") ? FLOW_SPACE : FLOW_LINE);
    }
    flow_gap(f, FLOW_PARA);
}

static bool is_blank(const xmlNode *n)
{
    return n->type != XML_TEXT_NODE || sv_trim(sv_from((const char *)n->content)).n == 0;
}

static void paragraph(struct tei *t, struct flow *f, const xmlNode *n, enum flow_gap gap,
                      bool *is_open)
{
    flow_gap(f, gap);
    tei_passage(t, f, n);
    flow_gap(f, FLOW_SPACE);
    *is_open = false;
}

/* References and marked text outside of a paragraph, alone or amid text. */
static void stray(struct tei *t, struct flow *f, const xmlNode *n, enum flow_gap gap)
{
    bool is_amid = (n->prev && !is_blank(n->prev)) || (n->next && !is_blank(n->next));
    flow_gap(f, is_amid ? FLOW_NONE : gap);
    tei_element(t, f, n);
    flow_gap(f, is_amid ? FLOW_NONE : FLOW_SPACE);
}

/* One child of a division. *is_open: the last block was a formula, so that a sentence may go on
 * after it. */
static void block(struct tei *t, struct flow *f, const xmlNode *n, bool *is_open)
{
    enum flow_gap gap = *is_open ? FLOW_SOFT : FLOW_PARA;
    if (n->type == XML_TEXT_NODE) {
        if (!is_blank(n))
            flow_text(f, sv_from((const char *)n->content));
    } else if (xml_is(n, "p")) {
        paragraph(t, f, n, gap, is_open);
    } else if (xml_is(n, "formula")) {
        flow_gap(f, FLOW_LINE);
        tei_formula(t, f, n, true);
        *is_open = true;
    } else if (xml_is(n, "list")) {
        list(t, f, n);
        *is_open = false;
    } else if (xml_is(n, "div")) {
        flow_gap(f, FLOW_PARA);
        tei_blocks(t, f, n);
        flow_gap(f, FLOW_PARA);
    } else if (xml_is(n, "note") || xml_is(n, "figure") || xml_is(n, "table") ||
               xml_is(n, "lb") || xml_is(n, "pb")) {
        tei_element(t, f, n);
    } else if (xml_is(n, "ref") || face_of(n).n || tei_is_annotation(n)) {
        stray(t, f, n, gap);
        *is_open = false;
    } else if (n->type == XML_ELEMENT_NODE && !xml_is(n, "listBibl") && !xml_is(n, "listOrg")) {
        paragraph(t, f, n, gap, is_open);
    }
}

void tei_blocks(struct tei *t, struct flow *f, const xmlNode *node)
{
    if (xml_is(node, "list")) {
        list(t, f, node);
        return;
    }
    bool is_open = false;
    for (const xmlNode *n = node->children; n; n = n->next)
        block(t, f, n, &is_open);
}

/* ---- heads ---- */

static size_t roman(struct sv s)
{
    size_t i = 0;
    while (i < s.n && strchr("IVX", s.p[i]))
        i++;
    return i <= 5 ? i : 0;
}

bool tei_head_number(struct sv head, struct sv *number, struct sv *rest)
{
    size_t i = 0, n_parts = 0, n_digits = 0;
    while (i < head.n && head.p[i] >= '0' && head.p[i] <= '9') {
        size_t from = i;
        while (i < head.n && head.p[i] >= '0' && head.p[i] <= '9')
            i++;
        n_digits = i - from > n_digits ? i - from : n_digits;
        n_parts++;
        if (i + 1 < head.n && head.p[i] == '.' && head.p[i + 1] >= '0' && head.p[i + 1] <= '9')
            i++;
        else
            break;
    }
    bool is_roman = n_parts == 0 && (i = roman(head)) > 0;
    if (!i || n_digits > 2)
        return false;
    size_t end = i;
    bool has_dot = i < head.n && (head.p[i] == '.' || head.p[i] == ')');
    struct sv after = sv_from_to(head, i + has_dot, head.n), text = sv_trim(after);
    if (!text.n || (text.p == after.p && !has_dot))
        return false;
    /* Without a dot, "2 Methods" but not "87 Sr" nor "18 O values": a capital, two small. */
    size_t pos = 0;
    bool is_word = text.n > 2 && utf8_is_upper(utf8_next(text, &pos)) && text.p[1] >= 'a' &&
                   text.p[1] <= 'z' && text.p[2] >= 'a' && text.p[2] <= 'z';
    pos = 0;
    bool is_letter = utf8_is_letter(utf8_next(text, &pos));
    bool is_number =
        is_roman ? has_dot && is_word : is_letter && (has_dot || n_parts > 1 || is_word);
    if (!is_number)
        return false;
    *number = sv_from_to(head, 0, end);
    *rest = text;
    return true;
}

static int level_of(struct sv n)
{
    int level = 1;
    for (size_t i = 0; i + 1 < n.n; i++)
        level += n.p[i] == '.';
    return level;
}

/* ---- sections ---- */

struct section {
    const xmlNode *head;
    int depth; /* nesting of divisions, from 1 */
    struct flow text;
    struct buf boxes;
};

/* The head as text with spans; a plain one has none. */
static void read_head(struct tei *t, struct flow *f, const xmlNode *head)
{
    bool was_plain = t->is_plain;
    t->is_plain = true;
    if (head)
        tei_inline(t, f, head);
    t->is_plain = was_plain;
    flow_finish(f);
}

void tei_put_head(struct tei *t, struct buf *out, const xmlNode *head_node, int depth)
{
    struct flow f = { 0 };
    read_head(t, &f, head_node);
    struct sv n = xml_attr(head_node, "n"), head = buf_view(&f.text), found, rest;
    size_t shift = 0;
    while (n.n && n.p[n.n - 1] == '.')
        n.n--;
    if (tei_head_number(head, &found, &rest) && (!n.n || sv_eq(n, found))) {
        n = found;
        shift = utf8_count(sv_from_to(head, 0, (size_t)(rest.p - head.p)));
        head = rest;
    }
    int level = level_of(n) > depth ? level_of(n) : depth;
    tei_put(out, "n", n);
    tei_put(out, "head", head);
    json_key(out, "level");
    json_put_int(out, level);
    tei_put_spans_of(t, out, "head_spans", &f, shift);
    tei_put_coords(t, out, "head_coords", head_node);
    flow_release(&f);
}

static void put_section(struct tei *t, struct section *s)
{
    flow_finish(&s->text);
    if (s->text.text.len || (s->head && tei_text(t, s->head).n)) {
        struct buf *out = &t->sections;
        json_open(out, '{');
        json_key(out, "id");
        buf_printf(out, "\"sec_%zu\"", t->n_sections++);
        tei_put_head(t, out, s->head, s->depth);
        json_key(out, "text");
        json_put_str(out, buf_view(&s->text.text));
        tei_put_spans(t, out, &s->text);
        json_key(out, "formulas");
        json_open(out, '[');
        if (t->section_formulas.len)
            json_put_raw(out, buf_view(&t->section_formulas));
        json_close(out, ']');
        tei_put_boxes(t, out, "coords", &s->boxes);
        json_close(out, '}');
    }
    flow_release(&s->text);
    buf_release(&s->boxes);
    buf_reset(&t->section_formulas);
}

/* Boxes of a head or paragraph, else those of its sentences. */
static void add_boxes(struct section *s, const xmlNode *n)
{
    size_t before = s->boxes.len;
    tei_boxes(&s->boxes, xml_attr(n, "coords"));
    if (s->boxes.len > before || !xml_is(n, "p"))
        return;
    for (const xmlNode *c = xml_child(n, "s"); c; c = xml_next(c, "s"))
        tei_boxes(&s->boxes, xml_attr(c, "coords"));
}

/* A division: what stands before its first inner division is its text; what comes after that
 * one is a section of its own without head, so that the order of reading is kept. */
static void division(struct tei *t, const xmlNode *div, int depth)
{
    struct section s = { .depth = depth };
    bool is_open = false;
    for (const xmlNode *n = div->children; n; n = n->next) {
        if (xml_is(n, "div")) {
            put_section(t, &s);
            s = (struct section){ .depth = depth };
            division(t, n, depth + 1);
            is_open = false;
            continue;
        }
        if (t->cfg->has_coords && (xml_is(n, "p") || xml_is(n, "head")))
            add_boxes(&s, n);
        if (xml_is(n, "head") && !s.head && !s.text.text.len) {
            s.head = n;
            tei_apart_below(t, n);
        } else if (!xml_is(n, "listBibl") && !xml_is(n, "back") && !xml_is(n, "front")) {
            block(t, &s.text, n, &is_open);
        }
    }
    put_section(t, &s);
}

void tei_body(struct tei *t, const xmlNode *body)
{
    if (body)
        division(t, body, 0);
}

/* ---- back matter ---- */

static enum tei_back back_kind(const xmlNode *div)
{
    static const struct {
        const char *type;
        enum tei_back kind;
    } kinds[] = {
        { "acknowledgement", BACK_ACKNOWLEDGEMENT },
        { "acknowledgements", BACK_ACKNOWLEDGEMENT },
        { "acknowledgment", BACK_ACKNOWLEDGEMENT },
        { "funding", BACK_FUNDING },
        { "availability", BACK_AVAILABILITY },
        { "contribution", BACK_CONTRIBUTION },
        { "conflict", BACK_CONFLICT },
    };
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (xml_has(div, "type", kinds[i].type))
            return kinds[i].kind;
    return BACK_ANNEX;
}

/* Heads say nothing in a statement of funding ("Funding"), unless they are all there is. Each
 * division with a head is a span of the text. */
static void statement(struct tei *t, struct flow *f, const xmlNode *div, bool has_heads,
                      int depth)
{
    const xmlNode *head = xml_child(div, "head");
    bool has_more = xml_child(div, "p") || xml_child(div, "list"), is_open = false;
    size_t span = SIZE_MAX;
    if (head && !has_heads && has_more)
        span = flow_open(
            f, (struct flow_span){ .what = FLOW_SECTION, .node = head, .level = depth });
    for (const xmlNode *n = div->children; n; n = n->next) {
        if (xml_is(n, "div")) {
            flow_gap(f, FLOW_PARA);
            statement(t, f, n, has_heads, depth + 1);
            flow_gap(f, FLOW_PARA);
        } else if (n != head || has_heads || !has_more) {
            block(t, f, n, &is_open);
        }
        if (n == head && has_heads)
            span = flow_open(
                f, (struct flow_span){ .what = FLOW_SECTION, .node = head, .level = depth });
    }
    tei_close(f, span);
}

static void references_in(struct tei *t, const xmlNode *node)
{
    for (const xmlNode *n = xml_child(node, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "listBibl"))
            tei_references(t, n);
        else
            references_in(t, n);
    }
}

void tei_back(struct tei *t, const xmlNode *back)
{
    for (const xmlNode *n = xml_child(back, NULL); n; n = xml_next(n, NULL)) {
        if (xml_is(n, "listOrg") || xml_is(n, "listBibl") || xml_has(n, "type", "references"))
            continue;
        bool is_open = false;
        enum tei_back kind = back_kind(n);
        struct flow *f = &t->back[kind];
        flow_gap(f, FLOW_PARA);
        if (!xml_is(n, "div"))
            block(t, f, n, &is_open);
        else
            statement(t, f, n, kind == BACK_ANNEX, 0);
    }
    buf_reset(&t->section_formulas);
    references_in(t, back);
}

void tei_finish_back(struct tei *t)
{
    for (size_t i = 0; i < BACK_KINDS; i++)
        flow_finish(&t->back[i]);
}
