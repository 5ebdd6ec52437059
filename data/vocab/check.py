#!/usr/bin/env python3
"""Check the vocabularies: data/vocab/check.py [-v] [FILE.tsv ...]

Without files, every *.tsv beside this script is checked.  The exit status
is 1 when a file breaks a rule of README.md.  Names and synonyms that stand
in two files are counted (listed with -v): that is allowed.
"""
import os
import re
import sys
import unicodedata

HEADER = "name\tsynonyms\tattrs"
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?\Z")

# Attributes every file may use, then those of one file alone.
COMMON = {"match", "ambiguous", "field", "note"}
ATTRS = {
    "element": {"symbol", "z", "mass", "goldschmidt", "ambiguous_part"},
    "element_group": {"members"},
    "isotope": {"element", "mass_number", "half_life"},
    "isotope_ratio": {"system", "element", "kind"},
    "isotope_delta": {"element", "ratio", "standard", "kind"},
    "oxide": {"molar_mass", "kind", "charge"},
    "mineral": {"symbol", "short", "formula", "kind", "status", "ion",
                "broader"},
    "rock": {"group", "broader"},
    "geologic_time": {"rank", "start_ma", "end_ma", "start_err", "parent"},
    "method": {"kind", "system"},
    "setting": {"kind"},
    "process": {"group"},
    "deposit": {"class", "commodity"},
    "location": {"kind"},
    "reference_material": {"material", "system"},
    "unit": {"quantity", "factor", "offset", "base"},
    "condition": {"kind", "role"},
    "relation": {"head", "tail", "inverse", "loose", "silent", "vague", "values", "near", "near_head",
                 "near_tail", "either", "ahead", "behind", "fronted", "joined", "only", "denial"},
}
NUMERIC = {"z", "mass", "mass_number", "molar_mass", "charge", "start_ma",
           "end_ma", "start_err", "factor", "offset"}
FIXED = {"match": {"case"}, "ambiguous": {"1"},
         "ambiguous_part": {"name", "symbol"},
         "role": {"parameter", "material"}}
REQUIRED = {"element": {"symbol", "z"}, "unit": {"quantity"},
            "relation": {"head", "tail"}}
PSEUDO_TYPES = {"value", "sample", "any", "element_ratio", "condition", "parameter", "material",
                "isotope_system"}
CUE_LISTS = ("inverse", "loose", "silent", "either", "ahead", "behind", "fronted", "joined", "only",
             "denial")


def check_attrs(kind, name, text, bad):
    attrs = {}
    for pair in filter(None, text.split(";")):
        key, eq, value = pair.partition("=")
        if not eq or not value:
            bad(f"{name}: attribute without a value: {pair!r}")
            continue
        if key in attrs:
            bad(f"{name}: attribute {key} twice")
        attrs[key] = value
        if kind in ATTRS and key not in COMMON | ATTRS[kind]:
            bad(f"{name}: unknown attribute {key}")
        if key in NUMERIC and not NUMBER.match(value):
            bad(f"{name}: {key} is no number: {value!r}")
        if key in FIXED and value not in FIXED[key]:
            bad(f"{name}: {key}={value}")
    for key in REQUIRED.get(kind, set()) - attrs.keys():
        bad(f"{name}: attribute {key} is missing")
    return attrs


def check(path, types):
    """Return (list of errors, {string: name}) of one file."""
    kind = os.path.basename(path)[:-len(".tsv")]
    errors, strings, names, last, number = [], {}, set(), b"", 0
    kinds = {}  # name: what it is a kind of

    def bad(text):
        errors.append(f"{path}:{number}: {text}")

    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"{path}: not UTF-8: {error}"], strings
    if "\r" in text or "\ufeff" in text:
        errors.append(f"{path}: carriage return or byte order mark")
    if not text.endswith("\n"):
        errors.append(f"{path}: no newline at the end")
    for number, line in enumerate(text.split("\n")[:-1], 1):
        if number == 1:
            if line != HEADER:
                bad(f"header is not {HEADER!r}")
            continue
        if line.startswith("#"):
            continue
        if unicodedata.normalize("NFC", line) != line:
            bad("not in Unicode form NFC")
        cells = line.split("\t")
        if len(cells) != 3:
            bad(f"{len(cells)} columns, not 3")
            continue
        name = cells[0]
        if not name:
            bad("empty name")
        key = name.encode()
        if key < last:
            bad(f"{name!r} is out of order (LC_ALL=C)")
        last = key
        if name in names:
            bad(f"{name!r} stands twice")
        names.add(name)
        for string in [name] + (cells[1].split("|") if cells[1] else []):
            if not string or string != string.strip() or "  " in string:
                bad(f"{name}: empty string or stray space: {string!r}")
            elif string in strings and (kind != "relation" or strings[string] == name):
                bad(f"{string!r} is of {strings[string]!r} and of {name!r}")
            strings[string] = name
        attrs = check_attrs(kind, name, cells[2], bad)
        kinds[name] = attrs.get("broader")
        for one in filter(None, attrs.get("field", "").split(",")):
            if one != name and one not in cells[1].split("|"):
                bad(f"{name}: field={one!r} is no spelling of it")
        if kind == "relation":
            for side in ("head", "tail"):
                for one in attrs.get(side, "").split(","):
                    if one not in types | PSEUDO_TYPES:
                        bad(f"{name}: {side} type {one!r} has no file")
            cues = set(cells[1].split("|"))
            for key in CUE_LISTS:
                for cue in filter(None, attrs.get(key, "").split(",")):
                    if cue.partition(">")[0] not in cues:
                        bad(f"{name}: {key} {cue!r} is no synonym")
    for name, broader in kinds.items():
        seen = {name}
        while broader in kinds and broader not in seen:
            seen.add(broader)
            broader = kinds[broader]
        if broader and broader not in names:
            bad(f"{name}: broader name {broader!r} is none of this file")
        elif broader:
            bad(f"{name}: broader than itself")
    return errors, strings


def main(args):
    verbose = "-v" in args
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [a for a in args if a != "-v"] or sorted(
        os.path.join(here, f) for f in os.listdir(here) if f.endswith(".tsv"))
    types = {f[:-len(".tsv")] for f in os.listdir(here) if f.endswith(".tsv")}
    types |= {os.path.basename(p)[:-len(".tsv")] for p in paths}
    failed, where, total = 0, {}, 0
    for path in paths:
        errors, strings = check(path, types)
        for error in errors:
            print(error, file=sys.stderr)
        failed += len(errors)
        total += len(set(strings.values()))
        kind = os.path.basename(path)[:-len(".tsv")]
        if kind != "relation":
            for string in strings:
                where.setdefault(string, []).append(kind)
        print(f"{kind}\t{len(set(strings.values()))} names"
              f"\t{len(strings)} strings")
    shared = {s: k for s, k in where.items() if len(k) > 1}
    print(f"total\t{total} names\t{len(shared)} strings in two files or more")
    if verbose:
        for string in sorted(shared):
            print(f"shared\t{string}\t{', '.join(shared[string])}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
