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
 * the topmost one in sight. False with errno set if there is none to be had: if it cannot be made, killed or entered.
 */
bool cgroup_make(struct cgroup *cgroup, const char *below);

bool cgroup_exists(const struct cgroup *cgroup);

/* Moves the calling process into it, if there is one. */
void cgroup_enter(const struct cgroup *cgroup);

/* Lets it go on if somebody has frozen it, so that who is asked to end can do so. */
void cgroup_thaw(const struct cgroup *cgroup);

/* Kills all that is in it, if there is one, also what is frozen. */
void cgroup_kill(const struct cgroup *cgroup);

/* Removes it once nobody is in it, and the groups that were made in it. */
void cgroup_remove(struct cgroup *cgroup);

#endif
