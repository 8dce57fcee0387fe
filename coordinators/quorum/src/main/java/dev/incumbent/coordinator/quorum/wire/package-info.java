/**
 * What a client and a node of the quorum say to each other: lines of text, which are also the entries of the replicated log. Imports the JDK alone.
 */
@NullMarked
package dev.incumbent.coordinator.quorum.wire;

import org.jspecify.annotations.NullMarked;
