# SPDX-License-Identifier: MIT
"""tei_rules.py — where our records differ from other converters' on purpose, and why

A rule is about a kind of content, never about a file: (converters, fields, test(ours, theirs,
record), reason). The first whose test holds explains the difference.
"""
import collections
import html
import re

from tei_record import all_markers, ids, squeeze, words

RULES = []


def rule(peers, fields, reason):
    def add(test):
        RULES.append((peers.split(), fields.split(), test, reason))
        return test
    return add


# The record's own members.

@rule('xml client s2orc', 'doi ref.doi', 'theirs is in the letters of the file, ours in lower case')
def _(ours, theirs, record):
    return ours and theirs and ours == theirs.lower()


@rule('xml client s2orc', 'doi ref.doi', 'theirs has an address, a label or a next marker around the DOI')
def _(ours, theirs, record):
    return ours and theirs and ours in theirs.lower()


@rule('xml client s2orc', 'ref.doi', 'theirs is no DOI, or one with a blank: in ids')
def _(ours, theirs, record):
    return not ours and any(theirs in ids(r, 'doi') for r in record['references'])


@rule('xml s2orc', 'ref.doi', 'theirs knows a DOI by the type in capitals only')
def _(ours, theirs, record):
    return ours and not theirs


@rule('xml client', 'doi', "theirs is the first DOI of the header, a funder's")
def _(ours, theirs, record):
    return theirs and any(theirs in (f.get('doi'), *ids(f, 'doi')) for f in record.get('funders', []))


@rule('xml client s2orc', 'abstract', 'theirs drops the heads inside an abstract')
def _(ours, theirs, record):
    parts = record.get('abstract_spans', {}).get('sections', [])
    lost = words(ours) - words(theirs)
    heads = words(' '.join(s.get('head', '') for s in parts))
    return parts and not words(theirs) - words(ours) - heads and not lost - heads


@rule('client', 'authors ref.authors ref.editors', 'theirs drops middle names')
def _(ours, theirs, record):
    return len(ours or []) == len(theirs or []) and all(
        collections.Counter(b.split()) <= collections.Counter(a.split()) for a, b in zip(ours, theirs))


@rule('client', 'ref.editors', 'theirs keeps the first of several names in one element')
def _(ours, theirs, record):
    return theirs and len(ours or []) > len(theirs) and all(
        collections.Counter(b.split()) <= collections.Counter(a.split()) for a, b in zip(ours, theirs))


@rule('client', 'ref.authors', 'the file escapes a name twice: ours keeps that')
def _(ours, theirs, record):
    return ours and [html.unescape(a) for a in ours] == theirs


@rule('s2orc', 'authors', 'theirs drops forenames without a type')
def _(ours, theirs, record):
    return len(ours or []) == len(theirs or []) and all(a.endswith(b) for a, b in zip(ours, theirs))


@rule('client s2orc', 'authors ref.authors ref.suffix', 'theirs drops what follows a name (Jr)')
def _(ours, theirs, record):
    return ours and not theirs


@rule('xml s2orc', 'affiliation.institution affiliation.department', 'theirs keeps the last of several')
def _(ours, theirs, record):
    return theirs and ours and ours.endswith(', ' + theirs)


@rule('xml s2orc', 'affiliation.settlement affiliation.country affiliation.region affiliation.address '
      'affiliation.post_code', 'theirs drops an address when no organisation is known')
def _(ours, theirs, record):
    return ours and not theirs


@rule('client xml s2orc', 'journal ref.journal', 'theirs leaves out what the article is in unless it is a journal')
def _(ours, theirs, record):
    books = [record.get('book')] + [r.get('book') for r in record['references']]
    return ours in books and not theirs


@rule('s2orc', 'ref.journal', 'theirs takes the series of a book for its venue: in series')
def _(ours, theirs, record):
    return not ours and any(r.get('series') == theirs for r in record['references'])


@rule('client', 'date year title', 'theirs knows a date and a title of one place and type only')
def _(ours, theirs, record):
    return ours and not theirs


@rule('s2orc', 'year', 'theirs never fills it')
def _(ours, theirs, record):
    return ours and not theirs


@rule('client xml s2orc', 'ref.date ref.year', 'theirs reads dates from the attribute only')
def _(ours, theirs, record):
    return ours and not theirs


@rule('client xml s2orc', 'ref.date ref.year', 'no year of printed papers: ours has date_text')
def _(ours, theirs, record):
    return not ours and not 1500 <= int(str(theirs)[:4]) <= 2099


@rule('xml', 'ids.arxiv ref.ids.arxiv', 'theirs drops the mark before the id')
def _(ours, theirs, record):
    return ours and theirs and ours.endswith(theirs)


@rule('client xml s2orc', 'ids.arxiv ref.ids.arxiv', 'theirs keeps "arXiv:" before the id')
def _(ours, theirs, record):
    def bare(v):
        return [re.sub(r'(?i)^arxiv:\s*', '', x) for x in (v if isinstance(v, list) else [v])]
    return ours and theirs and bare(ours) == bare(theirs)


@rule('xml', 'note ref.note', 'theirs keeps a note only when it has no attributes, the first one')
def _(ours, theirs, record):
    return ours and (not theirs or ours.startswith(theirs))


@rule('xml', 'ref.pages', 'theirs makes a range of one page')
def _(ours, theirs, record):
    return ours and theirs == ours + '-' + ours


@rule('s2orc', 'ref.pages', 'theirs drops pages that are no range')
def _(ours, theirs, record):
    return ours and not theirs


@rule('s2orc', 'ref.pages', 'theirs makes a range of one page')
def _(ours, theirs, record):
    return ours and theirs == ours + '-' + ours


@rule('xml', 'ref.url', "theirs drops addresses of DOIs, and a book's")
def _(ours, theirs, record):
    return ours and not theirs


@rule('s2orc', 'references', 'theirs drops references without a title')
def _(ours, theirs, record):
    return ours and not theirs


# Running text.

@rule('client s2orc', 'paragraph.kept', 'theirs drops text outside of paragraphs')
def _(ours, theirs, record):
    return theirs == 'no body'


@rule('client', 'head', 'theirs has back matter in the body')
def _(ours, theirs, record):
    return any(squeeze(s.get('n', '') + s.get('head', '')) == theirs or squeeze(s.get('head')) == theirs
               for v in record.get('back_spans', {}).values() for s in v.get('sections', []))


@rule('client s2orc', 'head', 'theirs leaves the number in the head')
def _(ours, theirs, record):
    return ours and theirs and any(squeeze(s.get('head')) == ours and theirs.startswith(s.get('n', '?')) and theirs.endswith(ours)
                                   for s in record['sections'])


@rule('client', 'head', 'theirs gives a paragraph without a head of its own that of the section before')
def _(ours, theirs, record):
    return not ours and theirs in [squeeze(s.get('head')) for s in record['sections']]


@rule('s2orc', 'head.n', 'theirs keeps the dot after the number')
def _(ours, theirs, record):
    return ours and theirs and ours == theirs.rstrip('.')


@rule('s2orc', 'head.n', 'theirs leaves the number in the head')
def _(ours, theirs, record):
    return ours and not theirs


@rule('client', 'paragraph', 'theirs has back matter in the body')
def _(ours, theirs, record):
    return not ours and any(squeeze(theirs[1]) in squeeze(s) for s in record['back'].values())


@rule('s2orc', 'paragraph', 'theirs has footnotes in the body')
def _(ours, theirs, record):
    return not ours and any(squeeze(theirs[1]) in squeeze(f['text']) for f in record['footnotes'])


@rule('client s2orc', 'paragraph', 'theirs has captions of figures in the body')
def _(ours, theirs, record):
    return not ours and any(squeeze(theirs[1]) in squeeze(f.get('caption')) for f in record['figures'])


@rule('s2orc', 'paragraph', 'theirs has EQUATION in place of a labelled formula')
def _(ours, theirs, record):
    return not ours and theirs[1] == 'EQUATION'


@rule('client s2orc', 'paragraph.kept', 'theirs has formulas apart or not at all')
def _(ours, theirs, record):
    return not theirs and any(squeeze(ours) == squeeze(f['text']) for f in record['formulas'])


@rule('client', 'marker', 'theirs keeps citations only: no reference to figures, tables, formulas, notes, addresses')
def _(ours, theirs, record):
    return not theirs and ours[0] != 'bibr'


@rule('s2orc', 'marker', 'theirs loses the target of a reference without a title')
def _(ours, theirs, record):
    kept = {r['id'] for r in record['references'] if r.get('title')}
    floats = {f['id'] for k in ('figures', 'tables') for f in record[k]}
    if theirs:
        return theirs[0] is None and any(squeeze(m[2]) == theirs[1] and m[1] not in kept for m in all_markers(record))
    return ours[0] not in kept | floats


@rule('xml', 'acknowledgement annex', 'theirs has the head in the text, ours beside it')
def _(ours, theirs, record):
    heads = words(' '.join(s.get('n', '') + ' ' + s.get('head', '') for v in record.get('back_spans', {}).values()
                           for s in v.get('sections', [])))
    return heads and not words(theirs) - words(ours) - heads and not words(ours) - words(theirs) - heads


@rule('xml s2orc', 'annex back', 'text that GROBID knows no place for is a note of ours')
def _(ours, theirs, record):
    t = squeeze(theirs)
    others = [squeeze(f['text']) for f in record['footnotes'] if f.get('kind') == 'other']
    for f in others:
        t = t.replace(f, '', 1)
    return others and t in squeeze(''.join(record['back'].values()))


@rule('s2orc', 'marker', 'theirs keeps one target of a reference to several')
def _(ours, theirs, record):
    if theirs:
        return False
    for s in record['sections']:
        places = collections.Counter((r['start'], r['end']) for r in s['refs'])
        if any(r.get('target') == ours[0] and places[r['start'], r['end']] > 1 for r in s['refs']):
            return True
    return False


@rule('s2orc', 'marker', 'theirs takes a number without square brackets for none')
def _(ours, theirs, record):
    return not theirs and re.fullmatch(r'\(?\d+\)?', ours[1])


# Floats.

@rule('client', 'figures', 'theirs has random ids')
def _(ours, theirs, record):
    return ours and theirs and len(ours) == len(theirs) and all(a == b or re.match(r'fig_x\d+$', a) for a, b in zip(ours, theirs))


@rule('client', 'formulas', 'theirs has the label in the text of the formula too')
def _(ours, theirs, record):
    labels = [squeeze(f.get('label')) for f in record['formulas']]
    return ours and theirs and len(ours) == len(theirs) and all(b in (a, a + c) for a, b, c in zip(ours, theirs, labels))


@rule('client', 'table.rows', 'theirs ignores spans: rows of different lengths, columns shifted')
def _(ours, theirs, record):
    if not theirs or not ours or len(ours) != len(theirs):
        return False
    return all([c for i, c in enumerate(a) if c and (not i or c != a[i - 1])] ==
               [c for i, c in enumerate(b) if c and (not i or c != b[i - 1])] for a, b in zip(ours, theirs))
