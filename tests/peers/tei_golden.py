# SPDX-License-Identifier: MIT
"""tei_golden.py — our paper records against three other converters' output, field by field

    tei_golden.py OURS.ndjson GOLDEN_FOLDER [-v]

Every difference is either explained by a rule of tei_rules.py or unexplained. Prints TAP: one
test per converter and field, with counts by reason; -v prints all unexplained ones. White space
is no difference, converters join blocks in ways of their own; nor is the normal form: ours is C,
theirs that of the file.
"""
import collections
import glob
import html
import json
import os
import re
import sys

from tei_record import all_markers, first_id, ids, markers, names, squeeze, texts_of, tidy
from tei_rules import RULES

PEERS = {'client': 'grobid_client_python-0.2.1', 'xml': 'grobid_tei_xml-0.1.3', 's2orc': 's2orc-doc2json-run'}


class Report:
    def __init__(self):
        self.same = collections.Counter()
        self.why = collections.defaultdict(collections.Counter)
        self.bad = collections.defaultdict(list)

    def check(self, peer, field, ours, theirs, record):
        ours, theirs = ours or None, theirs or None
        if ours == theirs or (isinstance(ours, str) and isinstance(theirs, str) and squeeze(ours) == squeeze(theirs)):
            self.same[peer, field] += 1
            return
        for peers, fields, test, reason in RULES:
            if peer in peers and (field in fields or '*' in fields) and test(ours, theirs, record):
                self.why[peer, field][reason] += 1
                return
        self.bad[peer, field].append((ours, theirs, record['source']['file']))


# ---- grobid_tei_xml ----

def xml_header(rep, o, p):
    h = p['header']
    for field in ('title', 'date', 'doi', 'journal', 'journal_abbrev', 'volume', 'issue', 'publisher', 'issn',
                  'eissn', 'pages'):
        rep.check('xml', field, o.get(field), h.get(field), o)
    rep.check('xml', 'book', o.get('book'), h.get('book_title'), o)
    rep.check('xml', 'note', o.get('note'), h.get('note'), o)
    rep.check('xml', 'authors', names(o.get('authors')),
              [tidy(' '.join(filter(None, (a.get('given_name'), a.get('middle_name'), a.get('surname') or
                                           (None if a.get('given_name') else a['full_name'])))))
               for a in h.get('authors') or []], o)
    for a, b in zip(o.get('authors', []), h.get('authors') or []):
        aff, theirs = (a.get('affiliations') or [{}])[0], b.get('affiliation') or {}
        where = theirs.get('address') or {}
        rep.check('xml', 'orcid', a.get('orcid'), b.get('orcid'), o)
        rep.check('xml', 'email', a.get('email'), b.get('email'), o)
        for k in ('department', 'laboratory', 'institution'):
            rep.check('xml', 'affiliation.' + k, aff.get(k), theirs.get(k), o)
        for k, k2 in (('address', 'addr_line'), ('settlement', 'settlement'), ('post_code', 'post_code'),
                      ('country', 'country')):
            rep.check('xml', 'affiliation.' + k, aff.get(k), where.get(k2), o)
    for k, k2 in (('arxiv_id', 'arxiv'), ('pmid', 'pmid'), ('pmcid', 'pmcid')):
        rep.check('xml', 'ids.' + k2, first_id(o, k2), h.get(k), o)
    rep.check('xml', 'ids.md5', first_id(o, 'md5'), p.get('pdf_md5'), o)
    rep.check('xml', 'language', o.get('language'), p.get('language_code'), o)
    rep.check('xml', 'grobid', o['source'].get('grobid'), p.get('grobid_version'), o)


def xml_reference(rep, r, c, o):
    for field in ('id', 'title', 'date', 'doi', 'journal_abbrev', 'volume', 'issue', 'publisher', 'issn', 'pages',
                  'note', 'institution'):
        rep.check('xml', 'ref.' + field, r.get(field), c.get(field), o)
    rep.check('xml', 'ref.journal', None if r.get('journal') == r.get('book') else r.get('journal'),
              c.get('journal'), o)
    rep.check('xml', 'ref.book', r.get('book'), c.get('book_title'), o)
    rep.check('xml', 'ref.series', r.get('series'), c.get('series_title'), o)
    rep.check('xml', 'ref.raw', r.get('raw'), c.get('unstructured'), o)
    rep.check('xml', 'ref.url', r.get('urls', [None])[0], c.get('url'), o)
    for k in ('authors', 'editors'):
        rep.check('xml', 'ref.' + k, [tidy(' '.join(filter(None, (n, a.get('suffix'))))) for n, a in
                                      zip(names(r.get(k)), r.get(k, []))],
                  [tidy(a['full_name']) for a in c.get(k) or []], o)
    for k, k2 in (('arxiv_id', 'arxiv'), ('pmid', 'pmid'), ('pmcid', 'pmcid'), ('pii', 'pii'), ('ark', 'ark'),
                  ('istex_id', 'istexid')):
        rep.check('xml', 'ref.ids.' + k2, first_id(r, k2), c.get(k), o)


def xml_texts(rep, o, p):
    rep.check('xml', 'abstract', o.get('abstract'), p.get('abstract'), o)
    rep.check('xml', 'acknowledgement', o['back'].get('acknowledgement'), p.get('acknowledgement'), o)
    rep.check('xml', 'annex', o['back'].get('annex'), p.get('annex'), o)
    # Their body is one string of all that is below <body>: what it is made of must be somewhere in the record,
    # and what our sections are made of in it.
    have = collections.Counter(squeeze(' '.join(s for _, s in texts_of(o))))
    ours = collections.Counter(squeeze(' '.join(s.get('head', '') + s['text'] for s in o['sections'])))
    theirs = collections.Counter(squeeze(p.get('body')))
    rep.check('xml', 'body', None, dict(theirs - have), o)
    rep.check('xml', 'body.kept', dict(ours - theirs), None, o)


def compare_xml(rep, o, p):
    xml_header(rep, o, p)
    xml_texts(rep, o, p)
    rep.check('xml', 'references', len(o['references']), len(p.get('citations') or []), o)
    for r, c in zip(o['references'], p.get('citations') or []):
        xml_reference(rep, r, c, o)


# ---- paragraphs and markers: the same for the two others ----

def compare_paragraphs(rep, peer, o, theirs):
    """Theirs: (head, number, text). Each must be a part of a section of ours under that head, in the same order."""
    sections = [(squeeze(s.get('head', '')), s.get('n'), squeeze(s['text'])) for s in o['sections']]
    at = 0
    for head, number, text in theirs:
        t, h = squeeze(text), squeeze(head)
        if not t:
            continue
        found = [i for i, s in enumerate(sections) if t in s[2]]
        if not found:
            rep.check(peer, 'paragraph', None, (head, text), o)
            continue
        rep.check(peer, 'paragraph', text, text, o)
        fit = [i for i in found if sections[i][0] == h]
        later = [i for i in fit or found if i >= at] or fit or found
        at = later[0]
        rep.check(peer, 'head', sections[at][0], h, o)
        if number is not False:
            rep.check(peer, 'head.n', sections[at][1], number, o)
    everything = squeeze(''.join(t[2] for t in theirs))
    for s in o['sections']:
        for part in re.split(r'\n+', s['text']):
            if squeeze(part) in everything:
                rep.check(peer, 'paragraph.kept', part, part, o)
            else:
                rep.check(peer, 'paragraph.kept', part, None if everything else 'no body', o)


def compare_markers(rep, peer, o, ours, theirs, everywhere):
    a, b = collections.Counter(ours), collections.Counter(theirs)
    for key in a.keys() | b.keys():
        for _ in range(min(a[key], b[key])):
            rep.check(peer, 'marker', True, True, o)
    lack, more = b - (a | collections.Counter(everywhere)), a - b
    for key in sorted(lack.elements(), key=str):
        rep.check(peer, 'marker', None, key, o)
    for key in sorted(more.elements(), key=str):
        rep.check(peer, 'marker', key, None, o)


# ---- grobid_client_python ----

def client_header(rep, o, b):
    for k, k2 in (('title', 'title'), ('doi', 'doi'), ('date', 'publication_date'), ('year', 'publication_year'),
                  ('publisher', 'publisher'), ('journal', 'journal')):
        rep.check('client', k, o.get(k), b.get(k2), o)
    rep.check('client', 'authors', names(o.get('authors')), [tidy(a) for a in b.get('authors') or []], o)
    rep.check('client', 'ids.md5', first_id(o, 'md5'), b.get('hash'), o)
    flat = []
    for a in b.get('abstract') or []:
        flat += a if isinstance(a, list) else [a]
    rep.check('client', 'abstract', o.get('abstract'), ' '.join(a['text'] for a in flat), o)


def client_reference(rep, r, c, o):
    for k, k2 in (('id', 'target'), ('title', 'title'), ('date', 'publication_date'), ('year', 'year'),
                  ('publisher', 'publisher'), ('volume', 'volume'), ('issue', 'issue'), ('doi', 'doi'),
                  ('issn', 'issn'), ('raw', 'raw_reference'), ('report_type', 'note_report_type'),
                  ('series', 'series'), ('note', 'notes')):
        rep.check('client', 'ref.' + k, r.get(k), c.get(k2), o)
    rep.check('client', 'ref.journal', None if r.get('journal') == r.get('book') else r.get('journal'),
              c.get('journal'), o)
    pages = c.get('pages') or '-'.join(dict.fromkeys(filter(None, (c.get('page_start'), c.get('page_end')))))
    rep.check('client', 'ref.pages', r.get('pages'), pages, o)
    theirs = c.get('authors') or []
    rep.check('client', 'ref.authors', names(r.get('authors')),
              [tidy(a) for a in (theirs if isinstance(theirs, list) else [theirs])], o)
    theirs = c.get('editors') or []
    rep.check('client', 'ref.editors', names(r.get('editors')),
              [tidy(a) for a in (theirs if isinstance(theirs, list) else [theirs])], o)
    rep.check('client', 'ref.urls', r.get('urls'), list(dict.fromkeys(c.get('urls') or [])), o)
    for k in ('arxiv', 'pmid'):
        rep.check('client', 'ref.ids.' + k, first_id(r, k), c.get(k), o)
    more = c.get('identifiers') or {}
    for k in ('pii', 'pmcid', 'ark', 'istexid'):
        rep.check('client', 'ref.ids.' + k, first_id(r, k), more.get('biblstruct_identifiers_' + k), o)
    rep.check('client', 'ref.eissn', r.get('eissn'), more.get('biblstruct_identifiers_issne'), o)
    rep.check('client', 'ref.ids.other', first_id(r, 'other'), more.get('biblstruct_identifiers_unknown'), o)


def client_floats(rep, o, p):
    for kind in ('figure', 'table'):
        ours = o[kind + 's']
        theirs = [f for f in p.get('figures_and_tables') or [] if (f.get('type') == 'table') == (kind == 'table')]
        rep.check('client', kind + 's', [f['id'] for f in ours], [f['id'] for f in theirs], o)
        for a, b in zip(ours, theirs):
            for k, k2 in (('label', 'label'), ('head', 'head'), ('caption', 'desc'), ('notes', 'note')):
                rep.check('client', '%s.%s' % (kind, k), a.get(k), b.get(k2), o)
            if kind == 'table':
                c = b.get('content')
                c = c if isinstance(c, dict) else {}
                rep.check('client', 'table.rows', [[tidy(x) for x in row] for row in a['rows']],
                          [[tidy(x) for x in row] for row in (c.get('headers') and [c['headers']] or []) +
                           (c.get('rows') or [])], o)


def compare_client(rep, o, p):
    client_header(rep, o, p['biblio'])
    body = [b for b in p['body_text'] if b.get('type') != 'formula']
    compare_paragraphs(rep, 'client', o, [(b.get('head_section', ''), False, b['text']) for b in body])
    compare_markers(rep, 'client', o, [(k, t, m) for k, t, m in markers(o)],
                    [(r['type'], (r.get('target') or '').lstrip('#') or None, squeeze(r['text']))
                     for b in body for r in b.get('refs', [])], all_markers(o))
    rep.check('client', 'formulas', [squeeze(f['text']) for f in o['formulas']],
              [squeeze(b['text']) for b in p['body_text'] if b.get('type') == 'formula'], o)
    rep.check('client', 'formula.labels', [f['label'] for f in o['formulas'] if f.get('label')],
              [b['label'] for b in p['body_text'] if b.get('label')], o)
    client_floats(rep, o, p)
    rep.check('client', 'references', len(o['references']), len(p.get('references') or []), o)
    for r, c in zip(o['references'], p.get('references') or []):
        client_reference(rep, r, c, o)


# ---- s2orc-doc2json ----

def s2_names(people):
    return [tidy(' '.join([a['first']] + a['middle'] + [a['last']])) for a in people or []]


def compare_s2orc(rep, o, p):
    q = p['pdf_parse']
    rep.check('s2orc', 'title', o.get('title'), p['title'], o)
    rep.check('s2orc', 'year', str(o.get('year') or ''), p['year'], o)
    rep.check('s2orc', 'authors', names(o.get('authors')), s2_names(p['authors']), o)
    for a, b in zip(o.get('authors', []), p['authors']):
        aff = (a.get('affiliations') or [{}])[0]
        rep.check('s2orc', 'email', a.get('email'), b['email'], o)
        for k in ('laboratory', 'institution'):
            rep.check('s2orc', 'affiliation.' + k, aff.get(k), (b['affiliation'] or {}).get(k), o)
        where = (b['affiliation'] or {}).get('location') or {}
        for k, k2 in (('address', 'addrLine'), ('settlement', 'settlement'), ('post_code', 'postCode'),
                      ('country', 'country'), ('region', 'region')):
            rep.check('s2orc', 'affiliation.' + k, aff.get(k), where.get(k2), o)
    rep.check('s2orc', 'abstract', o.get('abstract'), ' '.join(a['text'] for a in q['abstract']), o)
    compare_paragraphs(rep, 's2orc', o, [(b['section'], b['sec_num'], b['text']) for b in q['body_text']])
    prefix = {'BIBREF': 'b', 'FIGREF': 'fig_', 'TABREF': 'tab_'}

    def target(ref_id):
        m = re.match(r'([A-Z]+)(\d+)$', ref_id or '')
        return prefix[m.group(1)] + m.group(2) if m and m.group(1) in prefix else None
    theirs = [(s, target(s['ref_id'])) for b in q['body_text'] for s in b['cite_spans'] + b['ref_spans']]
    compare_markers(rep, 's2orc', o, [(t, m) for k, t, m in markers(o) if k in ('bibr', 'figure', 'table')],
                    [(t, squeeze(s['text'])) for s, t in theirs], [(t, m) for _, t, m in all_markers(o)])
    back = squeeze(' '.join(o['back'].values()))
    for b in q['back_matter']:
        rep.check('s2orc', 'back', b['text'] if squeeze(b['text']) in back else None, b['text'], o)
    for key, f in q['ref_entries'].items():
        m = target(key)
        mine = [x for x in o['figures'] + o['tables'] if x['id'] == m]
        rep.check('s2orc', f['type_str'] + '.caption', (mine or [{}])[0].get('caption'), f['text'], o)
        if f['type_str'] == 'table':
            cells = [html.unescape(re.sub(r'<[^>]*>', '', c)) for c in
                     re.findall(r'<td(?: [^>]*)?>(.*?)</td>', f.get('content') or '', re.S)]
            ours = collections.Counter(squeeze(c) for row in (mine or [{'rows': []}])[0]['rows'] for c in row)
            lost = collections.Counter(filter(None, map(squeeze, cells))) - ours
            rep.check('s2orc', 'table.cells', None, list(lost.elements()), o)
    entries = {b['ref_id']: b for b in q['bib_entries'].values()}
    for r in o['references']:
        b = entries.get(r['id'])
        if not b:
            rep.check('s2orc', 'references', r['id'], None, o)
            continue
        rep.check('s2orc', 'references', r['id'], r['id'], o)
        for k in ('title', 'volume', 'issue', 'year'):
            rep.check('s2orc', 'ref.' + k, r.get(k), b[k], o)
        rep.check('s2orc', 'ref.journal', r.get('journal'), b['venue'], o)
        rep.check('s2orc', 'ref.pages', r.get('pages'), (b['pages'] or '').replace('--', '-'), o)
        rep.check('s2orc', 'ref.raw', r.get('raw'), b['raw_text'], o)
        rep.check('s2orc', 'ref.authors', names(r.get('authors')), s2_names(b['authors']), o)
        rep.check('s2orc', 'ref.suffix', [a['suffix'] for a in r.get('authors', []) if a.get('suffix')],
                  [a['suffix'] for a in b['authors'] if a['suffix']], o)
        for k in ('arXiv', 'PMID', 'PMCID', 'PII', 'ark', 'istexId'):
            rep.check('s2orc', 'ref.ids.' + k.lower(), ids(r, k.lower()), b['other_ids'].get(k), o)
        rep.check('s2orc', 'ref.doi', r.get('doi'), (b['other_ids'].get('DOI') or [None])[0], o)
        rep.check('s2orc', 'ref.issn', r.get('issn'), (b['other_ids'].get('ISSN') or [None])[0], o)
        rep.check('s2orc', 'ref.eissn', r.get('eissn'), (b['other_ids'].get('ISSNe') or [None])[0], o)


# ---- all ----

def peer_file(folder, peer, stem):
    suffix = '.s2orc.json' if peer == 's2orc' else '.json'
    return os.path.join(folder, PEERS[peer], stem + suffix)


def main():
    ours, golden, verbose = sys.argv[1], sys.argv[2], '-v' in sys.argv
    rep = Report()
    n = collections.Counter()
    with open(ours, encoding='utf-8') as f:
        records = [json.loads(line) for line in f]
    for o in records:
        stem = re.sub(r'\.tei\.xml$', '', os.path.basename(o['source']['file']))
        for peer, compare in (('xml', compare_xml), ('client', compare_client), ('s2orc', compare_s2orc)):
            path = peer_file(golden, peer, stem)
            if os.path.exists(path):
                with open(path, encoding='utf-8') as f:
                    compare(rep, o, json.load(f))
                n[peer] += 1
    number = 0
    for peer, folder in PEERS.items():
        print('# %s: %d of %d files' % (folder, n[peer], len(glob.glob(os.path.join(golden, folder, '*.json')))))
        fields = sorted({f for p, f in list(rep.same) + list(rep.why) + list(rep.bad) if p == peer})
        for field in fields:
            bad, why = rep.bad[peer, field], rep.why[peer, field]
            number += 1
            print('%sok %d - %s %s: %d the same, %d explained, %d not' % (
                'not ' if bad else '', number, peer, field, rep.same[peer, field], sum(why.values()), len(bad)))
            for reason, count in why.most_common():
                print('#   %d: %s' % (count, reason))
            for ours, theirs, name in bad[:None if verbose else 3]:
                print('#   ours %.300r\n#   they %.300r\n#   in %s' % (ours, theirs, name))
    print('1..%d' % number)


if __name__ == '__main__':
    main()
