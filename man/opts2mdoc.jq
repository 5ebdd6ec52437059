# opts2mdoc.jq — rows of `gr-x --describe` to the OPTIONS of a manual page (mdoc)
#
#   gr-x --describe | jq -srf man/opts2mdoc.jq
#
# One group of options after the other; those of RUN_OPTIONS, which every tool has, come last
# and in short form: gr-intro(7) tells of them at length.

# Text that is safe in a macro line or a text line.
def esc: gsub("\\\\"; "\\e") | gsub("\""; "\\(dq") | gsub("'"; "\\(aq") | gsub("`"; "\\(ga")
  | gsub("-"; "\\-") | if test("^[.]") then "\\&" + . else . end;
# An argument of a macro: quoted, so that words like "Ar" or punctuation are only text.
def arg: "\"" + (esc) + "\"";
def flag: (if .short then "Fl " + (.short | esc) + " , " else "" end) + "Fl \\-" + (.name | esc)
  + (if .arg == null then ""
     elif .choices and ((.choices | join("|") | length) < 40)
     then " Ns = Ns " + ([.choices[] | "Cm " + (esc)] | join(" | "))
     else " Ns = Ns Ar " + (.arg | arg) end);
# The help text as sentences: capital first letter, full stop.
def sentence: if test("^([a-z]+[A-Z_0-9]|jq |gr-)") then . else (.[0:1] | ascii_upcase) + .[1:] end
  | if test("[.!?…]$") then . else . + "." end;
def item: ".It " + (flag), ".\\\" help",
  (.help | sentence | esc),
  (if .default != null and .default != "" then "Default:", ".Cm " + (.default | arg) + " ." else empty end);
def list: ".Bl -tag -width Ds", (.[] | item | select(. != ".\\\" help")), ".El";
# Groups in their order of appearance.
def groups: reduce .[] as $r ([]; if length > 0 and .[-1][0].group == $r.group
    then .[-1] += [$r] else . + [[$r]] end);
def is_common: .group == "Common options";

.[0] as $head | .[1:] as $rows
| ($rows | map(select(is_common | not))) as $own
| ($rows | map(select(is_common)) | unique_by(.name)) as $common
| [$own[] | .command] | reduce .[] as $c ([]; if index([$c]) then . else . + [$c] end)
| . as $commands
| ( $commands[] as $c
    | ($head.commands // [] | map(select(.name == $c)) | .[0]) as $cmd
    | ($own | map(select(.command == $c))) as $mine
    | (if $c then ".Ss " + ($c | esc) + " " + (($cmd.operands // "") | esc),
         ($cmd.summary // "" | if . == "" then empty else sentence | esc end) else empty end),
      ( $mine | groups[]
        | (if $c == null then ".Ss " + (.[0].group | esc)
           else ".Pp", (.[0].group | esc) + ":" end), list ) ),
  ( ($head.commands // [])[] | select(.name as $n | $commands | index([$n]) | not)
    | ".Ss " + (.name | esc) + " " + ((.operands // "") | esc), (.summary // "" | if . == "" then "." else . end | sentence | esc), ".Pp", "It has common options only." ),
  ( if $common == [] then empty else
    ".Ss Common options",
    "Every tool has these; see",
    ".Xr gr-intro 7 .",
    ( $rows | map(select(is_common)) | reduce .[] as $r ([]; if any(.[]; .name == $r.name) then . else . + [$r] end) | list )
    end )
