#define _GNU_SOURCE
#include "supervise.h"

#include "clock.h"
#include "denial.h"
#include "orders.h"
#include "steps.h"
#include "tree.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often is looked again, where no event would tell. */
static const int64_t KILL_EVERY = 2 * MILLISECOND;
static const int64_t KILL_SELDOM = 50 * MILLISECOND; /* who is not gone by then waits for a disk */
static const int64_t KILL_RARELY = 500 * MILLISECOND; /* or may not be killed by us: his end wakes us anyhow */
static const int64_t CGROUP_GRACE = SECOND;
static const int64_t ASK_EVERY = 25 * MILLISECOND;
static const int64_t LOOK_AT_TERMINAL_EVERY = 100 * MILLISECOND;

/* Where the kernel tells what happens. */
struct sources {
    int timer;
    int children;
};

/* Takes note of every child that ended or stopped; false once there is none, and so no descendant either. */
static bool reap(struct supervisor *s) {
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED | __WALL);
        if (pid < 0) {
            return errno != ECHILD;
        }
        if (pid == 0) {
            return true;
        }
        if (pid != s->pid) {
            continue;
        }
        if (WIFSTOPPED(status)) {
            step_event(s, CMD_PAUSED, (struct detail){.number = WSTOPSIG(status)});
        } else if (WIFCONTINUED(status)) {
            step_event(s, CMD_RESUMED, (struct detail){0});
        } else {
            step_event(s, CMD_ENDED, (struct detail){.number = status});
        }
    }
}

/* A zombie that is traced, and so cannot be waited for, is no reason to stay. Whoever can be waited for tells better how it ended. */
static void end_with_zombies(struct supervisor *s) {
    reap(s);
    int end = s->pid > 0 ? tree_end_of(s->pid) : -1;
    if (end >= 0) {
        step_event(s, CMD_ENDED, (struct detail){.number = end});
    }
    step_event(s, NOBODY_LEFT, (struct detail){0});
}

/* What a cgroup kills may need a moment to die, and is denied to us until then. */
static void tell_denied(pid_t pid, void *context) {
    struct supervisor *s = context;
    if (!cgroup_exists(&s->cgroup) || boot_now() - s->killing_since > CGROUP_GRACE) {
        denial_tell(&s->wire, pid);
    }
}

/*
 * The group and the cgroup at one blow each, whoever forks meanwhile included, then all others. The next round comes no
 * sooner than twice what this one took, so that those who are to die have the processor; where a round changed nothing,
 * it comes later and later.
 */
static void kill_everything(struct supervisor *s) {
    static size_t listed_before;
    static int64_t pause;
    int64_t began = boot_now();
    if (step_has_command(s)) {
        kill(-s->pid, SIGKILL);
    }
    cgroup_kill(&s->cgroup);
    struct tree_round round = tree_kill(tell_denied, s);
    bool changed = round.listed != listed_before;
    listed_before = round.listed;
    if (!changed && tree_is_dead()) {
        end_with_zombies(s);
    }
    int64_t now = boot_now();
    pause = changed ? KILL_EVERY : earlier(2 * pause, round.denied > 0 ? KILL_RARELY : KILL_SELDOM);
    s->look_at = now + pause + (now - began);
}

/* All of them first, and then those who came to us since the last look. */
static void ask_leftovers_to_end(struct supervisor *s) {
    if (s->look_at == 0) {
        tree_ask();
    } else {
        tree_ask_orphans();
    }
    s->look_at = boot_now() + ASK_EVERY;
}

/* Ctrl-Z in a job that CMD shares with others stops the wrapper, and leaves CMD running. */
static void follow_wrapper(struct supervisor *s) {
    if (s->state == RUNNING && s->terminal.shared && tree_is_stopped(s->terminal.wrapper)) {
        kill(-s->pid, SIGTSTP);
    }
}

/* Does what the state asks for besides waiting. */
static void pursue(struct supervisor *s) {
    bool due = boot_now() >= s->look_at;
    if (s->state == KILLING && due) {
        kill_everything(s);
    } else if (s->state == LEFTOVERS && due) {
        ask_leftovers_to_end(s);
    } else {
        follow_wrapper(s);
        step_follow_foreground(s);
    }
}

static void advance(struct supervisor *s) {
    bool any_left = reap(s);
    step_enforce_deadlines(s);
    if (!any_left) {
        step_event(s, NOBODY_LEFT, (struct detail){0});
    }
    pursue(s);
}

static int64_t next_look(const struct supervisor *s) {
    switch (s->state) {
    case RUNNING:
    case PAUSED: {
        int64_t deadline = earlier(s->stop_at, s->kill_at);
        return terminal_exists(&s->terminal) ? earlier(deadline, boot_now() + LOOK_AT_TERMINAL_EVERY) : deadline;
    }
    case STOPPING:
        return earlier(s->kill_by, earlier(s->stop_at, s->kill_at));
    case LAPSED:
        return earlier(s->kill_by, s->kill_at);
    case LEFTOVERS:
        return earlier(s->look_at, earlier(s->kill_by, s->kill_at));
    case KILLING:
        return s->look_at;
    default:
        return NEVER;
    }
}

static bool open_sources(struct sources *sources) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sources->timer = timer_open();
    sources->children = sigprocmask(SIG_BLOCK, &child, NULL) == 0 ? signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
    return sources->timer >= 0 && sources->children >= 0;
}

static void clear_child_news(int child_news) {
    struct signalfd_siginfo news;
    while (read(child_news, &news, sizeof news) > 0) {
    }
}

/* What it says is still heard by a wrapper that has closed its own side only, and waits for all to be gone. */
static void hear_wrapper(struct supervisor *s) {
    bool connected = wire_receive(&s->wire);
    for (char *line; connected && (line = wire_next_line(&s->wire));) {
        connected = orders_obey(s, line); /* whom we do not understand we cannot trust to vouch for CMD */
    }
    if (!connected) {
        s->wire.heard_out = true;
        step_order(s, HANG_UP, (struct detail){0});
    }
}

static void wait_for_news(struct supervisor *s, const struct sources *sources) {
    timer_wake_at(sources->timer, next_look(s));
    struct pollfd events[] = {
        {.fd = s->wire.heard_out ? -1 : s->wire.fd, .events = POLLIN},
        {.fd = sources->children, .events = POLLIN},
        {.fd = sources->timer, .events = POLLIN},
        {.fd = s->outcome, .events = POLLIN},
    };
    if (poll(events, sizeof events / sizeof *events, -1) < 0) {
        return;
    }
    if (events[2].revents) {
        timer_clear(sources->timer);
    }
    if (events[3].revents) {
        step_take_outcome(s);
    }
    if (events[1].revents) {
        clear_child_news(sources->children);
    }
    if (events[0].revents) {
        hear_wrapper(s);
    }
}

bool supervise(struct supervisor *s) {
    struct sources sources;
    if (!open_sources(&sources)) {
        return false;
    }
    wire_say(&s->wire, "hello %lld", (long long)boot_now());
    for (advance(s); s->state != GONE; advance(s)) {
        wait_for_news(s, &sources);
    }
    return true;
}
