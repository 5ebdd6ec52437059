# sparse_data.awk — N documents of three WordNet glosses each, as NDJSON; Q=1: N questions
#
#   awk -v N=… -v ORDER=papers|shuffled [-v Q=1] -f sparse_data.awk GLOSSES
#
# Twenty documents in a row draw their glosses from one stretch of two hundred, as the chunks of
# a paper share their words; shuffled, each document draws from a stretch of its own. A question
# is three to six words of one gloss.
function below(n) { state = state * 16807 % 2147483647; return int(state / 2147483647 * n) }
{ gloss[NR - 1] = $0 }
END {
    state = Q ? 7 : 1
    for (i = 0; i < N; i++) {
        if (Q) {
            n = split(gloss[below(NR)], w, " ")
            from = 1 + below(n > 6 ? n - 5 : 1)
            text = ""
            for (j = from; j < from + 3 + below(4) && j <= n; j++) text = text (j > from ? " " : "") w[j]
            print text
            continue
        }
        if (ORDER == "shuffled" || i % 20 == 0) base = below(NR - 200)
        printf "{\"id\":\"%07d\",\"text\":\"%s %s %s\"}\n", i, gloss[base + below(200)], gloss[base + below(200)], gloss[base + below(200)]
    }
}
