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
F_SETPIPE_SZ = 1031


class Tool:
    """gr-gquery subgraph at the other end of two pipes."""

    def __init__(self, depth):
        self.run = subprocess.Popen(["gr-gquery", "subgraph", "-j1", "-g", graph, "--depth=%d" % depth],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            fcntl.fcntl(self.run.stdout, F_SETPIPE_SZ, 1 << 20)
        except OSError:
            pass
        self.room = bytearray(16 << 20)
        self.view = memoryview(self.room)

    def ask(self, name):
        question, got = name.encode() + b"\n", 0
        since = time.perf_counter()
        os.write(self.run.stdin.fileno(), question)
        while not got or self.room[got - 1] != 10:
            n = os.readv(self.run.stdout.fileno(), [self.view[got:]])
            if n == 0:
                sys.exit("gr-gquery ended, or an answer is over %d bytes" % len(self.room))
            got += n
        ms = 1000 * (time.perf_counter() - since)
        return ms, bytes(self.view[:got])

    @staticmethod
    def count(answer):
        return len(json.loads(answer)["relationships"])

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
        return ms, reply

    @staticmethod
    def count(answer):
        return len(json.loads(answer)["results"][0]["data"])

    def close(self):
        self.link.close()


for depth in map(int, depths.split(",")):
    both = [Tool(depth)] + ([Neo4j(depth, port[0])] if port else [])
    asked = names[:100 if depth < 3 else 40] if port else names
    for name in asked[:20]:
        for side in both:
            side.ask(name)
    # In turn, some questions each; what they said is looked at when no time is taken.
    times, answers = [[] for _ in both], [[] for _ in both]
    for at in range(0, len(asked), 20):
        for i, side in enumerate(both):
            for name in asked[at:at + 20]:
                ms, answer = side.ask(name)
                times[i].append(ms)
                answers[i].append(answer)
    counts = [[side.count(a) for a in answers[i]] for i, side in enumerate(both)]
    median = [statistics.median(t) for t in times]
    line = "stream     depth %d: median %.3f ms, %.0f relationships" % (
        depth, median[0], statistics.mean(counts[0]))
    if port:
        line += "; Neo4j %.2f ms: %.0f x; %s" % (
            median[1], median[1] / median[0], "same counts" if counts[0] == counts[1] else "COUNTS DIFFER")
    print(line, flush=True)
    for side in both:
        side.close()
