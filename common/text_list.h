// SPDX-License-Identifier: MIT
/*
 * text_list.h — word lists from plain files: stop words, abbreviations
 */
#ifndef GR_TEXT_LIST_H
#define GR_TEXT_LIST_H

#include "err.h"
#include "gr.h"
#include "map.h"

/*
 * The lines of a UTF-8 file as the keys of a map, in order: white space at both ends trimmed,
 * empty lines and lines that start with "#" left out, repeated lines once. CRLF and a
 * byte-order mark are fine. At most 16 MiB. NULL with err filled (EXIT_FATAL, names the file)
 * when it cannot be read or is not UTF-8. The caller frees the map.
 */
struct map *text_list_load(const char *path, struct err *err);

#endif
