# SPDX-License-Identifier: MIT
"""Read an exported graph back and compare it with what `gr-gquery subgraph` and `info` say of it.

    graph_export.py GRAPH FORMAT     GRAPH.grg, GRAPH.graphml, … ; prints what was compared

Where a format has no form for a character (XML for controls, a CSV line for line ends), a blank
stands for it; the comparison does the same.
"""
import csv
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

graph, form = sys.argv[1:]


def graph_of():
    """Nodes {id: (name, type)} and facts [(head, relation, tail)] of the file."""
    names = set()
    for line in subprocess.run(["gr-gquery", "export", "-g", graph + ".grg"], check=True,
                               capture_output=True, encoding="utf-8").stdout.split("\n"):
        if line:
            t = json.loads(line)
            for end in (t["head"], t["tail"]):
                names.add(end["name"] if isinstance(end, dict) else end)
    asked = "".join(json.dumps({"query": n}) + "\n" for n in sorted(names))
    out = subprocess.run(["gr-gquery", "subgraph", "-g", graph + ".grg", "--depth=1"],
                         input=asked, capture_output=True, encoding="utf-8").stdout
    nodes, facts = {}, {}
    plain.clear()
    for line in out.split("\n"):
        if not line:
            continue
        r = json.loads(line)
        for n in r["nodes"]:
            nodes[n["type"] + "|" + n["node"]] = (n["name"], n["type"])
        for f in r["relationships"]:
            facts[json.dumps(f, sort_keys=True)] = (f["head"], f["relation"], f["tail"])
            plain[json.dumps(f, sort_keys=True)] = not f.get("value", {}).get("change")
    return nodes, facts.values()


def fail(what):
    sys.exit(what[:2000])


def same(what, got, want):
    got, want = sorted(got), sorted(want)
    if got != want:
        odd = [x for x in got if x not in want][:3], [x for x in want if x not in got][:3]
        fail("%s: %d of %d; only here %r, only there %r" % (what, len(got), len(want), *odd))


def info():
    out = subprocess.run(["gr-gquery", "info", "-g", graph + ".grg"], check=True,
                         capture_output=True).stdout
    i = json.loads(out)
    return i["nodes"], i["edges"]


def xml_text(s):
    return re.sub("[\x00-\x08\x0a-\x1f\ufffe\uffff]", " ", s)


def csv_text(s):
    return re.sub("[\0\r\n]", " ", s)


def names_of(nodes, text):
    return [(text(a), text(b)) for a, b in nodes.values()]


def facts_of(facts, text):
    return [tuple(text(x) for x in f) for f in facts]


def graphml(nodes, facts):
    ns = "{http://graphml.graphdrawing.org/xmlns}"
    root = ET.parse(graph + ".graphml").getroot()

    def data(e):
        return {d.get("key"): d.text or "" for d in e.findall(ns + "data")}
    by_id = {n.get("id"): data(n) for n in root.iter(ns + "node")}
    same("nodes", [(n["name"], n["type"]) for n in by_id.values()], names_of(nodes, xml_text))
    same("edges", [(by_id[e.get("source")]["name"], data(e)["relation"],
                    by_id[e.get("target")]["name"]) for e in root.iter(ns + "edge")],
         facts_of(facts, xml_text))


def networkx(nodes, facts):
    try:
        import networkx
    except ImportError:
        print("SKIP networkx is not installed")
        sys.exit()
    g = networkx.read_graphml(graph + ".graphml", force_multigraph=True)
    same("nodes", [(d["name"], d["type"]) for _, d in g.nodes(data=True)],
         names_of(nodes, xml_text))
    same("edges", [(g.nodes[a]["name"], d["relation"], g.nodes[b]["name"])
                   for a, b, d in g.edges(data=True)], facts_of(facts, xml_text))


def dot(nodes, facts):
    out = subprocess.run(["dot", "-Tdot_json", graph + ".dot"], check=True, capture_output=True)
    j = json.loads(out.stdout)

    def text(s):
        return re.sub("[\x00-\x1f\ufffe\uffff]", " ", s)
    same("nodes", [o["label"].replace("\\\\", "\\") for o in j["objects"]],
         [text(n) for n, _ in nodes.values()])
    if len(j["edges"]) != len(facts):
        fail("edges: %d of %d" % (len(j["edges"]), len(facts)))


def table(name):
    with open("%s.%s" % (graph, name), newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, strict=True))


def csv_tables(nodes, facts):
    rows, links = table("csv-nodes"), table("csv-edges")
    uid = next(iter(rows[0]))
    by_uid = {r[uid]: r for r in rows}
    same("nodes", [(r["name"], r["type"]) for r in rows], names_of(nodes, csv_text))
    a, b = list(links[0])[:2]
    same("edges", [(by_uid[r[a]]["name"], r["relation"], by_uid[r[b]]["name"]) for r in links],
         facts_of(facts, csv_text))


IRI = r'<((?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*)>'
LITERAL = r'"((?:[^\x22\x5C\x0A\x0D]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*)"'
LINE = re.compile(r"%s %s (?:%s|%s) \.\Z" % (IRI, IRI, IRI, LITERAL))  # of the W3C's grammar


def ntriples(nodes, facts):
    labels, n_links = [], 0
    with open(graph + ".ntriples", newline="\n", encoding="utf-8") as f:
        for line in f:
            m = LINE.match(line.rstrip("\n"))
            if not m:
                fail("not N-Triples: %r" % line)
            if m.group(4) is not None:
                labels.append(re.sub(r'\\u(....)|\\(["\\])', lambda x: x.group(2) or
                                     chr(int(x.group(1), 16)), m.group(4)))
            elif not m.group(2).endswith("#type"):
                n_links += 1
    same("labels", labels, [n for n, _ in nodes.values()])
    # a triple cannot say that its value is a change: those are left out
    if n_links != sum(plain.values()):
        fail("links: %d of %d" % (n_links, sum(plain.values())))


def rdflib(nodes, facts):
    try:
        import rdflib as lib
    except ImportError:
        print("SKIP rdflib is not installed")
        sys.exit()
    g = lib.Graph().parse(graph + ".ntriples", format="nt")
    label = lib.RDFS.label
    same("labels", [str(o) for o in g.objects(None, label)], [n for n, _ in nodes.values()])


plain = {}  # of the facts that were found: no change
nodes, facts = graph_of()
n_nodes, n_edges = info()
if len(nodes) != n_nodes:
    fail("%d nodes were found, the file has %d" % (len(nodes), n_nodes))
if len(facts) != n_edges:
    fail("%d facts were found, the file has %d" % (len(facts), n_edges))
{"graphml": graphml, "networkx": networkx, "dot": dot, "csv": csv_tables, "ntriples": ntriples,
 "rdflib": rdflib}[form](nodes, facts)
print("%d nodes and %d edges" % (n_nodes, n_edges))
