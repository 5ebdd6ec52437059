#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write tests/peers/minilm.ndjson: texts with token ids and vectors of all-MiniLM-L6-v2.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install tokenizers==0.23.3 numpy safetensors
    /tmp/v/bin/python tests/peers/minilm.py MODEL_DIR [REFERENCE.json] > tests/peers/minilm.ndjson

An independent implementation: BERT in numpy with float64 throughout, ids by Hugging Face
tokenizers, from the published float32 weights. With REFERENCE.json (items of text, input_ids and
embedding made by sentence-transformers) it first checks itself against those and prints the
largest difference on standard error. Vectors are base64 of little-endian float32.
"""
import base64
import hashlib
import json
import math
import sys

import numpy as np
import tokenizers
from safetensors.numpy import load_file
from tokenizers import Tokenizer

MAX_LEN, HEADS = 256, 12
WORDS = ("plagioclase olivine basalt spinel isotope ratio mantle source melt crust zircon garnet "
         "of the in with and by from to").split()


def long_text(n):
    return " ".join(WORDS[(i * i + 3 * i) % len(WORDS)] for i in range(n))


TEXTS = [
    "",
    "basalt",
    "What controls εNd in MORB?",
    "Mid-ocean ridge basalts have a depleted mantle source.",
    "Zircon U–Pb ages of 2.7 Ga and εHf(t) of +5.1 ± 0.6 point to juvenile Archaean crust in the "
    "Yilgarn Craton.",
    "花崗岩の地球化学 Åland [SEP] straße 😀",
    "x" * 150,
    long_text(20),
    long_text(45),
    long_text(90),
    long_text(150),
    long_text(170) + " " + "SiO2 52.3 wt% MgO 7.9 wt%",
    long_text(400),
]

erf = np.vectorize(math.erf, otypes=[np.float64])


def norm(x, w, name):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(var + 1e-12) * w[name + ".weight"] + w[name + ".bias"]


def linear(x, w, name):
    return x @ w[name + ".weight"].T + w[name + ".bias"]


def encode(w, ids):
    x = (w["embeddings.word_embeddings.weight"][ids]
         + w["embeddings.position_embeddings.weight"][:len(ids)]
         + w["embeddings.token_type_embeddings.weight"][0])
    x = norm(x, w, "embeddings.LayerNorm")
    for layer in range(6):
        p = f"encoder.layer.{layer}."
        split = lambda t: t.reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
        q, k, v = (split(linear(x, w, p + "attention.self." + n)) for n in ("query", "key", "value"))
        s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        c = (s @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(c, w, p + "attention.output.dense"), w, p + "attention.output.LayerNorm")
        h = linear(x, w, p + "intermediate.dense")
        h = h * 0.5 * (1 + erf(h / math.sqrt(2)))
        x = norm(x + linear(h, w, p + "output.dense"), w, p + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def main():
    folder = sys.argv[1]
    tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_LEN)
    weights = {k: v.astype(np.float64) if v.dtype == np.float32 else v
               for k, v in load_file(folder + "/model.safetensors").items()}
    if len(sys.argv) > 2:
        worst = 0
        for item in json.load(open(sys.argv[2], encoding="utf-8"))["items"]:
            ids = tokenizer.encode(item["text"]).ids
            assert ids == item["input_ids"], item["text"]
            worst = max(worst, np.abs(encode(weights, ids) - item["embedding"]).max())
        print(f"largest difference from the reference: {worst:.3g}", file=sys.stderr)
    sha = hashlib.sha256(open(folder + "/model.safetensors", "rb").read()).hexdigest()
    print(json.dumps({"generator": "tests/peers/minilm.py", "numpy": np.__version__,
                      "tokenizers": tokenizers.__version__, "model": "all-MiniLM-L6-v2",
                      "safetensors_sha256": sha}))
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        vector = encode(weights, ids).astype("<f4")
        print(json.dumps({"text": text, "ids": ids,
                          "embedding": base64.b64encode(vector.tobytes()).decode()},
                         ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
