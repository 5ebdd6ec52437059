// SPDX-License-Identifier: MIT
/*
 * http_curl.c — dlopen and a table of names
 */
#include "http_curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "gr.h"

#define LIBRARY "libcurl.so.4" /* the interface of every libcurl since 2006 */
#define FUNCTION(name)                                                                         \
    {                                                                                          \
        "curl_" #name, offsetof(struct http_curl, name)                                        \
    }

static const struct {
    const char *name;
    size_t at; /* in struct http_curl */
} functions[] = {
    FUNCTION(global_init),   FUNCTION(easy_init),    FUNCTION(easy_setopt),
    FUNCTION(easy_getinfo),  FUNCTION(easy_perform), FUNCTION(easy_cleanup),
    FUNCTION(easy_strerror), FUNCTION(slist_append), FUNCTION(slist_free_all),
    FUNCTION(mime_init),     FUNCTION(mime_addpart), FUNCTION(mime_name),
    FUNCTION(mime_filename), FUNCTION(mime_type),    FUNCTION(mime_data_cb),
    FUNCTION(mime_free),
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct http_curl table;
static struct err failed; /* code 0: it is open */

static void open_library(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
        void *f = library ? dlsym(library, functions[i].name) : NULL;
        if (!f) {
            const char *why = dlerror();
            err_set(&failed, EXIT_FATAL, "a service needs libcurl: %s", why ? why : LIBRARY);
            return;
        }
        /* POSIX lets a data pointer hold a function; C says nothing, hence the copy. */
        memcpy((char *)&table + functions[i].at, &f, sizeof f);
    }
    table.global_init(CURL_GLOBAL_DEFAULT);
}

const struct http_curl *http_curl_open(struct err *err)
{
    pthread_once(&once, open_library);
    if (!failed.code)
        return &table;
    *err = failed;
    return NULL;
}
