#ifndef INCUMBENT_SUPERVISE_H
#define INCUMBENT_SUPERVISE_H

#include "cgroup.h"
#include "command.h"
#include "terminal.h"
#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

/* What the supervisor does. The tables in steps.c say what each order and each event does in each state. */
enum state {
    WAITING,   /* CMD is not started */
    RUNNING,   /* CMD runs */
    PAUSED,    /* CMD sleeps by job control */
    STOPPING,  /* CMD was told to end; the lease is still renewed */
    LAPSED,    /* past stop_at: CMD was told to end, and no lease is taken any more */
    LEFTOVERS, /* CMD has ended, what it left behind is asked to end */
    KILLING,   /* nothing below us may live */
    GONE,      /* nothing is left: the end */
    STATES
};

struct supervisor {
    struct wire wire;
    struct terminal terminal;
    struct command command;
    struct cgroup cgroup;
    enum state state;
    pid_t pid;       /* of CMD, and of its process group; 0 before it is forked and once it is reaped */
    pid_t group;     /* of CMD, also once it has ended; 0 before it is forked */
    int outcome;     /* readable when it is known whether CMD was executed; -1 if nothing is to be read */
    int not_executed; /* why CMD could not be executed, an errno; 0 if it was, or nobody knows yet */
    const char *why; /* it ends; NULL while it does not */
    int stop_signal;
    int64_t stop_at; /* of the lease */
    int64_t kill_at; /* of the lease */
    int64_t kill_by; /* of what was asked to end: a CMD that was told to stop, what it left behind */
    int64_t killing_since;
    int64_t look_at; /* when KILLING and LEFTOVERS look at the tree again */
};

/* Keeps CMD alive only while the wrapper vouches for it; returns when nothing is left below this process. False, with errno set, if it
 * could not begin. */
bool supervise(struct supervisor *supervisor);

#endif
