#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a BERT folder in Hugging Face layout from an int8 ONNX file: dequantise.py KIND FROM TO

KIND is bge-small-en-v1.5 or ms-marco-MiniLM-L-12-v2; FROM holds model.onnx, tokenizer.json,
tokenizer_config.json and vocab.txt. Needs numpy and onnx. The weights are (q - zero point) * scale
in float32: what the int8 model multiplies by, without the rounding of activations.
"""
import json
import pathlib
import shutil
import struct
import sys

import numpy as np
import onnx
from onnx import numpy_helper

BERT = {"model_type": "bert", "hidden_size": 384, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 1536, "max_position_embeddings": 512,
        "type_vocab_size": 2, "vocab_size": 30522, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "position_embedding_type": "absolute", "pad_token_id": 0}
MODULE = "sentence_transformers.models."
QUERY = "Represent this sentence for searching relevant passages: "
FILES = {
    "bge-small-en-v1.5": {
        "config.json": dict(BERT, architectures=["BertModel"]),
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": MODULE + "Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": MODULE + "Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": MODULE + "Normalize"}],
        "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_cls_token": True,
                                  "pooling_mode_mean_tokens": False},
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": True},
        "config_sentence_transformers.json": {"prompts": {"query": QUERY, "document": ""},
                                              "default_prompt_name": None},
    },
    "ms-marco-MiniLM-L-12-v2": {
        "config.json": dict(BERT, architectures=["BertForSequenceClassification"],
                            id2label={"0": "LABEL_0"}, label2id={"LABEL_0": 0},
                            sbert_ce_default_activation_function="torch.nn.modules.linear.Identity"),
    },
}


def weights(path):
    """Name to float32 array, as the model had them before it was quantised."""
    graph = onnx.load(path).graph
    init = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    mark = "_quantized"
    out = {n: a for n, a in init.items()
           if a.dtype == np.float32 and a.ndim and not n.endswith("_scale") and "." in n}

    def plain(name):
        base = name[:-len(mark)]
        zero = init[base + "_zero_point"].astype(np.float32)
        return (init[name].astype(np.float32) - zero) * init[base + "_scale"].astype(np.float32)

    for name in [n for n in init if n.endswith(mark)]:
        base, node = name[:-len(mark)], users[name][0]
        if node.op_type != "MatMulInteger":  # an embedding table
            out[base] = plain(name)
            continue
        step = node  # product, cast, scaling, then the bias, whose name tells the layer's
        bias = None
        while bias is None:
            step = users[step.output[0]][0]
            if step.op_type == "Add":
                bias = next(i for i in step.input if i in init)
        out[bias[:-len("bias")] + "weight"] = plain(name).T
    return out


def write_safetensors(path, tensors):
    header, at = {}, 0
    for name in sorted(tensors):
        n = tensors[name].size * 4
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape),
                        "data_offsets": [at, at + n]}
        at += n
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for name in sorted(tensors):
            f.write(np.ascontiguousarray(tensors[name], dtype="<f4").tobytes())


def main():
    kind, source, target = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    target.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copyfile(source / name, target / name)
    for name, content in FILES[kind].items():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_text(json.dumps(content, indent=1) + "\n")
    write_safetensors(target / "model.safetensors", weights(source / "model.onnx"))


if __name__ == "__main__":
    main()
