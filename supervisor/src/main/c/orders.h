#ifndef INCUMBENT_ORDERS_H
#define INCUMBENT_ORDERS_H

#include "supervise.h"

/*
 * Obeys one line of the wrapper; false if it is none that is known. Times are boot-time nanoseconds.
 *
 *   arg HEX               one more argument of CMD, the first being CMD itself
 *   lease STOPAT KILLAT   CMD may live until then; answered by "ack NOW KILLAT" with the time that is in force
 *   start                 forks CMD; refused once STOPAT has passed
 *   sig N                 to CMD's process group
 *   stopsig N             the signal to be sent at STOPAT
 *   stop N KILLAT         N to the group now, KILL at KILLAT, and no lease from now on
 *   kill                  KILL to all, now
 */
bool orders_obey(struct supervisor *supervisor, const char *line);

#endif
