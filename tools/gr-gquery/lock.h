// SPDX-License-Identifier: MIT
/*
 * lock.h — one writer of a graph file at a time
 */
#ifndef LOCK_H
#define LOCK_H

#include "err.h"

/*
 * Lock the file at path against other writers; readers are not hindered, they keep the file
 * they opened. Returns a descriptor for lock_release. -1: EXIT_FATAL when it cannot be opened
 * or somebody else writes it. Where the file system has no locks, nothing is locked.
 */
int lock_take(const char *path, struct err *err);
void lock_release(int fd);

#endif
