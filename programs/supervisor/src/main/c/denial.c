#define _GNU_SOURCE
#include "denial.h"

#include "pids.h"

#include <stdbool.h>
#include <stdio.h>

static struct pid_set told;

/* A name may hold any byte, and people read it at a terminal. */
static void make_printable(char *name) {
    for (; *name; name++) {
        if (*name < ' ' || *name > '~') {
            *name = '?';
        }
    }
}

/* The effective user and the name; false if the process is gone or hidden. */
static bool read_owner(pid_t pid, unsigned *user, char name[80]) {
    char path[40], line[200];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *status = fopen(path, "re");
    if (!status) {
        return false;
    }
    bool found = false;
    name[0] = '\0';
    while (!found && fgets(line, sizeof line, status)) {
        sscanf(line, "Name:\t%79[^\n]", name);
        found = sscanf(line, "Uid:\t%*u\t%u", user) == 1;
    }
    fclose(status);
    make_printable(name);
    return found;
}

void denial_tell(struct wire *wire, pid_t pid) {
    if (pid_set_has(&told, pid)) {
        return;
    }
    pid_set_add(&told, pid);
    unsigned user;
    char name[80];
    if (read_owner(pid, &user, name)) {
        wire_say(wire, "denied %d %u %s", pid, user, name);
    } else {
        wire_say(wire, "denied %d", pid);
    }
}
