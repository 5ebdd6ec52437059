// SPDX-License-Identifier: MIT
/*
 * lapack.c — dlopen and two calls
 */
#define _DEFAULT_SOURCE /* setenv */
#include "lapack.h"

#include <dlfcn.h>
#include <lapacke.h>

#define LIBRARY "liblapacke.so.3"

/* A function of the library by its name; the type is the caller's. */
static void *find(const char *name, struct err *err)
{
    static void *library;
    if (!library) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1); /* read when it is loaded */
        library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    }
    void *f = library ? dlsym(library, name) : NULL;
    if (!f)
        err_set(err, EXIT_FATAL, "distill needs LAPACKE: %s", dlerror());
    return f;
}

/* POSIX lets a data pointer hold a function; C says nothing, hence the copy. */
#define CALL(f, name, err)                                                                     \
    do {                                                                                       \
        void *found = find(name, err);                                                         \
        if (!found)                                                                            \
            return -1;                                                                         \
        memcpy(&(f), &found, sizeof(f));                                                       \
    } while (0)

int lapack_eigen(double *a, size_t n, double *values, struct err *err)
{
    lapack_int (*dsyevd)(int, char, char, lapack_int, double *, lapack_int, double *);
    CALL(dsyevd, "LAPACKE_dsyevd", err);
    lapack_int size = (lapack_int)n;
    /* Column-major eigenvectors are rows here. */
    lapack_int rc = dsyevd(LAPACK_COL_MAJOR, 'V', 'U', size, a, size, values);
    return rc == 0 ? 0 : err_set(err, EXIT_FATAL, "dsyevd: %ld: no components", (long)rc);
}

int lapack_solve(double *a, size_t n, double *b, size_t m, struct err *err)
{
    lapack_int (*dposv)(int, char, lapack_int, lapack_int, double *, lapack_int, double *,
                        lapack_int);
    CALL(dposv, "LAPACKE_dposv", err);
    lapack_int rc = dposv(LAPACK_ROW_MAJOR, 'U', (lapack_int)n, (lapack_int)m, a, (lapack_int)n,
                          b, (lapack_int)m);
    return rc == 0 ? 0 : err_set(err, EXIT_FATAL, "dposv: %ld: no solution", (long)rc);
}
