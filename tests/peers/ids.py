#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write tests/peers/ids.ndjson: digests of the ids Hugging Face tokenizers give to whole folders.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install tokenizers==0.23.3
    /tmp/v/bin/python tests/peers/ids.py MODEL_DIR $GR_SHARED/data > tests/peers/ids.ndjson

Every line of every text file is a text. A digest is the SHA-256 of the ids of a folder's files,
in the byte order of their paths, as little-endian int32, each line ended by -1. Form "uncased" is
the model's own tokenizer.json; "other" lowers nothing, strips accents, keeps CJK ideographs
together, takes words of 30 characters at most, and knows "SiO2" as an added token.
"""
import hashlib
import json
import pathlib
import sys

import numpy as np
from tokenizers import Tokenizer

KINDS = {".ndjson", ".xml", ".txt", ".tsv", ".json", ".md"}


def forms(model):
    whole = json.loads((model / "tokenizer.json").read_text())
    whole["truncation"] = whole["padding"] = None
    yield "uncased", Tokenizer.from_str(json.dumps(whole))
    whole["normalizer"].update(lowercase=False, strip_accents=True, handle_chinese_chars=False)
    whole["model"]["max_input_chars_per_word"] = 30
    whole["added_tokens"].append(dict(whole["added_tokens"][0], id=30522, content="SiO2"))
    yield "other", Tokenizer.from_str(json.dumps(whole))


def main():
    model, data = map(pathlib.Path, sys.argv[1:])
    for form, tok in forms(model):
        for folder in sorted(p for p in data.iterdir() if p.is_dir()):
            files = sorted((p for p in folder.rglob("*") if p.is_file() and p.suffix in KINDS),
                           key=lambda p: str(p).encode())
            digest, n = hashlib.sha256(), 0
            for path in files:
                lines = path.read_bytes().split(b"\n")
                for enc in tok.encode_batch([x.decode(errors="replace") for x in lines],
                                            add_special_tokens=False):
                    digest.update(np.array(enc.ids + [-1], dtype="<i4").tobytes())
                    n += len(enc.ids)
            print(json.dumps({"form": form, "folder": folder.name, "files": len(files),
                              "tokens": n, "sha256": digest.hexdigest()}), flush=True)


if __name__ == "__main__":
    main()
