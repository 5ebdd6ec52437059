#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write cl100k.ndjson: token ids and counts by tiktoken 0.14.0, which common/bpe.c must equal.

usage: cl100k.py SHARED-DATA-FOLDER RANKS >cl100k.ndjson
RANKS is build/share/model/cl100k_base.tiktoken. A line is {"text","ids"} or, for each file of
the folder that is UTF-8, {"file","tokens"}.
"""
import json
import os
import random
import shutil
import sys
import tempfile

data, ranks = sys.argv[1:3]
cache = tempfile.mkdtemp()
shutil.copy(ranks, os.path.join(cache, "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"))
os.environ["TIKTOKEN_CACHE_DIR"] = cache

import tiktoken  # noqa: E402  (reads the variable above)

enc = tiktoken.get_encoding("cl100k_base")
parts = ["zircon", "δ¹⁸O", " ", "  ", "\n", "\r\n", "\t", "'s", "'LL", "'ſ", "'re", "12345", "0.7092",
         "岩石", "é", "e\u0301", "\u00a0", "\u2009", "!", "...", "(", "‰", "½", "Ⅳ", "😀", "a", "B",
         "<|endoftext|>", "\u200b", "\u3000", "-", "xyzzyplugh" * 8, "٣"]
rng = random.Random(1)
texts = ["", " ", "\n", "The ⁸⁷Sr/⁸⁶Sr ratio is 0.70918 ± 0.00002.", "a" * 300, "δ" * 200,
         "    indented\n\n\n  lines  \n", "I'm we'll THEY'RE it's o'clock"]
texts += ["".join(rng.choice(parts) for _ in range(rng.randrange(1, 30))) for _ in range(150)]
for t in texts:
    print(json.dumps({"text": t, "ids": enc.encode_ordinary(t)}, ensure_ascii=False))
for folder, dirs, files in os.walk(data):
    dirs.sort()
    for name in sorted(files):
        path = os.path.join(folder, name)
        raw = open(path, "rb").read()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        n = sum(len(enc.encode_ordinary(text[i:i + 10**9])) for i in range(0, len(text), 10**9))
        print(json.dumps({"file": os.path.relpath(path, data), "tokens": n}))
shutil.rmtree(cache)
