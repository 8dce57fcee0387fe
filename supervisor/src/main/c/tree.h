#ifndef INCUMBENT_TREE_H
#define INCUMBENT_TREE_H

#include <sys/types.h>

/*
 * Sends a signal to every descendant of this process, save the members of the group spared (0: nobody is spared).
 * What is forked meanwhile may be missed: who wants all of them gone calls again until no child is left to wait for,
 * which is the whole truth, since orphans come to us.
 */
void tree_signal(int signal, pid_t spared_group);

/* The parent of a process; -1 if there is no such process. */
pid_t tree_parent_of(pid_t pid);

#endif
