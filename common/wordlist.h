// SPDX-License-Identifier: MIT
/*
 * wordlist.h — word lists from plain files: stop words, abbreviations
 */
#ifndef GR_WORDLIST_H
#define GR_WORDLIST_H

#include "err.h"
#include "gr.h"
#include "map.h"

/*
 * The lines of a UTF-8 file as the keys of a map, in order: white space at both ends trimmed,
 * empty lines and lines that start with "#" left out, repeated lines once. CRLF and a
 * byte-order mark are fine. At most 16 MiB. NULL with err filled (EXIT_FATAL, names the file)
 * when it cannot be read or is not UTF-8. The caller frees the map.
 */
struct map *wordlist_load(const char *path, struct err *err);

#endif
