#ifndef INCUMBENT_TERMINAL_H
#define INCUMBENT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * The controlling terminal, if there is one. CMD's group has it while the wrapper's group would have it without us,
 * so that keys reach CMD alone; the shell only knows the wrapper's group.
 */
struct terminal {
    int fd;
    pid_t wrapper;       /* the wrapper itself */
    pid_t wrapper_group; /* the job, as the shell sees it */
};

/* To be called while this process is still in the wrapper's group; in the background there is no terminal. */
void terminal_open(struct terminal *terminal, bool in_foreground);

bool terminal_exists(const struct terminal *terminal);

/* Whether the shell has put the wrapper's group in the foreground. */
bool terminal_is_with_wrapper(const struct terminal *terminal);

void terminal_give_to(const struct terminal *terminal, pid_t group);

/* Gives the terminal back to the wrapper's group, but never takes it from a group that has a life of its own. */
void terminal_take_back_from(const struct terminal *terminal, pid_t group);

/* Whether somebody could ever say fg: without one, who stops would sleep for ever. */
bool terminal_has_job_control(const struct terminal *terminal);

#endif
