# SPDX-License-Identifier: MIT
"""Ask Neo4j for the subgraphs that gr-gquery gave, over one kept connection; print ratios.

    graph_neo4j.py PORT STARTS MS1 MS2 MS3      MSn: gr-gquery's milliseconds a question, depth n
"""
import base64
import http.client
import json
import os
import statistics
import sys
import time

port, starts, *ours = sys.argv[1:]
link = http.client.HTTPConnection("127.0.0.1", int(port))
auth = base64.b64encode(b"neo4j:" + os.environ["NEO4J_PASSWORD"].encode()).decode()
head = {"Content-Type": "application/json", "Authorization": "Basic " + auth}


def ask(name, depth):
    statement = ("MATCH (s:Entity {name: $name}) CALL apoc.path.subgraphAll(s, {maxLevel: %d}) "
                 "YIELD nodes, relationships UNWIND relationships AS r "
                 "RETURN startNode(r).name, r.relation, endNode(r).name, r.papers" % depth)
    body = json.dumps({"statements": [{"statement": statement, "parameters": {"name": name}}]})
    since = time.perf_counter()
    link.request("POST", "/db/neo4j/tx/commit", body, head)
    reply = link.getresponse().read()
    ms = 1000 * (time.perf_counter() - since)
    return ms, len(json.loads(reply)["results"][0]["data"])


names = [line.strip() for line in open(starts)]
for depth, mine in enumerate(ours, 1):
    few = names[:100 if depth < 3 else 30]
    for name in few[:10]:
        ask(name, depth)
    times, rows = zip(*(ask(name, depth) for name in few))
    same = True
    with open("file.%d" % depth) as lines:
        for line, n in zip(lines, rows):
            same &= len(json.loads(line)["relationships"]) == n
    print("Neo4j      depth %d: median %.1f ms, mean %.1f ms, %.0f relationships: %.0f x gr-gquery's mean; %s" % (
        depth, statistics.median(times), statistics.mean(times), statistics.mean(rows),
        statistics.median(times) / max(float(mine), 1e-3), "same counts" if same else "COUNTS DIFFER"))
