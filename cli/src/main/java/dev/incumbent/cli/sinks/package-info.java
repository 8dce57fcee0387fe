/** The verbs of the sink's side, in the group {@code fence}. Imports {@code frame}, the library and the contracts. */
@NullMarked
package dev.incumbent.cli.sinks;

import org.jspecify.annotations.NullMarked;
