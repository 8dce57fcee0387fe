#ifndef INCUMBENT_PIDS_H
#define INCUMBENT_PIDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { MOST_PIDS = 1 << 22 /* of Linux */ };

/* A set of process ids: a bit for each. Static ones begin empty, and only pages that are written to take memory. */
struct pid_set {
    uint8_t bits[MOST_PIDS / 8];
};

static inline bool pid_set_has(const struct pid_set *set, pid_t pid) {
    return set->bits[pid / 8] >> pid % 8 & 1;
}

static inline void pid_set_add(struct pid_set *set, pid_t pid) {
    set->bits[pid / 8] |= (uint8_t)(1 << pid % 8);
}

static inline void pid_set_remove(struct pid_set *set, pid_t pid) {
    set->bits[pid / 8] &= (uint8_t) ~(1 << pid % 8);
}

#endif
