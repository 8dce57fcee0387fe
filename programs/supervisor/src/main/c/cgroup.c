#define _GNU_SOURCE
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { LONGEST_LINE = 8192 };

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

/* Where the hierarchy of version 2 is mounted as a whole, so that a path of /proc/self/cgroup can be found below it. */
static bool find_mount(char *mount, size_t size) {
    FILE *lines = fopen("/proc/self/mountinfo", "re");
    if (!lines) {
        return false;
    }
    char line[LONGEST_LINE], root[LONGEST_LINE], point[LONGEST_LINE];
    bool found = false;
    while (!found && fgets(line, sizeof line, lines)) {
        found = strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %8191s %8191s", root, point) == 2 && strcmp(root, "/") == 0;
    }
    fclose(lines);
    return found && (size_t)snprintf(mount, size, "%s", point) < size;
}

static bool is_marked(const char *folder, const char *attribute) {
    char value[8] = "";
    return getxattr(folder, attribute, value, sizeof value) > 0 && value[0] == '1';
}

/* Its manager, which is systemd as a rule, says who else may make groups in it; nobody manages the topmost one of a container. */
static bool is_ours_to_divide(const char *path, const char *folder) {
    return strcmp(path, "/") == 0 || is_marked(folder, "user.delegate") || is_marked(folder, "trusted.delegate");
}

static bool find_own(char *folder, size_t size) {
    char mount[LONGEST_LINE / 4], path[LONGEST_LINE / 4];
    if (!find_mount(mount, sizeof mount) || !find_line("/proc/self/cgroup", "0::", path, sizeof path)) {
        errno = ENOENT;
        return false;
    }
    snprintf(folder, size, "%s%s", mount, path);
    if (!is_ours_to_divide(path, folder)) {
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

bool cgroup_make(struct cgroup *cgroup, const char *below) {
    char own[LONGEST_LINE / 2];
    if (strcmp(below, "auto") == 0) {
        if (!find_own(own, sizeof own)) {
            return false;
        }
        below = own;
    }
    int length = snprintf(cgroup->path, sizeof cgroup->path, "%s/incumbent-%d", below, getpid());
    bool made = length < (int)sizeof cgroup->path && mkdir(cgroup->path, 0755) == 0;
    if (made && can_be_killed(cgroup)) {
        return true;
    }
    int error = made ? ENOSYS : errno; /* a folder elsewhere, or a kernel before 5.14 */
    if (made) {
        rmdir(cgroup->path);
    }
    cgroup->path[0] = '\0';
    errno = error;
    return false;
}

static bool tell(const struct cgroup *cgroup, const char *name, const char *what) {
    char file[sizeof cgroup->path + 16];
    snprintf(file, sizeof file, "%s/%s", cgroup->path, name);
    int written = open(file, O_WRONLY | O_CLOEXEC);
    if (written < 0) {
        return false;
    }
    bool done = write(written, what, strlen(what)) > 0;
    close(written);
    return done;
}

void cgroup_enter(const struct cgroup *cgroup) {
    if (cgroup->path[0]) {
        tell(cgroup, "cgroup.procs", "0");
    }
}

void cgroup_kill(const struct cgroup *cgroup) {
    if (cgroup->path[0]) {
        tell(cgroup, "cgroup.kill", "1");
    }
}

void cgroup_remove(struct cgroup *cgroup) {
    if (cgroup->path[0]) {
        rmdir(cgroup->path);
        cgroup->path[0] = '\0';
    }
}
