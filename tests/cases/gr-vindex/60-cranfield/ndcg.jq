# Mean nDCG@10 (binary gain) of query records; $q: qrels as text.
(reduce ($q | split("\n")[] | split("\t") | select(length > 2 and (.[2] | tonumber) > 0)) as $l
    ({}; .[$l[0]][$l[1]] = 1)) as $rel
| [inputs | select($rel[.id]) | $rel[.id] as $r
    | ([.vector_hits[:10] | to_entries[] | select($r[.value.id]) | 1 / ((.key + 2) | log2)] | add // 0)
      / ([range([10, ($r | length)] | min) | 1 / ((. + 2) | log2)] | add)]
| add / length
