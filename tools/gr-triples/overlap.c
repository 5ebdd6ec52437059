// SPDX-License-Identifier: MIT
/*
 * overlap.c — sentences that two chunks of a paper share
 */
#include "overlap.h"

#include "buf.h"
#include "utf8.h"

#define TAIL_BYTES 40 /* of a sentence that are looked at: longer than any abbreviation */

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Does a sentence end behind these words, whatever follows them? */
static bool ends_before(const struct splitter *splitter, struct sv tail, const char *next)
{
    struct buf b = BUF_INIT;
    struct sentence first;
    size_t pos = 0, end = 0;
    buf_sv(&b, tail);
    buf_str(&b, next);
    while (end < tail.n && sentence_next(splitter, buf_view(&b), &pos, &first))
        end = first.end;
    buf_release(&b);
    return end == tail.n;
}

/* Does the sentence end here, as far as its own words tell? Windows of word pieces end inside
 * numbers ("0." of "0.7092"), any inside "(Fig. 3)" and behind "et al.". */
static bool has_plain_end(const struct splitter *splitter, struct sv text,
                          const struct sentence *s)
{
    size_t stop = s->end;
    while (stop > s->start + 1 && is_one_of(text.p[stop - 1], ")]\"'"))
        stop--;
    char last = text.p[stop - 1], before = stop > s->start + 1 ? text.p[stop - 2] : ' ';
    if (!is_one_of(last, ".!?"))
        return false;
    if (stop == s->end && last == '.' && before >= '0' && before <= '9')
        return false;
    size_t from =
        s->end - s->start > TAIL_BYTES ? utf8_floor(text, s->end - TAIL_BYTES) : s->start;
    struct sv tail = sv_from_to(text, from, s->end);
    return ends_before(splitter, tail, " Xq") && ends_before(splitter, tail, " 5");
}

bool overlap_reads(const struct splitter *splitter, const struct source *source,
                   const struct sentence *s)
{
    struct sv text = source->text;
    if (s->end < source->before)
        return true;
    if (s->end == source->before)
        return has_plain_end(splitter, text, s);
    return source->after && s->end == text.n && s->start >= text.n - source->after &&
           !has_plain_end(splitter, text, s);
}
