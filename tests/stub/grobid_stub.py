#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A loopback service that answers as GROBID's documented API does, well or badly; for tests only.

    grobid_stub.py COMMAND [ARG…]

Runs COMMAND with STUB=http://127.0.0.1:PORT in its environment, gives it standard input and
output, and ends with its exit code. What is asked is written to stub.log in the current folder,
a line each: "alive MODE", or "post MODE BYTES TITLE field=value …", fields as they came. A PDF is "%PDF-1.4", a title in a line "%title …", anything.
The first part of the path is the behaviour; a line "%mode …" in a PDF is one for that PDF:

    $STUB/ok/api/processFulltextDocument    TEI with the title, and a time that never returns
    doi        the same with a DOI                 coords   with coordinates where they are asked
    slow       answers after 0.3 s                 never    after 60 s
    204 400 403 404 408 413 500 502 503 504        so always
    once408 once500 once502 once503 once504        fail the first time for each PDF, then as ok
    503x3      busy three times                    retry1   busy once, with Retry-After: 1
    retry99    busy always, with Retry-After: 99   pool     one PDF at a time, else busy
    cut half reset                                 ends in the body, in the TEI, before a status
    oncecut oncehalf oncereset                     so the first time
    json500    500 with a message in JSON          noblocks 500 with [NO_BLOCKS]
    html json text empty other huge bomb           200 with something else than a TEI
    crossed    a TEI that is not well-formed       bom      a TEI after a byte order mark
    stitched   half a TEI and then its end         comment  a TEI and then a comment
    tag        no more than <TEI>                  entity   a TEI that declares an entity
    crash      after this PDF nobody is at the port any more

/api/isalive answers true, but for:

    loading    false twice, then true              asleep   false always
    busy       503 twice, then true                deaf     404
    page       a web page                          moved    302

With STUB_TLS=1 it speaks https, and shows a certificate that nobody trusts.
"""
import email.parser
import email.policy
import gzip
import os
import re
import ssl
import subprocess
import threading
import time
from xml.sax.saxutils import escape

import serve

seen = {}
lock = threading.Lock()
pool = threading.Semaphore(1)
state = {"posts": 0}

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader xml:lang="en">
<fileDesc><titleStmt><title level="a" type="main">{title}</title></titleStmt>
<sourceDesc><biblStruct><analytic/>{doi}</biblStruct></sourceDesc></fileDesc>
<encodingDesc><appInfo><application version="0.8.1" ident="GROBID" when="2024-01-01T00:00+{time:04d}">
<desc>GROBID</desc></application></appInfo></encodingDesc>
</teiHeader>
<text xml:lang="en"><body>
<div><head{head}>Results</head><p{p}>The zircon is 21.3 Ma old.</p></div>
</body><back/></text>
</TEI>
"""


def note(line):
    with lock, open("stub.log", "a", encoding="utf-8") as log:
        log.write(line + "\n")


def parts_of(headers, body):
    head = f"Content-Type: {headers['Content-Type']}\r\nMIME-Version: 1.0\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    parts = []
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        parts.append((name, part.get_filename(), part.get_content_type(), part.get_payload(decode=True)))
    return parts


def line_of(pdf, word):
    m = re.search(rb"^%" + word + rb" (.*)$", pdf, re.M)
    return m.group(1).decode("utf-8", "replace").strip() if m else ""


class Stub(serve.Handler):
    def answer(self, status, body=b"", kind="application/xml", headers=(), cut=0):
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data) + cut))
        self.end_headers()
        self.wfile.write(data)
        if cut:
            self.close_connection = True

    def nth(self, key):
        with lock:
            seen[key] = seen.get(key, 0) + 1
            return seen[key]

    def do_GET(self):
        mode = self.path.split("/")[1]
        note(f"alive {mode}")
        n = self.nth(("alive", mode))
        if self.path != f"/{mode}/api/isalive" or mode == "deaf":
            return self.answer(404, "<html><body><h1>404 Not\nFound</h1></body></html>", "text/html")
        if mode == "busy" and n <= 2:
            return self.answer(503, "all engines are in use", "text/plain")
        if mode == "page":
            return self.answer(200, "<html>hello</html>", "text/html")
        if mode == "moved":
            return self.answer(302, "", headers=[("Location", "/ok/api/isalive")])
        is_ready = mode != "asleep" and not (mode == "loading" and n <= 2)
        return self.answer(200, "true" if is_ready else "false", "text/plain")

    def do_POST(self):
        mode = self.path.split("/")[1]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parts = parts_of(self.headers, body)
        pdf = next((p[3] for p in parts if p[0] == "input"), b"")
        mode = line_of(pdf, b"mode") or mode
        title = line_of(pdf, b"title")
        fields = " ".join(f"{n}={v.decode()}" for n, f, _, v in parts if n != "input")
        with lock:
            state["posts"] += 1
            number = state["posts"]
        note(f"post {mode} {len(pdf)} {title} {fields}")
        good = [p for p in parts if p[0] == "input" and p[1] and p[2] == "application/pdf"]
        if self.path.split("/", 2)[2] != "api/processFulltextDocument" or len(good) != 1:
            return self.answer(400, "no such request", "text/plain")
        coords = [v.decode() for n, _, _, v in parts if n == "teiCoordinates"]
        tei = TEI.format(
            title=escape(title), time=number,
            doi='<idno type="DOI">10.1000/X.1</idno>' if mode == "doi" else "",
            head=' coords="1,10,20,100,12"' if "head" in coords else "",
            p=' coords="1,10,40,200,50"' if "p" in coords else "")
        return self.behave(mode, pdf, tei)

    def behave(self, mode, pdf, tei):
        n = self.nth((mode, pdf))
        if mode.startswith("once"):
            mode = mode[4:] if n == 1 else "ok"
        if mode in ("slow", "never"):
            time.sleep(0.3 if mode == "slow" else 60)
        if mode == "pool":
            if not pool.acquire(blocking=False):
                return self.answer(503, "all engines are in use", "text/plain")
            time.sleep(0.05)
            pool.release()
        if mode == "503x3":
            mode = "503" if n <= 3 else "ok"
        if mode == "retry1" and n == 1 or mode == "retry99":
            return self.answer(503, "busy", "text/plain", [("Retry-After", mode[5:])])
        if mode == "crash":
            self.server.shutdown()  # this is another thread than the server's
            self.server.socket.close()
        if mode in ("reset", "crash"):
            self.close_connection = True
            return None
        if mode.isdigit():
            page = f"<html><head><title>{mode}</title></head>\n<body><h1>Out of order</h1></body></html>"
            return self.answer(int(mode), b"" if mode == "204" else page, "text/html")
        if mode == "json500":
            return self.answer(500, '{"type":"GENERAL","description":"Java heap space","code":500}', "application/json")
        if mode == "noblocks":
            return self.answer(500, "[NO_BLOCKS] PDF parsing resulted in empty content", "text/plain")
        if mode == "half":
            return self.answer(200, tei[: len(tei) // 2 + 200])
        if mode == "cut":
            return self.answer(200, tei[: len(tei) // 2], cut=len(tei))
        if mode == "crossed":
            return self.answer(200, tei.replace("</p></div>", "</div></p>"))
        if mode == "bom":
            return self.answer(200, b"\xef\xbb\xbf" + tei.encode())
        if mode == "bomb":
            return self.answer(200, gzip.compress(b"<TEI>" + b" " * (3 << 20)), headers=[("Content-Encoding", "gzip")])
        others = {
            "html": "<!DOCTYPE html>\n<html><body>Sign in</body></html>",
            "json": '{"error":"not today"}',
            "text": "=== model: segmentation ===\n",
            "empty": "",
            "tag": "<TEI>",
            "stitched": tei[: len(tei) // 2 + 250] + "</TEI>\n",
            "comment": tei + "<!-- </TEI> -->\n<!---->\n",
            "entity": tei.replace("<TEI", '<!DOCTYPE TEI [<!ENTITY x SYSTEM "/etc/passwd">]>\n<TEI', 1).replace("Results", "&x;"),
            "other": "<?xml version='1.0'?>\n<!-- <TEI> -->\n<alto><TEI/></alto>",
            "huge": "<TEI>" + " " * (3 << 20) + "</TEI>",
        }
        return self.answer(200, others.get(mode, tei))


def tls():
    """For https when STUB_TLS is set, else None."""
    if not os.environ.get("STUB_TLS"):
        return None
    subprocess.check_call(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "stub.key", "-out", "stub.crt",
                           "-days", "2", "-subj", "/CN=localhost"], stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("stub.crt", "stub.key")
    return context


if __name__ == "__main__":
    serve.run(Stub, tls())
