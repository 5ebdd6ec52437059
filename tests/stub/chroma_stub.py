#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loopback service that answers as a Chroma server does (v2 API), well or badly.

    chroma_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT. The first part of the path is the behaviour; all
share the same collections:

    $STUB/ok           as above                     key       401 without the token sesame
    $STUB/small        at most 2 records a request  body      413 for more than 1 record
    $STUB/picky        400 for a request with id "b"          plain     no base64
    $STUB/break        the second upsert fails: 500           once500   fails first, then as ok
    $STUB/garbage      no JSON                      other     JSON of something else
    $STUB/nolimit      no max_batch_size            noid      a collection without id
    $STUB/uneven $STUB/numbers $STUB/record $STUB/short $STUB/null $STUB/meta
                       rows that are not what they should be
    $STUB/500 $STUB/404 always so

There is a collection "theirs", of space l2, made by others. GET $STUB/log gives the requests so
far, one a line, with the ids in them.
"""
import base64
import json
import math
import struct
import threading

import serve

log = []
lock = threading.Lock()
count = {}
OPS = {"$eq": lambda a, b: a == b and isinstance(a, bool) == isinstance(b, bool), "$gt": lambda a, b: a > b, "$gte": lambda a, b: a >= b,
       "$in": lambda a, b: a in b}


class Collection:
    def __init__(self, name, space, metadata):
        self.name, self.space, self.metadata = name, space, metadata
        self.rows = {}  # id: [vector, document, metadata]

    def dimension(self):
        return len(next(iter(self.rows.values()))[0]) if self.rows else None


theirs = Collection("theirs", "l2", {"owner": "someone"})
theirs.rows = {"x": [[1, 0, 0], "a text", {"year": 2001, "text": "no", "kind": "table"}], "y": [[0, 1, 0], None, None]}
collections = {"theirs": theirs}


def selects(where, meta):
    if not where:
        return True
    (key, what), = where.items()
    if key in ("$and", "$or"):
        return (all if key == "$and" else any)(selects(w, meta) for w in what)
    (op, value), = what.items()
    have = (meta or {}).get(key)
    if op == "$ne":
        return have is None or not OPS["$eq"](have, value)
    is_number = isinstance(have, (int, float)) and not isinstance(have, bool)
    return have is not None and (is_number or op in ("$eq", "$in")) and OPS[op](have, value)


def vector(v):
    if isinstance(v, str):
        data = base64.b64decode(v)
        return list(struct.unpack("<%df" % (len(data) // 4), data))
    return v


def distance(a, b):
    return 1 - sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))


def spoil(mode, rows):
    """rows: [id, vector, document, metadata] of a reply"""
    for r in rows[:1]:
        if mode == "numbers":
            r[0] = 7
        if mode == "record":
            r[3] = {"gr_record": "{"}
        if mode == "short":
            r[1] = r[1][:-1]
        if mode == "null":
            r[1] = [None] * len(r[1])
        if mode == "meta":
            r[3] = [1]
    return rows


class Stub(serve.Handler):
    def error(self, status, message):
        self.answer(status, {"error": "Error", "message": message})

    def do_GET(self):
        self.handle_it("GET", None)

    def do_POST(self):
        self.handle_it("POST", json.loads(self.body()))

    def do_PUT(self):
        self.handle_it("PUT", json.loads(self.body()))

    def do_DELETE(self):
        self.handle_it("DELETE", None)

    def handle_it(self, method, body):
        if self.path == "/log":
            return self.answer(200, ("\n".join(log) + "\n").encode())
        mode, *path = self.path[1:].split("/")
        if path[:2] != ["api", "v2"] or mode == "404":
            return self.answer(404, b"<html>nothing here</html>")
        if mode == "once500" and not count.get(mode):
            count[mode] = 1
            mode = "500"
        if mode == "500":
            return self.error(500, "said 500")
        if mode == "key" and (self.headers.get("Authorization"), self.headers.get("x-chroma-token")) != ("Bearer sesame", "sesame"):
            return self.error(401, "Unauthorized")
        if mode == "garbage":
            return self.answer(200, b"<html>hello</html>")
        if path == ["api", "v2", "pre-flight-checks"]:
            if mode == "nolimit":
                return self.answer(200, {})
            return self.answer(200, {"max_batch_size": 2 if mode == "small" else 100, "supports_base64_encoding": mode != "plain"})
        with lock:
            self.collection(mode, method, path[7:], body)

    def collection(self, mode, method, rest, body):
        if method == "POST" and not rest:
            log.append("create " + json.dumps(body, sort_keys=True))
            collections[body["name"]] = Collection(body["name"], body["configuration"]["hnsw"]["space"], body["metadata"])
            return self.answer(200, {})
        c = collections.get(rest[0][3:] if rest[0].startswith("id-") else rest[0])
        if not c:
            return self.error(404, "Collection [%s] does not exist" % rest[0])
        if method == "DELETE":
            log.append("drop " + c.name)
            del collections[c.name]
            return self.answer(200, {})
        if method == "PUT":
            log.append("note " + json.dumps(body["new_metadata"], sort_keys=True))
            c.metadata = body["new_metadata"]
            return self.answer(200, {})
        if len(rest) == 1:
            return self.answer(200, {"id": "" if mode == "noid" else "id-" + c.name, "name": c.name, "dimension": c.dimension(),
                                     "metadata": c.metadata, "configuration_json": {"hnsw": {"space": c.space}}})
        if rest[1] == "count":
            return self.answer(200, "many" if mode == "other" else len(c.rows))
        getattr(self, rest[1])(mode, c, body)

    def upsert(self, mode, c, body):
        ids = body["ids"]
        if mode == "break":
            count[mode] = count.get(mode, 0) + 1
            if count[mode] == 2:
                return self.error(500, "disk full")
        if mode == "body" and len(ids) > 1:
            return self.answer(413, b"Payload too large")
        if mode == "picky" and "b" in ids:
            return self.error(400, "I do not like b")
        log.append("upsert " + " ".join(ids))
        if len(set(ids)) != len(ids) or (mode == "small" and len(ids) > 2):
            return self.error(400, "not so")
        for i, v, d, m in zip(ids, body["embeddings"], body["documents"], body["metadatas"]):
            if (mode == "plain") == isinstance(v, str):
                return self.error(400, "the other form of vectors")
            c.rows[i] = [vector(v), d, m]
        self.answer(200, {})

    def rows(self, c, body):
        return [[i, *c.rows[i]] for i in c.rows if ("ids" not in body or i in body["ids"]) and selects(body.get("where"), c.rows[i][2])]

    def query(self, mode, c, body):
        q, = body["query_embeddings"]
        log.append("query %d %s" % (body["n_results"], json.dumps(body.get("ids", body.get("where")))))
        if mode == "other":
            return self.answer(200, ["hello"])
        near = sorted(self.rows(c, body), key=lambda r: (distance(q, r[1]), r[0]))[:body["n_results"]]
        self.put_rows(mode, near, body, lambda x: [x])

    def get(self, mode, c, body):
        at = body.get("offset", 0)
        rows = self.rows(c, body)[at:at + body.get("limit", 1 << 30)]
        self.put_rows(mode, rows, body, lambda x: x)

    def put_rows(self, mode, rows, body, nest):
        rows = spoil(mode, rows)
        reply = {"ids": nest([r[0] for r in rows])}
        for i, name in (1, "embeddings"), (2, "documents"), (3, "metadatas"):
            reply[name] = nest([r[i] for r in rows]) if name in body["include"] else None
        if mode == "uneven" and reply["metadatas"]:
            reply["metadatas"] = nest([])
        self.answer(200, reply)

    def delete(self, mode, c, body):
        log.append("delete " + " ".join(body["ids"]))
        for i in body["ids"]:
            c.rows.pop(i, None)
        self.answer(200, {"deleted": len(body["ids"])})


if __name__ == "__main__":
    serve.run(Stub)
