#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Other splitters: their speed on a text, and their chunks of corpora.

usage: chunk_peers.py speed TEXT RANKS
       chunk_peers.py spans CORPORA RANKS SIZE OVERLAP OUT-DIR

Tokens are those of cl100k where the splitter counts tokens. `speed` prints MB/s of CPU time, best of
five, one thread. `spans` writes OUT-DIR/NAME.ndjson: {"id","paper","start","end","text"}, positions
in code points. A peer that is not installed, or of another version, is named and left out.
"""
import json
import os
import shutil
import sys
import tempfile
import time

cache = tempfile.mkdtemp()
if os.path.exists(sys.argv[3]):
    shutil.copy(sys.argv[3], os.path.join(cache, "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"))
os.environ["TIKTOKEN_CACHE_DIR"] = cache


def encoder():
    import tiktoken
    return tiktoken.get_encoding("cl100k_base")


def length():
    e = encoder()
    return lambda text: len(e.encode_ordinary(text))


# Each makes a function text -> chunks; a chunk is a text, or has start_index or a pair of places.

def langchain(size, overlap):
    from langchain_text_splitters import RecursiveCharacterTextSplitter as R
    return R.from_tiktoken_encoder("cl100k_base", chunk_size=size, chunk_overlap=overlap).split_text


def langchain_stops(size, overlap):
    """With ends of sentences among the separators, as in the evaluation of 2024."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter as R
    return R(chunk_size=size, chunk_overlap=overlap, length_function=length(),
             separators=["\n\n", "\n", ".", "?", "!", " ", ""]).split_text


def semchunk(size, overlap):
    import semchunk
    return semchunk.chunkerify(encoder(), size, memoize=False).__call__


def semantic(size, overlap):
    from semantic_text_splitter import TextSplitter
    return TextSplitter.from_tiktoken_model("gpt-4", size, overlap).chunks


def chonkie_token(size, overlap):
    from chonkie import TokenChunker
    return TokenChunker(encoder(), chunk_size=size, chunk_overlap=overlap)


def chonkie_sentence(size, overlap):
    from chonkie import SentenceChunker
    return SentenceChunker(encoder(), chunk_size=size, chunk_overlap=overlap)


def llama_index(size, overlap):
    from llama_index.core.node_parser import SentenceSplitter
    s = SentenceSplitter(chunk_size=size, chunk_overlap=overlap, tokenizer=encoder().encode_ordinary)
    return s.split_text


splitters = {
    "langchain-recursive": langchain,
    "langchain-recursive-stops": langchain_stops,
    "semchunk": semchunk,
    "semantic-text-splitter": semantic,
    "chonkie-token": chonkie_token,
    "chonkie-sentence": chonkie_sentence,
    "llama-index-sentence": llama_index,
}


def report(name, text, size, run):
    best = None
    for _ in range(5):
        t = time.process_time()
        run(text)
        t = time.process_time() - t
        best = t if best is None or t < best else best
    print(f"  {name:38s} {size / best / 1e6:7.2f} MB/s")


def attempt(name, make):
    """What make() gives, or None with a line that says why not."""
    try:
        return make()
    except Exception as e:  # not there, or of another version
        print(f"  {name:38s} skipped: {type(e).__name__}: {str(e)[:80]}")
        return None


def speed(path):
    text = open(path, encoding="utf-8").read()
    size, lines = len(text.encode()), text.split("\n")
    e = attempt("tiktoken", encoder)
    if e:
        report("tiktoken encode_ordinary, whole", text, size, e.encode_ordinary)
        report("tiktoken encode_ordinary, by line", text, size,
               lambda _: [e.encode_ordinary(x) for x in lines])
        report("tiktoken encode_ordinary_batch, 1 thread", text, size,
               lambda _: e.encode_ordinary_batch(lines, num_threads=1))
    part = text[:2000000]
    for name, make in splitters.items():
        run = attempt(name, lambda: make(512, 0 if name == "semchunk" else 100))
        if run:
            report(name, part, len(part.encode()), run)


def places(text, chunks):
    """Where each chunk is: as the splitter says, or by looking from the chunk before on."""
    at = 0
    for c in chunks:
        if hasattr(c, "start_index"):
            yield c.start_index, c.end_index
            continue
        start = text.find(c, at)
        if start < 0:  # changed by the splitter
            print(f"  a chunk is no slice: {c[:40]!r}", file=sys.stderr)
            continue
        yield start, start + len(c)
        at = start + 1


def spans(path, size, overlap, out):
    corpora = [json.loads(line) for line in open(path, encoding="utf-8")]
    os.makedirs(out, exist_ok=True)
    for name, make in splitters.items():
        run = attempt(name, lambda: make(size, overlap))
        if not run:
            continue
        with open(os.path.join(out, name + ".ndjson"), "w", encoding="utf-8") as f:
            for r in corpora:
                for i, (a, b) in enumerate(places(r["text"], run(r["text"]))):
                    f.write(json.dumps({"id": f"{r['id']}#{i}", "paper": r["id"], "start": a,
                                        "end": b, "text": r["text"][a:b]}) + "\n")


if sys.argv[1] == "speed":
    speed(sys.argv[2])
else:
    spans(sys.argv[2], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
shutil.rmtree(cache)
