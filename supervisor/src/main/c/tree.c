#define _GNU_SOURCE
#include "tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static struct queue found;

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

static void signal_one(pid_t pid, int signal, pid_t spared_group) {
    if (spared_group == 0 || getpgid(pid) != spared_group) {
        kill(pid, signal);
    }
}

/* A file of numbers separated by blanks, which may be longer than any buffer. */
static void enqueue_numbers_in(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
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

/* By the lists of children the kernel keeps: costs what our own tree costs, not what the whole machine's does. */
static size_t signal_by_lists_of_children(int signal, pid_t spared_group) {
    found.length = 0;
    enqueue_children_of(getpid());
    for (size_t next = 0; next < found.length; next++) {
        signal_one(found.pids[next], signal, spared_group);
        enqueue_children_of(found.pids[next]);
    }
    return found.length;
}

pid_t tree_parent_of(pid_t pid) {
    char path[40];
    char text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) {
        return -1;
    }
    text[count] = '\0';
    char *after_name = strrchr(text, ')'); /* the name in parentheses may itself hold anything */
    pid_t parent;
    return after_name && sscanf(after_name + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static size_t list_all_processes(struct kinship **list) {
    static struct kinship *all;
    static size_t capacity;
    size_t length = 0;
    DIR *processes = opendir("/proc");
    if (!processes) {
        return 0;
    }
    for (struct dirent *process; (process = readdir(processes));) {
        pid_t pid = atoi(process->d_name);
        pid_t parent = pid > 0 ? tree_parent_of(pid) : -1;
        if (parent < 0) {
            continue;
        }
        if (length == capacity) {
            size_t more = capacity ? 2 * capacity : 1024;
            struct kinship *grown = realloc(all, more * sizeof *grown);
            if (!grown) {
                break;
            }
            all = grown;
            capacity = more;
        }
        all[length++] = (struct kinship){pid, parent};
    }
    closedir(processes);
    *list = all;
    return length;
}

/* By a look at every process of the machine: where the kernel keeps no lists, or they told nothing. */
static void signal_by_scan(int signal, pid_t spared_group) {
    struct kinship *all = NULL;
    size_t count = list_all_processes(&all);
    found.length = 0;
    enqueue(getpid());
    for (size_t next = 0; next < found.length; next++) {
        for (size_t i = 0; i < count; i++) {
            if (all[i].parent == found.pids[next]) {
                signal_one(all[i].pid, signal, spared_group);
                enqueue(all[i].pid);
            }
        }
    }
}

void tree_signal(int signal, pid_t spared_group) {
    if (signal_by_lists_of_children(signal, spared_group) == 0) {
        signal_by_scan(signal, spared_group);
    }
}
