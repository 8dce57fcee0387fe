/**
 * The protocol: machines that take an event and a moment and return a new state, effects, and when to wake them.
 *
 * <p>Same events, same steps: no clock, thread, randomness, I/O or logger. Imports {@code dev.incumbent.model}, {@code java.util} and {@code java.time}.
 */
package dev.incumbent.protocol;
