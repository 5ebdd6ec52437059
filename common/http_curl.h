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

/* Its functions by their names without "curl_". Variadic ones: the type of the last argument is
 * the caller's care (long, not int; curl_off_t where an option ends in _LARGE). */
struct http_curl {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *curl, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *curl, CURLINFO info, ...);
    CURLcode (*easy_perform)(CURL *curl);
    void (*easy_cleanup)(CURL *curl);
    const char *(*easy_strerror)(CURLcode code);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
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
