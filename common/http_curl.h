// SPDX-License-Identifier: MIT
/*
 * http_curl.h — libcurl, opened when the first request is prepared
 *
 * Linked as usual, libcurl brings some thirty libraries that a process relocates before main:
 * 4 ms of CPU time for each tool that could talk to a service and mostly does not.
 */
#ifndef GR_HTTP_CURL_H
#define GR_HTTP_CURL_H

#include <curl/curl.h>

#include "err.h"

/* Its functions by their names without "curl_"; each is what libcurl's manual says of that
 * name, and so is who owns what it takes and returns. */
struct http_curl {
    CURLcode (*global_init)(long flags); /* done by http_curl_open */

    /* A connection. The last argument of easy_setopt and easy_getinfo is the caller's care, for
     * no compiler checks it here: long, not int; curl_off_t where an option ends in _LARGE or
     * _T; a pointer to one of these to get a value. */
    CURL *(*easy_init)(void); /* NULL: out of memory */
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
    CURLcode (*easy_perform)(CURL *curl);
    void (*easy_cleanup)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);

    /* Header lines: copied; the list is the caller's. NULL: out of memory. */
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);

    /* A form of parts, which go with it. Names are copied; NULL: out of memory. */
    curl_mime *(*mime_init)(CURL *curl);
    curl_mimepart *(*mime_addpart)(curl_mime *mime);
    CURLcode (*mime_name)(curl_mimepart *part, const char *name);
    CURLcode (*mime_filename)(curl_mimepart *part, const char *name);
    CURLcode (*mime_type)(curl_mimepart *part, const char *type);
    CURLcode (*mime_data_cb)(curl_mimepart *part, curl_off_t n, curl_read_callback read,
                             curl_seek_callback seek, curl_free_callback release, void *arg);
    void (*mime_free)(curl_mime *mime);
};

/* Valid to the end of the process. NULL with EXIT_FATAL when there is no libcurl. Any thread.
 */
const struct http_curl *http_curl_open(struct err *err);

#endif
