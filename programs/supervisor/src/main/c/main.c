/*
 * The supervisor: a process between `incumbent run` (the wrapper) and its command. It keeps the command and all its
 * descendants alive only while the wrapper vouches for them, and ends them when the wrapper falls silent, is killed or
 * is frozen.
 *
 * usage: incumbent-supervisor SOCKET [IGNORED [BLOCKED [background|descriptors]]]
 *        incumbent-supervisor --start OWN JVM ARG...     becomes the wrapper's JVM (see start.h)
 *        incumbent-supervisor --clock     prints what the kernel tells of its clock, and ends
 *        incumbent-supervisor --watchdog DEVICE SOCKET     holds a watchdog (see hold.h)
 * SOCKET    the wrapper listens there; the messages are told in orders.h
 * IGNORED   hexadecimal mask of the signals that were ignored when the wrapper began, where it knows better than we
 * BLOCKED   hexadecimal mask of the signals that were blocked then
 * background    CMD never has the terminal
 * descriptors   standard input holds the true one, and the descriptors above 2 that CMD gets (see inherit.h)
 */
#define _GNU_SOURCE
#include "clock.h"
#include "hold.h"
#include "signals.h"
#include "start.h"
#include "supervise.h"
#include "tree.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_INTERNAL = 70 };

/* What a fault of our own raises keeps its effect. */
static bool is_a_fault(int signal_number) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i] == signal_number) {
            return true;
        }
    }
    return false;
}

/* Only the wrapper's socket, or SIGKILL, ends a supervisor: not a limit on processor time, nor a power failure. */
static void become_deaf_to_signals(void) {
    for (int signal_number = 1; signal_number < NSIG; signal_number++) {
        if (!is_a_fault(signal_number)) {
            signal(signal_number, SIG_IGN); /* which KILL, STOP and those of the C library refuse */
        }
    }
    signal(SIGCHLD, SIG_DFL); /* were it ignored, nobody's end would be told */
    signals_unblock_all(); /* a JVM's child has SIGQUIT blocked */
}

/* Who looks at the processes of the machine reads this name, whatever path we were started by. */
static void take_name(int argc, char **argv) {
    static const char name[] = "incumbent-supervisor";
    char *end = argv[argc - 1] + strlen(argv[argc - 1]);
    memset(argv[0], 0, (size_t)(end - argv[0]));
    strncpy(argv[0], name, (size_t)(end - argv[0]));
    prctl(PR_SET_NAME, name);
}

static int fail(const char *what) {
    fprintf(stderr, "incumbent-supervisor: %s: %s\n", what, strerror(errno));
    return EXIT_INTERNAL;
}

static uint64_t mask(int argc, char **argv, int index) {
    return argc > index ? strtoull(argv[index], NULL, 16) : 0;
}

static bool is_told(int argc, char **argv, const char *word) {
    return argc > 4 && strcmp(argv[4], word) == 0;
}

int main(int argc, char **argv) {
    if (argc >= 4 && strcmp(argv[1], "--start") == 0) {
        return start_wrapper(atoi(argv[2]), argv + 3, argc - 3);
    }
    if (argc == 4 && strcmp(argv[1], "--watchdog") == 0) {
        become_deaf_to_signals();
        prctl(PR_SET_NAME, "incumbent-watch");
        setpriority(PRIO_PROCESS, 0, -20); /* where allowed: what it is told comes in time */
        return hold(argv[2], argv[3]);
    }
    if (argc < 2 || argc > 5) {
        fprintf(stderr, "usage: incumbent-supervisor SOCKET [IGNORED [BLOCKED [background|descriptors]]] | --start OWN JVM ARG... | --clock | --watchdog DEVICE SOCKET\n");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--clock") == 0) {
        return clock_report() ? 0 : fail("the kernel tells nothing of its clock");
    }
    static struct supervisor supervisor = {
        .state = WAITING,
        .outcome = -1,
        .stop_signal = SIGTERM,
        .stop_at = 0, /* without a lease nothing starts */
        .kill_at = 0,
        .kill_by = NEVER,
    };
    /* the wrapper itself ignores SIGTTOU, to speak while CMD has the terminal */
    supervisor.command.ignored_signals = mask(argc, argv, 2) | (signals_ignored() & ~signal_bit(SIGTTOU));
    supervisor.command.blocked_signals = mask(argc, argv, 3);
    supervisor.command.nice = getpriority(PRIO_PROCESS, 0);
    become_deaf_to_signals();
    if (is_told(argc, argv, "descriptors") && !inherit_take(&supervisor.command.inherited)) { /* before anything else is opened */
        return fail("the descriptors that the command shall get cannot be had");
    }
    terminal_open(&supervisor.terminal, !is_told(argc, argv, "background"));
    if (setpgid(0, 0) < 0) {
        return fail("no process group of its own");
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        return fail("cannot adopt orphans");
    }
    if (tree_parent_of(getpid()) < 0) {
        return fail("cannot see its own process in /proc, nor those that it would have to end");
    }
    if (!wire_connect(&supervisor.wire, argv[1])) {
        return fail(argv[1]);
    }
    take_name(argc, argv);
    setpriority(PRIO_PROCESS, 0, -20); /* where allowed: a deadline is no time to queue behind CMD */
    return supervise(&supervisor) ? 0 : fail("no timer, or no news of children");
}
