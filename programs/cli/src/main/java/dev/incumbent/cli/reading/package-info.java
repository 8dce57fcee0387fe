/** The verbs that only read the coordinator, and never create it. Imports {@code frame} and the coordinator's contract. */
@NullMarked
package dev.incumbent.cli.reading;

import org.jspecify.annotations.NullMarked;
