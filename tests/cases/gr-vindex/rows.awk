# rows.awk — n records from number `from` on, vectors of 12 numbers around 20 centres
function next_value() { x = (x * 16807) % 2147483647; return x / 2147483647 }
BEGIN {
    x = 4711
    for (c = 0; c < 20; c++) for (j = 0; j < 12; j++) centre[c, j] = next_value() - 0.5
    for (i = 1; i < from + n; i++) {
        c = int(next_value() * 20)
        v = ""
        for (j = 0; j < 12; j++) v = v (j ? "," : "") sprintf("%.4f", centre[c, j] + (next_value() - 0.5) / 2)
        if (i >= from) printf "{\"id\":\"r%04d\",\"year\":%d,\"embedding\":[%s]}\n", i, 1900 + i % 100, v
    }
}
