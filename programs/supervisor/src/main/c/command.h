#ifndef INCUMBENT_COMMAND_H
#define INCUMBENT_COMMAND_H

#include "cgroup.h"
#include "inherit.h"
#include "terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* CMD: what shall be run, and with what it must find itself as if started without us. */
struct command {
    char **arguments; /* ends with NULL */
    size_t count;
    size_t capacity;
    uint64_t ignored_signals; /* as in signals.h */
    uint64_t blocked_signals;
    struct inherited inherited;
    int nice;
};

/* Adds an argument given as hexadecimal digits, since it may hold any byte; false if they are none. */
bool command_add_argument(struct command *command, const char *digits);

/*
 * Forks CMD into a group of its own, which takes the terminal if the wrapper had it alone, and dies with this process.
 * Returns its process id, or -1. *outcome becomes readable once: an errno if it could not be executed, else end of file.
 */
pid_t command_fork(const struct command *command, const struct terminal *terminal, const struct cgroup *cgroup, int *outcome);

/* Reads and closes the outcome: 0 if CMD was executed, else the errno. */
int command_outcome(int outcome);

#endif
