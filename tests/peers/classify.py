#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# classify.py — what scikit-learn makes of a few labelled queries, for test_gr-classify_sklearn.c
#
#   usage: classify.py > classify.ndjson        (needs scikit-learn; versions go into line 1)
import json
import warnings

import sklearn
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
TRAIN = [
    ("What is the melting point of olivine?", 0),
    ("Which mineral hosts most of the uranium in granite?", 0),
    ("Give the half-life of rubidium 87", 0),
    ("what is δ18O of seawater", 0),
    ("Age of the Deccan Traps", 0),
    ("Do zircon and monazite differ in thorium?", 1),
    ("Compare the strontium isotopes of MORB and OIB", 1),
    ("Which of the basalts is older than the granite?", 1),
    ("Is the fluid hotter than the melt was", 1),
    ("How is an isochron age calculated from 87Sr/86Sr?", 2),
    ("Explain the Rayleigh model for sulfur loss", 2),
    ("How do you correct for mass bias with a double spike?", 2),
    ("Why does garnet keep heavy rare earth elements?", 2),
    ("What would happen to δ98Mo if the ocean turned euxinic?", 3),
    ("Predict where the next porphyry deposit may be", 3),
    ("Which hypothesis explains the high helium ratios best?", 3),
]
ASK = [
    "What is the age of the granite?",
    "Compare zircon and garnet",
    "How is mass bias corrected?",
    "what would happen if the ocean was hotter",
    "Zürich ÉCOLE naïve Ångström",
    "xyzzy",
    "olivine olivine olivine",
    "_under_score 1 22 333",
]

texts = [t for t, _ in TRAIN]
labels = [y for _, y in TRAIN]
v = TfidfVectorizer(ngram_range=(1, 3), max_features=7000)
x = v.fit_transform(texts)
m = LogisticRegression(C=50, class_weight="balanced", tol=1e-10, max_iter=100000).fit(x, labels)
names = v.get_feature_names_out()
print(json.dumps({"scikit-learn": sklearn.__version__, "texts": texts, "labels": labels}, ensure_ascii=False))
for t in texts + ASK:
    row = v.transform([t]).tocoo()
    weights = {names[j]: float(w) for j, w in zip(row.col, row.data)}
    p = [float(q) for q in m.predict_proba(v.transform([t]))[0]]
    print(json.dumps({"text": t, "weights": weights, "p": p}, ensure_ascii=False))
