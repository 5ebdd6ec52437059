// SPDX-License-Identifier: MIT
/*
 * gr.h — what every file of the suite may assume: attributes, small macros, banned functions
 *
 * Layer 0. Include it first (or through any other header of common/).
 */
#ifndef GR_H
#define GR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Number of elements of an array (not of a pointer). */
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* printf-like checking: format string at position f, first argument at position a. */
#define GR_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define GR_NORETURN __attribute__((noreturn))
#define GR_UNUSED __attribute__((unused))
#define GR_MUST_USE __attribute__((warn_unused_result))

/* Sanitizers cannot see through some shared libraries; code that must know asks this. */
#if defined(__SANITIZE_ADDRESS__)
#define GR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GR_ASAN 1
#endif
#endif
#ifndef GR_ASAN
#define GR_ASAN 0
#endif

/*
 * Functions nobody here may call, and why:
 * unbounded writes (strcpy strcat sprintf vsprintf gets), silent truncation or padding
 * (strncpy), hidden state (strtok gmtime localtime rand), no error report (atoi atol atof),
 * a shell (system popen), a race (tmpnam).
 */
#define GR_BANNED(f) gr_banned_function_##f##_see_gr_h
#undef strcpy
#define strcpy(a, b) GR_BANNED(strcpy)
#undef strcat
#define strcat(a, b) GR_BANNED(strcat)
#undef strncpy
#define strncpy(a, b, c) GR_BANNED(strncpy)
#undef strtok
#define strtok(a, b) GR_BANNED(strtok)
#undef sprintf
#define sprintf(...) GR_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) GR_BANNED(vsprintf)
#undef gets
#define gets(a) GR_BANNED(gets)
#undef atoi
#define atoi(a) GR_BANNED(atoi)
#undef atol
#define atol(a) GR_BANNED(atol)
#undef atof
#define atof(a) GR_BANNED(atof)
#undef gmtime
#define gmtime(a) GR_BANNED(gmtime)
#undef localtime
#define localtime(a) GR_BANNED(localtime)
#undef system
#define system(a) GR_BANNED(system)
#undef popen
#define popen(a, b) GR_BANNED(popen)
#undef tmpnam
#define tmpnam(a) GR_BANNED(tmpnam)
#undef rand
#define rand() GR_BANNED(rand)

#endif
