#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A BERT sentence encoder's float32 weights for other engines, numbers unchanged.

usage: minilm_convert.py onnx|int8.onnx|gguf MODEL_DIR OUT

onnx: ids and mask (batch, length) to hidden states (batch, length, hidden), with the fused
operators of opset 20; needs the packages onnx and numpy. int8.onnx: the same after onnxruntime's
dynamic quantisation, weights int8 with a scale a channel. gguf: for llama.cpp, mean pooling.
"""
import json
import os
import struct
import sys


class Weights:
    """model.safetensors, mapped by name; every tensor must be F32."""

    def __init__(self, folder):
        with open(os.path.join(folder, "model.safetensors"), "rb") as f:
            data = f.read()
        n = struct.unpack("<Q", data[:8])[0]
        self.header = json.loads(data[8:8 + n])
        self.data = data[8 + n:]
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
            self.config = json.load(f)
        self.prefix = "" if "embeddings.word_embeddings.weight" in self.header else "bert."

    def find(self, name):
        entry = self.header[self.prefix + name]
        assert entry["dtype"] == "F32", name
        begin, end = entry["data_offsets"]
        return entry["shape"], self.data[begin:end]


def to_onnx(w, out):
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    nodes, constants = [], []
    hidden, heads = w.config["hidden_size"], w.config["num_attention_heads"]
    eps, d = w.config.get("layer_norm_eps", 1e-12), hidden // heads

    def constant(name, array):
        constants.append(numpy_helper.from_array(array, name))
        return name

    def tensor(name, turn=False):
        shape, data = w.find(name)
        array = numpy.frombuffer(data, dtype="<f4").reshape(shape)
        return constant(name, numpy.ascontiguousarray(array.T) if turn else array)

    def node(kind, inputs, **how):
        name = f"{kind}{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [name], **how))
        return name

    def linear(x, name):
        return node("Add", [node("MatMul", [x, tensor(name + ".weight", True)]), tensor(name + ".bias")])

    def norm(x, name):
        return node("LayerNormalization", [x, tensor(name + ".weight"), tensor(name + ".bias")], epsilon=eps)

    def split(x, order):
        return node("Transpose", [node("Reshape", [x, split_shape])], perm=order)

    split_shape = constant("split", numpy.array([0, 0, heads, d], dtype=numpy.int64))
    joined_shape = constant("joined", numpy.array([0, 0, hidden], dtype=numpy.int64))
    mask = node("Unsqueeze", [node("Cast", ["mask"], to=TensorProto.FLOAT), constant("axes", numpy.array([1, 2]))])
    mask = node("Mul", [node("Sub", [mask, constant("one", numpy.float32(1))]), constant("big", numpy.float32(1e9))])
    positions = node("Gather", [tensor("embeddings.position_embeddings.weight"), "positions"])
    types = node("Gather", [tensor("embeddings.token_type_embeddings.weight"), constant("type", numpy.array(0))])
    x = node("Gather", [tensor("embeddings.word_embeddings.weight"), "ids"])
    x = norm(node("Add", [node("Add", [x, positions]), types]), "embeddings.LayerNorm")
    for i in range(w.config["num_hidden_layers"]):
        at = f"encoder.layer.{i}."
        q = split(linear(x, at + "attention.self.query"), [0, 2, 1, 3])
        k = split(linear(x, at + "attention.self.key"), [0, 2, 3, 1])
        v = split(linear(x, at + "attention.self.value"), [0, 2, 1, 3])
        q = node("Mul", [q, constant(f"scale{i}", numpy.float32(d ** -0.5))])
        p = node("Softmax", [node("Add", [node("MatMul", [q, k]), mask])], axis=-1)
        y = node("Transpose", [node("MatMul", [p, v])], perm=[0, 2, 1, 3])
        y = linear(node("Reshape", [y, joined_shape]), at + "attention.output.dense")
        x = norm(node("Add", [x, y]), at + "attention.output.LayerNorm")
        y = linear(node("Gelu", [linear(x, at + "intermediate.dense")]), at + "output.dense")
        x = norm(node("Add", [x, y]), at + "output.LayerNorm")
    nodes.append(helper.make_node("Identity", [x], ["states"]))
    ints = [helper.make_tensor_value_info(n, TensorProto.INT64, shape)
            for n, shape in (("ids", ["b", "n"]), ("mask", ["b", "n"]), ("positions", ["n"]))]
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["b", "n", hidden])
    graph = helper.make_graph(nodes, "bert", ints, [states], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), out)


def to_gguf(w, folder, out):
    c = w.config
    with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as f:
        vocab = f.read().rstrip("\n").split("\n")
    special = {"[PAD]": "padding", "[UNK]": "unknown", "[CLS]": "cls", "[SEP]": "seperator", "[MASK]": "mask"}
    uint, real, boolean, text, array, sint = 4, 6, 7, 8, 9, 5  # GGUF's numbers for types

    def string(s):
        return struct.pack("<Q", len(s.encode())) + s.encode()

    def value(kind, v):
        return string(v) if kind == text else struct.pack({uint: "<I", real: "<f", boolean: "<?", sint: "<i"}[kind], v)

    def field(key, kind, v):
        return string(key) + struct.pack("<I", kind) + value(kind, v)

    def row(key, kind, v):
        return string(key) + struct.pack("<IIQ", array, kind, len(v)) + b"".join(value(kind, x) for x in v)

    def piece(t):  # where a word begins there is U+2581
        return t if t in special or t.startswith("[") and t.endswith("]") else t[2:] if t.startswith("##") else "\u2581" + t

    fields = [field("general.architecture", text, "bert"), field("general.name", text, "minilm"),
              field("bert.context_length", uint, c["max_position_embeddings"]),
              field("bert.embedding_length", uint, c["hidden_size"]),
              field("bert.feed_forward_length", uint, c["intermediate_size"]),
              field("bert.block_count", uint, c["num_hidden_layers"]),
              field("bert.attention.head_count", uint, c["num_attention_heads"]),
              field("bert.attention.layer_norm_epsilon", real, c.get("layer_norm_eps", 1e-12)),
              field("bert.attention.causal", boolean, False), field("bert.pooling_type", uint, 1),
              field("tokenizer.ggml.model", text, "bert"),
              field("tokenizer.ggml.token_type_count", uint, c["type_vocab_size"]),
              field("tokenizer.ggml.bos_token_id", uint, vocab.index("[CLS]")),
              field("tokenizer.ggml.eos_token_id", uint, vocab.index("[SEP]")),
              row("tokenizer.ggml.tokens", text, [piece(t) for t in vocab]),
              row("tokenizer.ggml.token_type", sint, [3 if t in special else 1 for t in vocab])]
    fields += [field(f"tokenizer.ggml.{k}_token_id", uint, vocab.index(t)) for t, k in special.items()]
    parts = {"attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
             "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
             "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm"}
    names = {"embeddings.word_embeddings.weight": "token_embd.weight",
             "embeddings.position_embeddings.weight": "position_embd.weight",
             "embeddings.token_type_embeddings.weight": "token_types.weight"}
    for p in ("weight", "bias"):
        names["embeddings.LayerNorm." + p] = "token_embd_norm." + p
        for i in range(c["num_hidden_layers"]):
            names.update({f"encoder.layer.{i}.{a}.{p}": f"blk.{i}.{b}.{p}" for a, b in parts.items()})
    infos, blob = b"", b""
    for name, to in names.items():
        shape, data = w.find(name)
        infos += string(to) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape[::-1])
        infos += struct.pack("<IQ", 0, len(blob))
        blob += data + b"\0" * (-len(data) % 32)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(names), len(fields)) + b"".join(fields) + infos
    with open(out, "wb") as f:
        f.write(head + b"\0" * (-len(head) % 32) + blob)


def main():
    kind, folder, out = sys.argv[1:]
    w = Weights(folder)
    if kind == "onnx":
        to_onnx(w, out + ".new")
    elif kind == "int8.onnx":
        import onnxruntime.quantization as q
        to_onnx(w, out + ".f32")
        q.quantize_dynamic(out + ".f32", out + ".new", per_channel=True, weight_type=q.QuantType.QInt8)
        os.remove(out + ".f32")
    else:
        to_gguf(w, folder, out + ".new")
    os.replace(out + ".new", out)


main()
