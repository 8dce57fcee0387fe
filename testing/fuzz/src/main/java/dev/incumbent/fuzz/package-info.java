/**
 * Malformed requests for any server that speaks HTTP: {@link dev.incumbent.fuzz.Fuzzer} makes them from a seed, {@link dev.incumbent.fuzz.Barrage} sends them, and {@link dev.incumbent.fuzz.Findings}
 * and {@link dev.incumbent.fuzz.Footprint} tell what was wrong with the answers and what was left behind. Imports the JDK alone.
 */
package dev.incumbent.fuzz;
