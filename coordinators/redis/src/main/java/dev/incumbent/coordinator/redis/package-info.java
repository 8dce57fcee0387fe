/**
 * Coordinators in Redis: one server, and Redlock over several that know nothing of each other.
 *
 * <p>From the outside in: {@code RedisCoordinator} and {@code RedlockCoordinator} turn the SPI's calls into scripts; a {@code ServerLane}, one thread with
 * one connection, sends each at most once, through a {@code Pipeline}; {@code Poller} watches. Redlock's records are {@code Registers}, by CASPaxos, and its leases
 * {@code MajorityLeases}. What happens inside a server happens in the Lua scripts beside this package's classes.
 *
 * <p>Imports the coordinator SPI, the vocabulary, {@code dev.incumbent.calls}, {@code dev.incumbent.wire} and Jedis alone.
 */
@NullMarked
package dev.incumbent.coordinator.redis;

import org.jspecify.annotations.NullMarked;
