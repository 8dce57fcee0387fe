#ifndef INCUMBENT_WIRE_H
#define INCUMBENT_WIRE_H

#include <stdbool.h>
#include <stddef.h>

/* The socket to the wrapper: one line per message, both ways. */
struct wire {
    int fd;
    bool heard_out; /* the wrapper says nothing more, or nothing that we understand; it may still hear */
    char *text; /* what was received and not yet taken */
    size_t length;
    size_t capacity;
    size_t taken;
};

/* Connects to the wrapper's socket; false with errno set if that fails. */
bool wire_connect(struct wire *wire, const char *path);

/* Sends one line. Never waits: a frozen wrapper must not freeze its supervisor. */
void wire_say(struct wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, and waits while there is no room, as long as the socket's SO_SNDTIMEO; false if the line could not be sent. One that is too long is left out. */
bool wire_tell(struct wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Receives what is there; false at the end of the connection. */
bool wire_receive(struct wire *wire);

/* The next complete line received, without its end; NULL if there is none yet. Valid until the next wire_receive. */
char *wire_next_line(struct wire *wire);

#endif
