#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/words.t — lists of words in the code: no word twice, none that is never found
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1

# Lists with designators ("[0] = …") are tables and may.
cat >"$WORK/words.awk" <<'EOF'
function look(list, at,    word, seen) {
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", list)
    if (list ~ /\] *=/)
        return
    while (match(list, /"([^"\\]|\\.)*"([ \t]*"([^"\\]|\\.)*")*/)) {
        word = substr(list, RSTART, RLENGTH)
        list = substr(list, RSTART + RLENGTH)
        gsub(/"[ \t]+"/, "", word)
        if (seen[word]++ == 1)
            print at ": " word " twice in " name
        if (is_words && word ~ /[^"a-z0-9\\\200-\377]/)
            print at ": " word " in " name " is no word in lower case: never found"
    }
}
FNR == 1 { is_open = 0 }
match($0, /const char \*const [A-Za-z_]+\[[^]]*\] *= *\{/) {
    is_open = 1
    is_words = 0
    at = FILENAME ":" FNR
    name = substr($0, RSTART + 18)
    sub(/\[.*/, "", name)
    list = ""
    $0 = substr($0, RSTART + RLENGTH)
}
match($0, /^ *WORDS\([a-z_]+,/) { # words.h
    is_open = is_words = 1
    at = FILENAME ":" FNR
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/.*\(/, "", name)
    list = ""
    $0 = substr($0, RSTART + RLENGTH)
}
is_open { list = list " " $0 }
is_open && (is_words ? /\);/ : /\};/) { look(list, at); is_open = 0; n++ }
END { print n + 0 >"/dev/stderr" }
EOF
LC_ALL=C awk -f "$WORK/words.awk" common/*.[ch] tools/*/*.[ch] >"$WORK/twice" 2>"$WORK/n"
n=$(<"$WORK/n")
if [ -s "$WORK/twice" ]; then
    not_ok "no word twice in one of $n lists" "$(<"$WORK/twice")"
else
    ok "no word twice in one of $n lists"
fi
if [ "$n" -gt 100 ]; then ok "lists are found"; else not_ok "lists are found" "only $n lists of words in the code"; fi
done_testing
