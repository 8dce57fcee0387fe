/**
 * The reference coordinator: a store in memory and its clients, exact in every sentence of the SPI, and short enough to be read beside
 * it.
 *
 * <p>Unit tests and the simulator stand on it, with virtual time; tests with real threads use it with the system's. Imports floors 0
 * and 1.
 */
package dev.incumbent.coordinator.memory;
