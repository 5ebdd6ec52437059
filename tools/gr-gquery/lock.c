// SPDX-License-Identifier: MIT
/*
 * lock.c — flock on the file itself, which a rename may have replaced meanwhile
 */
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int lock_take(const char *path, struct err *err)
{
    struct stat mine, there;
    for (int i = 0; i < 10; i++) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return err_set(err, EXIT_FATAL, "%s: %s", path, strerror(errno));
        if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
            close(fd);
            break;
        }
        /* Is it still the file of that name? The last writer may just have renamed its own. */
        if (fstat(fd, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino &&
            mine.st_dev == there.st_dev)
            return fd;
        close(fd);
    }
    return err_set(err, EXIT_FATAL, "%s: another process is changing it: try again later",
                   path);
}

void lock_release(int fd)
{
    if (fd >= 0)
        close(fd);
}
