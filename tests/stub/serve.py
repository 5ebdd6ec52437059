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

    def answer(self, status, body, headers=(), cut=0):
        """cut: bytes that are announced and never come."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data) + cut))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        if cut:
            self.close_connection = True

    def body(self):
        return self.rfile.read(int(self.headers["Content-Length"]))


def run(handler, tls=None):
    """Serve while the command of argv runs; end with its exit code. tls: an SSLContext for https."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *args: None  # a client that hangs up is no news
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = dict(os.environ, STUB=f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}")
    rc = subprocess.call(sys.argv[1:], env=env)
    os._exit(rc if rc >= 0 else 128 - rc)
