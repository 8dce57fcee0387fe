/** The verb {@code server}: one node of the quorum coordinator. */
@NullMarked
package dev.incumbent.cli.server;

import org.jspecify.annotations.NullMarked;
