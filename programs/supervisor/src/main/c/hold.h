#ifndef INCUMBENT_HOLD_H
#define INCUMBENT_HOLD_H

/*
 * The holder of a watchdog: a process that an agent starts and that outlives it. It feeds the device only when it is told
 * to, keeps the list of those whose work the device guards, and stays without an agent while the device counts: closing a
 * device that counts would feed it.
 *
 * One agent at a time connects to its socket. Lines from the agent, each answered by one but "owner" and "gone":
 *   count UNTIL          the device fires no later than that; stopped before, it counts from now on
 *   stop                 the device is stopped
 *   owner KEY TEXT       remembered for the next agent; at most 64
 *   gone KEY
 * Lines to the agent; NOW, UNTIL and FIRES are nanoseconds of CLOCK_BOOTTIME, FIRES is 0 while the device is stopped:
 *   owner KEY TEXT       at the beginning, those that are remembered
 *   holds NOW FIRES MANY at the beginning, after them: how many owners there are
 *   counts NOW FIRES     done
 *   short NOW FIRES      not done: less than a second was left
 *   stopped NOW 0        done
 *   failed NOW FIRES WHY
 */
int hold(const char *device, const char *socket);

#endif
