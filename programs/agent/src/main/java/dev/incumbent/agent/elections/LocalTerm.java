package dev.incumbent.agent.elections;

/**
 * The term that an owner of this host leads.
 *
 * @param remainingNanos for how long its owner may surely still believe that it leads; zero once the term ends, and while nothing was granted
 */
public record LocalTerm(long token, long remainingNanos) {}
