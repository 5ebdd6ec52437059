# ours ($ours: records) against another converter's files: what differs, by kind
def norm: (. // "") | gsub("\\s+"; " ") | ltrimstr(" ") | rtrimstr(" ");
($ours | map({key: (.source.file | sub(".*/"; "") | sub("[.]tei[.]xml$"; "")), value: .}) | from_entries) as $o
| [inputs | {file: (input_filename | sub(".*/"; "") | sub("[.]json$"; "")), peer: .}
   | .file as $f | select($o[$f])
   | .peer as $p | $o[$f]
   | (if (.title | norm) != ($p.header.title | norm) then {kind: "title", $f} else empty end),
     (if (.references | length) != ($p.citations // [] | length) then {kind: "references", $f} else empty end),
     (if (.authors | length) != ($p.header.authors // [] | length) then {kind: "authors", $f} else empty end),
     (if .date != $p.header.date then {kind: "date", $f} else empty end),
     # The peer takes the first DOI anywhere in the header, a funder's too.
     (if .doi != ($p.header.doi // null | if . then ascii_downcase else . end)
        and (($p.header.doi // "") | startswith("10.13039/") | not) then {kind: "doi", $f} else empty end)]
| .[]