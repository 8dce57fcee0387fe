#define _GNU_SOURCE
#include "hold.h"

#include "clock.h"
#include "device.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <poll.h>

enum { MOST_OWNERS = 64, LONGEST_LOCK = 128, EXIT_HELD = 75, EXIT_INTERNAL = 70, EXIT_CONFIG = 78 };

static struct device device;
static char *owners[MOST_OWNERS]; /* each is KEY TEXT */
static size_t lost; /* owners for whom there was no room */

static int fail(const char *what) {
    fprintf(stderr, "incumbent-watchdog: %s: %s\n", what, strerror(errno));
    return EXIT_INTERNAL;
}

/* One holder for a socket, whatever becomes of it. */
static bool take_lock(const char *path) {
    char lock[LONGEST_LOCK];
    snprintf(lock, sizeof lock, "%s.lock", path);
    int fd = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    umask(077);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0 ? fd : -1;
}

/* It lives when others are killed for want of memory, and needs none of it from a disk. Each where we may. */
static void settle(void) {
    static const char least[] = "-1000";
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        ssize_t ignored = write(fd, least, sizeof least - 1);
        (void)ignored;
        close(fd);
    }
    mlockall(MCL_CURRENT);
    setsid();
}

static size_t key_length(const char *owner) {
    return strcspn(owner, " ");
}

static char **find(const char *key) {
    for (size_t i = 0; i < MOST_OWNERS; i++) {
        if (owners[i] && key_length(owners[i]) == key_length(key) && strncmp(owners[i], key, key_length(key)) == 0) {
            return &owners[i];
        }
    }
    return NULL;
}

static void remember(const char *owner) {
    char **place = find(owner);
    for (size_t i = 0; !place && i < MOST_OWNERS; i++) {
        place = owners[i] ? NULL : &owners[i];
    }
    char *kept = place ? strdup(owner) : NULL;
    if (kept) {
        free(*place);
        *place = kept;
    } else {
        lost++;
    }
}

static void forget(const char *key) {
    char **place = find(key);
    if (place) {
        free(*place);
        *place = NULL;
    }
}

static void answer(struct wire *wire, enum device_outcome outcome, const char *done) {
    switch (outcome) {
    case DEVICE_DONE:
        wire_say(wire, "%s %" PRId64 " %" PRId64, done, boot_now(), device.fires_at);
        break;
    case DEVICE_SHORT:
        wire_say(wire, "short %" PRId64 " %" PRId64, boot_now(), device.fires_at);
        break;
    case DEVICE_FAILED:
        wire_say(wire, "failed %" PRId64 " %" PRId64 " %s", boot_now(), device.fires_at, device_reason());
        break;
    }
}

/* False for a line that nobody of ours sends. */
static bool obey(struct wire *wire, const char *line) {
    if (strncmp(line, "count ", 6) == 0) {
        answer(wire, device_count(&device, strtoll(line + 6, NULL, 10)), "counts");
    } else if (strcmp(line, "stop") == 0) {
        enum device_outcome stopped = device_stop(&device);
        lost = stopped == DEVICE_DONE ? 0 : lost; /* nobody's work is left */
        answer(wire, stopped, "stopped");
    } else if (strncmp(line, "owner ", 6) == 0) {
        remember(line + 6);
    } else if (strncmp(line, "gone ", 5) == 0) {
        forget(line + 5);
    } else {
        return false;
    }
    return true;
}

/* An agent that did not hear of all owners must know it. One that does not listen for so long is none. */
static bool greet(struct wire *wire) {
    const struct timeval patience = {.tv_sec = 5};
    size_t known = lost;
    bool heard = setsockopt(wire->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0;
    for (size_t i = 0; i < MOST_OWNERS; i++) {
        if (owners[i]) {
            known++;
            heard = heard && wire_tell(wire, "owner %s", owners[i]);
        }
    }
    return heard && wire_tell(wire, "holds %" PRId64 " %" PRId64 " %zu", boot_now(), device.fires_at, known);
}

/* Serves one agent until it hangs up, or says something that nobody of ours says. */
static void serve(int client) {
    struct wire wire = {.fd = client};
    bool understood = greet(&wire);
    while (understood) {
        struct pollfd hears = {.fd = client, .events = POLLIN};
        if (poll(&hears, 1, -1) > 0 && !wire_receive(&wire)) {
            break;
        }
        for (char *line = wire_next_line(&wire); line && understood; line = wire_next_line(&wire)) {
            understood = obey(&wire, line);
        }
    }
    close(client);
    free(wire.text);
}

int hold(const char *path, const char *socket_path) {
    device = (struct device){.path = path, .fd = -1};
    if (!take_lock(socket_path)) {
        bool is_held = errno == EWOULDBLOCK;
        if (is_held) {
            puts("held");
        }
        return is_held ? EXIT_HELD : fail(socket_path);
    }
    if (device_objection(path)) {
        fprintf(stderr, "incumbent-watchdog: %s: %s\n", path, device_reason());
        return EXIT_CONFIG;
    }
    int door = listen_at(socket_path);
    if (door < 0) {
        return fail(socket_path);
    }
    settle();
    puts("ready");
    fflush(stdout);
    bool served = false;
    while (!served || device.fd >= 0) {
        int client = accept4(door, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0) {
            serve(client);
            served = true;
        }
    }
    unlink(socket_path);
    return 0;
}
