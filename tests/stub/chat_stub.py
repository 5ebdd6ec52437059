#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loopback service that speaks OpenAI's /chat/completions, well or badly; for tests only.

    chat_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT in its environment, gives it standard input and
output, and ends with its exit code. The first part of the path is the behaviour:

    $STUB/ok/v1/chat/completions   an answer with a good citation, usage, finish_reason stop
    wrong      a number that no source has, a wrong citation, a source that does not exist
    refuses    the refusal sentence               thinks     <think>…</think> before the answer
    long       finish_reason length               nousage    neither usage nor model
    garbage    no JSON                            nochoice   "choices":[]
    null       content is null                    error200   {"error":…} with status 200
    names      names of a question, as JSON; fenced, cutnames, othernames: in other dress
    expansion  queries and keywords; onlyqueries: an array in a fence
    class      a class; classword: spelled freely; noclass: none of the four
    sentences  numbers of sentences; nosentences: of none
    tricks     controls and what turns the direction of writing; trickwords: in an expansion
    blank      content is blanks                  once500    fails first, then as ok
    400 401 500                                   so always
    key        401 without "Authorization: Bearer sesame"
    never      answers after 60 s

With "stream":true the answer comes as events, in pieces of three bytes: a first delta with
content null, comments, CRLF, a last event with "choices":[] and usage, [DONE]. Also:

    cut        ends in the middle                 badevent   an event that is no JSON
    whole      answers whole in spite of "stream"            errevent   an error as an event

$STUB/log answers with the bodies of the requests so far, one a line.
"""
import json
import threading
import time

import serve

log = []
lock = threading.Lock()
GOOD = "The mean δ56Fe of MORB is +0.105 ± 0.006‰ [1]."
TEXTS = {
    "wrong": "The mean δ56Fe of MORB is +0.205‰ [1]. Granites are heavy [1]. Melting moves iron [7]. "
             "Kimberlite magma rises from the deep mantle. That is so.",
    "refuses": "The sources given do not answer this.",
    "thinks": "<think>MORB is basalt.</think>\n\n" + GOOD,
    "blank": "  \n",
    "tricks": "The mean \x1b[31mδ56Fe\x9b0m of MORB\u202e is\u2066 +0.105 ± 0.006‰ [1].",
    "trickwords": json.dumps({"queries": ["boron\u202e in\x9b31m arc\x1b lavas"], "keywords": ["δ11B\u2069"]}),
    "names": '{"names": ["seawater", "87Sr/86Sr", "Atlantis", "", 7, {"name": "strontium"}]}',
    "fenced": 'These are they:\n```json\n["seawater"]\n```',
    "cutnames": '{"names": ["seawater", "87Sr/8',
    "expansion": '{"queries": ["boron in arc lavas", "slab age and\\nfluids", "", 7, "' + "x" * 600 + '"],'
                 ' "keywords": ["δ11B", "serpentinite"]}',
    "onlyqueries": '```\n["boron in arc lavas"]\n```',
    "sentences": '{"keep": [6, 1, 99, -2, 1.5, "3"]}',
    "nosentences": '{"keep": [0, 99]}',
    "class": '{"class": "hidden_rationale"}',
    "classword": '{"class": "Hidden Rationale"}',
    "noclass": '{"class": "easy"}',
    "othernames": '{"entities": "seawater"}',
}


class Stub(serve.Handler):
    def refuse(self, status, message):
        self.answer(status, {"error": {"message": message, "type": "bad"}})

    def do_GET(self):
        self.answer(200, ("\n".join(log) + "\n").encode())

    def do_POST(self):
        mode = self.path.split("/")[1]
        raw = self.body().decode()
        body = json.loads(raw)
        with lock:
            log.append(raw)
            nth = len(log)
        if self.path != f"/{mode}/v1/chat/completions":
            return self.refuse(404, "no such path")
        if mode == "never":
            time.sleep(60)
        if mode == "once500":
            mode = "500" if nth == 1 else "ok"
        if mode in ("400", "401", "500"):
            return self.refuse(int(mode), f"said {mode}")
        if mode == "key" and self.headers.get("Authorization") != "Bearer sesame":
            return self.refuse(401, "wrong key")
        if mode == "garbage":
            return self.answer(200, b"<html>hello</html>")
        if mode == "error200":
            return self.refuse(200, "overloaded")
        text = TEXTS.get(mode, GOOD)
        if body.get("stream") and mode != "whole":
            return self.stream(mode, body, text)
        reply = {"id": "x", "object": "chat.completion", "model": body["model"] + "-0001",
                 "choices": [{"index": 0, "finish_reason": "length" if mode == "long" else "stop",
                              "message": {"role": "assistant", "content": text}}],
                 "usage": {"prompt_tokens": 120, "completion_tokens": 14, "total_tokens": 134}}
        if mode == "nousage":
            del reply["usage"], reply["model"]
        if mode == "nochoice":
            reply["choices"] = []
        if mode == "null":
            reply["choices"][0]["message"]["content"] = None
        self.answer(200, reply)

    def stream(self, mode, body, text):
        def event(delta=None, finish=None, usage=None):
            choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
            return "data: " + json.dumps({"model": body["model"] + "-0001", "choices": choices,
                                          "usage": usage}, ensure_ascii=False) + "\r\n\r\n"
        out = ": hello\r\n\r\n" + event({"role": "assistant", "content": None})
        for i in range(0, len(text), 9):
            out += event({"content": text[i:i + 9]}) + ": keep-alive\r\n\r\n"
        if mode == "badevent":
            out += "data: {\"choices\":\r\n\r\n"
        if mode == "errevent":
            out += "data: {\"error\":{\"message\":\"out of memory\"}}\r\n\r\n"
        if mode != "cut":
            out += event({}, "stop") + event(usage={"prompt_tokens": 120, "completion_tokens": 14})
            out += "data: [DONE]\r\n\r\n"
        data = out.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for i in range(0, len(data), 3):
            self.wfile.write(data[i:i + 3])
        self.close_connection = True


if __name__ == "__main__":
    serve.run(Stub)
