#!/bin/bash
# SPDX-License-Identifier: MIT
# services/embed.sh — an OpenAI-compatible embedding server with a real model: llama.cpp and
# all-MiniLM-L6-v2 in float32, made from the folder of `make model`. It reads 512 tokens at most.
set -euo pipefail
service=embed
. "$(dirname "$0")/lib.sh"
folder=$top/build/share/model/all-MiniLM-L6-v2
model=$home/all-MiniLM-L6-v2.gguf

install()
{
    need python3 "package python3"
    [ -f "$folder/model.safetensors" ] || give_up "no all-MiniLM-L6-v2: make model"
    pip_into "$home/llama" xllamacpp==2026.10.11549
    [ -s "$model" ] || python3 "$service_dir/gguf.py" "$folder" "$model" || give_up "no GGUF could be written"
}

command_for() { cmd=(env PYTHONPATH="$home/llama" OMP_WAIT_POLICY=passive python3 "$service_dir/llama.py" "$model" minilm "$1" 512); }

ready() { python3 -c 'import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open("http://127.0.0.1:%s/health" % sys.argv[1], timeout=5)' "$1"; }

service_main "$@"
