#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loopback service that answers as Neo4j's transactional endpoint does, well or badly.

    neo4j_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT. It runs no Cypher: a statement that asks for a
count is told the number of its rows, any other gets no row. The first part of the path is the
behaviour:

    $STUB/ok           as above                     key       401 without neo4j:sesame
    $STUB/noapoc       apoc procedures not found    memory    a transient error
    $STUB/fewer        one row less than sent       garbage   no JSON
    $STUB/other        JSON of something else       500 404   so always
    $STUB/graph        every name is there, around it always the same records
    $STUB/half         a load has stopped at its edges
    $STUB/once500      fails first, then as ok

With STUB_TLS set it is https, with a certificate that nobody has signed.

GET $STUB/log gives the statements so far, one a line, with the number of their rows;
GET $STUB/edges the rows of relationships so far, one a line.
"""
import base64
import json
import threading

import serve
from grobid_stub import tls

log = []
edges = []
lock = threading.Lock()
failed = []


TRIPLES = [{"head": {"name": "n%d" % (i + d), "type": "x"}, "relation": "R", "paper": "P%d" % i,
            "tail": {"name": "n%d" % i, "type": "x"}} for i in range(40) for d in (1, 2)]


def rows_of(statement, mode):
    if mode == "graph" and "UNWIND a.uids" in statement["statement"]:
        return [{"row": ["x|x:n1"]}]
    if mode == "graph" and "r.triples" in statement["statement"]:
        return [{"row": [json.dumps(t)]} for t in TRIPLES]
    if mode == "half" and "l.step <>" in statement["statement"]:
        return [{"row": ["edges"]}]
    n = len(statement.get("parameters", {}).get("rows", ()))
    if not n:
        return []
    return [{"row": [n - (mode == "fewer")], "meta": [None]}]


class Stub(serve.Handler):
    def do_GET(self):
        lines = edges if self.path == "/edges" else log
        self.answer(200, ("\n".join(lines) + "\n").encode())

    def error(self, code, message):
        self.answer(200, {"results": [], "errors": [{"code": code, "message": message}]})

    def do_POST(self):
        mode = self.path.split("/")[1]
        statements = json.loads(self.body())["statements"]
        if self.path != f"/{mode}/db/neo4j/tx/commit":
            return self.answer(404, b"")
        if mode == "once500" and not failed:
            failed.append(1)
            mode = "500"
        if mode in ("404", "500"):
            return self.answer(int(mode), {"error": f"said {mode}"})
        want = "Basic " + base64.b64encode(b"neo4j:sesame").decode()
        if mode == "key" and self.headers.get("Authorization") != want:
            return self.answer(401, {"errors": [{"code": "Neo.ClientError.Security.Unauthorized",
                                                 "message": "Invalid credential."}]})
        if mode == "garbage":
            return self.answer(200, b"<html>hello</html>")
        if mode == "other":
            return self.answer(200, {"hello": []})
        if mode == "memory":
            return self.error("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "no more")
        if mode == "noapoc" and any("apoc." in s["statement"] for s in statements):
            return self.error("Neo.ClientError.Procedure.ProcedureNotFound", "There is no such procedure.")
        with lock:
            for s in statements:
                rows = s.get("parameters", {}).get("rows", ())
                edges.extend(json.dumps(r) for r in rows if "h" in r and "t" in r)
                log.append(f"{len(rows)} {s['statement']}")
        self.answer(200, {"results": [{"columns": ["x"], "data": rows_of(s, mode)} for s in statements],
                          "errors": []})


if __name__ == "__main__":
    serve.run(Stub, tls())
