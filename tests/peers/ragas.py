#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write tests/peers/ragas.ndjson: texts, contexts and rankings with the scores of other programs.

    python3 -m venv /tmp/v
    /tmp/v/bin/pip install "ragas==0.4.3" "langchain-community<0.4" sacrebleu==2.5.1 \
        rouge-score==0.1.2 rapidfuzz==3.14.6 pytrec_eval-terrier==0.5.11
    /tmp/v/bin/python tests/peers/ragas.py > tests/peers/ragas.ndjson

sacrebleu gives BLEU and chrF, rouge-score ROUGE, rapidfuzz string similarity, ragas its metrics
that need no model, pytrec_eval (trec_eval 9 as a library) the rank metrics. SQuAD's token F1 is
the evaluation script's own text, below. All texts are made here, from a seed.
"""
import asyncio
import collections
import importlib.metadata as metadata
import json
import random
import re
import string
import sys

sys.path.pop(0)  # this folder: its ragas.py is not the package

import pytrec_eval
import sacrebleu
from nltk.stem.porter import PorterStemmer
from ragas.dataset_schema import SingleTurnSample
from ragas.metrics import (BleuScore, ChrfScore, ExactMatch, IDBasedContextPrecision,
                           IDBasedContextRecall, NonLLMContextPrecisionWithReference,
                           NonLLMContextRecall, NonLLMStringSimilarity, RougeScore, StringPresence)
from rapidfuzz.distance import Levenshtein
from rouge_score import rouge_scorer

random.seed(42)
PACKAGES = ["ragas", "sacrebleu", "rouge-score", "rapidfuzz", "nltk", "pytrec_eval-terrier"]


# ---- SQuAD 2.0 evaluation script -------------------------------------------------------------
def normalize_answer(s):
    def remove_articles(text):
        return re.sub(r"\b(a|an|the)\b", " ", text, flags=re.UNICODE)

    def white_space_fix(text):
        return " ".join(text.split())

    def remove_punc(text):
        exclude = set(string.punctuation)
        return "".join(ch for ch in text if ch not in exclude)

    return white_space_fix(remove_articles(remove_punc(s.lower())))


def token_f1(gold, pred):
    gold_toks, pred_toks = normalize_answer(gold).split(), normalize_answer(pred).split()
    num_same = sum((collections.Counter(gold_toks) & collections.Counter(pred_toks)).values())
    if len(gold_toks) == 0 or len(pred_toks) == 0:
        return float(gold_toks == pred_toks)
    if num_same == 0:
        return 0.0
    precision, recall = num_same / len(pred_toks), num_same / len(gold_toks)
    return 2 * precision * recall / (precision + recall)


# ---- texts -----------------------------------------------------------------------------------
PAIRS = [
    ("", ""), ("", "basalt"), ("basalt", ""), ("basalt", "basalt"), ("Basalt.", "basalt"),
    ("a", "the"), ("an the a", "the"), ("   ", " \t\n"), ("the cat", "cat"),
    ("two words", "two words"), ("three little words", "three little words"),
    ("The 87Sr/86Sr ratio of modern seawater is 0.70918.",
     "Modern seawater has an 87Sr/86Sr ratio of 0.70918 (Example et al., 2012)."),
    ("δ¹⁸O rises by 1.5–2‰, not 15‰.", "δ18O rises by 1.5-2 ‰; not by 15 ‰!"),
    ("1,000.5 and 1.000,5 are -5 to 10-20, i.e. a-b.", "1,000.5 and 1.000,5 are - 5 to 10 -20."),
    ("AT&amp;T said &quot;5 &lt; 6&quot; &gt; x", "AT&T said \"5 < 6\" > x"),
    ("end-\nof-line and <skipped> words\nhere", "endof-line and words here"),
    ("...,,,...", "a...b,,,c"), ("x.y,z .5 5. ,5 5,", "5.5,5 .x ,y"),
    ("nb\u00a0space thin\u2009space ideographic\u3000space\u0085next", "nb space thin space"),
    ("花崗岩の地球化学", "花崗岩の 地球 化学"), ("Ünïcödé Straße İstanbul", "unicode strasse istanbul"),
    ("ΟΔΟΣ δρόμος", "οδοσ ΔΡΌΜΟΣ"), ("Kelvin K and Å", "kelvin k and å"),
    ("😀 zircon 😀", "zircon 😀 🪨"), ("{curly} [square] (round) ~tilde~ `tick` |bar| a/b a\\b",
                                     "curly square round tilde tick bar a b"),
    ("e\u0301clogite", "\u00e9clogite"), ("the–end of a—dash", "end of dash"),
    ("it's the rock's 'quoted' text", "its rocks quoted text"), ("x_y a_b the_end", "xy ab end"),
    ("\x1cfile\x1dgroup\x1erecord\x1funit", "file group record unit"),
    ("2 3 ½ ² ³", "2 3 1/2 2 3"), ("no", "yes"), ("aaaa", "aa"), ("abab" * 40, "baba" * 40),
]
STEMS = ("relat condit valenc hesit digit conform radic differ vile analog vietnam predic oper feudal "
         "decis hope callous form sensit sensib triplic electr good reviv allow infer airlin gyroscop "
         "adjust defens irrit replac depend adopt homolog commun activ angular effect bowdler prob "
         "rat ceas control roll crystall fraction metasomat subduct isotop geo archaeo theo enjoy "
         "happ sky dy ty ly cry trap hop fil fall hiss fizz tann fail agree fe plaster bled sing").split()
ENDS = ("", "s", "es", "ies", "ied", "ed", "eed", "ing", "y", "ly", "ational", "tional", "enci", "anci",
        "izer", "ably", "ally", "alli", "ently", "eli", "ously", "ization", "ation", "ator", "alism",
        "iveness", "fulness", "ousness", "ality", "ivity", "ibility", "fully", "ology", "logi", "icate",
        "ative", "alize", "ical", "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible",
        "ant", "ement", "ment", "ent", "ion", "sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive",
        "ize", "e", "ll", "le", "yy", "1", "y2")
WORDS = [s + e for s in STEMS for e in ENDS] + (
    "skies dying lying tying news innings outings cannings howe proceed exceed succeed yyyy toy "
    "syzygy by ay oats trees trouble ivy private oaten orrery 87sr 10 a1 y ye yes").split()
FIELD = ("basalt zircon isotopes of the and in seawater carbonate ratios increase decreasing values 0.7 "
         "SiO2 mantle, melting; crustal (granite) δ18O fractionation during subduction. Fluids are "
         "enriched by 2.5‰ relative to MORB").split()


def sentence(n):
    return " ".join(random.choice(FIELD) for _ in range(n))


def mutate(text):
    words = text.split(" ")
    for _ in range(random.randrange(0, 1 + len(words) // 2)):
        i = random.randrange(len(words))
        words[i:i + random.randrange(0, 3)] = [random.choice(FIELD)]
    return " ".join(words)


for n in (1, 2, 3, 5, 8, 13, 21, 40, 64, 70, 130, 300):
    for _ in range(3):
        text = sentence(n)
        PAIRS.append((mutate(text), text))
# Single characters over block borders of the bit-parallel algorithms.
for n in (63, 64, 65, 127, 128, 129, 200):
    a = "".join(random.choice("abcδ ") for _ in range(n))
    b = list(a)
    for _ in range(n // 3):
        b[random.randrange(len(b))] = random.choice("abcdé")
    PAIRS.append((a, "".join(b)))
    PAIRS.append((a, "".join(b[n // 4:])))


def score(metric, **fields):
    return asyncio.run(metric.single_turn_ascore(SingleTurnSample(**fields)))


def pair(response, reference):
    rouge = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True).score(
        reference, response)
    d = {"kind": "pair", "response": response, "reference": reference,
         "exact_match": score(ExactMatch(), response=response, reference=reference),
         "string_presence": score(StringPresence(), response=response, reference=reference),
         "bleu": sacrebleu.sentence_bleu(response, [reference]).score / 100,
         "bleu_corpus": sacrebleu.corpus_bleu([response], [[reference]]).score / 100,
         "chrf": sacrebleu.sentence_chrf(response, [reference]).score / 100,
         "token_f1": token_f1(reference, response),
         "similarity": Levenshtein.normalized_similarity(response, reference)}
    for name, s in rouge.items():
        d[name] = [s.precision, s.recall, s.fmeasure]
    ragas = score(NonLLMStringSimilarity(), response=response, reference=reference)
    assert abs(ragas - d["similarity"]) < 1e-12
    assert abs(score(RougeScore(), response=response, reference=reference) - d["rougeL"][2]) < 1e-12
    if response.strip() and reference.strip():
        assert abs(score(ChrfScore(), response=response, reference=reference) - d["chrf"]) < 1e-12
    if ". " not in response + reference:  # for more sentences ragas reads the first of the response
        assert abs(score(BleuScore(), response=response, reference=reference) - d["bleu_corpus"]) < 1e-12
    return d


def contexts():
    texts = [sentence(12) for _ in range(6)]
    retrieved = [mutate(random.choice(texts)) for _ in range(random.randrange(1, 6))]
    reference = random.sample(texts, random.randrange(1, 4))
    both = dict(retrieved_contexts=retrieved, reference_contexts=reference)
    return {"kind": "contexts", **both,
            "precision": score(NonLLMContextPrecisionWithReference(), **both),
            "recall": score(NonLLMContextRecall(), **both)}


def ids():
    got = [random.choice("abcdefgh") for _ in range(random.randrange(1, 7))]
    want = [random.choice("abcdefgh") for _ in range(random.randrange(1, 5))]
    both = dict(retrieved_context_ids=got, reference_context_ids=want)
    return {"kind": "ids", **both, "precision": score(IDBasedContextPrecision(), **both),
            "recall": score(IDBasedContextRecall(), **both)}


MEASURES = {"map", "recip_rank", "ndcg_cut.5,10", "recall.5,10", "P.5,10", "success.1,5"}


def rank(ties):
    docs = ["D%03d" % i for i in random.sample(range(100), random.randrange(1, 30))]
    run = {d: round(random.uniform(0, 3), 0 if ties else 6) for d in docs}
    qrel = {"D%03d" % i: random.choice([0, 1, 1, 2, 3]) for i in random.sample(range(100), 20)}
    if not any(qrel.values()):
        qrel["D000"] = 1
    m = pytrec_eval.RelevanceEvaluator({"q": qrel}, MEASURES).evaluate({"q": run})["q"]
    items = list(run.items())
    random.shuffle(items)
    return {"kind": "rank", "run": [{"id": d, "score": s} for d, s in items], "qrel": qrel,
            "measures": {k: float(v) for k, v in sorted(m.items())}}


def main():
    put = lambda d: sys.stdout.write(json.dumps(d, ensure_ascii=False) + "\n")
    put({"kind": "versions", "python": sys.version.split()[0],
         **{p: metadata.version(p) for p in PACKAGES}})
    for response, reference in PAIRS:
        put(pair(response, reference))
    some = [p for p in PAIRS if len(p[0]) > 20][:30]
    put({"kind": "corpus", "pairs": [list(p) for p in some],
         "bleu": sacrebleu.corpus_bleu([p[0] for p in some], [[p[1] for p in some]]).score / 100})
    stem = PorterStemmer().stem
    put({"kind": "stems", "words": [[w, stem(w)] for w in WORDS]})
    for _ in range(30):
        put(contexts())
    for _ in range(20):
        put(ids())
    for i in range(60):
        put(rank(i % 2))


main()
