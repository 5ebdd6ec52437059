# SPDX-License-Identifier: MIT
"""Runs a command with a loopback HTTP server beside it, whose address is $STUB; for tests only."""
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    """Answers with JSON or bytes; keeps connections open; logs nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body, kind="application/json", headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers["Content-Length"]))


def run(handler):
    """Serve while the command of argv runs; end with its exit code."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *args: None  # a client that hangs up is no news
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = dict(os.environ, STUB=f"http://127.0.0.1:{server.server_port}")
    rc = subprocess.call(sys.argv[1:], env=env)
    os._exit(rc if rc >= 0 else 128 - rc)
