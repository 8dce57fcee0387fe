/**
 * The coordinator's contract as tests: each sentence of the SPI is one.
 *
 * <p>An adapter's test extends {@link dev.incumbent.coordinator.tck.CoordinatorContract} and gives it a rig, which owns time and wires.
 * Imports floors 0 and 1, JUnit and AssertJ.
 */
package dev.incumbent.coordinator.tck;
