# SPDX-License-Identifier: MIT
"""tei_spans.py — is every span its marker, and is nothing lost?

    tei_spans.py OURS.ndjson        (source.file names the files)

For each file the markers of all references, marks and annotations are read from the XML by a
parser and rules of their own (white space collapsed, normal form C, raised and lowered text in
Unicode's characters); what `text[start:end]` of the record's spans says must be the same, as
often, with the same kinds and targets. And each letter and digit below <text> must be in some
text of the record. Prints TAP.
"""
import collections
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree

UP = dict(zip('0123456789+-\u2212\u2013=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ'))
DOWN = dict(zip('0123456789+-\u2212\u2013=()nix', '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₙᵢₓ'))
RAISED, LOWERED = {'superscript', 'sup', 'super'}, {'subscript', 'sub'}
FACES = {'hi', 'italic', 'bold', 'i', 'b', 'sc', 'emph', 'monospace'}
ANNOTATIONS = {'rs', 'measure', 'num', 'date', 'time', 'quantity', 'unit', 'term', 'persName', 'orgName', 'placeName',
               'geogName', 'geo', 'name', 'objectName', 'seg', 'software'}
APART = {'note', 'figure', 'table', 'graphic', 'listBibl', 'biblStruct', 'listOrg', 'formula'}
BLOCKS = {'s', 'p', 'ab', 'lb', 'pb', 'cb', 'label', 'item', 'list', 'div', 'head', 'cell'}


def name_of(e):
    return e.tag.rsplit('}', 1)[-1] if isinstance(e.tag, str) else ''


def attr(e, name):
    return next((v.strip() for k, v in e.attrib.items() if k.rsplit('}', 1)[-1] == name), '')


def face(e):
    """sup, sub, another look, or nothing."""
    rends = set((attr(e, 'rend') or attr(e, 'rendition')).lower().split()) | {name_of(e)}
    if rends & RAISED:
        return 'sup'
    if rends & LOWERED:
        return 'sub'
    return (attr(e, 'rend') or attr(e, 'rendition') or name_of(e)) if name_of(e) in FACES else ''


def squeeze(s):
    return ''.join(unicodedata.normalize('NFC', s).split())


def script(s, how):
    core = s.strip()
    forms = UP if how == 'sup' else DOWN
    if core and all(c in forms for c in core):
        core = ''.join(forms[c] for c in core)
    elif how == 'sup' and core not in ('st', 'nd', 'rd', 'th', ''):
        core = '^(' + ' '.join(core.split()) + ')'
    return s[:len(s) - len(s.lstrip())] + core + s[len(s.rstrip()):]


def in_pieces(e, how, inside_ref):
    """How raised or lowered text with elements in it reads: all in Unicode's forms, in ^(…), or ''."""
    below = [c for c in e.iter() if c is not e]
    text = ''.join(e.itertext()).strip()
    if how not in ('sup', 'sub') or inside_ref or not below or not text or not all(face(c) for c in below):
        return ''
    if not any(face(c) in ('sup', 'sub') for c in below) and all(c in (UP if how == 'sup' else DOWN) for c in text):
        return 'forms'
    return '^()' if how == 'sup' and text not in ('st', 'nd', 'rd', 'th') else ''


def read(e, inside_ref, forms='', apart=lambda c, e: name_of(c) in APART):
    """Text of an element as it reads, without what stands apart. forms: it is inside of such text."""
    how = face(e)
    if how in ('sup', 'sub') and len(e) == 0 and e.text and not inside_ref and not forms:
        return script(e.text, how)
    kind = '' if forms else in_pieces(e, how, inside_ref)
    if kind == 'forms':
        forms = how
    out = script(e.text or '', forms) if forms else e.text or ''
    for c in e:
        if not apart(c, e):
            out += read(c, name_of(e) == 'ref', forms, apart)
        out += script(c.tail or '', forms) if forms else c.tail or ''
    return '^(' + out + ')' if kind == '^()' else out


def marker(e, parent, forms):
    """What combines with the character before the marker is not in the span."""
    s = read(e, name_of(parent) == 'ref', forms).lstrip()
    while s and unicodedata.combining(s[0]):
        s = s[1:]
    return squeeze(s)


def expected(root):
    """(what, kind, target, marker) of all elements that make spans."""
    found = collections.Counter()

    def walk(e, parent, forms=''):
        if not forms and in_pieces(e, face(e), name_of(parent) == 'ref') == 'forms':
            forms = face(e)
        for c in e:
            tag = name_of(c)
            if tag in ('listBibl', 'biblStruct', 'listOrg', 'formula', 'label'):
                continue
            look = face(c)
            if tag == 'ref':
                target = attr(c, 'target')
                targets = target.split() if target.startswith('#') else [target]
                for t in targets:
                    if t != '#':
                        found['ref', attr(c, 'type') or 'other', t[t.startswith('#'):], marker(c, e, forms)] += 1
            elif look:
                if marker(c, e, forms):
                    found['mark', look, '', marker(c, e, forms)] += 1
            elif tag in ANNOTATIONS or (tag == 's' and (attr(c, 'type') or attr(c, 'corresp'))):
                found['annotation', attr(c, 'type') or tag, '', marker(c, e, forms)] += 1
            walk(c, e, forms)
    paths = ['text/body', 'text/back', 'teiHeader/profileDesc/abstract']
    if not any(name_of(c) == 'body' for e in root if name_of(e) == 'text' for c in e):
        paths[:2] = ['text']
    for path in paths:
        at = [root]
        for part in path.split('/'):
            at = [c for e in at for c in e if name_of(c) == part]
        for e in at:
            walk(e, root)
    return found


def said(record):
    """The same from the record's spans."""
    found, texts = collections.Counter(), []

    def add(text, spans):
        texts.append(text)
        for key in ('refs', 'marks', 'annotations'):
            for s in spans.get(key, []):
                assert 0 <= s['start'] <= s['end'] <= len(text), (s, text)
                cut = text[s['start']:s['end']]
                assert cut == cut.strip(), (s, cut)
                found[key[:-1], s['kind'], s.get('target', ''), squeeze(cut)] += 1

    def member(owner, key):
        if key in owner:
            add(owner[key], owner.get(key + '_spans', {}))
    member(record, 'abstract')
    for a in record.get('abstracts', []):
        member(a, 'text')
    for s in record['sections']:
        add(s['text'], s)
        member(s, 'head')
        texts.append(s.get('n', ''))
    for kind in ('figures', 'tables'):
        for f in record[kind]:
            for key in ('head', 'caption', 'notes', 'text', 'label', 'doi'):
                member(f, key)
            texts.extend(cell for row in f.get('rows', []) for cell in row)
            for cell in f.get('cell_spans', []):
                add(f['rows'][cell['row']][cell['col']], cell)
    for f in record['footnotes']:
        add(f['text'], f)
    for f in record['formulas']:
        texts.extend((f['text'], f.get('label', '')))
    for key, text in record['back'].items():
        spans = record.get('back_spans', {}).get(key, {})
        add(text, spans)
        for s in spans.get('sections', []):
            texts.extend((s.get('n', ''), s.get('head', '')))
            if 'head' in s:
                add(s['head'], s.get('head_spans', {}))
    for s in record.get('abstract_spans', {}).get('sections', []):
        add(s.get('head', ''), s.get('head_spans', {}))
    return found, texts


def no_text(c, e):
    """References, and the title page, which the header tells."""
    is_head_of_references = name_of(e) == 'listBibl' or attr(e, 'type') == 'references'
    return name_of(c) in ('biblStruct', 'bibl', 'listOrg', 'front') or (name_of(c) == 'head' and is_head_of_references)


def content(root):
    """Letters and digits below <text>, as often as they are there."""
    texts = (read(e, False, '', no_text) for e in root if name_of(e) == 'text')
    return collections.Counter(c for s in texts for c in squeeze(s).casefold() if c.isalnum())


def main():
    n = 0
    kinds = collections.Counter()
    with open(sys.argv[1], encoding='utf-8') as f:
        records = [json.loads(line) for line in f]
    for record in records:
        path = record['source']['file']
        try:
            root = ElementTree.parse(path).getroot()
        except (ElementTree.ParseError, FileNotFoundError): # cut, with undefined entities, or in an archive
            continue
        want = expected(root)
        have, texts = said(record)
        kinds.update(key[0] for key in have.elements())
        lost = content(root) - collections.Counter(squeeze(" ".join(texts)).casefold())
        n += 1
        bad = want != have or lost
        print('%sok %d - %s' % ('not ' if bad else '', n, path.rsplit('/', 1)[-1]))
        for key in list((want - have))[:5]:
            print('#   not in the record: %.300r' % (key,))
        for key in list((have - want))[:5]:
            print('#   not in the file: %.300r' % (key,))
        if lost:
            print('#   lost: %.300r' % dict(lost))
    print('# %d files, spans: %s' % (n, dict(kinds)))
    print('1..%d' % n)


if __name__ == '__main__':
    main()
