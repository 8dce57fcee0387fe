#ifndef INCUMBENT_ORDERS_H
#define INCUMBENT_ORDERS_H

#include "supervise.h"

/*
 * Obeys one line of the wrapper; false if it is none that is known, or comes when it must not. Times are boot-time
 * nanoseconds. Before CMD is started:
 *
 *   arg HEX               one more argument of CMD, the first being CMD itself
 *   stopsig N             the signal to be sent at STOPAT
 *   cgroup auto|FOLDER    CMD gets a control group of its own, if it can be had; answered by "cgroup FOLDER" or "nocgroup ERRNO"
 *
 * and at any time, with what the table in steps.c says:
 *
 *   lease STOPAT KILLAT   CMD may live until then; answered by "ack NOW KILLAT" with the time that is in force
 *   start                 forks CMD; refused once STOPAT has passed
 *   sig N                 to CMD's process group
 *   stop N KILLAT         N to the group now, and KILL at KILLAT
 *   kill                  KILL to all, now
 *   awake                 answered by "awake NOW": only a supervisor that is not frozen does
 */
bool orders_obey(struct supervisor *supervisor, const char *line);

#endif
