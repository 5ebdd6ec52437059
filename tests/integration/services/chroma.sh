#!/bin/bash
# SPDX-License-Identifier: MIT
# services/chroma.sh — Chroma's own server: the compiled part of its Python package is all of it
#
# Each start has a fresh, empty folder, or $CHROMA_PATH, which is kept.
set -euo pipefail
service=chroma
. "$(dirname "$0")/lib.sh"

install()
{
    need python3 "package python3"
    pip_into "$home/py" chromadb==1.5.9
}

command_for()
{
    local data=${CHROMA_PATH:-$state/data}
    [ -n "${CHROMA_PATH-}" ] || rm -rf "$data"
    mkdir -p "$data"
    printf '{"port": %s, "listen_address": "127.0.0.1", "persist_path": "%s", "allow_reset": true}\n' "$1" "$data" >"$state/config.yaml"
    cmd=(env PYTHONPATH="$home/py" python3 -c 'import sys, chromadb_rust_bindings as c; c.cli(["chroma", "run", sys.argv[1]])' "$state/config.yaml")
}

ready() { python3 -c 'import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open("http://127.0.0.1:%s/api/v2/heartbeat" % sys.argv[1], timeout=5)' "$1"; }

service_main "$@"
