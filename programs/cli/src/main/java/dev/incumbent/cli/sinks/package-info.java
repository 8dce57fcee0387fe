/** The verbs of a sink's side, in the group {@code fence}, and of what a coordinator needs beforehand. Imports {@code frame} and the contracts of floor 1. */
@NullMarked
package dev.incumbent.cli.sinks;

import org.jspecify.annotations.NullMarked;
