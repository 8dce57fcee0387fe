/**
 * A coordinator in Consul, over its HTTP interface.
 *
 * <p>From the outside in: {@code ConsulCoordinator} turns the SPI's calls into those of {@code Leases}, {@code Promises}, {@code Records} and {@code Candidates},
 * one class a kind of key; each asks in {@code Txn}s, or for one key, through {@code ConsulClient}, which sends once, in time, and says whether it may have applied. {@code Watches}
 * is the one blocking query of a process, woken by which it reads again what has changed; {@code EndedLeases} buries what it sees ended.
 *
 * <p>Imports the coordinator SPI, the vocabulary, and {@code dev.incumbent.consul} alone.
 */
@NullMarked
package dev.incumbent.coordinator.consul;

import org.jspecify.annotations.NullMarked;
