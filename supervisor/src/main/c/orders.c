#define _GNU_SOURCE
#include "orders.h"

#include "clock.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool is_signal(int number) {
    return number > 0 && number < NSIG;
}

static bool lease(struct supervisor *s, const char *line) {
    long long stop_at, kill_at;
    if (sscanf(line, "lease %lld %lld", &stop_at, &kill_at) != 2 || stop_at <= 0 || kill_at < stop_at) {
        return false;
    }
    supervise_enforce_deadlines(s); /* a renewal that comes after stop_at is none */
    if (!s->lapsed && !s->killing) {
        s->stop_at = stop_at;
        s->kill_at = kill_at;
    }
    wire_say(&s->wire, "ack %lld %lld", (long long)boot_now(), (long long)s->kill_at);
    return true;
}

static bool stop(struct supervisor *s, const char *line) {
    int number;
    long long kill_at;
    if (sscanf(line, "stop %d %lld", &number, &kill_at) != 2 || !is_signal(number)) {
        return false;
    }
    s->asked_kill_at = earlier(s->asked_kill_at, kill_at);
    supervise_stop(s, number, "asked");
    return true;
}

static bool pass_signal(struct supervisor *s, const char *line) {
    int number;
    if (sscanf(line, "sig %d", &number) != 1 || !is_signal(number)) {
        return false;
    }
    supervise_pass_signal(s, number);
    return true;
}

static bool choose_stop_signal(struct supervisor *s, const char *line) {
    return sscanf(line, "stopsig %d", &s->stop_signal) == 1 && is_signal(s->stop_signal);
}

static bool starts_with(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

bool orders_obey(struct supervisor *s, const char *line) {
    if (starts_with(line, "lease ")) {
        return lease(s, line);
    }
    if (starts_with(line, "arg ")) {
        return command_add_argument(&s->command, line + strlen("arg "));
    }
    if (starts_with(line, "sig ")) {
        return pass_signal(s, line);
    }
    if (starts_with(line, "stopsig ")) {
        return choose_stop_signal(s, line);
    }
    if (starts_with(line, "stop ")) {
        return stop(s, line);
    }
    if (strcmp(line, "start") == 0) {
        supervise_start(s);
        return true;
    }
    if (strcmp(line, "kill") == 0) {
        supervise_kill(s, "killed");
        return true;
    }
    return false;
}
