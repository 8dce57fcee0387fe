#ifndef INCUMBENT_TREE_H
#define INCUMBENT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * All descendants of this process. They are listed as a whole before any of them is signalled, since the children of one
 * that ends meanwhile are ours and not its own any more. What is forked during the listing may be missed: who wants all
 * of them gone calls again until no child is left to wait for, which is the whole truth, since orphans come to us.
 */

/* What one round of KILL has met. */
struct tree_round {
    size_t listed;
    size_t denied; /* so many of them we may not kill, since they changed their user */
};

/* Calls back for each that we may not kill. */
struct tree_round tree_kill(void (*denied)(pid_t pid, void *context), void *context);

/* Sends TERM, and CONT to wake it, to each descendant that was not asked before. */
void tree_ask(void);

/*
 * The same for those alone who became our children after they were asked for, and for what is below them. The others are left
 * in peace: whom somebody has started who was asked may be what it needs in order to end.
 */
void tree_ask_orphans(void);

/* Whoever is in the group counts as asked: it was, by a signal to the whole group. */
void tree_note_as_asked(pid_t group);

/*
 * Whether there are descendants and all of them have ended: one that is traced is a zombie until its tracer lets it go,
 * and no child that could be waited for. One that /proc hides from us has not ended while a signal would find it.
 */
bool tree_is_dead(void);

/* Whether a process sleeps by job control, or by SIGSTOP. */
bool tree_is_stopped(pid_t pid);

/* How a zombie ended, as waitpid would tell it; -1 if it is none, or may not be looked at. */
int tree_end_of(pid_t pid);

/* The parent of a process; -1 if there is no such process. */
pid_t tree_parent_of(pid_t pid);

/* Calls back for each process of the machine until it returns true; whether it did. */
bool tree_any_process(bool (*is_it)(pid_t pid, void *context), void *context);

#endif
