#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/install.t — install into an empty folder, use it, uninstall: nothing is left
. "$(dirname "$0")/lib.sh"
[ "$CONF" = dev ] || skip_all "the dev build is the one that is installed"
dest=$WORK/dest
# The variables that the outer make was called with, not its job slots: nothing is to be rebuilt.
case ${MAKEFLAGS-} in *' -- '*) export MAKEFLAGS="-- ${MAKEFLAGS#* -- }" ;; *) unset MAKEFLAGS ;; esac
make_in() { timeout 300 make -C "$ROOT" --no-print-directory "$@" DESTDIR="$dest" prefix=/opt/gr >"$WORK/make.log" 2>&1; }

if make_in install; then ok "make install"; else not_ok "make install" "$(tail -20 "$WORK/make.log")" && done_testing; fi
[ -d "$dest/opt/gr/bin" ] && [ "$(ls "$dest")" = opt ] && ok "it obeys DESTDIR and prefix" || not_ok "it obeys DESTDIR and prefix" "$(find "$dest" | head -20)"
[ ! -e "$dest/opt/gr/bin/gr-template" ] && ok "the pattern for tools is not installed" || not_ok "the pattern for tools is not installed"

export PATH="$dest/opt/gr/bin:$PATH"
for b in "$dest"/opt/gr/bin/gr-*; do
    [ -x "$b" ] || continue
    t=${b##*/}
    bad=()
    limited "$b" --version >version 2>&1 || bad+=("--version fails: $(head -3 version)")
    cmp -s <("$b" --help 2>&1) <("$ROOT/build/dev/bin/$t" --help 2>&1) || bad+=("--help differs from the built one")
    [ -s "$dest/opt/gr/share/man/man1/$t.1" ] || [ ! -f "$ROOT/man/$t.1.in" ] || bad+=("no manual page")
    bash -n "$dest/opt/gr/share/bash-completion/completions/$t" || bad+=("completion is no bash")
    grep -q '^#compdef' "$dest/opt/gr/share/zsh/site-functions/_$t" || bad+=("no zsh completion")
    if [ ${#bad[@]} -eq 0 ]; then ok "$t is installed"; else not_ok "$t is installed" "${bad[@]}"; fi
done
for d in vocab lexicon prompts; do
    [ ! -d "$ROOT/data/$d" ] || check "data: $d" diff -r "$ROOT/data/$d" "$dest/opt/gr/share/gr/$d"
done
for p in index ask baseline evaluate; do
    out=$("$dest/opt/gr/share/gr/pipelines/$p.sh" -x 2>&1) && rc=0 || rc=$?
    if [ "$rc" = 2 ] && [[ $out == *"usage: "* ]]; then ok "pipeline $p"; else not_ok "pipeline $p" "exit $rc: $out"; fi
done
[ ! -f "$SHARE/classify/model.txt" ] || check "data: the classifier" cmp "$SHARE/classify/model.txt" "$dest/opt/gr/share/gr/classify/model.txt"
[ -z "$(find "$dest" -type l)" ] && ok "no links into the source tree" || not_ok "no links into the source tree" "$(find "$dest" -type l)"

if make_in uninstall; then ok "make uninstall"; else not_ok "make uninstall" "$(tail -20 "$WORK/make.log")"; fi
left=$(find "$dest" -type f -o -type l)
if [ -z "$left" ]; then ok "nothing is left"; else not_ok "nothing is left" "$left"; fi
done_testing
