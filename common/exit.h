// SPDX-License-Identifier: MIT
/*
 * exit.h — the five exit codes, also used as the kind of an error
 */
#ifndef GR_EXIT_H
#define GR_EXIT_H

enum gr_exit {
    EXIT_ALL_DONE = 0, /* all records processed */
    EXIT_REJECTED =
        1, /* finished, at least one record rejected; as an error: this record is bad */
    EXIT_USAGE = 2,   /* wrong usage, nothing read */
    EXIT_FATAL = 3,   /* cannot go on: open, read, write, corrupt index or model, memory */
    EXIT_SERVICE = 4, /* a remote service stayed unavailable after retries */
};

#endif
