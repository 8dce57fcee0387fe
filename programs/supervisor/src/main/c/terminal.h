#ifndef INCUMBENT_TERMINAL_H
#define INCUMBENT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * The controlling terminal, if there is one. The shell only knows the wrapper's group, which is its job. Where nobody
 * else is in that job, CMD's group has the terminal whenever the job would have it without us, so that keys reach CMD
 * alone. Where others are (a pipeline, a script), the job keeps the terminal, and CMD gets it when it asks for it.
 */
struct terminal {
    int fd;
    pid_t wrapper;       /* the wrapper itself */
    pid_t wrapper_group; /* the job, as the shell sees it */
    bool shared;         /* others are in the job */
};

/* To be called while this process is still in the wrapper's group; in the background there is no terminal. */
void terminal_open(struct terminal *terminal, bool in_foreground);

/* Looks who else is in the wrapper's group; to be called once this process has left it, before CMD is started. */
void terminal_look_around(struct terminal *terminal);

bool terminal_exists(const struct terminal *terminal);

/* Whether the shell has put the wrapper's group in the foreground. */
bool terminal_is_with_wrapper(const struct terminal *terminal);

/* False, with errno set, if that fails. */
bool terminal_give_to(const struct terminal *terminal, pid_t group);

/* Gives the terminal back to the wrapper's group, but never takes it from a group that has a life of its own. */
void terminal_take_back_from(const struct terminal *terminal, pid_t group);

/* Whether somebody could ever say fg: without one, who stops would sleep for ever. */
bool terminal_has_job_control(const struct terminal *terminal);

/*
 * Whether the keyboard may have sent CMD this signal, which ended it: INT or QUIT, in the foreground. If it reached CMD's
 * group alone, the others of the job get it now, as they would have without us.
 */
bool terminal_typed(const struct terminal *terminal, pid_t group, int signal_number);

#endif
