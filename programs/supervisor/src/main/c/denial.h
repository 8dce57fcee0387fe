#ifndef INCUMBENT_DENIAL_H
#define INCUMBENT_DENIAL_H

#include "wire.h"

#include <sys/types.h>

/*
 * Tells the wrapper of a process that we may not signal, since it changed its user: "denied PID UID NAME", or "denied PID"
 * where the process is hidden from us. Each process is told once.
 */
void denial_tell(struct wire *wire, pid_t pid);

#endif
