package dev.incumbent.agent.owners;

import java.util.OptionalLong;

/**
 * Whether the watchdog of the host guards the work of a term.
 *
 * @param wanted did the owner ask for it? Then nothing is granted before it does
 * @param firesAtNanos when it restarts the host unless it is fed or stopped before; empty while it does not guard this work
 * @param used was something granted under it? Then the work may run until it fires
 * @param ended was it told that the work must stop?
 */
public record Shield(boolean wanted, OptionalLong firesAtNanos, boolean used, boolean ended) {
    static Shield of(boolean wanted) {
        return new Shield(wanted, OptionalLong.empty(), false, false);
    }

    Shield firesAt(long at) {
        return new Shield(wanted, OptionalLong.of(at), used, ended);
    }

    Shield usedNow() {
        return new Shield(wanted, firesAtNanos, true, ended);
    }

    Shield endedNow() {
        return new Shield(wanted, firesAtNanos, used, true);
    }

    /** May the work begin, as far as it is concerned? */
    boolean isReady() {
        return !wanted || firesAtNanos.isPresent();
    }

    /** Until when the work may run that has not said that it stopped. */
    long endNanos(long otherwise) {
        return wanted && used ? Math.max(otherwise, firesAtNanos.orElse(otherwise)) : otherwise;
    }

    /** For how long an answer may let the owner believe: it has stopped, and has said so, before the watchdog fires. */
    long mostNanos(long now, long sayingTakes) {
        return wanted ? firesAtNanos.orElse(now) - now - sayingTakes : Long.MAX_VALUE;
    }
}
