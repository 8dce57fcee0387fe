#define _GNU_SOURCE
#include "start.h"

#include "inherit.h"
#include "signals.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_INTERNAL = 70, MOST_PROPERTIES = 3, LONGEST_PROPERTY = 64 };

static const char *reason(int error) {
    switch (error) {
    case E2BIG:
        return "more than 252 others are open";
    case ETOOMANYREFS:
        return "too many files of this user are in messages between processes";
    default:
        return strerror(error);
    }
}

/* False if there are none, or they cannot be left: the command is run without them, as a JVM would run it. */
static bool leave_descriptors(int own) {
    static struct inherited all;
    bool listed = inherit_list(&all, own);
    if (listed && all.count == 0) {
        return false;
    }
    bool left = listed && inherit_leave(&all);
    if (!left) {
        fprintf(stderr, "incumbent: the command gets no open files but its input, output and error: %s\n", reason(errno));
    }
    return left;
}

int start_wrapper(int own, char *const *jvm, int words) {
    char ignored[LONGEST_PROPERTY], blocked[LONGEST_PROPERTY];
    char **all = calloc((size_t)words + MOST_PROPERTIES + 1, sizeof *all);
    if (!all) {
        perror("incumbent");
        return EXIT_INTERNAL;
    }
    snprintf(ignored, sizeof ignored, "-Dincumbent.ignored=%llx", (unsigned long long)signals_ignored());
    snprintf(blocked, sizeof blocked, "-Dincumbent.blocked=%llx", (unsigned long long)signals_blocked());
    int count = 0;
    all[count++] = jvm[0];
    all[count++] = ignored;
    all[count++] = blocked;
    if (leave_descriptors(own)) {
        all[count++] = "-Dincumbent.descriptors=yes";
    }
    memcpy(all + count, jvm + 1, ((size_t)words - 1) * sizeof *all);
    signals_unblock_all();
    execv(jvm[0], all);
    fprintf(stderr, "incumbent: %s: %s\n", jvm[0], strerror(errno));
    return EXIT_INTERNAL;
}
