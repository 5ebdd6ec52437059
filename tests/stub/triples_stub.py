#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A chat service that is asked for triples and gives them, well or badly; for tests only.

    triples_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT in its environment and ends with its exit code. The
first part of the path is the behaviour:

    $STUB/ok/v1/chat/completions   two facts of the text, in the form asked for
    fence      in a fence, words around           keys       subject, predicate, object; ends as objects
    arrays     a bare array of arrays of three    one        one bare object
    empty      {"triples":[]}                     words      no JSON, always
    twice      no JSON at first                   cut        breaks off in the third fact
    odd        elements that are no statements    invented   evidence and names that the text has not
    more       one further fact when asked again, then none
    moretalk   no JSON when asked again           denied     a negated fact
    relations  relations in other spellings, one unknown
    short      a fact of gold in a short form
    500        always
    form       says what response_format was, as a fact
    hostile    deep brackets, controls, names without end
    otherkey nested lists quoted lines comma map single
               the facts under another key, inside objects, in arrays, as a JSON text, one a line,
               with a comma too many, under numbers, one that is no JSON among good ones
    around pieces nfd unseen yes
               evidence in quotes and dots, as an array, in normal form D, with zero-width blanks; "negated":"yes"
    nothing    empty lists in several dresses, by the number of the request: none is a parse error
    400form    status 400, and that response_format is not known       moved      status 308
    408        from the second request on, the first is answered

$STUB/log answers with the number of requests so far.
"""
import json
import re
import threading
import unicodedata

import serve

lock = threading.Lock()
n_requests = 0
AGE = {"head": "zircon", "head_type": "mineral", "relation": "Has Age", "tail": "21.3 ± 0.4 Ma",
       "tail_type": "value", "evidence": "The zircon is 21.3 ± 0.4 Ma old", "negated": False, "confidence": 0.95}
HOST = {"head": "gold", "head_type": "element", "relation": "Occurs In", "tail": "arsenian pyrite",
        "tail_type": "mineral", "evidence": "gold occurs  in arsenian\npyrite.", "negated": False, "confidence": 0.8}


def wrap(*facts):
    return json.dumps({"triples": facts}, ensure_ascii=False)


def other_keys(fact):
    return {"subject": {"name": fact["head"], "type": fact["head_type"]}, "predicate": fact["relation"],
            "object": {"text": fact["tail"]}, "sentence": fact["evidence"], "score": str(fact["confidence"])}


def dressed(mode):
    """Replies as models write them: a dictionary of texts, made when asked for."""
    both = [AGE, HOST]
    return {
        "otherkey": lambda: json.dumps({"count": 2, "knowledge": both}),
        "nested": lambda: json.dumps({"result": {"triples": both}}),
        "lists": lambda: json.dumps([[AGE], [HOST]]),
        "quoted": lambda: json.dumps(wrap(*both)),
        "lines": lambda: json.dumps(AGE) + "\n" + json.dumps(HOST),
        "comma": lambda: wrap(*both)[:-2] + ",]}",
        "map": lambda: json.dumps({"triples": {"1": AGE, "2": HOST}}),
        "single": lambda: json.dumps(AGE) + " " + json.dumps(HOST).replace('"', "'"),
        "around": lambda: wrap(dict(AGE, evidence="“… zircon is 21.3 ± 0.4 Ma old ”"),
                               dict(HOST, evidence="'gold occurs in arsenian pyrite.'")),
        "pieces": lambda: wrap(dict(AGE, evidence=[AGE["evidence"], "and more"]), dict(HOST, evidence={"text": HOST["evidence"]})),
        "nfd": lambda: unicodedata.normalize("NFD", wrap(dict(AGE, head="Käsestein", evidence="Käsestein"))),
        "unseen": lambda: wrap(dict(AGE, evidence="The zir\u200bcon is 21.3 ± 0.4 Ma\u00ad old\ufeff")),
        "yes": lambda: wrap(dict(AGE, negated="yes"), dict(HOST, negated="no")),
    }.get(mode)


def content(mode, body):
    if dressed(mode):
        return dressed(mode)()
    asked = sum(m["role"] == "user" for m in body["messages"])
    if mode == "fence":
        return "Here are the facts:\n```json\n" + wrap(AGE, HOST) + "\n```\nI hope [this] helps."
    if mode == "keys":
        return json.dumps({"facts": [other_keys(AGE), other_keys(HOST)]})
    if mode == "arrays":
        return json.dumps([[f["head"], f["relation"], f["tail"], f["evidence"]] for f in (AGE, HOST)])
    if mode == "one":
        return json.dumps(AGE)
    if mode == "nothing":
        empty = ["[]", "{\"knowledge\":[]}", "As [1] says: {\"triples\":[]}", "{\"data\":{\"triples\":[]}}"]
        return empty[(n_requests - 1) % len(empty)]
    if mode == "empty":
        return wrap()
    if mode == "words" or (mode == "twice" and asked == 1) or (mode == "moretalk" and asked > 1):
        return "I see a zircon, and gold."
    if mode == "cut":
        return wrap(AGE, HOST, AGE)[:-60]
    if mode == "odd":
        return wrap(7, {"head": "zircon"}, "zircon", [])
    if mode == "invented":
        return wrap(dict(AGE, evidence="The zircon is 30 Ma old"), dict(AGE, tail="30 Ma"), dict(HOST, tail="quartz"))
    if mode == "more":
        return wrap(AGE) if asked == 1 else wrap(HOST) if asked == 2 else wrap()
    if mode == "short":
        return wrap(dict(HOST, tail="AFG", tail_type="other", evidence="gold occurs in AFG"))
    if mode == "denied":
        return wrap(dict(AGE, negated=True), HOST) + "[" * 500 + "]" * 500
    if mode == "relations":
        return wrap(dict(AGE, relation="HAS_AGE"), dict(HOST, relation="hosted in"), dict(HOST, relation="Shines On"))
    if mode == "form":
        form = body.get("response_format", {"type": "none"})
        names = form.get("json_schema", {}).get("schema", {}).get("properties", {})
        return wrap(dict(AGE, head=" ".join([form["type"], *names]), head_type="mineral"))
    if mode == "hostile":
        return wrap(dict(AGE, head="x" * 100000), dict(AGE, head="zircon\u202e"), dict(HOST, tail="\u001b[2J"),
                                            dict(HOST, relation="\u0000"), HOST)
    return wrap(AGE, HOST)


class Stub(serve.Handler):
    def do_GET(self):
        self.answer(200, f"{n_requests}\n".encode())

    def do_POST(self):
        global n_requests
        mode = self.path.split("/")[1]
        body = json.loads(self.body())
        with lock:
            n_requests += 1
        assert re.search(r"<<<TEXT-[0-9a-f]{16}\n", body["messages"][1]["content"])
        if mode == "moved":
            return self.answer(308, b"", headers=[("Location", "https://other.example/v1/chat/completions")])
        if mode == "400form":
            return self.answer(400, {"error": {"message": "response_format is not known"}})
        if mode == "408" and n_requests > 1:
            return self.answer(408, {"error": {"message": "slow"}})
        if mode == "500":
            return self.answer(500, {"error": {"message": "out of order"}})
        text = content(mode, body)
        self.answer(200, {"model": body["model"] + "-0001", "usage": {"prompt_tokens": 9, "completion_tokens": 9},
                          "choices": [{"index": 0, "finish_reason": "length" if mode == "cut" else "stop",
                                       "message": {"role": "assistant", "content": text}}]})


if __name__ == "__main__":
    serve.run(Stub)
