#define _GNU_SOURCE
#include "steps.h"

#include "clock.h"
#include "denial.h"
#include "tree.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

/* How long what CMD left behind may take to end itself. */
static const int64_t LEFTOVER_GRACE = SECOND;

static const struct detail NO_DETAIL = {0};

typedef void step(struct supervisor *s, struct detail detail);

bool step_has_command(const struct supervisor *s) {
    return s->pid > 0;
}

static void signal_group(struct supervisor *s, int signal_number) {
    bool denied = step_has_command(s) && kill(-s->pid, signal_number) < 0 && errno == EPERM;
    if (denied && !cgroup_exists(&s->cgroup)) { /* by which it can be killed after all */
        denial_tell(&s->wire, s->pid);
    }
}

static void because(struct supervisor *s, const char *why) {
    if (!s->why) {
        s->why = why;
    }
}

static void nothing(struct supervisor *s, struct detail detail) {
    (void)s;
    (void)detail;
}

static void kill_all(struct supervisor *s, struct detail detail) {
    (void)detail;
    s->state = KILLING;
    s->look_at = 0;
    s->killing_since = boot_now();
}

static void kill_ordered(struct supervisor *s, struct detail detail) {
    because(s, "killed");
    kill_all(s, detail);
}

static void kill_unvouched(struct supervisor *s, struct detail detail) {
    because(s, "wrapper");
    kill_all(s, detail);
}

/* The lease ended before CMD did, whatever it was told before. */
static void kill_lapsed(struct supervisor *s, struct detail detail) {
    s->why = "deadline";
    kill_all(s, detail);
}

static void tell_lease(struct supervisor *s, struct detail detail) {
    (void)detail;
    wire_say(&s->wire, "ack %lld %lld", (long long)boot_now(), (long long)s->kill_at);
}

static void take_lease(struct supervisor *s, struct detail lease) {
    s->stop_at = lease.stop_at;
    s->kill_at = lease.kill_at;
    tell_lease(s, lease);
}

static void refuse(struct supervisor *s, struct detail detail) {
    (void)detail;
    wire_say(&s->wire, "refused");
}

static void not_executed(struct supervisor *s, int error) {
    s->not_executed = error;
    because(s, "noexec");
    wire_say(&s->wire, "noexec %d", error);
}

static void start(struct supervisor *s, struct detail detail) {
    if (s->command.count == 0 || boot_now() >= s->stop_at) {
        refuse(s, detail);
        return;
    }
    terminal_look_around(&s->terminal);
    pid_t pid = command_fork(&s->command, &s->terminal, &s->cgroup, &s->outcome);
    if (pid < 0) {
        not_executed(s, errno);
        kill_all(s, detail);
        return;
    }
    s->pid = s->group = pid;
    s->state = RUNNING;
    wire_say(&s->wire, "forked %d", pid);
}

static void pass_signal(struct supervisor *s, struct detail signal) {
    if (signal.number == SIGCONT) {
        step_follow_foreground(s); /* before CMD wakes and reads from the terminal */
    }
    signal_group(s, signal.number);
}

/* Whoever sleeps or is frozen would not hear of it; whoever hears TERM now is not asked a second time as a leftover. */
static void tell_to_end(struct supervisor *s, int signal_number) {
    if (signal_number == SIGTERM) {
        tree_note_as_asked(s->group);
    }
    signal_group(s, signal_number);
    signal_group(s, SIGCONT);
    cgroup_thaw(&s->cgroup);
}

static void hasten(struct supervisor *s, struct detail stop) {
    s->kill_by = earlier(s->kill_by, stop.kill_at);
}

static void stop_again(struct supervisor *s, struct detail stop) {
    hasten(s, stop);
    tell_to_end(s, stop.number);
}

static void stop(struct supervisor *s, struct detail stop) {
    because(s, "asked");
    s->state = STOPPING;
    stop_again(s, stop);
}

static void stop_unstarted(struct supervisor *s, struct detail detail) {
    because(s, "asked");
    kill_all(s, detail);
}

static void lapse(struct supervisor *s, struct detail detail) {
    (void)detail;
    because(s, "deadline");
    s->state = LAPSED;
    tell_to_end(s, s->stop_signal);
}

/* CMD has had a signal that ends it; what is new is that no lease is taken. */
static void lapse_while_stopping(struct supervisor *s, struct detail detail) {
    (void)detail;
    s->state = LAPSED;
}

static void tell_pause(struct supervisor *s, struct detail pause) {
    wire_say(&s->wire, "stopped %d", pause.number);
}

/* Keys reached CMD alone; the shell waits for the wrapper's group, so that stops as well. */
static void pause_job(struct supervisor *s, struct detail pause) {
    tell_pause(s, pause);
    s->state = PAUSED;
    if (pause.number == SIGSTOP || !terminal_exists(&s->terminal)) {
        return;
    }
    if (terminal_is_with_wrapper(&s->terminal)) {
        if (pause.number == SIGTTIN || pause.number == SIGTTOU || !s->terminal.shared) {
            terminal_give_to(&s->terminal, s->pid); /* it is in the foreground job, and asks */
            signal_group(s, SIGCONT);
        }
    } else if (terminal_has_job_control(&s->terminal)) {
        kill(-s->terminal.wrapper_group, pause.number);
    } else if (pause.number == SIGTSTP) {
        signal_group(s, SIGCONT);
    }
}

static void resume(struct supervisor *s, struct detail detail) {
    (void)detail;
    s->state = RUNNING;
}

void step_follow_foreground(struct supervisor *s) {
    bool may = step_has_command(s) && (s->state == RUNNING || s->state == PAUSED);
    if (!may || s->terminal.shared || !terminal_is_with_wrapper(&s->terminal)) {
        return;
    }
    terminal_give_to(&s->terminal, s->pid);
    if (s->state == PAUSED) {
        signal_group(s, SIGCONT);
    }
}

void step_take_outcome(struct supervisor *s) {
    int error = command_outcome(s->outcome);
    s->outcome = -1;
    if (error) {
        not_executed(s, error);
    } else {
        wire_say(&s->wire, "started");
    }
}

static void tell_end(struct supervisor *s, int status) {
    if (s->outcome >= 0) {
        step_take_outcome(s);
    }
    if (s->not_executed) {
        return; /* which has been said */
    }
    if (WIFEXITED(status)) {
        wire_say(&s->wire, "exited %d", WEXITSTATUS(status));
    } else {
        wire_say(&s->wire, "signaled %d", WTERMSIG(status));
    }
}

static void end_command(struct supervisor *s, struct detail end) {
    if (WIFSIGNALED(end.number) && !s->why && terminal_typed(&s->terminal, s->group, WTERMSIG(end.number))) {
        wire_say(&s->wire, "typed %d", WTERMSIG(end.number));
    }
    tell_end(s, end.number);
    s->pid = 0;
    because(s, "self");
}

static void end_and_ask_leftovers(struct supervisor *s, struct detail end) {
    end_command(s, end);
    s->state = LEFTOVERS;
    s->look_at = 0;
    s->kill_by = earlier(s->kill_by, boot_now() + LEFTOVER_GRACE);
}

static void finish(struct supervisor *s, struct detail detail) {
    (void)detail;
    if (s->group > 0) {
        terminal_take_back_from(&s->terminal, s->group);
    }
    cgroup_remove(&s->cgroup);
    wire_say(&s->wire, "gone %s", s->why);
    s->state = GONE;
}

/* What each order does in each state. */
static step *const on_order[STATES][ORDERS] = {
    /*              LEASE        START    SIGNAL        STOP             KILL           HANG_UP */
    [WAITING]   = {take_lease,  start,   nothing,      stop_unstarted,  kill_ordered,  kill_unvouched},
    [RUNNING]   = {take_lease,  refuse,  pass_signal,  stop,            kill_ordered,  kill_unvouched},
    [PAUSED]    = {take_lease,  refuse,  pass_signal,  stop,            kill_ordered,  kill_unvouched},
    [STOPPING]  = {take_lease,  refuse,  pass_signal,  stop_again,      kill_ordered,  kill_unvouched},
    [LAPSED]    = {tell_lease,  refuse,  pass_signal,  stop_again,      kill_ordered,  kill_unvouched},
    [LEFTOVERS] = {take_lease,  refuse,  nothing,      hasten,          kill_ordered,  kill_unvouched},
    [KILLING]   = {tell_lease,  refuse,  nothing,      nothing,         nothing,       nothing},
    [GONE]      = {nothing,     nothing, nothing,      nothing,         nothing,       nothing},
};

/* What each event does in each state. Deadlines are those of a lease, but for TIME_IS_UP: of what was asked to end. */
static step *const on_event[STATES][EVENTS] = {
    /*              STOP_TIME              KILL_TIME    TIME_IS_UP  CMD_PAUSED   CMD_RESUMED  CMD_ENDED               NOBODY_LEFT */
    [WAITING]   = {nothing,               nothing,     nothing,    nothing,     nothing,     nothing,                nothing},
    [RUNNING]   = {lapse,                 kill_lapsed, nothing,    pause_job,   nothing,     end_and_ask_leftovers,  nothing},
    [PAUSED]    = {lapse,                 kill_lapsed, nothing,    pause_job,   resume,      end_and_ask_leftovers,  nothing},
    [STOPPING]  = {lapse_while_stopping,  kill_lapsed, kill_all,   tell_pause,  nothing,     end_and_ask_leftovers,  nothing},
    [LAPSED]    = {nothing,               kill_lapsed, kill_all,   tell_pause,  nothing,     end_and_ask_leftovers,  nothing},
    [LEFTOVERS] = {nothing,               kill_all,    kill_all,   nothing,     nothing,     nothing,                finish},
    [KILLING]   = {nothing,               nothing,     nothing,    nothing,     nothing,     end_command,            finish},
    [GONE]      = {nothing,               nothing,     nothing,    nothing,     nothing,     nothing,                nothing},
};

void step_event(struct supervisor *s, enum event event, struct detail detail) {
    on_event[s->state][event](s, detail);
}

void step_enforce_deadlines(struct supervisor *s) {
    int64_t now = boot_now();
    if (now >= s->stop_at) {
        step_event(s, STOP_TIME, NO_DETAIL);
    }
    if (now >= s->kill_at) {
        step_event(s, KILL_TIME, NO_DETAIL);
    }
    if (now >= s->kill_by) {
        step_event(s, TIME_IS_UP, NO_DETAIL);
    }
}

void step_order(struct supervisor *s, enum order order, struct detail detail) {
    step_enforce_deadlines(s);
    on_order[s->state][order](s, detail);
}
