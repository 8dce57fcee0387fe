#ifndef INCUMBENT_DEVICE_H
#define INCUMBENT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A hardware watchdog of Linux. From its opening on the device counts down, and restarts the machine at the end, unless it
 * is fed before or stopped. It counts whole seconds. Closing it without the magic character feeds it once more and stops
 * nothing, so who holds it stays.
 */
struct device {
    const char *path;
    int fd; /* -1 while it is closed: it is stopped, unless fires_at says otherwise */
    int seconds; /* from each feeding to the restart; 0 while it is stopped */
    int64_t fires_at; /* it restarts the machine no later than that; 0 while it is stopped */
};

enum device_outcome {
    DEVICE_DONE,
    DEVICE_SHORT, /* too little time is left for it: nothing was changed */
    DEVICE_FAILED /* device_reason says why */
};

/* Says why the kernel's word on this device forbids its use, without opening it; NULL if nothing does. */
const char *device_objection(const char *path);

/* Lets it fire no later than that, and as late as whole seconds allow. Opens it if it is stopped; a failure then leaves it stopped. */
enum device_outcome device_count(struct device *device, int64_t until);

/* Stops it, if it counts. A failure leaves it counting. */
enum device_outcome device_stop(struct device *device);

/* Of the last failure. */
const char *device_reason(void);

#endif
