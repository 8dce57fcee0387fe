/**
 * Elections among the candidates themselves, over TCP: {@link dev.incumbent.coordinator.peers.PeerElections} is where to begin.
 *
 * <p>From the outside in: {@code PeerElection} and {@code PeerCandidacy} are what a program holds; {@code PeerDriver} owns a {@code MemberMachine}, which is one of the state
 * machines of {@code dev.incumbent.peers}, and does what it says in order; {@code PeerDisk} keeps term and vote; {@code SocketTransport} has one connection with each other member.
 *
 * <p>Imports {@code dev.incumbent} with its platform of threads and clocks, {@code dev.incumbent.peers}, {@code dev.incumbent.wire} and the JDK.
 */
@NullMarked
package dev.incumbent.coordinator.peers;

import org.jspecify.annotations.NullMarked;
