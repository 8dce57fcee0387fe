#define _GNU_SOURCE
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { LONGEST_LINE = 8192, MOST_LEFT_BEHIND = 10 };

/* The first line of a file that begins so, without that beginning and its end; false if there is none. */
static bool find_line(const char *file, const char *beginning, char *rest, size_t size) {
    FILE *lines = fopen(file, "re");
    if (!lines) {
        return false;
    }
    char line[LONGEST_LINE];
    bool found = false;
    while (!found && fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = '\0';
        found = strncmp(line, beginning, strlen(beginning)) == 0;
    }
    fclose(lines);
    return found && (size_t)snprintf(rest, size, "%s", line + strlen(beginning)) < size;
}

/* Blanks, tabs, line ends and backslashes stand in mountinfo as octal numbers. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from; to++) {
        unsigned character;
        if (sscanf(from, "\\%3o", &character) == 1) {
            *to = (char)character;
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* What is left of a path below a root; NULL if it is not there. */
static const char *below_root(const char *path, const char *root) {
    size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    bool is_below = strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
    return !is_below ? NULL : strcmp(path + length, "/") == 0 ? "" : path + length;
}

static bool is_cgroup(const char *folder) {
    char file[LONGEST_LINE];
    return (size_t)snprintf(file, sizeof file, "%s/cgroup.procs", folder) < sizeof file && access(file, F_OK) == 0;
}

/*
 * The folder of a cgroup named as in /proc/self/cgroup, below whatever mount of version 2 shows it: that may be anywhere, of a part
 * only, and beside version 1. *is_topmost: nothing above it is shown.
 */
static bool find_folder(const char *path, char *folder, size_t size, bool *is_topmost) {
    FILE *lines = fopen("/proc/self/mountinfo", "re");
    if (!lines) {
        return false;
    }
    char line[LONGEST_LINE], root[LONGEST_LINE], point[LONGEST_LINE];
    bool found = false;
    while (!found && fgets(line, sizeof line, lines)) {
        if (strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %8191s %8191s", root, point) == 2) {
            unescape(root);
            unescape(point);
            const char *rest = below_root(path, root);
            found = rest && (size_t)snprintf(folder, size, "%s%s", point, rest) < size && is_cgroup(folder);
            *is_topmost = found && *rest == '\0';
        }
    }
    fclose(lines);
    return found;
}

static bool is_marked(const char *folder, const char *attribute) {
    char value[8] = "";
    return getxattr(folder, attribute, value, sizeof value) > 0 && value[0] == '1';
}

/* Its manager, which is systemd as a rule, says who else may make groups in it; nobody manages the topmost one of a container. */
static bool find_own(char *folder, size_t size) {
    char path[LONGEST_LINE / 4];
    bool is_topmost;
    if (!find_line("/proc/self/cgroup", "0::", path, sizeof path) || !find_folder(path, folder, size, &is_topmost)) {
        errno = ENOENT;
        return false;
    }
    if (!is_topmost && !is_marked(folder, "user.delegate") && !is_marked(folder, "trusted.delegate")) {
        errno = EPERM;
        return false;
    }
    return true;
}

static bool can_be_killed(const struct cgroup *cgroup) {
    char file[sizeof cgroup->path + 16];
    snprintf(file, sizeof file, "%s/cgroup.kill", cgroup->path);
    return access(file, W_OK) == 0;
}

static bool tell(const struct cgroup *cgroup, const char *name, const char *what) {
    char file[sizeof cgroup->path + 16];
    snprintf(file, sizeof file, "%s/%s", cgroup->path, name);
    int written = open(file, O_WRONLY | O_CLOEXEC);
    if (written < 0) {
        return false;
    }
    bool done = write(written, what, strlen(what)) > 0;
    int error = errno;
    close(written);
    errno = error;
    return done;
}

/* Why nobody can be moved there from here, an errno; 0 if a process can: one that has tried, since rights on the groups above count, too. */
static int try_to_enter(const struct cgroup *cgroup) {
    pid_t child = fork();
    if (child == 0) {
        _exit(tell(cgroup, "cgroup.procs", "0") ? 0 : errno);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        return errno;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

/* Under a name of its own: one who had our process id before may have left a group behind. */
static bool make_folder(struct cgroup *cgroup, const char *below) {
    for (int other = 0; other < MOST_LEFT_BEHIND; other++) {
        char suffix[16] = "";
        if (other > 0) {
            snprintf(suffix, sizeof suffix, ".%d", other);
        }
        int length = snprintf(cgroup->path, sizeof cgroup->path, "%s/incumbent-%d%s", below, getpid(), suffix);
        if (length >= (int)sizeof cgroup->path) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (mkdir(cgroup->path, 0755) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

/* Why it cannot be used, an errno. */
static int fault_of(const struct cgroup *cgroup) {
    return can_be_killed(cgroup) ? try_to_enter(cgroup) : ENOSYS; /* a folder elsewhere, or a kernel before 5.14 */
}

bool cgroup_make(struct cgroup *cgroup, const char *below) {
    char own[LONGEST_LINE / 2];
    if (strcmp(below, "auto") == 0) {
        if (!find_own(own, sizeof own)) {
            return false;
        }
        below = own;
    }
    bool made = make_folder(cgroup, below);
    int fault = made ? fault_of(cgroup) : errno;
    if (made && fault) {
        rmdir(cgroup->path);
    }
    if (fault) {
        cgroup->path[0] = '\0';
        errno = fault;
    }
    return !fault;
}

bool cgroup_exists(const struct cgroup *cgroup) {
    return cgroup->path[0] != '\0';
}

void cgroup_enter(const struct cgroup *cgroup) {
    if (cgroup_exists(cgroup)) {
        tell(cgroup, "cgroup.procs", "0");
    }
}

void cgroup_thaw(const struct cgroup *cgroup) {
    if (cgroup_exists(cgroup)) {
        tell(cgroup, "cgroup.freeze", "0");
    }
}

void cgroup_kill(const struct cgroup *cgroup) {
    if (cgroup_exists(cgroup)) {
        tell(cgroup, "cgroup.kill", "1");
    }
}

static int remove_folder(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)place;
    if (type == FTW_DP) {
        rmdir(path);
    }
    return 0;
}

void cgroup_remove(struct cgroup *cgroup) {
    if (cgroup_exists(cgroup)) {
        nftw(cgroup->path, remove_folder, 1, FTW_DEPTH | FTW_PHYS);
        cgroup->path[0] = '\0';
    }
}
