// SPDX-License-Identifier: MIT
/*
 * paths.h — names of files, some of them patterns
 */
#ifndef PATHS_H
#define PATHS_H

#include "err.h"
#include "gr.h"

struct paths {
    const char **items; /* (n) */
    size_t n, cap;
    char **owned; /* (n_owned) */
    size_t n_owned;
};

/* Every name as it is, but one with * ? or [ of which there is no file as the files that it
 * matches, in byte order. EXIT_FATAL when there are none. names stay borrowed. */
int paths_expand(struct paths *p, const char *const *names, size_t n, struct err *err);
void paths_release(struct paths *p);

#endif
