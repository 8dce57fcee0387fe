package dev.incumbent.protocol;

import java.time.Duration;
import java.util.Optional;

/**
 * How candidates follow each other.
 *
 * @param stagger after the k-th of these, the first 2^k candidates may claim a vacancy
 * @param transferGrace for so long others let a named successor go first
 * @param movesAfter after so long a term is handed over to a candidate of a better rank; absent, it never is
 */
public record Succession(Duration stagger, Duration transferGrace, Optional<Duration> movesAfter) {}
