/**
 * A coordinator on the project's own quorum of three or five servers: the client's side.
 *
 * <p>From the outside in: {@code QuorumCoordinator} turns the SPI's calls into {@code Request}s for {@code Messenger}s, each a lane with one thread and one
 * connection to one of the {@code Nodes}; {@code Watching} is the thread that holds a watch open. Nothing that changes the store is sent twice unless the first
 * sending surely did nothing.
 *
 * <p>Imports the coordinator SPI, the vocabulary, {@code dev.incumbent.calls}, {@code dev.incumbent.wire} and the JDK; the HTTP is spoken over plain sockets, so
 * that closing ends every thread, and so that connecting and sending are told apart.
 */
@NullMarked
package dev.incumbent.coordinator.quorum;

import org.jspecify.annotations.NullMarked;
