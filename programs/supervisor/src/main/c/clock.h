#ifndef INCUMBENT_CLOCK_H
#define INCUMBENT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* All times are nanoseconds of CLOCK_BOOTTIME: it goes on counting while the machine is suspended, as a lease does. */
#define MILLISECOND INT64_C(1000000)
#define SECOND (1000 * MILLISECOND)
#define NEVER INT64_MAX

int64_t boot_now(void);

/* A timer on the boot-time clock, to be polled; -1 if there is none. */
int timer_open(void);

/* Lets the timer become readable at the given time, which may have passed; NEVER switches it off. */
void timer_wake_at(int timer, int64_t at);

/* Takes the news out of a timer that became readable. */
void timer_clear(int timer);

/* Prints what the kernel tells of its own clock (adjtimex) as one line of JSON: times in microseconds, rates in parts per million times 2^16. */
bool clock_report(void);

int64_t earlier(int64_t one, int64_t other);

#endif
