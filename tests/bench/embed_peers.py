#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gr-embed beside onnxruntime, llama.cpp, sentence-transformers and model2vec, from text to vector.

usage: embed_peers.py GR_EMBED MODEL_DIR WORK      (started by embed.sh; WORK holds minilm.onnx,
                    minilm.int8.onnx, minilm.gguf and static.table, where they could be made)

The same texts for all: words of the vocabulary, 14 of them in a sentence and 254 in a passage, so
that nothing is padded. Engines take turns, ROUNDS times; a figure is the best of an engine's turns,
in texts per CPU second of one thread, or per second of two. gr-embed is the whole program, reading
and writing records; what one run with one text costs is taken off. A peer that is not there is left
out, and that is said.
"""
import base64
import json
import os
import random
import resource
import struct
import subprocess
import sys
import time
import urllib.request

ROUNDS = int(os.environ.get("ROUNDS", "4"))
SENTENCES, PASSAGES, QUERIES = 256, 16, 60


def make_texts(folder):
    with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as f:
        words = [w for w in f.read().split("\n") if w.isascii() and w.isalpha() and w.islower() and len(w) > 3]
    rnd = random.Random(5)
    return {"16 tokens, 64 at once": ([" ".join(rnd.choices(words, k=14)) for _ in range(SENTENCES)], 64),
            "256 tokens, 8 at once": ([" ".join(rnd.choices(words, k=254)) for _ in range(PASSAGES)], 8),
            "16 tokens, one at a time": ([" ".join(rnd.choices(words, k=14)) for _ in range(QUERIES)], 1)}


def cosines(a, b):
    """Mean and least cosine of two lists of unit vectors."""
    all_ = [sum(x * y for x, y in zip(u, v)) for u, v in zip(a, b)]
    return sum(all_) / len(all_), min(all_)


def cpu_of(pid):
    """CPU seconds of a process, to the nanosecond where the kernel tells."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as f:
            total += int(f.read().split()[0])
    return total / 1e9


class Own:
    """gr-embed itself. One at a time: each text is sent when the last vector has come."""

    def __init__(self, program, model, precision, jobs=1, table=None):
        self.args = [program, "-q", "-j", str(jobs), "--model", table or model]
        if not table:
            self.args += ["--precision", precision]
        self.name = "gr-embed static" if table else f"gr-embed {precision}"
        self.jobs = jobs
        self.start = None

    def once(self, texts):
        lines = "".join(json.dumps({"text": t}) + "\n" for t in texts).encode()
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        out = subprocess.run(self.args, input=lines, stdout=subprocess.PIPE, check=True).stdout
        wall, after = time.monotonic() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return out, wall if self.jobs > 1 else cpu

    def one_by_one(self, texts):
        child = subprocess.Popen(self.args + ["--line-buffered"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        out, took = [], 0
        for i, t in enumerate(texts[:1] + texts):
            child.stdin.write(json.dumps({"text": t}).encode() + b"\n")
            child.stdin.flush()
            out.append(child.stdout.readline())
            if i == 0:
                took = -cpu_of(child.pid)
        took += cpu_of(child.pid)
        child.stdin.close()
        child.wait()
        return out[1:], took

    def run(self, texts, batch):
        if batch == 1:
            lines, took = self.one_by_one(texts)
        else:
            alone = min(self.once(texts[:1])[1] for _ in range(3))
            self.start = min(self.start or alone, alone)
            out, took = self.once(texts)
            lines, took = out.splitlines(), took - self.start
        vectors = []
        for line in lines:
            raw = base64.b64decode(json.loads(line)["embedding"])
            vectors.append(struct.unpack(f"<{len(raw) // 4}f", raw))
        return vectors, max(took, 1e-4)


class Onnx:
    def __init__(self, path, folder, name, threads=1):
        import numpy
        import onnxruntime
        import tokenizers
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)
        self.numpy, self.name, self.jobs = numpy, name, threads

    def embed(self, texts):
        np = self.numpy
        ids = np.array([e.ids for e in self.tokenizer.encode_batch(texts)], dtype=np.int64)
        ones = np.ones_like(ids)
        feed = {"ids": ids, "input_ids": ids, "mask": ones, "attention_mask": ones,
                "token_type_ids": np.zeros_like(ids), "positions": np.arange(ids.shape[1])}
        states = self.session.run(None, {k: v for k, v in feed.items() if k in self.inputs})[0]
        v = states.mean(axis=1)
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def run(self, texts, batch):
        out, clock = [], time.monotonic if self.jobs > 1 else time.process_time
        took = clock()
        for i in range(0, len(texts), batch):
            out.extend(self.embed(texts[i:i + batch]))
        took = clock() - took
        return [list(map(float, v)) for v in out], took


def serve(path, port):
    """llama.cpp's server, in a process of its own: embed_peers.py --serve GGUF PORT."""
    import xllamacpp
    p = xllamacpp.CommonParams()
    p.model.path, p.model_alias, p.hostnames, p.port, p.ui = path, {"minilm"}, ["127.0.0.1"], port, False
    p.embedding, p.n_parallel, p.n_ctx, p.n_batch, p.n_ubatch = True, 1, 512, 512, 512
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(p)
    sys.stdin.read()
    del server
    os._exit(0)


class Llama:
    name, jobs = "llama.cpp server", 1

    def __init__(self, path):
        import xllamacpp  # noqa: F401  is it there?
        port = 20000 + os.getpid() % 20000
        self.url = f"http://127.0.0.1:{port}"
        self.open = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
        self.child = subprocess.Popen([sys.executable, __file__, "--serve", path, str(port)], stdin=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        for _ in range(300):
            try:
                self.open(self.url + "/health", timeout=5).read()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def run(self, texts, batch):
        took, out = cpu_of(self.child.pid), []
        for i in range(0, len(texts), batch):
            body = json.dumps({"input": texts[i:i + batch]}).encode()
            request = urllib.request.Request(self.url + "/v1/embeddings", body, {"Content-Type": "application/json"})
            out.extend(d["embedding"] for d in json.load(self.open(request, timeout=300))["data"])
        return out, cpu_of(self.child.pid) - took


class Static:
    """model2vec's own class with a table of as many numbers; what they are does not matter here."""
    name, jobs = "model2vec", 1

    def __init__(self, folder):
        import numpy
        import tokenizers
        from model2vec import StaticModel
        tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        vectors = numpy.random.default_rng(1).standard_normal((tokenizer.get_vocab_size(), 256), dtype=numpy.float32)
        self.model = StaticModel(vectors=vectors, tokenizer=tokenizer, config={"normalize": True})

    def run(self, texts, batch):
        del batch
        took = time.process_time()
        out = self.model.encode(texts, batch_size=1024, use_multiprocessing=False)
        return out, time.process_time() - took


def there(make, what):
    try:
        return [make()]
    except Exception as e:  # not installed, or of another version
        print(f"  {what} left out: {type(e).__name__}: {str(e)[:80]}")
        return []


def compare(engines, workloads, first):
    """A table a workload; ratios to the engine called `first`, cosines to its vectors."""
    best, vectors = {}, {}
    for _ in range(ROUNDS):
        for what, (texts, batch) in workloads.items():
            for e in engines:
                v, took = e.run(texts, batch)
                if took is not None:
                    best[what, e.name] = min(took, best.get((what, e.name), took))
                    vectors[what, e.name] = v
    for what, (texts, _) in workloads.items():
        print(f"  {what}")
        base = best.get((what, first))
        for e in engines:
            took = best.get((what, e.name))
            if took is None:
                continue
            line = f"    {e.name:24s} {len(texts) / took:9.1f}/s"
            if base:
                line += f"  {base / took:6.2f} x"
            if base and "static" not in e.name and e.name != first and len(vectors[what, e.name][0]) == len(vectors[what, first][0]):
                line += "  cosine %.5f mean, %.5f least" % cosines(vectors[what, e.name], vectors[what, first])
            print(line)


def cold(args, text):
    """Least CPU and wall seconds of a whole process that embeds one text."""
    cpu = wall = 1e9
    for _ in range(max(ROUNDS, 3)):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(args, input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        wall, after = min(wall, time.monotonic() - start), resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = min(cpu, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return cpu, wall


def cold_starts(program, folder, work):
    text = "what is the age of the zircon grains\n"
    rows = [("gr-embed " + p, [program, "-q", "-m", folder, "--precision", p]) for p in ("auto", "f32", "int8")]
    rows.append(("onnxruntime f32", [sys.executable, __file__, "--once", os.path.join(work, "minilm.onnx"), folder]))
    rows.append(("sentence-transformers", [sys.executable, "-c", "import sys, sentence_transformers as s; "
                                           "s.SentenceTransformer(sys.argv[1]).encode(sys.stdin.read())", folder]))
    print("cold start and one question: the whole process")
    first = None
    for name, args in rows:
        try:
            cpu, wall = cold(args, text)
        except (OSError, subprocess.CalledProcessError):
            print(f"    {name:24s} left out")
            continue
        first = first or (cpu, wall)
        print(f"    {name:24s} {cpu * 1e3:8.0f} ms CPU {wall * 1e3:8.0f} ms wall  {cpu / first[0]:6.1f} x {wall / first[1]:6.1f} x")


def main():
    if sys.argv[1] == "--serve":
        serve(sys.argv[2], int(sys.argv[3]))
    if sys.argv[1] == "--once":
        Onnx(sys.argv[2], sys.argv[3], "").embed([sys.stdin.read()])
        return
    program, folder, work = sys.argv[1:]
    texts = make_texts(folder)
    onnx, int8 = os.path.join(work, "minilm.onnx"), os.path.join(work, "minilm.int8.onnx")
    own = [Own(program, folder, p) for p in ("f32", "auto", "int8")]
    peers = there(lambda: Onnx(onnx, folder, "onnxruntime f32"), "onnxruntime")
    peers += there(lambda: Onnx(int8, folder, "onnxruntime int8"), "onnxruntime int8")
    llama = there(lambda: Llama(os.path.join(work, "minilm.gguf")), "llama.cpp")
    print("one thread, CPU time; times and cosines relative to onnxruntime f32")
    compare(peers + own + llama, texts, "onnxruntime f32")
    for server in llama:
        server.child.stdin.close()
        server.child.wait(10)
    if peers and os.cpu_count() > 1:
        print("two threads, wall time")
        many = {k: (t * 2, b) for k, (t, b) in texts.items() if b > 1}
        two = [Onnx(onnx, folder, "onnxruntime f32", 2), Own(program, folder, "f32", 2), Own(program, folder, "auto", 2)]
        compare(two, many, "onnxruntime f32")
    table = os.path.join(work, "static.table")
    if os.path.exists(table):
        print("static tables of 256 numbers, one thread, CPU time")
        sentences = {k: (t * 40, 64) for k, (t, b) in texts.items() if b == 64}
        compare(there(lambda: Static(folder), "model2vec") + [Own(program, folder, "", 1, table)], sentences, "model2vec")
    cold_starts(program, folder, work)


main()
