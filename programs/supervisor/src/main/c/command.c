#define _GNU_SOURCE
#include "command.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

enum { NOT_EXECUTED = 127 };

static int digit_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static char *from_hexadecimal(const char *digits) {
    size_t length = strlen(digits) / 2;
    char *bytes = malloc(length + 1);
    for (size_t i = 0; bytes && i < length; i++) {
        int high = digit_value(digits[2 * i]);
        int low = digit_value(digits[2 * i + 1]);
        if (high < 0 || low < 0) {
            free(bytes);
            return NULL;
        }
        bytes[i] = (char)(high * 16 + low);
    }
    if (bytes) {
        bytes[length] = '\0';
    }
    return bytes;
}

/* For one more argument and the NULL behind it. */
static bool make_room(struct command *command) {
    if (command->count + 2 <= command->capacity) {
        return true;
    }
    size_t capacity = command->capacity ? 2 * command->capacity : 16;
    char **arguments = realloc(command->arguments, capacity * sizeof *arguments);
    if (!arguments) {
        return false;
    }
    command->arguments = arguments;
    command->capacity = capacity;
    return true;
}

bool command_add_argument(struct command *command, const char *digits) {
    if (!make_room(command)) {
        return false;
    }
    char *argument = from_hexadecimal(digits);
    if (!argument) {
        return false;
    }
    command->arguments[command->count++] = argument;
    command->arguments[command->count] = NULL;
    return true;
}

/* A script without a first line that names its interpreter: the kernel refuses it, every shell runs it. */
static void execute_by_shell(const struct command *command, char *path) {
    char **arguments = calloc(command->count + 2, sizeof *arguments);
    if (!arguments) {
        return;
    }
    arguments[0] = "/bin/sh";
    arguments[1] = path;
    for (size_t i = 1; i < command->count; i++) {
        arguments[i + 1] = command->arguments[i];
    }
    execve("/bin/sh", arguments, environ);
}

static int execute_file(const struct command *command, char *path) {
    execve(path, command->arguments, environ);
    if (errno == ENOEXEC) {
        execute_by_shell(command, path);
    }
    return errno;
}

/* Looks along PATH as every shell does; by hand, since not every C library falls back to sh. */
static int execute_along_path(const struct command *command) {
    const char *name = command->arguments[0];
    const char *path = getenv("PATH");
    char *folders = strdup(path ? path : "/bin:/usr/bin");
    char *file = malloc(strlen(path ? path : "") + strlen(name) + 32);
    if (!folders || !file) {
        return ENOMEM;
    }
    int seen = ENOENT;
    for (char *rest = folders, *folder; (folder = strsep(&rest, ":"));) {
        sprintf(file, "%s/%s", *folder ? folder : ".", name);
        int error = execute_file(command, file);
        if (error == EACCES) {
            seen = EACCES; /* told only if no other folder has it */
        } else if (error != ENOENT && error != ENOTDIR) {
            return error;
        }
    }
    return seen;
}

static int execute(const struct command *command) {
    char *name = command->arguments[0];
    if (*name == '\0') {
        return ENOENT;
    }
    return strchr(name, '/') ? execute_file(command, name) : execute_along_path(command);
}

/*
 * A service manager passes sockets to one process, the wrapper, which it names. They are CMD's if CMD has the wrapper's descriptors; else nobody shall
 * look for them. The other name of a process, LISTEN_PIDFDID, need not be there.
 */
static void name_receiver_of_sockets(const struct command *command, pid_t wrapper) {
    const char *named = getenv("LISTEN_PID");
    if (!named || atol(named) != wrapper) {
        return;
    }
    unsetenv("LISTEN_PIDFDID");
    if (command->inherited.count > 0) {
        char self[24];
        snprintf(self, sizeof self, "%d", getpid());
        setenv("LISTEN_PID", self, 1);
    } else {
        unsetenv("LISTEN_PID");
        unsetenv("LISTEN_FDS");
        unsetenv("LISTEN_FDNAMES");
    }
}

static void become_command(const struct command *command, const struct terminal *terminal, const struct cgroup *cgroup, pid_t parent,
                           int report) {
    setpgid(0, 0);
    if (!terminal->shared && terminal_is_with_wrapper(terminal)) {
        terminal_give_to(terminal, getpid());
    }
    cgroup_enter(cgroup);
    setpriority(PRIO_PROCESS, 0, command->nice);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(NOT_EXECUTED); /* it died before it could be tied to us */
    }
    name_receiver_of_sockets(command, terminal->wrapper);
    inherit_pass_on(&command->inherited);
    signals_restore(command->ignored_signals, command->blocked_signals);
    int error = execute(command);
    ssize_t ignored = write(report, &error, sizeof error);
    (void)ignored;
    _exit(NOT_EXECUTED);
}

pid_t command_fork(const struct command *command, const struct terminal *terminal, const struct cgroup *cgroup, int *outcome) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return -1;
    }
    sigset_t all, before; /* nothing may reach the child while it still ignores what we ignore */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        become_command(command, terminal, cgroup, parent, ends[1]);
    }
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        errno = error;
        return -1;
    }
    setpgid(child, child); /* both do it: whoever comes first */
    *outcome = ends[0];
    return child;
}

int command_outcome(int outcome) {
    int error = 0;
    ssize_t count = read(outcome, &error, sizeof error);
    close(outcome);
    return count == sizeof error ? error : 0;
}
