/*
 * The supervisor: a process between `incumbent run` (the wrapper) and its command. It keeps the command and all its
 * descendants alive only while the wrapper vouches for them, and ends them when the wrapper falls silent, is killed or
 * is frozen.
 *
 * usage: incumbent-supervisor SOCKET [IGNORED [background]]
 *        incumbent-supervisor --clock     prints what the kernel tells of its clock, and ends
 * SOCKET    the wrapper listens there; the messages are told in orders.h
 * IGNORED   hexadecimal mask of the signals that were ignored when the wrapper began, where it knows better than we
 * background   CMD never has the terminal
 */
#define _GNU_SOURCE
#include "clock.h"
#include "supervise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_INTERNAL = 70 };

static uint64_t bit(int signal_number) {
    return UINT64_C(1) << (signal_number - 1);
}

static uint64_t signals_ignored_now(void) {
    uint64_t ignored = 0;
    for (int signal_number = 1; signal_number < NSIG && signal_number <= 64; signal_number++) {
        struct sigaction action;
        if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
            ignored |= bit(signal_number);
        }
    }
    return ignored;
}

/* Only the wrapper's socket, or SIGKILL, ends a supervisor. */
static void become_deaf_to_signals(void) {
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
                                  SIGPIPE, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_IGN);
    }
    signal(SIGCHLD, SIG_DFL); /* were it ignored, nobody's end would be told */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int fail(const char *what) {
    fprintf(stderr, "incumbent-supervisor: %s: %s\n", what, strerror(errno));
    return EXIT_INTERNAL;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: incumbent-supervisor SOCKET [IGNORED [background]] | --clock\n");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--clock") == 0) {
        return clock_report() ? 0 : fail("the kernel tells nothing of its clock");
    }
    static struct supervisor supervisor = {
        .outcome = -1,
        .stop_signal = SIGTERM,
        .stop_at = 0, /* without a lease nothing starts */
        .kill_at = 0,
        .asked_kill_at = NEVER,
        .leftover_kill_at = NEVER,
    };
    uint64_t told = argc >= 3 ? strtoull(argv[2], NULL, 16) : 0;
    /* the wrapper itself ignores SIGTTOU, to speak while CMD has the terminal */
    supervisor.command.ignored_signals = told | (signals_ignored_now() & ~bit(SIGTTOU));
    supervisor.command.nice = getpriority(PRIO_PROCESS, 0);
    become_deaf_to_signals();
    terminal_open(&supervisor.terminal, argc < 4);
    setpgid(0, 0);
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        return fail("cannot adopt orphans");
    }
    if (!wire_connect(&supervisor.wire, argv[1])) {
        return fail(argv[1]);
    }
    setpriority(PRIO_PROCESS, 0, -20); /* where allowed: a deadline is no time to queue behind CMD */
    supervise(&supervisor);
    return 0;
}
