# SPDX-License-Identifier: MIT
"""Stream questions to one gr-gquery and, in turn, to Neo4j over one kept connection.

    graph_stream.py GRAPH STARTS DEPTHS [PORT]     without PORT gr-gquery alone

Each question is timed from its first byte sent to the last byte of the answer received; both
answer with every relationship as JSON. Prints medians, their ratio, and whether both gave the
same number of relationships to each question.
"""
import base64
import fcntl
import http.client
import json
import os
import statistics
import subprocess
import sys
import time

graph, starts, depths, *port = sys.argv[1:]
names = [line.strip() for line in open(starts)]
room = bytearray(1 << 20)
F_SETPIPE_SZ = 1031


class Tool:
    """gr-gquery subgraph at the other end of two pipes."""

    def __init__(self, depth):
        self.run = subprocess.Popen(["gr-gquery", "subgraph", "-j1", "-g", graph, "--depth=%d" % depth],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            fcntl.fcntl(self.run.stdout, F_SETPIPE_SZ, len(room))
        except OSError:
            pass

    def ask(self, name):
        question = name.encode() + b"\n"
        parts = []
        since = time.perf_counter()
        os.write(self.run.stdin.fileno(), question)
        while True:
            n = os.readv(self.run.stdout.fileno(), [room])
            if n == 0:
                sys.exit("gr-gquery ended")
            done = room[n - 1] == 10
            if done and not parts:
                ms = 1000 * (time.perf_counter() - since)
            parts.append(bytes(room[:n]))
            if done:
                break
        if len(parts) > 1:
            ms = 1000 * (time.perf_counter() - since)
        return ms, len(json.loads(b"".join(parts))["relationships"])

    def close(self):
        self.run.stdin.close()
        self.run.wait()


class Neo4j:
    def __init__(self, depth, port):
        self.link = http.client.HTTPConnection("127.0.0.1", int(port))
        auth = base64.b64encode(b"neo4j:" + os.environ["NEO4J_PASSWORD"].encode()).decode()
        self.head = {"Content-Type": "application/json", "Authorization": "Basic " + auth}
        self.statement = ("MATCH (s:Entity {name: $name}) CALL apoc.path.subgraphAll(s, {maxLevel: %d}) "
                          "YIELD nodes, relationships UNWIND relationships AS r "
                          "RETURN startNode(r).name, r.relation, endNode(r).name, r.papers" % depth)

    def ask(self, name):
        body = json.dumps({"statements": [{"statement": self.statement, "parameters": {"name": name}}]})
        since = time.perf_counter()
        self.link.request("POST", "/db/neo4j/tx/commit", body, self.head)
        reply = self.link.getresponse().read()
        ms = 1000 * (time.perf_counter() - since)
        return ms, len(json.loads(reply)["results"][0]["data"])

    def close(self):
        self.link.close()


for depth in map(int, depths.split(",")):
    both = [Tool(depth)] + ([Neo4j(depth, port[0])] if port else [])
    asked = names[:100 if depth < 3 else 40] if port else names
    for name in asked[:20]:
        for side in both:
            side.ask(name)
    rows = [[side.ask(name) for side in both] for name in asked]
    times = [[row[i][0] for row in rows] for i in range(len(both))]
    median = [statistics.median(t) for t in times]
    line = "stream     depth %d: median %.3f ms, %.0f relationships" % (
        depth, median[0], statistics.mean(row[0][1] for row in rows))
    if port:
        same = all(row[0][1] == row[1][1] for row in rows)
        line += "; Neo4j %.2f ms: %.0f x; %s" % (
            median[1], median[1] / median[0], "same counts" if same else "COUNTS DIFFER")
    print(line, flush=True)
    for side in both:
        side.close()
