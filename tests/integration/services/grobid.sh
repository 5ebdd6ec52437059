#!/bin/bash
# SPDX-License-Identifier: MIT
# services/grobid.sh — a real GROBID by docker, where docker is to be had; some 1 GB is fetched
# the first time. `down` stops the container with its client.
set -euo pipefail
service=grobid
. "$(dirname "$0")/lib.sh"
image=${GROBID_IMAGE:-grobid/grobid:0.8.2-crf}

install()
{
    need docker "package docker.io"
    docker image inspect "$image" >/dev/null 2>&1 || docker pull --quiet "$image" >"$home/pull.log" 2>&1 ||
        give_up "docker cannot fetch $image" "$home/pull.log"
}

command_for() { cmd=(docker run --rm --init -p "127.0.0.1:$1:8070" "$image"); }

ready()
{
    python3 -c 'import sys, urllib.request as u
sys.exit(u.build_opener(u.ProxyHandler({})).open("http://127.0.0.1:%s/api/isalive" % sys.argv[1], timeout=5).read().strip() != b"true")' "$1"
}

service_main "$@"
