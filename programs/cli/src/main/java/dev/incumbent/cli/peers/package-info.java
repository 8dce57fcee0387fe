/** The verbs of groups of peers, which elect among themselves. Imports {@code dev.incumbent.cli.frame}, {@code dev.incumbent.coordinator.peers} and picocli. */
@NullMarked
package dev.incumbent.cli.peers;

import org.jspecify.annotations.NullMarked;
