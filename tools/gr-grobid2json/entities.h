// SPDX-License-Identifier: MIT
/*
 * entities.h — &name; → the character, where a file leaves the definition to a DTD not fetched
 */
#ifndef ENTITIES_H
#define ENTITIES_H

/* UTF-8 of the character (some 90 names mean two), static; NULL: no standard name. The five of
 * XML itself are not among them. */
const char *entity_text(const char *name);

#endif
