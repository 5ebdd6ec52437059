#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a tiny BERT folder (1 layer, width 64, seeded weights) that loads in a millisecond.

    tiny_model.py FOLDER        for tests that need some model, not a good one
    tiny_model.py FOLDER cross  a cross-encoder
    tiny_model.py FOLDER shards the same model in two files and an index
"""
import json
import os
import random
import struct
import sys

H, FFN, POSITIONS = 64, 96, 32
PIECES = list("abcdefghijklmnopqrstuvwxyz0123456789.,=()") + ["δ", "‰"]
WORDS = ["basalt", "mantle", "the", "of", "is", "what", "morb", "ratio"]


def main():
    folder, kind = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    rnd = random.Random(3)
    vocab = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + WORDS + PIECES + ["##" + p for p in PIECES]
    shapes = {"embeddings.word_embeddings.weight": [len(vocab), H],
              "embeddings.position_embeddings.weight": [POSITIONS, H],
              "embeddings.token_type_embeddings.weight": [2, H]}
    layer = "encoder.layer.0."
    linear = {"attention.self.query": (H, H), "attention.self.key": (H, H),
              "attention.self.value": (H, H), "attention.output.dense": (H, H),
              "intermediate.dense": (FFN, H), "output.dense": (H, FFN)}
    for name, (out, into) in linear.items():
        shapes[layer + name + ".weight"], shapes[layer + name + ".bias"] = [out, into], [out]
    for name in ("embeddings.LayerNorm", layer + "attention.output.LayerNorm",
                 layer + "output.LayerNorm"):
        shapes[name + ".weight"], shapes[name + ".bias"] = [H], [H]
    if kind == "cross":
        shapes = {"bert." + name: shape for name, shape in shapes.items()}
        shapes.update({"bert.pooler.dense.weight": [H, H], "bert.pooler.dense.bias": [H],
                       "classifier.weight": [1, H], "classifier.bias": [1]})
    header, data = {}, bytearray()
    for name, shape in shapes.items():
        n = shape[0] * (shape[1] if len(shape) > 1 else 1)
        begin = len(data)
        wide = 9.0 if name == "classifier.weight" else 0.3  # scores well apart
        data += struct.pack(f"<{n}f", *(rnd.uniform(-wide, wide) for _ in range(n)))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
    os.makedirs(folder, exist_ok=True)

    def put(name, content):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def put_weights(name, header, data):
        head = json.dumps(header).encode()
        put(name, struct.pack("<Q", len(head)) + head + bytes(data))

    if kind == "shards":
        places = {}
        for k in (0, 1):
            part, own = bytearray(), {}
            for name in list(header)[k::2]:
                begin, end = header[name]["data_offsets"]
                own[name] = dict(header[name], data_offsets=[len(part), len(part) + end - begin])
                part += data[begin:end]
                places[name] = f"model-0000{k + 1}-of-00002.safetensors"
            put_weights(f"model-0000{k + 1}-of-00002.safetensors", own, part)
        put("model.safetensors.index.json", json.dumps({"weight_map": places}))
    else:
        put_weights("model.safetensors", header, data)
    put("vocab.txt", "\n".join(vocab) + "\n")
    labels = {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "L"},
              "sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}
    put("config.json", json.dumps({
        **(labels if kind == "cross" else {}), "model_type": "bert", "hidden_size": H, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": FFN, "max_position_embeddings": POSITIONS, "hidden_act": "gelu"}))
    put("modules.json", json.dumps([{"type": "sentence_transformers.models.Transformer", "path": ""},
                                    {"type": "sentence_transformers.models.Normalize", "path": "1"}]))
    put("sentence_bert_config.json", '{"max_seq_length": 12}')


if __name__ == "__main__":
    main()
