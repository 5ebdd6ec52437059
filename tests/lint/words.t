#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/words.t — lists of words in the code: no word twice, sorted where that is relied on
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1

# Lists with designators ("['a'] = …") are tables and may.
cat >"$WORK/words.awk" <<'EOF'
function look(list, at,    word, seen, last) {
    unsorted[name] = ""
    gsub(/\/\*([^*]|\*[^\/])*\*\//, "", list)
    if (list ~ /\] *=/)
        return
    while (match(list, /"([^"\\]|\\.)*"([ \t]*"([^"\\]|\\.)*")*/)) {
        word = substr(list, RSTART, RLENGTH)
        list = substr(list, RSTART + RLENGTH)
        gsub(/"[ \t]+"/, "", word)
        if (seen[word]++ == 1)
            print at ": " word " twice in " name
        if (last != "" && word < last && unsorted[name] == "")
            unsorted[name] = at ": " word " stands behind " last " in " name
        last = word
    }
}
FNR == 1 {
    is_open = 0
    before = ""
    split("", unsorted)
}
match($0, /const char \*const [A-Za-z_]+\[[^]]*\] *= *\{/) {
    is_open = 1
    at = FILENAME ":" FNR
    name = substr($0, RSTART + 18)
    sub(/\[.*/, "", name)
    list = ""
    $0 = substr($0, RSTART + RLENGTH)
}
is_open { list = list " " $0 }
# phrase.h: searched by halves
!is_open {
    call = before " " $0
    if (call ~ /phrase_word_in\(/ && match(call, /[a-z_]+, ARRAY_LEN\([a-z_]+\)/)) {
        used = substr(call, RSTART, RLENGTH)
        sub(/,.*/, "", used)
        n_sorted++
        if (unsorted[used] != "")
            print unsorted[used]
        $0 = ""
    }
    before = $0
}
is_open && /\};/ { look(list, at); is_open = 0; n++ }
END { print n + 0, n_sorted + 0 >"/dev/stderr" }
EOF
LC_ALL=C awk -f "$WORK/words.awk" common/*.[ch] tools/*/*.[ch] >"$WORK/twice" 2>"$WORK/n"
read -r n sorted <"$WORK/n"
if [ -s "$WORK/twice" ]; then
    not_ok "no word twice in one of $n lists, $sorted are sorted" "$(<"$WORK/twice")"
else
    ok "no word twice in one of $n lists, $sorted are sorted"
fi
if [ "$n" -gt 100 ] && [ "$sorted" -gt 0 ]; then
    ok "lists are found"
else
    not_ok "lists are found" "only $n lists of words in the code, $sorted of them searched by halves"
fi
done_testing
