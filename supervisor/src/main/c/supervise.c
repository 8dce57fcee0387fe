#define _GNU_SOURCE
#include "supervise.h"

#include "clock.h"
#include "orders.h"
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
static const int64_t LOOK_AT_TERMINAL_EVERY = 100 * MILLISECOND;

/* How long what CMD left behind may take to end itself. */
static const int64_t LEFTOVER_GRACE = SECOND;

static bool is_alive(const struct supervisor *s) {
    return s->phase == STARTING || s->phase == RUNNING;
}

static void signal_group(const struct supervisor *s, int signal_number) {
    if (s->pid > 0) {
        kill(-s->pid, signal_number);
    }
}

static void because(struct supervisor *s, const char *why) {
    if (!s->why) {
        s->why = why;
    }
}

void supervise_kill(struct supervisor *s, const char *why) {
    because(s, why);
    s->killing = true;
}

void supervise_stop(struct supervisor *s, int signal_number, const char *why) {
    because(s, why);
    s->stopping = true;
    if (is_alive(s)) {
        signal_group(s, signal_number);
        signal_group(s, SIGCONT); /* one that sleeps would not hear of it */
        s->stopped = false;
    }
}

void supervise_enforce_deadlines(struct supervisor *s) {
    if (s->phase == NOT_STARTED) {
        return;
    }
    int64_t now = boot_now();
    if (now >= s->stop_at && !s->lapsed) {
        s->lapsed = true;
        if (is_alive(s) && !s->stopping) {
            supervise_stop(s, s->stop_signal, "deadline");
        }
    }
    if (now >= s->kill_at && !s->killing) {
        s->why = is_alive(s) ? "deadline" : s->why;
        s->killing = true;
    }
    if (now >= s->asked_kill_at || now >= s->leftover_kill_at) {
        s->killing = true;
    }
}

static void start_failed(struct supervisor *s, int error) {
    wire_say(&s->wire, "noexec %d", error);
    because(s, "noexec");
    s->phase = ENDED;
}

void supervise_start(struct supervisor *s) {
    if (s->phase != NOT_STARTED || s->command.count == 0 || boot_now() >= s->stop_at) {
        wire_say(&s->wire, "refused");
        return;
    }
    pid_t pid = command_fork(&s->command, &s->terminal, &s->outcome);
    if (pid < 0) {
        start_failed(s, errno);
        return;
    }
    s->pid = pid;
    s->phase = STARTING;
    wire_say(&s->wire, "forked %d", pid);
}

static void take_outcome(struct supervisor *s) {
    int error = command_outcome(s->outcome);
    s->outcome = -1;
    if (error) {
        start_failed(s, error);
    } else {
        wire_say(&s->wire, "started");
        s->phase = RUNNING;
    }
}

static void command_ended(struct supervisor *s, int status) {
    if (s->phase == STARTING) {
        take_outcome(s);
    }
    if (s->phase == ENDED) {
        return; /* it was never executed, and that has been said */
    }
    if (WIFEXITED(status)) {
        wire_say(&s->wire, "exited %d", WEXITSTATUS(status));
    } else {
        wire_say(&s->wire, "signaled %d", WTERMSIG(status));
    }
    because(s, "self");
    s->phase = ENDED;
}

static void resume(struct supervisor *s) {
    signal_group(s, SIGCONT);
    s->stopped = false;
}

/* The shell said fg, to the only group it knows. */
static void follow_foreground(struct supervisor *s) {
    if (s->pid == 0 || !is_alive(s) || !terminal_is_with_wrapper(&s->terminal)) {
        return;
    }
    terminal_give_to(&s->terminal, s->pid);
    if (s->stopped) {
        resume(s);
    }
}

/* Ctrl-Z reached CMD alone; the shell waits for the wrapper's group, so that stops as well. */
static void command_stopped(struct supervisor *s, int signal_number) {
    s->stopped = true;
    wire_say(&s->wire, "stopped %d", signal_number);
    if (signal_number == SIGSTOP || !terminal_exists(&s->terminal) || s->stopping) {
        return;
    }
    if (terminal_is_with_wrapper(&s->terminal)) {
        follow_foreground(s);
    } else if (terminal_has_job_control(&s->terminal)) {
        kill(-s->terminal.wrapper_group, signal_number);
    } else if (signal_number == SIGTSTP) {
        resume(s);
    }
}

void supervise_pass_signal(struct supervisor *s, int signal_number) {
    if (signal_number == SIGCONT) {
        follow_foreground(s); /* before CMD wakes and reads from the terminal */
        s->stopped = false;
    }
    if (is_alive(s)) {
        signal_group(s, signal_number);
    }
}

/* Takes note of every child that ended or stopped; false once there is none, and so no descendant either. */
static bool reap(struct supervisor *s) {
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL);
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
            command_stopped(s, WSTOPSIG(status));
        } else {
            command_ended(s, status);
        }
    }
}

static void kill_everything(struct supervisor *s) {
    if (is_alive(s)) {
        signal_group(s, SIGKILL); /* at one blow, whoever forks meanwhile included */
    }
    tree_signal(SIGKILL, 0);
}

/* Whoever was in the group has had the stop signal already, if CMD was asked to stop. */
static void ask_leftovers_to_end(struct supervisor *s) {
    pid_t spared_group = s->stopping ? s->pid : 0;
    tree_signal(SIGTERM, spared_group);
    tree_signal(SIGCONT, 0);
    s->leftover_kill_at = boot_now() + LEFTOVER_GRACE;
}

static void finish(struct supervisor *s) {
    if (s->pid > 0) {
        terminal_take_back_from(&s->terminal, s->pid);
    }
    wire_say(&s->wire, "gone %s", s->why);
    s->finished = true;
}

/* Moves towards the end, where there is one to come. */
static void advance(struct supervisor *s) {
    bool any_left = reap(s);
    supervise_enforce_deadlines(s);
    if (!any_left && s->why && !is_alive(s)) {
        finish(s);
    } else if (s->killing) {
        kill_everything(s);
    } else if (s->phase == ENDED && s->leftover_kill_at == NEVER) {
        ask_leftovers_to_end(s);
    } else {
        follow_foreground(s);
    }
}

static int64_t next_look(const struct supervisor *s) {
    int64_t now = boot_now();
    if (s->killing) {
        return now + KILL_EVERY;
    }
    int64_t at = s->leftover_kill_at;
    if (s->phase != NOT_STARTED) {
        at = earlier(at, earlier(s->kill_at, s->asked_kill_at));
    }
    if (is_alive(s) && !s->lapsed) {
        at = earlier(at, s->stop_at);
    }
    if (is_alive(s) && terminal_exists(&s->terminal)) {
        at = earlier(at, now + LOOK_AT_TERMINAL_EVERY);
    }
    return at;
}

static int open_child_news(void) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void clear_child_news(int child_news) {
    struct signalfd_siginfo news;
    while (read(child_news, &news, sizeof news) > 0) {
    }
}

static void hear_wrapper(struct supervisor *s) {
    bool connected = wire_receive(&s->wire);
    for (char *line; (line = wire_next_line(&s->wire));) {
        if (!orders_obey(s, line)) {
            connected = false; /* whom we do not understand we cannot trust to vouch for CMD */
        }
    }
    if (!connected) {
        close(s->wire.fd);
        s->wire.fd = -1;
        supervise_kill(s, "wrapper");
    }
}

void supervise(struct supervisor *s) {
    int timer = timer_open();
    int child_news = open_child_news();
    wire_say(&s->wire, "hello %lld", (long long)boot_now());
    for (advance(s); !s->finished; advance(s)) {
        timer_wake_at(timer, next_look(s));
        struct pollfd events[] = {
            {.fd = s->wire.fd, .events = POLLIN},
            {.fd = child_news, .events = POLLIN},
            {.fd = timer, .events = POLLIN},
            {.fd = s->outcome, .events = POLLIN},
        };
        if (poll(events, sizeof events / sizeof *events, -1) < 0) {
            continue;
        }
        if (events[2].revents) {
            timer_clear(timer);
            supervise_enforce_deadlines(s); /* before the wrapper is heard: its renewal may have come too late */
        }
        if (events[3].revents) {
            take_outcome(s);
        }
        if (events[1].revents) {
            clear_child_news(child_news);
        }
        if (events[0].revents) {
            hear_wrapper(s);
        }
    }
}
