/**
 * A coordinator in a ZooKeeper ensemble, over its plain client.
 *
 * <p>From the outside in: {@code ZooKeeperCoordinator} turns the SPI's calls into {@code ZooKeeperCall}s on one thread, which owns all state. {@code Line} keeps a
 * session for records, candidates and watches, and makes a new one whenever its connection ends; {@code LeaseSession} keeps the session of one lease, over as many
 * connections as it takes. {@code Link} is one handle of the client, used for one connection, which {@code OneConnectionHosts} sees to. {@code Records}, {@code
 * Candidates} and {@code Leases} hold the requests, {@code Nodes} the paths.
 *
 * <p>Imports {@code dev.incumbent.calls}, the coordinator SPI, the vocabulary, and ZooKeeper's client alone.
 */
@NullMarked
package dev.incumbent.coordinator.zookeeper;

import org.jspecify.annotations.NullMarked;
