#define _GNU_SOURCE
#include "inherit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for all of them and for standard input, which comes last. */
union ancillary {
    struct cmsghdr header;
    char room[CMSG_SPACE((MOST_INHERITED + 1) * sizeof(int))];
};

static int by_number(const void *one, const void *other) {
    return *(const int *)one - *(const int *)other;
}

bool inherit_list(struct inherited *all, int but_for) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) {
        return false;
    }
    bool fits = true;
    all->count = 0;
    for (struct dirent *entry; fits && (entry = readdir(folder));) {
        int number = atoi(entry->d_name);
        if (number > STDERR_FILENO && number != but_for && number != dirfd(folder)) {
            fits = all->count < MOST_INHERITED;
            if (fits) {
                all->numbers[all->count++] = number;
            }
        }
    }
    closedir(folder);
    qsort(all->numbers, all->count, sizeof *all->numbers, by_number);
    errno = fits ? 0 : E2BIG;
    return fits;
}

/* The numbers are the text, and the descriptors come along. */
static bool send_all(int socket, const struct inherited *all) {
    union ancillary ancillary = {.room = {0}};
    size_t size = (all->count + 1) * sizeof(int);
    struct iovec text = {(void *)all->numbers, all->count * sizeof(int)};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = CMSG_SPACE(size)};
    ancillary.header.cmsg_level = SOL_SOCKET;
    ancillary.header.cmsg_type = SCM_RIGHTS;
    ancillary.header.cmsg_len = CMSG_LEN(size);
    int *sent = (int *)(void *)CMSG_DATA(&ancillary.header);
    memcpy(sent, all->numbers, all->count * sizeof(int));
    sent[all->count] = STDIN_FILENO;
    return sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

bool inherit_leave(const struct inherited *all) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) {
        return false;
    }
    bool left = send_all(ends[0], all) && dup2(ends[1], STDIN_FILENO) >= 0;
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return left;
}

static bool place(int copy, int number) {
    if (copy == number) {
        return true;
    }
    bool placed = dup3(copy, number, O_CLOEXEC) >= 0;
    int error = errno;
    close(copy);
    errno = error;
    return placed;
}

/*
 * The kernel gave each copy the lowest number that was free. So no copy has a greater number than it shall have, and the last one, moved first, meets
 * no other.
 */
static bool place_all(const struct inherited *all, const int *copies) {
    if (dup2(copies[all->count], STDIN_FILENO) < 0) {
        return false;
    }
    close(copies[all->count]);
    for (size_t i = all->count; i-- > 0;) {
        if (copies[i] > all->numbers[i]) {
            errno = EMFILE;
            return false;
        }
        if (!place(copies[i], all->numbers[i])) {
            return false;
        }
    }
    return true;
}

bool inherit_take(struct inherited *all) {
    union ancillary ancillary = {.room = {0}};
    struct iovec text = {all->numbers, sizeof all->numbers};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary};
    ssize_t length = recvmsg(STDIN_FILENO, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0) {
        return false;
    }
    all->count = (size_t)length / sizeof(int);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    bool whole = header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN((all->count + 1) * sizeof(int));
    if (!whole || (message.msg_flags & MSG_CTRUNC)) {
        errno = EMFILE; /* fewer may be open than then */
        return false;
    }
    return place_all(all, (const int *)(const void *)CMSG_DATA(header));
}

void inherit_pass_on(const struct inherited *all) {
    for (size_t i = 0; i < all->count; i++) {
        fcntl(all->numbers[i], F_SETFD, 0);
    }
}
