#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    LONGEST_ANSWER = 4200, /* a path and a word */
    LONGEST_ORDER = 1 << 20 /* an argument has at most 128 KiB, twice that in hexadecimal digits */
};

bool wire_connect(struct wire *wire, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(address.sun_path, path);
    *wire = (struct wire){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    return wire->fd >= 0 && connect(wire->fd, (struct sockaddr *)&address, sizeof address) == 0;
}

/* The length of the line; 0 if it is too long. */
static size_t write_line(char *line, const char *format, va_list values) {
    int length = vsnprintf(line, LONGEST_ANSWER - 1, format, values);
    if (length < 0 || length >= LONGEST_ANSWER - 1) {
        return 0;
    }
    line[length] = '\n';
    return (size_t)length + 1;
}

void wire_say(struct wire *wire, const char *format, ...) {
    char line[LONGEST_ANSWER];
    va_list values;
    va_start(values, format);
    size_t length = write_line(line, format, values);
    va_end(values);
    if (length > 0) {
        ssize_t ignored = send(wire->fd, line, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)ignored;
    }
}

bool wire_tell(struct wire *wire, const char *format, ...) {
    char line[LONGEST_ANSWER];
    va_list values;
    va_start(values, format);
    size_t length = write_line(line, format, values);
    va_end(values);
    for (size_t sent = 0; sent < length;) {
        ssize_t more = send(wire->fd, line + sent, length - sent, MSG_NOSIGNAL);
        if (more < 0 && errno != EINTR) {
            return false;
        }
        sent += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static void forget_taken_lines(struct wire *wire) {
    memmove(wire->text, wire->text + wire->taken, wire->length - wire->taken);
    wire->length -= wire->taken;
    wire->taken = 0;
}

static bool make_room(struct wire *wire) {
    if (wire->length < wire->capacity) {
        return true;
    }
    size_t capacity = wire->capacity ? 2 * wire->capacity : 4096;
    if (capacity > LONGEST_ORDER) {
        return false;
    }
    char *text = realloc(wire->text, capacity);
    if (!text) {
        return false;
    }
    wire->text = text;
    wire->capacity = capacity;
    return true;
}

bool wire_receive(struct wire *wire) {
    if (wire->taken > 0) {
        forget_taken_lines(wire);
    }
    if (!make_room(wire)) {
        return false;
    }
    ssize_t count = recv(wire->fd, wire->text + wire->length, wire->capacity - wire->length, MSG_DONTWAIT);
    if (count < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    wire->length += (size_t)count;
    return count > 0;
}

char *wire_next_line(struct wire *wire) {
    size_t left = wire->length - wire->taken;
    if (left == 0) {
        return NULL;
    }
    char *line = wire->text + wire->taken;
    char *end = memchr(line, '\n', left);
    if (!end) {
        return NULL;
    }
    *end = '\0';
    wire->taken += (size_t)(end - line) + 1;
    return line;
}
