#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/headers.t — each header compiles alone; public ones are at least half comment
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1

cflags=$(for p in libxml-2.0 libmongoc-1.0 openblas lapacke libcurl; do pkg-config --cflags "$p" 2>/dev/null; done | tr '\n' ' ')
bad=()
for h in common/*.h tools/*/*.h; do
    tool=${h#tools/}
    tool=${tool%%/*}
    uses=$(sed -n "s/^USES_$tool *= *//p" config.mk)
    inc=(-Icommon "-I$(dirname "$h")")
    for u in $uses; do inc+=("-Itools/$u"); done
    # shellcheck disable=SC2086 # a list of flags
    said=$(printf '#include "%s"\ntypedef int not_empty;\n' "$(basename "$h")" |
        "${CC:-gcc}" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Werror -fsyntax-only \
            "${inc[@]}" $cflags -x c - 2>&1) || bad+=("$h: $said")
done
[ ${#bad[@]} -eq 0 ] && ok "headers are self-contained" || not_ok "headers are self-contained" "${bad[@]}"

# Preprocessor lines (include guards, macros) count neither way.
bad=()
for h in common/*.h; do
    case $h in *_impl.h | *_internal.h) continue ;; esac
    share=$(awk '/^[ \t]*$/ { next } /^[ \t]*#/ || cont { cont = /\\$/; next }
        { n++; if (inside || /\/\*/ || /\/\//) c++; if (/\/\*/) inside = 1; if (/\*\//) inside = 0 }
        END { print n ? int(100 * c / n) : 100 }' "$h")
    [ "$share" -ge 50 ] || bad+=("$h: $share % of its lines carry a comment: say purpose, ownership, errors")
done
[ ${#bad[@]} -eq 0 ] && ok "public headers are half comment" || not_ok "public headers are half comment" "${bad[@]}"

bad=()
for h in common/*.h tools/*/*.h; do
    grep -qE '^#ifndef [A-Z0-9_]+_H$' "$h" || bad+=("$h: no include guard #ifndef NAME_H")
done
[ ${#bad[@]} -eq 0 ] && ok "headers have include guards" || not_ok "headers have include guards" "${bad[@]}"
done_testing
