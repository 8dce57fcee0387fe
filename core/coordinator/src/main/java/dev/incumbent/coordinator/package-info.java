/**
 * The coordinator SPI: what a store must be able to do so that an election over it is safe.
 *
 * <p>Imports {@code dev.incumbent.model}, {@code dev.incumbent.time} and the JDK. The contract suite in {@code coordinator-tck} says each
 * sentence of it as a test.
 */
package dev.incumbent.coordinator;
