#ifndef INCUMBENT_INHERIT_H
#define INCUMBENT_INHERIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The descriptors above 2 that `incumbent run` was started with. A JVM closes them in every process that it starts. So this program takes the JVM's
 * place for a moment before it begins: it puts copies of them and of standard input into a message to a socket, which becomes the JVM's standard
 * input, for that is passed on. Each supervisor takes copies of its own from the message, and leaves it there for the next one.
 */
enum { MOST_INHERITED = 252 /* and standard input: as many as the kernel lets one message carry */ };

struct inherited {
    int numbers[MOST_INHERITED];
    size_t count;
};

/* Lists the descriptors above 2 that are open, but for one. False with errno set if that fails: E2BIG if there are too many. */
bool inherit_list(struct inherited *all, int but_for);

/*
 * Puts them and standard input into a message, which can be taken from standard input from now on. False with errno set if that fails: ETOOMANYREFS if
 * more descriptors of this user are in messages than this process may have open.
 */
bool inherit_leave(const struct inherited *all);

/*
 * Takes them from standard input, which becomes what it was. Each has its number again, and is closed on execution. To be called while nothing above
 * 2 is open. False with errno set if that fails.
 */
bool inherit_take(struct inherited *all);

/* Whatever this process executes next has them. */
void inherit_pass_on(const struct inherited *all);

#endif
