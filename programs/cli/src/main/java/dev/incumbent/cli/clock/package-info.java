/**
 * What the kernel or chrony tells of this machine's clock, and the drift bound that follows from it. Stands on {@code frame}; {@code run} and {@code doctor}
 * stand on it.
 */
@NullMarked
package dev.incumbent.cli.clock;

import org.jspecify.annotations.NullMarked;
