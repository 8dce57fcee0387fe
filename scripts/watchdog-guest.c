/*
 * Says lines to the holder of a watchdog as an agent does, and prints what it hears: for scripts/accept-watchdog, whose guest has no Java.
 * usage: watchdog-guest SOCKET      lines from standard input; "count MS" is sent as that time from now, "sleep MS" waits, "end" ends
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void hear(int fd) {
    char line[4096];
    ssize_t length = recv(fd, line, sizeof line - 1, 0);
    if (length <= 0) {
        printf("GUEST %" PRId64 " the holder is gone\n", now());
        exit(1);
    }
    line[length] = '\0';
    printf("GUEST %" PRId64 " heard %s", now(), line);
    fflush(stdout);
}

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (argc != 2) {
        return 64;
    }
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int tries = 0; connect(fd, (struct sockaddr *)&address, sizeof address) < 0; tries++) {
        if (tries > 100) {
            return 69;
        }
        usleep(100000);
    }
    hear(fd);
    char line[256];
    while (fgets(line, sizeof line, stdin) && strcmp(line, "end\n") != 0) {
        long value = strtol(line + 6, NULL, 10);
        if (strncmp(line, "sleep ", 6) == 0) {
            usleep((useconds_t)(value * 1000));
            continue;
        }
        char said[300];
        int64_t until = now() + value * 1000000;
        if (strncmp(line, "count ", 6) == 0) {
            snprintf(said, sizeof said, "count %" PRId64 "\n", until);
            printf("GUEST %" PRId64 " fires before %" PRId64 "\n", now(), until);
        } else {
            snprintf(said, sizeof said, "%s", line);
        }
        if (send(fd, said, strlen(said), MSG_NOSIGNAL) < 0) {
            return 1;
        }
        if (strncmp(line, "owner ", 6) != 0 && strncmp(line, "gone ", 5) != 0) {
            hear(fd);
        }
    }
    return 0;
}
