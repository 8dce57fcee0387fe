#define _GNU_SOURCE
#include "orders.h"

#include "clock.h"
#include "steps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool is_signal(int number) {
    return number > 0 && number < NSIG;
}

static bool lease(struct supervisor *s, const char *values) {
    long long stop_at, kill_at;
    if (sscanf(values, "%lld %lld", &stop_at, &kill_at) != 2 || stop_at <= 0 || kill_at < stop_at) {
        return false;
    }
    step_order(s, LEASE, (struct detail){.stop_at = stop_at, .kill_at = kill_at});
    return true;
}

static bool stop(struct supervisor *s, const char *values) {
    int number;
    long long kill_at;
    if (sscanf(values, "%d %lld", &number, &kill_at) != 2 || !is_signal(number)) {
        return false;
    }
    step_order(s, STOP, (struct detail){.number = number, .kill_at = kill_at});
    return true;
}

static bool pass_signal(struct supervisor *s, const char *values) {
    int number;
    if (sscanf(values, "%d", &number) != 1 || !is_signal(number)) {
        return false;
    }
    step_order(s, SIGNAL, (struct detail){.number = number});
    return true;
}

static bool start(struct supervisor *s, const char *values) {
    step_order(s, START, (struct detail){0});
    return *values == '\0';
}

static bool kill_all(struct supervisor *s, const char *values) {
    step_order(s, KILL, (struct detail){0});
    return *values == '\0';
}

static bool add_argument(struct supervisor *s, const char *values) {
    return s->state == WAITING && command_add_argument(&s->command, values);
}

static bool choose_stop_signal(struct supervisor *s, const char *values) {
    return s->state == WAITING && sscanf(values, "%d", &s->stop_signal) == 1 && is_signal(s->stop_signal);
}

static bool make_cgroup(struct supervisor *s, const char *values) {
    if (s->state != WAITING || cgroup_exists(&s->cgroup)) {
        return false;
    }
    if (cgroup_make(&s->cgroup, values)) {
        wire_say(&s->wire, "cgroup %s", s->cgroup.path);
    } else {
        wire_say(&s->wire, "nocgroup %d", errno);
    }
    return true;
}

static bool answer(struct supervisor *s, const char *values) {
    wire_say(&s->wire, "awake %lld", (long long)boot_now());
    return *values == '\0';
}

static const struct {
    const char *word;
    bool (*obey)(struct supervisor *s, const char *values);
} known[] = {
    {"lease", lease},     {"arg", add_argument},           {"sig", pass_signal},    {"stop", stop},     {"start", start},
    {"kill", kill_all},   {"stopsig", choose_stop_signal}, {"cgroup", make_cgroup}, {"awake", answer},
};

bool orders_obey(struct supervisor *s, const char *line) {
    size_t length = strcspn(line, " ");
    const char *values = line[length] ? line + length + 1 : line + length;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].word) == length && strncmp(line, known[i].word, length) == 0) {
            return known[i].obey(s, values);
        }
    }
    return false;
}
