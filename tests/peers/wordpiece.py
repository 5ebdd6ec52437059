#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write tests/peers/wordpiece.ndjson: texts with the ids and offsets of Hugging Face tokenizers.

    python3 -m venv /tmp/v && /tmp/v/bin/pip install tokenizers==0.23.3
    /tmp/v/bin/python tests/peers/wordpiece.py MODEL_DIR > tests/peers/wordpiece.ndjson
    /tmp/v/bin/python tests/peers/wordpiece.py MODEL_DIR --tables     # Unicode differences

MODEL_DIR holds the tokenizer.json of all-MiniLM-L6-v2. Offsets are code points there and bytes
here; they are left out where canonical ordering moves marks, which take their offsets along
here but not there. With --tables it prints, for every class of character that wordpiece.c asks about, the code
points of each kind as `tokenizers` sees them, to compare with utf8proc after an update of either.
"""
import json
import random
import sys

import tokenizers
from tokenizers import Tokenizer, normalizers, pre_tokenizers

SENTENCES = [
    "hello world",
    "Mid-ocean ridge basalts (MORB) have εNd values of +8 to +12.",
    "δ18O = 5.7 ± 0.3 ‰ (VSMOW), 2σ; n = 14.",
    "SiO2 52.3 wt%, MgO 7.9 wt%, Fe2O3 (total) 10.1 wt.%",
    "SiO₂, Al₂O₃ and H₂O⁺ were measured by XRF.",
    "87Sr/86Sr = 0.70423(2) and ¹⁴³Nd/¹⁴⁴Nd = 0.512 638",
    "U–Pb zircon ages of 2.7 Ga—older than the dyke—are concordant.",
    "La/Yb(N) ratios range from 3.5 to 12; Eu/Eu* ≈ 0.85 → plagioclase fractionation",
    "Ca²⁺ + 2 HCO₃⁻ ⇌ CaCO₃↓ + CO₂↑ + H₂O",
    "Grains of 10–63 µm (µ or μ?) at 25 °C, 0.1 MPa; K_D = 10^−3.2",
    "Åland, Réunion, São Miguel, Þingvellir, Łódź, İzmir, Õhne, Ñuble, Ærø, œuvre, STRASSE straße",
    "Cafe\u0301 nai\u0308ve re\u0301sume\u0301 versus Café naïve résumé",
    "Müller et al. (2019); O’Neill & Palme (2008); D'Orazio",
    "安山岩和玄武岩的地球化学特征",
    "花崗岩 granite 及び 閃緑岩 diorite、カコウ岩 です。",
    "한국의 화강암 Granit",
    "Базальты срединно-океанических хребтов",
    "ΑΒΓΔ Ελλάδα Ώρα τέλος; \u037e",
    "مرحبا بالعالم ١٢٣",
    "שָׁלוֹם עוֹלָם",
    "हिन्दी भूविज्ञान",
    "ภาษาไทย หินอัคนี",
    "emoji 😀🚀 family 👨\u200d👩\u200d👧 flag 🇮🇸 heart ❤\ufe0f",
    "zero\u200bwidth soft\u00adhyphen bom\ufeffinside word\u2060joiner",
    "tab\tnewline\nreturn\rvertical\x0bform\x0cnel\x85bell\x07delete\x7f nul\x00end",
    "nbsp\u00a0thin\u2009hair\u200aideographic\u3000line\u2028para\u2029ogham\u1680medium\u205fend",
    "replacement \ufffd in\ufffdside",
    "ligatures ﬁ ﬂ ﬃ ĳ ǆ fractions ½ ⅓ roman Ⅷ ⅷ circled ① ㈱ full ＡＢＣ１２３",
    "quotes “a” ‘b’ «c» ‹d› „e‟ 「f」 … dash‐hyphen‑nb−minus",
    "symbols ^ ` ~ $ + < = > | @ # % & * _ \\ / © ® ™ § ¶ † ‡ • № ℃ Å K",
    "[CLS] inside [SEP] text [MASK]ed [PAD][UNK] [cls] [ SEP ] [UNK",
    "un[SEP]split ##ing # #ing ## [unused1]",
    "not equal ≠ not less ≮ not element ∉ negated \u0338 alone",
    "",
    "   ",
    "\n\t \u200b",
    "a",
    ".",
    "...!?;:",
    "https://doi.org/10.1016/j.gca.2020.01.001?x=1&y=2#frag user.name@example.org",
    "int main(void) { return 0x7fff & ~1; }",
    "CamelCaseIdentifier snake_case_identifier kebab-case UPPER_CASE_42",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "Kd(Fe–Mg)ol-liq=0.30±0.03 T(°C)=1,250 P(kbar)=1-5 fO2=QFM+1",
    "x" * 99, "x" * 100, "x" * 101, "y" * 3000,
    "é" * 100, "é" * 101, "e\u0301" * 100, "e\u0301" * 101, "山" * 150,
    "가" * 33, "가" * 51,
    "\u0345\u0301\u0300 marks first", "a" + "\u0301" * 200 + "b",
    "Vietnamese Tiếng Việt Nguyễn Đình", "Pinyin lǜ nǚ ǖǘǚǜ",
    "\u1b44\u302e\u302f \U0001d158\U0001d165\U0001d16e \u1734\u1735 \u166d \U000111c9",
    "new marks \u08d4\u1abf\u0afa\u1df6 new punctuation \u2e43\u2e52\u1b7d new format \u08e2",
    "private \ue000 \U000f0000 unassigned \u0378 \U000e0001 tag noncharacter \ufffe",
    "Georgian Ⴀ Ა ა Cherokee Ꭰ ꭰ Deseret 𐐀 Adlam 𞤀 Osage 𐒰 Garay \U00010d50 new \ua7cb \u1c89",
    "mathematical 𝐱 𝛿 𝟛 𝒪 old Italic 𐌀 cuneiform 𒀀 hieroglyph 𓀀",
]
PIECES = ["δ", "Sr", "SiO2", "é", "e\u0301", "\u0327", "中", " ", "\u200b", "\t", "1.5", "-", "–",
          "[SEP]", "[", "]", "##a", "İ", "ß", "ﬁ", "😀", "가", "\u1b44", "\u302e", "\u0e31", "ing",
          "Basalt", "(", ")", "%", "\u00a0", "Ω", "Å", "x" * 60]

MOVING = "\u302e\u1b44\u08d4"


def ranges(cps):
    out = []
    for cp in sorted(cps):
        if out and out[-1][1] == cp - 1:
            out[-1][1] = cp
        else:
            out.append([cp, cp])
    return " ".join(f"{a:X}-{b:X}" if a != b else f"{a:X}" for a, b in out)


def print_tables():
    def bert(**on):
        flags = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False,
                     lowercase=False)
        return normalizers.BertNormalizer(**{**flags, **on}).normalize_str

    clean, strip = bert(clean_text=True), bert(strip_accents=True)
    cjk, low = bert(handle_chinese_chars=True), bert(lowercase=True)
    pre = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    chars = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    kinds = {
        "dropped": [c for c in chars if clean("a" + c + "b") == "ab"],
        "space": [c for c in chars if clean("a" + c + "b") == "a b"],
        "accent": [c for c in chars if strip("a" + c + "b") == "ab"],
        "cjk": [c for c in chars if cjk(c) != c],
        "punct": [c for c in chars if len(pre("a" + c + "b")) == 3],
    }
    for name, found in kinds.items():
        print(name, ranges(map(ord, found)))
    for c in chars:
        if low(c) != c:
            print("lower %X %s" % (ord(c), " ".join("%X" % ord(x) for x in low(c))))


def main():
    model = Tokenizer.from_file(sys.argv[1] + "/tokenizer.json")
    model.no_truncation()
    model.no_padding()
    rnd = random.Random(20)
    texts = SENTENCES + ["".join(rnd.choices(PIECES, k=rnd.randrange(2, 14))) for _ in range(100)]
    print(json.dumps({"generator": "tests/peers/wordpiece.py", "tokenizers": tokenizers.__version__,
                      "vocabulary": "all-MiniLM-L6-v2", "seed": 20}))
    for text in texts:
        enc = model.encode(text)
        byte = [len(text[:i].encode()) for i in range(len(text) + 1)]
        inner = list(zip(enc.ids, enc.offsets))[1:-1]
        row = {"text": text, "ids": enc.ids}
        if not any(c in text for c in MOVING):
            row["from"] = [byte[a] for _, (a, _) in inner]
            row["to"] = [byte[b] for _, (_, b) in inner]
        print(json.dumps(row, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    if "--tables" in sys.argv:
        print_tables()
    else:
        main()
