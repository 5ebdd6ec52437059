#!/bin/bash
# SPDX-License-Identifier: MIT
# gr-gquery-paths.t — gr-gquery path gives the k shortest paths without loops: compared with all
# paths of small random graphs, with loops, parallel edges, hubs and measurements
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all "no python3"
python3 -B "$ROOT/tests/peers/gquery_paths.py"
