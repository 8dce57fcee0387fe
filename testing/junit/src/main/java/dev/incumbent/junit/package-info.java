/**
 * Tests of a user's own task and fence in a virtual world: the shipped election over a coordinator in memory, on a clock, a network and faults that follow from a seed.
 *
 * <p>Imports {@code dev.incumbent.simulation}, floors 0 to 2, and JUnit's API.
 */
package dev.incumbent.junit;
