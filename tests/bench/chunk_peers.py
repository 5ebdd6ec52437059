#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed of other splitters on a text, one thread, with cl100k where they count tokens.

usage: chunk_peers.py TEXT RANKS
"""
import os
import shutil
import sys
import tempfile
import time

text = open(sys.argv[1], encoding="utf-8").read()
cache = tempfile.mkdtemp()
if os.path.exists(sys.argv[2]):
    shutil.copy(sys.argv[2], os.path.join(cache, "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"))
os.environ["TIKTOKEN_CACHE_DIR"] = cache
size = len(text.encode())


def report(name, make):
    try:
        run = make()
        best = None
        for _ in range(3):
            t = time.process_time()
            run(text)
            t = time.process_time() - t
            best = t if best is None or t < best else best
        print(f"  {name:38s} {size / best / 1e6:7.1f} MB/s")
    except Exception as e:  # a peer that is not there, or of another version
        print(f"  {name:38s} skipped: {type(e).__name__}: {e}")


def tiktoken_encode():
    import tiktoken
    return tiktoken.get_encoding("cl100k_base").encode_ordinary


def langchain():
    from langchain_text_splitters import RecursiveCharacterTextSplitter as R
    return R.from_tiktoken_encoder("cl100k_base", chunk_size=512, chunk_overlap=100).split_text


def langchain_chars():
    from langchain_text_splitters import RecursiveCharacterTextSplitter as R
    return R(chunk_size=2000, chunk_overlap=400).split_text


def semantic():
    from semantic_text_splitter import TextSplitter
    return TextSplitter((1500, 2000), 400).chunks


def chonkie_token():
    import tiktoken
    from chonkie import TokenChunker
    return TokenChunker(tiktoken.get_encoding("cl100k_base"), chunk_size=512, chunk_overlap=100)


def chonkie_sentence():
    import tiktoken
    from chonkie import SentenceChunker
    return SentenceChunker(tiktoken.get_encoding("cl100k_base"), chunk_size=512, chunk_overlap=100)


report("tiktoken encode", tiktoken_encode)
report("langchain recursive, tiktoken", langchain)
report("langchain recursive, characters", langchain_chars)
report("semantic-text-splitter, characters", semantic)
report("chonkie token", chonkie_token)
report("chonkie sentence", chonkie_sentence)
shutil.rmtree(cache)
