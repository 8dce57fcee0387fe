#define _GNU_SOURCE
#include "tree.h"

#include "pids.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open /* headers before 5.3 */
#define SYS_pidfd_send_signal 424
#define SYS_pidfd_open 434
#endif

/* Process ids in the order found, each looked at once. */
struct queue {
    pid_t *pids;
    size_t length;
    size_t capacity;
};

struct kinship {
    pid_t pid;
    pid_t parent;
};

/* What /proc/PID/stat tells, as far as it is used here. */
struct status {
    char state;
    pid_t parent;
    int threads;
    int end;
};

static struct queue found;
static size_t own_children; /* so many of those found, the first ones: only we can free their numbers */
static struct pid_set asked;
static struct pid_set ours; /* of those found, whom we have looked at since */

static void enqueue(pid_t pid) {
    if (found.length == found.capacity) {
        size_t capacity = found.capacity ? 2 * found.capacity : 1024;
        pid_t *pids = realloc(found.pids, capacity * sizeof *pids);
        if (!pids) {
            return; /* those left out are found by the next call */
        }
        found.pids = pids;
        found.capacity = capacity;
    }
    found.pids[found.length++] = pid;
}

/* A file of numbers separated by blanks, which may be longer than any buffer; false if it cannot be read. */
static bool enqueue_numbers_in(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    char part[4096];
    pid_t number = 0;
    ssize_t count;
    while ((count = read(file, part, sizeof part)) > 0) {
        for (ssize_t i = 0; i < count; i++) {
            if (isdigit((unsigned char)part[i])) {
                number = number * 10 + (part[i] - '0');
            } else if (number > 0) {
                enqueue(number);
                number = 0;
            }
        }
    }
    close(file);
    return true;
}

static void enqueue_children_of(pid_t pid) {
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    if (!threads) {
        return;
    }
    for (struct dirent *thread; (thread = readdir(threads));) {
        if (thread->d_name[0] != '.') {
            snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, thread->d_name);
            enqueue_numbers_in(path);
        }
    }
    closedir(threads);
}

static void list_own_children(void) {
    found.length = 0;
    enqueue_children_of(getpid());
    own_children = found.length;
}

static void list_below_found(void) {
    for (size_t next = 0; next < found.length; next++) {
        enqueue_children_of(found.pids[next]);
    }
}

/* By the lists of children the kernel keeps: costs what our own tree costs, not what the whole machine's does. */
static void list_by_children(void) {
    list_own_children();
    list_below_found();
}

/* False if there is no such process. */
static bool read_status(pid_t pid, struct status *status) {
    char path[40];
    char text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) {
        return false;
    }
    text[count] = '\0';
    char *after_name = strrchr(text, ')'); /* the name in parentheses may itself hold anything */
    char *last = strrchr(text, ' ');
    status->end = last ? atoi(last) : 0;
    return after_name && sscanf(after_name + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d", &status->state,
                                &status->parent, &status->threads) == 3;
}

pid_t tree_parent_of(pid_t pid) {
    struct status status;
    return read_status(pid, &status) ? status.parent : -1;
}

bool tree_is_stopped(pid_t pid) {
    struct status status;
    return read_status(pid, &status) && status.state == 'T';
}

/* A process of another user may be there, although /proc does not show it (hidepid). */
static bool is_hidden(pid_t pid) {
    return kill(pid, 0) == 0 || errno == EPERM;
}

/* One whose main thread alone has ended runs on, though it is shown as a zombie. */
static bool is_dead(pid_t pid, struct status *status) {
    if (!read_status(pid, status)) {
        return !is_hidden(pid);
    }
    return (status->state == 'Z' || status->state == 'X') && status->threads <= 1;
}

int tree_end_of(pid_t pid) {
    struct status status = {0};
    return is_dead(pid, &status) && status.state == 'Z' ? status.end : -1;
}

bool tree_any_process(bool (*is_it)(pid_t pid, void *context), void *context) {
    DIR *processes = opendir("/proc");
    if (!processes) {
        return false;
    }
    bool any = false;
    for (struct dirent *process; !any && (process = readdir(processes));) {
        pid_t pid = atoi(process->d_name);
        any = pid > 0 && is_it(pid, context);
    }
    closedir(processes);
    return any;
}

struct census {
    struct kinship *all;
    size_t length;
    size_t capacity;
};

static bool take_down(pid_t pid, void *context) {
    struct census *census = context;
    if (census->length == census->capacity) {
        size_t capacity = census->capacity ? 2 * census->capacity : 1024;
        struct kinship *all = realloc(census->all, capacity * sizeof *all);
        if (!all) {
            return true; /* those left out are found by the next call */
        }
        census->all = all;
        census->capacity = capacity;
    }
    census->all[census->length++] = (struct kinship){pid, tree_parent_of(pid)};
    return false;
}

/* By a look at every process of the machine, where the kernel keeps no lists. */
static void list_by_scan(void) {
    static struct census census;
    census.length = 0;
    tree_any_process(take_down, &census);
    found.length = 0;
    enqueue(getpid());
    for (size_t next = 0; next < found.length; next++) {
        for (size_t i = 0; i < census.length; i++) {
            if (census.all[i].parent == found.pids[next]) {
                enqueue(census.all[i].pid);
            }
        }
        if (next == 0) {
            own_children = found.length - 1;
        }
    }
    memmove(found.pids, found.pids + 1, --found.length * sizeof *found.pids); /* we ourselves are no descendant */
}

static bool are_there_lists_of_children(void) {
    return access("/proc/thread-self/children", R_OK) == 0;
}

static void list(void) {
    if (are_there_lists_of_children()) {
        list_by_children();
    } else {
        list_by_scan();
    }
}

/* At least our own children. */
static void list_children(void) {
    if (are_there_lists_of_children()) {
        list_own_children();
    } else {
        list_by_scan();
    }
}

/* Was it started below us? Whoever stands above it was looked at first. One that /proc hides from us may be. */
static bool is_ours(pid_t pid) {
    pid_t parent = tree_parent_of(pid);
    return parent < 0 || parent == getpid() || pid_set_has(&ours, parent);
}

static bool signal_by_number(pid_t pid, int signal_number) {
    return kill(pid, signal_number) == 0 || errno != EPERM;
}

/*
 * Signals one of those found, whose number may have been given to a stranger since: holds on to the process, looks who it is, and
 * signals that very one. By its number where the kernel has no pidfd (before 5.3) or a filter of system calls knows none, whatever
 * error that gives. False if we may not signal it.
 */
static bool signal_found(size_t i, int signal_number) {
    pid_t pid = found.pids[i];
    if (i < own_children) {
        pid_set_add(&ours, pid);
        return signal_by_number(pid, signal_number);
    }
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    bool is_there = process >= 0 || errno != ESRCH;
    bool may = true;
    if (is_there && is_ours(pid)) {
        pid_set_add(&ours, pid);
        bool done = process >= 0 && (syscall(SYS_pidfd_send_signal, process, signal_number, NULL, 0) == 0 || errno == ESRCH);
        may = done || signal_by_number(pid, signal_number);
    }
    if (process >= 0) {
        close(process);
    }
    return may;
}

static void forget_ours(void) {
    for (size_t i = 0; i < found.length; i++) {
        pid_set_remove(&ours, found.pids[i]);
    }
}

struct tree_round tree_kill(void (*denied)(pid_t pid, void *context), void *context) {
    list();
    struct tree_round round = {.listed = found.length};
    for (size_t i = 0; i < found.length; i++) {
        if (!signal_found(i, SIGKILL)) {
            round.denied++;
            denied(found.pids[i], context);
        }
    }
    forget_ours();
    return round;
}

static void ask_listed(void) {
    for (size_t i = 0; i < found.length; i++) {
        if (!pid_set_has(&asked, found.pids[i])) {
            pid_set_add(&asked, found.pids[i]);
            signal_found(i, SIGTERM);
            signal_found(i, SIGCONT);
        } else {
            pid_set_add(&ours, found.pids[i]);
        }
    }
    forget_ours();
}

void tree_ask(void) {
    list();
    ask_listed();
}

static void keep_if(bool (*is_kept)(pid_t pid)) {
    size_t kept = 0;
    for (size_t i = 0; i < found.length; i++) {
        if (is_kept(found.pids[i])) {
            found.pids[kept++] = found.pids[i];
        }
    }
    found.length = own_children = kept;
}

static bool is_unasked_orphan(pid_t pid) {
    return !pid_set_has(&asked, pid) && tree_parent_of(pid) == getpid();
}

void tree_ask_orphans(void) {
    list_children();
    keep_if(is_unasked_orphan);
    list_below_found();
    ask_listed();
}

void tree_note_as_asked(pid_t group) {
    list();
    for (size_t i = 0; i < found.length; i++) {
        if (getpgid(found.pids[i]) == group) {
            pid_set_add(&asked, found.pids[i]);
        }
    }
}

bool tree_is_dead(void) {
    struct status status;
    list();
    for (size_t i = 0; i < found.length; i++) {
        if (!is_dead(found.pids[i], &status)) {
            return false;
        }
    }
    return found.length > 0;
}
