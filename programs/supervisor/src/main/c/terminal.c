#define _GNU_SOURCE
#include "terminal.h"

#include "tree.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void terminal_open(struct terminal *terminal, bool in_foreground) {
    terminal->wrapper = getppid();
    terminal->wrapper_group = getpgrp();
    terminal->fd = in_foreground ? open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1;
}

bool terminal_exists(const struct terminal *terminal) {
    return terminal->fd >= 0;
}

/* A zombie is there until its parent looks, and means nobody. */
static bool is_another_of_the_job(pid_t pid, void *context) {
    const struct terminal *terminal = context;
    return pid != terminal->wrapper && getpgid(pid) == terminal->wrapper_group && tree_end_of(pid) < 0;
}

void terminal_look_around(struct terminal *terminal) {
    terminal->shared = terminal_exists(terminal) && tree_any_process(is_another_of_the_job, terminal);
}

bool terminal_is_with_wrapper(const struct terminal *terminal) {
    return terminal_exists(terminal) && tcgetpgrp(terminal->fd) == terminal->wrapper_group;
}

bool terminal_give_to(const struct terminal *terminal, pid_t group) {
    return tcsetpgrp(terminal->fd, group) == 0;
}

static bool group_is_dead(pid_t group) {
    return kill(-group, 0) < 0;
}

void terminal_take_back_from(const struct terminal *terminal, pid_t group) {
    if (!terminal_exists(terminal)) {
        return;
    }
    pid_t foreground = tcgetpgrp(terminal->fd);
    bool with_group = foreground == group;
    bool with_nobody = foreground > 0 && foreground != terminal->wrapper_group && group_is_dead(foreground);
    if (with_group || with_nobody) {
        tcsetpgrp(terminal->fd, terminal->wrapper_group);
    }
}

bool terminal_has_job_control(const struct terminal *terminal) {
    pid_t first_outside = terminal->wrapper;
    while (first_outside > 0 && getpgid(first_outside) == terminal->wrapper_group) {
        first_outside = tree_parent_of(first_outside);
    }
    return first_outside > 0 && getsid(first_outside) == getsid(0);
}

struct passing {
    const struct terminal *terminal;
    int signal_number;
};

static bool pass_on(pid_t pid, void *context) {
    const struct passing *passing = context;
    if (pid != passing->terminal->wrapper && getpgid(pid) == passing->terminal->wrapper_group) {
        kill(pid, passing->signal_number);
    }
    return false;
}

bool terminal_typed(const struct terminal *terminal, pid_t group, int signal_number) {
    if (!terminal_exists(terminal) || (signal_number != SIGINT && signal_number != SIGQUIT)) {
        return false;
    }
    pid_t foreground = tcgetpgrp(terminal->fd);
    if (foreground == group) {
        struct passing passing = {terminal, signal_number};
        tree_any_process(pass_on, &passing);
    }
    return foreground == group || foreground == terminal->wrapper_group;
}
