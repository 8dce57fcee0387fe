#ifndef INCUMBENT_START_H
#define INCUMBENT_START_H

/*
 * Becomes the wrapper's JVM, with what a JVM cannot see of how it was started told by properties in front of its arguments:
 *
 *   -Dincumbent.ignored=MASK       the signals that were ignored, in hexadecimal
 *   -Dincumbent.blocked=MASK       the signals that were blocked; the JVM has none blocked
 *   -Dincumbent.descriptors=yes    standard input holds the true one, and the descriptors above 2 (see inherit.h); absent where there are none
 *
 * OWN is the number of a descriptor of the launcher's own, which the command shall not get. Returns only if that fails, with an exit code.
 */
int start_wrapper(int own, char *const *jvm, int words);

#endif
