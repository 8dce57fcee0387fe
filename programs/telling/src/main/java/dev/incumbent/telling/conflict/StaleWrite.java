package dev.incumbent.telling.conflict;

/**
 * The refusal of a write, as its writer reports it.
 *
 * @param token that the writer showed
 * @param sink as the writer names it; empty if it does not
 * @param inForce the mark that refused it, as the writer was told; empty if it does not say
 */
public record StaleWrite(long token, String sink, String inForce) {}
