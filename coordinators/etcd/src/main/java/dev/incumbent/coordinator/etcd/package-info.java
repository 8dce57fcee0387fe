/**
 * A coordinator in etcd.
 *
 * <p>{@code EtcdCoordinator} turns the SPI's calls into transactions over the keys that {@code Keys} names: {@code Records}, {@code Leases} and
 * {@code Candidates} hold them, a class a kind of key. {@code Watches} follows all watched elections by one stream, and asks again in a steady rhythm whether
 * what it told is current.
 *
 * <p>Imports the coordinator SPI, the vocabulary, and the client of etcd's gateway alone.
 */
@NullMarked
package dev.incumbent.coordinator.etcd;

import org.jspecify.annotations.NullMarked;
