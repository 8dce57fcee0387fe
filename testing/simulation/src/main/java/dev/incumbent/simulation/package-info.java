/**
 * Deterministic worlds: the shipped machines over the reference store and sinks, on drifting clocks and failing links, every event checked.
 *
 * <p>One thread, one virtual time, no wall clock; randomness is counter-based, faults are data. Imports floors 0 to 2 alone.
 */
package dev.incumbent.simulation;
