#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/bench/embed.sh — gr-embed's encoder beside other engines: same texts, threads and pages
#
#   usage: tests/bench/embed.sh       after make and make model; ROUNDS=4
#
# Peers (onnxruntime and tokenizers, xllamacpp, model2vec, sentence-transformers; onnx and numpy to
# convert the model) are those of PEERS_PYTHON, a Python that has them:
#   python3 -m venv peers && peers/bin/pip install onnxruntime onnx tokenizers model2vec xllamacpp
# Without it only the speeds and cosines of gr-embed's own arithmetics are shown. Every engine
# may have huge pages.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$root/build/${CONF:-dev}/bin
model=$root/build/share/model/all-MiniLM-L6-v2
work=${BENCH:-$root/build/bench}
python=${PEERS_PYTHON:-}
[ -f "$model/model.safetensors" ] || { echo "embed: skipped: no $model: make model"; exit 0; }
mkdir -p "$work"
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1 TOKENIZERS_PARALLELISM=false OMP_NUM_THREADS=1

echo "every arithmetic of this processor, on sentences of the examples: check"
"$bin/gr-grobid2json" -q "$root/examples/tei" | "$bin/gr-chunk" -q --by=sentence --size=60 --overlap=0 >"$work/texts.ndjson"
head -16 "$work/texts.ndjson" | "$bin/gr-embed" check -q -m "$model" |
    jq -r '"  \(.kernels)\t\(.texts / .cpu_seconds | floor) texts/s\tcosine \(.cosine_mean) mean, \(.cosine_min) least"'

if [ -z "$python" ]; then echo "embed: no peers: set PEERS_PYTHON"; exit 0; fi
for form in onnx int8.onnx gguf; do
    [ -s "$work/minilm.$form" ] || "$python" "$root/tests/bench/minilm_convert.py" "$form" "$model" "$work/minilm.$form" ||
        echo "embed: no minilm.$form"
done
[ -s "$work/static.table" ] || "$bin/gr-embed" distill -q --teacher="$model" -o "$work/static.table" "$work/texts.ndjson" ||
    echo "embed: no table"
"$python" "$root/tests/bench/embed_peers.py" "$bin/gr-embed" "$model" "$work"
