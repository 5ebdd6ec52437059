#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/lint/options.t — one option means one thing in all tools
#
# tests/lint/options.allow lists exceptions: "letter x" or "name size", with the reason after it.
. "$(dirname "$0")/../lib.sh"
cd "$ROOT" || exit 1
for t in "$BIN"/gr-*; do "$t" --describe; done 2>/dev/null >"$WORK/rows"
allow=$(sed -n 's/^\(letter\|name\) \([^ ]*\).*/\1 \2/p' tests/lint/options.allow 2>/dev/null | jq -Rnc '[inputs]')

said=$(jq -rs --argjson allow "$allow" '[.[] | select(.name and .short)] | group_by(.short)[]
    | select((map(.name) | unique | length) > 1) | select(("letter " + .[0].short) as $k | $allow | index($k) | not)
    | "-" + .[0].short + ": " + ([.[] | "--" + .name + " (" + .tool + ")"] | unique | join(", "))' "$WORK/rows")
if [ -z "$said" ]; then ok "a letter means one option"; else not_ok "a letter means one option" "$said"; fi

said=$(jq -rs --argjson allow "$allow" '[.[] | select(.name)] | group_by(.name)[]
    | select((map(.short) | unique | length) > 1) | select(("name " + .[0].name) as $k | $allow | index($k) | not)
    | "--" + .[0].name + ": " + ([.[] | "-" + (.short // "none") + " (" + .tool + ")"] | unique | join(", "))' "$WORK/rows")
if [ -z "$said" ]; then ok "an option has one letter"; else not_ok "an option has one letter" "$said"; fi

said=$(jq -rs '[.[] | select(.name)] | group_by(.name)[] | select((map(.arg == null) | unique | length) > 1)
    | "--" + .[0].name + " takes an argument in one tool and none in another"' "$WORK/rows")
if [ -z "$said" ]; then ok "an option takes an argument everywhere or nowhere"; else not_ok "an option takes an argument everywhere or nowhere" "$said"; fi

said=$(jq -r 'select(.help) | select(.help | test("^[A-Z][a-z]") or test("\\.$"))
    | .tool + " --" + .name + ": help is lower case without full stop: " + .help' "$WORK/rows")
if [ -z "$said" ]; then ok "help texts have one form"; else not_ok "help texts have one form" "$said"; fi
done_testing
