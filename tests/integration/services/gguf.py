#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a BERT folder's float32 weights as a GGUF file for llama.cpp: gguf.py FOLDER FILE

Mean pooling; the numbers are copied as they are. Standard library only.
"""
import json
import os
import struct
import sys

U32, F32, BOOL, STRING, ARRAY, I32 = 4, 6, 7, 8, 9, 5  # types of values
ALIGN = 32
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PARTS = {"attention.self.query": "attn_q", "attention.self.key": "attn_k",
         "attention.self.value": "attn_v", "attention.output.dense": "attn_output",
         "attention.output.LayerNorm": "attn_output_norm", "intermediate.dense": "ffn_up",
         "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}


def text(s):
    data = s.encode()
    return struct.pack("<Q", len(data)) + data


def number(kind, v):
    return text(v) if kind == STRING else struct.pack({U32: "<I", I32: "<i", F32: "<f", BOOL: "<?"}[kind], v)


def value(key, kind, v):
    if isinstance(v, list):
        head = struct.pack("<IIQ", ARRAY, kind, len(v))
        return text(key) + head + b"".join(number(kind, x) for x in v)
    return text(key) + struct.pack("<I", kind) + number(kind, v)


def piece(p):
    """llama.cpp marks the start of a word, not its continuation."""
    if p.startswith("[") and p.endswith("]"):
        return p
    return p[2:] if p.startswith("##") else "\u2581" + p


def facts(folder, config):
    with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as f:
        vocab = f.read().rstrip("\n").split("\n")
    of = {p: i for i, p in enumerate(vocab)}
    t = "tokenizer.ggml."
    yield "general.architecture", STRING, "bert"
    yield "general.name", STRING, os.path.basename(os.path.abspath(folder))
    yield "general.file_type", U32, 0
    yield "bert.context_length", U32, config["max_position_embeddings"]
    yield "bert.embedding_length", U32, config["hidden_size"]
    yield "bert.feed_forward_length", U32, config["intermediate_size"]
    yield "bert.block_count", U32, config["num_hidden_layers"]
    yield "bert.attention.head_count", U32, config["num_attention_heads"]
    yield "bert.attention.layer_norm_epsilon", F32, config["layer_norm_eps"]
    yield "bert.attention.causal", BOOL, False
    yield "bert.pooling_type", U32, 1
    yield t + "model", STRING, "bert"
    yield t + "token_type_count", U32, config["type_vocab_size"]
    yield t + "tokens", STRING, [piece(p) for p in vocab]
    yield t + "token_type", I32, [3 if p in SPECIAL else 1 for p in vocab]
    # The misspelt name is the format's own.
    for name, p in (("bos", "[CLS]"), ("eos", "[SEP]"), ("unknown", "[UNK]"), ("seperator", "[SEP]"),
                    ("padding", "[PAD]"), ("cls", "[CLS]"), ("mask", "[MASK]")):
        yield f"{t}{name}_token_id", U32, of[p]


def names(layers):
    e = "embeddings."
    yield e + "word_embeddings.weight", "token_embd.weight"
    yield e + "position_embeddings.weight", "position_embd.weight"
    yield e + "token_type_embeddings.weight", "token_types.weight"
    for kind in ("weight", "bias"):
        yield f"{e}LayerNorm.{kind}", f"token_embd_norm.{kind}"
        for i in range(layers):
            for ours, theirs in PARTS.items():
                yield f"encoder.layer.{i}.{ours}.{kind}", f"blk.{i}.{theirs}.{kind}"


def main():
    folder, target = sys.argv[1:]
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        config = json.load(f)
    with open(os.path.join(folder, "model.safetensors"), "rb") as f:
        n = struct.unpack("<Q", f.read(8))[0]
        header, weights = json.loads(f.read(n)), f.read()
    about, data, n_tensors = b"", b"", 0
    for ours, theirs in names(config["num_hidden_layers"]):
        t = header[ours]
        if t["dtype"] != "F32":
            sys.exit(f"{ours}: {t['dtype']}, expected F32")
        shape = t["shape"][::-1]
        about += text(theirs) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        begin, end = t["data_offsets"]
        data += weights[begin:end] + b"\0" * (-(end - begin) % ALIGN)
        n_tensors += 1
    values = [value(*fact) for fact in facts(folder, config)]
    head = b"GGUF" + struct.pack("<IQQ", 3, n_tensors, len(values)) + b"".join(values) + about
    with open(target + ".part", "wb") as f:
        f.write(head + b"\0" * (-len(head) % ALIGN) + data)
    os.replace(target + ".part", target)


if __name__ == "__main__":
    main()
