#ifndef INCUMBENT_SUPERVISE_H
#define INCUMBENT_SUPERVISE_H

#include "command.h"
#include "terminal.h"
#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

/* What CMD is doing. It only ever moves on to a later one. */
enum phase { NOT_STARTED, STARTING, RUNNING, ENDED };

struct supervisor {
    struct wire wire;
    struct terminal terminal;
    struct command command;
    enum phase phase;
    pid_t pid;     /* of CMD, and of its process group; 0 before it is forked */
    int outcome;   /* readable when it is known whether CMD was executed; -1 if nothing is to be read */
    bool stopped;  /* by a signal of job control */
    bool stopping; /* CMD has been sent a signal that shall end it */
    bool lapsed;   /* past stop_at or kill_at: no lease is taken any more */
    bool killing;  /* nothing below us may live */
    bool finished;
    const char *why; /* it ends; NULL while it does not */
    int stop_signal;
    int64_t stop_at;          /* of the lease */
    int64_t kill_at;          /* of the lease */
    int64_t asked_kill_at;    /* of a stop that was asked for */
    int64_t leftover_kill_at; /* of what CMD left behind */
};

/* Keeps CMD alive only while the wrapper vouches for it; returns when nothing is left below this process. */
void supervise(struct supervisor *supervisor);

/* The steps an order or an event can lead to. */
void supervise_start(struct supervisor *supervisor);
void supervise_stop(struct supervisor *supervisor, int signal_number, const char *why);
void supervise_kill(struct supervisor *supervisor, const char *why);
void supervise_pass_signal(struct supervisor *supervisor, int signal_number);
void supervise_enforce_deadlines(struct supervisor *supervisor);

#endif
