// SPDX-License-Identifier: MIT
/*
 * test_gr-grobid2json_xml.c — trees of our own are as libxml2's; memory that is taken and given
 */
#include <libxml/parserInternals.h>
#include <pthread.h>

#include "unit.h"

#include "arena.h"
#include "buf.h"
#include "budget.h"
#include "rng.h"
#include "xml.h"

/* ---- the tree ---- */

static void assert_same_attributes(const xmlNode *ours, const xmlNode *theirs)
{
    const xmlAttr *a = ours->properties, *b = theirs->properties;
    for (; a && b; a = a->next, b = b->next) {
        assert_string_equal(a->name, b->name);
        bool has_text = b->children && b->children->type == XML_TEXT_NODE;
        assert_string_equal(a->psvi ? a->psvi : "",
                            has_text ? (const char *)b->children->content : "");
        assert_ptr_equal(a->parent, ours);
    }
    assert_null(a);
    assert_null(b);
}

static void assert_same(const xmlNode *ours, const xmlNode *theirs)
{
    assert_int_equal(ours->type, theirs->type);
    if (ours->type == XML_TEXT_NODE)
        assert_string_equal(ours->content, theirs->content);
    if (ours->type != XML_ELEMENT_NODE)
        return;
    assert_string_equal(ours->name, theirs->name);
    assert_int_equal(xmlGetLineNo(ours), xmlGetLineNo(theirs));
    assert_same_attributes(ours, theirs);
    const xmlNode *a = ours->children, *b = theirs->children, *before = NULL;
    for (; a && b; before = a, a = a->next, b = b->next) {
        assert_ptr_equal(a->parent, ours);
        assert_ptr_equal(a->prev, before);
        assert_same(a, b);
    }
    assert_null(a);
    assert_null(b);
    assert_ptr_equal(ours->last, before);
}

static void silence(void *user, xmlErrorPtr e)
{
    (void)user, (void)e;
}

/* What libxml2 builds of it up to the first error. */
static xmlDoc *by_libxml2(struct sv bytes)
{
    xmlParserCtxt *c = xmlCreateMemoryParserCtxt(bytes.p, (int)bytes.n);
    assert_non_null(c);
    c->sax->serror = silence;
    xmlCtxtUseOptions(c, XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
    xmlParseDocument(c);
    xmlDoc *doc = c->myDoc;
    c->myDoc = NULL;
    xmlFreeParserCtxt(c);
    return doc;
}

static void compare(struct sv bytes)
{
    struct xml_doc d;
    xml_open(&d, bytes);
    xmlDoc *doc = by_libxml2(bytes);
    xmlNode *ours = d.doc ? xmlDocGetRootElement(d.doc) : NULL;
    xmlNode *theirs = doc ? xmlDocGetRootElement(doc) : NULL;
    assert_int_equal(ours == NULL, theirs == NULL);
    if (ours)
        assert_same(ours, theirs);
    if (doc)
        xmlFreeDoc(doc);
    xml_close(&d);
}

/* A DTD that gives an attribute where the file has none. */
#define DEFAULTS "<!DOCTYPE TEI [<!ATTLIST p a CDATA 'd' b NMTOKENS #IMPLIED>]>"

static void test_tree(void **state)
{
    (void)state;
    static const char *const files[] = {
        "<TEI/>",
        "<TEI>a</TEI>",
        "<!-- c --><?pi x?><!DOCTYPE TEI><TEI a='1'><?pi x?>t<!-- c -->u</TEI><!-- c -->",
        "<TEI>a &amp; b &lt; &#945;&#x301; <![CDATA[<x> & ]]>]] &gt;</TEI>",
        "<TEI a='&amp;&#10;x' b='' c='  y \n z ' xml:id='i' d=\"'\"><p q:e='1'/><q:r/></TEI>",
        "<TEI xmlns='u' xmlns:v='w' v:a='1' a='2'><v:p/><p xmlns='z' v:b='&lt;'/></TEI>",
        DEFAULTS "<TEI><p/><p a='x'/><p b='  1   2 '/></TEI>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><TEI>\xe9t\xe9</TEI>",
        "<TEI><a>one</a><b>two",
        "<TEI><a>one</b>",
        "<TEI><a b='1' b='2'/></TEI>",
        "<TEI>a\r\nb\rc</TEI>",
        "<q:TEI/>",
        "<article><front a='1'>t</front></article>",
        "",
        "x",
    };
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct sv s = sv_from(files[i]);
        if (!s.n || s.p[0] != '<' || strstr(files[i], "<article")) {
            struct xml_doc d; /* libxml2's own tree: it must be there, and go */
            xml_open(&d, s);
            xml_close(&d);
            continue;
        }
        compare(s);
    }
}

/* Characters that a DTD would name: libxml2 knows none without fetching it. */
static void test_names(void **state)
{
    (void)state;
    struct xml_doc d;
    xml_open(&d,
             SV("<!DOCTYPE TEI SYSTEM 'x'><TEI b='&half;'>a&nbsp;b&delta;&amp;&none;c</TEI>"));
    const xmlNode *root = xmlDocGetRootElement(d.doc);
    assert_string_equal(root->children->content, "a\xC2\xA0"
                                                 "b\xCE\xB4&&none;c");
    assert_null(root->children->next);
    assert_string_equal(d.unknown, "half none");
    xml_close(&d);
}

/* Texts that grow over blocks of the arena; more lines than a node can count. */
static void test_tree_large(void **state)
{
    (void)state;
    struct buf b = BUF_INIT;
    buf_str(&b, "<TEI>");
    for (int i = 0; i < 70000; i++)
        buf_str(&b, i % 7 ? "&lt;\n" : "α β γ δ words\n");
    buf_str(&b, "<p>abcdefghijk</p>\n<q a='1'/><r>\n\n<s/>t</r></TEI>");
    compare(buf_view(&b));
    struct xml_doc d;
    xml_open(&d, buf_view(&b));
    const xmlNode *p = xml_child(xmlDocGetRootElement(d.doc), "p");
    assert_string_equal(p->children->content, "abcdefghijk");
    assert_int_equal(xmlGetLineNo(p), 70001);
    xml_close(&d);
    buf_release(&b);
}

/* Any row of pieces, well-formed or not. */
static void test_tree_random(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "<a>",
        "</a>",
        "<b x='1' y='&amp;2'>",
        "</b>",
        "text ",
        "é α",
        "&lt;",
        "&#10;",
        "<!-- c -->",
        "<?p i?>",
        "<c/>",
        "\n\t",
        "]]",
        "<![CDATA[<]]>",
        "<a z='ü'/>",
        "<n:d n:e=\"'\"/>",
        "<d xmlns:n='u' n:e='f'/>",
        "&",
        ">",
    };
    struct rng r = { 11 };
    struct buf b = BUF_INIT;
    for (int round = 0; round < 20000; round++) {
        buf_reset(&b);
        buf_str(&b, round % 3 ? "<TEI>" : "<!DOCTYPE TEI SYSTEM 's'><TEI>");
        for (uint64_t n = rng_below(&r, 20); n > 0; n--)
            buf_str(&b, pieces[rng_below(&r, ARRAY_LEN(pieces) - (round % 2 ? 2 : 0))]);
        if (round % 5)
            buf_str(&b, "</TEI>");
        compare(buf_view(&b));
    }
    buf_release(&b);
}

static void test_limit(void **state)
{
    (void)state;
    static const char *const roots[] = { "TEI", "article" };
    static const char *const units[] = { "a<b/>", "<b x=''/>", "a<?b?>", "a<!---->",
                                         "<c>d</c>" };
    for (size_t k = 0; k < ARRAY_LEN(roots); k++)
        for (size_t u = 0; u < ARRAY_LEN(units); u++) {
            struct buf b = BUF_INIT;
            buf_printf(&b, "<%s>", roots[k]);
            while (b.len < 300000)
                buf_str(&b, units[u]);
            buf_printf(&b, "</%s>", roots[k]);
            struct xml_doc d;
            xml_open_within(&d, buf_view(&b), 1 << 20);
            assert_true(d.is_too_large);
            assert_true(d.memory.used <= 1 << 20);
            xml_close(&d);
            xml_open_within(&d, buf_view(&b), XML_MOST_BYTES(b.len)); /* is enough */
            assert_false(d.is_too_large);
            assert_int_equal(d.line, 0);
            xml_close(&d);
            buf_release(&b);
        }
}

/* ---- memory ---- */

static void test_arena(void **state)
{
    (void)state;
    struct arena a = { 0 };
    arena_release(&a);
    char *first = arena_alloc(&a, 3), *text = arena_alloc(&a, 1);
    assert_int_equal((uintptr_t)first % 8, 0);
    assert_int_equal((uintptr_t)text % 8, 0);
    memcpy(first, "abc", 3);
    for (size_t n = 1; n < 3000000; n = n * 5 / 4 + 1) {
        text[n - 1] = 'x';
        text = arena_extend(&a, text, n, n * 5 / 4 + 1);
        for (size_t i = n - 1; i + 100 < n; i++)
            assert_int_equal(text[i], 'x');
    }
    assert_memory_equal(first, "abc", 3);
    assert_int_equal(text[0], 'x');
    arena_release(&a);
    a = (struct arena){ .max = 100000 };
    assert_non_null(arena_alloc(&a, 1000));
    assert_null(arena_alloc(&a, 1 << 20));
    assert_non_null(arena_alloc(&a, 60000)); /* what is left serves on */
    assert_true(a.used <= a.max);
    arena_release(&a);
    assert_int_equal(a.max, 100000);
}

static void *spend(void *arg)
{
    struct budget *b = arg;
    for (size_t i = 0; i < 2000; i++) {
        size_t n = budget_take(b, i * 7 % 130);
        assert_true(n <= b->total);
        budget_give(b, n);
    }
    return NULL;
}

static void test_budget(void **state)
{
    (void)state;
    struct budget b;
    budget_init(&b, 100);
    assert_int_equal(budget_take(&b, 30), 30);
    assert_int_equal(budget_take(&b, 70), 70);
    budget_give(&b, 70);
    budget_give(&b, 30);
    assert_int_equal(budget_take(&b, 1000), 100); /* all there is */
    budget_give(&b, 100);
    pthread_t threads[4];
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, spend, &b), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(b.taken, 0);
    budget_release(&b);
}

int main(void)
{
    xml_setup();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_tree_large), cmocka_unit_test(test_tree_random),
        cmocka_unit_test(test_limit),      cmocka_unit_test(test_arena),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
