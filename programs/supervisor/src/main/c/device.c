#define _GNU_SOURCE
#include "device.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { LONGEST_WORD = 32, LONGEST_PATH = 128, LONGEST_REASON = 400, MISC_MAJOR = 10, WATCHDOG_MINOR = 130 };

/* Of the kernel's <linux/watchdog.h>, written out: a host without the headers of its kernel builds this program, too. */
struct support {
    uint32_t options;
    uint32_t firmware_version;
    uint8_t identity[32];
};

static const unsigned long GET_SUPPORT = _IOR('W', 0, struct support), FEED = _IOR('W', 5, int), SET_TIMEOUT = _IOWR('W', 6, int), GET_TIMEOUT = _IOR('W', 7, int);

static const uint32_t CAN_SET_TIMEOUT = 0x80, CAN_BE_STOPPED = 0x100, CAN_BE_FED = 0x8000;

static char reason[LONGEST_REASON];

const char *device_reason(void) {
    return reason;
}

static enum device_outcome fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

static enum device_outcome fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    return DEVICE_FAILED;
}

/* What the kernel tells of the device under /sys, as one word; false if it tells nothing. */
static bool told(const char *path, const char *what, char *word) {
    struct stat found;
    char file[LONGEST_PATH];
    if (stat(path, &found) < 0) {
        return false;
    }
    unsigned minor_number = minor(found.st_rdev), major_number = major(found.st_rdev);
    if (major_number == MISC_MAJOR && minor_number == WATCHDOG_MINOR) { /* the old name of the first one */
        snprintf(file, sizeof file, "/sys/class/watchdog/watchdog0/%s", what);
    } else {
        snprintf(file, sizeof file, "/sys/dev/char/%u:%u/%s", major_number, minor_number, what);
    }
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t length = read(fd, word, LONGEST_WORD - 1);
    close(fd);
    word[length > 0 ? length : 0] = '\0';
    word[strcspn(word, "\n")] = '\0';
    return length > 0;
}

const char *device_objection(const char *path) {
    char word[LONGEST_WORD];
    if (access(path, W_OK) < 0) {
        fail("%s", strerror(errno));
    } else if (!told(path, "nowayout", word)) {
        fail("it is no watchdog of which this kernel tells under /sys/class/watchdog");
    } else if (strcmp(word, "0") != 0) {
        fail("it cannot be stopped once it counts (nowayout is %s): load its driver with nowayout=0", word);
    } else if (!told(path, "state", word) || strcmp(word, "inactive") != 0) {
        fail("it counts already: another process holds it, or one held it that died");
    } else {
        return NULL;
    }
    return reason;
}

static int whole_seconds_to(int64_t until) {
    int64_t left = until - boot_now();
    return left < 0 ? 0 : (int)(left / SECOND);
}

/* Sets the time from feeding to restart, and reads it back: drivers round it. */
static bool set_seconds(struct device *device, int asked) {
    int set = asked;
    if (ioctl(device->fd, SET_TIMEOUT, &set) < 0) {
        int why = errno;
        fail("a timeout of %d s cannot be set: %s", asked, strerror(why));
        errno = why;
        return false;
    }
    int now = set;
    device->seconds = ioctl(device->fd, GET_TIMEOUT, &now) < 0 || now < set ? set : now;
    return true;
}

/* The time is set only where it changes. One that is refused, or came out longer than it may be, is tried again, shorter. */
static enum device_outcome feed(struct device *device, int64_t until) {
    int asked = whole_seconds_to(until);
    bool was_set = false;
    while (asked >= 1) {
        bool is_set = device->seconds == asked || set_seconds(device, asked);
        if (!is_set && errno != EINVAL) {
            return DEVICE_FAILED;
        }
        was_set |= is_set;
        if (is_set && device->seconds <= whole_seconds_to(until)) {
            if (ioctl(device->fd, FEED, 0) < 0) {
                return fail("it cannot be fed: %s", strerror(errno));
            }
            device->fires_at = boot_now() + device->seconds * SECOND;
            if (device->fires_at <= until) {
                return DEVICE_DONE;
            }
        }
        int most = whole_seconds_to(until); /* less than at first, if this took long */
        asked = most < asked - 1 ? most : asked - 1;
    }
    if (was_set) {
        device->fires_at = boot_now() + device->seconds * SECOND;
    }
    return fail("no timeout can be set that is short enough, %d s is the one it has", device->seconds);
}

static enum device_outcome start(struct device *device) {
    struct support info;
    if (device_objection(device->path)) {
        return DEVICE_FAILED;
    }
    device->fd = open(device->path, O_WRONLY | O_CLOEXEC);
    if (device->fd < 0) {
        return fail("it cannot be opened: %s", strerror(errno));
    }
    int seconds = 0; /* its own, until another is set */
    device->seconds = ioctl(device->fd, GET_TIMEOUT, &seconds) < 0 ? 0 : seconds;
    device->fires_at = boot_now() + device->seconds * SECOND;
    if (ioctl(device->fd, GET_SUPPORT, &info) < 0) {
        return fail("it does not tell what it can: %s", strerror(errno));
    }
    const uint32_t needed = CAN_SET_TIMEOUT | CAN_BE_FED | CAN_BE_STOPPED;
    if ((info.options & needed) != needed) {
        return fail("its driver lacks one of these: a timeout that can be set, feeding, a stop by the magic character (options %#x)", info.options);
    }
    return DEVICE_DONE;
}

enum device_outcome device_stop(struct device *device) {
    char state[LONGEST_WORD];
    if (device->fd < 0 && device->fires_at == 0) {
        return DEVICE_DONE;
    }
    if (device->fd >= 0) {
        if (write(device->fd, "V", 1) != 1) {
            return fail("it cannot be stopped: %s", strerror(errno));
        }
        close(device->fd);
        device->fd = -1;
        device->fires_at = boot_now() + device->seconds * SECOND; /* a closing that does not stop it feeds it */
    }
    if (told(device->path, "state", state) && strcmp(state, "inactive") != 0) {
        return fail("it was told to stop, and its state is %s", state);
    }
    *device = (struct device){.path = device->path, .fd = -1};
    return DEVICE_DONE;
}

enum device_outcome device_count(struct device *device, int64_t until) {
    if (whole_seconds_to(until) < 1) {
        return DEVICE_SHORT;
    }
    if (device->fd >= 0) {
        return boot_now() < device->fires_at ? feed(device, until) : fail("its time has passed, and it did not restart this machine");
    }
    enum device_outcome started = start(device);
    enum device_outcome fed = started == DEVICE_DONE ? feed(device, until) : started;
    if (fed != DEVICE_DONE && device->fd >= 0) {
        char why[LONGEST_REASON];
        memcpy(why, reason, sizeof why);
        if (device_stop(device) == DEVICE_DONE) {
            memcpy(reason, why, sizeof why);
        }
    }
    return fed;
}
