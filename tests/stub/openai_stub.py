#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loopback service that speaks OpenAI's /embeddings, well or badly; for tests only.

    openai_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT in its environment, gives it standard input and
output, and ends with its exit code. The first part of the path is the behaviour:

    $STUB/ok/v1/embeddings       base64 vectors of 8 numbers, made from each text's SHA-256
    array                        the same as JSON arrays          noindex   without "index"
    order                        entries in reverse, with their indexes
    slow                         answers after 0.3 s              never     after 60 s
    once429 once500 oncecut      fail the first request, then as ok (429 has Retry-After: 1)
    429 500 cut                  always so (429: insufficient_quota)
    garbage nolist count dup     no JSON; no "data"; one vector missing; two of the same index
    nan zero                     a vector of NaN, of zeros, for texts that contain BAD
    dim                          every second reply has vectors of 9 numbers
    refuse                       400 when a text contains BAD
    toolarge                     500 when a text has more than 40 characters, as llama.cpp says it
    quota403                     403 with insufficient_quota
    dims                         as many numbers as "dimensions" asks for
    key                          401 without "Authorization: Bearer sesame"
    model                        400 unless "model" is "text-embedding-ada-002"

$STUB/log answers with one line for each request so far: behaviour and number of texts; $STUB/paid
with how often each text was in a reply that was sent whole, when that is more than once, and how
many were.
"""
import base64
import hashlib
import json
import struct
import threading
import time

import serve

log = []
paid = {}
lock = threading.Lock()


def vector(text, dim=8):
    digest = hashlib.sha256(text.encode()).digest()
    return [round((digest[i] - 127.5) / 128, 4) for i in range(dim)]


class Stub(serve.Handler):
    def refuse(self, status, message, code="bad", headers=()):
        self.answer(status, {"error": {"message": message, "code": code, "type": code}}, headers)

    def do_GET(self):
        if self.path == "/paid":
            lines = [f"{t} {n}" for t, n in sorted(paid.items()) if n > 1] + [f"{len(paid)} texts"]
        else:
            lines = log
        self.answer(200, ("\n".join(lines) + "\n").encode())

    def do_POST(self):
        mode = self.path.split("/")[1]
        body = json.loads(self.body())
        texts = body["input"]
        with lock:
            log.append(f"{mode} {len(texts)}")
            nth = sum(line.split()[0] == mode for line in log)
        if mode in ("slow", "never"):
            time.sleep(0.3 if mode == "slow" else 60)
        if mode.startswith("once"):
            mode = mode[4:] if nth == 1 else "ok"
            if mode == "429":
                return self.refuse(429, "slow down", "rate_limit", [("Retry-After", "1")])
        if mode == "429":
            return self.refuse(429, "you have no credit left", "insufficient_quota")
        if mode == "quota403":
            return self.refuse(403, "no credit", "insufficient_quota")
        if mode == "toolarge" and max(map(len, texts)) > 40:
            return self.refuse(500, "input (600 tokens) is too large to process. increase the "
                               "physical batch size (current batch size: 512)")
        if mode == "500":
            return self.refuse(500, "out of order")
        if mode == "garbage":
            return self.answer(200, b"<html>hello</html>")
        if mode == "nolist":
            return self.answer(200, {"object": "list"})
        if mode == "key" and self.headers.get("Authorization") != "Bearer sesame":
            return self.refuse(401, "wrong key")
        if mode == "model" and body["model"] != "text-embedding-ada-002":
            return self.refuse(400, "no such model")
        if mode == "refuse" and any("BAD" in t for t in texts):
            return self.refuse(400, "a text is not acceptable")
        self.embed(mode, body, texts, nth)

    def embed(self, mode, body, texts, nth):
        data = []
        for i, text in enumerate(texts):
            v = vector(text, 9 if mode == "dim" and nth % 2 == 0 else 8)
            if mode == "dims":
                v = v[:body.get("dimensions", 8)]
            if "BAD" in text and mode in ("nan", "zero"):
                v = [float("nan") if mode == "nan" else 0.0] * 8
            if body.get("encoding_format") == "base64" and mode != "array":
                v = base64.b64encode(struct.pack(f"<{len(v)}f", *v)).decode()
            data.append({"object": "embedding", "index": i, "embedding": v})
        if mode == "noindex":
            for entry in data:
                del entry["index"]
        if mode == "order":
            data.reverse()
        if mode == "dup":
            data[-1]["index"] = 0
        if mode == "count":
            data.pop()
        with lock:
            for text in texts if mode != "cut" else ():
                paid[text] = paid.get(text, 0) + 1
        self.answer(200, {"object": "list", "data": data, "model": body["model"],
                          "usage": {"prompt_tokens": 1, "total_tokens": 1}},
                    cut=100 if mode == "cut" else 0)


if __name__ == "__main__":
    serve.run(Stub)
