package dev.incumbent.simulation;

/** An invariant did not hold: which, when in true time, and how. */
public record Violation(String invariant, long atNanos, String how) {}
