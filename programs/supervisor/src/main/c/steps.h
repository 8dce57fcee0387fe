#ifndef INCUMBENT_STEPS_H
#define INCUMBENT_STEPS_H

#include "supervise.h"

/* What the wrapper can order. */
enum order { LEASE, START, SIGNAL, STOP, KILL, HANG_UP, ORDERS };

/* What can happen. */
enum event { STOP_TIME, KILL_TIME, TIME_IS_UP, CMD_PAUSED, CMD_RESUMED, CMD_ENDED, NOBODY_LEFT, EVENTS };

/* What an order or an event brings along. */
struct detail {
    int number;      /* a signal, or how CMD ended as waitpid tells it */
    int64_t stop_at; /* of a lease */
    int64_t kill_at; /* of a lease, or of a stop */
};

/* Enforces the deadlines, since the order may have come too late, and then does what the order says. */
void step_order(struct supervisor *supervisor, enum order order, struct detail detail);

void step_event(struct supervisor *supervisor, enum event event, struct detail detail);

/* Makes an event of each deadline that has passed. */
void step_enforce_deadlines(struct supervisor *supervisor);

/* Reads whether CMD was executed, and tells it. */
void step_take_outcome(struct supervisor *supervisor);

/* The shell said fg, to the only group it knows: CMD gets the terminal, and goes on. */
void step_follow_foreground(struct supervisor *supervisor);

/* Whether CMD was started and has not ended. */
bool step_has_command(const struct supervisor *supervisor);

#endif
