/**
 * What every verb stands on: flags and their variables, exit codes, refusals, JSON, durations, and the way to a coordinator and to sinks.
 *
 * <p>Imports the contracts of floor 1, picocli and the JDK; never a verb.
 */
@NullMarked
package dev.incumbent.cli.frame;

import org.jspecify.annotations.NullMarked;
