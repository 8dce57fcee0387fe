#ifndef INCUMBENT_CGROUP_H
#define INCUMBENT_CGROUP_H

#include <stdbool.h>

/*
 * A control group (version 2) of CMD's own, where this process may make one: the kernel kills all that is in it at one
 * blow, also what changed its user, forks meanwhile, or left our tree. Everything works without it.
 */
struct cgroup {
    char path[4000]; /* its folder; empty if there is none */
};

/*
 * Makes one below the given folder. "auto" stands for the cgroup this process is in, if that was delegated to us or is
 * the topmost one in sight. False with errno set if there is none to be had.
 */
bool cgroup_make(struct cgroup *cgroup, const char *below);

/* Moves the calling process into it, if there is one. */
void cgroup_enter(const struct cgroup *cgroup);

/* Kills all that is in it, if there is one. */
void cgroup_kill(const struct cgroup *cgroup);

/* Removes it once nobody is in it. */
void cgroup_remove(struct cgroup *cgroup);

#endif
