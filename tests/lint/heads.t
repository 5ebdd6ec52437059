#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/heads.t — files open with the licence and their purpose; nothing names a machine
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
shopt -s nullglob
bad=()
for f in common/*.[ch] tools/*/*.[ch] tests/{unit,prop,peers,fuzz,bench}/*.[ch]; do
    [ "$(head -1 "$f")" = '// SPDX-License-Identifier: MIT' ] || bad+=("$f:1: not the SPDX line")
    sed -n 2,3p "$f" | grep -qE '^ \* \S+ — \S' || bad+=("$f:3: not ' * NAME — PURPOSE'")
done
for f in .ci/* tests/*.t tests/*/*.t tests/*.sh tests/run pipelines/*.sh man/*.sh; do
    head -3 "$f" | grep -q 'SPDX-License-Identifier: MIT' || bad+=("$f: no SPDX line among the first three")
done
if [ ${#bad[@]} -eq 0 ]; then ok "licence and purpose come first"; else not_ok "licence and purpose come first" "${bad[@]}"; fi

# What clang-format makes of a long line in a table of a comment, and of a long banner.
git grep -nP '^\s*\* (?!\S+ {2,})\S.*[a-z,;"] {2,}\S|^\s*\* -{6,}' -- '*.c' '*.h' '*.inc' >"$WORK/hits" 2>/dev/null
if [ -s "$WORK/hits" ]; then not_ok "no table of a comment has run together" "$(<"$WORK/hits")"; else ok "no table of a comment has run together"; fi

# Brackets keep these patterns from matching this file.
words='pyp[i]\.org|pythonhoste[d]\.|deb\.debia[n]\.org|registry\.npm[j]s|crate[s]\.io|repo1?\.mave[n]'
words+='|(^|[^A-Za-z0-9_.])/(hom[e]|Use[r]s|wor[k])/[a-z]|(^|[^A-Za-z0-9_./])/roo[t]/[.a-z]'
{ git ls-files -z 2>/dev/null || find . -type f -not -path './build/*' -not -path './dist/*' -printf '%P\0'; } | grep -zvE '^(data|examples)/|^tests/(cases|peers)/.*/(in|out)|\.(xml|tei|png|gz|bin|safetensors)$' |
    xargs -0 -r grep -nHIE "$words" 2>/dev/null >"$WORK/hits"
if [ -s "$WORK/hits" ]; then not_ok "no registry host, no path of a machine" "$(cut -c1-200 "$WORK/hits")"; else ok "no registry host, no path of a machine"; fi

git grep -nE '\b(TODO|FIXME|XXX)\b' -- '*.c' '*.h' 2>/dev/null | grep -vE 'TODO\(?#[0-9]+' >"$WORK/hits"
if [ -s "$WORK/hits" ]; then not_ok "a TODO names its issue" "$(<"$WORK/hits")"; else ok "a TODO names its issue"; fi
done_testing
