package dev.incumbent.outcome;

import dev.incumbent.model.Cordon;

/** How a cordon, or taking one back, ended. */
public sealed interface Cordoning extends OperatorOutcome {
    /** The cordon stands; {@code changed} is false where one of exactly that host, name or id stood before, which is the one told. */
    record Cordoned(Cordon cordon, boolean changed) implements Cordoning {}

    /** No cordon of exactly that host, name or id stands; {@code changed} is false where that was so before. */
    record Uncordoned(String whom, boolean changed) implements Cordoning {}

    /** The record has no room for one more; nothing was done. */
    record Full(String why) implements Cordoning {}
}
