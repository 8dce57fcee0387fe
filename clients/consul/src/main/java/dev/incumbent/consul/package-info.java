/**
 * A small client of Consul, which sends nothing twice, ends each call in time, and knows of it whether it may have applied.
 *
 * <p>{@code ConsulClient} asks for keys, one by one or in {@code Txn}s, and for whatever else as a {@code Question}; {@code ConsulHttp} sends. Imports the vocabulary,
 * {@code dev.incumbent.calls}, {@code dev.incumbent.wire} and the JDK's HTTP client alone.
 */
package dev.incumbent.consul;
