#define _GNU_SOURCE
#include "signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { LAST_SIGNAL = 64 };

uint64_t signal_bit(int signal_number) {
    return UINT64_C(1) << (signal_number - 1);
}

static bool has(uint64_t set, int signal_number) {
    return (set & signal_bit(signal_number)) != 0;
}

uint64_t signals_ignored(void) {
    uint64_t ignored = 0;
    for (int signal_number = 1; signal_number <= LAST_SIGNAL; signal_number++) {
        struct sigaction action;
        if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
            ignored |= signal_bit(signal_number);
        }
    }
    return ignored;
}

uint64_t signals_blocked(void) {
    sigset_t set;
    uint64_t blocked = 0;
    sigprocmask(SIG_SETMASK, NULL, &set);
    for (int signal_number = 1; signal_number <= LAST_SIGNAL; signal_number++) {
        if (sigismember(&set, signal_number) == 1) {
            blocked |= signal_bit(signal_number);
        }
    }
    return blocked;
}

static void block(uint64_t blocked) {
    sigset_t set;
    sigemptyset(&set);
    for (int signal_number = 1; signal_number <= LAST_SIGNAL; signal_number++) {
        if (has(blocked, signal_number)) {
            sigaddset(&set, signal_number); /* which those of the C library refuse */
        }
    }
    sigprocmask(SIG_SETMASK, &set, NULL);
}

void signals_unblock_all(void) {
    block(0);
}

void signals_restore(uint64_t ignored, uint64_t blocked) {
    for (int signal_number = 1; signal_number <= LAST_SIGNAL; signal_number++) {
        signal(signal_number, has(ignored, signal_number) ? SIG_IGN : SIG_DFL);
    }
    block(blocked);
}
