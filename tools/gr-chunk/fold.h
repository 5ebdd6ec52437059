// SPDX-License-Identifier: MIT
/*
 * fold.h — the form of a text that is searched letter by letter, with the way back
 */
#ifndef FOLD_H
#define FOLD_H

#include "buf.h"
#include "sv.h"

/*
 * Append to `folded` the text (valid UTF-8) in compatibility form, case folded, without marks:
 * "δ¹⁸O" gives "δ18o", "ﬁne" gives "fine", "Café" gives "cafe". Append to `map` a JSON array of
 * [position in folded, position in text], in code points: one for the start, one wherever the
 * two no longer go in step. A position f of folded lies at text + f − folded of the last entry
 * at or before it. O(n).
 */
void fold_text(struct buf *folded, struct buf *map, struct sv text);

#endif
