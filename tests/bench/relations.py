#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores of gr-triples against annotated relations.

usage: relations.py mte SET.ndjson TRIPLES [-v]        (target, Contains, element or mineral)
       relations.py snippets SET.ndjson TRIPLES [-v]   the triples each sentence should give
       relations.py values SET.ndjson TRIPLES [DOMAIN] what a quantity is said to measure
       relations.py facts LIST.txt TRIPLES [-v]        own sentences, the number of a line is the id
       relations.py sentences LIST.txt                 their records, for gr-triples

TRIPLES come from the records {"id","text"} of the set: "chunk" or "paper" is the record's id.
mte counts different pairs of a document, as nobody needs one twice. Expected are annotated pairs
whose head is a target and whose tail an element or a mineral; given are triples that say the head
holds the tail and whose head is a sample (or, "names given", an annotated target, whatever the
type). Names are compared without case, plural, blank and hyphen; elements by symbol.
values looks up each annotated quantity that has an entity or a property: is there a triple of
that number, and does it name a word of them?
"""
import json
import os
import re
import sys

HOLDS = {"Contains", "Enriched In", "Has Concentration", "Depleted In", "Composed Of"}
HELD_BY = {"Occurs In"}
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def by_record(triples):
    out = {}
    for t in triples:
        out.setdefault(str(t.get("chunk", t.get("paper"))), []).append(t)
    return out


def symbols():
    """Symbols and other names of elements and minerals → name."""
    table = {}
    with open(os.path.join(ROOT, "data/vocab/mineral.tsv"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith(("#", "name\t")):
                name, synonyms = line.split("\t")[:2]
                table.update((s.lower(), name) for s in synonyms.split("|") if len(s) > 3)
    with open(os.path.join(ROOT, "data/vocab/element.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or line.startswith("name\t"):
                continue
            name, synonyms, attrs = line.rstrip("\n").split("\t")
            symbol = re.search(r"symbol=(\w+)", attrs)
            for s in [name] + synonyms.split("|") + ([symbol.group(1)] if symbol else []):
                table[s if len(s) < 3 else s.lower()] = name
    return table


def plain(name, table):
    name = name.strip()
    name = table.get(name if len(name) < 3 else name.lower(), name)
    name = re.sub(r"[\s_\-–]+", "", name.lower())
    return name[:-1] if len(name) > 3 and name.endswith("s") else name


def short_forms(text):
    """"Confidence Hills (CH)" → {"CH": "Confidence Hills"}: both are one thing."""
    found = {}
    for m in re.finditer(r"((?:[A-Z]\w+[ _])+[A-Z]\w+) \(([A-Z]{2,5})\)", text):
        name = re.split(r"[ _]", m.group(1))[-len(m.group(2)):]
        if "".join(w[0] for w in name) == m.group(2):
            found[m.group(2)] = " ".join(name)
    return found


def figures(title, hit, given, wanted):
    p = hit / given if given else 0.0
    r = hit / wanted if wanted else 0.0
    f = 2 * p * r / (p + r) if p + r else 0.0
    print(f"{title:44} P {p:.2f}  R {r:.2f}  F1 {f:.2f}   {hit} of {wanted}, {given} given")


def mte(records, triples, verbose):
    known_symbols = symbols()
    hits, wants, givens, known = 0, 0, 0, 0
    for d in records:
        table = dict(known_symbols, **short_forms(d["text"]))
        names = {e["ann_id"]: e for e in d["entities"]}
        targets = {plain(e["text"], table) for e in d["entities"] if e["type"] == "Target"}
        want = set()
        for r in d["relations"]:
            head, tail = names.get(r["head"]), names.get(r["tail"])
            if (r["type"] == "Contains" and head and tail and head["type"] == "Target"
                    and tail["type"] in ("Element", "Mineral")):
                want.add((plain(head["text"], table), plain(tail["text"], table)))
        given = set()
        for t in triples.get(str(d["id"]), []):
            head, tail = t["head"], t["tail"]
            if t["relation"] in HELD_BY:
                head, tail = tail, head
            elif t["relation"] not in HOLDS:
                continue
            tail = t.get("of", tail)
            if t.get("polarity") == "negative" or tail["type"] not in ("element", "mineral"):
                continue
            pair = (plain(head["name"], table), plain(tail["name"], table))
            if head["type"] == "sample" or pair[0] in targets:
                given.add(pair)
        hits, wants, givens = hits + len(want & given), wants + len(want), givens + len(given)
        known += len([g for g in given if g[0] in targets])
        if verbose:
            for kind, pairs in (("-", want - given), ("+", given - want)):
                for pair in sorted(pairs):
                    print(kind, d["id"], *pair, "" if pair[0] in targets else "(no target)")
    figures("Contains", hits, givens, wants)
    figures("Contains, names given", hits, known, wants)



def value_agrees(text, value):
    """Do the numbers of a wanted tail stand in the triple's value?"""
    numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text.replace("−", "-"))]
    got = [value[k] for k in ("number", "high", "error") if k in value]
    unit = re.sub(r"^[^a-zA-Z‰%]*", "", re.sub(r"e-?\d+", "", text)).strip()
    close = [any(abs(abs(n) - abs(g)) <= 1e-6 * abs(n) for g in got) for n in numbers]
    return all(close) and unit == value.get("unit", "")


def snippets(records, triples, verbose):
    table, hits, wants = symbols(), 0, 0
    for d in records:
        got = triples.get(str(d["id"]), [])
        for e in d["expect"]:
            if e["kind"] != "triple":
                continue
            wants += 1
            ok = False
            for t in got:
                if plain(t["head"]["name"], table) != plain(e["head"], table):
                    continue
                if not t["relation"].startswith(e["relation"]):
                    continue
                ok |= (value_agrees(e["tail"], t["value"]) if t["tail"]["type"] == "value"
                       else plain(t["tail"]["name"], table) == plain(e["tail"], table))
            hits += ok
            if verbose and not ok:
                print("-", d["id"], e["head"], "|", e["relation"], "|", e["tail"])
    print(f"{'snippets, triples':44} {hits} of {wants}")


def words(text):
    return {w[:5] for w in re.findall(r"[^\W_]{2,}", text.lower())}


def numbers_of(text):
    text = text.replace("−", "-").replace(",", "")
    return [abs(float(x)) for x in re.findall(r"\d+(?:\.\d+)?", text)]


def values(records, triples, domain):
    found = right = wanted = given = 0
    for d in records:
        if domain and d.get("domain") != domain:
            continue
        names = {e["ann_id"]: e for e in d["entities"]}
        about = {}
        for r in d["relations"]:
            if r["type"] == "HasQuantity":
                about.setdefault(r["tail"], []).append(r["head"])
        for r in d["relations"]:
            if r["type"] == "HasProperty":
                for heads in about.values():
                    if r["tail"] in heads:
                        heads.append(r["head"])
        said = [t for t in triples.get(str(d["id"]), []) if "value" in t]
        used = set()
        for quantity, heads in about.items():
            q = names[quantity]
            wanted += 1
            numbers = numbers_of(q["text"])
            ours = [i for i, t in enumerate(said)
                    if t["start"] <= q["start"] and q["end"] <= t["end"] + 1 and numbers
                    and any(abs(abs(t["value"].get(k, 1e99)) - n) < 1e-9
                            for k in ("number", "high") for n in numbers[:2])]
            used.update(ours)
            found += bool(ours)
            named = set().union(*(words(names[h]["text"]) for h in heads))
            agree = [bool(named & words(" ".join([said[i]["head"]["name"], said[i]["relation"][4:],
                                                  said[i].get("of", {}).get("name", "")])))
                     or any(said[i]["head"]["name"] in names[h]["text"] for h in heads) for i in ours]
            right += any(agree)
            given += bool(ours)
    figures("quantities with what they measure", right, given, wanted)


def listed(path):
    """[(sentence, [[head, relation, value, of?]])] of a list in tests/bench/facts."""
    out = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("\t"):
                out[-1][1].append([x.strip() for x in line.split("|")])
            elif line and not line.startswith("#"):
                out.append((line, []))
    return out


def stems(name):
    words_of = re.findall(r"[^\W_]+", name.lower())
    return {w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words_of}


def same_name(a, b):
    a, b = stems(a), stems(b)
    return bool(a and b) and (a <= b or b <= a)


def same_value(text, value):
    text = re.sub(r"(\d)−(?=\d)", r"\1 ", text).replace("e−", "e-")
    wanted = [abs(float(x)) for x in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)]
    got = [abs(value[k]) for k in ("number", "high") if k in value]
    return bool(got) and all(any(abs(g - w) <= 1e-9 * w for w in wanted) for g in got)


def is_listed(t, facts):
    """Is the triple one of the facts, or follows from one: a value of what is measured alone,
    that the head holds what it has so much of?"""
    head, of = t["head"]["name"], t.get("of", {}).get("name", "")
    for f in facts:
        what = f[3] if len(f) > 3 else ""
        if "value" not in t:
            if same_name(head, f[0]) and same_name(t["tail"]["name"], what):
                return True
        elif same_value(f[2], t["value"]) and (
                same_name(head, f[0]) and t["relation"] == f[1] and (not what or same_name(of, what))
                or what and not of and same_name(head, what)):
            return True
    return False


def facts(path, triples, verbose):
    hit = want = given = 0
    for i, (sentence, wanted) in enumerate(listed(path)):
        said = triples.get(str(i), [])
        is_content = any(f[1] == "Has Concentration" for f in wanted)
        said = [t for t in said if "value" in t or (t["relation"] == "Contains" and is_content)]
        missed = [f for f in wanted if not any("value" in t and is_listed(t, [f]) and
                                               same_name(t["head"]["name"], f[0]) for t in said)]
        wrong = [t for t in said if not is_listed(t, wanted)]
        want, hit = want + len(wanted), hit + len(wanted) - len(missed)
        given += len(said)
        facts.right += len(said) - len(wrong)
        if verbose and (missed or wrong):
            print(sentence)
            for f in missed:
                print("   -", *f, sep=" | ")
            for t in wrong:
                print("   +", t["head"]["name"], t["relation"], t["tail"]["name"], sep=" | ")
    p, r = facts.right / given if given else 0.0, hit / want if want else 0.0
    print(f"{'numbers and what has them':44} P {p:.2f}  R {r:.2f}   {hit} of {want}, {given} given")


facts.right = 0


def main():
    if sys.argv[1] == "sentences":
        for i, (sentence, _) in enumerate(listed(sys.argv[2])):
            print(json.dumps({"id": str(i), "text": sentence}, ensure_ascii=False))
        return
    if sys.argv[1] == "facts":
        facts(sys.argv[2], by_record(read(sys.argv[3])), "-v" in sys.argv)
        return
    kind, records, triples = sys.argv[1], read(sys.argv[2]), by_record(read(sys.argv[3]))
    more = sys.argv[4] if len(sys.argv) > 4 else ""
    {"mte": mte, "snippets": snippets, "values": values}[kind](records, triples, more)


if __name__ == "__main__":
    main()
