# SPDX-License-Identifier: MIT
"""tei_record.py — what a paper record says, in terms that other converters can be compared in"""
import collections
import re
import unicodedata


def tidy(s):
    return unicodedata.normalize('NFC', ' '.join(s.split())) if isinstance(s, str) else s


def squeeze(s):
    return unicodedata.normalize('NFC', ''.join((s or '').split()))


def words(s):
    return collections.Counter(re.findall(r'\w+', unicodedata.normalize('NFC', s or '')))


def names(people):
    return [tidy(' '.join(p.get(k, '') for k in ('given', 'family'))) for p in people or []]


def ids(record, key):
    return (record.get('ids') or {}).get(key, [])


def first_id(record, key):
    return (ids(record, key) or [None])[0]


def texts_of(record):
    """Every text of a record by where it stands."""
    out = [('abstract', record.get('abstract', ''))]
    for s in record['sections']:
        out.append(('head', s.get('head', '')))
        out.append(('head', s.get('n', '')))
        out.append(('section', s['text']))
    for kind in ('figures', 'tables'):
        for f in record[kind]:
            out += [(kind, f.get(k, '')) for k in ('label', 'head', 'caption', 'notes', 'text')]
            out += [(kind, cell) for row in f.get('rows', []) for cell in row]
    out += [('formula', f.get('label', '')) for f in record['formulas']]
    out += [('formula', f['text']) for f in record['formulas']]
    out += [('footnote', f['text']) for f in record['footnotes']]
    out += [('back', s) for s in record['back'].values()]
    for spans in record.get('back_spans', {}).values():
        for s in spans.get('sections', []):
            out += [('back', s.get('n', '')), ('back', s.get('head', ''))]
    return out


def markers(record):
    """(kind, target, marker) of every reference in running text."""
    out = []

    def add(text, refs):
        for r in refs or []:
            out.append((r['kind'], r.get('target'), squeeze(text[r['start']:r['end']])))
    for s in record['sections']:
        add(s['text'], s['refs'])
    return out


def all_markers(record):
    out = markers(record)

    def add(text, spans):
        for r in (spans or {}).get('refs', []):
            out.append((r['kind'], r.get('target'), squeeze(text[r['start']:r['end']])))
    add(record.get('abstract', ''), record.get('abstract_spans'))
    for key, spans in record.get('back_spans', {}).items():
        add(record['back'][key], spans)
    for kind in ('figures', 'tables'):
        for f in record[kind]:
            for k in ('head', 'caption', 'notes'):
                add(f.get(k, ''), f.get(k + '_spans'))
    for f in record['footnotes']:
        add(f['text'], f)
    return out
